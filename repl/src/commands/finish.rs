//! This module is the command `finish`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "finish",
    syntax: &["finish [{number: Rest}]"],
    summary: "lets a waiting ruling go on under the rules that it began with",
    help: "For a ruling that the live rules cannot go on with, because they ask for other things. Its question still wants its answer.",
    does: Does::Finishes,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    match session.ruling_meant(call.by(), call.slot("number").as_str()) {
        Ok(slot) => session.finish(slot, call.ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}
