//! This module is the command `reload`.

use host::diag::Diagnostic;
use host::game::{Call, Does, HostCommand, Reloaded, Reply, Session};
use host::script::Compiled;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "reload",
    syntax: &["reload"],
    summary: "reads the rules and content again",
    help: "Saved files are taken over without it while they can be watched. Broken ones never are: the old rules stay.",
    does: Does::Tends,
    run,
};

fn run(session: &mut Session, _: &Call<'_>) -> Reply {
    match session.reload(Compiled::default()) {
        Reloaded::Unchanged | Reloaded::Mended => Reply::line("the rules are as the files say"),
        Reloaded::Swapped { diff, findings } => {
            let text = if diff.is_empty() {
                "the new rules are live".to_owned()
            } else {
                diff.to_string()
            };
            Reply {
                findings,
                ..Reply::line(text)
            }
        }
        Reloaded::Kept { findings } => {
            let refusal = Diagnostic::error(
                "content/not-reloaded",
                "the new rules are broken; the old ones stay",
            );
            Reply {
                findings,
                ..Reply::refused(refusal)
            }
        }
    }
}
