//! This module is the command `redo`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "redo",
    syntax: &["redo"],
    summary: "lets the ruling hold again that was taken back last",
    help: "A new ruling after an undo ends what could be done again.",
    does: Does::Walks,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    session.redo(call.by())
}
