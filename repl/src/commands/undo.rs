//! This module is the command `undo`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "undo",
    syntax: &["undo"],
    summary: "takes the last ruling back",
    help: "The same command meets the same dice again. Undo itself is an entry of the log; redo takes it back.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    game::undo(timeline, call.by())
}
