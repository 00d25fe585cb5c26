//! Builds the globals that scripts see: an allow-list, wrapped and sealed.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaOptions, MultiValue, StdLib, Table, Value};

use super::error_findings::HostError;
use super::{Host, Stop};
use crate::diag::Diagnostic;
use crate::script::border::printed_lines;
use crate::script::host::safe_fallback::protected_call;

pub(crate) const PRELUDE: &str = include_str!("prelude.luau");

/// Globals of the machine that the prelude takes or wraps.
const MACHINE: [&str; 24] = [
    "assert",
    "bit32",
    "buffer",
    "error",
    "getmetatable",
    "ipairs",
    "math",
    "next",
    "pairs",
    "rawequal",
    "rawget",
    "rawlen",
    "rawset",
    "select",
    "setmetatable",
    "string",
    "table",
    "tonumber",
    "tostring",
    "type",
    "typeof",
    "unpack",
    "utf8",
    "vector",
];

/// Returns a machine without any library that reaches the outside.
pub(crate) fn new_machine(memory: usize) -> mlua::Result<Lua> {
    let libraries = StdLib::TABLE
        | StdLib::STRING
        | StdLib::MATH
        | StdLib::BIT
        | StdLib::BUFFER
        | StdLib::UTF8
        | StdLib::VECTOR;
    let lua = Lua::new_with(libraries, LuaOptions::new().catch_rust_panics(false))?;
    lua.set_memory_limit(memory)?;
    Ok(lua)
}

/// Runs the prelude and returns the table of globals, not yet sealed: the API is added to it.
pub(crate) fn make_globals(lua: &Lua, host: &Rc<Host>, raw: bool) -> mlua::Result<Table> {
    let given = lua.create_table()?;
    given.set("null", Value::NULL)?;
    given.set("protected", protected_call(lua, raw)?)?;
    given.set("charge", bind_function(lua, host, charge)?)?;
    given.set("refuse", bind_function(lua, host, raise_size_limit)?)?;
    given.set("wrong", bind_function(lua, host, raise_argument_error)?)?;
    given.set("caught", bind_function(lua, host, value_for_pcall)?)?;
    given.set("at_work", bind_function(lua, host, cause_at_work)?)?;
    given.set("print", bind_function(lua, host, print)?)?;
    let made: Table = lua
        .load(&host.compiled_bytecode(PRELUDE)?[..])
        .set_mode(ChunkMode::Binary)
        .set_name("=host/prelude.luau")
        .set_environment(constant_globals(lua, &MACHINE)?)
        .call(given)?;
    let strings: Table = made.get("strings")?;
    seal_text_methods(lua, &strings)?;
    made.get("globals")
}

/// Returns some of the machine's own globals as constants for frames of the host.
pub(crate) fn constant_globals(lua: &Lua, names: &[&str]) -> mlua::Result<Table> {
    constant_environment(lua, &lua.globals(), names)
}

/// Returns some of these globals as constants for frames of the host, so that the machine calls built-in functions
/// without a look-up. Only for frames that do not use `pairs` on maps, because the machine's own order would apply.
pub(crate) fn constant_environment(
    lua: &Lua,
    globals: &Table,
    names: &[&str],
) -> mlua::Result<Table> {
    let constant = lua.create_table()?;
    for name in names {
        constant.raw_set(*name, globals.raw_get::<Value>(*name)?)?;
    }
    constant.set_readonly(true);
    constant.set_safeenv(true);
    Ok(constant)
}

/// Methods of texts (`("x"):rep(3)`) are the wrapped ones too.
fn seal_text_methods(lua: &Lua, strings: &Table) -> mlua::Result<()> {
    let metatable = lua.create_table()?;
    metatable.set("__index", strings)?;
    metatable.set("__metatable", "text")?;
    metatable.set_readonly(true);
    lua.set_type_metatable::<mlua::LuaString>(Some(metatable));
    Ok(())
}

fn bind_function<A: mlua::FromLuaMulti + 'static, R: mlua::IntoLuaMulti + 'static>(
    lua: &Lua,
    host: &Rc<Host>,
    function: fn(&Lua, &Host, A) -> mlua::Result<R>,
) -> mlua::Result<Function> {
    let host = Rc::clone(host);
    lua.create_function(move |lua, arguments| function(lua, &host, arguments))
}

/// The work of a call, in units, from which its garbage needs an extra step of the collector.
const LARGE: f64 = 1000.0;

/// Fuel of a call of a function that the prelude is given.
const CALL: u64 = 4;

/// Fuel of an error that a script catches.
const CAUGHT: u32 = 100;

fn charge(lua: &Lua, host: &Host, units: f64) -> mlua::Result<()> {
    // Work beyond every limit ends here, before anything is done for it.
    host.charge(CALL.saturating_add(units as u64))?;
    if units >= LARGE {
        // The machine takes a step for each new table, independent of the size of the last one.
        for _ in 0..(units / LARGE) as usize * 8 {
            lua.gc_step()?;
        }
    }
    Ok(())
}

fn raise_size_limit(_: &Lua, _: &Host, message: String) -> mlua::Result<()> {
    Err(HostError::error_of_finding(Diagnostic::error(
        "limit/size",
        message,
    )))
}

fn raise_argument_error(_: &Lua, _: &Host, message: String) -> mlua::Result<()> {
    Err(HostError::error_of_finding(Diagnostic::error(
        "script/argument",
        message,
    )))
}

/// Returns the cause that is known when a protected call begins.
fn cause_at_work(_: &Lua, host: &Host, (): ()) -> mlua::Result<u32> {
    Ok(host.cause_at_work())
}

/// Returns the value of `pcall` for an error. An error of the host becomes its text, and other values stay. Errors: a
/// limit or a waiting ruling is raised again.
fn value_for_pcall(
    _: &Lua,
    host: &Host,
    (_plain, cause, error): (Function, u32, Value),
) -> mlua::Result<Value> {
    host.meter.spend_fuel(CAUGHT);
    host.resume_unwound_cause(cause);
    if let Value::Error(error) = &error {
        host.meter.note_if_out_of_memory(error);
    }
    if let Some(limit) = host.meter.passed_limit() {
        return Err(HostError::error_of_limit(limit));
    }
    if let Some(Stop::Refused(finding)) = host.stop_reason() {
        return Err(HostError::error_of_finding(finding));
    }
    match error {
        Value::Error(error) => {
            let text = HostError::finding_of_error(&error)
                .map_or_else(|| error.to_string(), |found| found.message.clone());
            _plain.call(text)
        }
        other => Ok(other),
    }
}

fn print(_: &Lua, host: &Host, values: MultiValue) -> mlua::Result<()> {
    let texts = values.iter().filter_map(|value| value.as_string());
    let bytes: usize = texts.map(|text| text.as_bytes().len()).sum();
    host.charge(CALL * values.len() as u64 + bytes.min(printed_lines::LINE) as u64 / 32)?;
    host.keep_printed_values(values.iter());
    Ok(())
}
