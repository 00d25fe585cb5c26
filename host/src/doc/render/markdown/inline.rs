//! Writes one row of text as Markdown: escapes first, then the marks of the styles.
//!
//! A mark counts only beside the right neighbours (CommonMark, "left-flanking"). If a style begins or ends inside a
//! word with a sign, a space is inserted, so that the style is not lost.

use crate::doc::Style;
use crate::doc::gated_rows::{Piece, Row, push_text};
use crate::doc::render::node::Cell;

/// The differences between dialects of Markdown.
#[derive(Clone, Copy)]
pub(in crate::doc::render) struct Dialect {
    /// Escapes a gated text.
    pub(in crate::doc::render) escape: fn(&str) -> String,
    /// Writes a code span; nothing if it cannot hold the text.
    pub(in crate::doc::render) code: fn(&str) -> Option<String>,
}

const COMMON: Dialect = Dialect {
    escape,
    code: |text| Some(code_span(text)),
};

/// The dialect of a cell. A bar or a backslash inside a code span would end the cell, so that text is written plainly.
const IN_CELL: Dialect = Dialect {
    escape,
    code: |text| (!text.contains(['|', '\\'])).then(|| code_span(text)),
};

/// Returns a row as Markdown without spaces at its ends. The result is not safe at the start of a block, see
/// [`escape_line_start`].
pub(super) fn inline_markup(row: &Row) -> String {
    row_in_dialect(row, COMMON)
}

/// Returns the text of a table cell.
pub(super) fn cell_markup(cell: &Cell) -> String {
    let rows: Vec<String> = cell
        .iter()
        .map(|row| row_in_dialect(row, IN_CELL))
        .collect();
    rows.join("<br>")
}

/// Returns inline text made safe for the start of a line, where more signs have a meaning.
pub(in crate::doc::render) fn escape_line_start(text: String) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let at = match text.as_bytes().get(digits) {
        Some(b'-' | b'+' | b'=' | b':') if digits == 0 => 0,
        Some(b'.' | b')') if digits > 0 => digits,
        Some(_) | None => return text,
    };
    let (before, after) = text.split_at(at);
    format!("{before}\\{after}")
}

/// Returns the length of the longest run of backticks.
pub(in crate::doc::render) fn longest_ticks(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// Returns a row as a dialect of Markdown, without spaces at its ends.
pub(in crate::doc::render) fn row_in_dialect(row: &Row, dialect: Dialect) -> String {
    let row = &merge_pieces(row, dialect);
    let mut out = String::new();
    let mut before = "";
    for (at, piece) in row.iter().enumerate() {
        let mark = style_mark(piece.style);
        let core = piece.text.trim();
        if let Some(code) = code_of_piece(piece, dialect) {
            out.push_str(&code);
            before = "`";
            continue;
        }
        if mark.is_empty() || core.is_empty() {
            out.push_str(&(dialect.escape)(&piece.text));
            before = "";
            continue;
        }
        let (lead, trail) = split_outer_spaces(&piece.text);
        out.push_str(lead);
        let core = (dialect.escape)(core);
        let clashes = lead.is_empty() && marks_clash(before, mark);
        if clashes || (lead.is_empty() && opening_needs_space(&out, &core)) {
            out.push(' ');
        }
        out.push_str(mark);
        out.push_str(&core);
        out.push_str(mark);
        let next = row.get(at + 1);
        if trail.is_empty() && next.is_some_and(|next| closing_needs_space(&core, next)) {
            out.push(' ');
        }
        out.push_str(trail);
        before = if trail.is_empty() { mark } else { "" };
    }
    out.trim().to_owned()
}

/// Returns the row with neighbours joined if no mark is written between them: they are escaped as one text.
fn merge_pieces(row: &Row, dialect: Dialect) -> Row {
    let mut out = Row::new();
    for piece in row {
        let is_marked = !style_mark(piece.style).is_empty() && !piece.text.trim().is_empty();
        let style = if is_marked || code_of_piece(piece, dialect).is_some() {
            piece.style
        } else {
            Style::Plain
        };
        push_text(&mut out, &piece.text, style);
    }
    out
}

fn style_mark(style: Style) -> &'static str {
    match style {
        Style::Strong => "**",
        Style::Emphasis => "*",
        Style::Strike => "~~",
        Style::Plain
        | Style::Code
        | Style::Muted
        | Style::Good
        | Style::Warn
        | Style::Bad
        | Style::LogLine => "",
    }
}

fn code_of_piece(piece: &Piece, dialect: Dialect) -> Option<String> {
    let is_code = piece.style == Style::Code && !piece.text.trim().is_empty();
    is_code.then(|| (dialect.code)(&piece.text)).flatten()
}

pub(in crate::doc::render) fn code_span(text: &str) -> String {
    let ticks = "`".repeat(longest_ticks(text) + 1);
    let touches = text.starts_with('`') || text.ends_with('`');
    let trimmed = text.starts_with(' ') && text.ends_with(' ');
    let blank = if touches || trimmed { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

fn split_outer_spaces(text: &str) -> (&str, &str) {
    let lead = text.len() - text.trim_start().len();
    let trail = text.trim_end().len();
    (&text[..lead], &text[trail..])
}

/// Returns whether two marks would be read as one longer mark: both have the same sign.
fn marks_clash(before: &str, mark: &str) -> bool {
    !before.is_empty() && before.chars().next() == mark.chars().next()
}

/// Returns whether an opening mark needs a space. A mark does not open between a letter and a sign.
fn opening_needs_space(out: &str, core: &str) -> bool {
    let outside = out.chars().next_back();
    let inside = core.chars().next();
    outside.is_some_and(is_wordlike) && inside.is_some_and(is_sign)
}

/// Returns whether a closing mark needs a space. A mark does not close between a sign and a letter.
fn closing_needs_space(core: &str, next: &Piece) -> bool {
    let inside = core.chars().next_back();
    let outside = next.text.chars().next();
    let marked = !style_mark(next.style).is_empty() || next.style == Style::Code;
    !marked && inside.is_some_and(is_sign) && outside.is_some_and(is_wordlike)
}

/// Returns whether a character may count as punctuation.
fn is_sign(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Returns whether a character may count as part of a word.
fn is_wordlike(c: char) -> bool {
    !c.is_whitespace() && !c.is_ascii_punctuation()
}

/// Returns a gated text with every sign escaped that Markdown reads.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '$' => {
                out.extend(['\\', c]);
            }
            ':' | '.' if makes_bare_link(text, at) => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Returns whether a colon or point makes a bare address a link.
fn makes_bare_link(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let www = before
        .len()
        .checked_sub(3)
        .and_then(|from| before.get(from..));
    after.starts_with("://")
        || (after.starts_with('.') && www.is_some_and(|www| www.eq_ignore_ascii_case("www")))
}
