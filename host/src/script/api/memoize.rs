//! Results of pure functions of scripts, remembered so that nothing is read twice.
//!
//! A call costs the same fuel with or without a remembered result, so scripts cannot detect the difference.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::library::{allowed_kinds, check_arguments};
use super::{error_or_passed_limit, refusal_error};
use crate::script::border::stack_value::Checked;
use crate::script::host::Host;
use crate::script::host::read_only_tables::seal_deeply;

/// The name of the function, and the name of its group.
const MEMOIZE: (&str, &str) = ("memoize", "memoize");

/// Results of one function that are kept. If there are more, all of them are forgotten.
pub(crate) const KEPT: usize = 4_000;

/// The extra fuel of a call, and the keys of an entry: the result and its fuel.
const CALL: u64 = 4;
const MADE: i64 = 1;
const FUEL: i64 = 2;

/// Returns the global `memoize`.
pub(super) fn memoize_function(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Function> {
    let (host, allowed) = (Rc::clone(host), allowed_kinds(MEMOIZE.0, MEMOIZE.1));
    lua.create_function(move |lua, given: Checked<Function>| {
        let remembered = host.charge(16).and_then(|()| {
            let work = check_arguments(&host, MEMOIZE, given, allowed)?;
            memoizing_function(lua, &host, work)
        });
        remembered.map_err(|error| error_or_passed_limit(&host, error))
    })
}

/// Returns a function that calls another one once for each text or read-only table, or once if the argument is nil.
fn memoizing_function(lua: &Lua, host: &Rc<Host>, work: Function) -> mlua::Result<Function> {
    let (host, known, count) = (Rc::clone(host), lua.create_table()?, Cell::new(0));
    lua.create_function(move |lua, key: LuaValue| {
        let made = recall_or_call(lua, &host, (&known, &count), &work, key);
        made.map_err(|error| error_or_passed_limit(&host, error))
    })
}

fn recall_or_call(
    lua: &Lua,
    host: &Host,
    (known, count): (&Table, &Cell<usize>),
    work: &Function,
    key: LuaValue,
) -> mlua::Result<LuaValue> {
    let key = match key {
        // A result without an argument is remembered once.
        LuaValue::Nil => LuaValue::Boolean(true),
        LuaValue::String(_) => key,
        LuaValue::Table(table) if table.is_readonly() => LuaValue::Table(table),
        _ => {
            let message = "a remembered function takes nothing, one text, or one read-only table";
            return Err(refusal_error("script/argument", message));
        }
    };
    if let Some(entry) = known.raw_get::<Option<Table>>(&key)? {
        host.charge(CALL + entry.raw_get::<u64>(FUEL)?)?;
        return entry.raw_get(MADE);
    }
    let before = host.meter.fuel_used();
    let made: LuaValue = host.note_place_at_limit(match &key {
        LuaValue::Boolean(_) => work.call(()),
        key => work.call(key),
    })?;
    if let LuaValue::Table(table) = &made {
        seal_deeply(table)?;
    }
    let fuel = host.meter.fuel_used().saturating_sub(before);
    host.meter.reset_fuel_used(before);
    host.charge(CALL + fuel)?;
    if count.replace(count.get() + 1) >= KEPT {
        known.clear()?;
        count.set(1);
    }
    let entry = lua.create_table()?;
    entry.raw_set(MADE, &made)?;
    entry.raw_set(FUEL, fuel)?;
    known.raw_set(key, entry)?;
    Ok(made)
}
