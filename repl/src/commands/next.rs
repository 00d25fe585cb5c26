//! This module is the command `next`: the rest of a plan at once, or the next phase.

use host::game::{CommandKind, Extent, HostCommand};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "next",
    syntax: &["next [anyway] [without answers]"],
    summary: "moves the game on: runs the rest of the plan in progress, or the plan that is due",
    help: "It is one operation: if a step fails, nothing of it is kept. Without a plan for the present phase the clock \
           moves to the next one. step runs a single step, plan shows where the game is. \
           While a file of a plan has a mistake it refuses; next anyway moves on without that plan. \
           Where people owe answers to what has no deadline it says who, and next without answers goes on.",
    kind: CommandKind::Advance(Extent::Rest),
};
