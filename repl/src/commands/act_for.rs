//! This module is the command `for`.

use host::diag::Diagnostic;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "for",
    syntax: &["for {seat: Seat}: {command: Rest}", "for {line: Rest}"],
    summary: "gives a command for a seat: for Ann: COMMAND",
    help: "The command counts as the seat's own, and log and why say who entered it. Only the game master gives \
           commands for others. What is said to other seats is shown as the game master sees it: as SEAT changes \
           whose eyes look, and what is typed then counts as typed by the seat itself. What concerns the session, such as \
           quit, is given alone.",
    kind: CommandKind::OnBehalf(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match parts(call.ruling.line) {
        Some((seat, line)) => game::on_behalf(timeline, call.ruling, seat, line),
        None => {
            let finding = Diagnostic::error("host/behalf", "the line does not say for whom");
            Reply::refused(finding.hint("write for SEAT: COMMAND, such as for Ann: answer yes"))
        }
    }
}

/// Returns the seat and the command of `for SEAT: COMMAND`, as they were typed.
pub(crate) fn parts(line: &str) -> Option<(&str, &str)> {
    let (head, rest) = line.trim_start().split_at_checked("for".len())?;
    let is_word = head.eq_ignore_ascii_case("for") && rest.starts_with(char::is_whitespace);
    let (seat, line) = rest.split_once(':').filter(|_| is_word)?;
    Some((seat.trim(), line.trim_start())).filter(|(seat, _)| !seat.is_empty())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_seat_may_have_blanks_and_a_command_colons() {
        let parts = |line| super::parts(line);
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
