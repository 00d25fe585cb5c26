//! Tries a modifier or an end that a script writes as a literal, on a state with one row only.
//!
//! A sample value that fits replaces each computed value: so only the literal parts can be wrong.

use std::rc::Rc;

use crate::diag::{Diagnostic, Severity, near_hint};
use crate::script::rules::Rules;
use crate::script::source::record_literals::{Entry, Item};
use crate::store::end_conditions::{self, Sample, Setting, resolve_duration};
use crate::store::{Expression, Role, State, Write};
use crate::value::{Name, Names, Value};

/// The keys of a modifier.
const OF_MODIFIER: [&str; 9] = [
    "stat", "op", "value", "layer", "only_if", "aura", "guard", "while", "over",
];
/// The only row of the state, and a record of it.
const ROW: &str = "somebody";
const RECORD: &str = "record";

/// The state in which literals are tried.
pub(super) struct DryRun<'a> {
    rules: &'a Rules,
    names: &'a Rc<Names>,
    events: Vec<String>,
    state: State,
    row: Name,
}

impl DryRun<'_> {
    /// Returns a state to try literals under some rules, in which there are these events.
    pub(super) fn new<'a>(
        rules: &'a Rules,
        events: Vec<String>,
        names: &'a Rc<Names>,
    ) -> DryRun<'a> {
        let mut state = State::new(Rc::clone(names));
        rules.add_declarations_to_state(&mut state);
        let row = names.intern(ROW);
        let put = Write::Put {
            row,
            kind: row,
            owner: None,
            fields: Vec::new(),
        };
        state
            .apply(put)
            .expect("invariant: an empty state takes a row");
        DryRun {
            rules,
            names,
            events,
            state,
            row,
        }
    }

    /// Returns the error of a modifier. Returns nothing if the table may be something else.
    pub(super) fn modifier_finding(&self, item: &Item) -> Option<Diagnostic> {
        if !is_for_store(item, &OF_MODIFIER, 2) {
            return None;
        }
        let written = literal_of_key(item, "stat").and_then(Value::as_str);
        let stat = self.names.intern(written.unwrap_or(ROW));
        let layers = self.rules.stats.declaration_of(stat).fold.layers();
        let first = || layers.first().cloned().map(Value::Text);
        let value = Value::map(item.entries.iter().filter_map(|entry| {
            let value = match (&entry.value, &*entry.key) {
                // The stat, and so its layers, is known in play.
                (Some(_), "layer") if written.is_none() => first(),
                (Some(value), _) => Some(value.clone()),
                (None, "stat") => Some(ROW.into()),
                (None, "op") => Some("set".into()),
                (None, "value") => Some(1.into()),
                (None, "layer") => first(),
                (None, _) => None,
            };
            Some((entry.key.as_str(), value?))
        }));
        let mut state = self.state.fork();
        let row = state.take_record_id(self.names.intern(RECORD)).ok()?;
        let put = Write::Put {
            row,
            kind: self.names.intern(RECORD),
            owner: Some(self.row),
            fields: vec![(state.reserved().modifiers, Value::list([value]))],
        };
        let finding = state.apply(put).err()?.to_diagnostic();
        Some(place_finding(item, finding, &OF_MODIFIER))
    }

    /// Returns the error of an end. Returns nothing if the table may be something else.
    pub(super) fn end_finding(&self, item: &Item) -> Option<Diagnostic> {
        let keys: Vec<&str> = end_conditions::end_condition_keys().collect();
        if !is_for_store(item, &keys, 1) {
            return None;
        }
        let value = Value::map(item.entries.iter().filter_map(|entry| {
            let value = match (&entry.value, end_conditions::sample_of_end_key(&entry.key)) {
                // The rows of a game, and the present turn, are known in play.
                (_, Sample::Row) => Some(ROW.into()),
                (Some(value), _)
                    if entry.key == "nth" && *value == Value::from(0) && is_end_of_turn(item) =>
                {
                    Some(1.into())
                }
                (Some(value), _) => Some(value.clone()),
                (None, Sample::Word(word)) => Some(word.into()),
                (None, Sample::One) => Some(1.into()),
                (None, Sample::Data) => Some(Value::list([])),
                (None, Sample::Nothing) => None,
            };
            Some((entry.key.as_str(), value?))
        }));
        let is_computed = |key: &str| {
            item.entries
                .iter()
                .any(|one| one.key == key && one.value.is_none())
        };
        let setting = Setting {
            state: &self.state,
            phases: &self.rules.phases,
            record: self.names.intern(RECORD),
            owner: self.row,
            check_event: &|name, paths| match is_computed("event") {
                true => Ok(()),
                false => self.check_event_fields(name, paths),
            },
            unreadable: &|text| {
                let vocabulary = self.rules.stats.vocabulary();
                let made = Expression::new(&text.into(), Role::Record, vocabulary, self.names);
                made.error().cloned()
            },
            is_answered: &|| self.rules.record_end_test_function().is_some(),
        };
        let finding = resolve_duration(&value, &setting).err()?;
        Some(place_finding(item, *finding, &keys))
    }

    fn check_event_fields(&self, name: &str, paths: &[&str]) -> Result<(), Box<Diagnostic>> {
        if let Some(event) = self.rules.listeners().event_named(name) {
            return event.check_end_condition_fields(paths);
        }
        if self.events.iter().any(|known| known == name) {
            return Ok(());
        }
        let message = format!("unknown event \"{name}\"");
        let near = near_hint(name, self.events.iter().map(String::as_str));
        let finding = Diagnostic::error("script/unknown-event", message).hint(near);
        Err(Box::new(
            finding.hint("declare events in ruleset.luau under `events`"),
        ))
    }
}

fn literal_of_key<'i>(item: &'i Item, key: &str) -> Option<&'i Value> {
    let mut entries = item.entries.iter();
    entries.find(|one| one.key == key)?.value.as_ref()
}

fn is_end_of_turn(item: &Item) -> bool {
    literal_of_key(item, "turn").is_none_or(|turn| turn.as_str() == Some("end"))
}

/// Returns whether a table is for the store: options always are, and other tables if they have its keys.
fn is_for_store(item: &Item, keys: &[&str], least: usize) -> bool {
    let known = item.entries.iter().filter(|one| keys.contains(&&*one.key));
    item.is_option || known.count() >= least
}

/// Points a finding at the key or value that it is about. It is a warning: the line may never run.
fn place_finding(item: &Item, finding: Diagnostic, keys: &[&str]) -> Diagnostic {
    let is_said = |text: &str| finding.message.contains(&format!("\"{text}\""));
    let is_key = |entry: &&Entry| is_said(&entry.key);
    let is_value = |entry: &&Entry| {
        let text = entry.value.as_ref().and_then(Value::as_str);
        entry.key != "stat" && text.is_some_and(is_said)
    };
    let mut entries = item.entries.iter();
    let meant = entries.find(is_key);
    let meant = meant.or_else(|| item.entries.iter().find(is_value));
    let unknown = item.entries.iter().find(|one| !keys.contains(&&*one.key));
    let span = match unknown {
        Some(unknown) => unknown.key_at,
        None => meant.map_or(item.span, |entry| entry.at),
    };
    let mut finding = match unknown.filter(|_| finding.hints.iter().all(String::is_empty)) {
        Some(unknown) => finding.hint(near_hint(&unknown.key, keys.iter().copied())),
        None => finding,
    };
    finding.severity = Severity::Warning;
    finding.at(&item.source, span)
}
