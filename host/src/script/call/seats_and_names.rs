//! Asks the rules for the seats, and for the names that a person may type.

use std::cell::RefCell;
use std::collections::BTreeSet;

use mlua::Value as LuaValue;

use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::script::border::GM;
use crate::script::declare::template_owner::{READER, SEAT};
use crate::script::engine::Engine;
use crate::script::inquiry::audiences::groups_function;
use crate::script::inquiry::game_names::{
    GameNames, names_from_function, reader_table, self_named_table,
};
use crate::script::inquiry::seats::{call_seats_function, seats_function};
use crate::script::rules::Rules;
use crate::script::run::Run;
use crate::script::run::seats::Seats;
use crate::store::State;
use crate::text::{NameSource, NameTable};

/// Returns the seats that the ruleset lists in a state. Errors: an error of its function.
pub fn seats_in_state(engine: &Engine, state: &State) -> Result<Seats, Diagnostic> {
    let rules = engine.rules();
    let Some(function) = seats_function(&rules) else {
        return Ok(Seats::default());
    };
    let run = Run::read_only(state.fork(), &rules.ruleset_id);
    let (_, seats) = engine.with_act(run, |act| call_seats_function(&function, &rules, act));
    seats.map_err(|finding| {
        finding.hint("this is about `seats` of the ruleset, which lists the players")
    })
}

/// Returns the groups that seats are in, and those that the ruleset declares. Errors: an error of its function.
fn groups_in_state(
    engine: &Engine,
    state: &State,
    seats: &Seats,
) -> Result<BTreeSet<String>, Diagnostic> {
    let rules = engine.rules();
    let mut groups: BTreeSet<String> = seats.all_groups().map(str::to_owned).collect();
    let said = match groups_function(&rules) {
        Some(LuaValue::Function(function)) => {
            let run = Run::read_only(state.fork(), &rules.ruleset_id);
            let (_, said) = engine.with_act(run, |act| {
                engine.call_script_function::<Vec<String>>(&function, act)
            });
            said?
        }
        Some(LuaValue::Table(names)) => {
            let names = names.sequence_values::<String>();
            names.filter_map(Result::ok).collect()
        }
        _ => Vec::new(),
    };
    groups.extend(said);
    Ok(groups)
}

/// Returns the reader of messages to a person in a state. If the ruleset lists no seats, the reader is a seat without
/// groups.
pub fn viewer_in_state(engine: &Engine, state: &State, by: &str) -> Viewer {
    if by == GM {
        return Viewer::Gm;
    }
    let seats = seats_in_state(engine, state).unwrap_or_default();
    let seat = seats.seat_by_name(by).unwrap_or_else(|_| by.to_owned());
    let groups = seats.groups_of_seat(&seat).iter().map(String::as_str);
    Viewer::seat(seat.as_str(), groups)
}

/// Calls `body` with the names that a person may type in a state.
///
/// Out: the result of `body`, and the errors of ruleset functions that found no names.
pub fn with_names<R>(
    engine: &Engine,
    state: &State,
    by: &str,
    body: impl FnOnce(&dyn NameSource) -> R,
) -> (R, Vec<Diagnostic>) {
    let rules = engine.rules();
    let failed: RefCell<Vec<Diagnostic>> = RefCell::default();
    let found = |name: &str| {
        let names = names_of_slot(engine, &rules, (state, by), name);
        names.unwrap_or_else(|finding| {
            failed.borrow_mut().push(with_no_names_hint(finding, name));
            NameTable::default()
        })
    };
    let result = body(&GameNames::new(
        &rules,
        state,
        || viewer_in_state(engine, state, by),
        found,
        |_| {},
    ));
    (result, failed.into_inner())
}

/// Asks a function of the ruleset for names. Errors: as [`run_command`](crate::script::run_command).
fn names_of_slot(
    engine: &Engine,
    rules: &Rules,
    (state, by): (&State, &str),
    name: &str,
) -> Result<NameTable, Diagnostic> {
    if name == SEAT {
        let seats = seats_in_state(engine, state)?;
        return Ok(self_named_table(seats.known_names()));
    }
    if name == READER {
        let seats = seats_in_state(engine, state)?;
        // Which groups there are may be a secret of the game.
        let groups = match by == GM {
            true => groups_in_state(engine, state, &seats)?,
            false => BTreeSet::new(),
        };
        return Ok(reader_table(seats.known_names(), groups));
    }
    let Some(function) = rules.slot_names_function(name) else {
        return Ok(NameTable::default());
    };
    let run = Run {
        by: by.to_owned(),
        ..Run::read_only(state.fork(), &rules.ruleset_id)
    };
    let (_, names) = engine.with_act(run, |act| {
        names_from_function(&function, act, name, &engine.lua)
    });
    names
}

/// Adds a hint about the lines that cannot be read while a function finds no names.
fn with_no_names_hint(finding: Diagnostic, name: &str) -> Diagnostic {
    finding.hint(format!(
        "this function lists the names for {{{name}}}; until it works, no line with {{{name}}} can be read"
    ))
}
