//! Lets the game master give a line for a seat. The line counts as the seat's, and its typist is recorded.

use crate::diag::Diagnostic;
use crate::game::command::dispatch::dispatch_line;
use crate::game::question::open_questions::canonical_giver;
use crate::game::ruling::ruling_context::{Giver, Ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::Reply;
use crate::script::GM;
use crate::store::Operation;
use crate::words::Words;

/// Gives a line for a seat. The result belongs to the seat, and its typist is recorded.
///
/// Errors: only the game master may do this, and only for a seat. A request to the session is refused, because it
/// concerns only its typist.
pub fn give_line_for_seat(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    seat: &str,
    line: &str,
) -> Reply {
    let seat = match seat_spoken_for(timeline, ruling.by(), seat) {
        Ok(seat) => seat,
        Err(refusal) => return Reply::refused(*refusal),
    };
    if line.trim().is_empty() {
        let message = format!("the command for {seat} is missing");
        let finding = Diagnostic::error("host/behalf", message);
        return Reply::refused(finding.hint(format!("type `for {seat}: COMMAND`")));
    }
    let giver = Giver {
        seat: &seat,
        entered_by: Some(ruling.by()),
    };
    let reply = dispatch_line(
        timeline,
        &Ruling {
            giver,
            line,
            ..*ruling
        },
    );
    match reply.program_request.is_some() || reply.request.is_some() {
        true => Reply::refused(session_line_refusal(&seat, line)),
        false => reply,
    }
}

/// Returns the seat and the command of `for SEAT: COMMAND`, as they were typed.
pub fn parse_for_seat_line(line: &str) -> Option<(&str, &str)> {
    let (head, rest) = line.trim_start().split_at_checked("for".len())?;
    let is_word = head.eq_ignore_ascii_case("for") && rest.starts_with(char::is_whitespace);
    let (seat, line) = rest.split_once(':').filter(|_| is_word)?;
    Some((seat.trim(), line.trim_start())).filter(|(seat, _)| !seat.is_empty())
}

/// Returns the seat for which a line is given. Errors: the giver may not do this, or it is not a seat.
pub fn seat_spoken_for(
    timeline: &Timeline,
    by: &str,
    seat: &str,
) -> Result<String, Box<Diagnostic>> {
    if let Some(refusal) = gm_only_refusal(by, "can give commands for others") {
        return Err(Box::new(refusal));
    }
    let seat = canonical_giver(timeline, seat)?;
    if seat == GM {
        let finding = Diagnostic::error(
            "host/behalf",
            "the game master needs no `for` to give a command",
        );
        return Err(Box::new(finding.hint("type only the command")));
    }
    Ok(seat)
}

/// Refuses a line that requests something from the session and nothing from the game.
fn session_line_refusal(seat: &str, line: &str) -> Diagnostic {
    let word = line.split_whitespace().next().unwrap_or_default();
    let message =
        format!("\"{word}\" controls this session, not the game, so it cannot be given for {seat}");
    Diagnostic::error("host/behalf", message).hint(
        "type only the command; `as PLAYER` acts for a player and shows what that player can see",
    )
}

/// Returns the giver of an operation in words: `Ann`, or `Ann (entered by gm)`.
pub fn giver_in_words(operation: &Operation) -> String {
    giver_in_language(operation, &Words::english())
}

/// Returns the giver of an operation in the words of a language.
pub(in crate::game) fn giver_in_language(operation: &Operation, words: &Words) -> String {
    match &operation.through {
        Some(through) => words.fill(
            "log.entered_by",
            &[("name", &operation.by), ("by", through)],
        ),
        None => operation.by.to_string(),
    }
}

/// Returns the typist of an operation for another person: ` (entered by gm)`; nothing if the giver typed it.
pub fn entered_by_text(operation: &Operation) -> String {
    let through = operation.through.as_ref();
    through.map_or_else(String::new, |through| format!(" (entered by {through})"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_seat_may_have_blanks_and_a_command_colons() {
        let parts = |line| super::parse_for_seat_line(line);
        assert_eq!(parts("for Ann: cheer bo"), Some(("Ann", "cheer bo")));
        assert_eq!(
            parts("FOR  Hill Guard :a: b "),
            Some(("Hill Guard", "a: b "))
        );
        assert_eq!(parts("for Ann:"), Some(("Ann", "")));
        for line in ["for Ann cheer", "fort Ann: x", "for : x", "for:", "fo"] {
            assert_eq!(parts(line), None, "{line}");
        }
    }
}
