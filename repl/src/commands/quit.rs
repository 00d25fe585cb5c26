//! This module is the command `quit`.

use host::game::{Call, Does, HostCommand, Reply, Session, Wish};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "quit",
    syntax: &["quit", "exit"],
    summary: "ends the session",
    help: "End of input (Ctrl-D) does the same. A game that has a folder needs no saving.",
    does: Does::Tends,
    run,
};

fn run(_: &mut Session, _: &Call<'_>) -> Reply {
    Reply::wish(Wish::Quit)
}
