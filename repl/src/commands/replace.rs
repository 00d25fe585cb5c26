//! This module is the command `replace`.

use host::game::{Call, Does, HostCommand, Reply, Session};

use super::revert::{consent, number};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "replace",
    syntax: &["replace {operation: Whole} [yes] with {command: Rest}"],
    summary: "rules on another command in the place of an earlier one, and again on those behind it",
    help: "replace 12 with COMMAND shows what would become of everything, and changes nothing; replace 12 yes with COMMAND \
           does it. The command is given by whoever gave the earlier one, in its slot: the same purpose and roller \
           meets the same dice. Where 12 is an answer, replace 12 with answer yes gives another one. It is one operation, which undo \
           and revert take back.",
    does: Does::Walks,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let with = call.text("command");
    match number(call.slot("operation").as_i64(), "replace 12 with COMMAND") {
        Ok(of) => session.replace(of, with.trim(), consent(call), (call.by, call.line)),
        Err(refusal) => Reply::refused(*refusal),
    }
}
