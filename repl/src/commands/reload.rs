//! This module is the command `reload`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "reload",
    syntax: &["reload"],
    summary: "reads the rules and content again",
    help: "Saved files are taken over without it while they can be watched. Broken ones never are: the old rules stay.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, _: &Call<'_>) -> Reply {
    Reply::request(Request::Reload)
}
