//! The only way from a line to a renderer: its spans gated, cut, and marked with their audience.

use super::hidden_character_gate::{
    LINE_LIMIT, cut_mark, escape_hidden, gate_single_line, kept_byte_count,
};
use super::{Audience, Line, Style};

/// Most lines from the line breaks of one text; further ones are counted, not shown.
const BREAKS: usize = 500;

/// Characters of an audience that are shown; a name has at most 64.
const LABEL: usize = 72;

/// A gated text in one style, without line ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, gated.
    pub text: String,
    /// Its style.
    pub style: Style,
}

/// Pieces side by side; neighbours differ in style and none is empty.
pub type Row = Vec<Piece>;

/// Returns the line as rows, one more than it has line breaks; an empty line is one empty row.
pub(super) fn gated_rows(line: &Line) -> Vec<Row> {
    let mut rows = vec![Row::new()];
    for span in &line.0 {
        let text = match &span.audience {
            Some(audience) if *audience != Audience::Public => {
                mark_with_audience(audience, &span.text)
            }
            Some(_) | None => span.text.clone(),
        };
        for (at, part) in escape_hidden(&text).split('\n').enumerate() {
            if at > 0 {
                rows.push(Row::new());
            }
            let row = rows.last_mut().expect("invariant: there is a row");
            push_text(row, part, span.style);
        }
    }
    if rows.len() > BREAKS {
        let more = format!("…[+{} lines]", rows.len() - BREAKS);
        rows.truncate(BREAKS);
        rows.push(vec![host_piece(&more, Style::Muted)]);
    }
    rows.into_iter().map(cut_long_row).collect()
}

/// Marks a text with its audience. Its leading spaces stay outside, to separate it from the text before.
fn mark_with_audience(audience: &Audience, text: &str) -> String {
    let rest = text.trim_start_matches([' ', '\t']);
    let blanks = &text[..text.len() - rest.len()];
    format!("{blanks}[{}: {rest}]", audience_label(audience))
}

/// Returns the line as one row; line breaks become spaces.
pub(super) fn gated_single_row(line: &Line) -> Row {
    join_rows(gated_rows(line))
}

/// Joins rows into one, with a space between them.
pub(super) fn join_rows(rows: Vec<Row>) -> Row {
    let mut all = Row::new();
    for (at, row) in rows.into_iter().enumerate() {
        if at > 0 {
            push_text(&mut all, " ", Style::Plain);
        }
        append_row(&mut all, row);
    }
    cut_long_row(all)
}

/// Returns the gated name of an audience; the end of a long name is cut.
pub fn audience_label(audience: &Audience) -> String {
    let words = audience.to_string();
    let words = gate_single_line(&words);
    let short: String = words.chars().take(LABEL).collect();
    let more = if short.len() < words.len() { "…" } else { "" };
    short + more
}

/// Returns a piece of text of the host, which needs no gate.
pub(super) fn host_piece(text: &str, style: Style) -> Piece {
    Piece {
        text: text.to_owned(),
        style,
    }
}

/// Appends text; to the last piece, if that piece has the same style.
pub(super) fn push_text(row: &mut Row, text: &str, style: Style) {
    match row.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.style == style => last.text.push_str(text),
        Some(_) | None => row.push(host_piece(text, style)),
    }
}

/// Appends all pieces of a row.
pub(super) fn append_row(row: &mut Row, more: Row) {
    for Piece { text, style } in more {
        push_text(row, &text, style);
    }
}

fn cut_long_row(row: Row) -> Row {
    let length = |row: &Row| row.iter().map(|piece| piece.text.len()).sum::<usize>();
    let whole = length(&row);
    if whole <= LINE_LIMIT {
        return row;
    }
    let mut kept = Row::new();
    for Piece { text, style } in row {
        let room = LINE_LIMIT - length(&kept);
        let end = kept_byte_count(&text, room).min(text.len());
        push_text(&mut kept, &text[..end], style);
        if end < text.len() {
            break;
        }
    }
    let mark = cut_mark(whole - length(&kept));
    push_text(&mut kept, &mark, Style::Muted);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{line, strong, text as plain};

    fn text(row: &Row) -> String {
        row.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn a_limited_span_names_its_audience() {
        let secret = plain("a\x1bspy").for_audience(Audience::Group("a\nb".into()));
        let rows = gated_rows(&line([strong("Ann "), secret, plain("")]));
        assert_eq!(text(&rows[0]), "Ann [group:a\\x0ab: a\\x1bspy]");
        assert_eq!(rows[0].len(), 2);
    }

    #[test]
    fn the_blanks_before_a_limited_span_stand_outside_of_its_mark() {
        let limited = |text: &str| plain(text).for_audience(Audience::Gm);
        let row = gated_single_row(&line([
            plain("a"),
            limited("  4.1 "),
            limited(" "),
            limited("\tc"),
            plain(": b"),
        ]));
        assert_eq!(text(&row), "a  [gm: 4.1 ] [gm: ]    [gm: c]: b");
    }

    #[test]
    fn long_lines_and_many_lines_are_cut() {
        let half = "x".repeat(3000);
        let row = gated_single_row(&line([plain(&half), strong(&half)]));
        assert!(text(&row).len() <= LINE_LIMIT);
        assert_eq!(row[2].text, "…[+1944 bytes]");
        let many = gated_rows(&Line::from("\n".repeat(BREAKS + 9)));
        assert_eq!(many.len(), BREAKS + 1);
        assert_eq!(text(&many[BREAKS]), "…[+10 lines]");
    }
}
