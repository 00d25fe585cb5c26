//! Stores the salts of players. A salt is a text from which the dice are computed too, so that no single person can
//! choose the seed.
//!
//! Each salt is a field of a row of the state, so undo removes it. A salt counts from the next phase on; in a game
//! without phases, from the next ruling on. A waiting ruling keeps the salts with which it began.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::content::{NameFault, check_name};
use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::doc::build::paragraph;
use crate::game::attempt::ruling_run::make_host_ruling;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::script::GM;
use crate::store::clock::Clock;
use crate::store::{State, StoreError, Write};
use crate::value::Value;
use crate::words::{Hole, Words};

/// The row of the host that stores the salts, and its kind; the fields are numbers from 1.
pub(in crate::game) const ROW: &str = "@salts";

/// The maximum number of characters in a salt.
pub(crate) const CHARACTERS: usize = 200;

/// The maximum number of salts in a game.
pub(crate) const MOST: usize = 200;

/// A salt of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salt {
    /// Its text.
    pub text: String,
    /// Its giver.
    pub by: String,
    /// The number of the phase in which it was given, counted over all phases; nothing in a game without phases.
    pub phase: Option<u64>,
}

impl Salt {
    /// Returns the giver of the salt, the time from which the dice depend on it, and its exact text.
    pub(in crate::game) fn list_text(&self, words: &Words) -> String {
        let Salt { text, by, phase } = self;
        let key = match phase {
            Some(_) => "salt.listed_in_phase",
            None => "salt.listed",
        };
        let phase = phase.unwrap_or_default().saturating_add(1);
        words.fill(key, &[("name", by), ("phase", &phase), ("text", text)])
    }

    pub(in crate::game) fn to_value(&self) -> Value {
        let phase = self.phase.and_then(|phase| i64::try_from(phase).ok());
        Value::map([
            ("text", Value::from(self.text.as_str())),
            ("by", self.by.as_str().into()),
            ("phase", phase.map_or(Value::Nil, Value::from)),
        ])
    }

    /// Returns the salt from plain data.
    pub(in crate::game) fn from_value(value: &Value) -> Option<Salt> {
        let phase = value.get("phase").as_i64();
        Some(Salt {
            text: value.get("text").as_str()?.to_owned(),
            by: value.get("by").as_str()?.to_owned(),
            phase: phase.and_then(|phase| u64::try_from(phase).ok()),
        })
    }
}

/// Returns the salts of a game, in the order in which they were given.
pub fn salts(state: &State) -> Vec<Salt> {
    salts_by_number(state).into_values().collect()
}

/// Returns the salts by number; a salt that a correction left out is missing.
fn salts_by_number(state: &State) -> BTreeMap<usize, Salt> {
    let names = state.names();
    let Some(row) = names.find(ROW) else {
        return BTreeMap::new();
    };
    let fields = state.field_names_of_row(row).into_iter();
    let salts = fields.filter_map(|field| {
        let number = names.text(field).parse().ok()?;
        Some((number, Salt::from_value(state.get(row, field))?))
    });
    salts.collect()
}

/// Returns how many salts count in a phase: those given before it.
pub(in crate::game) fn count_salts_before_phase(salts: &[Salt], phase: u64) -> usize {
    let counts = |salt: &&Salt| salt.phase.is_none_or(|given| given < phase);
    salts.iter().take_while(counts).count()
}

/// Adds the salt of a seat to the dice.
///
/// Errors: `salt/gm` for the game master, who may know the seed; `salt/text`, `salt/too-many`.
pub fn add_salt(timeline: &mut Timeline, ruling: &Ruling<'_>, text: &str) -> Reply {
    let by = ruling.by();
    let salts = salts_by_number(&timeline.state);
    let number = salts.last_key_value().map_or(1, |(last, _)| last + 1);
    if let Some(refusal) = salt_refusal(by, text, salts.len()) {
        return Reply::refused(refusal);
    }
    let clock = Clock::from_state(&timeline.state, &timeline.rules().phases);
    let salt = Salt {
        text: text.to_owned(),
        by: by.to_owned(),
        phase: clock.phase.as_ref().map(|_| clock.serial),
    };
    let key = match salt.phase {
        Some(_) => "salt.given_in_phase",
        None => "salt.given",
    };
    let holes: [Hole<'_>; 3] = [("number", &number), ("name", &by), ("text", &text)];
    let told = timeline.words().fill(key, &holes);
    make_host_ruling(timeline, ruling, |state| {
        store_salt(state, number, &salt).map_err(|error| error.to_diagnostic())?;
        Ok(vec![Document::new([paragraph(told)])])
    })
}

/// Returns the source of the running ruling's dice: the seed with the salts that count.
pub(in crate::game) fn salted_seed_of_ruling(timeline: &Timeline, ruling: &Ruling<'_>) -> Seed {
    let salts = salts(&timeline.state);
    let many = salt_count_of_ruling(timeline, ruling);
    let texts = salts.iter().take(many).map(|salt| salt.text.as_str());
    timeline.dice.seed.salted(texts)
}

/// Returns how many salts count for the dice of the running ruling.
pub(in crate::game) fn salt_count_of_ruling(timeline: &Timeline, ruling: &Ruling<'_>) -> usize {
    match ruling.waiting_ruling() {
        Some(waiting) => waiting.salts,
        None => match salts(&timeline.state).as_slice() {
            [] => 0,
            salts => count_salts_before_phase(
                salts,
                Clock::from_state(&timeline.state, &timeline.rules().phases).serial,
            ),
        },
    }
}

fn salt_refusal(by: &str, text: &str, salts: usize) -> Option<Diagnostic> {
    let length = text.chars().count();
    if by == GM {
        let message = "only players can give a salt, because the game master may know the seed";
        let finding = Diagnostic::error("salt/gm", message);
        return Some(finding.hint(
            "to enter a salt for a player, type `for NAME: salt TEXT`; the log shows who typed it",
        ));
    }
    if let Err(fault) = check_name(text, CHARACTERS) {
        let message = match fault {
            NameFault::Character(bad) => {
                format!(
                    "a salt cannot contain the character U+{:04X}",
                    u32::from(bad)
                )
            }
            NameFault::NotComposed => {
                "a salt must be in Unicode form NFC: each accent in one character with its \
                                       letter"
                    .to_owned()
            }
            NameFault::Empty | NameFault::TooLong(_) | NameFault::OuterBlank => {
                format!(
                    "a salt must be one line of 1 to {CHARACTERS} characters without spaces at its ends; this \
                         one has {length}"
                )
            }
        };
        return Some(Diagnostic::error("salt/text", message).hint("you can use any words"));
    }
    (salts >= MOST).then(|| {
        let message = format!("this game already has {MOST} salts, the maximum");
        Diagnostic::error("salt/too-many", message)
    })
}

fn store_salt(state: &mut State, number: usize, salt: &Salt) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let (row, field) = (names.intern(ROW), names.intern(&number.to_string()));
    state.ensure_host_row(row)?;
    let value = salt.to_value();
    state.apply(Write::Set { row, field, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn salt(text: &str, phase: Option<u64>) -> Salt {
        let (text, by) = (text.to_owned(), "Ann".to_owned());
        Salt { text, by, phase }
    }

    #[test]
    fn salts_are_kept_in_order_and_count_from_the_next_phase_on() {
        let mut state = State::new(Rc::default());
        let given = [salt("a", Some(1)), salt("b c", Some(2)), salt("d", None)];
        for (at, salt) in given.iter().enumerate() {
            store_salt(&mut state, at + 1, salt).unwrap();
        }
        assert_eq!(salts(&state), given);
        assert_eq!(
            [1, 2, 3].map(|phase| count_salts_before_phase(&given, phase)),
            [0, 1, 3]
        );
        assert_eq!(count_salts_before_phase(&given[2..], 0), 1);
    }

    #[test]
    fn it_is_listed_with_from_when_on_it_counts_and_to_the_letter() {
        let listed = |phase| salt("a  b", phase).list_text(&Words::english());
        assert_eq!(listed(Some(4)), "Ann, from phase 5 of the game on: a  b");
        assert_eq!(listed(None), "Ann, from the ruling after it on: a  b");
    }

    #[test]
    fn a_salt_is_one_line_of_a_player() {
        let long = "x".repeat(CHARACTERS + 1);
        for (by, text, code) in [
            (GM, "x", "salt/gm"),
            ("Ann", "", "salt/text"),
            ("Ann", "a\nb", "salt/text"),
            ("Ann", &long, "salt/text"),
            ("Ann", "a\u{202e}b", "salt/text"),
            ("Ann", "a\u{200b}b", "salt/text"),
            ("Ann", "e\u{301}", "salt/text"),
        ] {
            let refusal = salt_refusal(by, text, 0).unwrap();
            assert_eq!(refusal.code, code, "{text}");
        }
        assert_eq!(salt_refusal("Ann", &long[1..], MOST - 1), None);
        assert_eq!(
            salt_refusal("Ann", "x", MOST).unwrap().code,
            "salt/too-many"
        );
        let hidden = salt_refusal("Ann", "a\u{200b}b", 0).unwrap();
        assert_eq!(hidden.message, "a salt cannot contain the character U+200B");
    }
}
