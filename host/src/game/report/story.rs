//! The story of a game for one reader: a chronicle, arranged to be read.
//!
//! In: the chronicle, the state, and what the ruleset says about its cast. Out: open data without a format. The place of
//! a text follows from its kind; a chapter is a phase, a round or a day of the clock.

pub(in crate::game) mod chapters;
pub(in crate::game) mod replay;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::doc::{Block, Document, Kind, Line, Viewer, for_viewer};
use crate::game::question::open_questions::seats_in_play_or_error;
use crate::game::report::chronicle::moment::parts_of_operations;
use crate::game::report::chronicle::{
    Chronicle, Corrections, Fact, Ledger, chronicle_with_corrections,
};
use crate::game::report::corrected_posts::posts_corrected_for_reader;
use crate::game::report::status::{
    OpenPoll, clock_parts_in_words, open_polls_for_viewer, row_name_or_id,
};
use crate::game::report::story::chapters::{
    StoryChapter, first_line_of_document, story_chapters, turn_of_line,
};
use crate::game::ruling::last_query::viewer_in_language;
use crate::game::timeline::Timeline;
use crate::script::{self, GM};
use crate::store::clock::Clock;
use crate::value::Value;
use crate::words::Words;

/// The story of a game, as far as one reader may know of it.
pub struct Story {
    /// The name of the game for people.
    pub title: String,
    /// The reader: `everybody`, `the game master`, or a name.
    pub reader: String,
    /// The words around it.
    pub words: Arc<Words>,
    /// Facts about the game.
    pub facts: Vec<Fact>,
    /// The phase, the round, the turn and the time now.
    pub now: Vec<String>,
    /// Who plays.
    pub cast: Vec<CastMember>,
    /// How the game, or parts of it, ended.
    pub result: Vec<Document>,
    /// The board as the reader knows it, such as a map.
    pub board: Option<Document>,
    /// The polls that are open.
    pub polls: Vec<OpenPoll>,
    /// The course of the game, from the beginning.
    pub chapters: Vec<StoryChapter>,
    /// Tables over the whole game.
    pub tables: Vec<Ledger>,
}

/// What a reader knows of the state of a game, beside its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Who plays.
    pub cast: Vec<CastMember>,
    /// The board, such as a map.
    pub board: Option<Document>,
    /// The polls that are open.
    pub polls: Vec<OpenPoll>,
}

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastMember {
    /// The name.
    pub name: String,
    /// Whether this person is out of the game.
    pub is_out: bool,
    /// What is known about this person; may be empty.
    pub says: Line,
}

/// Returns the story of the present game for a viewer; with corrections, what was taken back stands in its place and is
/// marked.
///
/// Errors: `limit/interrupted`; a function of the ruleset fails.
pub fn story_for_viewer(
    timeline: &Timeline,
    viewer: &Viewer,
    corrections: Corrections,
) -> Result<Story, Box<Diagnostic>> {
    let chronicle = chronicle_with_corrections(timeline, viewer, corrections)?;
    let known = known_to_viewer(timeline, viewer)?;
    let clock = Clock::from_state(&timeline.state, &timeline.rules().phases);
    let turn = clock.turn.as_ref().map(|turn| &*turn.row);
    let turn = turn.map(|row| row_name_or_id(&timeline.state, row));
    let words = timeline.words();
    let mut chapters = story_chapters(&chronicle.chapters, &words);
    if corrections == Corrections::LeftOut {
        add_corrected_posts(timeline, viewer, &mut chapters)?;
    }
    Ok(Story {
        title: ruleset_text(timeline, "name", &timeline.game.ruleset),
        reader: viewer_in_language(viewer, &words),
        now: clock_parts_in_words(&clock, turn.as_deref(), timeline.state.times(), &words),
        cast: known.cast,
        result: results_of_chronicle(&chronicle),
        board: known.board,
        polls: known.polls,
        chapters,
        facts: chronicle.facts,
        tables: chronicle.ledgers,
        words,
    })
}

/// Returns what a viewer knows of the state of a game.
///
/// Errors: a function of the ruleset fails.
fn known_to_viewer(timeline: &Timeline, viewer: &Viewer) -> Result<Known, Box<Diagnostic>> {
    let machine = timeline.generation().machine();
    let views = script::story_views(&machine, &timeline.state, reader_word(viewer))?;
    let cast = match cast_members(&views.cast, viewer)? {
        lines if lines.is_empty() => seats_as_cast(timeline)?,
        lines => lines,
    };
    let time = Clock::from_state(&timeline.state, &timeline.rules().phases).time;
    Ok(Known {
        cast,
        board: board_document(&views.board, viewer)?,
        polls: open_polls_for_viewer(&timeline.state, viewer, time),
    })
}

/// Adds what was published and corrected later to the chapters in which it was given. What was taken back before
/// anybody read it is in no story.
///
/// Errors: `limit/interrupted`.
fn add_corrected_posts(
    timeline: &Timeline,
    viewer: &Viewer,
    chapters: &mut Vec<StoryChapter>,
) -> Result<(), Box<Diagnostic>> {
    let corrected = posts_corrected_for_reader(timeline, viewer)?;
    if corrected.is_empty() {
        return Ok(());
    }
    let lines: BTreeSet<u64> = corrected.iter().map(|one| one.line).collect();
    let parts = parts_of_operations(timeline, &lines);
    for one in corrected.into_iter().filter(|one| !one.was.is_empty()) {
        let said = one.was.first().map(first_line_of_document);
        let said = said.unwrap_or_default();
        let key = match one.now.is_empty() {
            true => "story.corrected",
            false => "story.ruled_again",
        };
        let text = timeline.words().fill(key, &[("said", &said)]);
        let part = parts.get(&one.line).and_then(|(begins_in, ends_in)| {
            let turn = turn_of_line(one.said.iter(), (begins_in, ends_in));
            match one.first_place < turn {
                true => begins_in.as_deref(),
                false => ends_in.as_deref(),
            }
        });
        let at = part.and_then(|part| chapters.iter().rposition(|chapter| chapter.title == part));
        if chapters.is_empty() {
            let whole = || timeline.words().text("chapter.whole");
            let title = part.map_or_else(whole, str::to_owned);
            chapters.push(StoryChapter {
                title,
                ..StoryChapter::default()
            });
        }
        let last = chapters.len() - 1;
        chapters[at.unwrap_or(last)].corrections.push(text);
    }
    Ok(())
}

/// Returns a text of the ruleset; another one where it has none.
fn ruleset_text(timeline: &Timeline, key: &str, other: &str) -> String {
    let rules = timeline.rules();
    rules.ruleset.get(key).as_str().unwrap_or(other).to_owned()
}

/// Returns the person that the ruleset sees for a viewer. Members of a group share no person: it sees the public.
pub(in crate::game) fn reader_word(viewer: &Viewer) -> &str {
    match viewer {
        Viewer::Gm => GM,
        Viewer::Seat { name, .. } if viewer.as_group().is_none() => name,
        Viewer::Public | Viewer::Seat { .. } => "public",
    }
}

/// Reads the cast of the ruleset. Errors: `script/document`, a line is not `{ who, out?, says? }`.
fn cast_members(cast: &Value, viewer: &Viewer) -> Result<Vec<CastMember>, Box<Diagnostic>> {
    let members = cast.items().iter().map(|member| {
        let name = member.get("who").as_str().ok_or_else(|| {
            let message = "`cast` of the ruleset returns a line without a name";
            let hint =
                "a line is { who = NAME, out = true, says = LINE }; out and says may be missing";
            Box::new(Diagnostic::error("script/document", message).hint(hint))
        })?;
        // A field is a label with a line, so that the line is read and reduced like that of a document.
        let pair = Value::list([Value::from(name), member.get("says").clone()]);
        let fields = Value::map([("fields", Value::list([pair]))]);
        let seen = for_viewer(&Document::from_value(&fields)?, viewer);
        let says = match seen
            .map(|seen| seen.blocks)
            .unwrap_or_default()
            .as_mut_slice()
        {
            [Block::Fields(fields)] => fields.pop().map(|field| field.value),
            _ => None,
        };
        Ok(CastMember {
            name: name.to_owned(),
            is_out: member.get("out").as_bool() == Some(true),
            says: says.unwrap_or_default(),
        })
    });
    members.collect()
}

/// Returns the seats, for a ruleset that says nothing about its cast.
fn seats_as_cast(timeline: &Timeline) -> Result<Vec<CastMember>, Box<Diagnostic>> {
    let seats = seats_in_play_or_error(timeline)?;
    let members = seats.names().unwrap_or_default().into_iter();
    let members = members.map(|name| CastMember {
        name: name.to_owned(),
        is_out: false,
        says: Line::default(),
    });
    Ok(members.collect())
}

pub(in crate::game) fn board_document(
    board: &Value,
    viewer: &Viewer,
) -> Result<Option<Document>, Box<Diagnostic>> {
    if board.is_nil() {
        return Ok(None);
    }
    let seen = for_viewer(&Document::from_value(board)?, viewer);
    Ok(seen.filter(|seen| !seen.blocks.is_empty()))
}

/// Returns the results that hold, in order.
fn results_of_chronicle(chronicle: &Chronicle) -> Vec<Document> {
    let events = chronicle
        .chapters
        .iter()
        .flat_map(|chapter| &chapter.events);
    let documents = events
        .filter(|event| event.holds)
        .flat_map(|event| &event.documents);
    documents
        .filter(|document| document.kind == Kind::Result)
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{line, text};
    use crate::value::from_json;

    #[test]
    fn a_line_of_the_cast_is_reduced_to_what_its_reader_may_know() {
        let json = r#"[{"who": "Ann", "out": true,
                        "says": ["dead since Night 1", {"text": ", a spy", "audience": "gm"}]},
                       {"who": "Bo", "says": {"text": "a spy", "audience": "gm"}}, {"who": "Cy"}]"#;
        let cast = from_json(&serde_json::from_str(json).unwrap()).unwrap();
        let seen = |viewer: &Viewer| cast_members(&cast, viewer).unwrap();
        let public = seen(&Viewer::Public);
        assert_eq!(public[0].says, line([text("dead since Night 1")]));
        assert!(public[0].is_out && public[1].says.is_empty() && public[2].says.is_empty());
        assert_eq!(seen(&Viewer::Gm)[1].says.0[0].text, "a spy");
        let nameless = Value::list([Value::map([("out", true.into())])]);
        let refusal = cast_members(&nameless, &Viewer::Gm).unwrap_err();
        assert!(refusal.message.contains("a line without a name"));
    }
}
