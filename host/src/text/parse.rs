//! The result of reading: plain data, independent of the grammar and the text.

use std::collections::BTreeMap;

use crate::diag::Span;
use crate::value::Value;

use super::arena::{Link, Node};
use super::matching::{End, Matcher};

/// A text read as a template, or as an operator over operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Parse {
    /// The slot type that was read.
    pub set: String,
    /// The id of the template; the word of the operator; else the name of the type again.
    pub template: String,
    /// The slots that were filled, in the order of the template.
    ///
    /// An operator has one slot `operands`, a list; a type that is not a template set one slot `value`.
    pub slots: Vec<ParsedSlot>,
    /// The text.
    pub text: String,
    /// The place of the text.
    pub span: Span,
}

/// One filled slot.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedSlot {
    /// The name of the slot.
    pub name: String,
    /// The contents of the slot.
    pub filled: Filled,
    /// The text as it was written.
    pub text: String,
    /// The place of the text.
    pub span: Span,
}

/// The contents of a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Filled {
    /// A value: a token class, closed words, the result of a script reader, or text around pieces.
    Value(Value),
    /// A name of a name set.
    Name {
        /// The name as the set shows it.
        name: String,
        /// The value of the name.
        value: Value,
        /// Whether it was written whole.
        exact: bool,
    },
    /// A name with these candidates; only within a reading that is refused.
    Ambiguous(Vec<(String, Value)>),
    /// A template or operator.
    Parse(Box<Parse>),
    /// A repeated slot, operands, or the parts of an interpolated text.
    List(Vec<Filled>),
}

impl Parse {
    /// Returns the contents of a slot, if it is filled.
    pub fn get(&self, slot: &str) -> Option<&Filled> {
        let slot = self.slots.iter().find(|one| one.name == slot);
        slot.map(|slot| &slot.filled)
    }

    /// Returns a map with `template` and the values of the slots by name.
    pub fn to_value(&self) -> Value {
        let slots = self
            .slots
            .iter()
            .map(|slot| (slot.name.as_str(), slot.filled.to_value()));
        let template = ("template", Value::from(self.template.as_str()));
        Value::map(slots.chain([template]).collect::<BTreeMap<_, _>>())
    }
}

impl Filled {
    /// Returns the value: for a name its value, for a template its map.
    pub fn to_value(&self) -> Value {
        match self {
            Filled::Value(value) | Filled::Name { value, .. } => value.clone(),
            Filled::Ambiguous(entries) => {
                Value::list(entries.iter().map(|(_, value)| value.clone()))
            }
            Filled::Parse(parse) => parse.to_value(),
            Filled::List(items) => Value::list(items.iter().map(Filled::to_value)),
        }
    }
}

impl Matcher<'_, '_> {
    /// Returns the reading from the token `from` to an end as a parse of `set`.
    pub(super) fn parse_of_reading(&self, set: usize, from: usize, end: End) -> Parse {
        match self.filled_slot(end.node, from, end.pos) {
            Filled::Parse(parse) => *parse,
            filled => {
                let name = self.grammar.types[set].name.clone();
                let slot = self.parsed_slot(String::from("value"), filled, from, end.pos);
                self.parse_from_parts(name.clone(), name, vec![slot], (from, end.pos))
            }
        }
    }

    /// Returns the first ambiguous name of a reading with its tokens.
    pub(super) fn first_ambiguous(
        &self,
        node: usize,
        from: usize,
        to: usize,
    ) -> Option<(usize, usize, usize)> {
        let links = match self.arena.node(node) {
            Node::Ambiguous(_) => return Some((node, from, to)),
            Node::Text | Node::Value(_) | Node::Name { .. } => return None,
            Node::Form { slots: links, .. }
            | Node::Operator { items: links, .. }
            | Node::List(links) => self.arena.links_forwards(*links),
        };
        links
            .iter()
            .find_map(|link| self.first_ambiguous(link.node, link.from, link.to))
    }

    fn filled_slot(&self, node: usize, from: usize, to: usize) -> Filled {
        match self.arena.node(node) {
            Node::Text => Filled::Value(Value::from(self.token_stream().slice(from, to))),
            Node::Value(value) => Filled::Value(value.clone()),
            Node::Name { entry, exact } => Filled::Name {
                name: entry.name.clone(),
                value: entry.value.clone(),
                exact: *exact,
            },
            Node::Ambiguous(entries) => {
                let pair =
                    |entry: &super::names::NameEntry| (entry.name.clone(), entry.value.clone());
                Filled::Ambiguous(entries.iter().map(pair).collect())
            }
            Node::List(items) => self.list_of_items(&self.arena.links_forwards(*items)),
            Node::Operator { ty, word, items } => {
                let list = self.list_of_items(&self.arena.links_forwards(*items));
                let slot = self.parsed_slot(String::from("operands"), list, from, to);
                let set = self.grammar.types[*ty].name.clone();
                let word = self.grammar.lexicon.shown_word(*word).to_owned();
                Filled::Parse(Box::new(self.parse_from_parts(
                    set,
                    word,
                    vec![slot],
                    (from, to),
                )))
            }
            Node::Form { set, form, slots } => {
                let form = self.grammar.template_form(*set, *form);
                let slot = |link: &Link| {
                    let filled = self.filled_slot(link.node, link.from, link.to);
                    self.parsed_slot(form.slots[link.slot].clone(), filled, link.from, link.to)
                };
                let slots = self.arena.links_forwards(*slots).iter().map(slot).collect();
                let set = self.grammar.types[*set].name.clone();
                Filled::Parse(Box::new(self.parse_from_parts(
                    set,
                    form.id.clone(),
                    slots,
                    (from, to),
                )))
            }
        }
    }

    fn list_of_items(&self, items: &[Link]) -> Filled {
        let items = items
            .iter()
            .map(|item| self.filled_slot(item.node, item.from, item.to));
        Filled::List(items.collect())
    }

    fn parsed_slot(&self, name: String, filled: Filled, from: usize, to: usize) -> ParsedSlot {
        let stream = self.token_stream();
        let (text, span) = (stream.slice(from, to).to_owned(), stream.span(from, to));
        ParsedSlot {
            name,
            filled,
            text,
            span,
        }
    }

    fn parse_from_parts(
        &self,
        set: String,
        template: String,
        slots: Vec<ParsedSlot>,
        (from, to): (usize, usize),
    ) -> Parse {
        let stream = self.token_stream();
        let (text, span) = (stream.slice(from, to).to_owned(), stream.span(from, to));
        Parse {
            set,
            template,
            slots,
            text,
            span,
        }
    }
}
