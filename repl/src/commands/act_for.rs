//! The command `for`.

use host::diag::Diagnostic;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "for",
    syntax: &["for {player: Seat}: {command: Rest}", "for {line: Rest}"],
    formerly: &[],
    summary: "gives a command for a player, such as for Ann: COMMAND",
    help: "The command counts as the player's own; `log` and `why` show who entered it. Only the game master can \
           give commands for others. The answer is shown as the game master sees it. To see the game as a player \
           does, use `as PLAYER`; then commands count as typed by that player. Commands for the session, such as \
           `quit`, cannot be given for others.",
    kind: CommandKind::OnBehalf(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match game::parse_for_seat_line(call.ruling.line) {
        Some((seat, line)) => game::give_line_for_seat(timeline, call.ruling, seat, line),
        None => {
            let finding = Diagnostic::error("host/behalf", "the name of the player is missing");
            Reply::refused(
                finding.hint("type `for PLAYER: COMMAND`, for example `for Ann: answer yes`"),
            )
        }
    }
}
