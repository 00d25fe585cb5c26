//! This module is the command `help`.

use host::game::{Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "help",
    syntax: &["help [{word: Rest}]"],
    summary: "lists the commands, or explains a word",
    help: "A word is a command, a definition, a stat, a field, dice, or an API name such as act:get. WORD? does the same.",
    does: Does::Looks,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let word = call.text("word");
    match word.trim().trim_end_matches('?') {
        "" => Reply::document(session.overview(call.by())),
        word => session.help(call.by(), word),
    }
}
