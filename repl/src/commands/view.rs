//! The command `view`: the game as it was after a log line.

use host::game::{Call, CommandKind, HostCommand, Reply, Request, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "view",
    syntax: &["view {line: Integer}", "view [now|end]", "view"],
    formerly: &[("goto", "view")],
    summary: "views the game as it was after a log line, read-only; view alone returns to the present",
    help: "`show`, `log`, `why`, = and all other commands that change nothing work there; commands that change \
           something are refused. `fork NAME` plays on from there in a copy. `log` lists the numbers.",
    kind: CommandKind::Request(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    if call.text("line").is_empty() {
        return Reply::request(Request::Look(None));
    }
    match super::line_number_in_slot(call, "line", ("store/unknown-operation", super::NUMBERS)) {
        Ok(line) => Reply::request(Request::Look(Some(line))),
        Err(refusal) => Reply::refused(*refusal),
    }
}
