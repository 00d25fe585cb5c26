//! Reads JSON into the same tree as YAML, with places.
//!
//! `serde_json` decides whether a text is JSON and decodes the strings. This module only walks over a text that is
//! known to be well formed, because the crate gives no places of values. Numbers are read from their digits.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::de::IgnoredAny;

use super::node::{Kind, Node, shortened};
use super::scalar::exact_number;
use super::tree_builder::{Builder, TreeLimits};
use crate::diag::{Diagnostic, Position, Source, Span};
use crate::value::Number;

/// Reads a JSON text. The result is as for YAML.
pub fn read_json(source: &Arc<Source>, limits: TreeLimits) -> (Option<Node>, Vec<Diagnostic>) {
    if let Some(finding) = limits.size_finding(source) {
        return (None, vec![finding]);
    }
    if let Err(error) = serde_json::from_str::<IgnoredAny>(source.text()) {
        return (None, vec![syntax_error(source, &error)]);
    }
    let mut tree = Builder::new(source, limits);
    let whole = build_tree(source.text(), &mut tree);
    let (root, findings) = tree.finish();
    (whole.then_some(root), findings)
}

/// Walks over well-formed JSON. Returns false if a limit ended the reading.
fn build_tree(text: &str, tree: &mut Builder<'_>) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let length = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b']' | b'}' | b'[' | b'{' => 1,
            b'"' => string_length(&bytes[at..]),
            _ => bytes[at..]
                .iter()
                .take_while(|c| !b" \t\n\r,:]}".contains(c))
                .count()
                .max(1),
        };
        let span = Span::new(at, at + length);
        let token = &text[at..at + length];
        at += length;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => continue,
            b']' | b'}' => {
                tree.close_collection(Some(at));
                continue;
            }
            _ => {}
        }
        if !tree.count_node(span) {
            return false;
        }
        match byte {
            b'[' => tree.open_list(span),
            b'{' => tree.open_map(span),
            b'"' => add_string(token, span, tree),
            _ => {
                let kind = kind_of_bare_token(token, span, tree);
                tree.add_value(Node::new(span, kind));
            }
        }
    }
    true
}

/// Returns the length of the text in quotes that begins here.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn add_string(token: &str, span: Span, tree: &mut Builder<'_>) {
    let decoded = serde_json::from_str::<String>(token).unwrap_or_else(|_| {
        let finding = Diagnostic::error(
            "content/character",
            "the text contains half of a surrogate pair",
        );
        tree.add_finding(
            span,
            finding.hint("write both halves, or the character itself"),
        );
        String::new()
    });
    if !tree.expects_key() {
        tree.add_value(Node::new(span, Kind::Text(decoded.into())));
    } else if decoded.is_empty() {
        tree.add_finding(
            span,
            Diagnostic::error("content/key", "a key is empty")
                .hint("write a text before the colon"),
        );
        tree.skip_refused_key();
    } else {
        tree.add_key(&decoded, span);
    }
}

fn kind_of_bare_token(token: &str, span: Span, tree: &mut Builder<'_>) -> Kind {
    match token {
        "null" => Kind::Nil,
        "true" => Kind::Bool(true),
        "false" => Kind::Bool(false),
        digits => match exact_number(digits) {
            Ok(number) => Kind::Number(number, digits.into()),
            Err(fault) => {
                let message = format!("{fault}, found {}", shortened(digits));
                let finding = Diagnostic::error("content/number", message);
                tree.add_finding(
                    span,
                    finding.hint("write a number that fits, or a text in quotes"),
                );
                Kind::Number(Number::ZERO, digits.into())
            }
        },
    }
}

fn syntax_error(source: &Arc<Source>, error: &serde_json::Error) -> Diagnostic {
    // Columns of the crate count bytes; a column of 0 means the end of the line before.
    let start = source.offset(Position {
        line: error.line(),
        column: 1,
    });
    let column = source.position(start + error.column().saturating_sub(1));
    let at = source.offset(column);
    let length = source.text()[at..]
        .chars()
        .next()
        .filter(|c| *c != '\n')
        .map_or(0, char::len_utf8);
    let span = Span::new(at, at + length);
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or_default();
    Diagnostic::error("content/json", format!("this is not valid JSON: {reason}"))
        .at(source, span)
        .hint("JSON has keys and texts in double quotes, no comments, and no comma before a closing bracket")
}
