//! Writes a reading as its template again: the words of the template, the full names, and one space for each run of
//! spaces.
//!
//! Words of closed choices are written as declared. Free text of an author stays unchanged, and so do numbers and the
//! contents of a repeated slot.

use std::collections::{BTreeMap, VecDeque};

use super::grammar::Grammar;
use super::parse::{Filled, Parse};
use super::token::{Gap, Tokens};
use super::token_table::fold_case;
use crate::value::Value;

/// The words of a template as written there, in their order, by their folded form.
type Spelled = BTreeMap<String, VecDeque<String>>;

impl Grammar {
    /// Returns the canonical form of a reading.
    pub fn canonical_text(&self, parse: &Parse) -> String {
        let mut forms = self.forms(&parse.set).into_iter();
        let form = forms.find(|form| form.id == parse.template);
        let mut words = form.map_or_else(Spelled::new, |form| self.template_spelling(&form.syntax));
        let mut slots: Vec<_> = parse.slots.iter().collect();
        slots.sort_by_key(|slot| slot.span.start);
        let (mut written, mut at) = (String::new(), parse.span.start);
        for slot in slots {
            let between = self.text_between_slots(parse, (at, slot.span.start), &mut words);
            written.push_str(&between);
            written.push_str(&self.filled_text(&slot.filled, &slot.text));
            at = slot.span.end;
        }
        written.push_str(&self.text_between_slots(parse, (at, parse.span.end), &mut words));
        written.trim().to_owned()
    }

    fn template_spelling(&self, syntax: &str) -> Spelled {
        let tokens = Tokens::read(self.table(), syntax);
        let mut depth = 0_usize;
        let mut words = Spelled::new();
        for token in &tokens.list {
            match tokens.text_of(token) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                // A slot holds the names of itself and its type, or the words of a choice.
                word if depth == 0 => {
                    let own = words.entry(fold_case(word)).or_default();
                    own.push_back(word.to_owned());
                }
                _ => {}
            }
        }
        words
    }

    /// Returns the text between two slots, with the spaces around it.
    fn text_between_slots(
        &self,
        parse: &Parse,
        (from, to): (usize, usize),
        words: &mut Spelled,
    ) -> String {
        let text = &parse.text[from - parse.span.start..to - parse.span.start];
        self.single_spaced(text, |word| {
            let own = words.get_mut(&fold_case(word))?;
            // The last word may occur there again: the text between brackets is optional.
            match own.len() {
                0 | 1 => own.front().cloned(),
                _ => own.pop_front(),
            }
        })
    }

    fn filled_text(&self, filled: &Filled, text: &str) -> String {
        let is_meant =
            |value: &str| fold_case(value) == fold_case(&self.single_spaced(text, |_| None));
        match filled {
            Filled::Parse(parse) => self.canonical_text(parse),
            Filled::Name { name, .. } => name.clone(),
            // A word of a choice. For any other text the value is the typed text.
            Filled::Value(Value::Text(value)) if is_meant(value) => value.to_string(),
            Filled::Value(_) | Filled::Ambiguous(_) | Filled::List(_) => text.trim().to_owned(),
        }
    }

    /// Returns a text with one space for each run of spaces, and some words replaced.
    fn single_spaced(&self, text: &str, mut of: impl FnMut(&str) -> Option<String>) -> String {
        let tokens = Tokens::read(self.table(), text);
        let mut written = String::new();
        for (number, token) in tokens.list.iter().enumerate() {
            let begins = number == 0;
            if (begins && text.starts_with(char::is_whitespace))
                || (!begins && token.gap != Gap::None)
            {
                written.push(' ');
            }
            let word = tokens.text_of(token);
            written.push_str(&of(word).unwrap_or_else(|| word.to_owned()));
        }
        if tokens.trailing_gap() != Gap::None && !text.is_empty() {
            written.push(' ');
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::{Context, GrammarBuilder, NameTable, TokenTable};
    use super::*;

    fn grammar() -> Grammar {
        let mut builder = GrammarBuilder::new(TokenTable::default());
        builder
            .declare_names("Food", NameTable::default())
            .add_whole_templates(
                "Step",
                [
                    (
                        "mix",
                        "Mix {what: Food} [and {with: Food}] [for {time: Time}]",
                    ),
                    ("bake", "Bake at {heat: Integer}°{scale: C|F}"),
                    ("note", "Note: {said: Text}"),
                    ("say", "Say {said: Quoted} twice"),
                    ("in", "In {one: Integer} min or in {other: Integer} min"),
                ],
            );
        builder.add_whole_templates("Time", [("minutes", "{count: Integer} min")]);
        let (grammar, findings) = builder.build();
        assert!(findings.is_empty());
        grammar
    }

    fn read(grammar: &Grammar, text: &str) -> Option<Parse> {
        let mut foods = NameTable::default();
        for name in ["Rye Flour", "Egg"] {
            foods.insert(name, name);
        }
        let given = BTreeMap::from([(String::from("Food"), foods)]);
        let mut context = Context::new("step").with_names(&given);
        grammar.read("Step", text, &mut context).ok()
    }

    fn written(grammar: &Grammar, text: &str) -> Option<String> {
        let parse = read(grammar, text)?;
        Some(grammar.canonical_text(&parse))
    }

    #[test]
    fn words_and_names_are_written_as_they_are_declared_and_blanks_once() {
        let grammar = grammar();
        for (typed, expected) in [
            (
                "  mix   rye flour AND egg  for 3   MIN ",
                "Mix Rye Flour and Egg for 3 min",
            ),
            ("MIX EGG", "Mix Egg"),
            ("bake at 200°c", "Bake at 200°C"),
            ("note:  Whatever   I SAY ", "Note: Whatever   I SAY"),
            ("say \"a   b\"  twice", "Say \"a   b\" twice"),
            ("in 3 MIN or IN 4 min", "In 3 min or in 4 min"),
            ("Note: Mix it", "Note: Mix it"),
        ] {
            assert_eq!(written(&grammar, typed).as_deref(), Some(expected));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_says_the_same_and_is_written_the_same_once_more(
            text in "(?i)(mix|bake at|note:|say|in) {1,3}(egg|rye  flour|200|\"a  b\"|3 min or in 4)?(°c)?( and egg)?\
                ( min| twice)?( for {1,2}[0-9] min)?[a-z .,]{0,12}",
        ) {
            let grammar = grammar();
            if let Some(parse) = read(&grammar, &text) {
                let once = grammar.canonical_text(&parse);
                let again = read(&grammar, &once);
                prop_assert_eq!(again.as_ref().map(Parse::to_value), Some(parse.to_value()), "{}", once);
                prop_assert_eq!(again.map(|again| grammar.canonical_text(&again)), Some(once));
            }
        }
    }
}
