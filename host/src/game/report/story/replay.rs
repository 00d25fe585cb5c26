//! The replay of a game: its story chapter by chapter, each with what its reader could know when the chapter ended.
//!
//! In: the chapters with their places in the history, and the states of the past. Out: open data without a format. What
//! a chapter knows is read from the state before the operation that ended it. So nothing of a later chapter is in it.
//!
//! A correction changes the past, and no state of that past is recorded. Chapters that ended between a ruling and its
//! correction have texts, and no cast: their recorded states hold what was taken back.

use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::game::report::chronicle::moment::parts_after_live_operations;
use crate::game::report::chronicle::{
    Corrections, Fact, check_not_interrupted, chronicle_with_corrections,
};
use crate::game::report::story::chapters::{
    Entry, Passage, Place, StoryChapter, SubjectTally, placed_story_chapters, tallies_of_chapter,
};
use crate::game::report::story::{Known, known_to_viewer, ruleset_text};
use crate::game::ruling::last_query::viewer_in_language;
use crate::game::timeline::Timeline;
use crate::store::{Next, What};
use crate::words::Words;

/// The replay of a game, as far as one reader may know of it.
pub struct Replay {
    /// The name of the game for people.
    pub title: String,
    /// The reader: `everybody` or `the game master`.
    pub reader: String,
    /// Facts about the game that tell nothing of its course.
    pub facts: Vec<Fact>,
    /// The words around it.
    pub words: Arc<Words>,
    /// The chapters, from the beginning.
    pub scenes: Vec<Scene>,
}

/// A chapter of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What happened.
    pub chapter: StoryChapter,
    /// The last votes of the chapter.
    pub tallies: Vec<SubjectTally>,
    /// What the reader knew at its end; nothing if a later correction changed what happened until then.
    pub known: Option<Known>,
}

/// Keys of facts that tell how far a game went.
const FACTS_ABOUT_THE_END: [&str; 2] = ["facts.lines", "facts.now"];

/// Returns the replay of the present game for a viewer: only what stands.
///
/// Errors: `limit/interrupted`; a function of the ruleset fails.
pub fn replay_for_viewer(timeline: &Timeline, viewer: &Viewer) -> Result<Replay, Box<Diagnostic>> {
    let chronicle = chronicle_with_corrections(timeline, viewer, Corrections::LeftOut)?;
    let past = Past::of(timeline);
    let mut scenes = Vec::new();
    for (mut chapter, place) in placed_story_chapters(&chronicle.chapters, &chronicle.words) {
        check_not_interrupted(timeline)?;
        let known = match past.moment_after(&place) {
            Some(moment) => Some(known_at(timeline, viewer, moment).map_err(|finding| {
                let hint = format!("this is about the cast at the end of {}", chapter.title);
                Box::new((*finding).hint(hint))
            })?),
            None => None,
        };
        remove_fates(&mut chapter);
        scenes.push(Scene {
            tallies: tallies_of_chapter(&chapter),
            chapter,
            known,
        });
    }
    let mut facts = chronicle.facts;
    facts.retain(|fact| !FACTS_ABOUT_THE_END.contains(&fact.key));
    Ok(Replay {
        title: ruleset_text(timeline, "name", &timeline.game.ruleset),
        reader: viewer_in_language(viewer, &chronicle.words),
        words: timeline.words(),
        facts,
        scenes,
    })
}

/// Returns what a viewer knew before an operation.
fn known_at(timeline: &Timeline, viewer: &Viewer, seq: u64) -> Result<Known, Box<Diagnostic>> {
    let state = timeline.history.state_before(seq);
    let state = state.map_err(|error| Box::new(error.to_diagnostic()))?;
    known_to_viewer(&timeline.beginning_with_state(state, Next::first()), viewer)
}

/// Removes the later outcomes of lines, such as `disputed in 10`: they appear in the chapter where they happen.
fn remove_fates(chapter: &mut StoryChapter) {
    for passage in &mut chapter.passages {
        let entries: &mut [Entry] = match passage {
            Passage::Text(entry) => std::slice::from_mut(entry),
            Passage::Ledger { entries, .. } => entries,
        };
        entries.iter_mut().for_each(|entry| entry.fate.clear());
    }
}

/// The operations of a game, to find the moment at which a chapter ends.
struct Past<'a> {
    timeline: &'a Timeline,
    /// The live operations, oldest first, each with the part of the game after it.
    parts: Vec<(u64, Option<String>)>,
    /// The valid rulings, in order; nothing in a game without corrections.
    valid: Option<Vec<u64>>,
}

impl Past<'_> {
    fn of(timeline: &Timeline) -> Past<'_> {
        let mut operations = timeline.history.operations().iter();
        let is_corrected = operations
            .any(|operation| matches!(operation.what, What::Revert { .. } | What::Replace { .. }));
        Past {
            timeline,
            parts: parts_after_live_operations(timeline),
            valid: is_corrected.then(|| timeline.history.valid_ruling_seqs()),
        }
    }

    /// Returns the number of the operation before which a chapter ends; nothing if the state there does not stand.
    fn moment_after(&self, place: &Place) -> Option<u64> {
        let end = self.timeline.history.operations().len() as u64 + 1;
        let moment = end_of_place(&self.parts, place, end)?;
        self.stands_before(moment).then_some(moment)
    }

    /// Returns whether exactly the first of the valid rulings were valid before an operation.
    fn stands_before(&self, seq: u64) -> bool {
        let Some(valid) = &self.valid else {
            return true;
        };
        let then = self.timeline.history.copy_until_operation(seq - 1);
        then.is_ok_and(|(history, _)| valid.starts_with(&history.valid_ruling_seqs()))
    }
}

/// Returns the number of the operation before which a chapter ends: the one after the last live operation that leaves
/// the game in its part. Operations that nobody was told of can lie between that one and the next chapter.
fn end_of_place(parts: &[(u64, Option<String>)], place: &Place, end: u64) -> Option<u64> {
    let mut ends = place.until.unwrap_or(end);
    let within = parts
        .iter()
        .rev()
        .filter(|(seq, _)| *seq < place.until.unwrap_or(end));
    for (seq, part) in within {
        if *seq < place.from {
            return None;
        }
        if *part == place.part {
            return Some(ends);
        }
        ends = *seq;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(parts: &[(u64, &str)], part: &str, (from, until): (u64, Option<u64>)) -> Option<u64> {
        let part_of = |part: &str| (!part.is_empty()).then(|| part.to_owned());
        let parts: Vec<_> = parts
            .iter()
            .map(|(seq, part)| (*seq, part_of(part)))
            .collect();
        let place = Place {
            part: part_of(part),
            from,
            until,
        };
        end_of_place(&parts, &place, 100)
    }

    #[test]
    fn a_chapter_ends_before_the_operation_that_leaves_its_part() {
        // Operation 5 began a night and was undone.
        let parts = [
            (1, ""),
            (2, "Day 1"),
            (4, "Day 1"),
            (7, "Night 1"),
            (8, "Night 1"),
        ];
        assert_eq!(ends(&parts, "", (1, Some(2))), Some(2));
        assert_eq!(ends(&parts, "Day 1", (2, Some(7))), Some(7));
        assert_eq!(ends(&parts, "Night 1", (7, None)), Some(100));
        // Nobody was told of operation 7: the next text comes with operation 8.
        assert_eq!(ends(&parts, "Day 1", (2, Some(8))), Some(7));
        assert_eq!(ends(&parts, "Night 1", (0, Some(8))), Some(8));
        // A correction moved the chapter to a part that the recorded operations never reached.
        assert_eq!(ends(&parts, "Night 2", (7, None)), None);
        assert_eq!(ends(&parts, "Day 1", (7, Some(8))), None);
    }
}
