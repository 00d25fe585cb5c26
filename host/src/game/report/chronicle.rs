//! Chronicle of a whole game for one reader: commands and messages by chapter, and ledgers.
//!
//! In: the history. Out: documents that hold only the content one reader may see, in no format yet. Parts that were
//! corrected later stay for the game master and are marked. Other readers do not get these parts, unless corrections
//! are to be shown to them too. Messages of a ruling that still waits are not part of the game yet, and are not shown.
//! A chapter is a phase of the clock.

mod ledgers;
pub(in crate::game) mod moment;
pub(in crate::game) mod valid_messages;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::doc::build::{emphasis, fields, heading, line, paragraph, quote, span, text};
use crate::doc::{Document, Style, Viewer};
use crate::game::report::chronicle::ledgers::ledger_documents;
use crate::game::report::chronicle::moment::Moment;
use crate::game::report::chronicle::valid_messages::{
    ValidMessages, is_valid_line, valid_messages,
};
use crate::game::report::dispute::{dispute_marks, disputes_for_viewer};
use crate::game::report::validity::{Validities, Validity, fate_in_words, validities_for_viewer};
use crate::game::report::waiting_operations::is_of_waiting_ruling;
use crate::game::ruling::last_query::{merged_document, viewer_in_language};
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::host_command_of_line;
use crate::game::timeline::fiat::Fiat;
use crate::game::timeline::log_entries::{Entry, documents_of_log_line, log_entries};
use crate::game::timeline::ruling_numbers::with_numbers_for_people;
use crate::store::What;
use crate::store::clock::Clock;
use crate::value::Value;
use crate::words::Words;

pub use crate::game::ruling::last_query::Post;

/// A whole game, as far as one reader may know of it.
pub struct Chronicle {
    /// Title above the chronicle.
    pub title: String,
    /// Facts about the game.
    pub facts: Vec<Fact>,
    /// The course of the game, from the beginning.
    pub chapters: Vec<Chapter>,
    /// Tables over the whole game.
    pub ledgers: Vec<Ledger>,
    /// The words around it.
    pub words: Arc<Words>,
}

/// A fact about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The key of its label among the words of the host.
    pub key: &'static str,
    /// Its label.
    pub label: String,
    /// Its value.
    pub value: String,
}

/// A table over a whole game.
pub struct Ledger {
    /// Its name in every language: `rolls`, `disputes`, `fiats` or `changes`.
    pub id: &'static str,
    /// Its title.
    pub title: String,
    /// The table.
    pub table: Document,
}

/// A part of the course of a game.
pub struct Chapter {
    /// The phase, as `day 2`.
    pub title: String,
    /// The events of this phase.
    pub events: Vec<Event>,
}

/// The events of one log line.
pub struct Event {
    /// Number of the line in the log of the reader.
    pub number: u64,
    /// Number of its operation: it shows how much others did, so no reader but the game master gets it.
    pub seq: u64,
    /// Giver of the command, if the reader may know it.
    pub by: Option<String>,
    /// The user who entered the command for the giver, if the reader may know it.
    pub through: Option<String>,
    /// The command.
    pub command: Option<String>,
    /// Later outcome of the line; empty if the line just holds.
    pub fate: String,
    /// Whether the line holds.
    pub holds: bool,
    /// Messages of the line.
    pub documents: Vec<Document>,
    /// The part of the game in which it begins: a phase, a round or a day; nothing where the clock has none of them.
    pub begins_in: Option<String>,
    /// The part of the game in which it ends.
    pub ends_in: Option<String>,
    /// Whether a host command without a rule made it, such as a typed die.
    pub is_note: bool,
    /// Whether it is a correction of an earlier line.
    pub is_correction: bool,
    /// Whether it only notes what was published.
    pub is_post_note: bool,
}

/// Whether a chronicle for other readers shows lines that were taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corrections {
    /// It holds only lines that are still valid.
    #[default]
    LeftOut,
    /// It holds everything, with marks.
    Told,
}

/// Returns the chronicle of the present game for a viewer; for the game master it shows all corrections.
///
/// Errors: `limit/interrupted`.
pub fn chronicle_for_viewer(
    timeline: &Timeline,
    viewer: &Viewer,
    corrections: Corrections,
) -> Result<Chronicle, Box<Diagnostic>> {
    let corrections = match viewer {
        Viewer::Gm => Corrections::Told,
        Viewer::Public | Viewer::Seat { .. } => corrections,
    };
    chronicle_with_corrections(timeline, viewer, corrections)
}

/// Returns the chronicle of the present game for a viewer, with corrections as they are asked for.
///
/// Errors: `limit/interrupted`.
pub(in crate::game) fn chronicle_with_corrections(
    timeline: &Timeline,
    viewer: &Viewer,
    corrections: Corrections,
) -> Result<Chronicle, Box<Diagnostic>> {
    let chapters = chapters_of_game(timeline, viewer, corrections, None)?;
    let ledgers = ledger_documents(timeline, viewer, corrections);
    check_not_interrupted(timeline)?;
    Ok(Chronicle {
        title: chronicle_title(timeline, viewer),
        facts: game_facts(timeline, viewer, &chapters),
        ledgers,
        chapters,
        words: timeline.words(),
    })
}

/// Checks that a long computation may go on. Errors: `limit/interrupted` if a user interrupts it.
pub fn check_not_interrupted(timeline: &Timeline) -> Result<(), Box<Diagnostic>> {
    let interrupted = timeline.generation().machine().interruption_refusal();
    interrupted.map_or(Ok(()), |refusal| Err(Box::new(refusal)))
}

fn game_facts(timeline: &Timeline, viewer: &Viewer, chapters: &[Chapter]) -> Vec<Fact> {
    let events: usize = chapters.iter().map(|chapter| chapter.events.len()).sum();
    let phase = Clock::from_state(&timeline.state, &timeline.rules().phases);
    let phase = phase.phase.map(|kind| format!("{kind} {}", phase.number));
    let words = timeline.words();
    let seed = &timeline.dice.seed;
    let dice = match seed.is_test() {
        true => "facts.test_dice",
        false => "facts.commitment",
    };
    let dice = words.fill(dice, &[("commitment", &seed.commitment())]);
    let mut facts = vec![
        ("facts.ruleset", timeline.game.ruleset.clone()),
        ("facts.reader", viewer_in_language(viewer, &words)),
        ("facts.lines", events.to_string()),
        ("facts.dice", dice),
    ];
    facts.extend(phase.map(|phase| ("facts.now", phase)));
    let is_fork = timeline.prefixes.are_of_fork();
    facts.extend(is_fork.then(|| ("facts.kind", words.text("facts.fork"))));
    let facts = facts.into_iter();
    let facts = facts.map(|(key, value)| Fact {
        key,
        label: words.text(key),
        value,
    });
    facts.collect()
}

/// Returns the chapters of the present game for a viewer. `numbers` are line numbers by operation that replace those
/// of the viewer's own log.
///
/// Errors: `limit/interrupted`.
pub(in crate::game) fn chapters_of_game(
    timeline: &Timeline,
    viewer: &Viewer,
    corrections: Corrections,
    numbers: Option<&BTreeMap<u64, u64>>,
) -> Result<Vec<Chapter>, Box<Diagnostic>> {
    let standings = validities_for_viewer(timeline, viewer);
    let marks = dispute_marks(&disputes_for_viewer(timeline, viewer), &timeline.words());
    let mut entries = log_entries(timeline, viewer);
    for entry in &mut entries {
        let number = numbers.and_then(|numbers| numbers.get(&entry.operation.seq));
        entry.number = number.copied().unwrap_or(entry.number);
    }
    let lines: BTreeSet<u64> = entries.iter().map(|one| one.operation.seq).collect();
    let words = match corrections {
        Corrections::LeftOut => Some(valid_messages(&timeline.history, &lines)),
        Corrections::Told => None,
    };
    let mut entries = entries.iter().peekable();
    let mut moment = Moment::before_game(timeline);
    let mut chapters: Vec<Chapter> = Vec::new();
    for operation in timeline.history.operations() {
        let begins_in = moment.part_of_game();
        moment.apply_changes(&operation.changes);
        let Some(entry) = entries.next_if(|entry| entry.operation.seq == operation.seq) else {
            continue;
        };
        check_not_interrupted(timeline)?;
        let event = event_of_entry(timeline, entry, viewer, (&standings, &marks));
        let event = match &words {
            Some(words) => valid_part_of_event(timeline, entry, event, viewer, (&standings, words)),
            None => Some(event),
        };
        let Some(mut event) = event else {
            continue;
        };
        let standing = words.as_ref().and_then(|words| words.phase_of(operation));
        let title = standing.map_or_else(
            || chapter_title(&moment.kind, &moment.number, &timeline.words()),
            |standing| chapter_title(&standing.kind, &standing.number, &timeline.words()),
        );
        event.ends_in = match standing {
            Some(standing) => moment::phase_in_words(&standing.kind, &standing.number),
            None => moment.part_of_game(),
        };
        event.begins_in = match &event.ends_in {
            // A phase that a correction moved says nothing about the one before.
            Some(_) if standing.is_some() => event.ends_in.clone(),
            _ => begins_in,
        };
        if chapters.last().is_none_or(|last| last.title != title) {
            let events = Vec::new();
            chapters.push(Chapter { title, events });
        }
        let chapter = chapters.last_mut();
        let chapter = chapter.expect("invariant: one was just made if there was none");
        chapter.events.push(event);
    }
    Ok(chapters)
}

/// Returns the valid part of a line; nothing if no part of it is valid.
fn valid_part_of_event(
    timeline: &Timeline,
    entry: &Entry<'_>,
    event: Event,
    viewer: &Viewer,
    (standings, words): (&Validities, &ValidMessages),
) -> Option<Event> {
    let operation = entry.operation;
    let documents = words.present_documents_of(operation, viewer).into_iter();
    let documents = documents.map(|one| {
        with_numbers_for_people(timeline, operation, one.with_log_line_number(entry.number))
    });
    let documents: Vec<Document> = documents.collect();
    let is_told = entry.is_own || !documents.is_empty();
    let is_changed = matches!(
        standings.validity_of(operation.seq),
        Validity::Changed { .. }
    );
    let fate = match is_changed {
        true => String::new(),
        false => event.fate,
    };
    (is_told && is_valid_line(operation, standings)).then_some(Event {
        fate,
        documents,
        ..event
    })
}

fn event_of_entry(
    timeline: &Timeline,
    entry: &Entry<'_>,
    viewer: &Viewer,
    (standings, marks): (&Validities, &BTreeMap<u64, String>),
) -> Event {
    let operation = entry.operation;
    let words = timeline.words();
    let fate = match fate_in_words(operation, standings, &words) {
        none if none.is_empty() && is_of_waiting_ruling(timeline, operation) => {
            words.text("fate.waits")
        }
        fate => fate,
    };
    let fiat = Fiat::of(operation).filter(|_| *viewer == Viewer::Gm);
    let fiat = fiat.map_or_else(String::new, |fiat| fiat.in_language(&words));
    let mark = marks.get(&entry.number).cloned().unwrap_or_default();
    let fate: Vec<String> = [fate, mark, fiat]
        .into_iter()
        .filter(|one| !one.is_empty())
        .collect();
    let own = |text: &str| entry.is_own.then(|| text.to_owned());
    Event {
        number: entry.number,
        seq: operation.seq,
        by: own(&operation.by),
        through: operation.through.as_deref().and_then(own),
        command: own(&operation.command),
        fate: fate.join(", "),
        holds: match operation.what {
            What::Undo { .. }
            | What::Redo { .. }
            | What::Posted { .. }
            | What::Withdrawn { .. } => true,
            _ => standings.has_effect(operation.seq),
        },
        documents: documents_of_log_line(timeline, operation, viewer, entry.number),
        begins_in: None,
        ends_in: None,
        is_note: host_command_of_line(&timeline.game.commands, &operation.command)
            .is_some_and(|command| command.does.is_without_rule()),
        is_correction: matches!(operation.what, What::Revert { .. } | What::Replace { .. }),
        is_post_note: operation.what.is_note(),
    }
}

impl Event {
    /// Returns the giver of the command in words: `Ann`, or `Ann (entered by gm)`.
    pub(in crate::game) fn given_by(&self, words: &Words) -> Option<String> {
        let by = self.by.as_ref()?;
        Some(match &self.through {
            Some(through) => words.fill("log.entered_by", &[("name", by), ("by", through)]),
            None => by.clone(),
        })
    }

    /// Returns the event as one document under a heading of its number.
    pub fn document(&self, words: &Words) -> Document {
        let mut spans = vec![text(format!("{}.", self.number))];
        if let Some(by) = self.given_by(words) {
            spans.push(text(format!(" {by}: ")));
        }
        if let Some(command) = &self.command {
            spans.push(span(Style::Code, command));
        }
        let mut blocks = vec![heading(3, line(spans))];
        if !self.fate.is_empty() {
            blocks.push(paragraph(line([emphasis(self.fate.as_str())])));
        }
        let said = merged_document(&self.documents).blocks;
        match self.holds {
            true => blocks.extend(said),
            false if said.is_empty() => {}
            // Messages that no longer count are set apart.
            false => blocks.push(quote(said)),
        }
        Document::new(blocks)
    }
}

impl Chronicle {
    /// Returns the facts above the chapters, without the title.
    pub fn head(&self) -> Document {
        let facts = self.facts.iter();
        let facts = facts.map(|fact| (fact.label.as_str(), fact.value.as_str()));
        Document::new([fields(facts)])
    }

    /// Returns the whole chronicle as one document.
    pub fn document(&self) -> Document {
        let mut blocks = vec![heading(1, self.title.as_str())];
        blocks.extend(self.head().blocks);
        for chapter in &self.chapters {
            blocks.push(heading(2, chapter.title.as_str()));
            let events = chapter.events.iter();
            blocks.extend(events.flat_map(|event| event.document(&self.words).blocks));
        }
        for ledger in &self.ledgers {
            blocks.push(heading(2, ledger.title.as_str()));
            blocks.extend(ledger.table.blocks.iter().cloned());
        }
        Document::new(blocks)
    }
}

/// Returns the title of the chapter of a phase.
fn chapter_title(kind: &Value, number: &Value, words: &Words) -> String {
    match (kind.as_str(), number.is_nil()) {
        (Some(kind), false) => format!("{kind} {number}"),
        (Some(kind), true) => kind.to_owned(),
        (None, _) => words.text("chapter.whole"),
    }
}

fn chronicle_title(timeline: &Timeline, viewer: &Viewer) -> String {
    let words = timeline.words();
    let key = match viewer {
        Viewer::Gm => "log.title_gm",
        Viewer::Public => "log.title_everybody",
        Viewer::Seat { .. } => "log.title_seat",
    };
    let reader = viewer_in_language(viewer, &words);
    words.fill(
        key,
        &[("ruleset", &timeline.game.ruleset), ("reader", &reader)],
    )
}
