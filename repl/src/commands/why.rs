//! This module is the command `why`: what led to what.

use host::doc::Document;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "why",
    syntax: &[
        "why {operation: Whole}",
        "why {entity: Entity} {field: Field}",
        "why {entity: Entity}",
        "why {record: Record}",
        "why not {line: Rest}",
        "why {text: Rest}",
    ],
    summary: "explains an operation, a stat, a thing, or what a command is refused for",
    help: "why 12 runs operation 12 again and shows what led to what; why ann.mood and why ann mood show how a stat comes \
           to what it shows; why ann and why curse#3 show what made them; why not COMMAND tries a command (why not for SEAT: COMMAND one of a seat), takes it back \
           and names the rule that refuses it; why not ann.mood says what sleeps. A seat is told what it may see.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let rest = call.ruling.line.trim_start();
    let rest = rest
        .split_once(char::is_whitespace)
        .map_or("", |(_, rest)| rest.trim());
    let not = call.text("line");
    let answer: Result<Document, _> = if not.is_empty() {
        game::why(timeline, call.ruling.caller, call.by(), rest)
    } else {
        game::why_not(timeline, call.ruling.caller, call.by(), not.trim())
    };
    match answer {
        Ok(document) => Reply::document(document),
        Err(refusal) => Reply::refused(*refusal),
    }
}
