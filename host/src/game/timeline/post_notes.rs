//! Notes about published messages: their operations, who could read them, and the last operation of that time.
//!
//! A note is an operation without a ruling number. It changes no state and no dice, and `undo` passes over it.

use std::collections::BTreeSet;

use crate::doc::Audience;
use crate::store::{History, What};
use crate::value::Text;
use crate::words::Words;

/// What a client printed for readers: `done` notes that it was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedPosts {
    /// The readers.
    pub to: Vec<Audience>,
    /// The operations whose messages they read, as first and last numbers; none for a view of the present game.
    pub lines: Vec<(u64, u64)>,
    /// The last operation at that time.
    pub after: u64,
    /// Whether it was an export of the whole game.
    pub is_export: bool,
}

/// A note that holds: it was not withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct PostNote {
    /// Number of the operation that is the note.
    pub(in crate::game) seq: u64,
    /// The readers.
    pub(in crate::game) to: Vec<Audience>,
    /// The published operations, as first and last numbers.
    pub(in crate::game) lines: Vec<(u64, u64)>,
    /// Readers know the game as it was after this operation.
    pub(in crate::game) after: u64,
}

impl PostNote {
    /// Returns whether it is for a reader.
    pub(in crate::game) fn is_for(&self, reader: &Audience) -> bool {
        self.to.contains(reader)
    }
}

/// Returns the notes that hold, oldest first.
pub(in crate::game) fn post_notes(history: &History) -> Vec<PostNote> {
    let operations = history.operations();
    let withdrawn: BTreeSet<u64> = operations
        .iter()
        .filter_map(|one| match one.what {
            What::Withdrawn { of } => Some(of),
            _ => None,
        })
        .collect();
    let notes = operations.iter().filter_map(|one| match &one.what {
        What::Posted { to, lines, after } if !withdrawn.contains(&one.seq) => Some(PostNote {
            seq: one.seq,
            to: audiences_of_texts(to),
            lines: lines.clone(),
            after: *after,
        }),
        _ => None,
    });
    notes.collect()
}

fn audiences_of_texts(texts: &[Text]) -> Vec<Audience> {
    // A text that names nobody is of another program: nobody reads it here.
    let read = texts.iter().map(|text| Audience::parse(text));
    read.filter_map(Result::ok).collect()
}

/// Returns a note of posts in words: `3 and 5 to 9 for everybody and Ann`; empty for other operations.
pub(in crate::game) fn post_note_in_words(what: &What) -> String {
    match what {
        What::Posted { to, lines, .. } => {
            let english = Words::english();
            let readers = listed_audiences(to, &english);
            format!("{} for {readers}", listed_lines(lines, &english))
        }
        _ => String::new(),
    }
}

/// Returns ranges of log lines in words: `3 and 5 to 9`.
pub(in crate::game) fn lines_in_words(lines: &[(u64, u64)]) -> String {
    listed_lines(lines, &Words::english())
}

/// Returns ranges of log lines in a language.
pub(in crate::game) fn listed_lines(lines: &[(u64, u64)], words: &Words) -> String {
    let ranges = lines.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => words.fill("fate.lines", &[("first", first), ("last", last)]),
    });
    words.listed(&ranges.collect::<Vec<_>>())
}

/// Returns the readers of a post in a language.
pub(in crate::game) fn listed_audiences(to: &[Text], words: &Words) -> String {
    let readers = audiences_of_texts(to);
    let readers: Vec<String> = readers
        .iter()
        .map(|reader| reader_in_language(reader, words))
        .collect();
    words.listed(&readers)
}

/// Returns an audience as the readers of a post.
pub(in crate::game) fn audience_in_words(audience: &Audience) -> String {
    reader_in_language(audience, &Words::english())
}

fn reader_in_language(audience: &Audience, words: &Words) -> String {
    match audience {
        Audience::Public => words.text("reader.everybody"),
        Audience::Gm => words.text("reader.gm"),
        Audience::Seat(name) => name.clone(),
        Audience::Group(name) => words.fill("reader.group", &[("group", name)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_lines_and_readers() {
        let words = |to: &[&str], lines: &[(u64, u64)]| {
            post_note_in_words(&What::Posted {
                to: to.iter().map(|to| Text::from(*to)).collect(),
                lines: lines.to_vec(),
                after: 9,
            })
        };
        assert_eq!(words(&["public"], &[(3, 3)]), "3 for everybody");
        assert_eq!(
            words(&["public", "Ann", "group:red"], &[(3, 3), (5, 9)]),
            "3 and 5 to 9 for everybody, Ann and the group red"
        );
        assert_eq!(post_note_in_words(&What::Ruling), "");
    }
}
