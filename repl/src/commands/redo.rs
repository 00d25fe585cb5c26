//! This module is the command `redo`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "redo",
    syntax: &["redo"],
    summary: "lets the ruling hold again that was taken back last",
    help: "A new ruling after an undo ends what could be done again.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    game::redo(timeline, call.by())
}
