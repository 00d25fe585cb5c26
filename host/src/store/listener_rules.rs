//! Declared rules for listeners: the rows that listen to events and the events that they handle. Plain data, no
//! script.
//!
//! In: entries of schemas, each with the events that its definitions handle. Out: the definition of each listening
//! row. The index of listeners follows it with each write.

use crate::value::{Name, Names, Value};

/// Test of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is this value.
    Is(Value),
    /// It is one of these values.
    OneOf(Vec<Value>),
    /// It is any other value, or nothing.
    OtherThan(Value),
}

/// A test of a field of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldTest {
    /// The field.
    pub field: Name,
    /// The test of its value.
    pub test: Test,
}

/// The emissions of an event that reach a handler: to everybody, to a row by name, to other rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Events that are emitted to all rows.
    pub broadcast: bool,
    /// Events that have the listening row or its bearer in a field.
    pub named: bool,
    /// Also events that are emitted to other rows.
    pub all_events: bool,
}

/// An event that a definition handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handled {
    /// The event.
    pub event: Name,
    /// The number of the handlers in the rules.
    pub place: u32,
    /// The emissions that reach them.
    pub reach: Reach,
}

/// One entry of a schema: rows of one kind whose field names their definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListenerEntry {
    /// The kind of the rows; without it, any kind.
    pub kind: Option<Name>,
    /// The field that names the definition; without it, the kind names the definition.
    pub field: Option<Name>,
    /// Conditions that make a row a listener.
    pub listener_if: Vec<FieldTest>,
    /// Conditions for events that are emitted to all rows.
    pub broadcast_if: Vec<FieldTest>,
    /// The kind of rows that are definitions themselves, by their ids, and the field with their content.
    pub stored: Option<(Name, Name)>,
    /// The handled events of definitions, in the order of the numbers of names.
    definitions: Vec<(Name, Vec<Handled>)>,
    /// The handled events of definitions that are rows. A definition of the rules with the same id has priority.
    rows: Vec<(Name, Vec<Handled>)>,
}

/// The rows that listen to events, and the events that they handle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListenerRules {
    entries: Vec<ListenerEntry>,
    /// Whether a field decides which rows listen, by the number of its name; read at each write.
    watched: Vec<bool>,
    /// The kinds of rows that are definitions themselves, and the fields with their content.
    stored: Vec<(Name, Name)>,
}

impl Reach {
    /// Returns the emissions that reach either of the two.
    fn union_of_reaches(self, other: Reach) -> Reach {
        Reach {
            broadcast: self.broadcast || other.broadcast,
            named: self.named || other.named,
            all_events: self.all_events || other.all_events,
        }
    }
}

impl Test {
    /// Reads the test of a value: a value, `{ one_of = { … } }`, or `{ other_than = value }`.
    pub fn from_value(wanted: &Value) -> Test {
        let key = wanted.as_map().filter(|map| map.len() == 1);
        let key = key.and_then(|map| map.keys().next());
        match key.map(|key| &**key) {
            Some("one_of") => Test::OneOf(wanted.get("one_of").items().to_vec()),
            Some("other_than") => Test::OtherThan(wanted.get("other_than").clone()),
            _ => Test::Is(wanted.clone()),
        }
    }

    /// Returns whether a value passes.
    pub fn passes(&self, found: &Value) -> bool {
        match self {
            Test::Is(wanted) => found == wanted,
            Test::OneOf(wanted) => wanted.contains(found),
            Test::OtherThan(unwanted) => found != unwanted,
        }
    }
}

impl ListenerEntry {
    /// Returns an entry without tests and definitions.
    pub fn new(kind: Option<Name>, field: Option<Name>) -> ListenerEntry {
        ListenerEntry {
            kind,
            field,
            ..ListenerEntry::default()
        }
    }

    /// Adds a definition with its handled events; several handlers of one event are merged. A definition that handles
    /// nothing has no listeners.
    pub fn add_definition(&mut self, definition: Name, handled: Vec<Handled>) {
        if let Err(at) = find_definition(&self.definitions, definition)
            && !handled.is_empty()
        {
            self.definitions
                .insert(at, (definition, merge_by_event(handled)));
        }
    }

    /// Adds a definition that is a row, even if it handles nothing; its earlier data is forgotten.
    fn add_row_definition(&mut self, row: Name, handled: Vec<Handled>) {
        self.remove_row_definition(row);
        if let Err(at) = find_definition(&self.rows, row) {
            self.rows.insert(at, (row, merge_by_event(handled)));
        }
    }

    /// Forgets a definition that is a row; returns whether it was known.
    fn remove_row_definition(&mut self, row: Name) -> bool {
        let at = find_definition(&self.rows, row);
        at.map(|at| self.rows.remove(at)).is_ok()
    }

    /// Returns the definition that a row names, if this entry makes the row a listener; `cell` returns the row's
    /// fields.
    pub fn definition_if_listening<'a>(
        &self,
        names: &Names,
        kind: Name,
        cell: impl Fn(Name) -> &'a Value,
    ) -> Option<Name> {
        let definition = self.definition_named_by_row(names, kind, &cell)?;
        passes_tests(&self.listener_if, cell).then_some(definition)
    }

    /// Returns the definition that a row names, whether or not the row listens at present.
    pub fn definition_named_by_row<'a>(
        &self,
        names: &Names,
        kind: Name,
        cell: impl Fn(Name) -> &'a Value,
    ) -> Option<Name> {
        if self.kind.is_some_and(|wanted| wanted != kind) {
            return None;
        }
        match self.field {
            None => Some(kind),
            Some(field) => names.find(cell(field).as_str()?),
        }
    }

    /// Returns the events that a definition handles, in the order of the numbers of the events.
    pub fn handled_events(&self, definition: Name) -> &[Handled] {
        let of = |all: &'_ [(Name, Vec<Handled>)]| find_definition(all, definition).ok();
        match (of(&self.definitions), of(&self.rows)) {
            (Some(at), _) => &self.definitions[at].1,
            (None, Some(at)) => &self.rows[at].1,
            (None, None) => &[],
        }
    }

    /// Returns the definitions that handle any event, including rows; the order is not defined.
    pub fn definitions(&self) -> impl Iterator<Item = Name> {
        self.definitions.iter().chain(&self.rows).map(|(id, _)| *id)
    }

    /// Returns a definition's handling of an event.
    pub fn handling_of_event(&self, definition: Name, event: Name) -> Option<&Handled> {
        let handled = self.handled_events(definition);
        let at = handled.binary_search_by_key(&event.index(), |one| one.event.index());
        at.ok().map(|at| &handled[at])
    }
}

fn find_definition(all: &[(Name, Vec<Handled>)], definition: Name) -> Result<usize, usize> {
    all.binary_search_by_key(&definition.index(), |(name, _)| name.index())
}

/// Returns each handled event once: several handlers of one event are merged into one.
fn merge_by_event(mut handled: Vec<Handled>) -> Vec<Handled> {
    handled.sort_by_key(|one| one.event.index());
    handled.dedup_by(|other, first| {
        let is_same = other.event == first.event;
        if is_same {
            first.reach = first.reach.union_of_reaches(other.reach);
        }
        is_same
    });
    handled
}

/// Returns whether a row passes all tests; `cell` returns the row's fields.
pub(super) fn passes_tests<'a>(tests: &[FieldTest], cell: impl Fn(Name) -> &'a Value) -> bool {
    tests.iter().all(|one| one.test.passes(cell(one.field)))
}

impl ListenerRules {
    /// Returns the rules made of entries.
    pub fn new(entries: Vec<ListenerEntry>) -> ListenerRules {
        let tested = entries.iter().flat_map(|entry| &entry.listener_if);
        let tested = tested.map(|test| test.field);
        let fields = entries.iter().filter_map(|entry| entry.field).chain(tested);
        let mut watched = Vec::new();
        for field in fields {
            watched.resize(watched.len().max(field.index() + 1), false);
            watched[field.index()] = true;
        }
        let mut stored: Vec<(Name, Name)> = entries.iter().filter_map(|one| one.stored).collect();
        stored.dedup();
        ListenerRules {
            entries,
            watched,
            stored,
        }
    }

    /// Adds the handled events of rows that are definitions themselves, each for one entry.
    pub(super) fn add_row_definitions(&mut self, read: Vec<(Name, usize, Vec<Handled>)>) {
        for (row, entry, handled) in read {
            if let Some(entry) = self.entries.get_mut(entry) {
                entry.add_row_definition(row, handled);
            }
        }
    }

    /// Returns the rules without a definition that is a row; nothing if no entry has it.
    pub(super) fn without_row_definition(&self, row: Name) -> Option<ListenerRules> {
        let is_known = |one: &ListenerEntry| find_definition(&one.rows, row).is_ok();
        if !self.entries.iter().any(is_known) {
            return None;
        }
        let mut rules = self.clone();
        let stored = rules.entries.iter_mut();
        let forgotten: Vec<bool> = stored.map(|one| one.remove_row_definition(row)).collect();
        forgotten.contains(&true).then_some(rules)
    }

    /// Returns whether rows of a kind are definitions themselves.
    #[inline]
    pub(super) fn stores_definitions_in(&self, kind: Name) -> bool {
        self.stored.iter().any(|(other, _)| *other == kind)
    }

    /// Returns whether a field holds the content of rows of a kind that are definitions.
    #[inline]
    pub(super) fn is_definition_field(&self, kind: Option<Name>, field: Name) -> bool {
        let is_it = |one: &(Name, Name)| one.1 == field && Some(one.0) == kind;
        !self.stored.is_empty() && self.stored.iter().any(is_it)
    }

    /// Returns the entries in order.
    pub fn entries(&self) -> &[ListenerEntry] {
        &self.entries
    }

    /// Returns whether a write to a field may change which rows listen.
    #[inline]
    pub(super) fn decides_listeners(&self, field: Name) -> bool {
        self.watched.get(field.index()).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_looks_at_one_value_at_several_or_at_all_but_one() {
        let (dead, gone) = (Value::from("dead"), Value::from("gone"));
        let passing = |test: &Test| {
            let values = [&dead, &gone, &Value::Nil];
            values.map(|value| test.passes(value))
        };
        assert_eq!(passing(&Test::Is(dead.clone())), [true, false, false]);
        let both = vec![dead.clone(), gone.clone()];
        assert_eq!(passing(&Test::OneOf(both)), [true, true, false]);
        assert_eq!(passing(&Test::OtherThan(dead.clone())), [false, true, true]);
    }

    #[test]
    fn a_test_is_a_value_or_a_map_with_the_one_key_that_says_another() {
        let (a, b) = (Value::from("a"), Value::from("b"));
        let one_of = Value::map([("one_of", Value::list([a.clone(), b.clone()]))]);
        assert_eq!(
            Test::from_value(&one_of),
            Test::OneOf(vec![a.clone(), b.clone()])
        );
        let other = Value::map([("other_than", a.clone())]);
        assert_eq!(Test::from_value(&other), Test::OtherThan(a.clone()));
        for plain in [a.clone(), Value::map([("other_than", a), ("more", b)])] {
            assert_eq!(Test::from_value(&plain), Test::Is(plain));
        }
    }
}
