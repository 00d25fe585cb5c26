//! This module is the command `save`.

use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

use super::by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "save",
    syntax: &["save to {folder: Rest}", "save [{folder: Rest}]"],
    summary: "keeps a game that is only in memory, or copies one that is kept",
    help: "A game in memory gets the folder, with all that happened so far, and from then on each command is safe there before \
           its answer appears; without a name it gets one among the games. A game that has a folder needs no saving: \
           save FOLDER makes a copy of it that can be played on its own, and the game itself goes on where it is. \
           The copy has the same dice to come. save to FOLDER names the folder of the game or of the copy.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    by_game_master(call, || Reply::wish(Wish::Save(call.text("folder"))))
}
