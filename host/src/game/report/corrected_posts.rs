//! Published messages that were corrected since: taken back, left out, or ruled again.
//!
//! A note says who read which operations, and after which operation. The messages of that time are compared with the
//! messages that hold now, so that an undo that was redone, or a correction that was reverted, corrects nothing.

mod replaced_messages;

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Block, Document, Kind, Viewer};
use crate::game::question::open_questions::{seats_in_play_or_error, viewer_of_seat};
use crate::game::report::chronicle::check_not_interrupted;
use crate::game::report::chronicle::valid_messages::{is_valid_line, valid_messages};
use crate::game::report::corrected_posts::replaced_messages::places_of_replacements;
use crate::game::report::validity::validities_in_history;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::log_entries_of_operations;
use crate::game::timeline::post_notes::{PostNote, audience_in_words, lines_in_words, post_notes};
use crate::game::timeline::reply::Reply;
use crate::script::GM;
use crate::store::{History, What};

/// Messages of an operation that readers know and that no longer hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectedPost {
    /// The operation: a line of the game master's log.
    pub line: u64,
    /// The readers.
    pub to: Audience,
    /// The log line that notes the post.
    pub note: u64,
    /// The messages as they were published.
    pub was: Vec<Document>,
    /// The messages that hold now, without those that were never published; none if the operation was taken back.
    pub now: Vec<Document>,
    /// Their places among the messages that hold now, from 0; nothing if these are all.
    pub shown_now: Option<Vec<u64>>,
    /// All messages of the operation at the time of the note: also those that nobody read, so never to be shown.
    pub(in crate::game) said: Vec<Document>,
    /// The place of the first published one.
    pub(in crate::game) first_place: usize,
}

/// What a reader knows of the messages of an operation.
struct Known {
    /// The log line that notes the post; of several notes the first one that counts.
    note: u64,
    /// By place: the published messages.
    read: BTreeMap<u64, Document>,
    /// Messages that were not published then.
    unread: Vec<Document>,
    /// All messages at the time of the note.
    said: Vec<Document>,
    /// Whether other notes add nothing.
    is_complete: bool,
}

impl Known {
    fn by_note(seq: u64) -> Known {
        Known {
            note: seq,
            read: BTreeMap::new(),
            unread: Vec::new(),
            said: Vec::new(),
            is_complete: false,
        }
    }

    /// Adds the messages at the time of a note, with the places of the published ones; nothing means all.
    fn add(&mut self, said: Vec<Document>, published: Option<&BTreeSet<u64>>) {
        if self.said.is_empty() {
            self.said.clone_from(&said);
        }
        for (place, document) in (0..).zip(said) {
            match published.is_none_or(|places| places.contains(&place)) {
                true => {
                    self.read.entry(place).or_insert(document);
                }
                false => self.unread.push(document),
            }
        }
    }

    /// Returns the correction of an operation that now has these messages, if one is needed.
    fn correction(self, (line, to): (u64, &Audience), now: Vec<Document>) -> Option<CorrectedPost> {
        let first_place = self.read.keys().next().copied().unwrap_or_default();
        let read = self.read.keys().copied().collect();
        let replacements = places_of_replacements(&self.said, &read, &now);
        let was: Vec<Document> = self.read.into_values().collect();
        let has = |all: &[Document], one: &Document| {
            all.iter().any(|other| text_of(other) == text_of(one))
        };
        // Somebody who read a part that still holds needs no other one.
        if !self.unread.is_empty() && was.iter().all(|one| has(&now, one)) {
            return None;
        }
        let all = now.len();
        let is_shown =
            |(place, one): &(u64, Document)| replacements.contains(place) || has(&was, one);
        let now = (0..).zip(now).filter(is_shown);
        let (places, now): (Vec<u64>, Vec<Document>) = now.unzip();
        (texts(&was) != texts(&now)).then(|| CorrectedPost {
            line,
            to: to.clone(),
            note: self.note,
            was,
            now,
            shown_now: (places.len() < all).then_some(places),
            said: self.said,
            first_place: usize::try_from(first_place).unwrap_or(usize::MAX),
        })
    }
}

/// Messages by operation.
type Messages = BTreeMap<u64, Vec<Document>>;

/// Which of several notes about an operation counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// The last one: what readers were told last.
    Last,
    /// Any one: all that readers were ever told.
    Any,
}

/// Returns what was published for a reader and must be corrected: the last post of it differs from what holds now.
///
/// Errors: `limit/interrupted`.
pub fn posts_to_correct(
    timeline: &Timeline,
    reader: &Audience,
) -> Result<Vec<CorrectedPost>, Box<Diagnostic>> {
    corrected_posts(timeline, reader, Counts::Last)
}

/// Returns all that a viewer ever read and that was corrected later, in order of operations: posts for everybody, for the
/// viewer, and for its groups.
///
/// Errors: `limit/interrupted`.
pub(in crate::game) fn posts_corrected_for_reader(
    timeline: &Timeline,
    viewer: &Viewer,
) -> Result<Vec<CorrectedPost>, Box<Diagnostic>> {
    let own = viewer.audience();
    let groups = match viewer {
        Viewer::Seat { groups, .. } => groups.iter().cloned().map(Audience::Group).collect(),
        Viewer::Gm | Viewer::Public => Vec::new(),
    };
    let readers: BTreeSet<Audience> = [Audience::Public, own].into_iter().chain(groups).collect();
    let mut found: BTreeMap<u64, CorrectedPost> = BTreeMap::new();
    for reader in readers {
        for one in corrected_posts(timeline, &reader, Counts::Any)? {
            found.entry(one.line).or_insert(one);
        }
    }
    Ok(found.into_values().collect())
}

/// Adds to a reply of the game master what was published and must be corrected now.
pub fn reply_with_posts_to_correct(timeline: &Timeline, by: &str, mut reply: Reply) -> Reply {
    if by != GM || reply.op.is_none() {
        return reply;
    }
    let readers = post_notes(&timeline.history);
    let readers: BTreeSet<Audience> = readers.into_iter().flat_map(|note| note.to).collect();
    for reader in readers {
        let Ok(corrected) = posts_to_correct(timeline, &reader) else {
            break;
        };
        let lines: Vec<(u64, u64)> = corrected.iter().map(|one| (one.line, one.line)).collect();
        if lines.is_empty() {
            continue;
        }
        let word = match &reader {
            Audience::Public => String::new(),
            Audience::Gm => " for gm".to_owned(),
            Audience::Seat(name) | Audience::Group(name) => format!(" for {name}"),
        };
        let text = format!(
            "posted for {} and corrected since: {} {}; `post corrections{word}` writes the correction",
            audience_in_words(&reader),
            if lines.len() == 1 { "line" } else { "lines" },
            lines_in_words(&lines)
        );
        let told = Document::new([paragraph(text)]).limit_to_audience(Audience::Gm);
        reply.documents.push(told);
    }
    reply
}

fn corrected_posts(
    timeline: &Timeline,
    reader: &Audience,
    counts: Counts,
) -> Result<Vec<CorrectedPost>, Box<Diagnostic>> {
    let mut notes = post_notes(&timeline.history);
    notes.retain(|note| note.is_for(reader));
    if notes.is_empty() {
        return Ok(Vec::new());
    }
    let viewer = viewer_of_audience(timeline, reader)?;
    notes.sort_by_key(|note| (note.after, note.seq));
    if counts == Counts::Last {
        notes.reverse();
    }
    let last_turn = last_turning_operation(&timeline.history);
    let is_turned = |note: &PostNote| last_turn.is_some_and(|turn| turn > note.after);
    if !notes.iter().any(is_turned) {
        return Ok(Vec::new());
    }
    let mut known: BTreeMap<u64, Known> = BTreeMap::new();
    let mut found: BTreeMap<u64, CorrectedPost> = BTreeMap::new();
    // What readers were told since the last operation that may change anything.
    let mut settled: BTreeSet<u64> = BTreeSet::new();
    for note in notes {
        let is_turned = is_turned(&note);
        let mut lines = note.operations();
        lines.retain(|line| match counts {
            Counts::Last => {
                !settled.contains(line) && known.get(line).is_none_or(|known| !known.is_complete)
            }
            Counts::Any => is_turned && !found.contains_key(line),
        });
        if !is_turned {
            let is_settled =
                |line: &u64| note.is_complete_about(*line) && !known.contains_key(line);
            let (new, left): (Vec<u64>, Vec<u64>) = lines.into_iter().partition(is_settled);
            settled.extend(new);
            lines = left.into_iter().collect();
        }
        if lines.is_empty() {
            continue;
        }
        check_not_interrupted(timeline)?;
        let then = match is_turned {
            true => timeline.history.copy_until_operation(note.after).ok(),
            false => None,
        };
        let then = then.as_ref().map_or(&timeline.history, |(then, _)| then);
        let mut said = messages_in_history(timeline, then, &viewer, &lines);
        for line in lines {
            let said = said.remove(&line).unwrap_or_default();
            let one = known
                .entry(line)
                .or_insert_with(|| Known::by_note(note.seq));
            one.add(said, note.parts.get(&line));
            one.is_complete |= note.is_complete_about(line);
        }
        if counts == Counts::Any {
            let known = std::mem::take(&mut known);
            found.extend(corrections_of_known(timeline, (&viewer, reader), known));
        }
    }
    found.extend(corrections_of_known(timeline, (&viewer, reader), known));
    Ok(found.into_values().collect())
}

/// Returns the corrections of what a reader knows, by operation.
fn corrections_of_known(
    timeline: &Timeline,
    (viewer, reader): (&Viewer, &Audience),
    known: BTreeMap<u64, Known>,
) -> BTreeMap<u64, CorrectedPost> {
    let lines: BTreeSet<u64> = known.keys().copied().collect();
    let mut now = messages_in_history(timeline, &timeline.history, viewer, &lines);
    let corrected = known.into_iter().filter_map(|(line, known)| {
        let now = now.remove(&line).unwrap_or_default();
        Some((line, known.correction((line, reader), now)?))
    });
    corrected.collect()
}

/// Returns an audience as a viewer of the present game. Errors: the ruleset cannot list its seats.
fn viewer_of_audience(timeline: &Timeline, audience: &Audience) -> Result<Viewer, Box<Diagnostic>> {
    Ok(match audience {
        Audience::Public => Viewer::Public,
        Audience::Gm => Viewer::Gm,
        Audience::Group(name) => Viewer::group(name),
        Audience::Seat(name) => {
            // A seat that is gone reads what everybody reads.
            match seats_in_play_or_error(timeline)?.seat_by_name(name) {
                Ok(seat) => viewer_of_seat(timeline, &seat),
                Err(_) => Viewer::seat(name.as_str(), []),
            }
        }
    })
}

/// Returns the last operation that may change what earlier operations say.
fn last_turning_operation(history: &History) -> Option<u64> {
    let mut operations = history.operations().iter().rev();
    let turn = operations.find(|one| {
        matches!(
            one.what,
            What::Undo { .. } | What::Redo { .. } | What::Revert { .. } | What::Replace { .. }
        )
    });
    turn.map(|one| one.seq)
}

/// Returns the messages of operations to a viewer as they hold in a history. Words for the person who operates
/// the game are left out.
fn messages_in_history(
    timeline: &Timeline,
    history: &History,
    viewer: &Viewer,
    lines: &BTreeSet<u64>,
) -> Messages {
    let log = log_entries_of_operations(history.operations(), viewer);
    let log = log.iter().map(|entry| entry.operation.seq).collect();
    let words = valid_messages(history, &log);
    let standings = validities_in_history(history, viewer, &timeline.game.commands);
    let messages = lines.iter().filter_map(|line| {
        let operation = history.operation(*line)?;
        if !is_valid_line(operation, &standings) {
            return None;
        }
        let mut said = words.present_documents_of(operation, viewer);
        said.retain(|document| document.kind != Kind::Notice);
        (!said.is_empty()).then_some((*line, said))
    });
    messages.collect()
}

/// Returns what readers see of messages.
fn texts(said: &[Document]) -> Vec<(&Audience, &[Block])> {
    said.iter().map(text_of).collect()
}

fn text_of(document: &Document) -> (&Audience, &[Block]) {
    (&document.audience, &document.blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was read, what holds now, and the places of that.
    type Shown = (Vec<Document>, Vec<Document>, Option<Vec<u64>>);

    fn said(texts: &[&str]) -> Vec<Document> {
        let said = texts.iter();
        said.map(|text| Document::new([paragraph(*text)])).collect()
    }

    fn corrected(notes: &[(&[&str], Option<&[u64]>)], now: &[&str]) -> Option<Shown> {
        let mut known = Known::by_note(12);
        for (then, places) in notes {
            let places = places.map(|places| places.iter().copied().collect());
            known.add(said(then), places.as_ref());
        }
        let one = known.correction((9, &Audience::Public), said(now))?;
        Some((one.was, one.now, one.shown_now))
    }

    #[test]
    fn only_published_messages_of_an_operation_are_corrected() {
        let then: &[&str] = &["The bell rings.", "Bo died."];
        let bell: Option<&[u64]> = Some(&[0]);
        assert_eq!(corrected(&[(then, bell)], then), None);
        assert_eq!(
            corrected(&[(then, bell)], &["The bell rings.", "Cy died."]),
            None
        );
        assert_eq!(
            corrected(&[(then, bell)], &[]),
            Some((said(&["The bell rings."]), Vec::new(), None))
        );
        assert_eq!(
            corrected(&[(then, bell)], &["A horn sounds.", "Cy died."]),
            Some((
                said(&["The bell rings."]),
                said(&["A horn sounds."]),
                Some(vec![0])
            ))
        );
        assert_eq!(
            corrected(&[(then, bell)], &["A horn sounds.", "Bo died."]),
            Some((
                said(&["The bell rings."]),
                said(&["A horn sounds."]),
                Some(vec![0])
            ))
        );
    }

    #[test]
    fn posts_of_two_parts_of_an_operation_count_together() {
        let then: &[&str] = &["The bell rings.", "Bo died."];
        let both: [(&[&str], Option<&[u64]>); 2] = [(then, Some(&[1])), (then, Some(&[0]))];
        assert_eq!(corrected(&both, then), None);
        assert_eq!(corrected(&both, &[]), Some((said(then), Vec::new(), None)));
    }
}
