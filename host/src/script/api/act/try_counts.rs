//! Methods of `act` that count attempts of rules, for people who simulate games.

use mlua::{FromLua, Lua, LuaString, Value as LuaValue};

use crate::script::border::argument_values::wrong_type_error;
use crate::script::border::stack_value::This;
use crate::script::host::Host;
use crate::script::host::try_counts::MOST;

/// Names of an attempt: none, one, or several.
pub(super) struct Names(Vec<String>);

impl FromLua for Names {
    fn from_lua(value: LuaValue, _: &Lua) -> mlua::Result<Names> {
        let wrong = |found: &'static str| wrong_type_error(found, "a text or a list of texts");
        match value {
            LuaValue::Nil => Ok(Names(Vec::new())),
            LuaValue::String(name) => Ok(Names(vec![name.to_str()?.to_owned()])),
            LuaValue::Table(names) => {
                let names = names.sequence_values::<LuaString>();
                let names = names.map(|name| Ok(name?.to_str()?.to_owned()));
                let names: mlua::Result<Vec<String>> = names.take(MOST + 1).collect();
                names.map(Names).map_err(|_| wrong("table"))
            }
            other => Err(wrong(other.type_name())),
        }
    }
}

/// Counts a possible attempt, or its outcome, under names.
pub(super) fn count_try_under_names(
    _: &Lua,
    host: &Host,
    (act, of, Names(names), success): (This, String, Names, Option<bool>),
) -> mlua::Result<()> {
    let _ = host.ruling(act)?;
    if names.is_empty() {
        return host.note_try(&of, None, success);
    }
    host.charge(names.len() as u64 - 1)?;
    let mut names = names.iter();
    names.try_for_each(|name| host.note_try(&of, Some(name), success))
}

/// Returns whether attempts are counted in this run.
pub(super) fn are_tries_counted(_: &Lua, host: &Host, act: This) -> mlua::Result<bool> {
    let _ = host.ruling(act)?;
    Ok(host.are_tries_counted())
}
