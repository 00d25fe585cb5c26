//! This module is the command `quit`.

use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "quit",
    syntax: &["quit", "exit"],
    summary: "ends the session",
    help: "End of input (Ctrl-D) does the same. A game that has a folder needs no saving.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, _: &Call<'_>) -> Reply {
    Reply::wish(Wish::Quit)
}
