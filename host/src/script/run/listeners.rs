//! This module is who listens to events: the handlers of all definitions by event, and which rows are their elements.
//!
//! In: contracts, definitions, and the handlers that contracts read of them. Out: listeners by event. What a contract calls its
//! elements is data: rows of a kind whose field names the definition, or the game itself.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use mlua::{Function, Lua, Table};

use super::filters::Filter;
use super::interpreter::Interpreter;
use super::order::{Key, ORDER};
use crate::content::{Definition, Node, Registry};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::declare::contract::Contract;
use crate::script::declare::elements::{Elements, ON};
use crate::script::declare::events::{EVENT, EventSettings};
use crate::store::{Handled, ListenerEntry, ListenerRules, Reach};
use crate::value::{Name, Names, Text, Value, split_path, write_value};

/// The event that is told behind others where something was written.
pub(crate) const SETTLED: &str = "settled";

/// The events that the host itself emits.
pub(crate) const HOST_EVENTS: [(&str, &str); 9] = [
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
    (
        SETTLED,
        "something was written, and what came of it is done: told behind every event and each step, ten times in a row at most",
    ),
];

/// One handler of one definition.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    /// The definition, `collection/id`.
    pub(crate) rule: Name,
    /// Its id.
    pub(crate) id: Name,
    /// Which reading of the definition it comes from: a row that is one may say something else later.
    block: usize,
    /// The entries of the store's rules by which rows are its elements; none for the game.
    pub(crate) entries: Range<usize>,
    pub(crate) is_game: bool,
    pub(crate) work: Work,
    /// Whether it hears events that are sent to others.
    pub(crate) hears_all: bool,
    pub(crate) filters: Vec<Filter>,
    pub(crate) priority: i64,
    pub(crate) round: i64,
}

/// What runs where a handler hears an event.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A function of the definition itself.
    Own(Function),
    /// The contract of the definition, with what it read of the handler.
    Read {
        interpreter: Interpreter,
        key: Text,
        rule: Table,
    },
    /// The handlers of whichever definition of the collection this function names.
    Of { of: Function, collection: Text },
}

impl Work {
    /// Returns the function that runs, for the place of the rule.
    pub(crate) fn function(&self) -> &Function {
        match self {
            Work::Own(function) => function,
            Work::Read { interpreter, .. } => &interpreter.fire,
            Work::Of { of, .. } => of,
        }
    }

    /// Returns the key of a handler that a contract read.
    pub(crate) fn key(&self) -> Option<&Text> {
        match self {
            Work::Read { key, .. } => Some(key),
            Work::Own(_) | Work::Of { .. } => None,
        }
    }
}

/// A handler as a contract reads it of a definition.
#[derive(Clone, Debug)]
pub(crate) struct ReadHandler {
    pub(crate) hears: Hears,
    /// What names it as long as its text stays.
    pub(crate) key: Text,
    pub(crate) round: i64,
    pub(crate) priority: i64,
    pub(crate) filters: Vec<Filter>,
    pub(crate) hears_all: bool,
    /// What the contract returned.
    pub(crate) table: Table,
}

/// The first reading of rows that are definitions themselves; those of files are counted from 0.
const STORED: usize = 1 << 32;

/// A row that is a definition itself.
pub(crate) struct Stored<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) interpreter: &'a Interpreter,
    pub(crate) row: Name,
    /// The entry of the store's rules that it is one by.
    pub(crate) entry: usize,
    pub(crate) said: Value,
}

fn bytes_of(said: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_value(&mut bytes, said);
    bytes
}

/// What a handler hears.
#[derive(Clone, Debug)]
pub(crate) enum Hears {
    /// An event.
    Event(String),
    /// Whatever the definition hears that this function names.
    Of(Function),
}

/// The handlers that contracts read, by collection and id.
pub(crate) type ReadHandlers = BTreeMap<(String, String), Vec<ReadHandler>>;

/// The handlers of one generation of rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listeners {
    /// Declared events in order of name.
    events: BTreeMap<String, Rc<Event>>,
    /// The same by the number of the name; emitting asks for it each time.
    by_name: Vec<Option<Rc<Event>>>,
    /// Which rows are elements and what they hear, as the store indexes it.
    pub(crate) rules: Rc<ListenerRules>,
    /// Whether anybody hears that something was written.
    pub(crate) hears_settled: bool,
    /// Where the handlers that contracts read stand, by their keys: the event, the place among its handlers, and the reading.
    by_key: HashMap<Text, (Rc<str>, usize, usize)>,
    /// The collections that the entries of the store's rules belong to.
    collections: Vec<String>,
    /// What rows handle that are definitions themselves, by the row, the entry and the bytes of what they say.
    stored: HashMap<(Name, usize, Vec<u8>), Vec<Handled>>,
}

/// What rules say of handlers: the definitions with their tables, by collection and id, and the contracts.
pub(crate) struct Said<'a> {
    pub(crate) contracts: &'a BTreeMap<String, Contract>,
    pub(crate) registry: &'a Registry,
    pub(crate) tables: &'a HashMap<(String, String), Table>,
    pub(crate) interpreters: &'a BTreeMap<String, Interpreter>,
    pub(crate) handlers: &'a ReadHandlers,
}

/// One declared event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) name: Rc<str>,
    /// The same as a name of the game; known when its handlers are.
    pub(crate) id: Option<Name>,
    /// What the frame of events calls its handlers by, in their order: see [`Event::works`].
    works: OnceCell<Table>,
    /// What it says.
    pub(crate) summary: String,
    pub(crate) settings: EventSettings,
    /// Whether a definition is the event, and no declaration.
    is_defined: bool,
    pub(crate) listeners: Vec<Listener>,
    /// The handlers of the game, by their place.
    pub(crate) of_game: Vec<usize>,
    /// The place of the first handler of each definition, by `collection/id`.
    first_of: HashMap<Name, usize>,
    /// Whether a handler stands for those of another definition.
    pub(crate) has_of: bool,
    /// Whether handlers of one definition have one key.
    pub(crate) has_alternatives: bool,
    /// Filters that want an element or its bearer in a field, each once.
    pub(crate) named: Vec<Filter>,
    /// The fields that filters and order look at, each once.
    pub(crate) fields: BTreeSet<String>,
    /// Whether an element may be one by several entries of a contract.
    pub(crate) may_repeat: bool,
    /// Whether those who hear it stay the same, in one order, as long as no row comes, goes or names something else.
    pub(crate) is_lasting: bool,
}

/// Returns events with those that definitions are, as they are read; of one that is declared as well, the declaration holds.
pub(crate) fn with_definitions(
    mut events: BTreeMap<String, Event>,
    contracts: &BTreeMap<String, Contract>,
    registry: &Registry,
) -> BTreeMap<String, Event> {
    for (collection, contract) in contracts {
        let Some(settings) = &contract.events else {
            continue;
        };
        for definition in registry.of(collection) {
            let own = definition.value.get(EVENT);
            let settings = EventSettings::of_value(own).or(settings);
            let event = Event {
                summary: definition
                    .value
                    .get("summary")
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                ..Event::new(&definition.id, &settings)
            };
            let known = events
                .entry(definition.id.to_string())
                .or_insert_with(|| event.clone());
            if known.is_defined {
                *known = event;
            }
        }
    }
    events
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
        let event = Event {
            name: Rc::from(&*entry.key),
            summary: summary.to_owned(),
            settings: EventSettings::of_value(&entry.node.to_value()),
            ..Event::default()
        };
        (entry.key.to_string(), event)
    });
    host.chain(own).collect()
}

impl Event {
    /// Returns an event that a definition is, without listeners.
    pub(crate) fn new(id: &str, settings: &EventSettings) -> Event {
        Event {
            name: id.into(),
            settings: settings.clone(),
            is_defined: true,
            ..Event::default()
        }
    }

    /// Returns what its handlers are called by, three values for each: the function, and where a contract read the handler what it
    /// returned and its other functions, else false. Made once; `made` is told of it then. Errors: memory.
    pub(crate) fn works(
        &self,
        lua: &Lua,
        made: impl FnOnce(&Table) -> mlua::Result<()>,
    ) -> mlua::Result<&Table> {
        if let Some(works) = self.works.get() {
            return Ok(works);
        }
        let no = || mlua::Value::Boolean(false);
        let works = self.listeners.iter().flat_map(|one| {
            let function = mlua::Value::Function(one.work.function().clone());
            match &one.work {
                Work::Read {
                    interpreter, rule, ..
                } => [
                    function,
                    mlua::Value::Table(rule.clone()),
                    mlua::Value::Table(interpreter.frame.clone()),
                ],
                Work::Own(_) | Work::Of { .. } => [function, no(), no()],
            }
        });
        let works = lua.create_sequence_from(works)?;
        made(&works)?;
        Ok(self.works.get_or_init(|| works))
    }

    /// Returns the keys that it is ordered by.
    pub(crate) fn keys(&self) -> &[Key] {
        match self.settings.order.as_slice() {
            [] => &ORDER,
            order => order,
        }
    }

    /// Returns whether a trace notes that it is told: of what content hears, and of `settled`, what comes of it is enough.
    pub(crate) fn is_noted(&self) -> bool {
        !self.is_defined && *self.name != *SETTLED
    }

    /// Returns the handlers of the definition whose first one stands at a place, with their places.
    pub(crate) fn handlers_at(&self, place: usize) -> impl Iterator<Item = (usize, &Listener)> {
        let all = self.listeners.iter().enumerate().skip(place);
        let block = self.listeners.get(place).map(|first| first.block);
        all.take_while(move |(_, one)| Some(one.block) == block)
    }

    /// Returns the handlers of a definition, with their places.
    pub(crate) fn handlers_of(&self, rule: Name) -> impl Iterator<Item = (usize, &Listener)> {
        let first = self.first_of.get(&rule).copied();
        self.handlers_at(first.unwrap_or(usize::MAX))
    }

    /// Notes what of its handlers is asked for at each emission.
    fn gather(&mut self, limited: &[bool]) {
        let all = || self.listeners.iter().enumerate();
        let mut first_of = HashMap::new();
        for (at, one) in all().rev() {
            let first = first_of.entry(one.rule).or_insert((one.block, at));
            if first.0 == one.block {
                first.1 = at;
            }
        }
        let first_of = first_of
            .into_iter()
            .map(|(rule, (_, at))| (rule, at))
            .collect();
        self.has_of = all().any(|(_, one)| matches!(one.work, Work::Of { .. }));
        let mut keys = HashSet::new();
        self.has_alternatives = self.listeners.iter().any(|one| {
            let key = one.work.key();
            key.is_some_and(|key| !keys.insert((one.block, key)))
        });
        self.of_game = all()
            .filter(|(_, one)| one.is_game)
            .map(|(at, _)| at)
            .collect();
        self.first_of = first_of;
        let filters = || self.listeners.iter().flat_map(|one| &one.filters);
        for filter in filters().filter(|filter| filter.is_named()) {
            if !self.named.contains(filter) {
                self.named.push(filter.clone());
            }
        }
        let looked_at = self.settings.order.iter().filter_map(|key| match key {
            Key::Participants(path) => Some(path.as_str()),
            _ => None,
        });
        let looked_at = looked_at.chain(filters().map(|filter| filter.path.as_str()));
        self.fields = looked_at
            .map(|path| split_path(path).0.to_owned())
            .collect();
        self.may_repeat = self.listeners.iter().any(|one| one.entries.len() > 1);
        let is_limited = |one: &Listener| limited[one.entries.clone()].contains(&true);
        self.is_lasting = filters().next().is_none()
            && !self.has_of
            && !self.listeners.iter().any(is_limited)
            && self.settings.order.iter().all(Key::is_lasting);
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
        let mut collections = Vec::new();
        for (collection, contract) in said.contracts {
            let own = contract.elements.entries().iter();
            let first = entries.len();
            let stored = contract.stored_in.as_ref();
            let stored = stored.map(|(kind, field)| (names.intern(kind), names.intern(field)));
            entries.extend(own.map(|entry| {
                let mut entry = entry.for_store(names);
                entry.stored = stored;
                entry
            }));
            collections.resize(entries.len(), collection.clone());
            of_contract.insert(collection.as_str(), first..entries.len());
        }
        let mut heard: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
        for ((collection, _), read) in said.handlers {
            heard
                .entry(collection)
                .or_default()
                .extend(heard_by(read.iter()));
        }
        let read = |events: &mut BTreeMap<String, Event>, rule: &Rule<'_>| {
            let collection = &rule.contract.collection;
            let key = (collection.clone(), rule.id_text.to_owned());
            match (said.interpreters.get(collection), said.handlers.get(&key)) {
                (Some(interpreter), Some(read)) => {
                    let mut all: BTreeMap<&str, &mut Event> = events
                        .iter_mut()
                        .map(|(name, event)| (name.as_str(), event))
                        .collect();
                    let heard = &heard[collection];
                    add_read(&mut all, (interpreter, read, heard), rule, names)
                }
                _ => Vec::new(),
            }
        };
        let mut blocks = 0;
        for definition in said.registry.iter() {
            let Some(contract) = said.contracts.get(&*definition.collection) else {
                continue;
            };
            let range = of_contract[contract.collection.as_str()].clone();
            let rule = Rule::new(contract, (range.clone(), blocks), &definition.id, names);
            blocks += 1;
            let mut handled = add(&mut events, said.tables, &rule, definition, names);
            handled.extend(read(&mut events, &rule));
            for entry in &mut entries[range] {
                entry.define(rule.id, handled.clone());
            }
        }
        // Texts with errors are no definitions, and games may play them all the same.
        for (collection, id) in said.handlers.keys() {
            let contract = &said.contracts[collection];
            if said.registry.get(collection, id).is_some() {
                continue;
            }
            let range = of_contract[collection.as_str()].clone();
            let rule = Rule::new(contract, (range.clone(), blocks), id, names);
            blocks += 1;
            let handled = read(&mut events, &rule);
            for entry in &mut entries[range] {
                entry.define(rule.id, handled.clone());
            }
        }
        let limited = entries.iter().map(|entry| !entry.broadcast_if.is_empty());
        let limited: Vec<bool> = limited.collect();
        let mut listeners = Listeners {
            rules: Rc::new(ListenerRules::new(entries)),
            collections,
            ..Listeners::default()
        };
        for (_, mut event) in events {
            event.gather(&limited);
            listeners.enter(event, names);
        }
        listeners
    }

    /// Returns the collection that an entry of the store's rules belongs to.
    pub(crate) fn collection_of(&self, entry: usize) -> Option<&String> {
        self.collections.get(entry)
    }

    /// Returns what a row handles that is a definition by an entry and says this, if its handlers were read.
    pub(crate) fn stored(&self, row: Name, entry: usize, said: &Value) -> Option<Vec<Handled>> {
        self.stored.get(&(row, entry, bytes_of(said))).cloned()
    }

    /// Returns these with the handlers of a row that is a definition itself, and which events they are.
    pub(crate) fn with_stored(
        &self,
        stored: Stored<'_>,
        read: &[ReadHandler],
        names: &Names,
    ) -> (Listeners, Vec<Handled>) {
        let mut listeners = self.clone();
        let mut own = self.collections.iter();
        let own = own
            .position(|one| *one == stored.contract.collection)
            .unwrap_or(0);
        let several = self
            .collections
            .iter()
            .filter(|one| **one == stored.contract.collection);
        let entries = own..own + several.count();
        let id = names.text(stored.row);
        let block = STORED + self.stored.len();
        let rule = Rule::new(stored.contract, (entries, block), &id, names);
        let limited = self
            .rules
            .entries()
            .iter()
            .map(|entry| !entry.broadcast_if.is_empty());
        let limited: Vec<bool> = limited.collect();
        let mut events: BTreeMap<String, Event> = BTreeMap::new();
        for (name, event) in &self.events {
            events.insert(name.clone(), (**event).clone());
        }
        let mut all: BTreeMap<&str, &mut Event> = events
            .iter_mut()
            .map(|(name, event)| (name.as_str(), event))
            .collect();
        let of_collection = |event: &&Rc<Event>| {
            let mut listeners = event.listeners.iter();
            listeners.any(|one| one.entries == rule.entries)
        };
        let heard = self.events.values().filter(of_collection);
        let mut heard: BTreeSet<&str> = heard.map(|event| &*event.name).collect();
        heard.extend(heard_by(read.iter()));
        let handled = add_read(&mut all, (stored.interpreter, read, &heard), &rule, names);
        let touched = |name: &str| handled.iter().any(|one| *names.text(one.event) == *name);
        for (name, mut event) in events {
            if !touched(&name) {
                continue;
            }
            event.gather(&limited);
            listeners.enter(event, names);
        }
        let key = (stored.row, stored.entry, bytes_of(&stored.said));
        listeners.stored.insert(key, handled.clone());
        (listeners, handled)
    }

    /// Enters an event with its handlers.
    fn enter(&mut self, mut event: Event, names: &Names) {
        event.id = Some(names.intern(&event.name));
        event.works = OnceCell::new();
        for (at, one) in event.listeners.iter().enumerate() {
            if let Some(key) = one.work.key() {
                let place = (Rc::clone(&event.name), at, one.block);
                let known = self
                    .by_key
                    .entry(key.clone())
                    .or_insert_with(|| place.clone());
                // Of a row that says something else now, what it says now holds.
                if known.2 != one.block {
                    *known = place;
                }
            }
        }
        self.hears_settled |= *event.name == *SETTLED && !event.listeners.is_empty();
        let (number, event) = (names.intern(&event.name).index(), Rc::new(event));
        let size = self.by_name.len().max(number + 1);
        self.by_name.resize(size, None);
        self.by_name[number] = Some(Rc::clone(&event));
        self.events.insert(event.name.to_string(), event);
    }

    /// Returns an event by what it is called.
    pub(crate) fn event_named(&self, name: &str) -> Option<&Rc<Event>> {
        self.events.get(name)
    }

    /// Returns a declared event.
    #[inline]
    pub(crate) fn event(&self, name: Name) -> Option<&Rc<Event>> {
        self.by_name.get(name.index())?.as_ref()
    }

    /// Returns the handler with a key, as its event and its place there; of several alternatives the first.
    pub(crate) fn handler(&self, key: &str) -> Option<(&Rc<Event>, usize)> {
        let (event, at, _) = self.by_key.get(key)?;
        Some((self.events.get(&**event)?, *at))
    }

    /// Returns all declared events in order of name.
    pub(crate) fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.values().map(|event| &**event)
    }
}

/// A definition whose handlers are added.
struct Rule<'a> {
    contract: &'a Contract,
    /// `collection/id`.
    name: Name,
    id: Name,
    id_text: &'a str,
    entries: Range<usize>,
    block: usize,
}

impl<'a> Rule<'a> {
    fn new(
        contract: &'a Contract,
        (entries, block): (Range<usize>, usize),
        id: &'a str,
        names: &Names,
    ) -> Rule<'a> {
        Rule {
            block,
            contract,
            name: names.intern(&format!("{}/{id}", contract.collection)),
            id: names.intern(id),
            id_text: id,
            entries,
        }
    }

    /// Returns a handler of it that does a work, without filters.
    fn listener(&self, work: Work) -> Listener {
        Listener {
            rule: self.name,
            id: self.id,
            block: self.block,
            entries: self.entries.clone(),
            is_game: self.contract.elements == Elements::Game,
            work,
            hears_all: false,
            filters: Vec::new(),
            priority: 0,
            round: 1,
        }
    }
}

/// Adds a handler to an event. Returns how the store finds its row.
fn push(event: &mut Event, listener: Listener, names: &Names) -> Handled {
    let named = listener.filters.iter().any(Filter::is_named);
    let place = match event
        .listeners
        .iter()
        .rposition(|one| one.block != listener.block)
    {
        // Those of one definition stand together, and are known by the first of them.
        Some(other) => other + 1,
        None => 0,
    };
    let handled = Handled {
        event: names.intern(&event.name),
        place: u32::try_from(place).unwrap_or(u32::MAX),
        reach: Reach {
            broadcast: !named,
            named,
            all_events: listener.hears_all && !named,
        },
    };
    event.listeners.push(listener);
    handled
}

/// Returns the events that handlers hear.
fn heard_by<'a>(read: impl Iterator<Item = &'a ReadHandler>) -> BTreeSet<&'a str> {
    let heard = read.filter_map(|one| match &one.hears {
        Hears::Event(name) => Some(name.as_str()),
        Hears::Of(_) => None,
    });
    heard.collect()
}

/// Adds the handlers that the contract of a definition read, and returns which events they are. One that stands for the handlers of another
/// definition is added where any of the collection hears: `heard` are these events.
fn add_read(
    events: &mut BTreeMap<&str, &mut Event>,
    (interpreter, read, heard): (&Interpreter, &[ReadHandler], &BTreeSet<&str>),
    rule: &Rule<'_>,
    names: &Names,
) -> Vec<Handled> {
    let collection = &rule.contract.collection;
    let mut handled = Vec::new();
    for one in read {
        let listener = |work: Work| Listener {
            hears_all: one.hears_all,
            filters: one.filters.clone(),
            priority: one.priority,
            round: one.round,
            ..rule.listener(work)
        };
        match &one.hears {
            Hears::Event(name) => {
                let work = Work::Read {
                    interpreter: interpreter.clone(),
                    key: one.key.clone(),
                    rule: one.table.clone(),
                };
                if let Some(event) = events.get_mut(name.as_str()) {
                    handled.push(push(event, listener(work), names));
                }
            }
            Hears::Of(of) => {
                let named = events.iter_mut().filter(|(name, _)| heard.contains(**name));
                for (_, event) in named {
                    let work = Work::Of {
                        of: of.clone(),
                        collection: collection.as_str().into(),
                    };
                    handled.push(push(event, listener(work), names));
                }
            }
        }
    }
    handled
}

/// Adds the handlers of a definition, and returns which events they are.
fn add(
    events: &mut BTreeMap<String, Event>,
    tables: &HashMap<(String, String), Table>,
    rule: &Rule<'_>,
    definition: &Definition,
    names: &Names,
) -> Vec<Handled> {
    let key = (definition.collection.to_string(), definition.id.to_string());
    let handlers = tables
        .get(&key)
        .filter(|_| rule.contract.elements != Elements::None)
        .and_then(|table| table.raw_get::<Table>(ON).ok());
    let Some(handlers) = handlers else {
        return Vec::new();
    };
    let mut handled = Vec::new();
    for (name, event) in events {
        let function = match handlers.raw_get(name.as_str()) {
            Ok(mlua::Value::Function(function)) => Some(function),
            Ok(mlua::Value::Table(table)) => table.raw_get("run").ok(),
            _ => None,
        };
        let Some(function) = function else { continue };
        let settings = definition.value.get(ON).get(name);
        let listener = Listener {
            hears_all: settings.get("hears").as_str() == Some("all"),
            filters: Filter::read_all(settings.get("where")),
            priority: settings.get("priority").as_i64().unwrap_or(0),
            round: settings.get("round").as_i64().unwrap_or(1),
            ..rule.listener(Work::Own(function))
        };
        handled.push(push(event, listener, names));
    }
    handled
}
