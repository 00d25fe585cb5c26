//! This module is the methods of `act` that name conditions and ask who may see what.

use std::rc::Rc;

use mlua::{Lua, Value as LuaValue};

use super::super::super::convert;
use super::super::super::error::HostError;
use super::super::super::host::Host;
use super::super::super::raw::{NameArgument, This};
use super::super::super::seats::{GM, seats_of};
use super::super::super::sight::Sight;
use super::super::super::trace::{self, Step};
use super::existing;
use crate::doc::{Audience, Viewer};
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

/// Returns whether an audience, or else the one who gives the command, may see a row, or a field of it.
pub(super) fn may_see(
    _: &Lua,
    host: &Host,
    (act, row, field, who): (This, NameArgument, Option<NameArgument>, Option<String>),
) -> mlua::Result<bool> {
    let audience = match who {
        Some(who) => Audience::parse(&who).map_err(HostError::raise)?,
        None => match host.ruling(act)?.by.clone() {
            by if by == GM => Audience::Gm,
            by => Audience::Seat(by),
        },
    };
    let viewer = viewer(host, audience)?;
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

/// Returns an audience as a reader of what is said: a seat with its groups of now, a group as a member of that alone.
fn viewer(host: &Host, audience: Audience) -> mlua::Result<Viewer> {
    Ok(match audience {
        Audience::Gm => Viewer::Gm,
        Audience::Public => Viewer::Public,
        Audience::Group(group) => Viewer::seat("", [group.as_str()]),
        Audience::Seat(seat) => {
            let rules = Rc::clone(&host.rules.borrow());
            let seats = seats_of(host, &rules)?;
            let groups = seats.groups(&seat).to_vec();
            Viewer::seat(seat, groups.iter().map(String::as_str))
        }
    })
}
