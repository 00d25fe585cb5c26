//! The command `replace`.

use host::diag::Diagnostic;
use host::game;
use host::game::{Call, CommandKind, Consent, HostCommand, Reply, Timeline};

use super::revert::{consent_of_call, required_line_number, split_answers};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "replace",
    syntax: &[
        "replace {line: Integer} [yes] with {command: Rest}",
        "replace {line: Integer} [yes] answer {answers: Rest}",
        "replace {line: Integer} details with {command: Rest}",
        "replace {line: Integer} details answer {answers: Rest}",
    ],
    formerly: &[],
    summary: "replaces an earlier command by another one, and runs the later commands again",
    help: "`replace 12 with COMMAND` shows what would change, and changes nothing; `replace 12 details with COMMAND` \
           shows every value that would differ; `replace 12 yes with COMMAND` does it. The command counts as given \
           by the same person under the same number, so rolls with the same purpose and roller get the same dice. If \
           line 12 is an answer, `replace 12 with answer yes` gives another one. The correction is one line of the \
           log; `undo` and `revert` take it back. If a later command asks a new question, the correction waits for \
           the answer. You can give answers with it: `replace 12 answer TEXT with COMMAND` gives one answer, \
           `replace 12 yes answer no, answer left with COMMAND` two.",
    kind: CommandKind::History(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let text = call.text("answers");
    let (answered, with) = match text.split_once(" with ") {
        Some((answered, with)) => (split_answers(answered), with.to_owned()),
        None => (split_answers(&text), call.text("command")),
    };
    let with = with.trim();
    if with.is_empty() {
        let message = "the new command is missing";
        let finding = Diagnostic::error("revert/no-command", message);
        let of = call.slot("line").as_i64().unwrap_or(12);
        let hint = format!("type `replace {of} answer {} with COMMAND`", text.trim());
        return Reply::refused(finding.hint(hint));
    }
    match required_line_number(call) {
        Ok(of) => {
            let consent = (consent_of_call(call), answered.as_slice());
            let mut ruled = |with| game::replace_ruling(timeline, (of, with), consent, call.ruling);
            let reply = with_option_place_hint(ruled(with), (of, with));
            match split_trailing_option(with).filter(|_| consent.0 == Consent::Asked) {
                Some((command, word))
                    if reply.refusal.is_none() && ruled(command).refusal.is_none() =>
                {
                    Reply::refused(ambiguous_option_refusal(of, (with, command), word))
                }
                _ => game::reply_with_posts_to_correct(timeline, call.by(), reply),
            }
        }
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// The option words before `with`.
const BEFORE_WITH: [&str; 2] = ["yes", "details"];

/// Returns a command without an option word at its end, and that word. `None` if it ends with another word.
fn split_trailing_option(with: &str) -> Option<(&str, &'static str)> {
    let (command, last) = with.rsplit_once(char::is_whitespace)?;
    let mut words = BEFORE_WITH.into_iter();
    let word = words.find(|word| last.eq_ignore_ascii_case(word))?;
    Some((command.trim_end(), word))
}

/// Adds a hint to the refusal of a command that ends with `yes` or `details`: the option belongs before `with`. An
/// accepted command may contain the word itself.
fn with_option_place_hint(reply: Reply, (of, with): (u64, &str)) -> Reply {
    let refusal = reply
        .refusal
        .map(|refusal| match split_trailing_option(with) {
            Some((command, word)) => refusal.hint(option_place_hint((of, command), word)),
            None => refusal,
        });
    Reply { refusal, ..reply }
}

fn option_place_hint((of, command): (u64, &str), word: &str) -> String {
    format!("`{word}` must be before `with`; type `replace {of} {word} with {command}`")
}

/// Refuses a word at the end if the command is valid with and without it, and no option word is before `with`.
fn ambiguous_option_refusal(of: u64, (with, command): (&str, &str), word: &str) -> Diagnostic {
    let message = format!("\"{word}\" after the command would be part of the command");
    Diagnostic::error("revert/word", message)
        .hint(option_place_hint((of, command), word))
        .hint(format!(
            "if the word belongs to the command, type `replace {of} details with {with}` to see what would differ, \
             `replace {of} yes with {with}` to do it"
        ))
}
