//! The tree that content files and script definitions are read into: plain data with places.

use std::sync::Arc;

use crate::diag::{Source, Span};
use crate::value::{Number, Text, Value};

/// A piece of data and the place where it was written.
///
/// Readers bound the depth of a tree (32 for files), so that a walk over it may recurse.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The place in the source; a value that is not written, as in `key:`, has the span of its key.
    pub span: Span,
    /// The data.
    pub kind: Kind,
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// An exact number and the digits it was written with.
    Number(Number, Text),
    /// A text.
    Text(Text),
    /// Nodes in order.
    List(Vec<Node>),
    /// Entries in the order of the source; no key occurs twice.
    Map(Vec<Entry>),
    /// A function of a script.
    Function,
}

/// A key of a map and its node.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key; keys are always texts.
    pub key: Text,
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// Returns a node.
    pub fn new(span: Span, kind: Kind) -> Node {
        Node { span, kind }
    }

    /// Returns the entry of a map with this key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| &*entry.key == key)
    }

    /// Returns the node of a map with this key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Returns the entries of a map; for any other node, none.
    pub fn entries(&self) -> &[Entry] {
        if let Kind::Map(entries) = &self.kind {
            entries
        } else {
            &[]
        }
    }

    /// Returns the items of a list; for any other node, none.
    pub fn items(&self) -> &[Node] {
        if let Kind::List(items) = &self.kind {
            items
        } else {
            &[]
        }
    }

    /// Returns the text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind {
            Some(text)
        } else {
            None
        }
    }

    /// Returns whether this is nothing.
    pub fn is_nil(&self) -> bool {
        self.kind == Kind::Nil
    }

    /// Returns the first line of the node, used by findings about the whole node.
    pub fn first_line_span(&self, source: &Source) -> Span {
        let text = source.slice(self.span);
        let line = text.split('\n').next().unwrap_or_default().trim_end();
        Span::new(self.span.start, self.span.start + line.len())
    }

    /// Returns the plain data; functions become `Nil`, and `Nil` at the end of a list is left out.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Nil | Kind::Function => Value::Nil,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Number(number, _) => Value::Number(*number),
            Kind::Text(text) => Value::Text(Arc::clone(text)),
            Kind::List(items) => {
                let mut values: Vec<Value> = items.iter().map(Node::to_value).collect();
                let kept = values.iter().rposition(|value| !value.is_nil());
                values.truncate(kept.map_or(0, |last| last + 1));
                Value::list(values)
            }
            Kind::Map(entries) => Value::map(
                entries
                    .iter()
                    .map(|entry| (Arc::clone(&entry.key), entry.node.to_value())),
            ),
        }
    }

    /// Returns the description for messages: `the text "seven"`, `a list`.
    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::Nil => "nothing".to_owned(),
            Kind::Bool(value) => value.to_string(),
            Kind::Number(_, text) => format!("the number {}", shortened(text)),
            Kind::Text(text) => format!("the text {:?}", shortened(text)),
            Kind::List(items) if items.is_empty() => "an empty list".to_owned(),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
            Kind::Function => "a function".to_owned(),
        }
    }
}

/// Returns at most 40 characters of a text, marked where it was cut.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Node {
        Node::new(Span::default(), Kind::Text(value.into()))
    }

    #[test]
    fn functions_and_nothing_leave_no_trace_in_plain_data() {
        let nil = Node::new(Span::default(), Kind::Nil);
        let function = Node::new(Span::default(), Kind::Function);
        let list = Node::new(
            Span::default(),
            Kind::List(vec![nil.clone(), text("a"), function, nil]),
        );
        assert_eq!(list.to_value(), Value::list([Value::Nil, Value::from("a")]));
    }

    #[test]
    fn long_texts_are_shortened_in_messages() {
        assert_eq!(text("a\"b").describe(), "the text \"a\\\"b\"");
        assert_eq!(
            text(&"ä".repeat(99))
                .describe()
                .chars()
                .filter(|c| *c == 'ä')
                .count(),
            40
        );
    }

    #[test]
    fn the_head_is_the_first_line() {
        let source = Source::new("a", "x: [1, \n 2]\n");
        let node = Node::new(Span::new(3, 11), Kind::Nil);
        assert_eq!(source.slice(node.first_line_span(&source)), "[1,");
    }
}
