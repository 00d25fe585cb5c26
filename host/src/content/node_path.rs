//! Follows paths of keys and indexes through a tree, and finds the places of pieces of its texts.

use std::ops::Range;

use super::node::{Kind, Node};
use crate::diag::{Source, Span};
use crate::value::Text;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The entry of a map with this key.
    Key(Text),
    /// The item of a list at this index, from 1; in a map, the entry whose key is this number.
    Index(usize),
}

/// The end of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached<'a> {
    /// The node at its end, or the nearest one above.
    pub node: &'a Node,
    /// The place of the key of that node; the whole tree and the items of lists have none.
    pub key: Option<Span>,
    /// Whether the path was followed to its end.
    pub is_end: bool,
    /// The number of entries that were checked on the way.
    pub work: usize,
}

impl Node {
    /// Follows a path as far as it leads.
    pub fn follow_path(&self, path: &[Step]) -> Reached<'_> {
        let mut reached = Reached {
            node: self,
            key: None,
            is_end: true,
            work: 0,
        };
        for step in path {
            let work = reached.work + 1 + reached.node.entries().len();
            let Some((key, node)) = reached.node.inner_node(step) else {
                return Reached {
                    is_end: false,
                    work,
                    ..reached
                };
            };
            reached = Reached {
                node,
                key,
                work,
                ..reached
            };
        }
        reached
    }

    fn inner_node(&self, step: &Step) -> Option<(Option<Span>, &Node)> {
        let number;
        let key = match (step, &self.kind) {
            (Step::Index(index), Kind::List(items)) => {
                return Some((None, items.get(index.checked_sub(1)?)?));
            }
            (Step::Index(index), _) => {
                number = index.to_string();
                &number
            }
            (Step::Key(key), _) => &**key,
        };
        let entry = self.entry(key)?;
        Some((Some(entry.key_span), &entry.node))
    }

    /// Returns the place of some characters of a text, counted from 0. They are found if the text is written unchanged
    /// on one line, plain or in quotes. Characters after the end of the text are left out.
    pub fn span_of_characters(&self, source: &Source, wanted: Range<usize>) -> Option<Span> {
        let text = self.written_text()?;
        let shown = source.slice(self.span);
        let is_quoted = shown.len() == text.len() + 2
            && ['"', '\'']
                .iter()
                .any(|quote| shown.starts_with(*quote) && shown.ends_with(*quote));
        let inner = if is_quoted {
            &shown[1..shown.len() - 1]
        } else {
            shown
        };
        if inner != text || text.contains('\n') {
            return None;
        }
        let start = self.span.start + usize::from(is_quoted);
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let ends: Vec<usize> = ends.collect();
        let (from, to) = (
            ends.get(wanted.start)?,
            ends.get(wanted.end).or(ends.last())?,
        );
        (from < to).then(|| Span::new(start + from, start + to))
    }

    /// Returns the place of words of a text, if they occur in its source only once as they are written.
    pub fn span_of_words(&self, source: &Source, wanted: &str) -> Option<Span> {
        self.written_text().filter(|_| !wanted.is_empty())?;
        let shown = source.slice(self.span);
        let mut found = shown.match_indices(wanted).map(|(at, _)| at);
        let at = self.span.start + found.next()?;
        found
            .next()
            .is_none()
            .then(|| Span::new(at, at + wanted.len()))
    }

    /// Returns a text, or the digits of a number.
    fn written_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) | Kind::Number(_, text) => Some(text),
            Kind::Nil | Kind::Bool(_) | Kind::List(_) | Kind::Map(_) | Kind::Function => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{TreeLimits, read_tree};

    const TEXT: &str = "plain: zwölf drei # 3\n\"2\": [ein, {k: 'a b'}]\nraw: \"a\\tb\"\nlong: |\n  ein Wort\n  zwei\n";

    fn shown(path: &[Step], of: impl Fn(&Reached<'_>, &Source) -> Option<Span>) -> String {
        let source = Source::new("a.yaml", TEXT);
        let (node, findings) = read_tree(&source, TreeLimits::CONTENT);
        assert_eq!(findings, []);
        let node = node.unwrap();
        let span = of(&node.follow_path(path), &source);
        span.map_or_else(|| "none".to_owned(), |span| source.slice(span).to_owned())
    }

    fn key(text: &str) -> Step {
        Step::Key(text.into())
    }

    #[test]
    fn paths_lead_to_nodes_and_their_keys_or_stop_at_the_nearest() {
        let whole = |reached: &Reached<'_>, _: &Source| Some(reached.node.span);
        let keys = |reached: &Reached<'_>, _: &Source| reached.key;
        assert_eq!(shown(&[key("plain")], whole), "zwölf drei");
        assert_eq!(shown(&[key("plain")], keys), "plain");
        assert_eq!(shown(&[Step::Index(2), Step::Index(1)], whole), "ein");
        assert_eq!(shown(&[Step::Index(2), Step::Index(1)], keys), "none");
        let inner = [key("2"), Step::Index(2), key("k")];
        assert_eq!(shown(&inner, whole), "'a b'");
        let nowhere = [key("2"), Step::Index(2), key("no"), Step::Index(0)];
        assert_eq!(shown(&nowhere, whole), "{k: 'a b'}");
        let end = |reached: &Reached<'_>, _: &Source| reached.is_end.then_some(reached.node.span);
        assert_eq!(shown(&nowhere, end), "none");
        assert_eq!(shown(&[key("2"), Step::Index(0)], end), "none");
    }

    #[test]
    fn characters_are_found_only_where_a_text_is_written_as_it_is() {
        let letters = |wanted: Range<usize>| {
            move |reached: &Reached<'_>, source: &Source| {
                reached.node.span_of_characters(source, wanted.clone())
            }
        };
        assert_eq!(shown(&[key("plain")], letters(6..10)), "drei");
        assert_eq!(shown(&[key("plain")], letters(6..11)), "drei");
        assert_eq!(shown(&[key("plain")], letters(10..11)), "none");
        assert_eq!(shown(&[key("plain")], letters(6..6)), "none");
        let quoted = [key("2"), Step::Index(2), key("k")];
        assert_eq!(shown(&quoted, letters(2..3)), "b");
        assert_eq!(shown(&[key("raw")], letters(0..1)), "none", "an escape");
        assert_eq!(shown(&[key("long")], letters(0..3)), "none", "lines");
        assert_eq!(shown(&[key("2")], letters(0..1)), "none", "no text");
    }

    #[test]
    fn words_are_found_where_they_stand_once() {
        let words = |wanted: &'static str| {
            move |reached: &Reached<'_>, source: &Source| reached.node.span_of_words(source, wanted)
        };
        assert_eq!(shown(&[key("long")], words("zwei")), "zwei");
        assert_eq!(shown(&[key("plain")], words("drei")), "drei");
        assert_eq!(shown(&[key("plain")], words("e")), "e");
        assert_eq!(shown(&[key("long")], words("ei")), "none", "twice");
        assert_eq!(shown(&[key("plain")], words("")), "none");
        assert_eq!(shown(&[key("2")], words("ein")), "none", "no text");
    }
}
