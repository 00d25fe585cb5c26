//! This module asks the ruleset who plays: its `seats` says it, once for each state of a run.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::border::convert::from_lua;
use crate::script::host::Host;
use crate::script::host::error::HostError;
use crate::script::rules::Rules;
use crate::script::run::seats::Seats;
use crate::value::Value;

/// Returns who plays, which is asked once for each state. Errors: those of the function of the ruleset.
pub(crate) fn known_seats(host: &Host, rules: &Rules) -> mlua::Result<Rc<Seats>> {
    if let Some(run) = &*host.running()
        && let Some((version, seats)) = &run.known_seats
        && *version == run.state.version()
    {
        return Ok(Rc::clone(seats));
    }
    let seats = Rc::new(seats_of(host, rules)?);
    host.know_seats(&seats);
    Ok(seats)
}

/// Asks the ruleset who plays, in the ruling that runs. Errors: those of its function.
fn seats_of(host: &Host, rules: &Rules) -> mlua::Result<Seats> {
    let (Some(function), Some(act)) = (seats_function(rules), host.live_act()) else {
        return Ok(Seats::default());
    };
    let _scope = host.meter.enter().map_err(HostError::limit)?;
    seats_from(&function, rules, &act)
}

/// Returns the function of the ruleset that says who plays: `seats`, or `run` in it.
pub(crate) fn seats_function(rules: &Rules) -> Option<Function> {
    match rules.ruleset_table.as_ref()?.raw_get("seats").ok()? {
        LuaValue::Function(function) => Some(function),
        LuaValue::Table(table) => table.raw_get("run").ok(),
        _ => None,
    }
}

/// Calls the function and reads what it returns: groups by seat, or a list of seats without groups.
pub(crate) fn seats_from(function: &Function, rules: &Rules, act: &Table) -> mlua::Result<Seats> {
    let value = from_lua(function.call(act)?).map_err(|reason| wrong(&reason.to_string()))?;
    let how = rules.ruleset.get("seats").get("summary").as_str();
    Ok(Seats::new(read(&value)?, how.unwrap_or_default()))
}

fn read(value: &Value) -> mlua::Result<BTreeMap<String, Vec<String>>> {
    let entries = match value {
        Value::Map(entries) => entries.iter(),
        Value::List(seats) => {
            let named = |seat: &Value| seat.as_str().map(|seat| (seat.to_owned(), Vec::new()));
            let seats: Option<_> = seats.iter().map(named).collect();
            return seats.ok_or_else(|| wrong("the names of seats are texts"));
        }
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            return Err(wrong(&format!("it returns a {}", value.kind())));
        }
    };
    let mut known = BTreeMap::new();
    for (seat, groups) in entries {
        let groups = groups
            .items()
            .iter()
            .map(|one| one.as_str().map(str::to_owned));
        let groups: Option<Vec<String>> = groups.collect();
        let groups = groups.ok_or_else(|| wrong(&format!("the groups of {seat} are no texts")))?;
        known.insert(seat.to_string(), groups);
    }
    Ok(known)
}

fn wrong(why: &str) -> mlua::Error {
    let message = format!("`seats` of the ruleset gives no seats: {why}");
    HostError::raise(
        Diagnostic::error("script/seats", message).hint(
            "return a list of seats, or groups by seat such as { ann = { \"pack\" }, bo = {} }",
        ),
    )
}
