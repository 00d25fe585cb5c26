//! Records of the host: rows of the state that scripts see, below a row that they do not see.

use super::row_arguments::store_refusal;
use crate::script::host::Host;
use crate::script::run::Run;
use crate::store::Write;
use crate::value::{Name, Value};

/// Adds a record below a row of the host, and makes that row if it is missing. Returns the record.
///
/// Errors: an error of the store.
pub(in crate::script::api) fn add_host_record(
    host: &Host,
    run: &mut Run,
    (owner, kind): (&str, Name),
    mut fields: Vec<(Name, Value)>,
) -> mlua::Result<Name> {
    let owner = host.names.intern(owner);
    run.state.ensure_host_row(owner).map_err(store_refusal)?;
    if let Some(cause) = run.cause_for_record(&host.names) {
        fields.push((run.state.reserved().cause, cause));
    }
    let row = run.state.take_record_id(kind).map_err(store_refusal)?;
    let write = Write::Put {
        row,
        kind,
        owner: Some(owner),
        fields,
    };
    run.state.apply(write).map_err(store_refusal)?;
    Ok(row)
}

/// Returns the records of a kind below a row of the host, in order.
pub(in crate::script::api) fn host_records_of_kind(
    run: &Run,
    owner: &str,
    kind: Name,
) -> Vec<Name> {
    let owner = run.state.names().find(owner);
    let rows = owner
        .into_iter()
        .flat_map(|owner| run.state.records_of(owner));
    rows.filter(|row| run.state.kind(*row) == Some(kind))
        .collect()
}
