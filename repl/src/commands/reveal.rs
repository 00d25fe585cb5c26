//! The command `reveal`: shows the seed to everybody.

use host::game;
use host::game::{Call, CommandKind, DiceAfterReveal, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "reveal",
    syntax: &["reveal and roll on", "reveal"],
    formerly: &[],
    summary: "shows everybody the seed, so that they can check every die",
    help: "Use it at the end of a game. With the seed, everybody can compute all future dice, so no more dice are \
           rolled from it. `reveal and roll on` continues to roll from it. `undo` does not make the seed secret \
           again.",
    kind: CommandKind::Note(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let afterwards = match call.ruling.line.split_whitespace().nth(1) {
        Some(_) => DiceAfterReveal::RollsOn,
        None => DiceAfterReveal::Ends,
    };
    game::reveal_seed(timeline, call.ruling, afterwards)
}
