//! Writes one row of text as reStructuredText: escapes first, then the marks of the styles.
//!
//! A mark counts only between spaces or signs. So each mark has an escaped space (`\ `), which is not shown, on both
//! sides.

use crate::doc::Style;
use crate::doc::gated_rows::{Piece, Row, push_text};

/// Returns a row without spaces at its ends. The result is not safe at the start of a block, see [`escape_line_start`].
pub(super) fn inline_markup(row: &Row) -> String {
    let mut out = String::new();
    let mut after_mark = false;
    for piece in &merge_pieces(row) {
        let core = piece.text.trim();
        let marked = piece_with_marks(piece, core);
        let touches = !out.is_empty() && !out.ends_with(' ') && !piece.text.starts_with(' ');
        if touches && (after_mark || marked.is_some()) {
            out.push_str("\\ ");
        }
        after_mark = marked.is_some();
        let text = marked.unwrap_or_else(|| escape_text(core));
        let lead = piece.text.len() - piece.text.trim_start().len();
        let trail = &piece.text[lead..][core.len()..];
        out.extend([&piece.text[..lead], &text, trail]);
    }
    out.trim().to_owned()
}

/// Returns inline text made safe for the start of a line, where more signs have a meaning.
pub(super) fn escape_line_start(text: String) -> String {
    let first = text.chars().next();
    let is_sign = |c: char| c.is_ascii_punctuation() && c != '\\' && c != '*' && c != '`';
    let is_bullet = |c: char| matches!(c, '•' | '‣' | '⁃');
    if !text.is_empty() && text.bytes().all(|byte| byte == b'\\') {
        // A line of one repeated sign would be part of a title.
        return format!("\\ {text}");
    }
    let is_read = first.is_some_and(|c| is_sign(c) || is_bullet(c)) || is_enumerator(&text);
    if is_read { format!("\\{text}") } else { text }
}

/// Returns whether a text begins with the number of an item: `12.`, `b)`, `iv.`
fn is_enumerator(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    let Some(number) = word.strip_suffix(['.', ')']) else {
        return false;
    };
    let is_roman = |c: char| "ivxlcdm".contains(c.to_ascii_lowercase());
    let all = |is: fn(char) -> bool| number.chars().all(is);
    // The mark of a style is no number: `*. a*`.
    !number.is_empty()
        && (all(char::is_numeric)
            || number.chars().all(is_roman)
            || number.chars().count() == 1 && all(char::is_alphanumeric))
}

/// Returns the row with neighbours joined if no mark is written between them: they are escaped as one text.
fn merge_pieces(row: &Row) -> Row {
    let mut out = Row::new();
    for piece in row {
        let is_marked = piece_with_marks(piece, piece.text.trim()).is_some();
        let style = if is_marked { piece.style } else { Style::Plain };
        push_text(&mut out, &piece.text, style);
    }
    out
}

/// Returns a piece with its marks; nothing if it has none.
fn piece_with_marks(piece: &Piece, core: &str) -> Option<String> {
    if core.is_empty() {
        return None;
    }
    match piece.style {
        Style::Strong => Some(format!("**{}**", escape_text(core))),
        Style::Emphasis => Some(format!("*{}*", escape_text(core))),
        // Inside of a literal nothing is escaped: text that could end the literal is written plainly.
        Style::Code => (!core.contains(['`', '\\'])).then(|| format!("``{core}``")),
        Style::Strike => Some(format!("~~{}~~", escape_text(core))),
        Style::Plain | Style::Muted | Style::Good | Style::Warn | Style::Bad | Style::LogLine => {
            None
        }
    }
}

/// Returns a gated text with every sign escaped that the language reads inside of a line.
///
/// Colons before spaces are not escaped: there they do not end a role, an address or a literal.
fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        let is_read = match c {
            '\\' | '*' | '`' | '|' | '_' | '@' | '<' | '>' | '[' | ']' => true,
            ':' => next.is_some_and(|next| next != ' '),
            _ => false,
        };
        if is_read {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
