//! Converts arguments of scripts to plain values and lists, and returns an error for invalid ones.

use mlua::{FromLua, Lua};

use super::charge;
use super::value_conversion;
use crate::value::{Number, Value};

/// Returns a plain value that a script passes, charged as work. Errors: the value cannot cross the border.
pub(crate) fn read_plain_value(value: mlua::Value, lua: &Lua) -> mlua::Result<Value> {
    let from = value.type_name();
    let (made, work) = value_conversion::from_lua_with_fuel(value);
    charge(lua, work)?;
    made.map_err(|reason| not_data_error(from, "plain data", reason.to_string()))
}

/// Returns a number that a script passes. Errors: it is not finite or too large.
pub(crate) fn read_number(number: f64) -> mlua::Result<Value> {
    let made = Number::from_f64(number).map(Value::Number);
    made.map_err(|reason| not_data_error("number", "plain data", reason.to_string()))
}

/// A list of texts that a script passes, as large as any plain value may be.
#[derive(Debug)]
pub(crate) struct Texts(pub(crate) Vec<String>);

impl FromLua for Texts {
    fn from_lua(value: mlua::Value, lua: &Lua) -> mlua::Result<Texts> {
        let text = |item: &Value| item.as_str().map(str::to_owned);
        read_list(value, lua, "a list of texts", text).map(Texts)
    }
}

/// A list of numbers that a script passes, as large as any plain value may be.
#[derive(Debug)]
pub(crate) struct Numbers(pub(crate) Vec<f64>);

impl FromLua for Numbers {
    fn from_lua(value: mlua::Value, lua: &Lua) -> mlua::Result<Numbers> {
        let number = |item: &Value| item.as_number().map(Number::to_f64);
        read_list(value, lua, "a list of numbers", number).map(Numbers)
    }
}

fn read_list<T>(
    value: mlua::Value,
    lua: &Lua,
    to: &str,
    item: impl Fn(&Value) -> Option<T>,
) -> mlua::Result<Vec<T>> {
    let from = value.type_name();
    let made = read_plain_value(value, lua).map_err(|error| match error {
        mlua::Error::FromLuaConversionError {
            message: Some(message),
            ..
        } => not_data_error(from, to, message),
        other => other,
    })?;
    match &made {
        Value::List(items) => {
            let made: Option<Vec<T>> = items.iter().map(item).collect();
            made.ok_or_else(|| wrong_type_error(from, to))
        }
        _ => Err(wrong_type_error(from, to)),
    }
}

/// Returns the error for an invalid value, with the reason. The function that reports the error adds its name.
pub(crate) fn not_data_error(from: &'static str, to: &str, reason: String) -> mlua::Error {
    mlua::Error::FromLuaConversionError {
        from,
        to: to.to_owned(),
        message: Some(reason),
    }
}

/// Returns the error for a value of the wrong type. The function that reports the error adds its name.
pub(crate) fn wrong_type_error(from: &'static str, to: &str) -> mlua::Error {
    mlua::Error::FromLuaConversionError {
        from,
        to: to.to_owned(),
        message: None,
    }
}
