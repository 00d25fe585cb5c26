//! One event with its listeners: its declaration, and its handlers in the order of their definitions.
//!
//! In: the declarations of rules. Out: handlers by their places, and the values by which the frame of events calls
//! them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::rc::Rc;

use mlua::{Function, Lua, Table};

use super::handler_filters::{Filter, untestable_reason};
use super::handler_interpreter::Interpreter;
use crate::content::{Node, Registry};
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::declare::event_settings::{EVENT, EventSettings};
use crate::script::declare::listener_order::{Key, ORDER};
use crate::script::declare::listener_rows::ON;
use crate::script::declare::schema::Schema;
use crate::value::{Name, Text, split_first_key};

/// The event that reports the end of a record.
pub(crate) const ENDED: &str = "ended";

/// The event that is emitted after others if there was a write.
pub(crate) const SETTLED: &str = "settled";

/// The events that the host itself emits: name, summary, and fields.
pub(crate) const HOST_EVENTS: [(&str, &str, &[&str]); 9] = [
    (
        ENDED,
        "an attribute ended; `how` is the cause: phase, turn, rounds, time, uses, with, event, when or detached; `reason` is a text for people",
        &[
            "record", "kind", "owner", "bearer", "how", "reason", "values",
        ],
    ),
    ("phase_began", "a phase began", &["phase", "number"]),
    ("phase_ended", "a phase ended", &["phase", "number"]),
    ("round_began", "a round began", &["round"]),
    ("round_ended", "a round ended", &["round"]),
    ("turn_began", "a turn began", &["who", "number", "round"]),
    ("turn_ended", "a turn ended", &["who", "number", "round"]),
    (
        "poll_closed",
        "a poll was closed",
        &[
            "poll", "key", "owner", "winner", "winners", "tally", "voters",
        ],
    ),
    (
        SETTLED,
        "something was written, and its effects are done: emitted after each event and each step, at most ten times in a row",
        &[],
    ),
];

/// Returns the events of the host: name, summary, and fields.
pub fn host_events() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])>
{
    HOST_EVENTS.into_iter()
}

/// Fields of every event: its addressees.
const ADDRESSED: [&str; 2] = ["to", "at"];

/// The error of a handler that watches anything although the event is not emitted because of a write, and a suggestion.
pub(crate) const WATCHES_IN_VAIN: &str =
    "has `watches`, but this event does not follow from what is written";
pub(crate) const FOLLOW_WRITES: &str =
    "handle `settled`, or an event declared with until_quiet = true";

/// One handler of one definition.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    /// The definition, `collection/id`.
    pub(crate) rule: Name,
    /// Its id.
    pub(crate) id: Name,
    /// The number of this reading of the definition. A definition that is a row may change later, and is read again.
    pub(super) block: usize,
    /// The entries of the store's rules that choose its listeners; none for the game.
    pub(crate) entries: Range<usize>,
    pub(crate) is_game: bool,
    pub(crate) work: Work,
    /// Whether it handles events that are addressed to others.
    pub(crate) hears_all: bool,
    pub(crate) filters: Vec<Filter>,
    /// The fields and kinds that it watches, if the event is emitted because of a write.
    pub(crate) watches: Vec<Name>,
    pub(crate) priority: i64,
    pub(crate) round: i64,
}

/// The function that runs when a handler handles an event.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A function of the definition itself.
    Own(Function),
    /// The schema of the definition, with its reading of the handler.
    Read {
        interpreter: Interpreter,
        key: Text,
        rule: Table,
    },
    /// The handlers of the definition of the collection that this function names.
    Of(Function),
}

impl Work {
    /// Returns the function that runs, for the place of the rule.
    pub(crate) fn function(&self) -> &Function {
        match self {
            Work::Own(function) => function,
            Work::Read { interpreter, .. } => &interpreter.fire,
            Work::Of(of) => of,
        }
    }

    /// Returns the key of a handler that a schema read.
    pub(crate) fn key(&self) -> Option<&Text> {
        match self {
            Work::Read { key, .. } => Some(key),
            Work::Own(_) | Work::Of(_) => None,
        }
    }
}

/// One declared event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) name: Rc<str>,
    /// The same as a name of the game; known when its handlers are.
    pub(crate) id: Option<Name>,
    /// The values by which the frame of events calls its handlers, in their order: see [`Event::handler_tables`].
    pub(super) works: OnceCell<Table>,
    /// Whether the row that it is about may handle it although the row is gone.
    pub(crate) tells_of_gone: bool,
    /// Its summary.
    pub(crate) summary: String,
    pub(crate) settings: EventSettings,
    /// Whether a definition is the event, and not a declaration.
    is_defined: bool,
    pub(crate) listeners: Vec<Listener>,
    /// The handlers of the game, by their place.
    pub(crate) of_game: Vec<usize>,
    /// Whether a handler uses the handlers of another definition.
    pub(crate) has_of: bool,
    /// Whether a handler watches fields and kinds.
    pub(crate) has_watches: bool,
    /// Whether handlers of one definition have one key.
    pub(crate) has_alternatives: bool,
    /// Filters for the listener or its bearer in a field, each once.
    pub(crate) named: Vec<Filter>,
    /// The fields that filters and order look at, each once.
    pub(crate) fields: BTreeSet<String>,
    /// Whether a row may be a listener by several entries of a schema.
    pub(crate) may_repeat: bool,
    /// Whether recipients and their order stay the same until a row is added or removed, or a field names another row.
    pub(crate) is_lasting: bool,
}

/// Returns the given events, and the events of definitions. A declared event keeps its declaration.
pub(crate) fn add_defined_events(
    mut events: BTreeMap<String, Event>,
    schemas: &BTreeMap<String, Schema>,
    registry: &Registry,
) -> BTreeMap<String, Event> {
    for (collection, schema) in schemas {
        let Some(settings) = &schema.events else {
            continue;
        };
        for definition in registry.of_collection(collection) {
            let own = definition.value.get(EVENT);
            let settings = EventSettings::of_value(own).with_defaults(settings);
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

/// Returns the declared events of a ruleset and of the host, without listeners.
pub(crate) fn declared_events(ruleset: &Node) -> BTreeMap<String, Event> {
    let host = HOST_EVENTS.iter().map(|(name, summary, fields)| {
        let fields = fields.iter().map(|field| (*field).to_owned());
        let event = Event {
            name: Rc::from(*name),
            summary: (*summary).to_owned(),
            settings: EventSettings {
                fields: Some(fields.collect()),
                ..EventSettings::default()
            },
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

    /// Returns three lists of values to call its handlers, in their order. The first holds the functions. The second
    /// holds the table that a schema returned for its handler, or false. The third holds the other functions of that
    /// schema, or false. The lists are made once, and `made` is called then. Errors: memory.
    pub(crate) fn handler_tables(
        &self,
        lua: &Lua,
        made: impl FnOnce(&Table) -> mlua::Result<()>,
    ) -> mlua::Result<&Table> {
        if let Some(works) = self.works.get() {
            return Ok(works);
        }
        let listed = |value: fn(&Work) -> mlua::Value| {
            lua.create_sequence_from(self.listeners.iter().map(|one| value(&one.work)))
        };
        let works = lua.create_sequence_from([
            listed(|work| mlua::Value::Function(work.function().clone()))?,
            listed(|work| match work {
                Work::Read { rule, .. } => mlua::Value::Table(rule.clone()),
                Work::Own(_) | Work::Of(_) => mlua::Value::Boolean(false),
            })?,
            listed(|work| match work {
                Work::Read { interpreter, .. } => mlua::Value::Table(interpreter.frame.clone()),
                Work::Own(_) | Work::Of(_) => mlua::Value::Boolean(false),
            })?,
        ])?;
        made(&works)?;
        Ok(self.works.get_or_init(|| works))
    }

    /// Returns the keys that it is ordered by.
    pub(crate) fn order_keys(&self) -> &[Key] {
        match self.settings.order.as_slice() {
            [] => &ORDER,
            order => order,
        }
    }

    /// Returns its summary for people, with its fields.
    pub(crate) fn summary_for_people(&self) -> String {
        match self.settings.fields.as_deref() {
            None | Some([]) => self.summary.clone(),
            Some(fields) => format!("{} ({})", self.summary, fields.join(", ")),
        }
    }

    /// Returns why a filter can never test this path of it, and a suggestion. Returns nothing if a filter can.
    pub(crate) fn untestable_path_reason(&self, path: &str) -> Option<(String, String)> {
        let fields = self.settings.fields.as_ref()?;
        let field = split_first_key(path).0;
        if fields.iter().any(|one| one == field) || ADDRESSED.contains(&field) {
            return None;
        }
        let near = match near_hint(field, fields.iter().map(String::as_str)) {
            near if !near.is_empty() => near,
            _ if fields.is_empty() => "this event has no fields".to_owned(),
            _ => format!("its fields are {}", fields.join(", ")),
        };
        let wrong = format!(
            "looks at \"{field}\", which the event \"{}\" does not have",
            self.name
        );
        Some((wrong, near))
    }

    /// Checks that it has the fields that are needed to end a record. Errors: it has no such field.
    pub(crate) fn check_end_condition_fields(&self, paths: &[&str]) -> Result<(), Box<Diagnostic>> {
        let mut unknown = paths
            .iter()
            .filter_map(|path| Some((path, self.untestable_path_reason(path)?)));
        let Some((path, (wrong, near))) = unknown.next() else {
            return Ok(());
        };
        let message = format!("the \"where\" of an end for \"{path}\" {wrong}");
        Err(Box::new(
            Diagnostic::error("store/bad-ends", message).hint(near),
        ))
    }

    /// Returns whether it is emitted because of writes, so that handlers may watch fields and kinds.
    pub(crate) fn is_caused_by_writes(&self) -> bool {
        *self.name == *SETTLED || self.settings.is_until_quiet()
    }

    /// Returns whether a trace notes its emission. For events that content handles, and for `settled`, the effects are
    /// enough, if the ruleset does not declare otherwise.
    pub(crate) fn is_noted_in_trace(&self) -> bool {
        let is_own = !self.is_defined && *self.name != *SETTLED;
        self.settings.traced.unwrap_or(is_own)
    }

    /// Returns the handlers of a definition and their places. Its first handler is at `place`.
    pub(crate) fn handlers_of_definition_at(
        &self,
        place: usize,
    ) -> impl Iterator<Item = (usize, &Listener)> {
        let all = self.listeners.iter().enumerate().skip(place);
        let block = self.listeners.get(place).map(|first| first.block);
        all.take_while(move |(_, one)| Some(one.block) == block)
    }

    /// Computes the flags about its handlers that each emission needs.
    pub(super) fn derive_flags_of_handlers(&mut self, limited: &[bool]) {
        let all = || self.listeners.iter().enumerate();
        self.has_of = all().any(|(_, one)| matches!(one.work, Work::Of(_)));
        self.has_watches = all().any(|(_, one)| !one.watches.is_empty());
        let mut keys = HashSet::new();
        self.has_alternatives = self.listeners.iter().any(|one| {
            let key = one.work.key();
            key.is_some_and(|key| !keys.insert((one.block, key)))
        });
        self.of_game = all()
            .filter(|(_, one)| one.is_game)
            .map(|(at, _)| at)
            .collect();
        let filters = || self.listeners.iter().flat_map(|one| &one.filters);
        for filter in filters().filter(|filter| filter.wants_element_or_bearer()) {
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
            .map(|path| split_first_key(path).0.to_owned())
            .collect();
        self.may_repeat = self.listeners.iter().any(|one| one.entries.len() > 1);
        let is_limited = |one: &Listener| limited[one.entries.clone()].contains(&true);
        self.is_lasting = filters().next().is_none()
            && !self.has_of
            && !self.has_watches
            && !self.listeners.iter().any(is_limited)
            && self.settings.order.iter().all(Key::is_independent_of_event);
    }
}

/// Reports handlers of undeclared events, filters without a test, and useless watches.
pub(crate) fn handler_findings(
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
            format!("unknown event \"{}\"", entry.key),
        )
        .hint(near_hint(&entry.key, events.keys().map(String::as_str)))
        .hint("declare events in ruleset.luau under `events`")
        .at(source, entry.key_span)
    });
    let filters = handlers.iter().flat_map(|entry| {
        let filters = entry.node.get("where").map(Node::entries);
        let filters = filters.unwrap_or_default().iter();
        filters.map(|filter| (events.get(&*entry.key), filter))
    });
    let untested = filters.flat_map(|(event, entry)| {
        let finding = |make: fn(&'static str, String) -> Diagnostic, (wrong, hint), span| {
            let message = format!("the `where` for `{}` {wrong}", entry.key);
            make("script/where", message).hint(hint).at(source, span)
        };
        let value = untestable_reason(&entry.node.to_value());
        let value = value.map(|wrong| finding(Diagnostic::error, wrong, entry.node.span));
        // It is valid all the same: games were kept with such rules.
        let field = event.and_then(|event| event.untestable_path_reason(&entry.key));
        let field = field.map(|wrong| finding(Diagnostic::warning, wrong, entry.key_span));
        [value, field].into_iter().flatten()
    });
    let watching = handlers.iter().filter(|entry| {
        let event = events.get(&*entry.key);
        event.is_some_and(|event| !event.is_caused_by_writes())
    });
    let in_vain = watching.filter_map(|entry| {
        let watches = entry.node.get("watches")?;
        let message = format!("the handler of `{}` {WATCHES_IN_VAIN}", entry.key);
        let finding = Diagnostic::error("script/watches", message);
        Some(finding.hint(FOLLOW_WRITES).at(source, watches.span))
    });
    report.chain(untested).chain(in_vain).collect()
}
