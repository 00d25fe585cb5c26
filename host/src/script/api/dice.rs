//! Dice as mathematics for scripts: reading notation and exact odds.

use std::rc::Rc;

use mlua::{Function, IntoLua, Lua, Table, Value as LuaValue};

use super::{Library, refusal_error};
use crate::dice::{BigUint, Distribution, FoldError, fold_outcomes_and_step_count};
use crate::script::border::DecimalValue;
use crate::script::border::argument_values::Numbers;
use crate::script::border::stack_value::{Argument, Returned};
use crate::script::border::value_conversion;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::value::{Number, Value};

/// Fuel of one distribution, regardless of its result.
const DISTRIBUTION: u64 = 2_000;

/// Steps of a distribution for a unit of fuel.
const STEPS: u64 = 16;

/// Fuel for one outcome of a notation that goes to a script.
const OUTCOME: usize = 96;

/// Fuel for an outcome of a fold.
const FOLDED: u64 = 24;

/// Fuel of asking a rule for the target of a face.
const STEP: u32 = 24;

/// Counts below this size (2^53) are plain numbers.
const PLAIN: u128 = 1 << 53;

/// Returns the table `dice`.
pub(super) fn dice_table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    Ok(Library::new(lua, host, "dice")?
        .add("parse", parse_notation)?
        .add("distribution", roll_distribution)?
        .add("fold", fold_dice)?
        .into_table())
}

fn parse_notation(_: &Lua, host: &Host, notation: mlua::LuaString) -> mlua::Result<Returned> {
    let notation = host.parsed_notation(&notation)?;
    let comment = notation.comment().map_or(Value::Nil, Value::from);
    Ok(Returned(Value::map([
        ("text", Value::from(notation.text())),
        ("dice", Value::from(i64::from(notation.dice_count()))),
        ("comment", comment),
    ])))
}

fn roll_distribution(
    lua: &Lua,
    host: &Host,
    (notation, parts): (mlua::LuaString, Option<Numbers>),
) -> mlua::Result<Table> {
    host.charge(DISTRIBUTION)?;
    let (odds, steps) = host
        .parsed_notation(&notation)?
        .distribution_and_step_count();
    host.charge(steps / STEPS)?;
    let odds = odds.map_err(HostError::error_of_finding)?;
    let parts = parts.map_or_else(Vec::new, |Numbers(parts)| parts);
    host.charge((odds.len() * (OUTCOME + parts.len())) as u64)?;
    let result = lua.create_table()?;
    result.set(
        "outcomes",
        count_as_script_number(lua, &odds.outcome_count())?,
    )?;
    result.set("mean", odds.mean().to_f64())?;
    result.set("deviation", odds.standard_deviation())?;
    let rows = lua.create_table_with_capacity(odds.len(), 0)?;
    let mut left = odds.outcome_count();
    for (value, ways) in odds.iter() {
        let row = lua.create_table_with_capacity(0, 5)?;
        row.set("value", value)?;
        row.set("count", count_as_script_number(lua, &ways)?)?;
        row.set("chance", odds.chance_of_ways(&ways))?;
        row.set("at_least", count_as_script_number(lua, &left)?)?;
        row.set("chance_at_least", odds.chance_of_ways(&left))?;
        rows.push(row)?;
        left -= ways;
    }
    result.set("rows", rows)?;
    result.set("quantiles", quantiles(&odds, &parts)?)?;
    Ok(result)
}

/// Returns the quantile of each part, in the order asked.
fn quantiles(odds: &Distribution, parts: &[f64]) -> mlua::Result<Vec<i64>> {
    let one = |part: &f64| {
        odds.quantile(*part).ok_or_else(|| {
            let message = format!("a share of all rolls is from 0 to 1, not {part}");
            refusal_error("script/argument", message)
        })
    };
    parts.iter().map(one).collect()
}

fn fold_dice(
    lua: &Lua,
    host: &Host,
    (Numbers(sides), Argument(start), step): (Numbers, Argument, Function),
) -> mlua::Result<Table> {
    let mut sizes = Vec::with_capacity(sides.len());
    for number in sides {
        if number.fract() != 0.0 || !(1.0..=1_000_000.0).contains(&number) {
            return Err(refusal_error(
                "script/argument",
                format!("a die has 1 to 1,000,000 sides, not {number}"),
            ));
        }
        sizes.push(number as u32);
    }
    let (rows, steps) = fold_outcomes_and_step_count(&sizes, start, |state, face, sides| {
        host.meter.spend_fuel(STEP);
        let state = value_conversion::to_lua(state, lua)?;
        let (Argument(next), add): (Argument, Option<f64>) =
            host.call_from_host_function(&step, (state, face, sides))?;
        Ok::<(Value, i64), mlua::Error>((next, require_whole_number(add.unwrap_or(0.0))?))
    });
    host.charge(steps / STEPS)?;
    let rows = rows.map_err(|error| match error {
        FoldError::Step(error) => error,
        FoldError::Refused(finding) => HostError::error_of_finding(finding),
    })?;
    host.charge(FOLDED * rows.len() as u64)?;
    let result = lua.create_table_with_capacity(rows.len(), 0)?;
    for outcome in rows {
        let row = lua.create_table_with_capacity(0, 3)?;
        row.set("state", Returned(outcome.state))?;
        row.set("sum", outcome.sum)?;
        row.set(
            "count",
            count_as_script_number(lua, &BigUint::from(outcome.count))?,
        )?;
        result.push(row)?;
    }
    Ok(result)
}

fn require_whole_number(number: f64) -> mlua::Result<i64> {
    if number.fract() == 0.0 && number.abs() < PLAIN as f64 {
        return Ok(number as i64);
    }
    Err(refusal_error(
        "script/argument",
        format!("the step of `dice.fold` adds a whole number, not {number}"),
    ))
}

/// Returns a count in the form for scripts: a plain number, a decimal, or its digits if there are more than 28.
fn count_as_script_number(lua: &Lua, ways: &BigUint) -> mlua::Result<LuaValue> {
    let small = u128::try_from(ways).ok();
    match small {
        Some(ways) if ways < PLAIN => (ways as f64).into_lua(lua),
        Some(ways) if let Ok(number) = Number::from_u128(ways) => {
            DecimalValue(number.to_decimal()).into_lua(lua)
        }
        _ => ways.to_string().into_lua(lua),
    }
}
