//! This module is the methods of `act` that name conditions and ask who may see what.

use std::rc::Rc;

use mlua::{Lua, Value as LuaValue};

use super::super::super::convert;
use super::super::super::host::Host;
use super::super::super::raw::{NameArgument, This};
use super::super::super::seats::{GM, seats_of};
use super::super::super::sight::Sight;
use super::super::super::trace::{self, Step};
use super::existing;
use crate::doc::Viewer;
use crate::value::Value;

/// Returns a condition as it came; a run that is traced notes it with its text.
pub(super) fn test(
    lua: &Lua,
    host: &Host,
    (act, condition, text): (This, LuaValue, mlua::LuaString),
) -> mlua::Result<LuaValue> {
    let mut run = host.ruling(act)?;
    trace::note(lua, &mut run, || Step::Tested {
        text: text.to_string_lossy(),
        holds: !matches!(condition, LuaValue::Nil | LuaValue::Boolean(false)),
        value: convert::from_lua(condition.clone())
            .unwrap_or_else(|_| Value::from(condition.type_name())),
    });
    Ok(condition)
}

/// Returns whether the one who gives the command may see a row, or a field of it.
pub(super) fn may_see(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, Option<NameArgument>),
) -> mlua::Result<bool> {
    let by = host.ruling(act)?.by.clone();
    let viewer = viewer(host, by)?;
    let run = host.ruling(act)?;
    let row = existing(host, &run, &row)?;
    let sight = Sight::new(&run.state, &viewer);
    Ok(match field {
        None => sight.row(row),
        Some(field) => match host.name(&field) {
            Ok(field) => sight.cell(row, field),
            Err(_) => sight.row(row),
        },
    })
}

/// Returns somebody as a reader of what is said, with the groups of now.
fn viewer(host: &Host, by: String) -> mlua::Result<Viewer> {
    if by == GM {
        return Ok(Viewer::Gm);
    }
    let rules = Rc::clone(&host.rules.borrow());
    let seats = seats_of(host, &rules)?;
    let groups = seats.groups(&by).to_vec();
    Ok(Viewer::seat(by, groups.iter().map(String::as_str)))
}
