//! The command `why`: explains the causes of a value or a log line.

use host::doc::Document;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "why",
    syntax: &[
        "why {number: Integer}",
        "why {entity: Entity} {field: Field}",
        "why {entity: Entity}",
        "why {record: Record}",
        "why not {command: Rest}",
        "why {text: Rest}",
    ],
    formerly: &[],
    summary: "explains a line of the log, a stat, a thing, or why a command is refused",
    help: "`why 12` runs line 12 again and shows the causes. `why Ann:3` explains line 3 of Ann's log to the game master. `why ann.mood` and `why ann mood` show how a stat gets \
           its value. `why ann` and `why curse#3` show what created them. `why not COMMAND` tries a command and \
           shows the rule that refuses it. Write `for PLAYER:` before the command to try one of a player. `why not \
           ann.mood` shows inactive modifiers. Players see only what they are allowed to know.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let rest = call.ruling.line.trim_start();
    let rest = rest
        .split_once(char::is_whitespace)
        .map_or("", |(_, rest)| rest.trim());
    let not = call.text("command");
    let answer: Result<Document, _> = if not.is_empty() {
        game::explain_subject(timeline, call.ruling.caller, call.by(), rest)
    } else {
        game::explain_why_not(timeline, call.ruling.caller, call.by(), not.trim())
    };
    match answer {
        Ok(document) => Reply::document(document),
        Err(refusal) => Reply::refused(*refusal),
    }
}
