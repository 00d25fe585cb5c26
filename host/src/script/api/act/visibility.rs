//! Methods of `act` that name conditions and check visibility.

use std::rc::Rc;

use mlua::{Lua, Value as LuaValue};

use super::command_output::send_document;
use super::row_arguments::existing_row;
use super::row_methods::fields_value;
use crate::doc::{Audience, Viewer};
use crate::script::border::stack_value::{NameArgument, Returned, This};
use crate::script::border::value_conversion;
use crate::script::border::{GM, GROUP};
use crate::script::host::Host;
use crate::script::inquiry::audiences::{check_group, read_existing_audience};
use crate::script::inquiry::seats::known_seats;
use crate::script::inquiry::viewers::{viewer_of_audience, viewer_of_person};
use crate::script::run::trace::{self, Step};
use crate::script::run::visibility::{Sight, seat_names_of_entity, seat_plays_entity};
use crate::store::State;
use crate::value::{Name, Text, Value};

/// Returns a condition unchanged. A traced run notes the condition with its text.
pub(super) fn trace_condition(
    lua: &Lua,
    host: &Host,
    (act, condition, text): (This, LuaValue, mlua::LuaString),
) -> mlua::Result<LuaValue> {
    let mut run = host.ruling(act)?;
    trace::note_step(lua, &mut run, || Step::Tested {
        text: text.to_string_lossy(),
        holds: !matches!(condition, LuaValue::Nil | LuaValue::Boolean(false)),
        value: value_conversion::from_lua(condition.clone())
            .unwrap_or_else(|_| Value::from(condition.type_name())),
    });
    Ok(condition)
}

/// Fuel of finding a person.
const SEEN: u64 = 18;

/// Returns whether an audience, by default the giver of the command, may see a row, or a field of the row.
pub(super) fn may_see(
    _: &Lua,
    host: &Host,
    (act, row, field, who): (This, NameArgument, Option<NameArgument>, Option<String>),
) -> mlua::Result<bool> {
    host.charge(SEEN)?;
    let viewer = viewer_of_audience_or_giver(host, act, who)?;
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, &row)?;
    let sight = Sight::new(&run.state, &viewer);
    Ok(match field {
        None => sight.can_see_row(row),
        Some(field) => match host.existing_name(&field) {
            Ok(field) => sight.can_see_field(row, stored_field(host, &run.state, (row, field))),
            Err(_) => sight.can_see_row(row),
        },
    })
}

/// Returns the fields of a row that an audience, by default the giver of the command, may see; nothing if it may not see
/// the row.
///
/// The number, the maker and the cause of a record tell what others do, so only the game master gets them.
pub(super) fn visible_row(
    _: &Lua,
    host: &Host,
    (act, row, who): (This, NameArgument, Option<String>),
) -> mlua::Result<Returned> {
    host.charge(SEEN)?;
    let viewer = viewer_of_audience_or_giver(host, act, who)?;
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, &row)?;
    let sight = Sight::new(&run.state, &viewer);
    if !sight.can_see_row(row) {
        return Ok(Returned(Value::Nil));
    }
    let reserved = run.state.reserved();
    let of_others = [
        reserved.number,
        reserved.source,
        reserved.acting,
        reserved.cause,
    ];
    let value_of = |field: Name| match sight.sees_all() || !of_others.contains(&field) {
        true => sight.visible_value(row, field),
        false => Value::Nil,
    };
    fields_value(host, &run, row, value_of).map(Returned)
}

/// Returns the viewer that an audience stands for, by default the giver of the command.
fn viewer_of_audience_or_giver(
    host: &Host,
    act: This,
    who: Option<String>,
) -> mlua::Result<Viewer> {
    match who {
        Some(who) => viewer_of_audience(host, read_existing_audience(host, &who)?),
        None => {
            let by = host.ruling(act)?.by.clone();
            viewer_of_person(host, &by)
        }
    }
}

/// Returns the stored field for a field name that rows show: a field of the store appears without its `@`.
fn stored_field(host: &Host, state: &State, (row, field): (Name, Name)) -> Name {
    let own = host.names.find(&format!("@{}", host.names.text(field)));
    own.filter(|own| !state.get(row, *own).is_nil())
        .unwrap_or(field)
}

/// Returns the first entity, by id, that the giver of the command plays. The game master plays none.
pub(super) fn first_played_entity(_: &Lua, host: &Host, act: This) -> mlua::Result<Option<String>> {
    let run = host.ruling(act)?;
    if run.by == GM {
        return Ok(None);
    }
    let state = &run.state;
    let rows = state.rows();
    host.charge(rows.len() as u64)?;
    let mut entities = rows
        .into_iter()
        .filter(|row| state.owner(*row).is_none() && !state.is_host_row(*row));
    let found = entities.find(|row| seat_plays_entity(state, &run.by, *row));
    Ok(found.map(|row| host.names.text(row).to_string()))
}

/// Returns the seat that plays an entity, or the bearer of a record.
pub(super) fn seat_of_row(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<Option<String>> {
    host.charge(SEEN)?;
    let named: Vec<Text> = {
        let run = host.ruling(act)?;
        let row = existing_row(host, &run, &row)?;
        seat_names_of_entity(&run.state, run.state.bearer(row)).collect()
    };
    let rules = Rc::clone(&host.rules.borrow());
    let seats = known_seats(host, &rules)?;
    Ok(named.iter().find_map(|name| seats.seat_by_name(name).ok()))
}

/// Returns whether the giver of the command is in a group. The game master is in all groups.
pub(super) fn is_giver_in_group(
    _: &Lua,
    host: &Host,
    (act, group): (This, String),
) -> mlua::Result<bool> {
    host.charge(SEEN)?;
    let by = host.ruling(act)?.by.clone();
    let group = group.strip_prefix(GROUP).unwrap_or(&group);
    check_group(host, group)?;
    if by == GM {
        return Ok(true);
    }
    let rules = Rc::clone(&host.rules.borrow());
    let seats = known_seats(host, &rules)?;
    Ok(seats.groups_of_seat(&by).iter().any(|own| own == group))
}

/// Sends a document to the seat that plays an entity, or to the game master if no seat plays it.
pub(super) fn say_to_player_of_row(
    lua: &Lua,
    host: &Host,
    (act, row, document, data): (This, NameArgument, LuaValue, Option<LuaValue>),
) -> mlua::Result<()> {
    let to = seat_of_row(lua, host, (act, row))?.map_or(Audience::Gm, Audience::Seat);
    send_document(lua, host, act, (to, document, data))
}
