//! This module is the command `undo`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "undo",
    syntax: &["undo"],
    summary: "takes the last ruling back",
    help: "The same command meets the same dice again. Undo itself is an entry of the log; redo takes it back.",
    does: Does::Walks,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    session.undo(call.by())
}
