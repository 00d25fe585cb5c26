//! This module is the seats of a game and their groups, as the ruleset's function `seats` says them.

use std::collections::BTreeMap;

use mlua::{Function, Table};

use super::convert::from_lua;
use super::error::HostError;
use super::host::Host;
use super::rules::Rules;
use crate::diag::{Diagnostic, near_hint};
use crate::value::Value;

/// The game master, who may answer everything.
pub const GM: &str = "gm";
const GROUP: &str = "group:";

/// The seats of a game at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// Groups by seat; nothing if the ruleset does not say who plays.
    known: Option<BTreeMap<String, Vec<String>>>,
}

impl Seats {
    /// Returns the names of the seats; nothing if the ruleset does not say who plays: then any name is a seat.
    pub fn names(&self) -> Option<Vec<&str>> {
        let known = self.known.as_ref()?;
        Some(known.keys().map(String::as_str).collect())
    }

    /// Returns the groups of a seat.
    pub fn groups(&self, seat: &str) -> &[String] {
        let known = self.known.as_ref().and_then(|known| known.get(seat));
        known.map_or(&[], Vec::as_slice)
    }

    /// Returns a seat as the ruleset writes it; case means nothing unless two differ in nothing else.
    ///
    /// Errors: `ask/unknown-seat`.
    pub fn seat(&self, name: &str) -> Result<String, Box<Diagnostic>> {
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
        let hint = near_hint(name, known.keys().map(String::as_str));
        let message = format!("there is no seat \"{name}\"");
        let finding = Diagnostic::error("ask/unknown-seat", message).hint(hint);
        Err(Box::new(finding.hint(listed(known.keys()))))
    }

    /// Returns whom a question is for as it is recorded: a seat, `gm`, or `group:NAME`.
    ///
    /// Errors: `ask/unknown-seat`, `ask/unknown-group`.
    pub fn addressee(&self, to: &str) -> Result<String, Box<Diagnostic>> {
        if to.eq_ignore_ascii_case(GM) {
            return Ok(GM.to_owned());
        }
        let Some(group) = to.strip_prefix(GROUP) else {
            return self.seat(to.strip_prefix("seat:").unwrap_or(to));
        };
        let groups: std::collections::BTreeSet<&str> = self
            .known
            .iter()
            .flat_map(BTreeMap::values)
            .flatten()
            .map(String::as_str)
            .collect();
        if groups.contains(group) {
            return Ok(to.to_owned());
        }
        let message = format!("there is no group \"{group}\" with a seat in it");
        let finding = Diagnostic::error("ask/unknown-group", message);
        Err(Box::new(
            finding.hint(near_hint(group, groups.iter().copied())),
        ))
    }

    /// Returns the seats that may answer a question for somebody.
    pub fn members(&self, to: &str) -> Vec<String> {
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

fn listed<'a>(seats: impl Iterator<Item = &'a String>) -> String {
    let seats: Vec<&str> = seats.map(String::as_str).collect();
    match seats.as_slice() {
        [] => "nobody plays".to_owned(),
        seats => format!("there are {}", seats.join(", ")),
    }
}

/// Asks the ruleset who plays, in the ruling that runs. Errors: those of its function.
pub(super) fn seats_of(host: &Host, rules: &Rules) -> mlua::Result<Seats> {
    let (Some(function), Some(act)) = (seats_function(rules), host.live_act()) else {
        return Ok(Seats::default());
    };
    let _scope = host.meter.enter().map_err(HostError::limit)?;
    seats_from(&function, &act)
}

/// Returns the function of the ruleset that says who plays.
pub(super) fn seats_function(rules: &Rules) -> Option<Function> {
    rules.ruleset_table.as_ref()?.raw_get("seats").ok()
}

/// Calls the function and reads what it returns: groups by seat.
pub(super) fn seats_from(function: &Function, act: &Table) -> mlua::Result<Seats> {
    let value = from_lua(function.call(act)?).map_err(|reason| wrong(&reason.to_string()))?;
    let entries = match &value {
        Value::Map(entries) => entries.iter().collect(),
        Value::List(items) if items.is_empty() => Vec::new(),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            return Err(wrong(&format!("it returns a {}", value.kind())));
        }
    };
    let mut known = BTreeMap::new();
    for (seat, groups) in entries {
        let groups = groups
            .items()
            .iter()
            .map(|one| one.as_str().map(str::to_owned));
        let groups: Option<Vec<String>> = groups.collect();
        let groups = groups.ok_or_else(|| wrong(&format!("the groups of {seat} are no texts")))?;
        known.insert(seat.to_string(), groups);
    }
    Ok(Seats { known: Some(known) })
}

fn wrong(why: &str) -> mlua::Error {
    let message = format!("`seats` of the ruleset gives no seats: {why}");
    HostError::raise(
        Diagnostic::error("script/seats", message)
            .hint("return groups by seat, such as { ann = { \"pack\" }, bo = {} }"),
    )
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
        }
    }

    #[test]
    fn seats_and_groups_are_found_or_near_ones_are_named() {
        let seats = seats();
        assert_eq!(seats.addressee("Ann").unwrap(), "ann");
        assert_eq!(seats.addressee("GM").unwrap(), "gm");
        assert_eq!(seats.members("group:red"), ["ann", "bo"]);
        let refusal = seats.addressee("anm").unwrap_err();
        assert_eq!(refusal.code, "ask/unknown-seat");
        assert_eq!(
            refusal.hints,
            ["did you mean \"ann\"?", "there are ann, bo, cy"]
        );
        assert_eq!(
            seats.addressee("group:blu").unwrap_err().hints,
            ["did you mean \"blue\"?"]
        );
    }

    #[test]
    fn without_the_function_any_name_is_a_seat_and_no_group_has_one() {
        let open = Seats::default();
        assert_eq!(open.addressee("zork").unwrap(), "zork");
        assert_eq!(
            open.addressee("group:x").unwrap_err().code,
            "ask/unknown-group"
        );
    }
}
