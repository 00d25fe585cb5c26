//! This module is the command `fork`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "fork",
    syntax: &["fork drop {gone: Word}", "fork {name: Word}", "fork"],
    summary: "tries something out in a copy of the game; fork main leads back",
    help: "fork NAME begins a copy where you are, or where goto looks, and goes on with one that is there. Its dice are \
           others than those of the game, and nothing of it reaches the game or its folder: it ends with the session. \
           fork lists the copies, fork drop NAME gives one up.",
    does: Does::Tends,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let (gone, name) = (call.text("gone"), call.text("name"));
    match (gone.as_str(), name.as_str()) {
        ("", "") => session.forks(call.by()),
        ("", name) => session.fork(name, call.by()),
        (gone, _) => session.drop_fork(gone, call.by()),
    }
}
