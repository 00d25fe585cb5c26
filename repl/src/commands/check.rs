//! The command `check`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "check",
    syntax: &["check"],
    formerly: &[],
    summary: "lists errors and warnings in rules and content",
    help: "If the newest files have errors, they are not in use and the input line ends with `!`. Then the findings \
           are those of the newest files.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, _: &Call<'_>) -> Reply {
    Reply::request(Request::Check)
}
