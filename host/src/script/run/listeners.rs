//! Handlers of all definitions by event, and their listeners: the rows that handle the events.
//!
//! In: schemas, definitions, and the handlers that schemas read of them. Out: handlers by event. The listeners of a
//! schema are declared as data: rows of a kind with a field that names the definition, or the game itself.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use mlua::Table;

use super::event::{ENDED, Event, Listener, SETTLED, Work};
use super::handler_filters::Filter;
use super::handler_interpreter::Interpreter;
use super::read_handler::{HandledEvents, ReadHandler, ReadHandlers, events_of_handlers};
use crate::content::{Definition, Registry};
use crate::script::declare::listener_rows::{ListenerRows, ON};
use crate::script::declare::schema::Schema;
use crate::store::{Handled, ListenerEntry, ListenerRules, Reach};
use crate::value::{Name, Names, Value, write_value};

/// The number of the first reading of rows that are definitions. Readings of files are counted from 0.
const STORED: usize = 1 << 32;

/// The reading of a row that is a definition itself: the events that it handles, and its values that are not handlers.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) handled: Vec<Handled>,
    pub(crate) wrong: Vec<String>,
}

/// A row that is a definition itself.
pub(crate) struct Stored<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) interpreter: &'a Interpreter,
    pub(crate) row: Name,
    /// The entry of the store's rules by which it is a definition.
    pub(crate) entry: usize,
    pub(crate) said: Value,
}

fn value_bytes(said: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_value(&mut bytes, said);
    bytes
}

/// The handlers of one generation of rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listeners {
    /// Declared events in order of name.
    events: BTreeMap<String, Rc<Event>>,
    /// The same by the number of the name; each emission uses it.
    by_name: Vec<Option<Rc<Event>>>,
    /// The rows that are listeners and the events that they handle, as the store indexes it.
    pub(crate) rules: Rc<ListenerRules>,
    /// Whether any handler handles the event `settled`, which follows writes.
    pub(crate) hears_settled: bool,
    /// The collections that the entries of the store's rules belong to.
    collections: Vec<String>,
    /// The handlers of rows that are definitions themselves, by the row, the entry and the bytes of their text.
    stored: HashMap<(Name, usize, Vec<u8>), Read>,
}

/// The data of rules about handlers: the definitions with their tables, by collection and id, and the schemas.
pub(crate) struct Said<'a> {
    pub(crate) schemas: &'a BTreeMap<String, Schema>,
    pub(crate) registry: &'a Registry,
    pub(crate) tables: &'a HashMap<(String, String), Table>,
    pub(crate) interpreters: &'a BTreeMap<String, Interpreter>,
    pub(crate) handlers: &'a ReadHandlers,
}

impl Listeners {
    /// Collects the handlers of all definitions.
    pub(crate) fn of(
        said: &Said<'_>,
        mut events: BTreeMap<String, Event>,
        names: &Names,
    ) -> Listeners {
        let mut entries: Vec<ListenerEntry> = Vec::new();
        let mut of_schema = BTreeMap::new();
        let mut collections = Vec::new();
        for (collection, schema) in said.schemas {
            let own = schema.listener_rows.entries().iter();
            let first = entries.len();
            let stored = schema.stored_in.as_ref();
            let stored = stored.map(|(kind, field)| (names.intern(kind), names.intern(field)));
            entries.extend(own.map(|entry| {
                let mut entry = entry.store_entry(names);
                entry.stored = stored;
                entry
            }));
            collections.resize(entries.len(), collection.clone());
            of_schema.insert(collection.as_str(), first..entries.len());
        }
        let declared: Vec<String> = events.keys().cloned().collect();
        let mut heard: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
        for ((collection, _), read) in said.handlers {
            let heard = heard.entry(collection).or_default();
            heard.extend(events_of_handlers(read.iter()));
            // A row that is a definition may handle any event, and another one may stand for it.
            if said.schemas[collection].stored_in.is_some() {
                heard.extend(declared.iter().map(String::as_str));
            }
        }
        let read = |events: &mut BTreeMap<String, Event>, rule: &Rule<'_>| {
            let collection = &rule.schema.collection;
            let key = (collection.clone(), rule.id_text.to_owned());
            match (said.interpreters.get(collection), said.handlers.get(&key)) {
                (Some(interpreter), Some(read)) => {
                    let mut all: BTreeMap<&str, &mut Event> = events
                        .iter_mut()
                        .map(|(name, event)| (name.as_str(), event))
                        .collect();
                    let heard = &heard[collection];
                    add_read_handlers(&mut all, (interpreter, read, heard), rule, names)
                }
                _ => Vec::new(),
            }
        };
        let mut blocks = 0;
        for definition in said.registry.iter() {
            let Some(schema) = said.schemas.get(&*definition.collection) else {
                continue;
            };
            let range = of_schema[schema.collection.as_str()].clone();
            let rule = Rule::new(schema, (range.clone(), blocks), &definition.id, names);
            blocks += 1;
            let mut handled = add_own_handlers(&mut events, said.tables, &rule, definition, names);
            handled.extend(read(&mut events, &rule));
            for entry in &mut entries[range] {
                entry.add_definition(rule.id, handled.clone());
            }
        }
        // Texts with errors are not definitions, and games may play them all the same.
        for (collection, id) in said.handlers.keys() {
            let schema = &said.schemas[collection];
            if said.registry.get(collection, id).is_some() {
                continue;
            }
            let range = of_schema[collection.as_str()].clone();
            let rule = Rule::new(schema, (range.clone(), blocks), id, names);
            blocks += 1;
            let handled = read(&mut events, &rule);
            for entry in &mut entries[range] {
                entry.add_definition(rule.id, handled.clone());
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
            event.derive_flags_of_handlers(&limited);
            listeners.add_event_with_handlers(event, names);
        }
        listeners
    }

    /// Returns the collection that an entry of the store's rules belongs to.
    pub(crate) fn collection_of_entry(&self, entry: usize) -> Option<&String> {
        self.collections.get(entry)
    }

    /// Returns the handlers of a row that is a definition by an entry with this text, if they were read.
    pub(crate) fn handlers_of_stored_row(
        &self,
        row: Name,
        entry: usize,
        said: &Value,
    ) -> Option<Read> {
        self.stored.get(&(row, entry, value_bytes(said))).cloned()
    }

    /// Adds the handlers of a row that is a definition itself, with the values that are not handlers, and returns its
    /// events.
    pub(crate) fn add_stored_definition(
        &mut self,
        stored: Stored<'_>,
        (read, wrong): (&[ReadHandler], Vec<String>),
        names: &Names,
    ) -> Read {
        let is_own = |one: &&String| **one == stored.schema.collection;
        let first = self.collections.iter().position(|one| is_own(&one));
        let first = first.unwrap_or(0);
        let entries = first..first + self.collections.iter().filter(is_own).count();
        let id = names.text(stored.row);
        let block = STORED + self.stored.len();
        let rule = Rule::new(stored.schema, (entries, block), &id, names);
        let any_event = self.events.keys().map(String::as_str);
        let any_event: BTreeSet<&str> = any_event.collect();
        let has_of = read
            .iter()
            .any(|one| matches!(one.hears, HandledEvents::Of(_)));
        let heard: BTreeSet<String> = match has_of {
            true => any_event.iter().map(|name| (*name).to_owned()).collect(),
            false => events_of_handlers(read.iter())
                .into_iter()
                .map(str::to_owned)
                .collect(),
        };
        let mut events: BTreeMap<String, Event> = BTreeMap::new();
        for name in &heard {
            if let Some(event) = self.events.get(name) {
                events.insert(name.clone(), (**event).clone());
            }
        }
        let mut all: BTreeMap<&str, &mut Event> = events
            .iter_mut()
            .map(|(name, event)| (name.as_str(), event))
            .collect();
        let handled = add_read_handlers(
            &mut all,
            (stored.interpreter, read, &any_event),
            &rule,
            names,
        );
        let limited = self.rules.entries().iter();
        let limited: Vec<bool> = limited
            .map(|entry| !entry.broadcast_if.is_empty())
            .collect();
        for (_, mut event) in events {
            event.derive_flags_of_handlers(&limited);
            self.add_event_with_handlers(event, names);
        }
        let key = (stored.row, stored.entry, value_bytes(&stored.said));
        let read = Read { handled, wrong };
        self.stored.insert(key, read.clone());
        read
    }

    /// Enters an event with its handlers.
    fn add_event_with_handlers(&mut self, mut event: Event, names: &Names) {
        event.id = Some(names.intern(&event.name));
        event.works = OnceCell::new();
        event.tells_of_gone = *event.name == *ENDED;
        self.hears_settled |= *event.name == *SETTLED && !event.listeners.is_empty();
        let (number, event) = (names.intern(&event.name).index(), Rc::new(event));
        let size = self.by_name.len().max(number + 1);
        self.by_name.resize(size, None);
        self.by_name[number] = Some(Rc::clone(&event));
        self.events.insert(event.name.to_string(), event);
    }

    /// Returns an event by its name as a text.
    pub(crate) fn event_named(&self, name: &str) -> Option<&Rc<Event>> {
        self.events.get(name)
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

/// A definition while its handlers are added.
struct Rule<'a> {
    schema: &'a Schema,
    /// `collection/id`.
    name: Name,
    id: Name,
    id_text: &'a str,
    entries: Range<usize>,
    block: usize,
}

impl<'a> Rule<'a> {
    fn new(
        schema: &'a Schema,
        (entries, block): (Range<usize>, usize),
        id: &'a str,
        names: &Names,
    ) -> Rule<'a> {
        Rule {
            block,
            schema,
            name: names.intern(&format!("{}/{id}", schema.collection)),
            id: names.intern(id),
            id_text: id,
            entries,
        }
    }

    /// Returns a handler of it that runs a function, without filters.
    fn handler_without_filters(&self, work: Work) -> Listener {
        Listener {
            rule: self.name,
            id: self.id,
            block: self.block,
            entries: self.entries.clone(),
            is_game: self.schema.listener_rows == ListenerRows::Game,
            work,
            hears_all: false,
            filters: Vec::new(),
            watches: Vec::new(),
            priority: 0,
            round: 1,
        }
    }
}

/// Adds a handler to an event. Returns the entry by which the store finds its row.
fn add_listener(event: &mut Event, listener: Listener, names: &Names) -> Handled {
    let named = listener.filters.iter().any(Filter::wants_element_or_bearer);
    let place = match event
        .listeners
        .iter()
        .rposition(|one| one.block != listener.block)
    {
        // The handlers of one definition are neighbours, and are found by the first of them.
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

/// Adds the handlers that the schema of a definition read, and returns their events. A handler that uses the handlers
/// of another definition is added to `heard`: all events that the collection handles.
fn add_read_handlers(
    events: &mut BTreeMap<&str, &mut Event>,
    (interpreter, read, heard): (&Interpreter, &[ReadHandler], &BTreeSet<&str>),
    rule: &Rule<'_>,
    names: &Names,
) -> Vec<Handled> {
    let mut handled = Vec::new();
    for one in read {
        let listener = |work: Work| Listener {
            hears_all: one.hears_all,
            filters: one.filters.clone(),
            watches: one.watches.iter().map(|name| names.intern(name)).collect(),
            priority: one.priority,
            round: one.round,
            ..rule.handler_without_filters(work)
        };
        match &one.hears {
            HandledEvents::Event(name) => {
                let work = Work::Read {
                    interpreter: interpreter.clone(),
                    key: one.key.clone(),
                    rule: one.table.clone(),
                };
                if let Some(event) = events.get_mut(name.as_str()) {
                    handled.push(add_listener(event, listener(work), names));
                }
            }
            HandledEvents::Of(of) => {
                let named = events.iter_mut().filter(|(name, _)| heard.contains(**name));
                for (_, event) in named {
                    let work = Work::Of(of.clone());
                    handled.push(add_listener(event, listener(work), names));
                }
            }
        }
    }
    handled
}

/// Adds the handlers of a definition, and returns their events.
fn add_own_handlers(
    events: &mut BTreeMap<String, Event>,
    tables: &HashMap<(String, String), Table>,
    rule: &Rule<'_>,
    definition: &Definition,
    names: &Names,
) -> Vec<Handled> {
    let key = (definition.collection.to_string(), definition.id.to_string());
    let handlers = tables
        .get(&key)
        .filter(|_| rule.schema.listener_rows != ListenerRows::None)
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
        let watched = settings.get("watches").items().iter();
        let listener = Listener {
            hears_all: settings.get("hears").as_str() == Some("all"),
            // A filter that is not a test is a finding of the definition.
            filters: Filter::read_where_filters(settings.get("where")).unwrap_or_default(),
            watches: watched
                .filter_map(Value::as_str)
                .map(|name| names.intern(name))
                .collect(),
            priority: settings.get("priority").as_i64().unwrap_or(0),
            round: settings.get("round").as_i64().unwrap_or(1),
            ..rule.handler_without_filters(Work::Own(function))
        };
        handled.push(add_listener(event, listener, names));
    }
    handled
}
