//! Counts of writes, by which scripts check that values computed from the state are still valid. Counts cover all
//! writes, or those to some fields and kinds.

use mlua::{Lua, Table};

use crate::script::api::refusal_error;
use crate::script::border::stack_value::This;
use crate::script::host::Host;
use crate::script::host::read_only_tables;

/// Returns a number that changes whenever the state changes.
pub(super) fn state_version(_: &Lua, host: &Host, act: This) -> mlua::Result<u64> {
    let mut run = host.ruling(act)?;
    let now = run.state.version();
    Ok(now - *run.first_version.get_or_insert(now))
}

/// Watches fields and kinds for the whole run, and returns a number for [`count_watched_writes`]. Errors: too many are
/// watched.
pub(super) fn watch_fields_and_kinds(
    _: &Lua,
    host: &Host,
    (act, names): (This, Vec<String>),
) -> mlua::Result<usize> {
    let mut run = host.ruling(act)?;
    let places = names
        .iter()
        .map(|name| run.state.watch_name(host.names.intern(name)));
    let Some(places) = places.collect::<Option<Vec<u16>>>() else {
        let message = "too many fields and kinds are watched in one game";
        return Err(refusal_error("limit/size", message.to_owned()));
    };
    run.watched.push(places.into());
    Ok(run.watched.len() - 1)
}

/// Returns how often the fields and kinds under a number were written. The count only grows.
pub(super) fn count_watched_writes(
    _: &Lua,
    host: &Host,
    (act, number): (This, usize),
) -> mlua::Result<u64> {
    let run = host.ruling(act)?;
    let places = run.watched.get(number).map_or(&[][..], |places| places);
    Ok(run.state.total_writes_at(places))
}

/// Returns the number of writes of the run that are valid: a write that was taken back does not count.
pub(super) fn count_run_writes(_: &Lua, host: &Host, act: This) -> mlua::Result<usize> {
    let run = host.ruling(act)?;
    Ok(run.valid_write_count())
}

/// Makes the remembered table of a run read-only, with every table inside it. A rule that breaks is taken back, but its
/// writes into a table are not. Recorded lines may have written into their tables.
pub(super) fn seal_memo_table(_: &Lua, host: &Host, made: Table) -> mlua::Result<()> {
    if host.is_live_line() {
        read_only_tables::seal_deeply(&made)?;
    }
    Ok(())
}
