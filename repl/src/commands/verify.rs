//! The command `verify`.

use host::diag::Diagnostic;
use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

use super::only_by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "verify",
    syntax: &["verify [dice]"],
    formerly: &[],
    summary: "runs the saved game again and reports the first difference from its record",
    help: "Each line of the log runs again with its recorded rules, answers and dice. `verify dice` computes every \
           die from the seed too. Other people can do the same with arbiter verify FOLDER --dice.",
    kind: CommandKind::Query(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let dice = call.ruling.line.split_whitespace().nth(1).is_some();
    only_by_game_master(call, || match call.ruling.caller.folder() {
        Some(_) => Reply::program_request(ProgramRequest::Verify { dice }),
        None => {
            let finding = Diagnostic::error("save/in-memory", "this game is in memory only");
            Reply::refused(finding.hint("first save it with `save FOLDER`"))
        }
    })
}
