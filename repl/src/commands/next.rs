//! The command `next`: the rest of a plan at once, or the next phase.

use host::game::{CommandKind, HostCommand, PlanExtent};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "next",
    syntax: &["next [anyway] [without answers]"],
    formerly: &[],
    summary: "moves the game on: runs the rest of the current plan, or the plan that is due",
    help: "All steps together are one line of the log: if a step fails, nothing of it remains. If the present phase \
           has no plan, the game moves to the next phase. `step` runs a single step, `plan` shows where the game is. \
           If the file of a plan has an error, the command is refused; `next anyway` moves on without that plan. If \
           people have not answered questions without a deadline, it lists them; `next without answers` moves on.",
    kind: CommandKind::Advance(PlanExtent::Rest),
};
