//! This module is the methods of `act` that count what rules try, for whoever simulates games.

use mlua::Lua;

use crate::script::border::stack_value::This;
use crate::script::host::Host;

/// Counts under a name that something may be tried, or what came of it.
pub(super) fn tally(
    _: &Lua,
    host: &Host,
    (act, of, name, success): (This, String, Option<String>, Option<bool>),
) -> mlua::Result<()> {
    let _ = host.ruling(act)?;
    host.note_try(&of, name.as_deref(), success)
}

/// Returns whether somebody asks for what is counted.
pub(super) fn is_tallied(_: &Lua, host: &Host, act: This) -> mlua::Result<bool> {
    let _ = host.ruling(act)?;
    Ok(host.counts_tries())
}
