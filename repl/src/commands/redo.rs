//! The command `redo`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "redo",
    syntax: &["redo"],
    formerly: &[],
    summary: "restores the ruling that was taken back last",
    help: "After an `undo`, a new ruling makes `redo` impossible.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let reply = game::redo_last_ruling(timeline, call.by());
    game::reply_with_posts_to_correct(timeline, call.by(), reply)
}
