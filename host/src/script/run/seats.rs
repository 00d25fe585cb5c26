//! The seats of a game and their groups at one moment, and the search for a seat by name.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::diag::{Diagnostic, near_hint};
use crate::script::border::{GM, GROUP};

/// The groups of a seat.
pub(crate) type Groups = Rc<[String]>;

/// The seats of a game at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// Groups by seat; nothing if the ruleset does not list the seats.
    known: Option<BTreeMap<String, Groups>>,
    /// The way to join the game, in the words of the ruleset; empty if it has none.
    how: String,
}

/// Characters of a wrong name that are shown.
const LONGEST: usize = 64;
/// Seats that a hint lists.
const LISTED: usize = 12;

impl Seats {
    /// Returns the seats that a ruleset lists, with their groups, and the way to join the game.
    pub(crate) fn new(known: BTreeMap<String, Groups>, how: &str) -> Seats {
        Seats {
            known: Some(known),
            how: how.to_owned(),
        }
    }

    /// Returns the names of the seats. Returns nothing if the ruleset does not list them: then any name is a seat.
    pub fn names(&self) -> Option<Vec<&str>> {
        let known = self.known.as_ref()?;
        Some(known.keys().map(String::as_str).collect())
    }

    /// Returns the names of the seats that are known, in order.
    pub(crate) fn known_names(&self) -> Vec<String> {
        self.known
            .iter()
            .flat_map(BTreeMap::keys)
            .cloned()
            .collect()
    }

    /// Returns the groups of a seat.
    pub fn groups_of_seat(&self, seat: &str) -> &[String] {
        let known = self.known.as_ref().and_then(|known| known.get(seat));
        known.map_or(&[], |groups| groups)
    }

    /// Returns whether a seat is in a group.
    pub(crate) fn has_group(&self, group: &str) -> bool {
        self.all_groups().any(|one| one == group)
    }

    /// Returns the groups that seats are in, each as often as a seat is in it.
    pub(crate) fn all_groups(&self) -> impl Iterator<Item = &str> {
        let known = self.known.iter().flat_map(BTreeMap::values);
        known.flat_map(|groups| groups.iter().map(String::as_str))
    }

    /// Returns the existing seats, in a sentence. An empty one if any name is a seat.
    pub(crate) fn known_seats_in_words(&self) -> String {
        self.known
            .as_ref()
            .map_or_else(String::new, known_names_in_words)
    }

    /// Returns a seat as the ruleset writes it. Case is ignored unless two seats differ in nothing else.
    ///
    /// Errors: `ask/unknown-seat`.
    pub fn seat_by_name(&self, name: &str) -> Result<String, Box<Diagnostic>> {
        let Some(known) = &self.known else {
            return Ok(name.to_owned());
        };
        if known.contains_key(name) || name == GM {
            return Ok(name.to_owned());
        }
        let mut alike = known
            .keys()
            .filter(|seat| seat.to_lowercase() == name.to_lowercase());
        if let (Some(seat), None) = (alike.next(), alike.next()) {
            return Ok(seat.clone());
        }
        let shown: String = name.chars().take(LONGEST).collect();
        let finding = Diagnostic::error("ask/unknown-seat", format!("unknown player \"{shown}\""));
        let finding = finding.hint(near_hint(&shown, known.keys().map(String::as_str)));
        Err(Box::new(
            finding.hint(known_names_in_words(known)).hint(&*self.how),
        ))
    }

    /// Returns the addressee of a question as it is recorded: a seat, `gm`, or `group:NAME`.
    ///
    /// Errors: `ask/unknown-seat`, `ask/unknown-group`.
    pub fn recorded_addressee(&self, to: &str) -> Result<String, Box<Diagnostic>> {
        if to.eq_ignore_ascii_case(GM) {
            return Ok(GM.to_owned());
        }
        let Some(group) = to.strip_prefix(GROUP) else {
            return self.seat_by_name(to.strip_prefix("seat:").unwrap_or(to));
        };
        let groups: BTreeSet<&str> = self.all_groups().collect();
        if groups.contains(group) {
            return Ok(to.to_owned());
        }
        let shown: String = group.chars().take(LONGEST).collect();
        let message = format!("unknown group \"{shown}\", or no player is in it");
        let finding = Diagnostic::error("ask/unknown-group", message);
        let near = near_hint(&shown, groups.iter().copied());
        Err(Box::new(
            finding.hint(near).hint(known_groups_in_words(&groups)),
        ))
    }

    /// Returns the seats that may answer a question for an addressee.
    pub fn answering_seats(&self, to: &str) -> Vec<String> {
        let Some(group) = to.strip_prefix(GROUP) else {
            return vec![to.to_owned()];
        };
        let known = self.known.iter().flatten();
        known
            .filter(|(_, groups)| groups.iter().any(|one| one == group))
            .map(|(seat, _)| seat.clone())
            .collect()
    }
}

fn known_names_in_words(seats: &BTreeMap<String, Groups>) -> String {
    let first: Vec<&str> = seats.keys().take(LISTED).map(String::as_str).collect();
    let more = if seats.len() > LISTED { " …" } else { "" };
    match first.as_slice() {
        [] => "the game has no players yet besides gm".to_owned(),
        [only] => format!("the known names are gm and {only}"),
        many => format!("the known names are gm, {}{more}", many.join(", ")),
    }
}

fn known_groups_in_words(groups: &BTreeSet<&str>) -> String {
    let first: Vec<&str> = groups.iter().take(LISTED).copied().collect();
    let more = if groups.len() > LISTED { " …" } else { "" };
    match first.as_slice() {
        [] => "the game has no groups with players".to_owned(),
        [only] => format!("the only group with players is {only}"),
        many => format!("the groups with players are {}{more}", many.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats() -> Seats {
        let known = [
            ("ann", vec!["red"]),
            ("bo", vec!["red", "blue"]),
            ("cy", vec![]),
        ];
        let known = known.map(|(seat, groups)| {
            (
                seat.to_owned(),
                groups.into_iter().map(str::to_owned).collect(),
            )
        });
        Seats {
            known: Some(known.into_iter().collect()),
            how: "ask who leads".to_owned(),
        }
    }

    #[test]
    fn seats_and_groups_are_found_or_near_ones_are_named() {
        let seats = seats();
        assert_eq!(seats.recorded_addressee("Ann").unwrap(), "ann");
        assert_eq!(seats.recorded_addressee("GM").unwrap(), "gm");
        assert_eq!(seats.answering_seats("group:red"), ["ann", "bo"]);
        let refusal = seats.recorded_addressee("anm").unwrap_err();
        assert_eq!(refusal.code, "ask/unknown-seat");
        assert_eq!(
            refusal.hints,
            [
                "did you mean \"ann\"?",
                "the known names are gm, ann, bo, cy",
                "ask who leads"
            ]
        );
        assert_eq!(
            seats.recorded_addressee("group:blu").unwrap_err().hints,
            [
                "did you mean \"blue\"?",
                "the groups with players are blue, red"
            ]
        );
    }

    #[test]
    fn without_the_function_any_name_is_a_seat_and_no_group_has_one() {
        let open = Seats::default();
        assert_eq!(open.recorded_addressee("zork").unwrap(), "zork");
        assert_eq!(
            open.recorded_addressee("group:x").unwrap_err().code,
            "ask/unknown-group"
        );
    }
}
