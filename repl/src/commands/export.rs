//! This module is the command `export`.

use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

use super::by_game_master;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "export",
    syntax: &[
        "export [for {whom: public|gm}] [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json}] [to {place: Rest}]",
        "export for {seat: Seat} [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json}] [to {place: Rest}]",
    ],
    summary: "writes the whole game for everybody, or for somebody, into a file or a folder of pages",
    help: "It holds what its reader may know and nothing else: what was given and said, chapter by chapter, what became of \
           it, and the ledgers. Without more it is one page of HTML for everybody, beside the folder of the game. \
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
    by_game_master(call, || {
        Reply::wish(Wish::Export {
            whom,
            format,
            place,
        })
    })
}
