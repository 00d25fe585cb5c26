//! Shared parts of functions about files and definitions: paths, and keys that were found.

use super::refusal_error;
use crate::content::Step;
use crate::diag::Diagnostic;
use crate::script::border::key_path::read_path;
use crate::script::border::stack_value::{Argument, Returned};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::value::{Text, Value};

/// Entries that cost as much to read as one step of a script.
pub(super) const ENTRIES: u64 = 16;

/// Reads the argument `path` of a function. Errors: the value is not a path.
pub(super) fn read_path_argument(
    function: &str,
    said: Option<Argument>,
) -> mlua::Result<Vec<Step>> {
    let said = said.map_or(Value::Nil, |said| said.0);
    read_path(&said).map_err(|why| {
        let message = format!("`path` of `{function}` {why}");
        let finding = Diagnostic::error("script/argument", message);
        HostError::error_of_finding(
            finding.hint("write { \"people\", 2, \"name\" }; the first item is 1"),
        )
    })
}

/// Returns keys that were found, charged as work.
pub(super) fn charged_keys(
    host: &Host,
    (keys, work): (Option<Vec<Text>>, usize),
) -> mlua::Result<Option<Returned>> {
    let told = keys.as_ref().map_or(0, Vec::len) as u64;
    host.charge(told / 4 + work as u64 / ENTRIES)?;
    Ok(keys.map(|keys| Returned(Value::list(keys.into_iter().map(Value::Text)))))
}

/// Returns whether `options` of a function contain `key = true`. Errors: the value has another form.
pub(super) fn read_key_option(function: &str, said: Option<Argument>) -> mlua::Result<bool> {
    let said = said.map_or(Value::Nil, |said| said.0);
    let wrong = || {
        let message = format!("`options` of `{function}` are {{ key = true }} or nothing");
        Err(refusal_error("script/argument", message))
    };
    match &said {
        Value::Nil => Ok(false),
        Value::List(items) if items.is_empty() => Ok(false),
        Value::Map(options) if options.keys().all(|key| **key == *"key") => {
            said.get("key").as_bool().map_or_else(wrong, Ok)
        }
        _ => wrong(),
    }
}
