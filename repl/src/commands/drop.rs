//! The command `drop`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "drop",
    syntax: &["drop [{number: Rest}]"],
    formerly: &[],
    summary: "cancels a waiting ruling or an open question",
    help: "Nothing of it remains; `undo` restores it. Without a number it cancels the only waiting ruling. Use the \
           number that `questions` shows, or for a ruling also its number in the log.",
    kind: CommandKind::Drop(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let number = call.slot("number");
    game::drop_ruling_or_prompt(timeline, number.as_str(), call.ruling)
}
