//! The command `save`.

use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

use super::only_by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "save",
    syntax: &["save to {folder: Rest}", "save [{folder: Rest}]"],
    formerly: &[],
    summary: "saves a game that is only in memory, or copies a saved game",
    help: "A game in memory is saved in the folder with its whole history; from then on, each command is saved \
           before its answer appears. Without a name, the folder is created in the games folder. A game that has a \
           folder is always saved, so `save FOLDER` makes a copy that can be played separately. The copy has the \
           same future dice. `save to FOLDER` sets the folder of the game or of the copy.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    only_by_game_master(call, || {
        Reply::program_request(ProgramRequest::Save(call.text("folder")))
    })
}
