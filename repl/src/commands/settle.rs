//! The command `settle`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "settle",
    syntax: &[
        "settle {line: Integer} {ruling: Rest}",
        "rule {line: Integer} {ruling: Rest}",
    ],
    formerly: &[],
    summary: "decides a dispute: settle 12 the die counts",
    help: "The number is the disputed line or the line of the dispute; `status` shows both. The game master can \
           decide, and others if the ruleset allows it. The person who raised a dispute can take it back with this \
           command. The decision changes nothing else: correct the game with `undo`, `revert` or `replace`, or \
           change a value with `set`. `rule 12 TEXT` is the same command.",
    kind: CommandKind::Note(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match super::line_number_in_slot(call, "line", super::dispute::NO_LINE) {
        Ok(number) => game::settle_dispute(timeline, call.ruling, number, &call.text("ruling")),
        Err(refusal) => Reply::refused(*refusal),
    }
}
