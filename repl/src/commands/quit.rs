//! The command `quit`.

use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "quit",
    syntax: &["quit", "exit"],
    formerly: &[],
    summary: "ends the session",
    help: "The end of the input (Ctrl-D) does the same. A game with a folder is always saved.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, _: &Call<'_>) -> Reply {
    Reply::program_request(ProgramRequest::Quit)
}
