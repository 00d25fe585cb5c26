//! This module is the command `reveal`: everybody may know the seed.

use host::game::{Afterwards, Call, Does, HostCommand, Reply, Session};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "reveal",
    syntax: &["reveal and roll on", "reveal"],
    summary: "tells everybody the seed, so that they can check every die",
    help: "For the end of a game: whoever knows the seed knows all dice to come, so none are drawn from it any more. \
           reveal and roll on lets them count all the same. Undo does not make it a secret again.",
    does: Does::Notes,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let afterwards = match call.ruling.line.split_whitespace().nth(1) {
        Some(_) => Afterwards::RollsOn,
        None => Afterwards::Ends,
    };
    session.reveal(call.ruling, afterwards)
}
