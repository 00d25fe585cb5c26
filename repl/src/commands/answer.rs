//! This module is the command `answer`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "answer",
    syntax: &["answer {text: Rest}"],
    summary: "answers a question that waits: answer TEXT, or answer NUMBER TEXT, or answer KEY TEXT",
    help: "prompts lists the questions with their numbers and keys; where only one waits, the answer is enough. \
           Options may be shortened. The game master may answer for others, which is noted.",
    kind: CommandKind::Answer(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    game::answer(timeline, call.ruling, &call.text("text"))
}
