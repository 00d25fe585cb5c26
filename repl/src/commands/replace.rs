//! This module is the command `replace`.

use host::diag::Diagnostic;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

use super::revert::{answers, consent, number};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "replace",
    syntax: &[
        "replace {operation: Whole} [yes] with {command: Rest}",
        "replace {operation: Whole} [yes] answer {answers: Rest}",
        "replace {operation: Whole} details with {command: Rest}",
        "replace {operation: Whole} details answer {answers: Rest}",
    ],
    summary: "rules on another command in the place of an earlier one, and again on those behind it",
    help: "replace 12 with COMMAND shows what would become of everything, and changes nothing; replace 12 details with \
           COMMAND shows every value that would differ; replace 12 yes with COMMAND does it. The command is given by whoever gave the earlier one, in its slot: the same purpose and roller \
           meets the same dice. Where 12 is an answer, replace 12 with answer yes gives another one. It is one operation, which undo \
           and revert take back. Where one behind it asks what nobody answered then, it waits for the answer, unless that \
           comes with it: replace 12 yes answer no, answer left with COMMAND.",
    kind: CommandKind::History(run),
};

/// Adds to the refusal of a command that ends with `yes` where that word stands; an accepted one may mean it.
fn with_place_of_yes(reply: Reply, (of, with): (u64, &str)) -> Reply {
    let before = with.rsplit_once(char::is_whitespace);
    let before = before.filter(|(_, last)| last.eq_ignore_ascii_case("yes"));
    let refusal = reply.refusal.map(|refusal| match before {
        Some((command, _)) => refusal.hint(format!(
            "`yes` stands before `with`: replace {of} yes with {}",
            command.trim_end()
        )),
        None => refusal,
    });
    Reply { refusal, ..reply }
}

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let text = call.text("answers");
    let (answered, with) = match text.split_once(" with ") {
        Some((answered, with)) => (answers(answered), with.to_owned()),
        None => (answers(&text), call.text("command")),
    };
    let with = with.trim();
    if with.is_empty() {
        let message = "no command says what stands in its place";
        let finding = Diagnostic::error("revert/no-command", message);
        return Reply::refused(finding.hint("write replace 12 answer TEXT with COMMAND"));
    }
    match number(call.slot("operation").as_i64(), "replace 12 with COMMAND") {
        Ok(of) => {
            let consent = (consent(call), answered.as_slice());
            let reply = game::replace(timeline, (of, with), consent, call.ruling);
            with_place_of_yes(reply, (of, with))
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}
