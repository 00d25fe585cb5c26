//! Reads only the template of a text and the places of its slots, not the values of the slots.

use crate::diag::Span;

use super::arena::Node;
use super::compile::TypeId;
use super::context::Context;
use super::grammar::Grammar;
use super::matching::{End, Matcher};
use super::miss::Miss;

/// A slot type of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotType(pub(super) TypeId);

/// A text as one template, with the places of its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The set and the template in it; a type that is not a template set has none.
    form: Option<(TypeId, usize)>,
    /// The slots that are filled, in the order of the template: their numbers and the places of their texts.
    slots: Vec<(usize, Span)>,
}

impl Grammar {
    /// Returns the slot type of a name.
    pub fn slot_type(&self, name: &str) -> Option<SlotType> {
        self.find_type(name).map(SlotType)
    }

    /// Reads a whole text as a slot type, as [`Grammar::read`] does, and returns only the places of its slots.
    ///
    /// Errors: the errors of `read`.
    pub fn read_slot_spans(
        &self,
        ty: SlotType,
        text: &str,
        context: &mut Context,
    ) -> Result<Fields, Box<Miss>> {
        let read = |matcher: &Matcher, _: TypeId, end: End| matcher.slot_spans_of_end(end);
        self.read_whole(ty.0, text, context, read)
    }

    /// Returns the id of the template that was read; a type that is not a template set has none.
    pub fn template_id(&self, fields: &Fields) -> Option<&str> {
        let (set, form) = fields.form?;
        Some(&self.template_form(set, form).id)
    }

    /// Returns the slots that are filled, in the order of the template: names and places of their texts.
    ///
    /// A type that is not a template set has one slot `value`; an operator has one slot `operands`.
    pub fn filled_slots<'g>(
        &'g self,
        fields: &Fields,
    ) -> impl ExactSizeIterator<Item = (&'g str, Span)> {
        let form = fields.form.map(|(set, form)| self.template_form(set, form));
        let name = move |at: usize| form.map_or(PLAIN[at.min(1)], |form| form.slots[at].as_str());
        fields
            .slots
            .iter()
            .map(move |(at, span)| (name(*at), *span))
    }

    /// Returns whether a text of a slot type may hold names.
    pub fn has_names(&self, ty: SlotType) -> bool {
        self.types[ty.0].has_names
    }
}

/// The name of the slot of a text that is not a template: a value, or the operands of an operator.
const PLAIN: [&str; 2] = ["value", "operands"];

impl Matcher<'_, '_> {
    fn slot_spans_of_end(&self, end: End) -> Fields {
        let whole = |slot| Fields {
            form: None,
            slots: vec![(slot, self.token_stream().span(0, end.pos))],
        };
        match self.arena.node(end.node) {
            Node::Form { set, form, slots } => {
                let mut found = Vec::with_capacity(4);
                for link in self.arena.links_backwards(*slots) {
                    found.push((link.slot, self.token_stream().span(link.from, link.to)));
                }
                found.reverse();
                Fields {
                    form: Some((*set, *form)),
                    slots: found,
                }
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
            .add_whole_templates("Mark", [("mark#1", "{Piece}")])
            .add_whole_templates("Length", [("length#1", "~{Word}")])
            .declare_names("Person", NameTable::default())
            .add_whole_templates(
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
        let mut context = Context::new("phrase").whole_names_only();
        let ty = grammar.slot_type(set).unwrap();
        let fields = grammar
            .read_slot_spans(ty, text, &mut context)
            .map_err(|miss| *miss)?;
        let slot = |(name, span): (&str, Span)| format!("{name}={}", &text[span.start..span.end]);
        let slots = grammar.filled_slots(&fields).map(slot).collect();
        Ok((grammar.template_id(&fields).map(str::to_owned), slots))
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
    fn a_text_is_readable_if_its_slots_can_be_read() {
        let grammar = grammar();
        let mut context = Context::new("phrase").whole_names_only();
        for text in [
            "put x on y",
            "take @Self coat",
            "put x in y",
            "take all a b",
            "",
            "call x",
        ] {
            let ty = grammar.slot_type("Deed").unwrap();
            let readable = grammar.is_readable(ty, text, &mut context);
            assert_eq!(readable, fields("Deed", text).is_ok(), "{text}");
        }
        let long = "a".repeat(grammar.table().max_bytes + 1);
        let ty = grammar.slot_type("Piece").unwrap();
        assert!(!grammar.is_readable(ty, &long, &mut context));
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
        let has = |name: &str| grammar.slot_type(name).map(|ty| grammar.has_names(ty));
        let with = ["Deed", "Person", "Mark", "Piece", "Nothing"];
        assert_eq!(
            with.map(has),
            [Some(true), Some(true), Some(false), Some(false), None]
        );
    }
}
