//! Status of a game, as far as a user may know of it: time, turn, open questions with deadlines, open polls, and valid
//! rulings.

use crate::doc::{Audience, Viewer, may_see};
use crate::game::attempt::plans::steps::plan_status;
use crate::game::question::open_questions::{OpenQuestion, open_questions_for, viewer_of_seat};
use crate::game::question::question_wording::game_time_in_words;
use crate::game::question::stale_rulings::{
    StaleRuling, stale_ruling_numbers_known_to, stale_rulings,
};
use crate::game::report::dispute::operations_raising_disputes;
use crate::game::report::validity::validities_for_viewer;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::{Entry, log_entries};
use crate::script::GM;
use crate::store::State;
use crate::store::clock::{Clock, Times};
use crate::value::{Name, Value};
use crate::words::Words;

/// Status of a game.
pub struct Status {
    /// The way in which game time is shown to people.
    pub times: Times,
    /// Phase, round, turn and game time, in words.
    pub clock: Vec<String>,
    /// The name of the person who has the turn.
    pub turn: Option<String>,
    /// Questions that wait for answers, ordered by deadline.
    pub waits: Vec<WaitingItem>,
    /// Rulings that wait for the game master because they could not go on; only for the game master.
    pub stale: Vec<StaleRuling>,
    /// Open polls, ordered by deadline.
    pub polls: Vec<OpenPoll>,
    /// The plan in progress and its next step; only for the game master.
    pub plan: Option<(String, String)>,
}

/// A question that waits for an answer.
pub struct WaitingItem {
    /// The question.
    pub open: OpenQuestion,
    /// Its deadline.
    pub due: Option<Due>,
    /// Whether the question waits for the game master instead, because its ruling could not go on.
    pub is_stale: bool,
}

/// Deadline of a question or poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The game time, in words.
    pub until: String,
    /// Time since the deadline or until the deadline, in words.
    pub distance: String,
    /// Whether the deadline has passed.
    pub is_over: bool,
}

/// A poll that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPoll {
    /// Name of the poll for people.
    pub key: String,
    /// Number of votes so far, and number of voters.
    pub voted: (usize, usize),
    /// Voters whose votes are missing: all of them for the game master, only itself for a seat.
    pub missing: Vec<String>,
    /// Deadline of the poll.
    pub due: Option<Due>,
}

/// Returns the status of the game for a seat.
pub fn status_for_seat(timeline: &Timeline, by: &str) -> Status {
    let clock = Clock::from_state(&timeline.state, &timeline.rules().phases);
    let stale = stale_ruling_numbers_known_to(timeline, by);
    let mut waits = open_questions_for(timeline, by);
    waits.sort_by_key(|one| deadline_sort_key(one.question.deadline.as_ref()));
    let waits = waits.into_iter().map(|open| WaitingItem {
        due: open
            .question
            .deadline
            .as_ref()
            .map(|due| due_of_deadline(due, (clock.time, timeline.state.times()))),
        is_stale: stale.iter().any(|number| open.is_of_ruling(*number)),
        open,
    });
    let turn = clock.turn.as_ref().map(|turn| &*turn.row);
    let turn = turn.map(|row| row_name_or_id(&timeline.state, row));
    Status {
        waits: waits.collect(),
        stale: if by == GM {
            stale_rulings(timeline)
        } else {
            Vec::new()
        },
        polls: open_polls_for_viewer(&timeline.state, &viewer_of_seat(timeline, by), clock.time),
        plan: (by == GM).then(|| next_step_of_plan(timeline)).flatten(),
        times: timeline.state.times(),
        clock: clock_parts_in_words(
            &clock,
            turn.as_deref(),
            timeline.state.times(),
            &Words::english(),
        ),
        turn,
    }
}

/// Returns the last rulings that hold, as far as a viewer may know of them, oldest first. Operations that raised a
/// dispute are left out.
pub fn last_standing_entries<'a>(
    timeline: &'a Timeline,
    viewer: &Viewer,
    most: usize,
) -> Vec<Entry<'a>> {
    let standings = validities_for_viewer(timeline, viewer);
    let disputed = operations_raising_disputes(timeline);
    let mut entries = log_entries(timeline, viewer);
    entries.retain(|entry| {
        let operation = entry.operation;
        let holds = operation.what.is_ruling() && standings.has_effect(operation.seq);
        holds && !disputed.contains(&operation.seq)
    });
    let first = entries.len().saturating_sub(most);
    entries.split_off(first)
}

fn next_step_of_plan(timeline: &Timeline) -> Option<(String, String)> {
    let (plan, steps) = plan_status(timeline).plan?;
    let is_open = |status: crate::game::StepStatus| {
        matches!(
            status,
            crate::game::StepStatus::Next | crate::game::StepStatus::Waits
        )
    };
    let next = steps.into_iter().find(|(_, status)| is_open(*status));
    Some((plan, next?.0))
}

pub(in crate::game) fn clock_parts_in_words(
    clock: &Clock,
    turn: Option<&str>,
    times: Times,
    words: &Words,
) -> Vec<String> {
    let phase = clock.phase.as_ref();
    let time = times.view_time_text(clock.time);
    let parts = [
        phase.map(|phase| format!("{phase} {}", clock.number)),
        clock
            .round
            .map(|round| words.fill("now.round", &[("round", &round)])),
        turn.map(|turn| words.fill("now.turn", &[("name", &turn)])),
        Some(words.fill("now.time", &[("time", &time)])),
    ];
    parts.into_iter().flatten().collect()
}

/// Orders deadlines: by time, then questions without one.
fn deadline_sort_key(due: Option<&Value>) -> (bool, u64) {
    let second = due.and_then(Value::as_i64);
    let second = second.and_then(|second| u64::try_from(second).ok());
    (due.is_none(), second.unwrap_or(0))
}

fn due_of_deadline(due: &Value, (now, times): (u64, Times)) -> Due {
    let (_, second) = deadline_sort_key(Some(due));
    Due {
        until: game_time_in_words(due, times),
        distance: crate::store::end_conditions::duration_text(second.abs_diff(now)),
        is_over: second <= now,
    }
}

/// Returns the name of a row; its id if it has no name.
pub(in crate::game) fn row_name_or_id(state: &State, row: &str) -> String {
    let cell = state.names().find(row).zip(state.names().find("name"));
    let name = cell.and_then(|(row, field)| state.get(row, field).as_str());
    name.unwrap_or(row).to_owned()
}

/// Returns the open polls that a viewer may know of.
pub(in crate::game) fn open_polls_for_viewer(
    state: &State,
    viewer: &Viewer,
    now: u64,
) -> Vec<OpenPoll> {
    let rows = state.records_of(state.reserved().polls);
    let mut found: Vec<(bool, u64, OpenPoll)> = Vec::new();
    for row in rows.filter(|row| field_value(state, *row, "closed").is_nil()) {
        let seen = state.get(row, state.reserved().seen).as_str();
        let seen = seen.map_or(Ok(Audience::Public), Audience::parse);
        if !seen.is_ok_and(|seen| may_see(viewer, &seen)) {
            continue;
        }
        let due = state.get(row, state.reserved().deadline);
        let due = Some(due).filter(|due| !due.is_nil());
        let (is_last, second) = deadline_sort_key(due);
        found.push((
            is_last,
            second,
            open_poll_for_viewer(state, row, (viewer, due, now)),
        ));
    }
    found.sort_by_key(|(is_last, second, _)| (*is_last, *second));
    found.into_iter().map(|(_, _, poll)| poll).collect()
}

fn open_poll_for_viewer(
    state: &State,
    row: Name,
    (viewer, due, now): (&Viewer, Option<&Value>, u64),
) -> OpenPoll {
    let voters = field_value(state, row, "voters").items();
    let ballots = state
        .records_of(row)
        .map(|ballot| field_value(state, ballot, "voter"));
    let ballots: Vec<&Value> = ballots.collect();
    let missing = voters.iter().filter(|voter| !ballots.contains(voter));
    let missing = missing.filter_map(Value::as_str);
    let missing = missing.map(|voter| (voter, row_name_or_id(state, voter)));
    let is_told = |voter: &str, name: &str| match viewer {
        Viewer::Gm => true,
        Viewer::Public => false,
        Viewer::Seat { name: seat, .. } => {
            let seat = seat.to_lowercase();
            seat == voter.to_lowercase() || seat == name.to_lowercase()
        }
    };
    let missing = missing.filter(|(voter, name)| is_told(voter, name));
    OpenPoll {
        key: field_value(state, row, "key").to_string(),
        voted: (ballots.len(), voters.len()),
        missing: missing.map(|(_, name)| name).collect(),
        due: due.map(|due| due_of_deadline(due, (now, state.times()))),
    }
}

fn field_value<'a>(state: &'a State, row: Name, field: &str) -> &'a Value {
    let field = state.names().find(field);
    field.map_or(&Value::Nil, |field| state.get(row, field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_first_comes_first_and_what_has_no_time_last() {
        let (soon, late) = (Value::from(60), Value::from(90));
        let mut all = [None, Some(&late), Some(&soon)];
        all.sort_by_key(|due| deadline_sort_key(*due));
        assert_eq!(all, [Some(&soon), Some(&late), None]);
    }

    #[test]
    fn a_deadline_is_over_when_its_second_has_come() {
        let told = |now| due_of_deadline(&Value::from(90), (now, Times::Passed));
        let due = |distance: &str, is_over| Due {
            until: "1m 30s".to_owned(),
            distance: distance.to_owned(),
            is_over,
        };
        assert_eq!(told(30), due("1m", false));
        assert_eq!(told(89), due("1s", false));
        assert_eq!(told(90), due("0s", true));
        assert_eq!(told(100), due("10s", true));
    }
}
