//! This module is the command `restart`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "restart",
    syntax: &["restart [{number: Rest}]"],
    summary: "begins a waiting ruling anew, in its slot and without the answers so far",
    help: "Its dice are the same where the rules ask for the same. Without a number: the only ruling that waits.",
    kind: CommandKind::Restart(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match game::ruling_meant(timeline, call.by(), call.slot("number").as_str()) {
        Ok(slot) => game::begin_anew(timeline, slot, call.ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}
