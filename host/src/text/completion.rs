//! Lists the possible continuations of a text that is being typed.

use std::collections::BTreeSet;

use super::compile::{TypeId, TypeKind};
use super::context::Context;
use super::grammar::Grammar;
use super::lexicon::WordId;
use super::matching::{Matcher, Offer};
use super::token::{Gap, Kind, Tokens};
use super::token_table::fold_case;

/// The kinds of possible continuations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpectedKind {
    /// Literal words, also the words of closed choices.
    Word,
    /// A name of a name set.
    Name,
    /// Something of a slot type that cannot be listed: a number, a text, a script type.
    Type,
}

/// One thing that may come next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expected {
    /// Byte offset of the part that is already typed; the end of the text if there is none.
    pub start: usize,
    /// Its kind.
    pub kind: ExpectedKind,
    /// The word or name; for a type, its name in messages.
    pub text: String,
    /// The slot type, of a name or type.
    pub type_name: Option<String>,
    /// The name of the slot, of a type.
    pub slot: Option<String>,
    /// The id that a name means, if it means one.
    pub id: Option<String>,
}

impl Grammar {
    /// Returns the possible continuations after `text`, sorted by place, kind and text.
    ///
    /// A word at the end of the text without a space after it counts as half typed. Its possible completions are
    /// returned, and also words that may touch it.
    pub fn expected_after(&self, name: &str, text: &str, context: &mut Context) -> Vec<Expected> {
        let tokens = Tokens::read(&self.table, text);
        let Ok(ty) = self.type_id(name) else {
            return Vec::new();
        };
        let mut expected = BTreeSet::new();
        let whole = tokens.list.len();
        self.add_offers(ty, &tokens, whole, context, &mut expected);
        let last = tokens.list.last();
        let half = last.filter(|_| tokens.trailing_gap() == Gap::None);
        if half.is_some_and(|last| last.is_wordlike() || last.kind == Kind::Mark) {
            self.add_offers(ty, &tokens, whole - 1, context, &mut expected);
        }
        expected.into_iter().collect()
    }

    /// Adds the possible continuations at the token `end`, if the tokens after it are their beginning.
    fn add_offers(
        &self,
        ty: usize,
        tokens: &Tokens,
        end: usize,
        context: &mut Context,
        expected: &mut BTreeSet<Expected>,
    ) {
        let mut matcher = Matcher::new(self, tokens, context);
        matcher.end = end;
        matcher.offers = Some(Vec::new());
        // A text too complex to read has the offers found so far.
        let _ = matcher.match_type(ty, 0);
        let start = tokens
            .list
            .get(end)
            .map_or(tokens.text.len(), |token| token.span.start);
        let typed = fold_case(&tokens.text[start..]);
        for offer in matcher.offers.unwrap_or_default() {
            expected.extend(self.expected_of_offer(offer, tokens, start, &typed));
        }
    }

    fn expected_of_offer(
        &self,
        offer: Offer,
        tokens: &Tokens,
        start: usize,
        typed: &str,
    ) -> Option<Expected> {
        match offer {
            Offer::Word(word) => self.expected_word(word, start, typed),
            Offer::Name { ty, entry, from } => {
                let token = tokens.list.get(from);
                Some(Expected {
                    start: token.map_or(start, |token| token.span.start),
                    kind: ExpectedKind::Name,
                    text: entry.name,
                    type_name: Some(self.types[ty].name.clone()),
                    slot: None,
                    id: entry.value.as_str().map(str::to_owned),
                })
            }
            Offer::Type { ty, slot } => self.expected_type(ty, slot, start),
        }
    }

    /// Returns a word that begins with the typed text.
    fn expected_word(&self, word: WordId, start: usize, typed: &str) -> Option<Expected> {
        let text = self.lexicon.shown_word(word).to_owned();
        let fits = fold_case(&text).starts_with(typed);
        fits.then_some(Expected {
            start,
            kind: ExpectedKind::Word,
            text,
            type_name: None,
            slot: None,
            id: None,
        })
    }

    /// Returns a slot type that cannot be listed.
    fn expected_type(&self, ty: TypeId, slot: Option<String>, start: usize) -> Option<Expected> {
        let def = &self.types[ty];
        let is_open = match &def.kind {
            TypeKind::Class(_) | TypeKind::Reader | TypeKind::Interpolated { .. } => true,
            // A slot that takes any piece of a text has a name of its own.
            kind => kind.only_class().is_some(),
        };
        is_open.then(|| Expected {
            start,
            kind: ExpectedKind::Type,
            text: def.noun.clone(),
            type_name: Some(def.name.clone()),
            slot,
            id: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{GrammarBuilder, NameTable, TokenTable};
    use super::*;

    fn offered(text: &str) -> Vec<String> {
        let mut people = NameTable::default();
        for name in ["Ann", "Hill Guard 1", "Hill Guard 2"] {
            people.insert(name, name);
        }
        let given = BTreeMap::from([(String::from("Person"), people)]);
        let mut builder = GrammarBuilder::new(TokenTable::default());
        builder
            .declare_names("Person", NameTable::default())
            .add_whole_templates(
                "Command",
                [
                    (
                        "attack",
                        "attack {whom: Person} [-> {to: Person}] [with {how: full force|care}]",
                    ),
                    ("add", "add {count: Integer}d{size: Integer}"),
                    ("call", "call `{who: Person}`"),
                    ("note", "note {what: Remark}"),
                ],
            );
        builder.add_whole_templates("Remark", [("remark", "{words: Text}")]);
        let (grammar, findings) = builder.build();
        assert!(findings.is_empty());
        let mut context = Context::new("command").with_names(&given);
        let expected = grammar.expected_after("Command", text, &mut context);
        let show = |one: Expected| {
            let slot = one.slot.map(|slot| format!("{slot}: ")).unwrap_or_default();
            format!("{} {slot}{}", one.start, one.text)
        };
        expected.into_iter().map(show).collect()
    }

    #[test]
    fn words_names_choices_and_types_are_offered_where_they_begin() {
        assert_eq!(offered(""), ["0 add", "0 attack", "0 call", "0 note"]);
        assert_eq!(offered("at"), ["0 attack"]);
        assert_eq!(offered("attack"), ["0 attack"]);
        assert_eq!(
            offered("attack "),
            ["7 Ann", "7 Hill Guard 1", "7 Hill Guard 2"]
        );
        assert_eq!(
            offered("attack hill g"),
            ["7 Hill Guard 1", "7 Hill Guard 2"]
        );
        assert_eq!(
            offered("attack hill "),
            ["7 Hill Guard 1", "7 Hill Guard 2"]
        );
        assert_eq!(offered("attack Ann "), ["11 ->", "11 with"]);
        assert_eq!(offered("attack Ann with f"), ["16 full force"]);
        assert_eq!(offered("add "), ["4 count: a whole number"]);
        assert_eq!(offered("add 3"), ["4 count: a whole number", "5 d"]);
        assert_eq!(offered("add 3d"), ["5 d", "6 size: a whole number"]);
        assert_eq!(offered("call `A"), ["6 Ann", "7 `"]);
        assert_eq!(offered("note "), ["5 what: a remark"]);
        assert!(offered("nothing fits ").is_empty());
    }
}
