//! The phrase template as its author wrote it, read into pieces.
//!
//! Notation: words and marks match literally; `{name: Type}` or `{Type}` is a slot; `{name: a|b}` a closed choice;
//! `[a]` is optional; `[a|b]` is one of (an empty alternative makes it optional too); `Type?` is optional together with
//! the marks around it in the braces; `Type...` is one or more, with spaces or separators between. A backslash makes
//! the next character literal. Spaces between two pieces mean that spaces may be between them; no spaces mean that the
//! pieces touch.

pub(crate) mod parse;
mod slot;

use crate::diag::Span;

/// A template that was read into pieces.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The name that a match of the template gets; several templates may share it.
    pub(super) id: String,
    /// The text as written, for hints.
    pub(super) syntax: String,
    pub(super) body: Sequence,
}

/// Pieces one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub(super) items: Vec<Item>,
    /// Whether there is a space after the last piece.
    pub(super) blank_after: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Whether there is a space before the piece.
    pub(super) blank: bool,
    pub(super) piece: Piece,
}

#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// One literal token, as written.
    Word(String),
    Slot(Slot),
    /// One of the sequences, or nothing if `optional`.
    OneOf {
        options: Vec<Sequence>,
        optional: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) name: String,
    pub(super) filler: Filler,
    pub(super) repeated: bool,
    /// Whether it has a name before its type.
    pub(super) is_named: bool,
    /// The place of the type in the source.
    pub(super) span: Span,
}

/// The kinds of slot contents.
#[derive(Clone, Debug)]
pub(super) enum Filler {
    /// The name of a slot type.
    Type(String),
    /// The texts of a closed choice.
    Choice(Vec<String>),
}

impl Sequence {
    /// Returns whether every piece is optional.
    fn may_be_empty(&self) -> bool {
        self.items.iter().all(|item| match &item.piece {
            Piece::Word(_) | Piece::Slot(_) => false,
            Piece::OneOf { options, optional } => {
                *optional || options.iter().any(Sequence::may_be_empty)
            }
        })
    }
}

/// Returns the parts of a type name in lower case: `ActiveItem` and `active item` give `active`, `item`.
pub(super) fn type_name_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars() {
        let begins = !last.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase());
        last = c;
        if !c.is_alphanumeric() {
            continue;
        }
        match parts.last_mut() {
            Some(part) if !begins => part.extend(c.to_lowercase()),
            _ => parts.push(c.to_lowercase().collect()),
        }
    }
    parts
}

#[cfg(test)]
mod tests;
