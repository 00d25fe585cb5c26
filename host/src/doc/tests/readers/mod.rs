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

/// What stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Open(String),
    Close(String),
    Text(String),
}

/// What was read: marks in order, or the first thing that is not as it should be.
pub(super) type Read = Result<Vec<Mark>, String>;

pub(super) fn open_mark(name: &str) -> Mark {
    Mark::Open(name.to_owned())
}

pub(super) fn close_mark(name: &str) -> Mark {
    Mark::Close(name.to_owned())
}

/// Puts a sign to the text at the end.
pub(super) fn push_sign(marks: &mut Vec<Mark>, c: char) {
    if let Some(Mark::Text(text)) = marks.last_mut() {
        text.push(c);
    } else {
        marks.push(Mark::Text(c.to_string()));
    }
}

/// Returns what a reader sees: blocks and styles, and between them every sign that is not a space.
///
/// Code inside of a line counts as text: where a format cannot hold it, it is written plainly.
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
