//! The method of `act` that returns past changes.

use std::collections::HashSet;

use mlua::Lua;

use crate::diag::{Diagnostic, near_hint};
use crate::script::api::refusal_error;
use crate::script::border::stack_value::{Argument, Returned, This};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::viewers::viewer_of_person;
use crate::script::run::past_changes::Wanted;
use crate::value::{Name, Value};

/// Most changes that one call returns.
pub(crate) const MOST: i64 = 500;
/// Changes that one call returns if the caller gives no number.
pub(crate) const USUAL: i64 = 200;
/// Options of the method.
const FILTERS: [&str; 3] = ["row", "field", "most"];
/// Fuel of a returned change, which becomes a table.
const TOLD: u64 = 96;

pub(super) fn past_changes(
    _: &Lua,
    host: &Host,
    (act, filter): (This, Option<Argument>),
) -> mlua::Result<Returned> {
    let filter = filter.map_or(Value::Nil, |filter| filter.0);
    let wanted = read_change_filter(host, &filter)?;
    let by = host.ruling(act)?.by.clone();
    let viewer = viewer_of_person(host, &by)?;
    let run = host.ruling_outside_expressions(act, "cannot read the history")?;
    let Some(past) = run.past.as_ref() else {
        return Err(history_refusal());
    };
    let found = past.changes(&run.state, &viewer, &wanted);
    host.charge(found.looked_at / 8 + found.changes.len() as u64 * TOLD)?;
    Ok(Returned(Value::list(found.changes)))
}

/// Reads the options that select the changes.
fn read_change_filter(host: &Host, filter: &Value) -> mlua::Result<Wanted> {
    let is_table = match filter {
        Value::Nil | Value::Map(_) => true,
        Value::List(items) => items.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Text(_) => false,
    };
    if !is_table {
        return Err(filter_error("", "a table of filters", filter));
    }
    for (key, _) in filter.as_map().into_iter().flatten() {
        if !FILTERS.contains(&&**key) {
            let message = format!("`act:changes` has no filter \"{key}\"");
            let finding = Diagnostic::error("script/argument", message);
            return Err(HostError::error_of_finding(
                finding.hint(near_hint(key, FILTERS)),
            ));
        }
    }
    let most = match filter.get("most") {
        Value::Nil => USUAL,
        said => match said.as_i64() {
            Some(most @ 1..=MOST) => most,
            _ => {
                return Err(filter_error(
                    " `most`",
                    "a whole number from 1 to 500",
                    said,
                ));
            }
        },
    };
    Ok(Wanted {
        rows: read_filter_names(host, filter, "row")?,
        fields: read_filter_names(host, filter, "field")?,
        most: usize::try_from(most).unwrap_or_default(),
    })
}

/// Reads a name or a list of names. Names that are nowhere in the game are left out.
fn read_filter_names(
    host: &Host,
    filter: &Value,
    key: &str,
) -> mlua::Result<Option<HashSet<Name>>> {
    let said = filter.get(key);
    let one = std::slice::from_ref(said);
    let all = match said {
        Value::Nil => return Ok(None),
        Value::List(items) => &items[..],
        Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => one,
    };
    host.charge(all.len() as u64 / 4)?;
    let texts = all.iter().map(|one| match one {
        Value::Text(text) => Ok(host.names.find(text)),
        other => {
            let expected = "a text or a list of texts";
            Err(filter_error(&format!(" `{key}`"), expected, other))
        }
    });
    let found: Vec<Option<Name>> = texts.collect::<mlua::Result<_>>()?;
    Ok(Some(found.into_iter().flatten().collect()))
}

fn filter_error(filter: &str, expected: &str, found: &Value) -> mlua::Error {
    let shown = found.as_i64().map_or_else(
        || format!("a {}", found.kind()),
        |number| number.to_string(),
    );
    let what = match filter {
        "" => "`act:changes` argument 1 expects".to_owned(),
        filter => format!("the filter{filter} of `act:changes` is"),
    };
    refusal_error(
        "script/argument",
        format!("{what} {expected}, found {shown}"),
    )
}

#[cold]
fn history_refusal() -> mlua::Error {
    let message =
        "a ruling cannot read the history, because undo and corrections change the history";
    let hint = "read the history in a line of `query`, or store what rules need in a field";
    HostError::error_of_finding(Diagnostic::error("script/only-look", message).hint(hint))
}
