//! The errors of reading a table, and the helpers that record the path of an error.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, near_hint};
use crate::value::{Text, Value};

/// The longest piece of a user's text that is repeated in a message, in characters.
const QUOTED: usize = 60;

/// The result of reading: a part, or the first error.
pub(super) type Read<T> = Result<T, Wrong>;

/// A finding whose path is not complete yet: every level adds its step on the way out.
#[derive(Debug)]
pub(super) struct Wrong {
    steps: Vec<String>,
    found: Box<Diagnostic>,
    bare: bool,
}

impl Wrong {
    /// Returns an error about a shape.
    pub(super) fn new(message: impl Into<String>) -> Wrong {
        Wrong::from_finding(Box::new(Diagnostic::error("script/document", message)))
    }

    /// Returns `expected ..., found a list`.
    pub(super) fn expected(what: &str, value: &Value) -> Wrong {
        let found = match value {
            Value::Nil => "nothing".to_owned(),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                format!("a {}", value.kind())
            }
        };
        Wrong::new(format!("expected {what}, found {found}"))
    }

    /// Converts a finding of another reader.
    pub(super) fn from_finding(found: Box<Diagnostic>) -> Wrong {
        Wrong {
            steps: Vec::new(),
            found,
            bare: false,
        }
    }

    /// Converts a finding about the whole, which needs no path.
    pub(super) fn about_whole(found: Box<Diagnostic>) -> Wrong {
        Wrong {
            bare: true,
            ..Wrong::from_finding(found)
        }
    }

    /// Adds advice.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Wrong {
        *self.found = self.found.hint(hint);
        self
    }

    /// Adds the key that led here.
    pub(super) fn under_key(mut self, key: &str) -> Wrong {
        self.steps.push(path_step(key));
        self
    }

    /// Adds the place in a list that led here, from 0.
    pub(super) fn under_index(mut self, index: usize) -> Wrong {
        self.steps.push(format!("[{}]", index + 1));
        self
    }

    /// Returns the finding with its path in front of the message.
    pub(super) fn into_finding(self, root: &str) -> Box<Diagnostic> {
        let mut found = self.found;
        if !self.bare {
            let path: String = self.steps.iter().rev().map(String::as_str).collect();
            found.message = format!("{root}{path}: {}", found.message);
        }
        found
    }
}

fn path_step(key: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if key.chars().all(is_word) && !key.is_empty() && key.len() <= QUOTED {
        format!(".{key}")
    } else {
        format!("[{}]", quote_shortened(key))
    }
}

/// Returns a user's text in quotes, shortened.
pub(super) fn quote_shortened(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("\"{short}{more}\"")
}

/// Reads every item; a finding names its place.
pub(super) fn read_each<T>(items: &[Value], read: impl Fn(&Value) -> Read<T>) -> Read<Vec<T>> {
    let read = |(index, item)| read(item).map_err(|wrong| wrong.under_index(index));
    items.iter().enumerate().map(read).collect()
}

/// Returns the items of a list; an empty map is an empty list, because tables do not distinguish them.
pub(super) fn list_items<'a>(value: &'a Value, what: &str) -> Read<&'a [Value]> {
    match value {
        Value::List(items) => Ok(items),
        Value::Map(map) if map.is_empty() => Ok(&[]),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
            Err(Wrong::expected(what, value))
        }
    }
}

/// Reads the entry of a key; a finding names the key.
pub(super) fn read_entry<T>(value: &Value, key: &str, read: impl Fn(&Value) -> Read<T>) -> Read<T> {
    read(value.get(key)).map_err(|wrong| wrong.under_key(key))
}

/// Reads the entry of a key that may be missing.
pub(super) fn read_optional_entry<T: Default>(
    value: &Value,
    key: &str,
    read: impl Fn(&Value) -> Read<T>,
) -> Read<T> {
    if value.get(key).is_nil() {
        Ok(T::default())
    } else {
        read_entry(value, key, read)
    }
}

/// Refuses unknown keys.
pub(super) fn check_keys(map: &BTreeMap<Text, Value>, known: &[&str], what: &str) -> Read<()> {
    let unknown = map.keys().find(|key| !known.contains(&key.as_ref()));
    unknown.map_or(Ok(()), |key| {
        let wrong = Wrong::new(format!("{} is not a key of a {what}", quote_shortened(key)));
        Err(wrong
            .hint(near_hint(key, known.iter().copied()))
            .hint(format!("the keys are {}", known.join(", "))))
    })
}

/// Finds the one key that decides the kind of a table; none is an error, and so are two.
pub(super) fn find_kind_key<'a>(
    map: &BTreeMap<Text, Value>,
    kinds: impl IntoIterator<Item = &'a str>,
    others: &[&'a str],
    what: &str,
) -> Read<&'a str> {
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let found: Vec<&str> = kinds
        .iter()
        .copied()
        .filter(|key| map.contains_key(*key))
        .collect();
    match found[..] {
        [one] => Ok(one),
        [] => {
            let strange = map.keys().find(|key| !others.contains(&key.as_ref()));
            let wrong = match strange {
                Some(key) => {
                    Wrong::new(format!("{} is not a key of a {what}", quote_shortened(key)))
                        .hint(near_hint(key, kinds.iter().chain(others).copied()))
                }
                None => Wrong::new(format!("this {what} has no key that says what it is")),
            };
            Err(wrong.hint(format!("a {what} has one of {}", kinds.join(", "))))
        }
        [first, second, ..] => {
            let message = format!(
                "a {what} has only one of these keys, this one has both {first} and {second}"
            );
            Err(Wrong::new(message))
        }
    }
}
