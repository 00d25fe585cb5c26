//! Exact decimals for scripts: `decimal("0.63")`, arithmetic, rounding.
//!
//! A decimal keeps the decimal places with which it is written. Results keep the places that they need. Only the amount
//! crosses into the game, without the places.

use std::rc::Rc;

use mlua::{
    FromLua, Function, Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value, Variadic,
};
use rust_decimal::{Decimal, RoundingStrategy};

use super::library::{allowed_kinds, check_arguments, wrong_kind_error};
use super::{expected_and_found_in_words, refusal_error};
use crate::script::border::argument_kinds::{Kinds, Wrong};
use crate::script::border::argument_values::wrong_type_error;
use crate::script::border::stack_value::Checked;
use crate::script::border::{DecimalValue, charge, is_live_line};

use crate::script::host::Host;
use crate::value::{Number, parse_written_decimal};

/// Fuel of an operation with decimals. Most of it is the cost of the result, which the machine keeps like any other
/// value.
const DECIMAL: u64 = 16;

/// Bytes of a text that is read as a decimal, for a unit of fuel.
const DIGITS: u64 = 4;

/// A decimal, or a value that becomes one: a number or the text of one.
struct Operand(Decimal);

impl FromLua for Operand {
    fn from_lua(value: Value, lua: &Lua) -> mlua::Result<Operand> {
        let exact = match &value {
            Value::Integer(whole) => Ok(Decimal::from(*whole)),
            Value::Number(number) => Number::from_f64(*number).map(|number| number.to_decimal()),
            Value::String(text) => {
                let text = text.to_str()?;
                charge(lua, text.len() as u64 / DIGITS)?;
                parse_written_decimal(text.trim())
            }
            Value::UserData(data) => match data.borrow::<DecimalValue>() {
                Ok(decimal) => return Ok(Operand(decimal.0)),
                Err(_) => return Err(wrong_type_error("userdata", "a decimal")),
            },
            other => {
                return Err(wrong_type_error(
                    other.type_name(),
                    "a decimal, a number or the text of one",
                ));
            }
        };
        exact
            .map(Operand)
            .map_err(|reason| mlua::Error::FromLuaConversionError {
                from: value.type_name(),
                to: "a decimal".to_owned(),
                message: Some(reason.to_string()),
            })
    }
}

/// Returns the function `decimal`.
pub(super) fn decimal_function(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Function> {
    let name = ("decimal", "decimal");
    let (host, allowed) = (Rc::clone(host), allowed_kinds(name.0, name.1));
    lua.create_function(move |lua, given: Checked<Operand>| {
        charge(lua, DECIMAL)?;
        check_arguments(&host, name, given, allowed).map(|Operand(value)| DecimalValue(value))
    })
}

impl UserData for DecimalValue {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Decimal");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        use RoundingStrategy::{
            AwayFromZero, MidpointAwayFromZero, MidpointNearestEven, ToNegativeInfinity,
            ToPositiveInfinity, ToZero,
        };
        let roundings = [
            ("round", MidpointAwayFromZero),
            ("round_even", MidpointNearestEven),
            ("floor", ToNegativeInfinity),
            ("ceil", ToPositiveInfinity),
            ("trunc", ToZero),
            ("away", AwayFromZero),
        ];
        for (name, strategy) in roundings {
            methods.add_method(name, move |lua, this, more: Variadic<Value>| {
                charge(lua, DECIMAL)?;
                check_no_arguments(lua, name, &more)?;
                Ok(DecimalValue(this.0.round_dp_with_strategy(0, strategy)))
            });
        }
        methods.add_method("digits", |lua, this, more: Variadic<Value>| {
            charge(lua, DECIMAL)?;
            check_no_arguments(lua, "digits", &more)?;
            Ok(decimal_as_written(this.0))
        });
        methods.add_method("number", |lua, this, more: Variadic<Value>| {
            charge(lua, DECIMAL)?;
            check_no_arguments(lua, "number", &more)?;
            Ok(Number::from_decimal(this.0).to_f64())
        });
        methods.add_meta_function(MetaMethod::Add, |lua, pair| {
            charge(lua, DECIMAL)?;
            apply_operator("+", pair, Decimal::checked_add)
        });
        methods.add_meta_function(MetaMethod::Sub, |lua, pair| {
            charge(lua, DECIMAL)?;
            apply_operator("-", pair, Decimal::checked_sub)
        });
        methods.add_meta_function(MetaMethod::Mul, |lua, pair| {
            charge(lua, DECIMAL)?;
            apply_operator("*", pair, Decimal::checked_mul)
        });
        methods.add_meta_function(MetaMethod::Div, |lua, pair| {
            charge(lua, DECIMAL)?;
            apply_operator("/", pair, Decimal::checked_div)
        });
        methods.add_meta_function(MetaMethod::Unm, |lua, Operand(value): Operand| {
            charge(lua, DECIMAL)?;
            Ok(DecimalValue(-value))
        });
        methods.add_meta_function(MetaMethod::Eq, |lua, (a, b): (Operand, Operand)| {
            charge(lua, DECIMAL)?;
            Ok(a.0 == b.0)
        });
        methods.add_meta_function(MetaMethod::Lt, |lua, pair| {
            charge(lua, DECIMAL)?;
            let (a, b) = read_operands("<", pair)?;
            Ok(a < b)
        });
        methods.add_meta_function(MetaMethod::Le, |lua, pair| {
            charge(lua, DECIMAL)?;
            let (a, b) = read_operands("<=", pair)?;
            Ok(a <= b)
        });
        methods.add_meta_method(MetaMethod::ToString, |lua, this, ()| {
            charge(lua, DECIMAL)?;
            Ok(this.0.normalize().to_string())
        });
    }
}

/// Checks that a method without parameters is called without arguments. Errors: `script/argument`.
fn check_no_arguments(lua: &Lua, name: &str, more: &[Value]) -> mlua::Result<()> {
    match Kinds::of(more).first_wrong(Kinds::NONE) {
        Some(wrong) if is_live_line(lua) => {
            let place = wrong.place + 1;
            Err(wrong_kind_error("Decimal", name, &Wrong { place, ..wrong }))
        }
        _ => Ok(()),
    }
}

/// Returns a decimal as it is written, with all its places. Zero has no sign.
fn decimal_as_written(mut value: Decimal) -> String {
    if value.is_zero() {
        value.set_sign_positive(true);
    }
    value.to_string()
}

fn apply_operator(
    sign: &str,
    pair: Checked<(Operand, Operand)>,
    operation: fn(Decimal, Decimal) -> Option<Decimal>,
) -> mlua::Result<DecimalValue> {
    let (a, b) = read_operands(sign, pair)?;
    operation(a, b).map(DecimalValue).ok_or_else(|| {
        let message = match sign == "/" && b.is_zero() {
            true => format!("{a} is divided by zero"),
            false => format!("{a} {sign} {b} has no exact result of at most 28 digits"),
        };
        refusal_error("script/number", message)
    })
}

/// Returns both sides of an operator. Errors: one of them is not a decimal and cannot be converted to one.
fn read_operands(
    sign: &str,
    Checked(pair, _): Checked<(Operand, Operand)>,
) -> mlua::Result<(Decimal, Decimal)> {
    match pair {
        Ok((a, b)) => Ok((a.0, b.0)),
        Err(error) => Err(refusal_error(
            "script/argument",
            format!(
                "`{sign}` {}",
                expected_and_found_in_words(&error, "decimal")
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_are_those_that_are_written() {
        for text in [
            "5.0",
            "1.50",
            "10",
            "0.00",
            "-2.500",
            "1.0000000000000000000000000000",
        ] {
            assert_eq!(
                decimal_as_written(parse_written_decimal(text).unwrap()),
                text
            );
        }
        assert_eq!(
            decimal_as_written(-parse_written_decimal("0.0").unwrap()),
            "0.0"
        );
        assert_eq!(
            decimal_as_written(parse_written_decimal("1.50e1").unwrap()),
            "15.0"
        );
    }

    fn decimals() -> impl Strategy<Value = Decimal> {
        let parts = (-1_000_000_000i64..1_000_000_000, 0u32..9);
        parts.prop_map(|(digits, places)| Decimal::new(digits, places))
    }

    proptest! {
        #[test]
        fn places_without_meaning_change_no_amount(a in decimals(), b in decimals(), more in 0u32..6) {
            let mut longer = a;
            longer.rescale(a.scale() + more);
            prop_assert_eq!(Number::from_decimal(longer), Number::from_decimal(a));
            let operations: [fn(Decimal, Decimal) -> Option<Decimal>; 4] =
                [Decimal::checked_add, Decimal::checked_sub, Decimal::checked_mul, Decimal::checked_div];
            for operation in operations {
                prop_assert_eq!(operation(longer, b), operation(a.normalize(), b.normalize()));
                prop_assert_eq!(operation(b, longer), operation(b.normalize(), a.normalize()));
            }
        }
    }
}
