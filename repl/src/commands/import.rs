//! This module is the command `import`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Importing, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "import",
    syntax: &["import {file: File} --apply", "import {file: File}"],
    summary: "rules on what a file tells, such as a thread, and says what does not add up",
    help: "import FILE gives the lines that the ruleset reads in the file in a copy of the game, with the dice that are \
           told, and changes nothing. import FILE --apply gives them to the game: each is a ruling of its own in the \
           log, and all are kept together or none.",
    kind: CommandKind::OnBehalf(run),
};

/// What stands behind the file.
const APPLY: &str = "--apply";

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let file = call.text("file");
    let how = match call.ruling.line.trim_end().ends_with(APPLY) && !file.ends_with(APPLY) {
        true => Importing::Applied,
        false => Importing::Previewed,
    };
    game::import(timeline, call.ruling, &file, how)
}
