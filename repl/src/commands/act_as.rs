//! This module is the command `as`.

use host::diag::{Diagnostic, near_hint};
use host::doc::Audience;
use host::game::{Call, HostCommand, Reply, Session, Wish};
use host::script::SEAT;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "as",
    syntax: &["as {seat: Seat}", "as [gm]", "as {name: Rest}"],
    summary: "acts for a seat, and shows what it may see; as alone goes back",
    help: "The commands that follow are given by that seat. What is said to others is not shown until then. \
           The seats are those of the game; as gm, or as alone, goes back to the game master's.",
    run,
};

/// Characters of a wrong name that are told.
const LONGEST: usize = 64;
/// Seats that a hint lists.
const LISTED: usize = 12;

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let (seat, name) = (call.text("seat"), call.text("name"));
    let taken = match name.trim() {
        "" if seat.is_empty() => Ok("gm".to_owned()),
        "" => sat_on(&seat),
        name if name.eq_ignore_ascii_case("gm") => Ok("gm".to_owned()),
        name => match session.seats().names() {
            Some(_) => sat_on(name).and_then(|name| session.seats().seat(&name)),
            None => Err(unknown(session, name)),
        },
    };
    match taken {
        Ok(name) => Reply::wish(Wish::As(name)),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns the name of a seat, or `gm`. Errors: the ruleset calls something a seat that no person sits on.
fn sat_on(name: &str) -> Result<String, Box<Diagnostic>> {
    let refused = |why: &str| {
        let message = format!("nobody can act as \"{name}\": {why}");
        Err(Box::new(Diagnostic::error("host/seat", message)))
    };
    match Audience::parse(name) {
        Ok(Audience::Gm) => Ok("gm".to_owned()),
        Ok(Audience::Seat(name)) => Ok(name),
        Ok(Audience::Public) => refused("that is everybody"),
        Ok(Audience::Group(_)) => refused("that is a group"),
        Err(finding) => refused(&finding.message),
    }
}

fn unknown(session: &Session, name: &str) -> Box<Diagnostic> {
    let seats = match session.names_of(SEAT) {
        Ok(seats) => seats,
        Err(failed) => return Box::new(failed),
    };
    let shown: String = name.chars().take(LONGEST).collect();
    let finding = Diagnostic::error("host/seat", format!("there is no seat \"{shown}\""))
        .hint(near_hint(name, seats.iter().map(String::as_str)))
        .hint(listed(&seats));
    let rules = session.rules();
    let how = rules.ruleset.get("types").get(SEAT).get("summary");
    Box::new(finding.hint(how.as_str().unwrap_or_default()))
}

fn listed(seats: &[String]) -> String {
    match seats {
        [] => "the game has no seats yet besides gm".to_owned(),
        [only] => format!("there are the seats gm and {only}"),
        many => {
            let more = if many.len() > LISTED { " …" } else { "" };
            let first = &many[..many.len().min(LISTED)];
            format!("there are the seats gm, {}{more}", first.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_person_can_be_acted_for() {
        assert_eq!(sat_on("Ann"), Ok("Ann".to_owned()));
        assert_eq!(sat_on("GM"), Ok("gm".to_owned()));
        assert_eq!(sat_on("Ann Tanner"), Ok("Ann Tanner".to_owned()));
        for text in ["public", "group:red", "", "seat:"] {
            assert_eq!(sat_on(text).unwrap_err().code, "host/seat", "{text}");
        }
        assert!(sat_on(&"a".repeat(65)).is_err());
    }
}
