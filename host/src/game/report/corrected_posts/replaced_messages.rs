//! Finds the messages of an operation that stand in the place of published ones, after it was ruled again.
//!
//! In: all messages of the time of the post, the places of the published ones, and the messages that hold now. Out: places
//! among these. A message that stands in the place of an unpublished one is never among them.

use std::collections::BTreeSet;

use crate::doc::{Audience, Block, Document};

/// Returns the places of the messages that hold now and that readers of the published ones must read.
pub(super) fn places_of_replacements(
    then: &[Document],
    read: &BTreeSet<u64>,
    now: &[Document],
) -> BTreeSet<u64> {
    let is_read = |place: &u64| read.contains(place);
    let unread: BTreeSet<u64> = places(then).filter(|place| !is_read(place)).collect();
    let (Some(first_unread), Some(last_unread)) = (unread.first(), unread.last()) else {
        return places(now).collect();
    };
    let (Some(first_read), Some(last_read)) = (read.first(), read.last()) else {
        return BTreeSet::new();
    };
    let audiences_at = |at: &BTreeSet<u64>| -> BTreeSet<Audience> {
        let at = documents_at(then, at);
        at.map(|document| document.audience.clone()).collect()
    };
    let (readers, others) = (audiences_at(read), audiences_at(&unread));
    let shown = |place: &u64| -> bool {
        let document = usize::try_from(*place)
            .ok()
            .and_then(|place| now.get(place));
        let Some(document) = document else {
            return false;
        };
        if readers.is_disjoint(&others) {
            return readers.contains(&document.audience);
        }
        if last_read < first_unread {
            return *place < turn_of_messages(then, *first_unread, now);
        }
        if last_unread < first_read {
            return *place >= turn_of_messages(then, *first_read, now);
        }
        documents_at(then, read).any(|known| known.blocks == document.blocks)
    };
    places(now).filter(shown).collect()
}

fn places(documents: &[Document]) -> impl Iterator<Item = u64> {
    0..documents.len() as u64
}

fn documents_at<'a>(
    documents: &'a [Document],
    places: &'a BTreeSet<u64>,
) -> impl Iterator<Item = &'a Document> {
    let all = (0..).zip(documents);
    all.filter(|(place, _)| places.contains(place))
        .map(|(_, document)| document)
}

/// Returns the place of the first message now that belongs to the second part of an operation. That part begins with the
/// same heading as before, such as the next phase; without a heading, it has as many messages as before.
fn turn_of_messages(then: &[Document], turn: u64, now: &[Document]) -> u64 {
    let heading = |document: &Document| match document.blocks.first() {
        Some(Block::Heading { line, .. }) => Some(line.clone()),
        _ => None,
    };
    let second = usize::try_from(turn).ok().and_then(|turn| then.get(turn));
    let second = second.and_then(heading);
    let found = (0..)
        .zip(now)
        .find(|(_, document)| second.is_some() && heading(document) == second);
    let left = then.len() as u64 - turn;
    found.map_or((now.len() as u64).saturating_sub(left), |(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{heading, paragraph};

    fn said(texts: &[&str]) -> Vec<Document> {
        let said = texts.iter().map(|text| match text.strip_prefix("# ") {
            Some(title) => Document::new([heading(1, title)]),
            None => Document::new([paragraph(*text)]),
        });
        said.collect()
    }

    fn shown(then: &[&str], read: &[u64], now: &[&str]) -> Vec<u64> {
        let read = read.iter().copied().collect();
        let places = places_of_replacements(&said(then), &read, &said(now));
        places.into_iter().collect()
    }

    #[test]
    fn a_message_in_the_place_of_an_unpublished_one_is_not_shown() {
        let then = ["Votes.", "Bo hangs.", "# Night 2", "All sleep."];
        assert_eq!(shown(&then, &[0, 1, 2, 3], &["Other votes."]), [0]);
        let now = [
            "Other votes.",
            "A tie.",
            "Nobody hangs.",
            "# Night 2",
            "Bo sleeps.",
        ];
        assert_eq!(shown(&then, &[0, 1], &now), [0, 1, 2]);
        assert_eq!(shown(&then, &[2, 3], &now), [3, 4]);
        assert_eq!(shown(&then, &[0, 2], &now), [3]);
        assert_eq!(shown(&["a", "b"], &[0], &["c", "d", "e"]), [0, 1]);
        assert!(shown(&["a", "b"], &[0], &["c"]).is_empty());
        assert!(shown(&["a", "b"], &[], &["c"]).is_empty());
    }

    #[test]
    fn messages_to_other_readers_are_told_apart_by_their_audience() {
        let to_ann = |text: &str| {
            let said = Document::new([paragraph(text)]);
            said.limit_to_audience(Audience::Seat("Ann".to_owned()))
        };
        let then = [said(&["The bell rings."]), vec![to_ann("You feel 4.")]].concat();
        let now = [vec![to_ann("You feel 5.")], said(&["A horn sounds."])].concat();
        let places = |read: &[u64]| {
            let read = read.iter().copied().collect();
            places_of_replacements(&then, &read, &now)
        };
        assert_eq!(places(&[1]), BTreeSet::from([0]));
        assert_eq!(places(&[0]), BTreeSet::from([1]));
    }
}
