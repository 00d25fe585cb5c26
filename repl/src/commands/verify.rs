//! This module is the command `verify`.

use host::diag::Diagnostic;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

use super::by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "verify",
    syntax: &["verify [dice]"],
    summary: "runs the kept game again from its folder, and says what is not as it was recorded",
    help: "Each operation runs again under the rules it ran under, with the answers and dice that were recorded; the first \
           difference is named. verify dice computes every die from the seed too. A stranger does the same with \
           arbiter verify FOLDER --dice.",
    kind: CommandKind::Query(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let dice = call.ruling.line.split_whitespace().nth(1).is_some();
    by_game_master(call, || match call.ruling.caller.folder() {
        Some(_) => Reply::wish(Wish::Verify { dice }),
        None => {
            let finding = Diagnostic::error("save/in-memory", "this game is in memory only");
            Reply::refused(finding.hint("save FOLDER keeps it, then it can be verified"))
        }
    })
}
