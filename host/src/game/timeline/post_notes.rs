//! Notes about published messages: their operations, who could read them, and the last operation of that time.
//!
//! A note is an operation without a ruling number. It changes no state and no dice, and `undo` passes over it.

use std::collections::{BTreeMap, BTreeSet};

use crate::doc::Audience;
use crate::store::{History, Publication, What};
use crate::value::Text;
use crate::words::Words;

/// What a client printed for readers: `done` notes that it was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedPosts {
    /// What they show, by reader.
    pub posts: Vec<PrintedPost>,
    /// The last operation at that time.
    pub after: u64,
    /// Whether it was an export of the whole game.
    pub is_export: bool,
}

/// What posts show to readers of the same messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedPost {
    /// The readers.
    pub to: Vec<Audience>,
    /// The operations whose messages they read, as first and last numbers; none for a view of the present game.
    pub lines: Vec<(u64, u64)>,
    /// The operations with only some messages for them, and the places of these.
    pub parts: Vec<(u64, Vec<u64>)>,
}

/// What a note that holds says about readers of the same messages: it was not withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::game) struct PostNote {
    /// Number of the operation that is the note.
    pub(in crate::game) seq: u64,
    /// The readers.
    pub(in crate::game) to: Vec<Audience>,
    /// The published operations, as first and last numbers.
    pub(in crate::game) lines: Vec<(u64, u64)>,
    /// The operations with only some published messages, and the places of these.
    pub(in crate::game) parts: BTreeMap<u64, BTreeSet<u64>>,
    /// Readers know the game as it was after this operation.
    pub(in crate::game) after: u64,
}

impl PostNote {
    /// Returns whether it is for a reader.
    pub(in crate::game) fn is_for(&self, reader: &Audience) -> bool {
        self.to.contains(reader)
    }

    /// Returns the published operations; those in `parts` with only some of their messages.
    pub(in crate::game) fn operations(&self) -> BTreeSet<u64> {
        let whole = operations_in_ranges(&self.lines);
        whole.chain(self.parts.keys().copied()).collect()
    }

    /// Returns whether readers know no other messages of an operation than those of this note.
    pub(in crate::game) fn is_complete_about(&self, operation: u64) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|(first, last)| (*first..=*last).contains(&operation))
    }
}

/// Returns the notes that hold, oldest first; one for each group of readers of the same messages.
pub(in crate::game) fn post_notes(history: &History) -> Vec<PostNote> {
    let operations = history.operations();
    let withdrawn: BTreeSet<u64> = operations
        .iter()
        .filter_map(|one| match one.what {
            What::Withdrawn { of } => Some(of),
            _ => None,
        })
        .collect();
    let valid = operations
        .iter()
        .filter(|one| !withdrawn.contains(&one.seq));
    let notes = valid.flat_map(|one| {
        let (posts, after) = match &one.what {
            What::Posted { posts, after } => (&posts[..], *after),
            _ => (&[][..], 0),
        };
        posts.iter().map(move |post| PostNote {
            seq: one.seq,
            to: audiences_of_texts(&post.to),
            lines: post.lines.clone(),
            parts: post
                .parts
                .iter()
                .map(|(of, places)| (*of, places.iter().copied().collect()))
                .collect(),
            after,
        })
    });
    notes.collect()
}

fn audiences_of_texts(texts: &[Text]) -> Vec<Audience> {
    // A text that names nobody is of another program: nobody reads it here.
    let read = texts.iter().map(|text| Audience::parse(text));
    read.filter_map(Result::ok).collect()
}

/// Returns numbers as ranges without gaps, in order.
pub(in crate::game) fn line_ranges(numbers: impl IntoIterator<Item = u64>) -> Vec<(u64, u64)> {
    let numbers: BTreeSet<u64> = numbers.into_iter().collect();
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

fn operations_in_ranges(lines: &[(u64, u64)]) -> impl Iterator<Item = u64> {
    lines.iter().flat_map(|(first, last)| *first..=*last)
}

/// Returns a note of posts in words: `3, 5 to 9 and part of 12 for everybody and Ann; 4 for Bo`; empty for other
/// operations.
pub(in crate::game) fn post_note_in_words(what: &What) -> String {
    post_note_in_language(what, &Words::english())
}

/// Returns a note of posts in a language.
pub(in crate::game) fn post_note_in_language(what: &What, words: &Words) -> String {
    match what {
        What::Posted { posts, .. } => {
            let posts = posts
                .iter()
                .map(|post| publication_in_language(post, words));
            posts.collect::<Vec<_>>().join("; ")
        }
        _ => String::new(),
    }
}

fn publication_in_language(post: &Publication, words: &Words) -> String {
    let readers = audiences_of_texts(&post.to);
    let readers: Vec<String> = readers
        .iter()
        .map(|reader| reader_in_language(reader, words))
        .collect();
    let parts: BTreeSet<u64> = post.parts.iter().map(|(of, _)| *of).collect();
    let whole = operations_in_ranges(&post.lines).filter(|one| !parts.contains(one));
    let mut told = match parts.is_empty() {
        true => ranges_in_language(&post.lines, words),
        false => ranges_in_language(&line_ranges(whole), words),
    };
    told.extend(
        parts
            .iter()
            .map(|of| words.fill("fate.part", &[("line", of)])),
    );
    let (lines, readers) = (words.listed(&told), words.listed(&readers));
    words.fill("fate.post", &[("lines", &lines), ("readers", &readers)])
}

/// Returns ranges of log lines in words: `3 and 5 to 9`.
pub(in crate::game) fn lines_in_words(lines: &[(u64, u64)]) -> String {
    let english = Words::english();
    english.listed(&ranges_in_language(lines, &english))
}

fn ranges_in_language(lines: &[(u64, u64)], words: &Words) -> Vec<String> {
    let ranges = lines.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => words.fill("fate.lines", &[("first", first), ("last", last)]),
    });
    ranges.collect()
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
        let with_parts = |to: &[&str], lines: &[(u64, u64)], parts: &[(u64, Vec<u64>)]| {
            let post = Publication {
                to: to.iter().map(|to| Text::from(*to)).collect(),
                lines: lines.to_vec(),
                parts: parts.to_vec(),
            };
            publication_in_language(&post, &Words::english())
        };
        let words = |to: &[&str], lines: &[(u64, u64)]| with_parts(to, lines, &[]);
        assert_eq!(words(&["public"], &[(3, 3)]), "3 for everybody");
        assert_eq!(
            with_parts(&["public"], &[(3, 6)], &[(6, vec![0]), (9, vec![1])]),
            "3 to 5, part of 6 and part of 9 for everybody"
        );
        assert_eq!(
            words(&["public", "Ann", "group:red"], &[(3, 3), (5, 9)]),
            "3 and 5 to 9 for everybody, Ann and the group red"
        );
        let post = |to: &str, lines: &[(u64, u64)]| Publication {
            to: vec![Text::from(to)],
            lines: lines.to_vec(),
            parts: Vec::new(),
        };
        let posts = vec![post("public", &[(3, 3)]), post("Ann", &[(3, 4)])];
        let noted = What::Posted { posts, after: 9 };
        assert_eq!(
            post_note_in_words(&noted),
            "3 for everybody; 3 to 4 for Ann"
        );
        assert_eq!(post_note_in_words(&What::Ruling), "");
    }

    #[test]
    fn numbers_without_gaps_are_one_range() {
        assert_eq!(line_ranges([7, 3, 4, 5, 7]), [(3, 5), (7, 7)]);
        assert_eq!(line_ranges([]), []);
    }
}
