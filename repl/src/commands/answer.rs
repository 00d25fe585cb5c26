//! The command `answer`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "answer",
    syntax: &["answer {text: Rest}"],
    formerly: &[],
    summary: "answers an open question: answer TEXT, or answer NUMBER TEXT, or answer KEY TEXT",
    help: "`questions` lists the questions with their numbers and keys. If only one question is open, the answer is \
           enough. Options can be shortened. The game master can answer for others; the log shows it.",
    kind: CommandKind::Answer(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    game::take_typed_answer(timeline, call.ruling, &call.text("text"))
}
