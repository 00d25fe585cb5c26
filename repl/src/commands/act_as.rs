//! The command `as`.

use host::diag::Diagnostic;
use host::doc::Audience;
use host::game;
use host::game::{Call, CommandKind, HostCommand, ProgramRequest, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "as",
    syntax: &["as {player: Seat}", "as [gm]", "as {name: Rest}"],
    formerly: &[],
    summary: "acts for a player and shows only what that player can see; as alone returns to the game master",
    help: "The commands that follow count as commands of that player, and messages to others are hidden. `as gm` \
           returns to the game master, and so does `as` alone. `for PLAYER: COMMAND` gives only one command for a \
           player; then the log shows that the game master entered it.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let said = match (call.text("player"), call.text("name")) {
        (seat, name) if seat.is_empty() => name,
        (seat, _) => seat,
    };
    let taken = match said.trim() {
        "" => Ok("gm".to_owned()),
        name => game::seats_in_play_or_error(timeline)
            .and_then(|seats| seats.seat_by_name(name))
            .and_then(|name| actor_name(&name)),
    };
    match taken {
        Ok(name) => Reply::program_request(ProgramRequest::As(name)),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns the name of a seat, or `gm`. Errors: the name means everybody or a group, or is not valid.
fn actor_name(name: &str) -> Result<String, Box<Diagnostic>> {
    let refused = |why: &str| {
        let message = format!("cannot act as \"{name}\": {why}");
        Err(Box::new(Diagnostic::error("host/seat", message)))
    };
    match Audience::parse(name) {
        Ok(Audience::Gm) => Ok("gm".to_owned()),
        Ok(Audience::Seat(name)) => Ok(name),
        Ok(Audience::Public) => refused("this means everybody"),
        Ok(Audience::Group(_)) => refused("this is a group"),
        Err(finding) => refused(&finding.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_person_can_be_acted_for() {
        assert_eq!(actor_name("Ann"), Ok("Ann".to_owned()));
        assert_eq!(actor_name("GM"), Ok("gm".to_owned()));
        assert_eq!(actor_name("Ann Tanner"), Ok("Ann Tanner".to_owned()));
        for text in ["public", "group:red", "", "seat:"] {
            assert_eq!(actor_name(text).unwrap_err().code, "host/seat", "{text}");
        }
        assert!(actor_name(&"a".repeat(65)).is_err());
    }
}
