//! The messages of several log lines, for one reader. Words for the person who operates the game are left out.

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::doc::{Document, Kind, Viewer};
use crate::game::report::chronicle::valid_messages::{is_valid_line, valid_messages};
use crate::game::report::posts::line_numbers::numbers_in_posts;
use crate::game::report::posts::refusal::PostRefusal;
use crate::game::report::validity::validities_for_viewer;
use crate::game::report::waiting_operations::is_of_waiting_ruling;
use crate::game::ruling::last_query::{Post, merged_document, viewer_in_words};
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::{Entry, log_entries, no_line_refusal};
use crate::game::timeline::post_notes::line_ranges;
use crate::game::timeline::ruling_numbers::with_numbers_for_people;

/// Returns the messages of the lines from one to another in the log of the person who posts. A line that no longer
/// holds, or whose ruling waits, says nothing.
///
/// Errors: `post/unknown-line`, `post/range`, `post/nothing-said`.
pub(super) fn log_range_post(
    timeline: &Timeline,
    own: &Viewer,
    (first, last): (u64, u64),
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    if first > last {
        let message = format!("line {first} comes after line {last}");
        let hint = format!("write the earlier line first: `post {last} to {first}`");
        let finding = Diagnostic::error("post/range", message);
        return Err(PostRefusal::for_all(finding.hint(hint)));
    }
    let entries = log_entries(timeline, own);
    for number in [first, last] {
        if !entries.iter().any(|entry| entry.number == number) {
            let refusal = no_line_refusal("post/unknown-line", timeline, own, number);
            return Err(PostRefusal::for_all(refusal));
        }
    }
    let meant = |entry: &&Entry<'_>| (first..=last).contains(&entry.number);
    let said = messages_of_entries(timeline, own, entries.iter().filter(meant), to);
    let for_reader = viewer_in_words(to);
    if said.is_empty() {
        let message = format!("lines {first} to {last} have no message for {for_reader}");
        let finding = Diagnostic::error("post/nothing-said", message);
        return Err(PostRefusal::for_reader(finding));
    }
    let (seqs, documents): (Vec<u64>, Vec<Document>) = said.into_iter().unzip();
    Ok(Post {
        what: format!("lines {first} to {last}, for {for_reader}"),
        documents,
        is_query: false,
        lines: line_ranges(seqs),
        parts: Vec::new(),
    })
}

/// Returns the messages of lines that hold, for a reader: one document for each line, with its operation.
fn messages_of_entries<'a>(
    timeline: &Timeline,
    own: &Viewer,
    entries: impl Iterator<Item = &'a Entry<'a>>,
    to: &Viewer,
) -> Vec<(u64, Document)> {
    let numbers = numbers_in_posts(timeline, own, to);
    let standings = validities_for_viewer(timeline, to);
    let read: BTreeSet<u64> = log_entries(timeline, to)
        .iter()
        .map(|entry| entry.operation.seq)
        .collect();
    let words = valid_messages(&timeline.history, &read);
    let documents = entries.filter_map(|entry| {
        let operation = entry.operation;
        if !is_valid_line(operation, &standings) || is_of_waiting_ruling(timeline, operation) {
            return None;
        }
        let number = numbers.get(&operation.seq).copied().unwrap_or(entry.number);
        let said = words.present_documents_of(operation, to).into_iter();
        let said = said.filter(|document| document.kind != Kind::Notice);
        let said: Vec<Document> = said
            .map(|one| {
                with_numbers_for_people(timeline, operation, one.with_log_line_number(number))
            })
            .collect();
        let document = merged_document(&said);
        (!document.blocks.is_empty()).then_some((operation.seq, document))
    });
    documents.collect()
}
