//! Methods of `act` that read the files of its line: the order of keys, and places.

use std::rc::Rc;

use mlua::Lua;

use crate::diag::Position;
use crate::script::api::path_arguments::{
    ENTRIES, charged_keys, read_key_option, read_path_argument,
};
use crate::script::border::named_file::NamedFile;
use crate::script::border::stack_value::{Argument, Returned, This};
use crate::script::host::Host;
use crate::value::Value;

/// Letters of a line that cost as much to count as one step of a script.
const LETTERS: u64 = 64;

pub(super) fn file_keys(
    _: &Lua,
    host: &Host,
    (act, name, path): (This, String, Option<Argument>),
) -> mlua::Result<Option<Returned>> {
    let path = read_path_argument("act:keys", path)?;
    match file_by_name(host, act, &name)? {
        Some(file) => charged_keys(host, file.keys_at_path(&path)),
        None => Ok(None),
    }
}

pub(super) fn file_place(
    _: &Lua,
    host: &Host,
    (act, name, path, options): (This, String, Option<Argument>, Option<Argument>),
) -> mlua::Result<Option<Returned>> {
    let path = read_path_argument("act:place", path)?;
    let is_key = read_key_option("act:place", options)?;
    let Some(file) = file_by_name(host, act, &name)? else {
        return Ok(None);
    };
    let (place, work) = file.place_at_path(&path, is_key);
    host.charge(work as u64 / ENTRIES)?;
    let Some((from, to)) = place else {
        return Ok(None);
    };
    host.charge((from.column + to.column) as u64 / LETTERS)?;
    Ok(Some(Returned(position_range_value(from, to))))
}

fn position_range_value(from: Position, to: Position) -> Value {
    let number = |number: usize| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
    Value::map([
        ("line", number(from.line)),
        ("column", number(from.column)),
        ("end_line", number(to.line)),
        ("end_column", number(to.column)),
    ])
}

/// Returns a file of the line by its name. If two files have the name, returns the first.
fn file_by_name(host: &Host, act: This, name: &str) -> mlua::Result<Option<Rc<NamedFile>>> {
    let run = host.ruling(act)?;
    Ok(run.files.iter().find(|file| file.name() == name).cloned())
}
