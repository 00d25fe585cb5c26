//! Methods of `act` that read and change the stats and fields of rows.

use mlua::Lua;

use super::row_arguments::{NEW_CELL, check_field_not_audience, existing_row, store_refusal};
use crate::script::api::refusal_error;
use crate::script::border::DecimalValue;
use crate::script::border::stack_value::{Argument, NameArgument, Returned, This};
use crate::script::host::Host;
use crate::script::inquiry::expression_callbacks;
use crate::value::{Number, Value};

pub(super) fn get_value(
    lua: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<Returned> {
    shown_value(lua, host, act, &row, &field).map(Returned)
}

pub(super) fn get_decimal(
    lua: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<DecimalValue> {
    let value = shown_value(lua, host, act, &row, &field)?;
    match value.as_number() {
        Some(number) => Ok(DecimalValue(number.to_decimal())),
        None => Err(refusal_error(
            "script/argument",
            format!("the field is a {}, not a number", value.kind()),
        )),
    }
}

#[inline]
fn shown_value(
    lua: &Lua,
    host: &Host,
    act: This,
    row: &NameArgument,
    field: &NameArgument,
) -> mlua::Result<Value> {
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, row)?;
    let Ok(field) = host.existing_name(field) else {
        return Ok(Value::Nil);
    };
    expression_callbacks::look_with_rules(lua, host, run, |look| look.stat_value(row, field))
}

pub(super) fn base_value(
    lua: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, &row)?;
    let Ok(field) = host.existing_name(&field) else {
        return Ok(Returned(Value::Nil));
    };
    expression_callbacks::look_with_rules(lua, host, run, |look| look.base_of_stat(row, field))
        .map(Returned)
}

pub(super) fn shown_and_base(
    lua: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, NameArgument),
) -> mlua::Result<(Returned, Returned)> {
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, &row)?;
    let Ok(field) = host.existing_name(&field) else {
        return Ok((Returned(Value::Nil), Returned(Value::Nil)));
    };
    expression_callbacks::look_with_rules(lua, host, run, |look| {
        let (shown, base) = (look.stat_value(row, field)?, look.base_of_stat(row, field)?);
        Ok((Returned(shown), Returned(base)))
    })
}

pub(super) fn set_field(
    _: &Lua,
    host: &Host,
    (act, row, field, Argument(value)): (This, NameArgument, NameArgument, Argument),
) -> mlua::Result<()> {
    let mut run = host.ruling_to_change(act)?;
    let row = existing_row(host, &run, &row)?;
    let field = host.new_name(&field)?;
    if run.state.get(row, field).is_nil() {
        check_field_not_audience(host, &run, field)?;
        host.charge(NEW_CELL)?;
    }
    run.state.set(row, field, value).map_err(store_refusal)?;
    Ok(())
}

pub(super) fn add_to_field(
    lua: &Lua,
    host: &Host,
    (act, row, field, Argument(amount)): (This, NameArgument, NameArgument, Argument),
) -> mlua::Result<Returned> {
    let run = host.ruling_to_change(act)?;
    let row = existing_row(host, &run, &row)?;
    let field = host.new_name(&field)?;
    let base = expression_callbacks::look_with_rules(lua, host, run, |look| {
        look.base_of_stat(row, field)
    })?;
    let before = match base {
        Value::Nil => Number::ZERO,
        Value::Number(number) => number,
        other => {
            return Err(refusal_error(
                "script/argument",
                format!(
                    "`act:add` adds to a number, the field is a {}",
                    other.kind()
                ),
            ));
        }
    };
    let Value::Number(amount) = amount else {
        return Err(refusal_error(
            "script/argument",
            format!("`act:add` adds a number, found a {}", amount.kind()),
        ));
    };
    let sum = before
        .checked_add(amount)
        .map_err(|reason| refusal_error("script/number", reason.to_string()))?;
    let value = Value::Number(sum);
    let mut run = host.ruling_to_change(act)?;
    if before == Number::ZERO {
        check_field_not_audience(host, &run, field)?;
    }
    run.state
        .set(row, field, value.clone())
        .map_err(store_refusal)?;
    Ok(Returned(value))
}
