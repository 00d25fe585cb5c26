//! This module is the command `check`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "check",
    syntax: &["check"],
    summary: "lists what is wrong with the rules and content",
    help: "While the rules are stale (the prompt ends with ! then), the findings are those of the newer files that were not taken over.",
    does: Does::Tends,
    run,
};

fn run(session: &mut Session, _: &Call<'_>) -> Reply {
    let findings = if session.stale().is_empty() {
        session.findings()
    } else {
        session.stale()
    };
    let findings = findings.to_vec();
    if findings.is_empty() {
        return Reply::line("nothing is wrong with the rules");
    }
    Reply {
        findings,
        ..Reply::default()
    }
}
