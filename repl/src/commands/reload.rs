//! The command `reload`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "reload",
    syntax: &["reload"],
    formerly: &[],
    summary: "reads the rules and content again",
    help: "Normally this is not needed, because saved files are read at once. If files have errors, the last working \
           version stays active.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, _: &Call<'_>) -> Reply {
    Reply::request(Request::Reload)
}
