//! This module is the command `goto`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "goto",
    syntax: &["goto {operation: Whole}", "goto [now|end]", "goto"],
    summary: "looks at the game as it was after an operation; goto alone leads back to now",
    help: "show, log, why, = and whatever else only looks works there; what would change something is refused. \
           fork NAME tries something out from there. log lists the numbers.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let number = call.slot("operation").as_i64();
    Reply::request(Request::Look(
        number.map(|number| u64::try_from(number).unwrap_or(u64::MAX)),
    ))
}
