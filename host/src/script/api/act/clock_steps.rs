//! Steps of the clock. Each step changes the game once. The Luau frame emits the events in between.

use mlua::Lua;

use super::record_endings::ended_records_value;
use super::row_arguments::existing_row;
use crate::diag::Diagnostic;
use crate::script::api::refusal_error;
use crate::script::border::argument_values::Texts;
use crate::script::border::stack_value::{Argument, NameArgument, Returned, This};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::store::State;
use crate::store::clock::{Clock, Phases, Turn, step};
use crate::value::{Text, Value};

/// Fuel of reading or moving the clock.
const MOVE: u64 = 128;

/// Returns the present time of the clock.
pub(super) fn read_clock(_: &Lua, host: &Host, act: This) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    host.charge(MOVE)?;
    Ok(Returned(clock_value(&clock_of_run(host, &run))))
}

/// Returns a game time, or the present one, in the form that people read in this game.
pub(super) fn time_text(
    _: &Lua,
    host: &Host,
    (act, time): (This, Option<f64>),
) -> mlua::Result<String> {
    let run = host.ruling(act)?;
    host.charge(MOVE)?;
    let time = match time {
        None => clock_of_run(host, &run).time,
        Some(time) if time >= 0.0 && time.fract() == 0.0 => time as u64,
        Some(time) => {
            let message =
                format!("a game time is a whole number of seconds, 0 or more, not {time}");
            return Err(refusal_error("script/argument", message));
        }
    };
    Ok(run.state.times().full_time_text(time))
}

fn clock_value(clock: &Clock) -> Value {
    let text = |text: &Text| Value::Text(Text::clone(text));
    let counted = |number: u64| match number {
        0 => Value::Nil,
        some => number_value(some),
    };
    let phase = clock.phase.as_ref();
    let number = phase.map_or(Value::Nil, |_| number_value(clock.number));
    let order = Value::list(clock.order.iter().map(text));
    Value::map([
        ("phase", phase.map_or(Value::Nil, text)),
        ("number", number),
        ("round", counted(clock.round.unwrap_or(0))),
        (
            "turn",
            clock
                .turn
                .as_ref()
                .map_or(Value::Nil, |turn| text(&turn.row)),
        ),
        ("order", clock.round.map_or(Value::Nil, |_| order)),
        ("time", number_value(clock.time)),
    ])
}

/// First step of a new phase: checks the name and returns the phase that is to end.
pub(super) fn prepare_next_phase(
    _: &Lua,
    host: &Host,
    (act, name): (This, Option<String>),
) -> mlua::Result<Returned> {
    let run = host.ruling_to_change(act)?;
    host.charge(MOVE)?;
    let (clock, phases) = (clock_of_run(host, &run), phases_of_ruleset(host));
    clock
        .next_phase(&phases, name.as_deref())
        .map_err(error_of_finding)?;
    let ending = [
        (
            "phase",
            clock
                .phase
                .as_ref()
                .map_or(Value::Nil, |phase| Value::Text(Text::clone(phase))),
        ),
        ("number", number_value(clock.number)),
        ("serial", number_value(clock.serial)),
    ];
    Ok(Returned(Value::map(ending)))
}

/// Second step of a new phase: ends records with a duration until the end of the old phase.
pub(super) fn end_phase_records(
    _: &Lua,
    host: &Host,
    (act, serial): (This, u64),
) -> mlua::Result<Returned> {
    let mut run = host.ruling_to_change(act)?;
    check_phase_unchanged(host, &run, serial)?;
    let ended =
        step::end_phase(&mut run.state, &phases_of_ruleset(host)).map_err(error_of_finding)?;
    ended_records_value(host, ended)
}

/// Third step of a new phase: begins the next phase, or a named one.
pub(super) fn begin_phase(
    _: &Lua,
    host: &Host,
    (act, serial, name): (This, u64, Option<String>),
) -> mlua::Result<Returned> {
    let mut run = host.ruling_to_change(act)?;
    check_phase_unchanged(host, &run, serial)?;
    let clock = step::begin_phase(&mut run.state, &phases_of_ruleset(host), name.as_deref());
    Ok(Returned(clock_value(&clock.map_err(error_of_finding)?)))
}

fn check_phase_unchanged(host: &Host, run: &Run, serial: u64) -> mlua::Result<()> {
    if clock_of_run(host, run).serial == serial {
        return Ok(());
    }
    Err(refusal_error(
        "clock/moved",
        "the phase changed while rules handled its end",
    ))
}

/// Begins the first round.
pub(super) fn begin_rounds(
    _: &Lua,
    host: &Host,
    (act, Texts(order)): (This, Texts),
) -> mlua::Result<()> {
    apply_turn_order(host, act, order, step::begin_rounds)
}

/// Changes the order of turns.
pub(super) fn reorder_turns(
    _: &Lua,
    host: &Host,
    (act, Texts(order)): (This, Texts),
) -> mlua::Result<()> {
    apply_turn_order(host, act, order, step::reorder_turns)
}

/// Changes the clock by an order of existing rows.
fn apply_turn_order(
    host: &Host,
    act: This,
    order: Vec<String>,
    change: impl Fn(&mut State, &Phases, Vec<Text>) -> Result<Clock, Box<Diagnostic>>,
) -> mlua::Result<()> {
    let mut run = host.ruling_to_change(act)?;
    host.charge(MOVE + order.len() as u64)?;
    let row = |id: String| {
        let row = existing_row(host, &run, &NameArgument::Text(id))?;
        Ok(host.names.text(row))
    };
    let order = order.into_iter().map(row).collect::<mlua::Result<_>>()?;
    change(&mut run.state, &phases_of_ruleset(host), order).map_err(error_of_finding)?;
    Ok(())
}

/// First step of a new turn: removes the present turn. Returns the present turn, if there is one, and the place in the
/// order.
pub(super) fn prepare_next_turn(_: &Lua, host: &Host, act: This) -> mlua::Result<Returned> {
    let mut run = host.ruling_to_change(act)?;
    let clock = clock_of_run(host, &run);
    clock
        .check_any_turn_possible(|row| run.state.turns_begun_by_id(row))
        .map_err(error_of_finding)?;
    remove_turn_and_return_value(host, &mut run)
}

/// First step of the end of a turn or of the rounds: removes the present turn.
pub(super) fn remove_present_turn(_: &Lua, host: &Host, act: This) -> mlua::Result<Returned> {
    let mut run = host.ruling_to_change(act)?;
    clock_of_run(host, &run)
        .check_rounds_running()
        .map_err(error_of_finding)?;
    remove_turn_and_return_value(host, &mut run)
}

fn remove_turn_and_return_value(host: &Host, run: &mut Run) -> mlua::Result<Returned> {
    host.charge(MOVE)?;
    let turn = step::remove_turn_from_clock(&mut run.state, &phases_of_ruleset(host))
        .map_err(error_of_finding)?;
    let clock = clock_of_run(host, run);
    let (row, number) = match turn {
        Some(turn) => (Value::Text(turn.row), number_value(turn.number)),
        None => (Value::Nil, Value::Nil),
    };
    Ok(Returned(Value::map([
        ("row", row),
        ("number", number),
        ("round", number_value(clock.round.unwrap_or(0))),
        ("place", Value::from(turn_place(&clock))),
    ])))
}

/// Ends records with a duration until the end of a turn.
pub(super) fn end_turn_records(
    _: &Lua,
    host: &Host,
    (act, row, number): (This, String, u64),
) -> mlua::Result<Returned> {
    let mut run = host.ruling_to_change(act)?;
    let turn = Turn {
        row: row.into(),
        number,
    };
    let ended = step::end_turn(&mut run.state, &turn).map_err(error_of_finding)?;
    ended_records_value(host, ended)
}

/// Begins the next turn of the round. Returns the row that has the turn and the records that ended. Returns nothing if
/// the round or all rounds are over.
pub(super) fn begin_next_turn(
    _: &Lua,
    host: &Host,
    (act, from): (This, String),
) -> mlua::Result<(Returned, Returned)> {
    let mut run = host.ruling_to_change(act)?;
    let nothing = (Returned(Value::Nil), Returned(Value::Nil));
    let clock = clock_of_run(host, &run);
    if clock
        .check_any_turn_possible(|row| run.state.turns_begun_by_id(row))
        .is_err()
    {
        return Ok(nothing);
    }
    check_turn_unchanged(&clock, &from)?;
    let Some((turn, ended)) =
        step::begin_turn(&mut run.state, &phases_of_ruleset(host)).map_err(error_of_finding)?
    else {
        return Ok(nothing);
    };
    let begun = Value::map([
        ("who", Value::Text(turn.row)),
        ("number", number_value(turn.number)),
        ("round", number_value(clock.round.unwrap_or(0))),
    ]);
    Ok((Returned(begun), ended_records_value(host, ended)?))
}

/// Ends the round. Returns the records that ended and the place in the order. Returns nothing if rounds no longer run.
pub(super) fn end_round(
    _: &Lua,
    host: &Host,
    (act, from, is_last): (This, String, bool),
) -> mlua::Result<(Returned, Returned)> {
    let mut run = host.ruling_to_change(act)?;
    let clock = clock_of_run(host, &run);
    if clock.round.is_none() {
        return Ok((Returned(Value::Nil), Returned(Value::Nil)));
    }
    check_turn_unchanged(&clock, &from)?;
    let ended = step::end_round(&mut run.state, &phases_of_ruleset(host), is_last)
        .map_err(error_of_finding)?;
    let place = turn_place(&clock_of_run(host, &run));
    Ok((
        ended_records_value(host, ended)?,
        Returned(Value::from(place)),
    ))
}

/// Returns the place in the order of turns. The caller compares it to detect that rules moved it.
fn turn_place(clock: &Clock) -> String {
    format!("{}/{}", clock.rounds_ended, clock.place)
}

fn check_turn_unchanged(clock: &Clock, from: &str) -> mlua::Result<()> {
    if clock.turn.is_none() && turn_place(clock) == from {
        return Ok(());
    }
    Err(refusal_error(
        "clock/moved",
        "the turn changed while rules handled the end of a turn",
    ))
}

/// First step of passing time: returns the second that the clock is to reach.
pub(super) fn time_goal(
    _: &Lua,
    host: &Host,
    (act, Argument(seconds)): (This, Argument),
) -> mlua::Result<Returned> {
    let run = host.ruling_to_change(act)?;
    let goal = clock_of_run(host, &run)
        .second_after(&seconds)
        .map_err(error_of_finding)?;
    Ok(Returned(number_value(goal)))
}

/// Passes time to the next due moment. Returns the records that ended and the rows with a deadline at that moment.
/// Returns nothing at the goal.
pub(super) fn pass_to_next_due(
    _: &Lua,
    host: &Host,
    (act, goal): (This, u64),
) -> mlua::Result<(Returned, Option<Vec<String>>)> {
    let mut run = host.ruling_to_change(act)?;
    host.charge(MOVE)?;
    let ended = step::pass_time(&mut run.state, &phases_of_ruleset(host), goal)
        .map_err(error_of_finding)?;
    let Some(ended) = ended else {
        return Ok((Returned(Value::Nil), None));
    };
    let now = clock_of_run(host, &run).time;
    let waiting = run.state.rows_past_deadline(now).into_iter();
    let waiting = waiting.map(|row| host.names.text(row).to_string());
    let waiting: Vec<String> = waiting.collect();
    Ok((ended_records_value(host, ended)?, Some(waiting)))
}

pub(in crate::script::api) fn clock_of_run(host: &Host, run: &Run) -> Clock {
    Clock::from_state(&run.state, &phases_of_ruleset(host))
}

pub(super) fn phases_of_ruleset(host: &Host) -> std::rc::Rc<Phases> {
    std::rc::Rc::clone(&host.rules.borrow().phases)
}

fn number_value(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

pub(super) fn error_of_finding(finding: Box<Diagnostic>) -> mlua::Error {
    HostError::error_of_finding(finding)
}
