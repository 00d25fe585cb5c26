//! Arranges the events of a chronicle into chapters: text, and runs of ledger lines that fold into one summary.

use std::collections::BTreeMap;

use crate::doc::build::{line, paragraph, span, text};
use crate::doc::{Audience, Block, Document, Kind, Line, Style, Tally, plain};
use crate::game::report::chronicle::{Chapter, Event};
use crate::words::Words;

/// A chapter of a story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoryChapter {
    /// The phase, the round or the day.
    pub title: String,
    /// Its content, in order.
    pub passages: Vec<Passage>,
    /// What was published of it and corrected later, one line each.
    pub corrections: Vec<String>,
}

/// A part of a chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// A text.
    Text(Entry),
    /// Lines of a ledger, with their sum.
    Ledger {
        /// One line about all of them, such as `Tea: 2 votes for Bo`.
        summary: String,
        /// The lines, at least one.
        entries: Vec<Entry>,
    },
}

/// One text of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of its line in the log of the reader.
    pub number: u64,
    /// Number of its operation.
    pub seq: u64,
    /// Its place among the messages of the operation to the reader, from 0, without notices; nothing for a command.
    pub place: Option<u64>,
    /// The number of these messages.
    pub messages: u64,
    /// The text.
    pub document: Document,
    /// Whether it holds.
    pub holds: bool,
    /// Later outcome of its line; empty if it just holds.
    pub fate: String,
}

/// The last choices of a chapter about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectTally {
    /// The subject, such as the name of a poll.
    pub subject: String,
    /// Each choice with those who chose it, the most frequent first.
    pub choices: Vec<(String, Vec<String>)>,
}

/// The place of a chapter in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The part of the game that it covers.
    pub(super) part: Option<String>,
    /// Number of the operation that opened it; 0 if nobody was told of that one.
    pub(super) from: u64,
    /// Number of the operation that opened the next chapter; nothing for the last one.
    pub(super) until: Option<u64>,
}

/// Returns the chapters of a chronicle as those of a story. Notices are left out, and so are chapters without text.
pub(in crate::game) fn story_chapters(chapters: &[Chapter], words: &Words) -> Vec<StoryChapter> {
    let placed = placed_story_chapters(chapters, words).into_iter();
    placed.map(|(chapter, _)| chapter).collect()
}

/// Returns the chapters of a chronicle as a story has them, each with its place in the history.
pub(super) fn placed_story_chapters(
    chapters: &[Chapter],
    words: &Words,
) -> Vec<(StoryChapter, Place)> {
    let mut builder = Builder::new(words);
    let events = chapters.iter().flat_map(|chapter| &chapter.events);
    for event in events.filter(|event| !event.is_post_note) {
        builder.add_event(event);
    }
    builder.close_run();
    let mut chapters: Vec<(StoryChapter, Place)> =
        builder.chapters.into_iter().zip(builder.places).collect();
    chapters.retain(|(chapter, _)| !chapter.passages.is_empty());
    match &mut chapters[..] {
        // What comes before the first part of a game is the whole of one without parts.
        [(only, place)] if place.part.is_none() && only.title == words.text("chapter.before") => {
            only.title = words.text("chapter.whole");
        }
        _ => {}
    }
    chapters
}

/// Returns the last choices of a chapter by subject, in the order in which the subjects came up. Choices that do not
/// hold are left out, and so are subjects without a choice.
pub(super) fn tallies_of_chapter(chapter: &StoryChapter) -> Vec<SubjectTally> {
    let mut choices = Choices::default();
    for passage in &chapter.passages {
        let entries = match passage {
            Passage::Text(_) => continue,
            Passage::Ledger { entries, .. } => entries.iter().filter(|entry| entry.holds),
        };
        let tallies = entries.filter_map(|entry| entry.document.tally.as_ref());
        tallies.for_each(|tally| choices.add(tally));
    }
    let tally = |subject: &String| {
        let counted = choices.about(subject).into_iter();
        let owned = |voters: Vec<&str>| voters.into_iter().map(str::to_owned).collect();
        SubjectTally {
            subject: subject.clone(),
            choices: counted
                .map(|(choice, voters)| (choice.to_owned(), owned(voters)))
                .collect(),
        }
    };
    let tallies = choices.subjects.iter().map(tally);
    tallies.filter(|tally| !tally.choices.is_empty()).collect()
}

struct Builder<'w> {
    words: &'w Words,
    chapters: Vec<StoryChapter>,
    /// The place of each chapter.
    places: Vec<Place>,
    /// By subject and person: the last choices of the chapter, with the order of the subjects.
    choices: Choices,
    has_begun: bool,
}

impl Builder<'_> {
    fn new(words: &Words) -> Builder<'_> {
        Builder {
            words,
            chapters: Vec::new(),
            places: Vec::new(),
            choices: Choices::default(),
            has_begun: false,
        }
    }

    fn add_event(&mut self, event: &Event) {
        let told: Vec<Entry> = entries_of_event(event, self.words);
        let documents = told.iter().map(|entry| &entry.document);
        let turn = turn_of_line(documents, (&event.begins_in, &event.ends_in));
        for (at, entry) in told.into_iter().enumerate() {
            let part = if at < turn {
                &event.begins_in
            } else {
                &event.ends_in
            };
            self.open_chapter(part.as_deref(), event);
            self.add_entry(entry);
        }
        // A line without a text opens its chapter too: what comes next belongs to it.
        self.open_chapter(event.ends_in.as_deref(), event);
    }

    fn open_chapter(&mut self, part: Option<&str>, event: &Event) {
        self.has_begun |= part.is_some();
        let without = match self.has_begun {
            true => "chapter.after",
            false => "chapter.before",
        };
        let title = part.map_or_else(|| self.words.text(without), str::to_owned);
        if self.chapters.last().is_none_or(|last| last.title != title) {
            self.close_run();
            self.choices = Choices::default();
            if let Some(last) = self.places.last_mut() {
                last.until = Some(event.seq);
            }
            self.places.push(Place {
                part: part.map(str::to_owned),
                from: match part == event.ends_in.as_deref() {
                    true => event.seq,
                    false => 0,
                },
                until: None,
            });
            self.chapters.push(StoryChapter {
                title,
                ..StoryChapter::default()
            });
        }
    }

    fn add_entry(&mut self, mut entry: Entry) {
        if entry.document.kind != Kind::Ledger {
            self.close_run();
        }
        let chapter = self.chapters.last_mut();
        let chapter = chapter.expect("invariant: a chapter was just opened");
        remove_repeated_title(&mut entry.document, &chapter.title);
        if entry.document.blocks.is_empty() {
            return;
        }
        if entry.document.kind != Kind::Ledger {
            chapter.passages.push(Passage::Text(entry));
            return;
        }
        if let Some(tally) = entry.document.tally.as_ref().filter(|_| entry.holds) {
            self.choices.add(tally);
        }
        match chapter.passages.last_mut() {
            Some(Passage::Ledger { entries, .. }) => entries.push(entry),
            Some(Passage::Text(_)) | None => {
                let (summary, entries) = (String::new(), vec![entry]);
                chapter.passages.push(Passage::Ledger { summary, entries });
            }
        }
    }

    /// Sums up the run of ledger lines at the end of the last chapter, if there is one.
    fn close_run(&mut self) {
        let last = self.chapters.last_mut();
        let last = last.and_then(|chapter| chapter.passages.last_mut());
        if let Some(Passage::Ledger { summary, entries }) = last {
            *summary = ledger_summary(entries, &self.choices, self.words);
        }
    }
}

/// Returns the texts of an event. Neither a notice nor the word of a host command without a rule is one. A line of the
/// reader without a text appears as its command.
fn entries_of_event(event: &Event, words: &Words) -> Vec<Entry> {
    let is_told = |(_, document): &(u64, &Document)| {
        let is_report = event.is_correction && document.audience == Audience::Gm;
        !event.is_note && !is_report
    };
    let messages: Vec<&Document> = event
        .documents
        .iter()
        .filter(|document| document.kind != Kind::Notice)
        .collect();
    let count = messages.len() as u64;
    let told = (0..).zip(messages).filter(is_told);
    let mut told: Vec<(Option<u64>, Document)> = told
        .map(|(place, document)| (Some(place), document.clone()))
        .collect();
    if let (true, true, Some(by), Some(command)) = (
        told.is_empty(),
        event.holds,
        event.given_by(words),
        &event.command,
    ) {
        let line = line([text(format!("{by}: ")), span(Style::Code, command)]);
        told.push((None, Document::new([paragraph(line)]).of_kind(Kind::Ledger)));
    }
    let entry = |(place, document)| Entry {
        number: event.number,
        seq: event.seq,
        place,
        messages: count,
        document,
        holds: event.holds,
        fate: event.fate.clone(),
    };
    told.into_iter().map(entry).collect()
}

/// Returns how many texts of a line belong to the part of the game that ends: those before the text that announces the
/// next part. A line that announces none but has a result ends the game, so all of it belongs to that part.
pub(super) fn turn_of_line<'a>(
    texts: impl Iterator<Item = &'a Document>,
    (begins_in, ends_in): (&Option<String>, &Option<String>),
) -> usize {
    if begins_in == ends_in {
        return 0;
    }
    let texts: Vec<&Document> = texts.collect();
    let announces = |text: &&Document| {
        let title = ends_in.as_deref();
        title.is_some_and(|title| is_title(text.blocks.first(), title))
    };
    let has_result = texts.iter().any(|text| text.kind == Kind::Result);
    let announced = texts.iter().position(announces);
    announced.unwrap_or(if has_result { texts.len() } else { 0 })
}

/// Removes a first heading or paragraph that says no more than the title of its chapter.
fn remove_repeated_title(document: &mut Document, title: &str) {
    if is_title(document.blocks.first(), title) {
        document.blocks.remove(0);
    }
}

fn is_title(block: Option<&Block>, title: &str) -> bool {
    let Some(Block::Heading { line, .. } | Block::Paragraph(line)) = block else {
        return false;
    };
    line_text(line).trim().to_lowercase() == title.to_lowercase()
}

fn line_text(line: &Line) -> String {
    line.0.iter().map(|span| span.text.as_str()).collect()
}

/// The last choices of a chapter.
#[derive(Default)]
struct Choices {
    subjects: Vec<String>,
    last: BTreeMap<(String, String), Option<String>>,
}

impl Choices {
    fn add(&mut self, tally: &Tally) {
        if !self.subjects.contains(&tally.of) {
            self.subjects.push(tally.of.clone());
        }
        let key = (tally.of.clone(), tally.by.clone());
        self.last.insert(key, tally.choice.clone());
    }

    /// Returns the choices about a subject, each with those who chose it, the most frequent first.
    fn about(&self, subject: &str) -> Vec<(&str, Vec<&str>)> {
        let mut choices: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ((of, by), choice) in &self.last {
            if let Some(choice) = choice.as_deref().filter(|_| of == subject) {
                choices.entry(choice).or_default().push(by);
            }
        }
        let mut choices: Vec<(&str, Vec<&str>)> = choices.into_iter().collect();
        choices.sort_by_key(|(_, voters)| std::cmp::Reverse(voters.len()));
        choices
    }

    /// Returns the choices about a subject as `2 votes for Bo, 1 for Ann`, the most frequent first.
    fn in_words(&self, subject: &str, words: &Words) -> String {
        let counts = self.about(subject);
        let told = counts.iter().enumerate().map(|(at, (choice, voters))| {
            let key = if at == 0 {
                "votes.first"
            } else {
                "votes.further"
            };
            words.count(key, voters.len(), &[("choice", choice)])
        });
        match counts.is_empty() {
            true => words.text("votes.none"),
            false => told.collect::<Vec<String>>().join(", "),
        }
    }
}

/// Maximum number of characters of a line that stands for all.
const SHORT: usize = 72;

/// Returns one line about ledger lines: the counts of the chapter so far, else the first line and the number of others.
fn ledger_summary(entries: &[Entry], choices: &Choices, words: &Words) -> String {
    let of = |entry: &Entry| entry.document.tally.as_ref().map(|tally| tally.of.clone());
    let said: Vec<String> = entries
        .iter()
        .filter(|entry| entry.holds)
        .filter_map(of)
        .collect();
    let subjects = choices
        .subjects
        .iter()
        .filter(|subject| said.contains(subject));
    let mut parts: Vec<String> = subjects
        .map(|subject| format!("{subject}: {}", choices.in_words(subject, words)))
        .collect();
    let others: Vec<&Entry> = entries.iter().filter(|entry| of(entry).is_none()).collect();
    parts.extend(match (&others[..], parts.is_empty()) {
        ([], _) => None,
        ([first], _) => Some(first_line(first)),
        ([first, more @ ..], true) => {
            Some(words.count("folded.more", more.len(), &[("line", &first_line(first))]))
        }
        (all, false) => Some(words.count("folded.more_lines", all.len(), &[])),
    });
    match parts.is_empty() {
        true => words.count("folded.gone", entries.len(), &[]),
        false => parts.join(" · "),
    }
}

fn first_line(entry: &Entry) -> String {
    first_line_of_document(&entry.document)
}

/// Returns the first line of a document, cut where it is long.
pub(in crate::game) fn first_line_of_document(document: &Document) -> String {
    let text = plain(document);
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(SHORT).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    short + more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::heading;

    fn vote(by: &str, choice: Option<&str>) -> Document {
        let said = format!("{by} votes for {}.", choice.unwrap_or("nobody"));
        Document {
            tally: Some(Tally {
                of: "Tea".into(),
                by: by.into(),
                choice: choice.map(str::to_owned),
            }),
            ..Document::new([paragraph(said)]).of_kind(Kind::Ledger)
        }
    }

    fn event(number: u64, parts: (&str, &str), documents: Vec<Document>) -> Event {
        let part = |part: &str| (!part.is_empty()).then(|| part.to_owned());
        Event {
            number,
            seq: number,
            by: None,
            through: None,
            command: None,
            fate: String::new(),
            holds: true,
            documents,
            begins_in: part(parts.0),
            ends_in: part(parts.1),
            is_note: false,
            is_correction: false,
            is_post_note: false,
        }
    }

    fn chapters(events: Vec<Event>) -> Vec<StoryChapter> {
        let words = Words::english();
        let mut builder = Builder::new(&words);
        events.iter().for_each(|event| builder.add_event(event));
        builder.close_run();
        builder.chapters
    }

    fn shown(chapter: &StoryChapter) -> Vec<String> {
        let passages = chapter.passages.iter().map(|passage| match passage {
            Passage::Text(entry) => plain(&entry.document),
            Passage::Ledger { summary, entries } => format!("[{}] {summary}", entries.len()),
        });
        passages.collect()
    }

    #[test]
    fn a_line_that_ends_a_phase_tells_its_end_in_that_phase() {
        let told = vec![
            Document::new([paragraph("The bell rings.")]),
            Document::new([heading(1, "Night 1"), paragraph("Day 1 is over.")]),
        ];
        let found = chapters(vec![
            event(1, ("", "Day 1"), vec![Document::new([paragraph("day 1")])]),
            event(2, ("Day 1", "Night 1"), told),
        ]);
        let titles: Vec<&str> = found.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["Day 1", "Night 1"]);
        assert_eq!(shown(&found[0]), ["The bell rings."]);
        assert_eq!(shown(&found[1]), ["Day 1 is over."]);
    }

    #[test]
    fn a_line_that_ends_the_game_is_told_in_the_phase_that_ends() {
        let result = Document::new([paragraph("Ann wins.")]).of_kind(Kind::Result);
        let told = vec![Document::new([paragraph("The bell rings.")]), result];
        let found = chapters(vec![
            event(1, ("", "Day 1"), vec![Document::new([paragraph("day 1")])]),
            event(2, ("Day 1", "Night 1"), told.clone()),
        ]);
        assert_eq!(shown(&found[0]), ["The bell rings.", "Ann wins."]);
        assert!(found[1].title == "Night 1" && found[1].passages.is_empty());
        let found = chapters(vec![event(2, ("Day 1", "Night 1"), told[..1].to_vec())]);
        assert_eq!(found[0].title, "Night 1");
    }

    #[test]
    fn votes_fold_into_the_count_of_the_last_choice_of_each_voter() {
        let say = |text: &str| vec![Document::new([paragraph(text)])];
        let day = ("Day 1", "Day 1");
        let found = chapters(vec![
            event(1, day, vec![vote("Ann", Some("Bo"))]),
            event(2, day, vec![vote("Bo", Some("Ann"))]),
            event(3, day, vec![vote("Ann", Some("Cy"))]),
            event(4, day, say("A bell rings.")),
            event(5, day, vec![vote("Cy", Some("Ann"))]),
            event(6, day, vec![vote("Bo", None)]),
        ]);
        assert_eq!(
            shown(&found[0]),
            [
                "[3] Tea: 1 vote for Ann, 1 for Cy",
                "A bell rings.",
                "[2] Tea: 1 vote for Ann, 1 for Cy"
            ]
        );
    }

    #[test]
    fn a_chapter_ends_where_the_next_one_begins_and_knows_who_chose_whom() {
        let words = Words::english();
        let mut builder = Builder::new(&words);
        let day = ("Day 1", "Day 1");
        let mut undone = event(4, day, vec![vote("Cy", Some("Bo"))]);
        undone.holds = false;
        for event in [
            event(1, ("", "Day 1"), vec![vote("Ann", Some("Bo"))]),
            event(2, day, vec![vote("Bo", Some("Ann"))]),
            event(3, day, vec![vote("Bo", Some("Cy"))]),
            undone,
            event(5, day, vec![vote("Dot", Some("Cy"))]),
            event(7, ("Day 1", "Night 1"), Vec::new()),
        ] {
            builder.add_event(&event);
        }
        let place = |part: &str, from: u64, until: Option<u64>| Place {
            part: Some(part.to_owned()),
            from,
            until,
        };
        assert_eq!(
            builder.places,
            [place("Day 1", 1, Some(7)), place("Night 1", 7, None)]
        );
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let tally = SubjectTally {
            subject: "Tea".into(),
            choices: vec![
                ("Cy".into(), names(&["Bo", "Dot"])),
                ("Bo".into(), names(&["Ann"])),
            ],
        };
        assert_eq!(tallies_of_chapter(&builder.chapters[0]), [tally]);
    }

    #[test]
    fn moves_fold_behind_the_first_of_them_and_notices_are_left_out() {
        let step = |text: &str| vec![Document::new([paragraph(text)]).of_kind(Kind::Ledger)];
        let notice = Document::new([paragraph("Noted.")]).of_kind(Kind::Notice);
        let round = ("Round 1", "Round 1");
        let mut typed = event(4, round, vec![Document::new([paragraph("Typed: 3.")])]);
        typed.is_note = true;
        let found = chapters(vec![
            event(1, round, step("Ann goes north.")),
            event(2, round, vec![notice]),
            event(3, round, step("Bo goes south.")),
            typed,
        ]);
        assert_eq!(shown(&found[0]), ["[2] Ann goes north. (1 more)"]);
    }

    #[test]
    fn a_line_of_the_reader_without_a_text_is_told_as_its_command() {
        let mut own = event(1, ("Night 1", "Night 1"), Vec::new());
        (own.by, own.command) = (Some("Ann".into()), Some("answer Bo".into()));
        assert_eq!(shown(&chapters(vec![own])[0]), ["[1] Ann: answer Bo"]);
    }

    #[test]
    fn a_vote_that_was_taken_back_does_not_count() {
        let mut undone = event(1, ("Day 1", "Day 1"), vec![vote("Ann", Some("Bo"))]);
        undone.holds = false;
        let found = chapters(vec![undone]);
        assert_eq!(shown(&found[0]), ["[1] 1 line that no longer holds"]);
    }
}
