//! This module is the command `dispute`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "dispute",
    syntax: &["dispute {line: Whole} {why: Rest}"],
    summary: "doubts a line of the log: dispute 12 the die fell off the table",
    help: "The number is the one that log shows you. The game keeps the dispute until somebody rules on it with settle; \
           status lists the open ones, log disputes all. It changes nothing else, and undo takes it back. The game \
           master reads which line it is and why; others only hear of it where the ruleset says so.",
    does: Does::Notes,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    match super::number_of(call, "line") {
        Ok(number) => session.dispute((call.by, call.line), number, &call.text("why")),
        Err(refusal) => Reply::refused(*refusal),
    }
}
