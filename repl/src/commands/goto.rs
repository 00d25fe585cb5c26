//! This module is the command `goto`.

use host::diag::Diagnostic;
use host::game::{Call, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "goto",
    syntax: &[
        "goto {operation: Whole}",
        "goto [now|end]",
        "goto {text: Rest}",
    ],
    summary: "looks at the game as it was after an operation; goto now leads back",
    help: "show, log, why, = and whatever else only looks works there; what would change something is refused. \
           fork NAME tries something out from there. log lists the numbers.",
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let text = call.text("text");
    if !text.trim().is_empty() {
        let message = format!("\"{}\" is the number of no operation", text.trim());
        let finding = Diagnostic::error("look/no-number", message);
        return Reply::refused(finding.hint("write goto 12 or goto now; log lists the numbers"));
    }
    let number = call.slot("operation").as_i64();
    session.look_at(
        number.map(|number| u64::try_from(number).unwrap_or(u64::MAX)),
        call.by,
    )
}
