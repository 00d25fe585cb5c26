//! This module is the command `revert`.

use host::diag::Diagnostic;
use host::game;
use host::game::{Call, CommandKind, Consent, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "revert",
    syntax: &[
        "revert {operation: Whole} [yes] [answer {answers: Rest}]",
        "revert {operation: Whole} details [answer {answers: Rest}]",
    ],
    summary: "leaves a ruling out as if it had never been given, and rules again on those behind it",
    help: "revert 12 shows what would become of each, and changes nothing; revert 12 details shows every value \
           that would differ; revert 12 yes does it. Those behind it keep their slots, so the same dice, and the answers \
           that were given: an answer belongs to who was asked, by which rule, for which key. Whose answer falls away is \
           told. It is one operation: undo takes it back, and \
           revert with its own number does later. Where one behind it asks what nobody answered then, it waits for the \
           answer as any ruling does: whoever is asked answers, or you, and drop gives it up. Answers may come with it: \
           revert 12 answer TEXT gives an answer along, revert 12 yes answer no, answer left two. log lists the numbers.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match number(call.slot("operation").as_i64(), "revert 12") {
        Ok(of) => {
            let answers = answers(&call.text("answers"));
            game::revert(timeline, of, (consent(call), &answers), call.ruling)
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns the number that was typed. Errors: none was.
pub(super) fn number(typed: Option<i64>, example: &str) -> Result<u64, Box<Diagnostic>> {
    let number = typed.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| {
        let message = "operations have numbers from 1 on";
        let finding = Diagnostic::error("revert/no-number", message);
        Box::new(finding.hint(format!("such as {example}; log lists the numbers")))
    })
}

/// Returns whether the line says yes behind the number, or asks for details.
pub(super) fn consent(call: &Call<'_>) -> Consent {
    let third = call.ruling.line.split_whitespace().nth(2);
    let is = |known: &str| third.is_some_and(|word| word.eq_ignore_ascii_case(known));
    match (is("yes"), is("details")) {
        (true, _) => Consent::Given,
        (_, true) => Consent::Details,
        (false, false) => Consent::Asked,
    }
}

/// Returns the answers that come with a correction: `no, answer left`.
pub(super) fn answers(text: &str) -> Vec<String> {
    let texts = text.split(", answer ").map(str::trim);
    let texts = texts.filter(|text| !text.is_empty());
    texts.map(str::to_owned).collect()
}
