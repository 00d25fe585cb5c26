//! The command `revert`.

use host::diag::Diagnostic;
use host::game;
use host::game::{Call, CommandKind, Consent, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "revert",
    syntax: &[
        "revert {line: Integer} [yes] [answer {answers: Rest}]",
        "revert {line: Integer} details [answer {answers: Rest}]",
    ],
    formerly: &[],
    summary: "removes a ruling as if it had never been given, and runs the later commands again",
    help: "`revert 12` shows what would change, and changes nothing; `revert 12 details` shows every value that \
           would differ; `revert 12 yes` does it. Later commands keep their numbers, their dice and their answers: \
           an answer stays valid if the same rule asks the same person with the same key. People whose answers are \
           no longer used get a message. The correction is one line of the log; `undo` takes it back, and so does \
           `revert` with its number. If a later command asks a new question, the correction waits for the answer; \
           the person asked or you can answer, and `drop` cancels it. You can give answers with it: `revert 12 \
           answer TEXT` gives one answer, `revert 12 yes answer no, answer left` two. `log` lists the numbers.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match required_line_number(call) {
        Ok(of) => {
            let answers = split_answers(&call.text("answers"));
            let consent = (consent_of_call(call), answers.as_slice());
            let reply = game::revert_ruling(timeline, of, consent, call.ruling);
            game::reply_with_posts_to_correct(timeline, call.by(), reply)
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns the typed log line number. Errors: no log has a line with this number.
pub(super) fn required_line_number(call: &Call<'_>) -> Result<u64, Box<Diagnostic>> {
    super::line_number_in_slot(call, "line", ("revert/no-number", super::NUMBERS))
}

/// Returns the consent in the line: `yes` after the number, or a request for details.
pub(super) fn consent_of_call(call: &Call<'_>) -> Consent {
    let third = call.ruling.line.split_whitespace().nth(2);
    let is = |known: &str| third.is_some_and(|word| word.eq_ignore_ascii_case(known));
    match (is("yes"), is("details")) {
        (true, _) => Consent::Given,
        (_, true) => Consent::Details,
        (false, false) => Consent::Asked,
    }
}

/// Splits the answers of a correction: `no, answer left` has two.
pub(super) fn split_answers(text: &str) -> Vec<String> {
    let texts = text.split(", answer ").map(str::trim);
    let texts = texts.filter(|text| !text.is_empty());
    texts.map(str::to_owned).collect()
}
