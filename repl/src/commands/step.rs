//! This module is the command `step`: one step of a plan.

use host::game::{CommandKind, Extent, HostCommand};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "step",
    syntax: &["step [anyway] [without answers]"],
    summary: "runs the next step of the plan in progress, or the first of the one that is due",
    help: "Each step is an operation of its own: any command may come between two of them, and undo takes one back. \
           next runs the rest. While a file of a plan has a mistake it refuses; step anyway moves on without that plan. \
           Where people owe answers to what has no deadline it says who, and step without answers goes on.",
    kind: CommandKind::Advance(Extent::Step),
};
