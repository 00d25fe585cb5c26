//! This module adds the tables of the API to what scripts see: one file per table, declared in the `.d.luau` file beside it.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::{
    act, close_match, decimal, definitions, dice, expr, outline, phrase, polls, refused, remember,
    text,
};
use crate::script::host::Host;
use crate::script::host::sandbox::constants;

const LISTS: &str = include_str!("list.luau");

/// The globals that `list.luau` uses.
const LIST_GLOBALS: [&str; 5] = ["ipairs", "math", "select", "table", "type"];

/// Adds every API table to the globals of scripts; with `raw` false no function has a fast way.
pub(crate) fn register(lua: &Lua, host: &Rc<Host>, globals: &Table, raw: bool) -> mlua::Result<()> {
    act::register(lua, host, raw)?;
    lists(lua, host, globals)?;
    globals.set("decimal", decimal::constructor(lua, host)?)?;
    globals.set("definitions", definitions::table(lua, host)?)?;
    globals.set("dice", dice::table(lua, host)?)?;
    globals.set("expr", expr::table(lua, host)?)?;
    globals.set("match", close_match::table(lua, host)?)?;
    globals.set("outline", outline::table(lua, host)?)?;
    globals.set("phrase", phrase::table(lua, host)?)?;
    globals.set("poll", polls::table(lua, host, globals)?)?;
    globals.set("remember", remember::function(lua, host)?)?;
    globals.set("text", text::table(lua, host)?)
}

fn lists(lua: &Lua, host: &Rc<Host>, globals: &Table) -> mlua::Result<()> {
    let refuse = lua
        .create_function(|_, message: String| Err::<(), _>(refused("script/argument", message)))?;
    let made: Table = lua
        .load(&host.compiled(LISTS)?[..])
        .set_mode(mlua::chunk::ChunkMode::Binary)
        .set_name("=host/list.luau")
        .set_environment(constants(lua, globals, &LIST_GLOBALS)?)
        .call(refuse)?;
    globals.set("list", made.get::<Table>("list")?)?;
    globals.set("ordered", made.get::<Table>("ordered")?)
}
