//! Makes findings safe to show: every text of authors and players in them passes the gate.
//!
//! In: a finding as created. Out: text in the look of the compiler, or one line of JSON. The carets are still below the
//! same words, although hidden characters before them are written out.

use std::borrow::Cow;

use host::diag::{Diagnostic, Place, Source, Span, render};
use host::doc::{LINE_LIMIT, gate, gate_single_line};

/// Returns the finding as a person reads it, without a final line end.
pub(crate) fn finding_text(finding: &Diagnostic, color: bool) -> String {
    render(&gate_finding(finding), color)
}

/// Returns a JSON value on one line; hidden characters inside its texts are JSON escapes.
pub(crate) fn json_line(value: &serde_json::Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        let mut buffer = [0; 4];
        let alone: &str = c.encode_utf8(&mut buffer);
        if c == '\t' || gate(alone) == alone {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

/// Returns the finding with gated texts.
fn gate_finding(finding: &Diagnostic) -> Diagnostic {
    let word = |text: &String| gate_single_line(text).into_owned();
    let place = finding.place.as_ref().map(gated_place);
    Diagnostic {
        code: Cow::Owned(gate_single_line(&finding.code).into_owned()),
        severity: finding.severity,
        message: gate(&finding.message).into_owned(),
        hints: finding
            .hints
            .iter()
            .map(|hint| gate(hint).into_owned())
            .collect(),
        place,
        trace: finding.trace.iter().map(word).collect(),
        fix: None,
        advice: None,
        record: None,
    }
}

/// Returns the place in a text that holds only the covered lines, gated. The lines before it are empty, so that line
/// numbers stay.
fn gated_place(place: &Place) -> Place {
    let source = &place.source;
    let (start, end) = (
        source.position(place.span.start),
        source.position(place.span.end),
    );
    let name = gate_single_line(source.name()).into_owned();
    if source.text().is_empty() {
        return Place {
            source: Source::new(name, ""),
            span: Span::default(),
        };
    }
    let lines: Vec<&str> = source
        .text()
        .split('\n')
        .skip(start.line - 1)
        .take(end.line + 1 - start.line)
        .collect();
    let mut text = "\n".repeat(start.line - 1);
    let (mut from, mut to) = (text.len(), text.len());
    for (index, line) in lines.iter().enumerate() {
        let at = text.len();
        if index == 0 {
            from = at + gated_length(line, start.column);
        }
        if index + 1 == lines.len() {
            to = at + gated_length(line, end.column);
        }
        text.push_str(&gated_line(line));
        text.push('\n');
    }
    Place {
        source: Source::new(name, text),
        span: Span::new(from, to.max(from)),
    }
}

/// Returns the bytes that the text before a column takes once it is gated.
fn gated_length(line: &str, column: usize) -> usize {
    let end = line
        .char_indices()
        .nth(column - 1)
        .map_or(line.len(), |(at, _)| at);
    gated_line(&line[..end]).len().min(gated_line(line).len())
}

/// Gates a line except its tabs, because the renderer widens tabs itself.
fn gated_line(line: &str) -> String {
    let parts: Vec<Cow<'_, str>> = line.split('\t').map(gate_single_line).collect();
    let mut line = parts.join("\t");
    line.truncate(line.floor_char_boundary(LINE_LIMIT));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(text: &str, word: &str) -> Diagnostic {
        let source = Source::new("a.luau", text);
        let at = source.text().find(word).unwrap();
        Diagnostic::error("script/error", "no").at(&source, Span::new(at, at + word.len()))
    }

    #[test]
    fn carets_stay_below_their_word_when_the_line_hides_something() {
        let text = finding_text(&finding("first\n\u{202e}x bad \x1b[2J\nlast", "bad"), false);
        let expected = "error[script/error]: no\n --> a.luau:2:12\n  |\n2 | \\u{202e}x bad \\x1b[2J\n  |           ^^^";
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[3], expected.lines().nth(3).unwrap());
        assert_eq!(lines[4].find("^^^"), lines[3].find("bad"));
        assert!(lines[1].starts_with(" --> a.luau:2:"));
    }

    #[test]
    fn a_span_over_several_lines_and_one_behind_the_end_can_be_shown() {
        let source = Source::new("a.luau", "one\ntwo\nthree");
        for span in [
            Span::new(1, 9),
            Span::new(0, 13),
            Span::new(13, 13),
            Span::new(50, 90),
        ] {
            let text = finding_text(&Diagnostic::warning("a/b", "no").at(&source, span), false);
            assert!(text.contains("a.luau:"), "{text}");
        }
    }

    #[test]
    fn hidden_characters_are_gone_from_every_text() {
        let mut bad = finding("x\x1b", "x").hint("\u{200b}hint");
        bad.message = "\x1b[31mred\u{9b}".to_owned();
        bad.trace = vec!["a\nb".to_owned()];
        let text = finding_text(&bad, false);
        assert!(
            text.chars()
                .all(|c| c == '\n' || !c.is_control() && c != '\u{200b}'),
            "{text}"
        );
        let line = json_line(&bad.to_error_json());
        assert!(
            line.contains("\\u001b[31mred\\u009b") && line.contains("\\u200bhint"),
            "{line}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&line).unwrap(),
            bad.to_error_json()
        );
    }
}
