//! This module is who listens to events: the handlers of all definitions by event, and which rows are their elements.
//!
//! In: contracts and definitions. Out: listeners by event. What a contract calls its elements is data:
//! rows of a kind whose field names the definition, or the game itself.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use mlua::{Function, Table};

use crate::content::{Definition, Node, Registry};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::declare::contract::Contract;
use crate::script::declare::elements::{Elements, ON};
use crate::value::{Name, Names, Value};

/// The events that the host itself emits.
pub(crate) const HOST_EVENTS: [(&str, &str); 8] = [
    (
        "ended",
        "a record ended: record, kind, owner, bearer, how, reason, values; how is what ended it: phase, turn, rounds, time, uses, with, event, when or detached; reason says it to people",
    ),
    ("phase_began", "a phase began: phase, number"),
    ("phase_ended", "a phase ended: phase, number"),
    ("round_began", "a round began: round"),
    ("round_ended", "a round ended: round"),
    ("turn_began", "a turn began: who, number, round"),
    ("turn_ended", "a turn ended: who, number, round"),
    ("poll_closed", "a poll was closed: poll, winner, tally"),
];

/// What a filter asks of a field of the event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// This value.
    Is(Value),
    /// The element that listens.
    Itself,
    /// The entity that bears the element.
    Bearer,
}

/// One handler of one definition.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    /// The definition, `collection/id`.
    pub(crate) rule: Name,
    /// Its id.
    pub(crate) id: Name,
    pub(crate) kind: Option<Name>,
    pub(crate) field: Option<Name>,
    pub(crate) is_game: bool,
    pub(crate) function: Function,
    /// Whether it hears events that are sent to others.
    pub(crate) hears_all: bool,
    pub(crate) filters: Vec<(String, Wanted)>,
    pub(crate) priority: i64,
}

/// The handlers of one generation of rules.
#[derive(Debug, Default)]
pub(crate) struct Listeners {
    /// Declared events in order of name.
    events: BTreeMap<String, Rc<Event>>,
    /// The same by the number of the name; emitting asks for it each time.
    by_name: Vec<Option<Rc<Event>>>,
    /// The fields that name definitions; the store indexes their texts.
    pub(crate) watched: Vec<Name>,
}

/// What rules say of handlers: the definitions with their tables, by collection and id, and the contracts.
pub(crate) struct Said<'a> {
    pub(crate) contracts: &'a BTreeMap<String, Contract>,
    pub(crate) registry: &'a Registry,
    pub(crate) tables: &'a HashMap<(String, String), Table>,
}

/// One declared event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) name: Rc<str>,
    /// What it says.
    pub(crate) summary: String,
    pub(crate) order: Vec<Key>,
    pub(crate) listeners: Vec<Listener>,
}

/// What handlers are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The number that the handler gives itself, small ones first.
    Priority,
    /// The id of the entity that bears the element.
    Bearer,
    /// The order of application; entities before records.
    Age,
    /// A random place, drawn by the event and the element.
    Random,
}

/// Returns the declared events of a ruleset and those of the host, without listeners.
pub(crate) fn declared_events(ruleset: &Node) -> BTreeMap<String, Event> {
    let host = HOST_EVENTS.iter().map(|(name, summary)| {
        let event = Event {
            name: Rc::from(*name),
            summary: (*summary).to_owned(),
            ..Event::default()
        };
        ((*name).to_owned(), event)
    });
    let declared = ruleset.get("events").map(Node::entries).unwrap_or_default();
    let own = declared.iter().map(|entry| {
        let summary = entry
            .node
            .get("summary")
            .and_then(Node::as_str)
            .unwrap_or_default();
        let order = entry.node.get("order").map(Node::items).unwrap_or_default();
        let event = Event {
            name: Rc::from(&*entry.key),
            summary: summary.to_owned(),
            order: order
                .iter()
                .filter_map(|key| Key::parse(key.as_str()?))
                .collect(),
            listeners: Vec::new(),
        };
        (entry.key.to_string(), event)
    });
    host.chain(own).collect()
}

impl Event {
    /// Returns whether any handler looks at fields before it hears.
    pub(crate) fn has_filters(&self) -> bool {
        self.listeners.iter().any(|one| !one.filters.is_empty())
    }
}

impl Key {
    fn parse(word: &str) -> Option<Key> {
        match word {
            "priority" => Some(Key::Priority),
            "bearer" => Some(Key::Bearer),
            "age" => Some(Key::Age),
            "random" => Some(Key::Random),
            _ => None,
        }
    }
}

/// What handlers are ordered by where the ruleset does not say.
pub(crate) const ORDER: [Key; 2] = [Key::Priority, Key::Age];

/// Reports handlers of events that nobody declares.
pub(crate) fn unknown_events(
    events: &BTreeMap<String, Event>,
    node: &Node,
    source: &std::sync::Arc<Source>,
) -> Vec<Diagnostic> {
    let handlers = node.get(ON).map(Node::entries).unwrap_or_default();
    let unknown = handlers
        .iter()
        .filter(|entry| !events.contains_key(&*entry.key));
    let report = unknown.map(|entry| {
        Diagnostic::error(
            "script/unknown-event",
            format!("no event is called \"{}\"", entry.key),
        )
        .hint(near_hint(&entry.key, events.keys().map(String::as_str)))
        .hint("events are declared in ruleset.luau under `events`")
        .at(source, entry.key_span)
    });
    report.collect()
}

impl Listeners {
    /// Collects the handlers of all definitions.
    pub(crate) fn of(
        said: &Said<'_>,
        mut events: BTreeMap<String, Event>,
        names: &Names,
    ) -> Listeners {
        for definition in said.registry.iter() {
            if let Some(contract) = said.contracts.get(&*definition.collection) {
                add(&mut events, said.tables, contract, definition, names);
            }
        }
        let fields = said
            .contracts
            .values()
            .filter_map(|one| one.elements.field());
        let mut listeners = Listeners {
            watched: fields.map(|field| names.intern(field)).collect(),
            ..Listeners::default()
        };
        for (name, event) in events {
            let (number, event) = (names.intern(&name).index(), Rc::new(event));
            let size = listeners.by_name.len().max(number + 1);
            listeners.by_name.resize(size, None);
            listeners.by_name[number] = Some(Rc::clone(&event));
            listeners.events.insert(name, event);
        }
        listeners
    }

    /// Returns a declared event.
    #[inline]
    pub(crate) fn event(&self, name: Name) -> Option<&Rc<Event>> {
        self.by_name.get(name.index())?.as_ref()
    }

    /// Returns all declared events in order of name.
    pub(crate) fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.values().map(|event| &**event)
    }
}

fn add(
    events: &mut BTreeMap<String, Event>,
    tables: &HashMap<(String, String), Table>,
    contract: &Contract,
    definition: &Definition,
    names: &Names,
) {
    let key = (definition.collection.to_string(), definition.id.to_string());
    let handlers = tables
        .get(&key)
        .filter(|_| contract.elements != Elements::None)
        .and_then(|table| table.raw_get::<Table>(ON).ok());
    let Some(handlers) = handlers else { return };
    let rule = names.intern(&format!("{}/{}", definition.collection, definition.id));
    for (name, event) in events {
        let function = match handlers.raw_get(name.as_str()) {
            Ok(mlua::Value::Function(function)) => Some(function),
            Ok(mlua::Value::Table(table)) => table.raw_get("run").ok(),
            _ => None,
        };
        let Some(function) = function else { continue };
        let settings = definition.value.get(ON).get(name);
        event.listeners.push(Listener {
            rule,
            id: names.intern(&definition.id),
            kind: contract.elements.kind().map(|kind| names.intern(kind)),
            field: contract.elements.field().map(|field| names.intern(field)),
            is_game: contract.elements == Elements::Game,
            function,
            hears_all: settings.get("hears").as_str() == Some("all"),
            filters: filters(settings.get("where")),
            priority: settings.get("priority").as_i64().unwrap_or(0),
        });
    }
}

fn filters(wanted: &Value) -> Vec<(String, Wanted)> {
    let entries = wanted.as_map().into_iter().flatten();
    let filter = |value: &Value| match value.as_str() {
        Some("@self") => Wanted::Itself,
        Some("@bearer") => Wanted::Bearer,
        _ => Wanted::Is(value.clone()),
    };
    entries
        .map(|(key, value)| (key.to_string(), filter(value)))
        .collect()
}
