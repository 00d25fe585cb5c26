//! Reads texts as values of slot types, all texts of a call at once.

use std::rc::Rc;

use mlua::{Lua, LuaString, Table, Value as LuaValue};

use super::phrase::undeclared_type_error;
use super::refusal_error;
use super::text::charge_text;
use crate::script::border::stack_value::{Field, Row, Rows};
use crate::script::host::Host;
use crate::text::{Count, ValueNames, ValueReading};

/// Most pieces of the texts of a call.
const PIECES: usize = 10_000;
/// Fuel for a piece, and for a type that it may have.
const PIECE: u64 = 15;
const TYPE: u64 = 2;

/// A piece of a text, or a number.
enum Piece<'t> {
    Text(&'t str),
    Number(f64),
}

/// Returns all pieces of texts, each with its value if a type reads it.
pub(super) fn read_values(
    _: &Lua,
    host: &Host,
    (types, texts, separator): (Table, Table, Option<String>),
) -> mlua::Result<Rows> {
    let rules = Rc::clone(&host.rules.borrow());
    let mut tables = Vec::with_capacity(types.raw_len());
    for name in types.sequence_values::<LuaString>() {
        let name = name?;
        let name = String::from(&*name.to_str()?);
        let names = rules.grammar.values(&name);
        let names = names.ok_or_else(|| undeclared_type_error(&rules.grammar, &name))?;
        tables.push((name, names));
    }
    let separator = separator.filter(|separator| !separator.is_empty());
    let mut rows = Rows::default();
    for arg in 1..=texts.raw_len() {
        match texts.raw_get(arg)? {
            LuaValue::String(text) => {
                let text = text.to_str()?;
                let text: &str = &text;
                charge_text(host, text)?;
                match separator.as_deref().filter(|sign| text.contains(sign)) {
                    Some(sign) => {
                        for piece in text.split(sign) {
                            add_row(host, &mut rows, &tables, arg, &Piece::Text(piece.trim()))?;
                        }
                    }
                    None => add_row(host, &mut rows, &tables, arg, &Piece::Text(text))?,
                }
            }
            LuaValue::Integer(number) => {
                add_row(host, &mut rows, &tables, arg, &Piece::Number(number as f64))?;
            }
            LuaValue::Number(number) => {
                add_row(host, &mut rows, &tables, arg, &Piece::Number(number))?;
            }
            _ => rows.0.push(row_of_argument(arg)),
        }
    }
    Ok(rows)
}

/// Fields of a row, at most.
const FIELDS: usize = 8;

fn row_of_argument(arg: usize) -> Row {
    let mut row = Vec::with_capacity(FIELDS);
    row.push(("arg", Field::Number(arg as f64)));
    row
}

fn add_row(
    host: &Host,
    rows: &mut Rows,
    tables: &[(String, &ValueNames)],
    arg: usize,
    piece: &Piece<'_>,
) -> mlua::Result<()> {
    if rows.0.len() >= PIECES {
        let message = format!("the texts of a call may have {PIECES} pieces at most");
        return Err(refusal_error("limit/size", message));
    }
    host.charge(PIECE + TYPE * tables.len() as u64)?;
    let mut row = row_of_argument(arg);
    if let Piece::Text(text) = piece {
        row.push(("said", Field::Text((*text).to_owned())));
    }
    for (name, names) in tables {
        let reading = match piece {
            Piece::Text(text) => names.read_text(text, &mut |work| host.charge(6 * work))?,
            Piece::Number(number) => names.read_number(*number),
        };
        if !matches!(reading, ValueReading::Nothing) {
            row.push(("type", Field::Text(name.clone())));
            push_reading(&mut row, reading);
            break;
        }
    }
    rows.0.push(row);
    Ok(())
}

fn push_reading(row: &mut Row, reading: ValueReading<'_, '_>) {
    let entry_field = |entry: usize| ("entry", Field::Number(entry as f64 + 1.0));
    match reading {
        ValueReading::Value(value) => {
            row.push(entry_field(value.entry));
            row.push(("text", Field::Text(value.text.into_owned())));
            row.extend(value.count.map(|count| ("count", count_field(count))));
            let ratio = value.ratio.map(|ratio| Field::Number(ratio.to_f64()));
            row.extend(ratio.map(|ratio| ("ratio", ratio)));
        }
        ValueReading::NotANumber { written, entry } => {
            row.push(("wrong", Field::Text("number".to_owned())));
            row.push(("found", Field::Text(written.to_owned())));
            row.extend(entry.map(entry_field));
        }
        ValueReading::NoName(count) => {
            row.push(("wrong", Field::Text("name".to_owned())));
            row.push(("count", count_field(count)));
        }
        ValueReading::Nothing => {}
    }
}

fn count_field(count: Count) -> Field {
    match count {
        Count::Plain(number) => Field::Number(number),
        Count::Exact(_) => Field::Text(count.to_string()),
    }
}
