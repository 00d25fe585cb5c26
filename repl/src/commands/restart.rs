//! The command `restart`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "restart",
    syntax: &["restart [{number: Rest}]"],
    formerly: &[],
    summary: "runs a waiting ruling again from its start, under the same number and without its answers",
    help: "Rolls that the rules make again get the same dice. Without a number it runs the only waiting ruling \
           again.",
    kind: CommandKind::Restart(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match game::find_waiting_ruling_number(timeline, call.by(), call.slot("number").as_str()) {
        Ok(slot) => game::restart_ruling(timeline, slot, call.ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}
