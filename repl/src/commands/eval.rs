//! The command `eval`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "eval",
    syntax: &["eval {text: Rest}"],
    formerly: &[],
    summary: "runs Luau and takes back what it changed",
    help: "= TEXT is the short form. Only the game master can use it. `act` works as in a rule; `_` is the last \
           result. Unfinished code continues in the next line; an empty line ends it.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    game::evaluate_luau(timeline, call.ruling, &call.text("text"))
}
