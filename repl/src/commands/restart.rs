//! This module is the command `restart`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "restart",
    syntax: &["restart [{number: Rest}]"],
    summary: "begins a waiting ruling anew, in its slot and without the answers so far",
    help: "Its dice are the same where the rules ask for the same. Without a number: the only ruling that waits.",
    does: Does::Restarts,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    match session.ruling_meant(call.by(), call.slot("number").as_str()) {
        Ok(slot) => session.begin_anew(slot, call.ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}
