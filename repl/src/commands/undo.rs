//! The command `undo`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "undo",
    syntax: &["undo"],
    formerly: &[],
    summary: "takes the last ruling back",
    help: "If you give the same command again, it gets the same dice. `undo` is a line of the log too; `redo` takes \
           it back. `revert LINE` takes back an older ruling.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let reply = game::undo_last_ruling(timeline, call.by());
    game::reply_with_posts_to_correct(timeline, call.by(), reply)
}
