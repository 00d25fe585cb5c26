//! This module is the seats of a game and their groups, as the ruleset's `seats` says them.

use std::collections::BTreeMap;

use mlua::{Function, Table, Value as LuaValue};

use crate::diag::{Diagnostic, near_hint};
use crate::script::border::convert::from_lua;
use crate::script::border::{GM, GROUP};
use crate::script::host::Host;
use crate::script::host::error::HostError;
use crate::script::rules::Rules;
use crate::value::Value;

/// The seats of a game at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// Groups by seat; nothing if the ruleset does not say who plays.
    known: Option<BTreeMap<String, Vec<String>>>,
    /// How somebody comes to play, in the words of the ruleset; empty if it does not say.
    how: String,
}

/// Characters of a wrong name that are told.
const LONGEST: usize = 64;
/// Seats that a hint lists.
const LISTED: usize = 12;

impl Seats {
    /// Returns the names of the seats; nothing if the ruleset does not say who plays: then any name is a seat.
    pub fn names(&self) -> Option<Vec<&str>> {
        let known = self.known.as_ref()?;
        Some(known.keys().map(String::as_str).collect())
    }

    /// Returns the names of the seats that are known, in order.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.known.unwrap_or_default().into_keys().collect()
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
        let shown: String = name.chars().take(LONGEST).collect();
        let finding =
            Diagnostic::error("ask/unknown-seat", format!("there is no seat \"{shown}\""));
        let finding = finding.hint(near_hint(&shown, known.keys().map(String::as_str)));
        Err(Box::new(finding.hint(listed(known)).hint(&*self.how)))
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

fn listed(seats: &BTreeMap<String, Vec<String>>) -> String {
    let first: Vec<&str> = seats.keys().take(LISTED).map(String::as_str).collect();
    let more = if seats.len() > LISTED { " …" } else { "" };
    match first.as_slice() {
        [] => "the game has no seats yet besides gm".to_owned(),
        [only] => format!("there are the seats gm and {only}"),
        many => format!("there are the seats gm, {}{more}", many.join(", ")),
    }
}

/// Asks the ruleset who plays, in the ruling that runs. Errors: those of its function.
pub(crate) fn seats_of(host: &Host, rules: &Rules) -> mlua::Result<Seats> {
    let (Some(function), Some(act)) = (seats_function(rules), host.live_act()) else {
        return Ok(Seats::default());
    };
    let _scope = host.meter.enter().map_err(HostError::limit)?;
    seats_from(&function, rules, &act)
}

/// Returns the function of the ruleset that says who plays: `seats`, or `run` in it.
pub(crate) fn seats_function(rules: &Rules) -> Option<Function> {
    match rules.ruleset_table.as_ref()?.raw_get("seats").ok()? {
        LuaValue::Function(function) => Some(function),
        LuaValue::Table(table) => table.raw_get("run").ok(),
        _ => None,
    }
}

/// Calls the function and reads what it returns: groups by seat, or a list of seats without groups.
pub(crate) fn seats_from(function: &Function, rules: &Rules, act: &Table) -> mlua::Result<Seats> {
    let value = from_lua(function.call(act)?).map_err(|reason| wrong(&reason.to_string()))?;
    let how = rules.ruleset.get("seats").get("summary").as_str();
    Ok(Seats {
        known: Some(read(&value)?),
        how: how.unwrap_or_default().to_owned(),
    })
}

fn read(value: &Value) -> mlua::Result<BTreeMap<String, Vec<String>>> {
    let entries = match value {
        Value::Map(entries) => entries.iter(),
        Value::List(seats) => {
            let named = |seat: &Value| seat.as_str().map(|seat| (seat.to_owned(), Vec::new()));
            let seats: Option<_> = seats.iter().map(named).collect();
            return seats.ok_or_else(|| wrong("the names of seats are texts"));
        }
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
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
    Ok(known)
}

fn wrong(why: &str) -> mlua::Error {
    let message = format!("`seats` of the ruleset gives no seats: {why}");
    HostError::raise(
        Diagnostic::error("script/seats", message).hint(
            "return a list of seats, or groups by seat such as { ann = { \"pack\" }, bo = {} }",
        ),
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
            how: "ask who leads".to_owned(),
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
            [
                "did you mean \"ann\"?",
                "there are the seats gm, ann, bo, cy",
                "ask who leads"
            ]
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
