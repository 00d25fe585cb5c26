//! This module is dice as mathematics for scripts: reading notation and exact odds.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::super::host::Host;
use super::super::raw::Returned;
use super::Library;
use crate::value::Value;

/// Returns the table `dice`.
pub(super) fn table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    Ok(Library::new(lua, host, "dice")?.add("parse", parse)?.done())
}

fn parse(_: &Lua, host: &Host, notation: mlua::LuaString) -> mlua::Result<Returned> {
    let notation = host.notation(&notation)?;
    Ok(Returned(Value::map([
        ("text", Value::from(notation.text())),
        ("dice", Value::from(i64::from(notation.dice()))),
    ])))
}
