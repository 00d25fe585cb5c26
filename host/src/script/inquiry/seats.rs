//! Asks the ruleset for its seats: the function `seats` is called once for each state of a run.

use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::rc::Rc;

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::border::type_in_words;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::rules::Rules;
use crate::script::run::seats::{Groups, Seats};

/// Returns the seats, which are asked for once for each state. Errors: an error of the ruleset's function.
pub(crate) fn known_seats(host: &Host, rules: &Rules) -> mlua::Result<Rc<Seats>> {
    if let Some(run) = &*host.running_ruling()
        && let Some((version, seats)) = &run.known_seats
        && *version == run.state.version()
    {
        return Ok(Rc::clone(seats));
    }
    let seats = Rc::new(ask_seats(host, rules)?);
    host.remember_seats(&seats);
    Ok(seats)
}

/// Asks the ruleset for its seats, in the running ruling. Errors: an error of its function.
fn ask_seats(host: &Host, rules: &Rules) -> mlua::Result<Seats> {
    let (Some(function), Some(act)) = (seats_function(rules), host.live_act()) else {
        return Ok(Seats::default());
    };
    let _scope = host
        .meter
        .enter_script_call()
        .map_err(HostError::error_of_limit)?;
    host.note_place_at_limit(call_seats_function(&function, rules, &act))
}

/// Returns the function of the ruleset that lists the seats: `seats`, or `run` in it.
pub(crate) fn seats_function(rules: &Rules) -> Option<Function> {
    match rules.ruleset_table.as_ref()?.raw_get("seats").ok()? {
        LuaValue::Function(function) => Some(function),
        LuaValue::Table(table) => table.raw_get("run").ok(),
        _ => None,
    }
}

/// Calls the function and reads its result: groups by seat, or a list of seats without groups.
pub(crate) fn call_seats_function(
    function: &Function,
    rules: &Rules,
    act: &Table,
) -> mlua::Result<Seats> {
    let known = match function.call(act)? {
        LuaValue::Table(table) => read_seats(&table)?,
        other => {
            let found = type_in_words(other.type_name());
            return Err(seats_error(&format!("it returns {found}")));
        }
    };
    let how = rules.ruleset.get("seats").get("summary").as_str();
    Ok(Seats::new(known, how.unwrap_or_default()))
}

fn read_seats(table: &Table) -> mlua::Result<BTreeMap<String, Groups>> {
    let mut known = BTreeMap::new();
    // Seats with the same groups may share one list.
    let mut shared: HashMap<*const c_void, Groups> = HashMap::new();
    if table.raw_len() > 0 {
        for seat in table.sequence_values::<LuaValue>() {
            let seat = text_of_value(&seat?)
                .ok_or_else(|| seats_error("the names of players are texts"))?;
            known.insert(seat, Groups::default());
        }
        return Ok(known);
    }
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (seat, groups) = pair?;
        let seat =
            text_of_value(&seat).ok_or_else(|| seats_error("the names of players are texts"))?;
        let of_seat = || seats_error(&format!("the groups of {seat} are not texts"));
        let LuaValue::Table(groups) = groups else {
            return Err(of_seat());
        };
        let place = groups.to_pointer();
        let groups = match shared.get(&place) {
            Some(known) => Rc::clone(known),
            None => {
                let names = groups.sequence_values::<LuaValue>();
                let names = names.map(|name| text_of_value(&name?).ok_or_else(of_seat));
                let names: Groups = names.collect::<mlua::Result<Vec<String>>>()?.into();
                shared.insert(place, Rc::clone(&names));
                names
            }
        };
        known.insert(seat, groups);
    }
    Ok(known)
}

fn text_of_value(value: &LuaValue) -> Option<String> {
    let text = value.as_string()?.to_str().ok()?;
    Some(text.to_owned())
}

fn seats_error(why: &str) -> mlua::Error {
    let message = format!("`seats` of the ruleset does not return names of players: {why}");
    HostError::error_of_finding(
        Diagnostic::error("script/seats", message).hint(
            "return a list of names, or groups by name such as { ann = { \"pack\" }, bo = {} }",
        ),
    )
}
