//! Writes the messages of near misses.

use super::Want;
use crate::diag::nearest_names;

/// Alternatives that a message lists.
const LISTED: usize = 5;
/// Characters of the text that a message repeats.
const SHOWN: usize = 40;

/// Returns the words close to the one found. Marks and single letters are never close to a word.
pub(in super::super) fn near_words<'w>(
    found: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> Vec<&'w str> {
    let is_word = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    if is_word(found) {
        nearest_names(found, words.into_iter().filter(|word| is_word(word)), 3)
    } else {
        Vec::new()
    }
}

pub(super) fn without_article(noun: &str) -> &str {
    let bare = noun.strip_prefix("an ").or_else(|| noun.strip_prefix("a "));
    bare.unwrap_or(noun)
}

pub(super) fn did_you_mean(near: &[&str]) -> String {
    if near.is_empty() {
        String::new()
    } else {
        format!("did you mean {}?", quoted_list(near, LISTED))
    }
}

pub(super) fn quoted_list(names: &[&str], most: usize) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    join_items(&quoted, most)
}

/// Returns the possible alternatives at a place, for a message.
pub(super) fn expected_list(expected: &[Want]) -> String {
    let mut said: Vec<String> = Vec::new();
    for want in expected {
        let one = match want {
            Want::Word(word) => format!("\"{word}\""),
            Want::Type { noun, .. } => noun.clone(),
            Want::End => String::from("nothing more"),
        };
        if !said.contains(&one) {
            said.push(one);
        }
    }
    match said.is_empty() {
        true => String::from("something else"),
        false => join_items(&said, LISTED),
    }
}

/// Returns `a, b or c`; for more than `most` items, only their number.
fn join_items(items: &[String], most: usize) -> String {
    if items.len() > most {
        let rest = items.len() - most;
        return format!("{} or {rest} more", items[..most].join(", "));
    }
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Returns the beginning of a text, on one line.
pub(super) fn shorten_end(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &flat[..at]),
        None => flat,
    }
}

/// Returns the end of a text, on one line.
pub(super) fn shorten_front(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth_back(SHOWN) {
        Some((at, _)) => {
            let tail = &flat[at..];
            format!("…{}", tail.split_once(' ').map_or(tail, |(_, rest)| rest))
        }
        None => flat,
    }
}
