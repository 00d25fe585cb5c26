//! Finds the messages of a ruling for one reader, to be posted.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Diagnostic;
use crate::doc::{Audience, Document, Kind, Viewer, may_see};
use crate::game::past::correction::notices_of_correction;
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::report::chronicle::valid_messages::valid_messages;
use crate::game::report::corrected_posts::posts_to_correct;
use crate::game::report::posts::line_numbers::numbers_in_posts;
use crate::game::report::posts::refusal::PostRefusal;
use crate::game::report::posts::shown_messages::ShownMessages;
use crate::game::report::validity::{Validity, fate_in_words, validities_for_viewer};
use crate::game::report::waiting_operations::is_of_waiting_ruling;
use crate::game::ruling::host_command::Call;
use crate::game::ruling::last_query::{LastQuery, Post, merged_document, viewer_in_words};
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::{
    Entry, documents_for_viewer, documents_of_log_line, log_entries, no_line_refusal,
};
use crate::store::{Operation, What};
use crate::words::Words;

/// Returns the messages of a ruling to `to`. With a number, it is the ruling with that number in the log of `own`.
/// Without one, it is the query right before, else the last ruling with messages in that log. A query without messages
/// for `to` is reported, and nothing else is posted in its place.
///
/// Errors: `post/unknown-line`, `post/does-not-hold`, `post/waits`, `post/nothing-said`.
pub(super) fn last_or_numbered_post(
    timeline: &Timeline,
    call: &Call<'_>,
    line: Option<u64>,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let looked = last_query(call).filter(|_| line.is_none());
    let own = viewer_of_seat(timeline, call.by());
    match looked {
        Some(looked) => looked
            .post_for_reader(to)
            .ok_or_else(|| PostRefusal::for_reader(no_message_refusal(timeline, &own, looked, to))),
        None => ruling_to_post(timeline, &own, line, to),
    }
}

/// Returns the query right before, if the person who posts gave it.
pub(super) fn last_query<'a>(call: &'a Call<'_>) -> Option<&'a LastQuery> {
    let last = call.ruling.caller.client.last_query();
    last.filter(|last| last.is_by(call.by()))
}

/// Returns the refusal for a query that is not a post for a viewer: it was refused, or has no message for that viewer.
fn no_message_refusal(
    timeline: &Timeline,
    own: &Viewer,
    looked: &LastQuery,
    to: &Viewer,
) -> Diagnostic {
    let line = looked.line();
    let message = format!("`{line}` has no message for {}", viewer_in_words(to));
    let finding = Diagnostic::error("post/nothing-said", message);
    let finding = match own == to {
        true => finding,
        false => finding.hint(own_answer_hint(own, looked)),
    };
    finding.hint(last_message_hint(timeline, own, to))
}

/// Returns a hint to post the answer of a query to the person who gave it, if there is one.
pub(super) fn own_answer_hint(own: &Viewer, looked: &LastQuery) -> String {
    looked.post_for_reader(own).map_or_else(String::new, |_| {
        let (word, reader) = (viewer_word(own), viewer_in_words(own));
        format!("`post for {word}` posts the message for {reader}")
    })
}

/// Returns the command that posts a log line for a viewer.
fn post_command_line(line: u64, to: &Viewer) -> String {
    match to {
        Viewer::Public => format!("post {line}"),
        Viewer::Gm | Viewer::Seat { .. } => format!("post {line} for {}", viewer_word(to)),
    }
}

/// The word for a viewer in the `post` command.
pub(super) fn viewer_word(viewer: &Viewer) -> &str {
    match viewer {
        Viewer::Gm => "gm",
        Viewer::Public => "public",
        Viewer::Seat { name, .. } => viewer.as_group().unwrap_or(name),
    }
}

/// Returns a hint for a reader to whom nothing was said yet: to post what was said to the person who posts, or to give a
/// command first.
fn first_message_hint(timeline: &Timeline, own: &Viewer, to: &Viewer) -> String {
    let own_message = last_message_hint(timeline, own, own);
    match own == to || own_message.is_empty() {
        true => "give a command first; `post` posts the messages of the last one".to_owned(),
        false => own_message,
    }
}

/// Returns a hint with the last ruling of a log that has a message for a viewer, if there is one.
fn last_message_hint(timeline: &Timeline, own: &Viewer, to: &Viewer) -> String {
    let last = last_entry_with_message(timeline, own, std::slice::from_ref(to));
    last.map_or_else(String::new, |last| {
        format!(
            "the last one with a message: `{}`, for {}",
            post_command_line(last.number, to),
            log_line_in_words(&last)
        )
    })
}

/// Returns the last ruling of a log that has a message for one of several readers.
pub(super) fn last_entry_with_message<'a>(
    timeline: &'a Timeline,
    own: &Viewer,
    readers: &[Viewer],
) -> Option<Entry<'a>> {
    let theirs: Vec<_> = readers
        .iter()
        .map(|to| (to, validities_for_viewer(timeline, to)))
        .collect();
    let said = |entry: &Entry<'_>| {
        let operation = entry.operation;
        let mut theirs = theirs.iter();
        operation.what.is_ruling()
            && theirs.any(|(to, standings)| {
                standings.validity_of(operation.seq) == Validity::Holds
                    && !documents_for_viewer(operation, to).is_empty()
            })
    };
    log_entries(timeline, own).into_iter().rev().find(said)
}

fn ruling_to_post(
    timeline: &Timeline,
    own: &Viewer,
    line: Option<u64>,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let theirs = validities_for_viewer(timeline, to);
    let entries = log_entries(timeline, own);
    let holds = |entry: &&Entry<'_>| {
        entry.operation.what.is_ruling()
            && theirs.validity_of(entry.operation.seq) == Validity::Holds
    };
    let is_new = |entry: &&Entry<'_>| {
        let operation = entry.operation;
        holds(entry)
            && (is_of_waiting_ruling(timeline, operation)
                || !documents_for_viewer(operation, to).is_empty())
    };
    let found = match line {
        Some(line) => entries.iter().find(|entry| entry.number == line),
        None => entries.iter().rev().find(is_new),
    };
    let Some(entry) = found else {
        let nothing = format!("there is no message for {} yet", viewer_in_words(to));
        return Err(match line {
            Some(line) => {
                PostRefusal::for_all(no_line_refusal("post/unknown-line", timeline, own, line))
            }
            None => PostRefusal::for_reader(
                Diagnostic::error("post/unknown-line", nothing)
                    .hint(first_message_hint(timeline, own, to)),
            ),
        });
    };
    let what = log_line_in_words(entry);
    if !holds(&entry) {
        let fate = match &entry.operation.what {
            What::Undo { .. } | What::Redo { .. } => "it is not a ruling".to_owned(),
            _ => {
                let validities = validities_for_viewer(timeline, own);
                fate_in_words(entry.operation, &validities, &Words::english())
            }
        };
        let by = match theirs.validity_of(entry.operation.seq) {
            Validity::Changed { by } => entries.iter().find(|entry| entry.operation.seq == by),
            _ => None,
        };
        let hint = by.map_or_else(String::new, |by| {
            let command = post_command_line(by.number, to);
            format!("`{command}` posts its present messages")
        });
        let message = format!("the messages of {what} are no longer valid: {fate}");
        let finding = Diagnostic::error("post/does-not-hold", message).hint(hint);
        let seq = entry.operation.seq;
        let posted = posts_to_correct(timeline, &to.audience()).map_err(PostRefusal::for_all)?;
        let posted = posted.iter().find(|one| one.line == seq);
        return Err(PostRefusal::for_all(match posted {
            // The numbers of the game master's log show how much others did.
            Some(posted) => finding.hint(format!(
                "{}: `{}` posts the correction",
                match own {
                    Viewer::Gm => format!("log line {} notes that it was posted", posted.note),
                    Viewer::Public | Viewer::Seat { .. } => "it was posted".to_owned(),
                },
                corrections_command_line(to)
            )),
            None => finding,
        }));
    }
    if is_of_waiting_ruling(timeline, entry.operation) {
        let message = format!("{what} is waiting for an answer, so its messages are not final");
        return Err(PostRefusal::for_all(Diagnostic::error(
            "post/waits",
            message,
        )));
    }
    let numbers = numbers_in_posts(timeline, own, to);
    let number = numbers.get(&entry.operation.seq).copied();
    let number = number.unwrap_or(entry.number);
    let documents: Vec<Document> = documents_of_log_line(timeline, entry.operation, to, number)
        .into_iter()
        .map(|document| merged_document(&[document]))
        .collect();
    if documents.is_empty() {
        let message = format!("{what} has no message for {}", viewer_in_words(to));
        let finding = Diagnostic::error("post/nothing-said", message);
        let finding = finding.hint(last_message_hint(timeline, own, to));
        return Err(PostRefusal::for_reader(finding));
    }
    let what = format!("{what}, for {}", viewer_in_words(to));
    let known = messages_known_by(timeline, entry.operation, to);
    Ok(Post {
        what,
        documents,
        is_query: false,
        lines: known.lines(),
        parts: known.parts(),
    })
}

/// Returns the messages that a reader of an operation knows then. A correction also says what became of the ruling that
/// it corrects, and repeats messages of rulings that it changed: only those that it repeats to this reader are known.
fn messages_known_by(timeline: &Timeline, operation: &Operation, to: &Viewer) -> ShownMessages {
    let mut shown = ShownMessages::default();
    shown.add_whole(operation.seq);
    if let Some(corrected) = operation.what.corrected_number() {
        shown.add_whole(corrected);
    }
    let mut told: BTreeMap<u64, BTreeSet<Audience>> = BTreeMap::new();
    for notice in notices_of_correction(operation) {
        if !notice.is_answer && may_see(to, &notice.to) {
            told.entry(notice.seq).or_default().insert(notice.to);
        }
    }
    let log = log_entries(timeline, to);
    let log = log.iter().map(|entry| entry.operation.seq).collect();
    let words = valid_messages(&timeline.history, &log);
    for (seq, audiences) in told {
        let Some(ruling) = timeline.history.operation(seq) else {
            continue;
        };
        let mut said = words.present_documents_of(ruling, to);
        said.retain(|document| document.kind != Kind::Notice);
        let count = said.len() as u64;
        if count == 0 {
            shown.add_whole(seq);
        }
        for (place, _) in (0..)
            .zip(&said)
            .filter(|(_, document)| audiences.contains(&document.audience))
        {
            shown.add(seq, place, count);
        }
    }
    shown
}

/// Returns the command that posts the corrections for a viewer.
pub fn corrections_command_line(to: &Viewer) -> String {
    view_command_line("corrections", to)
}

/// Returns the command that posts a view, such as the votes, for a viewer.
pub(super) fn view_command_line(word: &str, to: &Viewer) -> String {
    match to {
        Viewer::Public => format!("post {word}"),
        Viewer::Gm | Viewer::Seat { .. } => format!("post {word} for {}", viewer_word(to)),
    }
}

/// Names a line of the log: `line 12 I strike Bo`.
pub(in crate::game) fn log_line_in_words(entry: &Entry<'_>) -> String {
    match entry.is_own {
        true => format!("line {} `{}`", entry.number, entry.operation.command),
        false => format!("line {}", entry.number),
    }
}
