//! Stops a command in which rules cause each other without end.

use mlua::Lua;

use crate::diag::Diagnostic;
use crate::script::host::Host;
use crate::script::run::Run;
use crate::script::run::cause_chain::add_cause_chain;

/// Stops the command because rules cause each other without end. The error has the chain of causes and the place of the
/// text of the innermost rule, otherwise of the running function.
pub(super) fn stop_endless_rules(
    lua: &Lua,
    host: &Host,
    run: &Run,
    finding: Diagnostic,
) -> mlua::Error {
    let finding = add_cause_chain(run, finding);
    let finding = match host.rules.borrow().content_definition_at_work(run) {
        Some(text) => finding.at(&text.source, text.span),
        None => finding,
    };
    host.stop_command_at_rule(lua, finding)
}
