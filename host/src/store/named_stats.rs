//! The stats and rows that the effects and end conditions of a record name.
//!
//! In: a record, and one modifier, guard or end condition as the record stores it. Out: the names in it. A reader who
//! may not see one of them may not read this part of the record.

use super::State;
use super::end_conditions::{EndCondition, read_stored};
use super::expression::{Expression, Meaning, NamedRow, Role};
use super::modifier::read_modifiers;
use crate::value::{Name, Text, Value};

/// The row whose stat is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// This row.
    Row(Name),
    /// A row that is known only when the stat is read.
    AnyRow,
}

/// The names in a part of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedStats {
    /// The stats, each with the row whose stat it is.
    pub stats: Vec<(Bearer, Name)>,
    /// The rows.
    pub rows: Vec<Name>,
}

/// Returns the names in one modifier of a record; nothing if the modifier cannot be read.
pub fn names_in_modifier(state: &State, record: Name, modifier: &Value) -> Option<NamedStats> {
    let one = Value::list([modifier.clone()]);
    let made = read_modifiers(&one, &Value::Nil, state.stats(), state.names()).ok()?;
    let owner = bearer_of(state.owner(record));
    let of_rows = [(&made.own, owner), (&made.auras, Bearer::AnyRow)];
    let mut found = NamedStats::default();
    for (by_stat, itself) in of_rows {
        for (stat, modifiers) in by_stat {
            found.stats.push((itself, *stat));
            for expression in modifiers.iter().flat_map(|one| one.expressions()) {
                found.add_expression(state, (record, itself), expression)?;
            }
        }
    }
    Some(found)
}

/// Returns the names in the guard of a record; nothing if the guard cannot be read.
///
/// `self` is every row that an aura of the record may reach, also if it has none: that may be hidden from a viewer.
pub fn names_in_guard(state: &State, record: Name, guard: &Value) -> Option<NamedStats> {
    let mut found = NamedStats::default();
    if let Value::Text(text) = guard {
        found.add_text(state, (record, Bearer::AnyRow), text)?;
    }
    Some(found)
}

/// Returns the names in one end condition of a record; nothing if the condition cannot be read, or is a text of the
/// ruleset.
pub fn names_in_end(state: &State, record: Name, end: &Value) -> Option<NamedStats> {
    let mut found = NamedStats::default();
    let ends = read_stored(&Value::list([end.clone()]), state.names()).ok()?;
    for end in ends.iter() {
        let text = match end {
            EndCondition::Turn { of: row, .. } | EndCondition::With { row } => {
                found.rows.push(*row);
                continue;
            }
            EndCondition::Event {
                filters,
                test,
                bound,
                ..
            } => {
                for (_, wanted) in filters {
                    found.add_rows(state, wanted);
                }
                match test {
                    Some(text) if !text.is_empty() => (text, bound),
                    _ => continue,
                }
            }
            EndCondition::When { expression, bound } => (expression, bound),
            EndCondition::Phase { .. }
            | EndCondition::PhaseOf { .. }
            | EndCondition::Rounds { .. }
            | EndCondition::Time { .. }
            | EndCondition::Uses { .. } => continue,
        };
        match text {
            (_, Some(_)) => return None,
            (text, None) => {
                let itself = Bearer::Row(state.bearer(record));
                found.add_text(state, (record, itself), text)?;
            }
        }
    }
    Some(found)
}

fn bearer_of(row: Option<Name>) -> Bearer {
    row.map_or(Bearer::AnyRow, Bearer::Row)
}

impl NamedStats {
    /// Adds the rows whose ids a value has, in lists and maps too.
    fn add_rows(&mut self, state: &State, value: &Value) {
        let row_of = |id: &str| state.names().find(id).filter(|row| state.exists(*row));
        match value {
            Value::Text(id) => self.rows.extend(row_of(id)),
            Value::List(items) => items.iter().for_each(|item| self.add_rows(state, item)),
            Value::Map(entries) => {
                for (key, item) in entries.iter() {
                    self.rows.extend(row_of(key));
                    self.add_rows(state, item);
                }
            }
            Value::Nil | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn add_text(
        &mut self,
        state: &State,
        (record, itself): (Name, Bearer),
        text: &Text,
    ) -> Option<()> {
        let vocabulary = state.stats().vocabulary();
        let expression = Expression::new(text, Role::Record, vocabulary, state.names());
        self.add_expression(state, (record, itself), &expression)
    }

    /// Adds the stats that an expression reads; nothing if the expression cannot be read.
    fn add_expression(
        &mut self,
        state: &State,
        (record, itself): (Name, Bearer),
        expression: &Expression,
    ) -> Option<()> {
        let source = || {
            let id = state.get(record, state.reserved().source).as_str()?;
            state.names().find(id).filter(|row| state.exists(*row))
        };
        for meaning in &expression.compiled()?.meanings {
            let (bearer, stat) = match meaning {
                Meaning::Row(_) | Meaning::Outside | Meaning::Stat(NamedRow::Clock(_), _) => {
                    continue;
                }
                Meaning::OutsideStat(_, stat) => (Bearer::AnyRow, *stat),
                Meaning::Stat(NamedRow::Itself, stat) => (itself, *stat),
                Meaning::Stat(NamedRow::Owner, stat) => (bearer_of(state.owner(record)), *stat),
                Meaning::Stat(NamedRow::Source, stat) => (bearer_of(source()), *stat),
                Meaning::Stat(NamedRow::Record, stat) => (Bearer::Row(record), *stat),
            };
            // The kind of a row is not a stat.
            if stat != state.reserved().kind {
                self.stats.push((bearer, stat));
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::store::Write;
    use crate::value::Names;

    /// Returns a state with Bo, and a curse that Ann laid on Bo.
    fn cursed_state() -> (State, Name) {
        let names = Rc::new(Names::default());
        let mut state = State::new(Rc::clone(&names));
        let name = |text: &str| names.intern(text);
        for person in ["ann", "bo"] {
            let put = Write::Put {
                row: name(person),
                kind: name("person"),
                owner: None,
                fields: Vec::new(),
            };
            state.apply(put).unwrap();
        }
        let curse = state.take_record_id(name("curse")).unwrap();
        let put = Write::Put {
            row: curse,
            kind: name("curse"),
            owner: Some(name("bo")),
            fields: vec![(state.reserved().source, "ann".into())],
        };
        state.apply(put).unwrap();
        (state, curse)
    }

    fn names_as_text(state: &State, found: Option<NamedStats>) -> String {
        let Some(found) = found else {
            return "unreadable".to_owned();
        };
        let text = |name: Name| state.names().text(name).to_string();
        let stats = found.stats.iter().map(|(bearer, stat)| match bearer {
            Bearer::Row(row) => format!("{}.{}", text(*row), text(*stat)),
            Bearer::AnyRow => format!("*.{}", text(*stat)),
        });
        let rows = found.rows.iter().map(|row| text(*row));
        stats.chain(rows).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_modifier_names_its_stat_and_those_of_its_expressions() {
        let (state, curse) = cursed_state();
        let modifier = |keys: &[(&str, Value)]| {
            let own = [
                ("stat", "mood".into()),
                ("op", "add".into()),
                ("value", Value::from(1)),
            ];
            let all = own.iter().chain(keys).cloned();
            let named = names_in_modifier(&state, curse, &Value::map(all));
            names_as_text(&state, named)
        };
        let aura = |place: &str| ("aura", Value::map([("where", Value::from(place))]));
        let guard = |text: &str| ("only_if", Value::from(text));
        assert_eq!(modifier(&[]), "bo.mood");
        assert_eq!(
            modifier(&[guard("(self.luck, owner.sway, >)")]),
            "bo.mood bo.luck bo.sway"
        );
        assert_eq!(
            modifier(&[guard("(source.luck, record.age, >)")]),
            "bo.mood ann.luck curse#1.age"
        );
        assert_eq!(
            modifier(&[aura("(self.place, owner.place, ==)")]),
            "*.mood *.place bo.place"
        );
        assert_eq!(
            modifier(&[guard("(self.kind, clock.phase, ==)")]),
            "bo.mood"
        );
        assert_eq!(modifier(&[guard("(luck, 1, >)")]), "unreadable");
    }

    #[test]
    fn an_end_names_its_row_and_the_stats_of_its_expression() {
        let (state, curse) = cursed_state();
        let end = |keys: &[(&str, &str)]| {
            let keys = keys.iter().map(|(key, value)| (*key, Value::from(*value)));
            let named = names_in_end(&state, curse, &Value::map(keys));
            names_as_text(&state, named)
        };
        assert_eq!(end(&[("with", "ann")]), "ann");
        assert_eq!(end(&[("when", "(self.luck, 1, >)")]), "bo.luck");
        assert_eq!(end(&[("event", "rain")]), "");
        assert_eq!(
            end(&[("event", "rain"), ("test", "(owner.sway, 1, >)")]),
            "bo.sway"
        );
        assert_eq!(
            end(&[("event", "rain"), ("test", "it pours"), ("bound", "x")]),
            "unreadable"
        );
        assert_eq!(end(&[("when", "it pours")]), "unreadable");
        let filtered = |wanted: Value| {
            let filters = Value::map([("target", wanted)]);
            let end = Value::map([("event", "rain".into()), ("where", filters)]);
            names_as_text(&state, names_in_end(&state, curse, &end))
        };
        assert_eq!(filtered("ann".into()), "ann");
        assert_eq!(filtered("the rain".into()), "");
        let both = Value::list(["ann".into(), "bo".into()]);
        assert_eq!(filtered(Value::map([("one_of", both)])), "ann bo");
        assert_eq!(filtered(Value::map([("other_than", "bo".into())])), "bo");
        assert_eq!(filtered(Value::map([("ann", Value::from(1))])), "ann");
        assert_eq!(end(&[("whenever", "x")]), "unreadable");
    }

    #[test]
    fn a_guard_is_of_each_row_that_it_may_be_read_for() {
        let (state, curse) = cursed_state();
        let named = |text: &str| {
            let found = names_in_guard(&state, curse, &text.into());
            names_as_text(&state, found)
        };
        assert_eq!(named("(self.luck, owner.sway, >)"), "*.luck bo.sway");
        assert_eq!(named("(luck"), "unreadable");
    }
}
