//! This module is the command `as`.

use host::diag::Diagnostic;
use host::doc::Audience;
use host::game::{Call, HostCommand, Reply, Session, Wish};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "as",
    syntax: &["as {seat: Rest}"],
    summary: "acts for a seat, and shows what it may see; as gm goes back",
    help: "The commands that follow are given by that seat. What is said to others is not shown until then.",
    run,
};

/// Characters of a seat's name.
const LONGEST: usize = 64;

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let named = seat(call.text("seat").trim());
    let known = named.and_then(|name| session.seats().seat(&name));
    match known {
        Ok(name) => Reply::wish(Wish::As(name)),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns the name of a seat, or `gm`. Errors: the text names nobody who could act.
fn seat(text: &str) -> Result<String, Box<Diagnostic>> {
    let refused = |why: &str| {
        let message = format!("nobody can act as \"{text}\": {why}");
        let finding = Diagnostic::error("host/seat", message);
        Err(Box::new(
            finding.hint("write as NAME with the name of a seat, or as gm"),
        ))
    };
    match Audience::parse(text) {
        Ok(Audience::Gm) => Ok("gm".to_owned()),
        Ok(Audience::Seat(name)) if name.chars().count() <= LONGEST => Ok(name),
        Ok(Audience::Seat(_)) => refused("a name has at most 64 characters"),
        Ok(Audience::Public) => refused("that is everybody"),
        Ok(Audience::Group(_)) => refused("that is a group"),
        Err(_) => refused("it is empty"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_person_can_be_acted_for() {
        assert_eq!(seat("Ann"), Ok("Ann".to_owned()));
        assert_eq!(seat("GM"), Ok("gm".to_owned()));
        assert_eq!(seat("Ann Tanner"), Ok("Ann Tanner".to_owned()));
        for text in ["public", "group:red", "", "seat:"] {
            assert_eq!(seat(text).unwrap_err().code, "host/seat", "{text}");
        }
        assert!(seat(&"a".repeat(65)).is_err());
    }
}
