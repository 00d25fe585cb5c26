//! Describes the changes of a correction in the words of the game.
//!
//! The text shows new lines of rulings, lines that are gone, and the changed questions with the person asked.

use std::collections::BTreeMap;

use crate::doc::{Audience, Document, plain};
use crate::game::past::correction::lost_answers::{LostAnswer, unanswered_questions_of_state};
use crate::game::past::correction::rerun_result::RerunResult;
use crate::game::past::correction::ruling_effect::RulingEffect;
use crate::game::past::former_sentences::text_in_present_words;
use crate::game::ruling::ruling_context::Manner;
use crate::game::timeline::Timeline;
use crate::store::{Operation, State, What};
use crate::value::Value;

/// Largest number of lines that are shown of one ruling; the others are counted.
const LINES: usize = 8;
/// Largest number of characters of a line.
const CHARACTERS: usize = 160;

/// The ruling that another one replaces, if one does, and the documents of the new one.
pub(super) type Replacement<'a> = (Option<u64>, &'a [Value]);

/// Describes the changes. `left` are the rulings that are left out. `back` are the rulings that were left out and are
/// valid again. `new` are the documents of the ruling that replaces the ruling `of`: their lines are not gone.
/// `ruling_number` belongs to the waiting correction: its own question is not a change.
pub(super) fn correction_in_words(
    timeline: &Timeline,
    (left, back, (of, new)): (&[u64], &[u64], Replacement<'_>),
    (ran, now): (&[RerunResult], &BTreeMap<u64, RulingEffect>),
    (fallen, last): (&[LostAnswer], &State),
    (ruling_number, manner): (Option<u64>, Manner),
) -> Vec<String> {
    let rulings = |all: &[u64]| -> Vec<Operation> {
        let recorded = all
            .iter()
            .filter_map(|seq| timeline.history.operation(*seq));
        let rulings = recorded.filter(|one| one.what == What::Ruling);
        rulings.cloned().collect()
    };
    let mut words = Vec::new();
    for one in rulings(left) {
        let stood = now.get(&one.seq).filter(|_| manner >= Manner::Standing);
        let said = stood.map_or(&one.documents, |stood| &stood.documents);
        let new: &[Value] = if of == Some(one.seq) { new } else { &[] };
        words.extend(lines_no_longer_said(one.seq, said, new));
    }
    for one in rulings(back) {
        words.extend(line_differences(one.seq, &[], &one.documents));
    }
    for one in ran.iter().filter(|one| !one.effect.waits) {
        let Some(now) = now.get(&one.seq).filter(|now| !now.waits) else {
            continue;
        };
        words.extend(line_differences(
            one.seq,
            &now.documents,
            &one.effect.documents,
        ));
    }
    words.extend(fallen.iter().map(LostAnswer::in_words));
    words.extend(questions_gone_and_new(
        (&timeline.state, ruling_number),
        last,
        fallen,
    ));
    words
}

/// Lists the lines of a ruling that come and go.
fn line_differences(seq: u64, now: &[Value], then: &[Value]) -> Vec<String> {
    let (now, then) = (document_lines(now), document_lines(then));
    let said = lines_of_first_only((seq, "no longer says"), &now, &then);
    let says = lines_of_first_only((seq, "says"), &then, &now);
    said.into_iter().chain(says).collect()
}

/// Lists the lines of a ruling that go.
fn lines_no_longer_said(seq: u64, now: &[Value], then: &[Value]) -> Option<String> {
    let (now, then) = (document_lines(now), document_lines(then));
    lines_of_first_only((seq, "no longer says"), &now, &then)
}

/// Lists the lines that only the first messages of a ruling have.
fn lines_of_first_only(
    (seq, word): (u64, &str),
    all: &[String],
    others: &[String],
) -> Option<String> {
    let new: Vec<&String> = all.iter().filter(|one| !others.contains(one)).collect();
    let more = match new.len().saturating_sub(LINES) {
        0 => String::new(),
        more => format!(" and {more} lines more"),
    };
    let shown = new.iter().take(LINES).map(|one| shortened_line(one));
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| format!("{seq} {word}: {}{more}", shown.join(" / ")))
}

/// Returns the lines of the messages of a ruling. Each line that is not public begins with its audience.
fn document_lines(documents: &[Value]) -> Vec<String> {
    let documents = documents.iter();
    let documents = documents.filter_map(|value| Document::from_value(value).ok());
    let lines = documents.flat_map(|document| {
        let to = match &document.audience {
            Audience::Public => String::new(),
            to => format!("{to}: "),
        };
        let text = plain(&document);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.map(|line| format!("{to}{}", text_in_present_words(line.trim())));
        lines.collect::<Vec<_>>()
    });
    lines.collect()
}

fn shortened_line(line: &str) -> String {
    match line.char_indices().nth(CHARACTERS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// Lists the questions that are gone or new after the correction. A question that is asked again after a lost answer is
/// reported with that answer.
fn questions_gone_and_new(
    (now, ruling_number): (&State, Option<u64>),
    then: &State,
    fallen: &[LostAnswer],
) -> Vec<String> {
    let shown = |state: &State| -> Vec<(String, String)> {
        let asked = unanswered_questions_of_state(state, ruling_number).into_iter();
        asked.map(|one| (one.to, one.text)).collect()
    };
    let (mut gone, mut new) = (shown(now), Vec::new());
    for one in shown(then) {
        match gone.iter().position(|known| *known == one) {
            Some(at) => {
                gone.remove(at);
            }
            None => new.push(one),
        }
    }
    let is_told =
        |one: &(String, String)| fallen.iter().any(|fallen| fallen.is_asked_again_by(one));
    new.retain(|one| !is_told(one));
    let new = new
        .into_iter()
        .map(|(to, text)| format!("{to} is asked: {text}"));
    let gone = gone
        .into_iter()
        .map(|(to, text)| format!("{to} is not asked any more: {text}"));
    new.chain(gone).collect()
}
