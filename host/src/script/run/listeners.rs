//! This module is who listens to events: the handlers of all definitions by event, and which rows are their elements.
//!
//! In: contracts and definitions. Out: listeners by event. What a contract calls its elements is data:
//! rows of a kind whose field names the definition, or the game itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use mlua::{Function, Table};

use super::filters::{Filter, first_key};
use super::order::{Key, ORDER};
use crate::content::{Definition, Node, Registry};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::declare::contract::Contract;
use crate::script::declare::elements::{Elements, ON};
use crate::store::{Handled, ListenerEntry, ListenerRules, Reach};
use crate::value::{Name, Names};

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

/// One handler of one definition.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    /// The definition, `collection/id`.
    pub(crate) rule: Name,
    /// Its id.
    pub(crate) id: Name,
    /// The entries of the store's rules by which rows are its elements; none for the game.
    pub(crate) entries: Range<usize>,
    pub(crate) is_game: bool,
    pub(crate) function: Function,
    /// Whether it hears events that are sent to others.
    pub(crate) hears_all: bool,
    pub(crate) filters: Vec<Filter>,
    pub(crate) priority: i64,
    pub(crate) round: i64,
}

/// The handlers of one generation of rules.
#[derive(Debug, Default)]
pub(crate) struct Listeners {
    /// Declared events in order of name.
    events: BTreeMap<String, Rc<Event>>,
    /// The same by the number of the name; emitting asks for it each time.
    by_name: Vec<Option<Rc<Event>>>,
    /// Which rows are elements and what they hear, as the store indexes it.
    pub(crate) rules: Rc<ListenerRules>,
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
    /// The handlers of the game, by their place.
    pub(crate) of_game: Vec<usize>,
    /// Filters that want an element or its bearer in a field, each once.
    pub(crate) named: Vec<Filter>,
    /// The fields that filters and order look at, each once.
    pub(crate) fields: BTreeSet<String>,
    /// Whether an element may be one by several entries of a contract.
    pub(crate) may_repeat: bool,
    /// Whether those who hear it stay the same, in one order, as long as no row comes, goes or names something else.
    pub(crate) is_lasting: bool,
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
            order: order.iter().filter_map(Key::read).collect(),
            ..Event::default()
        };
        (entry.key.to_string(), event)
    });
    host.chain(own).collect()
}

impl Event {
    /// Returns the keys that it is ordered by.
    pub(crate) fn keys(&self) -> &[Key] {
        match self.order.as_slice() {
            [] => &ORDER,
            order => order,
        }
    }

    /// Returns the handlers of the definition whose first one stands at a place, with their places.
    pub(crate) fn handlers_at(&self, place: usize) -> impl Iterator<Item = (usize, &Listener)> {
        let all = self.listeners.iter().enumerate().skip(place);
        let rule = self.listeners.get(place).map(|first| first.rule);
        all.take_while(move |(_, one)| Some(one.rule) == rule)
    }

    /// Notes what of its handlers is asked for at each emission.
    fn gather(&mut self, limited: &[bool]) {
        let all = || self.listeners.iter().enumerate();
        self.of_game = all()
            .filter(|(_, one)| one.is_game)
            .map(|(at, _)| at)
            .collect();
        let filters = || self.listeners.iter().flat_map(|one| &one.filters);
        for filter in filters().filter(|filter| filter.is_named()) {
            if !self.named.contains(filter) {
                self.named.push(filter.clone());
            }
        }
        let looked_at = self.order.iter().filter_map(|key| match key {
            Key::Participants(path) => Some(path.as_str()),
            _ => None,
        });
        let looked_at = looked_at.chain(filters().map(|filter| filter.path.as_str()));
        self.fields = looked_at.map(|path| first_key(path).to_owned()).collect();
        self.may_repeat = self.listeners.iter().any(|one| one.entries.len() > 1);
        let is_limited = |one: &Listener| limited[one.entries.clone()].contains(&true);
        self.is_lasting = filters().next().is_none()
            && !self.listeners.iter().any(is_limited)
            && self.order.iter().all(Key::is_lasting);
    }
}

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
        let mut entries: Vec<ListenerEntry> = Vec::new();
        let mut of_contract = BTreeMap::new();
        for (collection, contract) in said.contracts {
            let own = contract.elements.entries().iter();
            let first = entries.len();
            entries.extend(own.map(|entry| entry.for_store(names)));
            of_contract.insert(collection.as_str(), first..entries.len());
        }
        for definition in said.registry.iter() {
            let Some(contract) = said.contracts.get(&*definition.collection) else {
                continue;
            };
            let range = of_contract[contract.collection.as_str()].clone();
            let handled = add(
                &mut events,
                said.tables,
                (contract, range.clone()),
                definition,
                names,
            );
            let id = names.intern(&definition.id);
            for entry in &mut entries[range] {
                entry.define(id, handled.clone());
            }
        }
        let limited = entries.iter().map(|entry| !entry.broadcast_if.is_empty());
        let limited: Vec<bool> = limited.collect();
        let mut listeners = Listeners {
            rules: Rc::new(ListenerRules::new(entries)),
            ..Listeners::default()
        };
        for (name, mut event) in events {
            event.gather(&limited);
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

/// Adds the handlers of a definition, and returns which events they are.
fn add(
    events: &mut BTreeMap<String, Event>,
    tables: &HashMap<(String, String), Table>,
    (contract, entries): (&Contract, Range<usize>),
    definition: &Definition,
    names: &Names,
) -> Vec<Handled> {
    let key = (definition.collection.to_string(), definition.id.to_string());
    let handlers = tables
        .get(&key)
        .filter(|_| contract.elements != Elements::None)
        .and_then(|table| table.raw_get::<Table>(ON).ok());
    let Some(handlers) = handlers else {
        return Vec::new();
    };
    let rule = names.intern(&format!("{}/{}", definition.collection, definition.id));
    let mut handled = Vec::new();
    for (name, event) in events {
        let function = match handlers.raw_get(name.as_str()) {
            Ok(mlua::Value::Function(function)) => Some(function),
            Ok(mlua::Value::Table(table)) => table.raw_get("run").ok(),
            _ => None,
        };
        let Some(function) = function else { continue };
        let settings = definition.value.get(ON).get(name);
        let filters = Filter::read_all(settings.get("where"));
        let (named, hears_all) = (
            filters.iter().any(Filter::is_named),
            settings.get("hears").as_str() == Some("all"),
        );
        handled.push(Handled {
            event: names.intern(name),
            place: u32::try_from(event.listeners.len()).unwrap_or(u32::MAX),
            reach: Reach {
                broadcast: !named,
                named,
                all_events: hears_all && !named,
            },
        });
        event.listeners.push(Listener {
            rule,
            id: names.intern(&definition.id),
            entries: entries.clone(),
            is_game: contract.elements == Elements::Game,
            function,
            hears_all,
            filters,
            priority: settings.get("priority").as_i64().unwrap_or(0),
            round: settings.get("round").as_i64().unwrap_or(1),
        });
    }
    handled
}
