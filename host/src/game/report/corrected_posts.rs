//! Published messages that were corrected since: taken back, left out, or ruled again.
//!
//! A note says who read which operations, and after which operation. The messages of that time are compared with the
//! messages that hold now, so that an undo that was redone, or a correction that was reverted, corrects nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Block, Document, Kind, Viewer};
use crate::game::question::open_questions::{seats_in_play_or_error, viewer_of_seat};
use crate::game::report::chronicle::check_not_interrupted;
use crate::game::report::chronicle::valid_messages::{is_valid_line, valid_messages};
use crate::game::report::validity::validities_in_history;
use crate::game::timeline::Timeline;
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
    /// The messages that hold now; none if the operation was taken back.
    pub now: Vec<Document>,
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
            "posted for {} and corrected since: line {}; `post corrections{word}` writes the correction",
            audience_in_words(&reader),
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
    let turns: Vec<u64> = turning_operations(&timeline.history);
    let (mut taken, mut found) = (BTreeSet::new(), BTreeMap::new());
    for note in notes {
        let mut lines: BTreeSet<u64> = lines_of_note(&note);
        lines.retain(|line| match counts {
            Counts::Last => taken.insert(*line),
            Counts::Any => !found.contains_key(line),
        });
        if turns.last().is_none_or(|turn| *turn <= note.after) || lines.is_empty() {
            continue;
        }
        check_not_interrupted(timeline)?;
        let Ok((then, _)) = timeline.history.copy_until_operation(note.after) else {
            continue;
        };
        let was = messages_in_history(timeline, &then, &viewer, &lines);
        let now = messages_in_history(timeline, &timeline.history, &viewer, &lines);
        for line in lines {
            let of = |messages: &Messages| messages.get(&line).cloned().unwrap_or_default();
            let (was, now) = (of(&was), of(&now));
            if texts(&was) == texts(&now) {
                continue;
            }
            found.insert(
                line,
                CorrectedPost {
                    line,
                    to: reader.clone(),
                    note: note.seq,
                    was,
                    now,
                },
            );
        }
    }
    Ok(found.into_values().collect())
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

fn lines_of_note(note: &PostNote) -> BTreeSet<u64> {
    let lines = note.lines.iter();
    lines.flat_map(|(first, last)| *first..=*last).collect()
}

/// Returns the operations that may change what earlier operations say.
fn turning_operations(history: &History) -> Vec<u64> {
    let operations = history.operations().iter();
    let turns = operations.filter(|one| {
        matches!(
            one.what,
            What::Undo { .. } | What::Redo { .. } | What::Revert { .. } | What::Replace { .. }
        )
    });
    turns.map(|one| one.seq).collect()
}

/// Returns the messages of operations to a viewer as they hold in a history. Words for the person who operates
/// the game are left out.
fn messages_in_history(
    timeline: &Timeline,
    history: &History,
    viewer: &Viewer,
    lines: &BTreeSet<u64>,
) -> Messages {
    let words = valid_messages(history, lines);
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
    let said = said.iter();
    said.map(|document| (&document.audience, &document.blocks[..]))
        .collect()
}
