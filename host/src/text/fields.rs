//! This module reads a text lean: which template it is and where its slots stand, not what they mean.

use crate::diag::Span;

use super::arena::Node;
use super::compile::{TypeId, TypeKind, What};
use super::context::Context;
use super::grammar::Grammar;
use super::matching::{End, Matcher};
use super::miss::Miss;

/// A text as one template, with the places of its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields<'g> {
    /// The id of the template; of what is no template set there is none.
    pub template: Option<&'g str>,
    /// The slots that are filled, in the order of the template: names and where their texts are.
    ///
    /// A type that is no template set has one slot `value`; an operator has one slot `operands`.
    pub slots: Vec<(&'g str, Span)>,
}

/// The form of a set, and its slots by number.
type Found = (Option<(TypeId, usize)>, Vec<(usize, Span)>);

impl Grammar {
    /// Reads a whole text as a slot type, as [`Grammar::read`] does, and gives back only the places of its slots.
    ///
    /// Errors: those of `read`.
    pub fn fields(
        &self,
        name: &str,
        text: &str,
        context: &mut Context,
    ) -> Result<Fields<'_>, Box<Miss>> {
        let read = |matcher: &Matcher, _: TypeId, end: End| matcher.fields(end);
        let (form, slots) = self.whole(name, text, context, read)?;
        let Some((set, form)) = form else {
            let slots = slots.into_iter().map(|(at, span)| (PLAIN[at], span));
            return Ok(Fields {
                template: None,
                slots: slots.collect(),
            });
        };
        let form = self.form(set, form);
        let slots = slots
            .into_iter()
            .map(|(at, span)| (form.slots[at].as_str(), span));
        Ok(Fields {
            template: Some(&form.id),
            slots: slots.collect(),
        })
    }

    /// Returns whether a text of a slot type may hold names.
    pub fn has_names(&self, name: &str) -> bool {
        self.ids
            .get(name)
            .is_some_and(|id| self.types[*id].has_names)
    }
}

/// What the slot of a text is called that is no template.
const PLAIN: [&str; 2] = ["value", "operands"];

impl Matcher<'_, '_> {
    fn fields(&self, end: End) -> Found {
        let whole = |slot| (None, vec![(slot, self.stream().span(0, end.pos))]);
        match self.arena.node(end.node) {
            Node::Form { set, form, slots } => {
                let links = self.arena.chain(*slots).into_iter();
                let slots = links.map(|link| (link.slot, self.stream().span(link.from, link.to)));
                (Some((*set, *form)), slots.collect())
            }
            Node::Operator { .. } => whole(1),
            Node::Text
            | Node::Value(_)
            | Node::Name { .. }
            | Node::Ambiguous(_)
            | Node::List(_) => whole(0),
        }
    }
}

/// Returns for each slot type whether names may stand in it.
pub(super) fn with_names(kinds: &[&TypeKind]) -> Vec<bool> {
    let mut found: Vec<bool> = kinds
        .iter()
        .map(|kind| matches!(kind, TypeKind::Names(_)))
        .collect();
    loop {
        let before = found.clone();
        for (at, kind) in kinds.iter().enumerate() {
            found[at] |= uses(kind, &mut |ty| before[ty]);
        }
        if found == before {
            return found;
        }
    }
}

/// Returns whether one of the types that a type is made of is such a type.
fn uses(kind: &TypeKind, is_such: &mut dyn FnMut(TypeId) -> bool) -> bool {
    match kind {
        TypeKind::Class(_) | TypeKind::Choice(_) | TypeKind::Names(_) | TypeKind::Reader => false,
        TypeKind::Forms(forms) => forms
            .list
            .iter()
            .any(|form| in_steps(&form.steps.list, is_such)),
        TypeKind::Interpolated { piece, .. } => is_such(*piece),
        TypeKind::Either(options) => options.iter().any(|option| is_such(*option)),
        TypeKind::Chain { next, .. } | TypeKind::Prefix { next, .. } => is_such(*next),
        TypeKind::Bracketed { inner, .. } => is_such(*inner),
    }
}

fn in_steps(steps: &[super::compile::Step], is_such: &mut dyn FnMut(TypeId) -> bool) -> bool {
    steps.iter().any(|step| match &step.what {
        What::Word(_) => false,
        What::Slot(slot) => is_such(slot.ty),
        What::OneOf { options, .. } => options.iter().any(|one| in_steps(&one.list, is_such)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{GrammarBuilder, NameTable, TokenTable};
    use super::*;

    fn grammar() -> Grammar {
        let table = TokenTable {
            quotes: vec![('`', '`')],
            inner_chars: vec!['-', '_'],
            ..TokenTable::default()
        };
        let mut builder = GrammarBuilder::new(table);
        builder
            .templates("Mark", [("mark#1", "{Piece}")])
            .templates("Length", [("length#1", "~{Word}")])
            .names("Person", NameTable::default())
            .templates(
                "Deed",
                [
                    (
                        "put#1",
                        "Put {mark: Mark} on {who: Mark} {lasts: (Length?)}",
                    ),
                    ("take#1", "Take {who: Piece}'s {what: Piece}"),
                    ("all#1", "Take all {what: Word...}"),
                    ("call#1", "Call {who: Person}"),
                ],
            );
        let (grammar, findings) = builder.build();
        assert_eq!(findings, []);
        grammar
    }

    fn fields(set: &str, text: &str) -> Result<(Option<String>, Vec<String>), Miss> {
        let grammar = grammar();
        let mut context = Context::new("phrase").whole_names();
        let fields = grammar
            .fields(set, text, &mut context)
            .map_err(|miss| *miss)?;
        let slot = |(name, span): &(&str, Span)| format!("{name}={}", &text[span.start..span.end]);
        let slots = fields.slots.iter().map(slot).collect();
        Ok((fields.template.map(str::to_owned), slots))
    }

    fn slots(text: &str) -> Vec<String> {
        fields("Deed", text).unwrap().1
    }

    #[test]
    fn slots_are_texts_and_those_in_brackets_stand_without_them() {
        assert_eq!(
            fields("Deed", "put `a mark` on @Self[b c] (~Night)").unwrap(),
            (
                Some("put#1".to_owned()),
                vec![
                    "mark=`a mark`".to_owned(),
                    "who=@Self[b c]".to_owned(),
                    "lasts=~Night".to_owned()
                ]
            )
        );
        assert_eq!(slots("put x on y"), ["mark=x", "who=y"]);
        assert_eq!(slots("take all a b"), ["what=a b"]);
        assert_eq!(
            fields("Piece", "x.y").unwrap(),
            (None, vec!["value=x.y".to_owned()])
        );
    }

    #[test]
    fn a_piece_ends_before_what_says_whose_something_is() {
        assert_eq!(slots("take @Self's coat"), ["who=@Self", "what=coat"]);
        assert_eq!(slots("take @Self's @Self's"), ["who=@Self", "what=@Self's"]);
        assert_eq!(
            slots("take `Ann's hat`'s (blue x)y"),
            ["who=`Ann's hat`", "what=(blue x)y"]
        );
        assert_eq!(fields("Piece", "'s").unwrap().1, ["value='s"]);
        for text in ["take @Self coat", "put x y on z", "(put x on )"] {
            assert!(fields("Deed", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_miss_says_where_and_what_was_wanted() {
        let miss = fields("Deed", "put x in y").unwrap_err();
        assert_eq!(
            miss.finding.message,
            "after \"put x\" expected \"on\", found \"in\""
        );
        assert_eq!(miss.finding.span, Span::new(6, 8));
    }

    #[test]
    fn names_are_known_to_be_needed() {
        let grammar = grammar();
        let with = ["Deed", "Person", "Mark", "Piece", "Nothing"];
        assert_eq!(
            with.map(|name| grammar.has_names(name)),
            [true, true, false, false, false]
        );
    }
}
