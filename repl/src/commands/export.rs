//! The command `export`.

use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

use super::only_by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "export",
    syntax: &[
        "export [for {whom: public|gm}] [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json|log|replay}] [with corrections] [to {place: Rest}]",
        "export for {player: Seat} [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json|log}] [with corrections] [to {place: Rest}]",
    ],
    formerly: &[],
    summary: "writes the whole game into a file or a folder of pages, for everybody or one reader",
    help: "The export contains only what its reader is allowed to know. HTML is a story: result, cast, and chapters \
           by phase, round or day; runs of votes and moves are folded. Other formats are a log: commands and \
           messages by chapter, and tables of dice and changes; `export as log` writes the log as HTML. `export as \
           replay` writes one HTML page to step through, phase by phase, with what was known then. Readers see the \
           game as it is valid now; `with corrections` also shows what was undone or left out. A log for the game \
           master always shows everything. `export` alone writes one HTML page for everybody, beside the folder of \
           the game. `export for WHO` writes it for one reader, `export as FORMAT` writes another format, `export to \
           PLACE` writes into a file or a folder. A place such as site/ becomes a folder of pages. The ending of a \
           file name also selects the format: .md, .bbcode, .rst, .csv, .json. On the command line: arbiter export \
           FOLDER --for Ann.",
    kind: CommandKind::Query(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let whom = match (call.text("player"), call.text("whom")) {
        (seat, whom) if seat.is_empty() && whom.is_empty() => "public".to_owned(),
        (seat, whom) => seat + &whom,
    };
    let (format, place) = (call.text("format"), call.text("place"));
    let corrections = asks_for_corrections(call.ruling.line, &place);
    only_by_game_master(call, || {
        Reply::program_request(ProgramRequest::Export {
            whom,
            format,
            place,
            corrections,
        })
    })
}

/// Returns whether a line asks for corrections before its place.
fn asks_for_corrections(line: &str, place: &str) -> bool {
    let before = line.trim_end().strip_suffix(place.trim()).unwrap_or(line);
    let words = before.split_whitespace();
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    words.windows(2).any(|two| *two == ["with", "corrections"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_asked_for_before_the_place_and_not_in_it() {
        for (line, place, is_asked) in [
            ("export with corrections", "", true),
            (
                "export for Ann as csv With  Corrections to a.csv",
                "a.csv",
                true,
            ),
            (
                "export to game with corrections.md",
                "game with corrections.md",
                false,
            ),
            ("export", "", false),
        ] {
            assert_eq!(asks_for_corrections(line, place), is_asked, "{line}");
        }
    }
}
