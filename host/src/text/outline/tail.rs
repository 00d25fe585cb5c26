//! Reads tails: groups in brackets at the end of a line, with spaces between them.
//!
//! Brackets and quotes inside of a group nest as in all texts: one without a partner is a character like any other. A
//! pair with equal ends opens before a character that is not a space, and closes after one.

use super::OutlineTable;
use super::line::quoted_length;

/// Brackets that keep their contents together, beside the brackets of tails.
const NESTING: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// The text that separates the items of a group.
const SEPARATOR: &str = ", ";

/// A group of a tail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'t> {
    /// The bracket that opens it.
    pub open: char,
    /// Its items without outer spaces, and the byte offset of each; brackets with equal ends hold one.
    pub items: Vec<(&'t str, usize)>,
}

/// A pair of matching brackets: the places of both characters.
#[derive(Clone, Copy, Debug)]
struct Pair {
    from: usize,
    to: usize,
    ends: (char, char),
}

/// Returns the start of the tail of a line. The line must have no outer spaces.
pub(super) fn tail_start(table: &OutlineTable, text: &str) -> Option<usize> {
    if table.tails.is_empty() || !table.tails.iter().any(|(_, close)| text.ends_with(*close)) {
        return None;
    }
    let mut run: Option<usize> = None;
    let mut behind = 0;
    for group in free_groups(table, text) {
        let apart = !text[behind..group.from].trim().is_empty();
        if apart || run.is_none() {
            run = Some(group.from);
        }
        behind = group.to + group.ends.1.len_utf8();
    }
    run.filter(|_| behind == text.len())
}

/// Returns the groups of a tail with their items.
pub(super) fn tail_groups<'t>(table: &OutlineTable, text: &'t str) -> Vec<Group<'t>> {
    let group = |pair: Pair| {
        let from = pair.from + pair.ends.0.len_utf8();
        let inner = &text[from..pair.to];
        let items = if pair.ends.0 == pair.ends.1 {
            vec![(0, inner.len())]
        } else {
            item_spans(table, inner)
        };
        let items = items.into_iter().map(|(start, end)| {
            let item = &inner[start..end];
            let blanks = item.len() - item.trim_start().len();
            (item.trim(), from + start + blanks)
        });
        let several = !inner.trim().is_empty();
        Group {
            open: pair.ends.0,
            items: items.filter(|_| several).collect(),
        }
    };
    free_groups(table, text).into_iter().map(group).collect()
}

/// Returns the places of the items of a group: it is split outside of quotes and brackets.
fn item_spans(table: &OutlineTable, inner: &str) -> Vec<(usize, usize)> {
    let (_, outside) = find_brackets(table, inner);
    let mut items = Vec::new();
    let mut from = 0;
    for at in outside {
        items.push((from, at));
        from = at + SEPARATOR.len();
    }
    items.push((from, inner.len()));
    items
}

/// Returns the outermost groups of tails that have a space or an end of the text at both sides.
fn free_groups(table: &OutlineTable, text: &str) -> Vec<Pair> {
    let free_before = |at: usize| at == 0 || text[..at].ends_with(char::is_whitespace);
    let free_behind = |at: usize| at == text.len() || text[at..].starts_with(char::is_whitespace);
    let (mut pairs, _) = find_brackets(table, text);
    pairs.retain(|pair| {
        let behind = pair.to + pair.ends.1.len_utf8();
        table.tails.contains(&pair.ends) && free_before(pair.from) && free_behind(behind)
    });
    pairs.sort_unstable_by_key(|pair| pair.from);
    let mut behind = 0;
    pairs.retain(|pair| {
        let is_outer = pair.from >= behind;
        behind = behind.max(pair.to);
        is_outer
    });
    pairs
}

/// Returns all matching brackets of a text, in order of their ends, and the separators outside of them.
fn find_brackets(table: &OutlineTable, text: &str) -> (Vec<Pair>, Vec<usize>) {
    let known = table.tails.iter().chain(&NESTING);
    let mut ends: Vec<(char, char)> = Vec::new();
    for pair in known {
        if !ends.contains(pair) {
            ends.push(*pair);
        }
    }
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut counts = vec![0_usize; ends.len()];
    let mut dead = vec![false; table.quotes.len()];
    let (mut pairs, mut separators) = (Vec::new(), Vec::new());
    let mut before = ' ';
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c.is_alphanumeric() || c.is_whitespace() {
            before = c;
            continue;
        }
        let rest = &text[at + c.len_utf8()..];
        if let Some(length) = quoted_length(&table.quotes, c, rest, &mut dead) {
            let close = at + c.len_utf8() + length;
            chars.by_ref().find(|(at, _)| *at >= close);
            before = c;
            continue;
        }
        if c == ',' && rest.starts_with(' ') {
            separators.push(at);
        }
        let closes = ends
            .iter()
            .position(|(open, close)| *close == c && (open != close || !before.is_whitespace()));
        let closes = closes.filter(|kind| counts[*kind] > 0);
        if let Some(kind) = closes {
            while let Some((from, other)) = open.pop() {
                counts[other] -= 1;
                if other == kind {
                    pairs.push(Pair {
                        from,
                        to: at,
                        ends: ends[kind],
                    });
                    break;
                }
            }
        } else if let Some(kind) = ends.iter().position(|(open, _)| *open == c) {
            let (one, other) = ends[kind];
            let begins =
                || before.is_whitespace() && rest.starts_with(|next: char| !next.is_whitespace());
            if one != other || begins() {
                counts[kind] += 1;
                open.push((at, kind));
            }
        }
        before = c;
    }
    keep_outside_separators(&pairs, &mut separators);
    (pairs, separators)
}

/// Keeps the separators that are outside of all brackets.
fn keep_outside_separators(pairs: &[Pair], separators: &mut Vec<usize>) {
    let mut sorted: Vec<Pair> = pairs.to_vec();
    sorted.sort_unstable_by_key(|pair| pair.from);
    let mut outer = sorted.into_iter().peekable();
    let mut behind = 0;
    separators.retain(|at| {
        while let Some(pair) = outer.next_if(|pair| pair.from < *at) {
            behind = behind.max(pair.to);
        }
        *at >= behind
    });
}
