//! The command `dispute`.

use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

/// The refusal of a number that no log line has.
pub(super) const NO_LINE: super::NoLine = (
    "dispute/no-line",
    "`log` lists the lines, `log disputes` the disputes",
);

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "dispute",
    syntax: &[
        "dispute {line: Integer} {why: Rest}",
        "dispute post {post: Integer} {why: Rest}",
        "dispute ruling {ruling: Integer} {why: Rest}",
    ],
    formerly: &[],
    summary: "disputes a line of the log: dispute 12 the die fell off the table",
    help: "The number is the one that `log` shows you. `dispute post 12 WHY` disputes the line that a post of the \
           game master names, `dispute ruling 12 WHY` the one that a post of an earlier version names. A dispute \
           stays open until somebody decides it with `settle`. `status` lists the open disputes, `log disputes` all. \
           A dispute changes nothing else, and `undo` takes it back. The game master sees the line and the reason; \
           others see the dispute only if the ruleset allows it.",
    kind: CommandKind::Note(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let given = call.ruling;
    let why = call.text("why");
    let names = |name: &str| call.phrase.slots.iter().any(|slot| slot.name == name);
    let raised = if names("post") {
        super::line_number_in_slot(call, "post", NO_LINE)
            .map(|post| game::dispute_posted_line(timeline, given, post, &why))
    } else if names("ruling") {
        super::line_number_in_slot(call, "ruling", NO_LINE)
            .map(|slot| game::dispute_by_ruling_number(timeline, given, slot, &why))
    } else {
        super::line_number_in_slot(call, "line", NO_LINE)
            .map(|line| game::dispute_log_line(timeline, given, line, &why))
    };
    raised.unwrap_or_else(|refusal| Reply::refused(*refusal))
}
