//! Results of pure functions of scripts, remembered so that nothing is read twice.
//!
//! A call costs the same fuel with or without a remembered result, so scripts cannot detect the difference.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::library::{allowed_kinds, check_arguments};
use super::polls::Chunks;
use super::{error_or_passed_limit, refusal_error};
use crate::script::border::stack_value::Checked;
use crate::script::host::Host;
use crate::script::host::read_only_tables::seal_deeply;

/// The name of the function, and the name of its group.
const MEMOIZE: (&str, &str) = ("memoize", "memoize");

/// Results of one function that are kept. If there are more, all of them are forgotten.
pub(crate) const KEPT: usize = 4_000;

/// The extra fuel of a call.
const CALL: u64 = 4;

/// Luau source of the functions, which find remembered results.
const RECALL: &str = include_str!("memoize.luau");

/// Returns the global `memoize`.
pub(super) fn memoize_function(
    lua: &Lua,
    host: &Rc<Host>,
    globals: &Table,
) -> mlua::Result<Function> {
    let chunks = Chunks { lua, host, globals };
    let meter = Rc::clone(host);
    let charge = lua.create_function(move |_, spent: f64| {
        let charged = meter.charge(CALL + spent as u64);
        charged.map_err(|error| error_or_passed_limit(&meter, error))
    })?;
    let recall: Function = chunks.run_chunk("memoize", RECALL, charge)?;
    let (host, allowed) = (Rc::clone(host), allowed_kinds(MEMOIZE.0, MEMOIZE.1));
    lua.create_function(move |lua, given: Checked<Function>| {
        let remembered = host.charge(16).and_then(|()| {
            let work = check_arguments(&host, MEMOIZE, given, allowed)?;
            memoizing_function(lua, &host, &recall, work)
        });
        remembered.map_err(|error| error_or_passed_limit(&host, error))
    })
}

/// Remembered results of a function and their fuel, by its argument.
struct Known {
    results: Table,
    fuel: Table,
    count: Cell<usize>,
}

/// Returns a function that calls another one once for each text or read-only table, or once if the argument is nil.
fn memoizing_function(
    lua: &Lua,
    host: &Rc<Host>,
    recall: &Function,
    work: Function,
) -> mlua::Result<Function> {
    let (results, fuel) = (lua.create_table()?, lua.create_table()?);
    let known = Known {
        results: results.clone(),
        fuel: fuel.clone(),
        count: Cell::new(0),
    };
    let host = Rc::clone(host);
    let make = lua.create_function(move |_, key: LuaValue| {
        let made = call_and_remember(&host, &known, &work, key);
        made.map_err(|error| error_or_passed_limit(&host, error))
    })?;
    recall.call((results, fuel, make))
}

fn call_and_remember(
    host: &Host,
    known: &Known,
    work: &Function,
    key: LuaValue,
) -> mlua::Result<LuaValue> {
    match &key {
        LuaValue::Nil | LuaValue::String(_) => {}
        LuaValue::Table(table) if table.is_readonly() => {}
        _ => {
            let message = "a remembered function takes nothing, one text, or one read-only table";
            return Err(refusal_error("script/argument", message));
        }
    }
    let before = host.meter.fuel_used();
    let made: LuaValue = host.note_place_at_limit(match &key {
        LuaValue::Nil => work.call(()),
        key => work.call(key),
    })?;
    if let LuaValue::Table(table) = &made {
        seal_deeply(table)?;
    }
    let fuel = host.meter.fuel_used().saturating_sub(before);
    host.meter.reset_fuel_used(before);
    host.charge(CALL + fuel)?;
    if known.count.replace(known.count.get() + 1) >= KEPT {
        known.results.clear()?;
        known.fuel.clear()?;
        known.count.set(1);
    }
    let argument = match key {
        // A result without an argument is remembered once.
        LuaValue::Nil => LuaValue::Table(known.fuel.clone()),
        key => key,
    };
    known.results.raw_set(&argument, &made)?;
    known.fuel.raw_set(argument, fuel)?;
    Ok(made)
}
