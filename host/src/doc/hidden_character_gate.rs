//! The output gate: every text of a mod, a file or a user passes through it before it reaches a screen.
//!
//! In: any text. Out: text without a character that moves the cursor, hides, or reverses the reading direction. Such
//! characters become visible escapes (`\x1b`, `\u{202e}`). Decisions:
//! - a TAB becomes four spaces, CR LF becomes LF, a lone CR is escaped;
//! - the variation selectors 15 and 16 are dropped after a pictograph, where they only choose its
//!   look, and escaped elsewhere; all other selectors are escaped;
//! - combining marks stay, at most four in a row and none at the start of a line: all further marks
//!   are escaped, so that no pile of marks covers the lines around it.
//!
//! The terminal renderer alone adds the colours of the host, after the gate.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

/// The longest line that is shown, in bytes.
pub const LINE_LIMIT: usize = 4 * 1024;

/// The longest name in front of a marked line, in bytes.
const NAME_LIMIT: usize = 128;

/// Bytes kept free for the mark of a cut.
const MARK_ROOM: usize = 40;

const TAB: &str = "    ";

/// Most combining marks in a row.
const MARKS: usize = 4;

/// Returns the text without hidden characters, its lines cut at [`LINE_LIMIT`]. Idempotent.
pub fn gate(text: &str) -> Cow<'_, str> {
    match escape_hidden(text) {
        Cow::Borrowed(text) => cut_long_lines(text),
        Cow::Owned(text) => Cow::Owned(cut_long_lines(&text).into_owned()),
    }
}

/// Gates bytes; bytes that are not UTF-8 become the replacement character.
pub fn gate_bytes(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => gate(text),
        Cow::Owned(text) => Cow::Owned(gate(&text).into_owned()),
    }
}

/// Gates a text that must stay on one line, such as a name: line ends are escaped too.
pub fn gate_single_line(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        // The characters beside a line end depend on it, so they are escaped first.
        let escaped = escape_hidden(text).replace('\n', "\\x0a");
        Cow::Owned(gate(&escaped).into_owned())
    } else {
        gate(text)
    }
}

/// Gates the output of a mod and puts its name before each line: `name| text`.
pub fn gate_mod_output(name: &str, text: &str) -> String {
    let name = gate_single_line(name);
    let name = cut_line(&name, NAME_LIMIT);
    let text = escape_hidden(text);
    let room = LINE_LIMIT - name.len() - 2;
    let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n');
    let marked: Vec<String> = lines
        .map(|line| format!("{name}| {}", cut_line(line, room)))
        .collect();
    marked.join("\n")
}

/// Returns the text without hidden characters and of any length. Idempotent.
pub(super) fn escape_hidden(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte))
    {
        return Cow::Borrowed(text);
    }
    let mut escaper = Escaper::new(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_line = c == '\r' && rest.peek() == Some(&'\n');
        if !ends_line {
            escaper.push(c);
        }
    }
    if escaper.out == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(escaper.out)
    }
}

/// The state of escaping. Every decision depends only on the output so far, so the whole is idempotent.
struct Escaper {
    out: String,
    last: char,
    marks: usize,
}

impl Escaper {
    fn new(capacity: usize) -> Escaper {
        Escaper {
            out: String::with_capacity(capacity),
            last: '\n',
            marks: MARKS,
        }
    }

    fn push(&mut self, c: char) {
        match c {
            '\n' => self.push_char_unchanged(c, MARKS),
            '\t' => {
                self.out.push_str(TAB);
                (self.last, self.marks) = (' ', 0);
            }
            '\u{fe0e}' | '\u{fe0f}' if is_pictograph(self.last) => {}
            _ if is_hidden_character(c) => self.push_char_escaped(c),
            _ if c.width() == Some(0) && self.marks >= MARKS => self.push_char_escaped(c),
            _ if c.width() == Some(0) => self.push_char_unchanged(c, self.marks + 1),
            _ => self.push_char_unchanged(c, 0),
        }
    }

    fn push_char_unchanged(&mut self, c: char, marks: usize) {
        self.out.push(c);
        (self.last, self.marks) = (c, marks);
    }

    fn push_char_escaped(&mut self, c: char) {
        let code = u32::from(c);
        let written = if code < 0x100 {
            write!(self.out, "\\x{code:02x}")
        } else {
            write!(self.out, "\\u{{{code:x}}}")
        };
        written.expect("invariant: writing to a String succeeds");
        (self.last, self.marks) = ('}', 0);
    }
}

fn is_pictograph(c: char) -> bool {
    c > '\u{2000}' && !c.is_alphanumeric() && c.width().is_some_and(|width| width > 0)
}

/// Returns whether the character must never be written unchanged: controls (but LF), characters that reverse the
/// reading direction, and characters without a shape of their own.
///
/// Source: Unicode, `Default_Ignorable_Code_Point`, `Bidi_Control`, and categories Cc, Zl, Zp; the formats of
/// categories Cf that have no shape.
pub(super) fn is_hidden_character(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn cut_long_lines(text: &str) -> Cow<'_, str> {
    if text.split('\n').all(|line| line.len() <= LINE_LIMIT) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<Cow<'_, str>> = text
        .split('\n')
        .map(|line| cut_line(line, LINE_LIMIT))
        .collect();
    Cow::Owned(lines.join("\n"))
}

/// Returns a line of at most `limit` bytes, the mark of the cut included.
fn cut_line(line: &str, limit: usize) -> Cow<'_, str> {
    if line.len() <= limit {
        return Cow::Borrowed(line);
    }
    let kept = kept_byte_count(line, limit);
    let mark = cut_mark(line.len() - kept);
    Cow::Owned(format!("{}{mark}", &line[..kept]))
}

/// Returns how many bytes of a too long line stay, so that there is room for the mark after them.
pub(super) fn kept_byte_count(line: &str, limit: usize) -> usize {
    line.floor_char_boundary(limit.saturating_sub(MARK_ROOM))
}

/// Returns the visible mark of a cut; below [`MARK_ROOM`] bytes.
pub(super) fn cut_mark(bytes: usize) -> String {
    format!("…[+{bytes} bytes]")
}

#[cfg(test)]
mod tests;
