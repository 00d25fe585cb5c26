//! The command `import`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Importing, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "import",
    syntax: &["import {file: File} apply", "import {file: File}"],
    formerly: &[("--apply", APPLY)],
    summary: "plays the commands in a file, such as a forum thread, and reports what does not fit",
    help: "`import FILE` plays the lines that the ruleset finds in the file. It uses a copy of the game and the \
           dice that the file states, and changes nothing. `import FILE apply` gives them to the game. Each line \
           becomes a ruling of its own in the log, and either all are saved or none. Several files, such as the \
           pages of one thread, follow one another: `import page1.html page2.html`.",
    kind: CommandKind::OnBehalf(run),
};

/// The option word after the file.
const APPLY: &str = "apply";

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let file = call.text("file");
    let how = match call.ruling.line.trim_end().ends_with(APPLY) && !file.ends_with(APPLY) {
        true => Importing::Applied,
        false => Importing::Previewed,
    };
    game::import_file(timeline, call.ruling, &file, how)
}
