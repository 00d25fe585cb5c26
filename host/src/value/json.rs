//! Turns values into JSON and JSON into values, keeping every digit of a number.

use std::str::FromStr;

use serde_json::Value as Json;

use super::{Number, NumberError, Value};

/// Returns the value as JSON; numbers are written with all their digits.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => {
            let digits = serde_json::Number::from_str(&number.to_string());
            Json::Number(digits.expect("invariant: a decimal is a JSON number"))
        }
        Value::Text(text) => Json::String(text.to_string()),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Map(entries) => Json::Object(
            entries
                .iter()
                .map(|(k, v)| (k.to_string(), to_json(v)))
                .collect(),
        ),
    }
}

/// Returns JSON as a value; `null` entries of an object are left out.
///
/// Errors: a number beyond 28 digits.
pub fn from_json(json: &Json) -> Result<Value, NumberError> {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(Number::from_str(&number.to_string())?),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            Value::list(items.iter().map(from_json).collect::<Result<Vec<_>, _>>()?)
        }
        Json::Object(entries) => {
            let entries = entries.iter().map(|(k, v)| Ok((k.as_str(), from_json(v)?)));
            Value::map(entries.collect::<Result<Vec<_>, _>>()?)
        }
    })
}
