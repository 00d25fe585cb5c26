//! Reads formats back, independently of the renderers. It is strict: input that only some readers would repair is an
//! error.

mod bbcode;
mod csv;
mod discord;
mod html;
mod markdown;
mod rst;

pub(super) use bbcode::bbcode;
pub(super) use csv::csv;
pub(super) use discord::discord;
pub(super) use html::html;
pub(super) use markdown::markdown;
pub(super) use rst::rst;

/// A part of a read text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Open(String),
    Close(String),
    Text(String),
}

/// The result of a reader: marks in order, or the first error.
pub(super) type Read = Result<Vec<Mark>, String>;

pub(super) fn open_mark(name: &str) -> Mark {
    Mark::Open(name.to_owned())
}

pub(super) fn close_mark(name: &str) -> Mark {
    Mark::Close(name.to_owned())
}

/// Appends a sign to the text at the end.
pub(super) fn push_sign(marks: &mut Vec<Mark>, c: char) {
    if let Some(Mark::Text(text)) = marks.last_mut() {
        text.push(c);
    } else {
        marks.push(Mark::Text(c.to_string()));
    }
}

/// Returns the visible marks: blocks, styles, and every sign between them that is not a space.
///
/// Code inside of a line counts as text, because a format that cannot hold it writes it as text.
pub(super) fn seen_marks(read: Read, letter: impl Fn(&str) -> String) -> Result<Vec<Mark>, String> {
    let mut out = Vec::new();
    for mark in read? {
        match mark {
            Mark::Text(text) => {
                for c in letter(&text).chars().filter(|c| !c.is_whitespace()) {
                    push_sign(&mut out, c);
                }
            }
            Mark::Open(name) | Mark::Close(name) if name == "`" => {}
            other => out.push(other),
        }
    }
    Ok(out)
}
