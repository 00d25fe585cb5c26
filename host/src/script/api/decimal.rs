//! This module is exact decimals for scripts: `decimal("0.63")`, arithmetic, rounding.

use std::rc::Rc;

use mlua::{FromLua, Function, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};
use rust_decimal::{Decimal, RoundingStrategy};

use super::super::argument::wrong_type;
use super::super::host::Host;
use super::super::raw::Checked;
use super::{expectation, refused, wrong_argument};
use crate::value::Number;

/// An exact decimal in the hands of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecimalValue(pub(crate) Decimal);

/// A decimal, or what becomes one: a number or the text of one.
struct Operand(Decimal);

impl FromLua for Operand {
    fn from_lua(value: Value, _: &Lua) -> mlua::Result<Operand> {
        let exact = match &value {
            Value::Integer(whole) => Ok(Number::from(*whole)),
            Value::Number(number) => Number::from_f64(*number),
            Value::String(text) => text.to_str()?.trim().parse(),
            Value::UserData(data) => match data.borrow::<DecimalValue>() {
                Ok(decimal) => return Ok(Operand(decimal.0)),
                Err(_) => return Err(wrong_type("userdata", "a decimal")),
            },
            other => {
                return Err(wrong_type(
                    other.type_name(),
                    "a decimal, a number or the text of one",
                ));
            }
        };
        exact
            .map(|number| Operand(number.to_decimal()))
            .map_err(|reason| mlua::Error::FromLuaConversionError {
                from: value.type_name(),
                to: "a decimal".to_owned(),
                message: Some(reason.to_string()),
            })
    }
}

/// Returns the function `decimal`.
pub(super) fn constructor(lua: &Lua, _: &Rc<Host>) -> mlua::Result<Function> {
    lua.create_function(|_, Checked(value): Checked<Operand>| match value {
        Ok(Operand(value)) => Ok(DecimalValue(value)),
        Err(error) => Err(wrong_argument("decimal", "decimal", &error)),
    })
}

impl UserData for DecimalValue {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Decimal");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("round", |_, this, ()| {
            let places = RoundingStrategy::MidpointAwayFromZero;
            Ok(DecimalValue(this.0.round_dp_with_strategy(0, places)))
        });
        methods.add_method("floor", |_, this, ()| Ok(DecimalValue(this.0.floor())));
        methods.add_method("ceil", |_, this, ()| Ok(DecimalValue(this.0.ceil())));
        methods.add_method("number", |_, this, ()| {
            Ok(Number::from_decimal(this.0).to_f64())
        });
        methods.add_meta_function(MetaMethod::Add, |_, pair| {
            apply("+", pair, Decimal::checked_add)
        });
        methods.add_meta_function(MetaMethod::Sub, |_, pair| {
            apply("-", pair, Decimal::checked_sub)
        });
        methods.add_meta_function(MetaMethod::Mul, |_, pair| {
            apply("*", pair, Decimal::checked_mul)
        });
        methods.add_meta_function(MetaMethod::Div, |_, pair| {
            apply("/", pair, Decimal::checked_div)
        });
        methods.add_meta_function(MetaMethod::Unm, |_, Operand(value): Operand| {
            Ok(DecimalValue(-value))
        });
        methods.add_meta_function(MetaMethod::Eq, |_, (a, b): (Operand, Operand)| {
            Ok(a.0 == b.0)
        });
        methods.add_meta_function(MetaMethod::Lt, |_, pair| {
            let (a, b) = operands("<", pair)?;
            Ok(a < b)
        });
        methods.add_meta_function(MetaMethod::Le, |_, pair| {
            let (a, b) = operands("<=", pair)?;
            Ok(a <= b)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(this.0.normalize().to_string())
        });
    }
}

fn apply(
    sign: &str,
    pair: Checked<(Operand, Operand)>,
    operation: fn(Decimal, Decimal) -> Option<Decimal>,
) -> mlua::Result<DecimalValue> {
    let (a, b) = operands(sign, pair)?;
    operation(a, b).map(DecimalValue).ok_or_else(|| {
        let message = format!("{a} {sign} {b} has no exact result of at most 28 digits");
        refused("script/number", message)
    })
}

/// Returns both sides of an operator. Errors: one of them is no decimal and becomes none.
fn operands(
    sign: &str,
    Checked(pair): Checked<(Operand, Operand)>,
) -> mlua::Result<(Decimal, Decimal)> {
    match pair {
        Ok((a, b)) => Ok((a.0, b.0)),
        Err(error) => Err(refused(
            "script/argument",
            format!("`{sign}` {}", expectation(&error)),
        )),
    }
}
