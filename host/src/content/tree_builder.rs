//! Builds the tree of a content file from the events of a parser, within the limits.
//!
//! In: openings, closings and scalars in the order of the source. Out: a tree without duplicate keys, and a finding for
//! each part that was left out. This module does not depend on a file format, and it does not recurse.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::findings::Findings;
use super::name::hidden_characters;
use super::node::{Entry, Kind, Node, shortened};
use crate::diag::{Diagnostic, Source, Span};
use crate::value::Text;

/// The size limits of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Bytes of text.
    pub bytes: usize,
    /// Lists and maps inside each other.
    pub depth: usize,
    /// Values and keys.
    pub nodes: usize,
}

impl TreeLimits {
    /// A file of a mod.
    pub const CONTENT: TreeLimits = TreeLimits {
        bytes: 256 << 10,
        depth: 32,
        nodes: 50_000,
    };

    /// A data file that a user names.
    pub const DATA: TreeLimits = TreeLimits {
        bytes: 8 << 20,
        depth: 32,
        nodes: 1_000_000,
    };

    /// Returns the finding about a text that is too long, if it is.
    pub(super) fn size_finding(&self, source: &Arc<Source>) -> Option<Diagnostic> {
        let length = source.text().len();
        (length > self.bytes).then(|| {
            let message = format!(
                "the file has {length} bytes, more than the {} allowed",
                self.bytes
            );
            Diagnostic::error("limit/size", message)
                .at(source, Span::default())
                .hint("split the file")
        })
    }
}

/// A list or map that is still open.
enum Open {
    List {
        start: usize,
        items: Vec<Node>,
    },
    Map {
        start: usize,
        entries: Vec<Entry>,
        seen: BTreeMap<Text, Span>,
        pending: Pending,
    },
}

/// The next part that a map expects.
enum Pending {
    Key,
    Value(Text, Span),
    /// The value of a key that was refused.
    Refused,
}

/// A tree under construction.
pub(super) struct Builder<'a> {
    source: &'a Arc<Source>,
    limits: TreeLimits,
    pub(super) findings: Findings,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
    /// Open levels inside a part that is left out.
    skipped: usize,
    told_depth: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(source: &'a Arc<Source>, limits: TreeLimits) -> Builder<'a> {
        Builder {
            source,
            limits,
            findings: Findings::default(),
            open: Vec::new(),
            root: None,
            nodes: 0,
            skipped: 0,
            told_depth: false,
        }
    }

    /// Adds a finding at a place of the source.
    pub(super) fn add_finding(&mut self, span: Span, finding: Diagnostic) {
        self.findings.push(finding.at(self.source, span));
    }

    /// Returns whether the next scalar or opening is a key.
    pub(super) fn expects_key(&self) -> bool {
        self.skipped == 0
            && matches!(
                self.open.last(),
                Some(Open::Map {
                    pending: Pending::Key,
                    ..
                })
            )
    }

    /// Counts one node. Returns false, with a finding, if there are too many: then the reading ends.
    pub(super) fn count_node(&mut self, span: Span) -> bool {
        self.nodes += 1;
        if self.nodes == self.limits.nodes + 1 {
            let message = format!(
                "the file holds more than {} values and keys",
                self.limits.nodes
            );
            self.add_finding(
                span,
                Diagnostic::error("limit/size", message).hint("split the file"),
            );
        }
        self.nodes <= self.limits.nodes
    }

    /// Opens a list.
    pub(super) fn open_list(&mut self, span: Span) {
        if self.accept_opening(span) {
            self.open.push(Open::List {
                start: span.start,
                items: Vec::new(),
            });
        }
    }

    /// Opens a map.
    pub(super) fn open_map(&mut self, span: Span) {
        if self.accept_opening(span) {
            let (entries, seen) = (Vec::new(), BTreeMap::new());
            self.open.push(Open::Map {
                start: span.start,
                entries,
                seen,
                pending: Pending::Key,
            });
        }
    }

    fn accept_opening(&mut self, span: Span) -> bool {
        if self.expects_key() {
            let finding =
                Diagnostic::error("content/key", "a key must be a text, found a list or a map");
            self.add_finding(span, finding.hint("write a text before the colon"));
        } else if self.skipped == 0 && self.open.len() < self.limits.depth {
            return true;
        } else if self.skipped == 0 && !self.told_depth {
            self.told_depth = true;
            let message = format!(
                "lists and maps are nested more than {} levels deep",
                self.limits.depth
            );
            self.add_finding(
                span,
                Diagnostic::error("limit/depth", message).hint("use fewer levels"),
            );
        }
        self.skipped += 1;
        false
    }

    /// Closes the innermost list or map; without an `end` it ends where its last part ends.
    pub(super) fn close_collection(&mut self, end: Option<usize>) {
        if self.skipped > 0 {
            self.skipped -= 1;
            if self.skipped == 0 {
                self.note_left_out_collection();
            }
            return;
        }
        let Some(open) = self.open.pop() else { return };
        let (start, last, kind) = match open {
            Open::List { start, items, .. } => (
                start,
                items.last().map(|node| node.span.end),
                Kind::List(items),
            ),
            Open::Map { start, entries, .. } => {
                let last = entries
                    .last()
                    .map(|entry| entry.node.span.end.max(entry.key_span.end));
                (start, last, Kind::Map(entries))
            }
        };
        let end = end.or(last).unwrap_or(start).max(start);
        self.put_node(Node::new(Span::new(start, end), kind));
    }

    /// Notes that a collection was left out as a key or value.
    fn note_left_out_collection(&mut self) {
        match self.open.last_mut() {
            Some(Open::Map { pending, .. }) => {
                let was_key = matches!(pending, Pending::Key);
                *pending = if was_key {
                    Pending::Refused
                } else {
                    Pending::Key
                };
            }
            Some(Open::List { .. }) | None => {}
        }
    }

    /// Adds a key.
    pub(super) fn add_key(&mut self, text: &str, span: Span) {
        let Some(Open::Map { seen, pending, .. }) = self.open.last_mut() else {
            return;
        };
        let key: Text = text.into();
        if let Some(first) = seen.get(&key) {
            let line = self.source.position(first.start).line;
            let message = format!(
                "the key {:?} occurs twice, first in line {line}",
                shortened(text)
            );
            *pending = Pending::Refused;
            let finding = Diagnostic::error("content/duplicate-key", message);
            self.add_finding(span, finding.hint("keep one of the two, or rename one"));
            return;
        }
        seen.insert(Arc::clone(&key), span);
        *pending = Pending::Value(key, span);
        self.check_hidden_characters(text, span);
    }

    /// Refuses a key after its finding was made; its value is left out.
    pub(super) fn skip_refused_key(&mut self) {
        if let Some(Open::Map { pending, .. }) = self.open.last_mut() {
            *pending = Pending::Refused;
        }
    }

    /// Adds a scalar value; with an empty span it gets the place of its key.
    pub(super) fn add_value(&mut self, mut node: Node) {
        if self.skipped > 0 {
            return;
        }
        if let Some(Open::Map {
            pending: Pending::Value(_, key),
            ..
        }) = self.open.last()
            && node.span.start == node.span.end
        {
            node.span = *key;
        }
        if let Kind::Text(text) = &node.kind {
            self.check_hidden_characters(text, node.span);
        }
        self.put_node(node);
    }

    fn put_node(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = self.root.take().or(Some(node)),
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Map {
                entries, pending, ..
            }) => {
                if let Pending::Value(key, key_span) = std::mem::replace(pending, Pending::Key) {
                    entries.push(Entry {
                        key,
                        key_span,
                        node,
                    });
                }
            }
        }
    }

    /// Reports characters that an escape may have produced.
    fn check_hidden_characters(&mut self, text: &str, span: Span) {
        if let Some((_, bad)) = hidden_characters(text).next() {
            let message = format!("the text contains the character U+{:04X}", u32::from(bad));
            let finding = Diagnostic::error("content/character", message);
            self.add_finding(span, finding.hint("remove the character: it is invisible"));
        }
    }

    /// Returns the tree, or nil for an empty file.
    pub(super) fn finish(self) -> (Node, Vec<Diagnostic>) {
        let root = self.root.unwrap_or(Node::new(Span::default(), Kind::Nil));
        (root, self.findings.into_vec())
    }
}
