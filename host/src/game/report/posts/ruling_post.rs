//! Finds the messages of a ruling for one reader, to be posted.

use crate::diag::Diagnostic;
use crate::doc::{Document, Viewer};
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::report::corrected_posts::posts_to_correct;
use crate::game::report::posts::line_numbers::line_ranges;
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
) -> Result<Post, Box<Diagnostic>> {
    let by = call.by();
    let last = call.ruling.caller.client.last_query();
    let looked = last.filter(|last| line.is_none() && last.is_by(by));
    let own = viewer_of_seat(timeline, by);
    match looked {
        Some(looked) => looked
            .post_for_reader(to)
            .ok_or_else(|| Box::new(no_message_refusal(timeline, &own, looked, to))),
        None => ruling_to_post(timeline, &own, line, to),
    }
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
    let finding = match looked.post_for_reader(own) {
        Some(_) if own != to => finding.hint(format!(
            "`post for {}` posts the message for {}",
            viewer_word(own),
            viewer_in_words(own)
        )),
        _ => finding,
    };
    finding.hint(last_message_hint(timeline, own, to))
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
    let theirs = validities_for_viewer(timeline, to);
    let entries = log_entries(timeline, own);
    let said = |entry: &&Entry<'_>| {
        let operation = entry.operation;
        operation.what.is_ruling()
            && theirs.validity_of(operation.seq) == Validity::Holds
            && !documents_for_viewer(operation, to).is_empty()
    };
    let last = entries.iter().rev().find(said);
    last.map_or_else(String::new, |last| {
        format!(
            "the last one with a message: `{}`, for {}",
            post_command_line(last.number, to),
            log_line_in_words(last)
        )
    })
}

fn ruling_to_post(
    timeline: &Timeline,
    own: &Viewer,
    line: Option<u64>,
    to: &Viewer,
) -> Result<Post, Box<Diagnostic>> {
    let refused = |code, message| Err(Box::new(Diagnostic::error(code, message)));
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
        return match line {
            Some(line) => Err(Box::new(no_line_refusal(
                "post/unknown-line",
                timeline,
                own,
                line,
            ))),
            None => Err(Box::new(
                Diagnostic::error("post/unknown-line", nothing)
                    .hint(first_message_hint(timeline, own, to)),
            )),
        };
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
        let posted = posts_to_correct(timeline, &to.audience())?;
        let posted = posted.iter().find(|one| one.line == seq);
        return Err(Box::new(match posted {
            Some(posted) => finding.hint(format!(
                "log line {} notes that it was posted: `{}` posts the correction",
                posted.note,
                corrections_command_line(to)
            )),
            None => finding,
        }));
    }
    if is_of_waiting_ruling(timeline, entry.operation) {
        let message = format!("{what} is waiting for an answer, so its messages are not final");
        return refused("post/waits", message);
    }
    let number = number_in_post(timeline, entry, to);
    let documents: Vec<Document> = documents_of_log_line(timeline, entry.operation, to, number)
        .into_iter()
        .map(|document| merged_document(&[document]))
        .collect();
    if documents.is_empty() {
        let message = format!("{what} has no message for {}", viewer_in_words(to));
        let finding = Diagnostic::error("post/nothing-said", message);
        return Err(Box::new(finding.hint(last_message_hint(timeline, own, to))));
    }
    let what = format!("{what}, for {}", viewer_in_words(to));
    Ok(Post {
        what,
        documents,
        is_query: false,
        lines: lines_of_operation(entry.operation),
    })
}

/// Returns the number that a post shows: the line in the reader's log. The public has no log; its posts show the line
/// of the person who posts.
fn number_in_post(timeline: &Timeline, entry: &Entry<'_>, to: &Viewer) -> u64 {
    let theirs = match to {
        Viewer::Public => Vec::new(),
        Viewer::Gm | Viewer::Seat { .. } => log_entries(timeline, to),
    };
    let seq = entry.operation.seq;
    let theirs = theirs.iter().find(|one| one.operation.seq == seq);
    theirs.map_or(entry.number, |one| one.number)
}

/// Returns the operations whose messages a reader of an operation knows: a correction also says what became of the
/// rulings that it corrects.
fn lines_of_operation(operation: &Operation) -> Vec<(u64, u64)> {
    let (changed, refused) = operation.what.rulings_changed_and_refused();
    let corrected = operation.what.corrected_number().into_iter();
    let corrected = corrected.chain(changed.iter().chain(refused).copied());
    line_ranges(corrected.chain([operation.seq]))
}

/// Returns the command that posts the corrections for a viewer.
pub(super) fn corrections_command_line(to: &Viewer) -> String {
    match to {
        Viewer::Public => "post corrections".to_owned(),
        Viewer::Gm | Viewer::Seat { .. } => format!("post corrections for {}", viewer_word(to)),
    }
}

/// Names a line of the log: `line 12 I strike Bo`.
pub(in crate::game) fn log_line_in_words(entry: &Entry<'_>) -> String {
    match entry.is_own {
        true => format!("line {} `{}`", entry.number, entry.operation.command),
        false => format!("line {}", entry.number),
    }
}
