//! This module is the command `check`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "check",
    syntax: &["check"],
    summary: "lists what is wrong with the rules and content",
    help: "While the rules are stale (the prompt ends with ! then), the findings are those of the newer files that were not taken over.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, _: &Call<'_>) -> Reply {
    Reply::request(Request::Check)
}
