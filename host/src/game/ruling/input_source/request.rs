//! Requests of a ruling in words: the input that it used before, and the one that it requests now.

use std::fmt;

use crate::diag::Diagnostic;
use crate::game::timeline::input::{Asked, Input, expected_reply, ruling_number_of_address};
use crate::game::timeline::seat_replies::STALE;
use crate::game::timeline::seed::decode_address_part;
use crate::script::GM;

/// The beginning of a message for people about a ruling that goes another way, before its ruling number.
const OF_RULING: &str = "the command of ruling ";

/// A request of a ruling.
pub(in crate::game) enum Request<'a> {
    /// A die, or with 0 sides a random order.
    Die {
        /// Its address.
        address: &'a str,
        /// Its sides.
        sides: u32,
    },
    /// A question.
    Question(Asked<'a>),
    /// An answer that nobody gave yet.
    FurtherAnswer,
    /// The ruling ended.
    Nothing,
}

impl<'a> Request<'a> {
    /// Returns the request that an input met.
    pub(super) fn of_input(input: &'a Input) -> Request<'a> {
        match input {
            Input::Die(die) => Request::Die {
                address: &die.address,
                sides: die.sides,
            },
            Input::Answer(one) => Request::Question(Asked(&one.address, &one.stakes)),
        }
    }

    fn address(&self) -> Option<&str> {
        match self {
            Request::Die { address, .. } | Request::Question(Asked(address, _)) => Some(address),
            Request::FurtherAnswer | Request::Nothing => None,
        }
    }

    /// Returns the request in words for the game master, without its address.
    fn in_words(&self, is_past: bool) -> String {
        let verb = |past: &'static str, present: &'static str| match is_past {
            true => past,
            false => present,
        };
        match self {
            Request::Die { address, sides: 0 } => {
                let (purpose, _) = purpose_and_who(address);
                format!("it {} a random order for `{purpose}`", verb("used", "uses"))
            }
            Request::Die { address, sides } => {
                let (purpose, who) = purpose_and_who(address);
                let of = match &*who {
                    "-" => String::new(),
                    who => format!(" of {who}"),
                };
                format!(
                    "it {} a d{sides} for `{purpose}`{of}",
                    verb("rolled", "rolls")
                )
            }
            Request::Question(Asked(address, stakes)) => {
                let (key, _) = purpose_and_who(address);
                let to = match stakes.get("to").as_str() {
                    Some(GM) | None => "the game master",
                    Some(to) => to,
                };
                format!("it {} {to} `{key}`", verb("asked", "asks"))
            }
            Request::FurtherAnswer => "it waits for another answer first".to_owned(),
            Request::Nothing => "it asks nothing".to_owned(),
        }
    }

    /// Returns what separates the request from one with the same words.
    fn details(&self) -> String {
        match self {
            Request::Die { address, .. } => format!(" at {address}"),
            Request::Question(Asked(_, stakes)) => format!(" {}", expected_reply(stakes)),
            Request::FurtherAnswer | Request::Nothing => String::new(),
        }
    }
}

/// The request with its address, for `verify`.
impl fmt::Display for Request<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Die { address, sides: 0 } => write!(out, "a random order at {address}"),
            Request::Die { address, sides } => write!(out, "a d{sides} at {address}"),
            Request::Question(asked) => fmt::Display::fmt(asked, out),
            Request::FurtherAnswer => out.write_str("another answer first"),
            Request::Nothing => out.write_str("nothing more"),
        }
    }
}

/// Returns the purpose and the roller in an address, or the key and the person of a question.
fn purpose_and_who(address: &str) -> (String, String) {
    let mut parts = address.split('/').skip(1).map(decode_address_part);
    let purpose = parts.next().unwrap_or_default();
    (purpose, parts.next().unwrap_or_default())
}

/// Returns a refusal because a ruling goes another way than recorded, for the game master.
pub(in crate::game) fn stale_ruling_refusal(
    recorded: &Request<'_>,
    now: &Request<'_>,
) -> Box<Diagnostic> {
    let number = recorded.address().and_then(ruling_number_of_address);
    let command = match number {
        Some((_, number)) => format!("{OF_RULING}{number}"),
        None => "the command".to_owned(),
    };
    let is_die = matches!(recorded, Request::Die { .. });
    let what = match is_die {
        true => "rolls what was rolled",
        false => "asks what was answered",
    };
    let (mut before, mut after) = (recorded.in_words(true), now.in_words(false));
    if recorded.in_words(false) == after {
        before.push_str(&recorded.details());
        after.push_str(&now.details());
    }
    if is_die && matches!(now, Request::Nothing) {
        "it rolls nothing".clone_into(&mut after);
    }
    let message = format!("{command} no longer {what}: before, {before}; now {after}");
    Box::new(Diagnostic::error(STALE, message))
}

/// Returns the refusal with addresses, for the replay of a recorded ruling.
pub(super) fn diverged_replay_refusal(
    recorded: &Request<'_>,
    now: &Request<'_>,
) -> Box<Diagnostic> {
    let message =
        format!("replay diverged: the recorded ruling used {recorded}, this run requested {now}");
    Box::new(Diagnostic::error(STALE, message))
}

/// Returns the ruling number in a message of [`stale_ruling_refusal`].
pub(in crate::game) fn ruling_number_in_message(message: &str) -> Option<u64> {
    let (number, _) = message.strip_prefix(OF_RULING)?.split_once(' ')?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn the_game_master_reads_what_was_asked_and_what_is_asked_now() {
        let stakes = |default: bool| {
            Value::map([
                ("to", Value::from("Ann")),
                ("type", Value::from("YesNo")),
                ("default", Value::Bool(default)),
            ])
        };
        let (no, yes) = (stakes(false), stakes(true));
        let die = |sides: u32| Request::Die {
            address: "6/to%20hit/ann/1",
            sides,
        };
        let asked = |stakes| Request::Question(Asked("6/parry/ann/1", stakes));
        let cases = [
            (
                asked(&no),
                Request::Nothing,
                "asks what was answered: before, it asked Ann `parry`; now it asks nothing",
            ),
            (
                asked(&no),
                asked(&yes),
                "asks what was answered: before, it asked Ann `parry` for a YesNo, else no; now it asks Ann `parry` for a YesNo, else yes",
            ),
            (
                die(20),
                die(12),
                "rolls what was rolled: before, it rolled a d20 for `to hit` of ann; now it rolls a d12 for `to hit` of ann",
            ),
            (
                die(20),
                Request::Nothing,
                "rolls what was rolled: before, it rolled a d20 for `to hit` of ann; now it rolls nothing",
            ),
        ];
        for (recorded, now, expected) in cases {
            let message = stale_ruling_refusal(&recorded, &now).message;
            assert_eq!(
                message,
                format!("the command of ruling 6 no longer {expected}")
            );
            assert_eq!(ruling_number_in_message(&message), Some(6));
        }
    }
}
