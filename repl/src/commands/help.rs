//! The command `help`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "help",
    syntax: &["help [{word: Rest}]"],
    formerly: &[],
    summary: "lists the commands, or explains a word",
    help: "A word can be a command, a definition, a stat, a field, dice, an API name such as act:get, or a term of the \
           glossary such as stat store. WORD? does the same.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let word = call.text("word");
    match word.trim().trim_end_matches('?') {
        "" => Reply::document(game::command_overview(timeline, call.by())),
        word => game::help_for_words(timeline, call.by(), word),
    }
}
