//! This module is the command `pack`.

use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

use super::by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "pack",
    syntax: &["pack to {file: Rest}", "pack [{file: Rest}]"],
    summary: "packs the whole game into one file, to go on with it on another machine",
    help: "pack to FILE names the file, a plain tar archive; without a name it lies beside the folder of the game. It holds the journal, the \
           rules that commands ran under, and the secret that all dice come from: whoever has it can know the dice to come. \
           open FILE.tar, or arbiter play FILE.tar, unpacks it into a folder beside it and goes on there; --rules recorded \
           plays it without the rules of that machine.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    by_game_master(call, || Reply::wish(Wish::Pack(call.text("file"))))
}
