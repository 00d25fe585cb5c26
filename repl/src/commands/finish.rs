//! The command `finish`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "finish",
    syntax: &["finish [{number: Rest}]"],
    formerly: &[],
    summary: "continues a waiting ruling under the rules that it started with",
    help: "Use it if the current rules cannot continue the ruling, because they ask or roll something else. Its \
           question still needs its answer.",
    kind: CommandKind::Finish(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match game::find_waiting_ruling_number(timeline, call.by(), call.slot("number").as_str()) {
        Ok(slot) => game::finish_under_original_rules(timeline, slot, call.ruling),
        Err(refusal) => Reply::refused(*refusal),
    }
}
