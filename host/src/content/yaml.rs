//! Reads YAML into a tree with places. No other module uses the YAML crate.
//!
//! The subset: one document; no anchors, aliases, merge keys, tags or directives; keys are texts, unique in their map;
//! bare words follow the scalar rules of this layer. A syntax error ends the reading of the file. Every other error is
//! a finding beside the tree.

mod hint;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_yaml::granit_parser::{
    Event, Marker, Parser, ScalarStyle, ScanError, Span as Range, StructureStyle, options,
};

use super::node::{Kind, Node, shortened};
use super::scalar::{Bare, read_bare_word};
use super::tree_builder::{Builder, TreeLimits};
use crate::diag::{Diagnostic, Source, Span, apply_fixes};
use crate::value::Number;

/// Whether the reading continues.
type Go = Result<(), Option<Diagnostic>>;

/// Reads a YAML text.
///
/// Out: all findings and the tree. There is no tree after a syntax error or a passed limit. A tree with error findings
/// lacks the refused parts.
pub fn read_yaml(source: &Arc<Source>, limits: TreeLimits) -> (Option<Node>, Vec<Diagnostic>) {
    if let Some(finding) = limits.size_finding(source) {
        return (None, vec![finding]);
    }
    let mut reader = Reader {
        source,
        tree: Builder::new(source, limits),
        styles: Vec::new(),
        documents: 0,
    };
    let options = options! {
        disallow_directives: true, emit_unresolved_aliases: true, emit_anchor_events: true, emit_comments: false,
    };
    for event in Parser::new_from_str_with_options(source.text(), options) {
        let step = match event {
            Ok((event, range)) => reader.take_event(event, range),
            Err(error) => Err(Some(syntax_error(source, &error))),
        };
        if let Err(last) = step {
            reader.tree.findings.extend(last);
            return (None, reader.tree.finish().1);
        }
    }
    let (root, findings) = reader.tree.finish();
    (Some(root), findings)
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    tree: Builder<'a>,
    /// The notations of the open lists and maps.
    styles: Vec<StructureStyle>,
    documents: usize,
}

impl Reader<'_> {
    /// Takes one event; a passed limit or a second document ends the reading.
    fn take_event(&mut self, event: Event<'_>, range: Range) -> Go {
        let span = self.event_span(range);
        match event {
            Event::DocumentStart(..) => return self.begin_document(span),
            Event::Anchor(_, name) => self.refuse_anchor(span, &name),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.count_node(span)?;
                self.refuse_alias(span);
            }
            Event::Scalar(text, style, _, tag) => {
                self.refuse_tag(tag.is_some(), range);
                self.count_node(span)?;
                self.add_scalar(&text, style, span);
            }
            Event::SequenceStart(style, _, tag) => {
                self.refuse_tag(tag.is_some(), range);
                self.count_node(span)?;
                self.styles.push(style);
                self.tree.open_list(span);
            }
            Event::MappingStart(style, _, tag) => {
                self.refuse_tag(tag.is_some(), range);
                self.count_node(span)?;
                self.styles.push(style);
                self.tree.open_map(span);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                // The end event of a block is at the start of the next event.
                let flow = self.styles.pop() == Some(StructureStyle::Flow);
                self.tree.close_collection(flow.then_some(span.end));
            }
            // Start and end of the stream and document; comments are not requested.
            _ => {}
        }
        Ok(())
    }

    fn begin_document(&mut self, span: Span) -> Go {
        self.documents += 1;
        if self.documents == 1 {
            return Ok(());
        }
        let finding =
            Diagnostic::error("content/documents", "a second document begins in this file")
                .at(self.source, span)
                .hint("remove the line `---`, or move what follows to another file");
        Err(Some(finding))
    }

    fn count_node(&mut self, span: Span) -> Go {
        if self.tree.count_node(span) {
            Ok(())
        } else {
            Err(None)
        }
    }

    fn add_scalar(&mut self, text: &str, style: ScalarStyle, span: Span) {
        let plain = style == ScalarStyle::Plain;
        if self.tree.expects_key() {
            return self.add_key(text, plain, span);
        }
        let kind = if plain {
            self.value_of_bare_word(text, span)
        } else {
            Kind::Text(text.into())
        };
        self.tree.add_value(Node::new(span, kind));
    }

    fn add_key(&mut self, text: &str, plain: bool, span: Span) {
        if plain && text == "<<" {
            let finding =
                Diagnostic::error("content/merge-key", "the merge key `<<` is not supported");
            self.tree
                .add_finding(span, finding.hint("write out the keys of the other map"));
            self.tree.skip_refused_key();
        } else if text.is_empty() {
            let finding = Diagnostic::error("content/key", "a key is empty");
            self.tree
                .add_finding(span, finding.hint("write a text before the colon"));
            self.tree.skip_refused_key();
        } else {
            self.tree.add_key(text, span);
        }
    }

    fn value_of_bare_word(&mut self, text: &str, span: Span) -> Kind {
        match read_bare_word(text) {
            Bare::Nil => Kind::Nil,
            Bare::Bool(value) => Kind::Bool(value),
            Bare::Number(number) => Kind::Number(number, text.into()),
            Bare::Text => Kind::Text(text.into()),
            Bare::Doubtful(instead) => {
                let message = format!("the unquoted word {text} is a text here, not {instead}");
                let hint = format!("write {instead}, or \"{text}\" in quotes if it is a text");
                self.tree.add_finding(
                    span,
                    Diagnostic::warning("content/bare-word", message).hint(hint),
                );
                Kind::Text(text.into())
            }
            Bare::Refused(message, hint) => {
                self.tree.add_finding(
                    span,
                    Diagnostic::error("content/number", message).hint(hint),
                );
                Kind::Number(Number::ZERO, text.into())
            }
        }
    }

    fn refuse_anchor(&mut self, span: Span, name: &str) {
        let message = format!("the anchor &{} is not supported", shortened(name));
        let finding = Diagnostic::error("content/anchor", message).hint(
            "write out the value wherever it is used; put a text that begins with & in quotes",
        );
        self.tree.add_finding(span, finding);
    }

    fn refuse_alias(&mut self, span: Span) {
        let message = format!(
            "the alias {} is not supported",
            shortened(self.source.slice(span))
        );
        let finding = Diagnostic::error("content/alias", message)
            .hint("write out the value; put a text that begins with * in quotes");
        self.tree.add_finding(span, finding);
        if self.tree.expects_key() {
            self.tree.skip_refused_key();
        } else {
            self.tree.add_value(Node::new(span, Kind::Nil));
        }
    }

    fn refuse_tag(&mut self, tagged: bool, range: Range) {
        if tagged {
            let span = self.event_span(range.tag_span().unwrap_or(range));
            let message = format!(
                "the tag {} is not supported",
                shortened(self.source.slice(span))
            );
            let finding = Diagnostic::error("content/tag", message)
                .hint("remove the tag; put a text that begins with ! in quotes");
            self.tree.add_finding(span, finding);
        }
    }

    /// Returns the place of an event. The place of a scalar of several lines ends with its last character.
    fn event_span(&self, range: Range) -> Span {
        let start = byte_offset(self.source, range.start);
        let end = byte_offset(self.source, range.end).max(start);
        let text = self.source.slice(Span::new(start, end));
        Span::new(start, start + text.trim_end_matches(['\n', '\r']).len())
    }
}

/// Returns the byte offset of a marker.
fn byte_offset(source: &Source, marker: Marker) -> usize {
    marker
        .byte_offset()
        .unwrap_or(usize::MAX)
        .min(source.text().len())
}

fn syntax_error(source: &Arc<Source>, error: &ScanError) -> Diagnostic {
    let at = byte_offset(source, *error.marker());
    let (span, hints) = hint::explain_syntax_error(source, at);
    let message = format!("this is not valid YAML: {}", error.kind());
    let fix = hint::syntax_error_fix(source, span).filter(|fix| {
        let (mended, _) = apply_fixes(source.text(), std::slice::from_ref(fix));
        is_yaml(&mended)
    });
    hints.into_iter().fold(
        Diagnostic::error("content/yaml", message)
            .at(source, span)
            .with_fix(fix),
        Diagnostic::hint,
    )
}

fn is_yaml(text: &str) -> bool {
    Parser::new_from_str(text).all(|event| event.is_ok())
}
