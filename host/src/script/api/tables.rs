//! Adds the tables of the API to the globals of scripts: one file per table, declared in the `.d.luau` file beside it.

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::library::{argument_check_function, argument_refusal_function};
use super::{
    act, close_match, decimal, definitions, dice, expr, memoize, outline, phrase, polls, text,
};
use crate::script::former_names;
use crate::script::host::Host;
use crate::script::host::sandbox::constant_environment;
use crate::script::source::api_declarations::declared_groups;

const LISTS: &str = include_str!("list.luau");

/// The globals that `list.luau` uses.
const LIST_GLOBALS: [&str; 8] = [
    "ipairs", "math", "next", "rawget", "rawlen", "select", "table", "type",
];

/// Adds every API table to the globals of scripts. With `raw` false no function has a fast way.
pub(crate) fn add_api_tables(
    lua: &Lua,
    host: &Rc<Host>,
    globals: &Table,
    raw: bool,
) -> mlua::Result<()> {
    act::register_act_methods(lua, host, raw)?;
    let takes_one = add_list_tables(lua, host, globals)?;
    globals.set("decimal", decimal::decimal_function(lua, host)?)?;
    globals.set("definitions", definitions::definitions_table(lua, host)?)?;
    globals.set("dice", dice::dice_table(lua, host)?)?;
    globals.set("expr", expr::expr_table(lua, host)?)?;
    globals.set("fuzzy", close_match::fuzzy_table(lua, host)?)?;
    globals.set("outline", outline::outline_module_table(lua, host)?)?;
    globals.set("phrase", phrase::phrase_table(lua, host, globals)?)?;
    globals.set("poll", polls::poll_table(lua, host, globals)?)?;
    globals.set("memoize", memoize::memoize_function(lua, host, globals)?)?;
    globals.set("text", text::text_module_table(lua, host)?)?;
    for (group, function) in one_argument_functions() {
        let found: LuaValue = globals.get(group)?;
        let found = match found {
            LuaValue::Table(table) => table.raw_get(function)?,
            lone => lone,
        };
        takes_one.raw_set(found, true)?;
    }
    for (old, now) in former_names::GLOBALS {
        globals.set(old, globals.get::<LuaValue>(now)?)?;
    }
    Ok(())
}

/// Returns the declared functions that scripts find by name and that take only one argument, with their groups.
fn one_argument_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let groups = declared_groups().iter().filter(|group| !group.is_type);
    groups.flat_map(|group| {
        let functions = group.functions.iter();
        let functions = functions.filter(|function| function.allowed.takes_one_argument());
        functions.map(|function| (&*group.name, &*function.name))
    })
}

/// Adds the tables of lists. Returns the table for the API functions that take only one argument.
fn add_list_tables(lua: &Lua, host: &Rc<Host>, globals: &Table) -> mlua::Result<Table> {
    let takes_one = lua.create_table()?;
    let made: Table = lua
        .load(&host.compiled_bytecode(LISTS)?[..])
        .set_mode(mlua::chunk::ChunkMode::Binary)
        .set_name("=host/list.luau")
        .set_environment(constant_environment(lua, globals, &LIST_GLOBALS)?)
        .call((
            argument_refusal_function(lua)?,
            argument_check_function(lua, host, "list")?,
            argument_check_function(lua, host, "ordered")?,
            &takes_one,
        ))?;
    globals.set("list", made.get::<Table>("list")?)?;
    globals.set("ordered", made.get::<Table>("ordered")?)?;
    Ok(takes_one)
}
