//! This module is the command `export`.

use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

use super::by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "export",
    syntax: &[
        "export [for {whom: public|gm}] [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json}] [with corrections] [to {place: Rest}]",
        "export for {seat: Seat} [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json}] [with corrections] [to {place: Rest}]",
    ],
    summary: "writes the whole game for everybody, or for somebody, into a file or a folder of pages",
    help: "It holds what its reader may know and nothing else: what was given and said, chapter by chapter, and the ledgers. \
           For others it holds what stands: what was undone or left out is told only with corrections; what was ruled again \
           says what it says now. The game master is told all of it. Without more it is one page of HTML for everybody, beside the folder of the game. \
           export for WHO writes it for one reader, export as FORMAT in another format, export to PLACE into a file or a folder. \
           to site/ writes a folder of pages; another ending of the file is another format: .md, .bbcode, .rst, .csv, .json. \
           arbiter export FOLDER --for Ann does it from the command line.",
    kind: CommandKind::Query(run),
};

fn run(_: &Timeline, call: &Call<'_>) -> Reply {
    let whom = match (call.text("seat"), call.text("whom")) {
        (seat, whom) if seat.is_empty() && whom.is_empty() => "public".to_owned(),
        (seat, whom) => seat + &whom,
    };
    let (format, place) = (call.text("format"), call.text("place"));
    let corrections = has_corrections(call.ruling.line, &place);
    by_game_master(call, || {
        Reply::wish(Wish::Export {
            whom,
            format,
            place,
            corrections,
        })
    })
}

/// Returns whether a line asks for corrections before it says the place.
fn has_corrections(line: &str, place: &str) -> bool {
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
            assert_eq!(has_corrections(line, place), is_asked, "{line}");
        }
    }
}
