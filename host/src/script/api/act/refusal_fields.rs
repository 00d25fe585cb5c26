//! Fields of a refusal beside its sentence: hints, and the words of the line that the refusal points at.
//!
//! In: values that a rule passes to `act:fail`, or returns. Of a list, only as many items are read as are kept,
//! regardless of its length.

use std::ops::RangeInclusive;

use mlua::{BorrowedStr, FromLua, Lua, LuaString, Table, Value as LuaValue};

use crate::diag::{Diagnostic, Place, Source, Span};
use crate::script::border::argument_values::{not_data_error, wrong_type_error};
use crate::script::border::type_in_words;
use crate::script::host::error_findings::shorten_error_text;
use crate::script::run::SAID;

/// Most hints of a refusal that are kept.
const HINTS: usize = 10;

/// Fields of a place among words.
const KEYS: [&str; 3] = ["from", "said", "to"];

/// Reason why a value is not a hint or a place. There is no reason for a value that is not a table.
type Fault = Option<String>;

/// Hints that were checked, in the form in which they were given.
pub(super) struct Hints(pub(super) LuaValue);

/// A place that was checked, in the form in which it was given.
pub(super) struct At(pub(super) LuaValue);

impl FromLua for Hints {
    fn from_lua(value: LuaValue, _: &Lua) -> mlua::Result<Hints> {
        match read_hints(&value) {
            Ok(_) => Ok(Hints(value)),
            Err(fault) => Err(refused_value_error(
                &value,
                "a text or a list of texts",
                fault,
            )),
        }
    }
}

impl FromLua for At {
    fn from_lua(value: LuaValue, _: &Lua) -> mlua::Result<At> {
        match read_refusal_place(&value) {
            Ok(_) => Ok(At(value)),
            Err(fault) => Err(refused_value_error(
                &value,
                "a table { said, from, to }",
                fault,
            )),
        }
    }
}

fn refused_value_error(value: &LuaValue, to: &str, fault: Fault) -> mlua::Error {
    match fault {
        Some(fault) => not_data_error(value.type_name(), to, fault),
        None => wrong_type_error(value.type_name(), to),
    }
}

/// Returns a refusal from the table that `act:fail` makes, or from a table like it.
pub(in crate::script) fn diagnostic_of_refusal(made: &Table) -> Diagnostic {
    let text = |key: &str| made.raw_get::<Option<String>>(key).ok().flatten();
    let text = |key: &str| shorten_error_text(&text(key).unwrap_or_default());
    let finding = Diagnostic::error(text("code"), text("message"));
    let hints = read_hints(&raw_field(made, "hint")).unwrap_or_default();
    hints.into_iter().fold(finding, Diagnostic::hint)
}

/// Returns the first hints of a refusal, shortened: one text, or a list of them. Errors: the value has another form.
fn read_hints(said: &LuaValue) -> Result<Vec<String>, Fault> {
    match said {
        LuaValue::Nil => Ok(Vec::new()),
        LuaValue::String(hint) => Ok(vec![shorten_error_text(&utf8_text(hint)?)]),
        LuaValue::Table(list) => list_of_hints(list),
        _ => Err(None),
    }
}

fn list_of_hints(list: &Table) -> Result<Vec<String>, Fault> {
    let mut hints = Vec::new();
    for at in 1..=HINTS {
        match list.raw_get(at).unwrap_or(LuaValue::Nil) {
            LuaValue::String(hint) => hints.push(shorten_error_text(&utf8_text(&hint)?)),
            LuaValue::Nil => break,
            other => {
                let found = type_in_words(other.type_name());
                return Err(Some(format!("the item {at} is {found}")));
            }
        }
    }
    let more = list.pairs::<LuaValue, LuaValue>().nth(hints.len());
    if hints.len() < HINTS && more.is_some() {
        let why = "its keys must be 1 to n without gaps";
        return Err(Some(why.to_owned()));
    }
    Ok(hints)
}

/// Returns the target of a refusal: bytes of words of the line, in a source that holds these words.
///
/// Errors: the value has another form.
pub(in crate::script) fn read_refusal_place(said: &LuaValue) -> Result<Option<Place>, Fault> {
    let at = match said {
        LuaValue::Nil => return Ok(None),
        LuaValue::Table(at) => at,
        _ => return Err(None),
    };
    for (key, _) in at.pairs::<LuaValue, LuaValue>().flatten() {
        let name = key.as_string().map(LuaString::to_string_lossy);
        if !name.as_ref().is_some_and(|name| KEYS.contains(&&**name)) {
            let name = name.unwrap_or_else(|| type_in_words(key.type_name()));
            return Err(Some(format!(
                "it has no key `{}`",
                shorten_error_text(&name)
            )));
        }
    }
    let words = match raw_field(at, "said") {
        LuaValue::String(words) => utf8_text(&words)?.to_owned(),
        other => {
            let found = type_in_words(other.type_name());
            return Err(Some(format!("`said` must be a text, found {found}")));
        }
    };
    let from = read_byte_place(at, "from", 1..=words.len() + 1)?;
    let to = read_byte_place(at, "to", from - 1..=words.len())?;
    let start = words.floor_char_boundary(from - 1);
    let end = words.ceil_char_boundary(to);
    Ok(Some(Place {
        source: Source::new(SAID, words),
        span: Span::new(start, end.max(start)),
    }))
}

fn raw_field(at: &Table, key: &str) -> LuaValue {
    at.raw_get(key).unwrap_or(LuaValue::Nil)
}

/// Returns a place among bytes. Errors: the value is not a place.
fn read_byte_place(at: &Table, key: &str, range: RangeInclusive<usize>) -> Result<usize, Fault> {
    let found = raw_field(at, key);
    let (number, shown) = match found {
        LuaValue::Integer(number) => (number, number.to_string()),
        LuaValue::Number(number) if number.fract() == 0.0 => (number as i64, number.to_string()),
        LuaValue::Number(number) => (-1, number.to_string()),
        other => (-1, type_in_words(other.type_name())),
    };
    let place = usize::try_from(number).ok();
    place.filter(|place| range.contains(place)).ok_or_else(|| {
        let (first, last) = range.into_inner();
        Some(format!(
            "`{key}` must be a whole number from {first} to {last}, found {shown}"
        ))
    })
}

fn utf8_text(said: &LuaString) -> Result<BorrowedStr, Fault> {
    let said = said.to_str();
    said.map_err(|_| Some("a text must be UTF-8".to_owned()))
}
