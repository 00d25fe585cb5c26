//! This module is the methods of `act` that read and change the stats and fields of rows.

use mlua::Lua;

use super::super::super::host::Host;
use super::super::super::raw::{Argument, NameArgument, Returned, This};
use super::super::super::run::Run;
use super::super::super::trace;
use super::super::{DecimalValue, refused};
use super::{NEW_CELL, existing, store_refusal};
use crate::store::shown;
use crate::value::{Name, Number, Value};

pub(super) fn get(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<Returned> {
    value_of(host, act, &row, &field).map(Returned)
}

pub(super) fn get_decimal(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<DecimalValue> {
    let value = value_of(host, act, &row, &field)?;
    match value.as_number() {
        Some(number) => Ok(DecimalValue(number.to_decimal())),
        None => Err(refused(
            "script/argument",
            format!("the field is a {}, no number", value.kind()),
        )),
    }
}

#[inline]
fn value_of(
    host: &Host,
    act: This,
    row: &NameArgument,
    field: &NameArgument,
) -> mlua::Result<Value> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, row)?;
    let Ok(field) = host.name(field) else {
        return Ok(Value::Nil);
    };
    let declaration = run.state.stats().get(field);
    shown(&run.state, declaration, row, field).map_err(store_refusal)
}

pub(super) fn base(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, &row)?;
    let Ok(field) = host.name(&field) else {
        return Ok(Returned(Value::Nil));
    };
    Ok(Returned(stored_base(&run, row, field)))
}

pub(super) fn stat(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<(Returned, Returned)> {
    let run = host.ruling(act)?;
    let row = existing(host, &run, &row)?;
    let Ok(field) = host.name(&field) else {
        return Ok((Returned(Value::Nil), Returned(Value::Nil)));
    };
    let now = shown(&run.state, run.state.stats().get(field), row, field).map_err(store_refusal)?;
    Ok((Returned(now), Returned(stored_base(&run, row, field))))
}

fn stored_base(run: &Run, row: Name, field: Name) -> Value {
    let stored = run.state.get(row, field);
    if stored.is_nil() {
        run.state.stats().get(field).base.clone()
    } else {
        stored.clone()
    }
}

pub(super) fn set(
    lua: &Lua,
    host: &Host,
    (act, row, field, Argument(value)): (This, NameArgument, NameArgument, Argument),
) -> mlua::Result<()> {
    let mut run = host.changing(act)?;
    let row = existing(host, &run, &row)?;
    let field = host.new_name(&field)?;
    if run.state.get(row, field).is_nil() {
        host.charge(NEW_CELL)?;
    }
    run.state.set(row, field, value).map_err(store_refusal)?;
    trace::wrote(lua, &mut run);
    Ok(())
}

pub(super) fn add(
    lua: &Lua,
    host: &Host,
    (act, row, field, Argument(amount)): (This, NameArgument, NameArgument, Argument),
) -> mlua::Result<Returned> {
    let mut run = host.changing(act)?;
    let row = existing(host, &run, &row)?;
    let field = host.new_name(&field)?;
    let before = match stored_base(&run, row, field) {
        Value::Nil => Number::ZERO,
        Value::Number(number) => number,
        other => {
            return Err(refused(
                "script/argument",
                format!(
                    "`act:add` adds to a number, the field is a {}",
                    other.kind()
                ),
            ));
        }
    };
    let Value::Number(amount) = amount else {
        return Err(refused(
            "script/argument",
            format!("`act:add` adds a number, found a {}", amount.kind()),
        ));
    };
    let sum = before
        .checked_add(amount)
        .map_err(|reason| refused("script/number", reason.to_string()))?;
    let value = Value::Number(sum);
    run.state
        .set(row, field, value.clone())
        .map_err(store_refusal)?;
    trace::wrote(lua, &mut run);
    Ok(Returned(value))
}
