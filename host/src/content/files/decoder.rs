//! Turns the bytes of a file into text.
//!
//! A byte-order mark is skipped. Every kind of line end becomes LF. NUL and characters that change the direction of
//! text are refused, so that an editor shows the same text that is read.

use std::sync::Arc;

use crate::content::findings::Findings;
use crate::content::name::hidden_characters;
use crate::diag::{Diagnostic, Source, Span};

/// Returns the text and its problems; a text with an error must not be read.
pub(super) fn decode_text(name: &str, bytes: &[u8]) -> (Arc<Source>, Vec<Diagnostic>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (text, broken) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(error) => (
            String::from_utf8_lossy(bytes).into_owned(),
            Some(error.valid_up_to()),
        ),
    };
    let before = broken.map(|at| text[..at].replace("\r\n", "\n").len());
    let text = if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text
    };
    let source = Source::new(name, text);
    let mut findings = Findings::default();
    if let Some(at) = before {
        let finding = Diagnostic::error(
            "content/encoding",
            "the file is not valid UTF-8 from here on",
        )
        .hint("save the file as UTF-8");
        findings.push(finding.at(
            &source,
            Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8()),
        ));
        return (source, findings.into_vec());
    }
    for (at, bad) in hidden_characters(source.text()) {
        if findings.skip_when_full() {
            continue;
        }
        let message = format!(
            "the file contains the invisible character U+{:04X}",
            u32::from(bad)
        );
        let finding = Diagnostic::error("content/character", message)
            .hint("remove it, or write it as an escape");
        findings.push(finding.at(&source, Span::new(at, at + bad.len_utf8())));
    }
    (source, findings.into_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_are_made_equal() {
        let (source, findings) = decode_text("a", b"\xef\xbb\xbfeins\r\nzwei\rdrei\n");
        assert_eq!(source.text(), "eins\nzwei\ndrei\n");
        assert_eq!(findings, []);
    }

    #[test]
    fn broken_text_is_found_where_it_breaks() {
        let (_, findings) = decode_text("a", b"eins\r\nzw\xff\xffi");
        let place = findings[0].place.as_ref().unwrap();
        assert_eq!(findings[0].code, "content/encoding");
        assert_eq!(place.source.position(place.span.start).column, 3);
        let (_, findings) = decode_text("a", "a\0b\u{202e}c".as_bytes());
        assert_eq!(findings.len(), 2);
        assert!(findings[1].message.contains("U+202E"));
    }
}
