//! Stops a command in which rules lead to themselves without end.

use mlua::Lua;

use crate::diag::Diagnostic;
use crate::script::host::Host;
use crate::script::run::Run;
use crate::script::run::cause_chain::add_cause_chain;

/// Stops the command because what rules do leads to itself without end: with the chain, and with the place of the text of the
/// innermost rule, else of the function at work.
pub(super) fn stop_endless_rules(
    lua: &Lua,
    host: &Host,
    run: &Run,
    finding: Diagnostic,
) -> mlua::Error {
    let finding = add_cause_chain(run, finding);
    let finding = match host.rules.borrow().running_text(run) {
        Some(text) => finding.at(&text.source, text.span),
        None => finding,
    };
    host.stop_at_rule(lua, finding)
}
