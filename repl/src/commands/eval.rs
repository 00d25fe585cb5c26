//! This module is the command `eval`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "eval",
    syntax: &["eval {text: Rest}"],
    summary: "evaluates Luau and takes back what it changed",
    help: "= TEXT is the short form. Only the game master may. `act` is there as in a rule; `_` is what was evaluated last. \
           An unfinished chunk goes on in the next line; an empty line ends it.",
    does: Does::Looks,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    session.evaluate(call.ruling, &call.text("text"))
}
