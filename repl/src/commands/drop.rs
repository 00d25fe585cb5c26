//! This module is the command `drop`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "drop",
    syntax: &["drop [{slot: Whole}]"],
    summary: "gives a waiting ruling or a prompt up",
    help: "Nothing of it is kept; undo brings it back. Without a number: the only ruling that waits.",
    does: Does::Drops,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    match session.ruling_meant(call.by, call.slot("slot").as_i64()) {
        Ok(slot) => session.give_up(slot, (call.by, call.line)),
        Err(refusal) => Reply::refused(*refusal),
    }
}
