//! This module is the command `finish`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "finish",
    syntax: &["finish [{number: Rest}]"],
    summary: "lets a waiting ruling go on under the rules that it began with",
    help: "For a ruling that the live rules cannot go on with, because they ask for other things. Its question still wants its answer.",
    kind: CommandKind::Finish(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match game::ruling_meant(timeline, call.by(), call.slot("number").as_str()) {
        Ok(slot) => game::finish(timeline, slot, call.ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}
