//! The command `step`: one step of a plan.

use host::game::{CommandKind, HostCommand, PlanExtent};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "step",
    syntax: &["step [anyway] [without answers]"],
    formerly: &[],
    summary: "runs the next step of the current plan, or the first step of the plan that is due",
    help: "Each step is a line of the log: you can give other commands between two steps, and `undo` takes one step \
           back. `next` runs the rest. If the file of a plan has an error, the command is refused; `step anyway` \
           moves on without that plan. If people have not answered questions without a deadline, it lists them; \
           `step without answers` moves on.",
    kind: CommandKind::Advance(PlanExtent::Step),
};
