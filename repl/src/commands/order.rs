//! The command `order`: what a seat answers to a question whenever it is asked.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "order",
    syntax: &["order {text: Rest}"],
    summary: "answers a question in advance, for every time that it is asked: order KEY TEXT, order KEY off",
    help: "`prompts` shows the keys. If the order does not answer a question, the question stays open. `orders` \
           lists your orders.",
    kind: CommandKind::Write(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    // Keys are one word; the phrase only says that a text follows.
    let rest = call
        .ruling
        .line
        .trim_start()
        .get("order".len()..)
        .unwrap_or_default();
    let (key, text) = rest
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((rest.trim(), ""));
    game::order(timeline, call.ruling, key, text.trim())
}
