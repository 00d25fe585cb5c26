//! The command `pack`.

use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

use super::only_by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "pack",
    syntax: &["pack to {file: Rest}", "pack [{file: Rest}]"],
    formerly: &[],
    summary: "packs the whole game into one file, for example to play it on another machine",
    help: "`pack to FILE` sets the name of the file, a tar archive; without a name it is beside the folder of the \
           game. It contains the journal, the recorded rules, and the secret that all dice come from. Anybody who \
           has the file can compute future dice. `open FILE.tar`, or arbiter play FILE.tar, unpacks it into a folder \
           beside it and continues there; with --rules recorded it needs no rules on that machine.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    only_by_game_master(call, || {
        Reply::program_request(ProgramRequest::Pack(call.text("file")))
    })
}
