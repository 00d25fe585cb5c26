//! This module is the command `open`.

use host::diag::Diagnostic;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, Wish};

use super::by_game_master;
use crate::hand_over::Request;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "open",
    syntax: &["open {game: Rest}"],
    summary: "leaves this game, which is kept, and goes on with another",
    help: "open FOLDER, or the name of one of the games, or FILE.tar of a packed one. --rules recorded goes on with the rules \
           that the game was kept with, --rules now with those in the home; --read-only only looks at it. A game that is \
           only in memory would be lost: save FOLDER keeps it first, and open FOLDER anyway leaves it.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    by_game_master(call, || {
        let text = call.text("game");
        match Request::read(&text) {
            Err(refusal) => Reply::refused(*refusal),
            Ok(request) if call.ruling.caller.would_be_lost(timeline) && !request.anyway => {
                let message = "this game is only in memory and would be lost";
                let finding = Diagnostic::error("save/not-kept", message);
                Reply::refused(finding.hint(format!(
                    "save FOLDER keeps it; open {} anyway leaves it",
                    request.place
                )))
            }
            Ok(_) => Reply::wish(Wish::Open(text)),
        }
    })
}
