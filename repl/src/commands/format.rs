//! The command `format`.

use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "format",
    syntax: &["format {name: terminal|markdown|bbcode|discord|html|rst|csv|json}"],
    formerly: &[],
    summary: "changes the output format",
    help: "terminal is for this screen. markdown, bbcode and discord are for posts. html (fragments), rst and csv \
           (for spreadsheets) are for files. json is for programs. The option --format sets the format at the start.",
    kind: CommandKind::Query(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    Reply::program_request(ProgramRequest::Format(call.text("name")))
}

#[cfg(test)]
mod tests {
    use host::doc::Format;

    use super::*;

    #[test]
    fn every_format_can_be_typed() {
        let names = Format::ALL.map(Format::as_str).join("|");
        assert_eq!(COMMAND.syntax, [format!("format {{name: {names}}}")]);
    }
}
