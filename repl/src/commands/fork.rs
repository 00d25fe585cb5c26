//! This module is the command `fork`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "fork",
    syntax: &["fork drop {gone: Word}", "fork {name: Word}", "fork"],
    summary: "tries something out in a copy of the game; fork main leads back",
    help: "fork NAME begins a copy where you are, or where goto looks, and goes on with one that is there. Its dice are \
           others than those of the game, and nothing of it reaches the game or its folder: it ends with the timeline. \
           fork lists the copies, fork drop NAME gives one up.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let (gone, name) = (call.text("gone"), call.text("name"));
    Reply::request(match (gone.as_str(), name.as_str()) {
        ("", "") => Request::Forks,
        ("", name) => Request::Fork(name.to_owned()),
        (gone, _) => Request::DropFork(gone.to_owned()),
    })
}
