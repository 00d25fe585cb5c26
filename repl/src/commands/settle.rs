//! This module is the command `settle`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "settle",
    syntax: &[
        "settle {line: Whole} {ruling: Rest}",
        "rule {line: Whole} {ruling: Rest}",
    ],
    summary: "rules on a dispute: settle 12 the die counts",
    help: "The number is the line that is disputed or that of the dispute, as status shows them. The game master rules, \
           and whoever the ruleset lets; whoever raised a dispute takes it back with it. A ruling changes nothing else: \
           undo, revert and replace put the game right, set changes a value and keeps the reason. \
           rule 12 TEXT is the same command.",
    kind: CommandKind::Note(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match super::number_of(call, "line") {
        Ok(number) => game::settle_dispute(timeline, call.ruling, number, &call.text("ruling")),
        Err(refusal) => Reply::refused(*refusal),
    }
}
