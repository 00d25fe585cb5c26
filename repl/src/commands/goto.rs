//! The command `goto`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "goto",
    syntax: &["goto {operation: Whole}", "goto [now|end]", "goto"],
    summary: "views the game as it was after a log line, read-only; goto alone returns to the present",
    help: "`show`, `log`, `why`, = and all other commands that change nothing work there; commands that change \
           something are refused. `fork NAME` plays on from there in a copy. `log` lists the numbers.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let number = call.slot("operation").as_i64();
    Reply::request(Request::Look(
        number.map(|number| u64::try_from(number).unwrap_or(u64::MAX)),
    ))
}
