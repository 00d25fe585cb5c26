//! The command `open`.

use host::diag::Diagnostic;
use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

use super::only_by_game_master;
use crate::save_pack_open::Request;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "open",
    syntax: &["open {game: Rest}"],
    formerly: &[],
    summary: "leaves this game, which stays saved, and opens another",
    help: "Type `open` and a folder, the name of one of your games, or FILE.tar of a packed game. --rules recorded \
           uses the rules that the game was saved with, --rules now uses the current ones; --read-only opens it \
           without changes. A game that is only in memory would be lost. `save FOLDER` saves it first, `open FOLDER \
           anyway` leaves it.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    only_by_game_master(call, || {
        let text = call.text("game");
        match Request::parse(&text) {
            Err(refusal) => Reply::refused(*refusal),
            Ok(request) if call.ruling.caller.would_lose_game(timeline) && !request.anyway => {
                let message = "this game is only in memory and would be lost";
                let finding = Diagnostic::error("save/not-kept", message);
                Reply::refused(finding.hint(format!(
                    "`save FOLDER` saves it; `open {} anyway` leaves it",
                    request.place
                )))
            }
            Ok(_) => Reply::program_request(ProgramRequest::Open(text)),
        }
    })
}
