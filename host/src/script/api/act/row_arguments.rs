//! Arguments of `act` methods that name rows and fields.

use crate::diag::{Diagnostic, near_hint};
use crate::script::api::refusal_error;
use crate::script::border::GM;
use crate::script::border::stack_value::{Argument, NameArgument};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::run::Run;
use crate::script::run::checks_in_force::Checks;
use crate::store::StoreError;
use crate::value::{Name, Value};

/// Fuel of a new cell. Its name may be new too, and names are kept for the life of a session.
pub(super) const NEW_CELL: u64 = 16;

/// The field with which rows show their audience.
const SEEN: &str = "seen";
/// The option for the audience of a row.
pub(super) const VISIBLE_TO: &str = "visible_to";

/// Returns the fields that a script names, charged as new cells. Errors: they are not a table with names.
pub(in crate::script::api) fn read_charged_fields(
    host: &Host,
    fields: Option<Argument>,
) -> mlua::Result<Vec<(Name, Value)>> {
    match fields.map_or(Value::Nil, |fields| fields.0) {
        Value::Nil => Ok(Vec::new()),
        Value::List(items) if items.is_empty() => Ok(Vec::new()),
        Value::Map(fields) => {
            host.charge(NEW_CELL * fields.len() as u64)?;
            Ok(fields
                .iter()
                .map(|(key, value)| (host.names.intern(key), value.clone()))
                .collect())
        }
        other => Err(refusal_error(
            "script/argument",
            format!(
                "fields are a table with named keys, found a {}",
                other.kind()
            ),
        )),
    }
}

/// Returns the fields of a row that a script makes. Errors: as [`read_charged_fields`] and
/// [`check_field_not_audience`].
pub(super) fn read_new_row_fields(
    host: &Host,
    run: &Run,
    fields: Option<Argument>,
) -> mlua::Result<Vec<(Name, Value)>> {
    let fields = read_charged_fields(host, fields)?;
    for (field, _) in &fields {
        check_field_not_audience(host, run, *field)?;
    }
    Ok(fields)
}

/// Checks that a rule makes no field with the name of the shown audience, because that field would not be the audience.
/// Recorded lines may have made one.
pub(super) fn check_field_not_audience(host: &Host, run: &Run, field: Name) -> mlua::Result<()> {
    let is_audience = |name: &&str| host.names.find(name) == Some(field);
    let named = [SEEN, VISIBLE_TO]
        .into_iter()
        .find(|name| is_audience(name));
    let Some(name) = named.filter(|_| run.checks == Checks::Now) else {
        return Ok(());
    };
    let message =
        format!("scripts cannot set the field `{name}`, which says who may know of a row");
    let finding = Diagnostic::error("script/argument", message);
    Err(HostError::error_of_finding(finding.hint(
        "use the option `visible_to` of `act:create` and `act:attach`; for a stat, set `visible_to` in ruleset.luau",
    )))
}

/// Returns the name of an existing row. Errors: `script/no-row`, with near ids.
#[inline]
pub(super) fn existing_row(host: &Host, run: &Run, row: &NameArgument) -> mlua::Result<Name> {
    match host.existing_name(row) {
        Ok(name) if run.state.exists(name) => Ok(name),
        Ok(name) => Err(no_row_error(host, run, &host.names.text(name))),
        Err(text) => Err(no_row_error(host, run, &text)),
    }
}

#[cold]
fn no_row_error(host: &Host, run: &Run, text: &str) -> mlua::Error {
    // The ids of records reveal how many others have: a seat is shown none.
    let is_gm = run.by == GM;
    let rows = run.state.rows().into_iter();
    let ids: Vec<_> = rows
        .filter(|row| is_gm || run.state.owner(*row).is_none())
        .map(|row| host.names.text(row))
        .collect();
    if let Err(limit) = host.charge(ids.len() as u64) {
        return limit;
    }
    let shown: String = text.chars().take(200).collect();
    let finding = Diagnostic::error("script/no-row", format!("there is no row \"{shown}\""))
        .hint(near_hint(&shown, ids.iter().map(AsRef::as_ref)));
    HostError::error_of_finding(finding)
}

/// Returns the refusal of the store as an error of a script.
#[cold]
pub(in crate::script::api) fn store_refusal(error: StoreError) -> mlua::Error {
    HostError::error_of_finding(error.to_diagnostic())
}
