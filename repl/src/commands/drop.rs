//! This module is the command `drop`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "drop",
    syntax: &["drop [{number: Rest}]"],
    summary: "gives a waiting ruling or a prompt up",
    help: "Nothing of it is kept; undo brings it back. Without a number: the only ruling that waits. \
           A question is named by the number that prompts shows, a ruling also by that of the log.",
    kind: CommandKind::Drop(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let number = call.slot("number");
    game::drop_meant(timeline, number.as_str(), call.ruling)
}
