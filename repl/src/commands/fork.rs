//! The command `fork`.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "fork",
    syntax: &["fork drop {gone: Word}", "fork {name: Word}", "fork"],
    formerly: &[],
    summary: "plays on in a copy of the game to try something; fork main leads back",
    help: "`fork NAME` starts a copy from here, or from the log line that you view; if the copy exists, \
           it continues it. A fork has its own dice, changes nothing in the game or its folder, and ends with the \
           session. `fork` lists the copies, `fork drop NAME` deletes one.",
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
