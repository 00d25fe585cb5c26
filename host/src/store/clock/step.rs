//! Moves the clock one step and ends the records that end at that moment; the caller emits the events in between.
//!
//! Order: the event for the end of something is emitted before the records end that last until then. The event for
//! the beginning of something is emitted after the records have ended that last until then.

use super::{Clock, Phases, Turn};
use crate::diag::Diagnostic;
use crate::store::end_conditions::{Edge, Ended, Moment};
use crate::store::{State, StoreError};
use crate::value::Text;

type Step<T> = Result<T, Box<Diagnostic>>;

/// Ends the records that last until the end of the present phase. Errors: `clock/no-phases`.
pub fn end_phase(state: &mut State, phases: &Phases) -> Step<Vec<Ended>> {
    let clock = Clock::from_state(state, phases);
    clock.next_phase(phases, None)?;
    match clock.phase_end_moment() {
        Some(moment) => end_records_at(state, &moment),
        None => Ok(Vec::new()),
    }
}

/// Moves to the phase that follows, or to a named one, and returns the clock.
///
/// Errors: `clock/no-phases`, `clock/unknown-phase`.
pub fn begin_phase(state: &mut State, phases: &Phases, name: Option<&str>) -> Step<Clock> {
    let clock = Clock::from_state(state, phases).next_phase(phases, name)?;
    write_clock_to_state(clock, state)
}

/// Begins the first round. Errors: `clock/rounds`, `clock/order`.
pub fn begin_rounds(state: &mut State, phases: &Phases, order: Vec<Text>) -> Step<Clock> {
    let clock = Clock::from_state(state, phases).begin_rounds(order)?;
    write_clock_to_state(clock, state)
}

/// Changes the order of turns. Errors: `clock/no-rounds`, `clock/order`.
pub fn reorder_turns(state: &mut State, phases: &Phases, order: Vec<Text>) -> Step<Clock> {
    let clock = Clock::from_state(state, phases).with_order(order)?;
    write_clock_to_state(clock, state)
}

/// Removes the present turn and returns it; no record ends yet.
pub fn remove_turn_from_clock(state: &mut State, phases: &Phases) -> Step<Option<Turn>> {
    let clock = Clock::from_state(state, phases);
    let left = clock.turn.clone();
    if left.is_some() {
        write_clock_to_state(clock.without_turn(), state)?;
    }
    Ok(left)
}

/// Ends the records that last until the end of a turn.
pub fn end_turn(state: &mut State, turn: &Turn) -> Step<Vec<Ended>> {
    end_records_at(state, &turn.turn_moment(state, Edge::End))
}

/// Gives the turn to the next row of this round and ends the records that last until then.
///
/// Shape: nothing after every existing row had a turn.
/// Errors: `clock/no-rounds`, `clock/nobody`.
pub fn begin_turn(state: &mut State, phases: &Phases) -> Step<Option<(Turn, Vec<Ended>)>> {
    let clock = Clock::from_state(state, phases);
    clock.check_any_turn_possible(|row| state.turns_begun_by_id(row))?;
    let Some(next) = clock.next_turn(|row| state.turns_begun_by_id(row)) else {
        return Ok(None);
    };
    let clock = write_clock_to_state(next, state)?;
    let Some(turn) = clock.turn else {
        return Ok(None);
    };
    let ended = end_records_at(state, &turn.turn_moment(state, Edge::Start))?;
    Ok(Some((turn, ended)))
}

/// Counts the present round as ended, begins the next one unless it was the last, and ends the records that last
/// until then.
///
/// Errors: `clock/no-rounds`.
pub fn end_round(state: &mut State, phases: &Phases, is_last: bool) -> Step<Vec<Ended>> {
    let clock = Clock::from_state(state, phases);
    clock.check_rounds_running()?;
    let round = clock.round.unwrap_or(0);
    let next = if is_last {
        clock.without_rounds()
    } else {
        clock.next_round()
    };
    let number = write_clock_to_state(next, state)?.rounds_ended;
    end_records_at(state, &Moment::RoundEnd { round, number })
}

/// Moves time to the next second at which something is due, at most to `goal`.
///
/// Returns the ended records; nothing if the goal is already reached.
pub fn pass_time(state: &mut State, phases: &Phases, goal: u64) -> Step<Option<Vec<Ended>>> {
    let clock = Clock::from_state(state, phases);
    if clock.time >= goal {
        return Ok(None);
    }
    let due = state.next_due_second(clock.time).unwrap_or(goal);
    let now = due.min(goal);
    write_clock_to_state(clock.moved_to_second(now)?, state)?;
    end_records_at(state, &Moment::Time { now }).map(Some)
}

/// Ends the records that a moment ends.
pub fn end_records_at(state: &mut State, moment: &Moment<'_>) -> Step<Vec<Ended>> {
    let due = state.records_ended_by(moment);
    state.end_rows(due).map_err(clock_step_error)
}

fn write_clock_to_state(clock: Clock, state: &mut State) -> Step<Clock> {
    let mark = state.mark();
    if let Err(error) = clock.write_to_state(state) {
        state.rollback(mark);
        return Err(clock_step_error(error));
    }
    Ok(clock)
}

fn clock_step_error(error: StoreError) -> Box<Diagnostic> {
    Box::new(error.to_diagnostic())
}

impl Turn {
    fn turn_moment(&self, state: &State, edge: Edge) -> Moment<'static> {
        Moment::Turn {
            edge,
            of: state.names().intern(&self.row),
            number: self.number,
        }
    }
}
