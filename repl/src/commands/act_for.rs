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
    match game::for_seat(call.ruling.line) {
        Some((seat, line)) => game::on_behalf(timeline, call.ruling, seat, line),
        None => {
            let finding = Diagnostic::error("host/behalf", "the line does not say for whom");
            Reply::refused(finding.hint("write for SEAT: COMMAND, such as for Ann: answer yes"))
        }
    }
}
