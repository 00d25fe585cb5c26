//! This module is the command `reveal`: everybody may know the seed.

use host::game;
use host::game::{Afterwards, Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "reveal",
    syntax: &["reveal and roll on", "reveal"],
    summary: "tells everybody the seed, so that they can check every die",
    help: "For the end of a game: whoever knows the seed knows all dice to come, so none are drawn from it any more. \
           reveal and roll on lets them count all the same. Undo does not make it a secret again.",
    kind: CommandKind::Note(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let afterwards = match call.ruling.line.split_whitespace().nth(1) {
        Some(_) => Afterwards::RollsOn,
        None => Afterwards::Ends,
    };
    game::reveal(timeline, call.ruling, afterwards)
}
