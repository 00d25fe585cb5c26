//! A handler that a schema read of a definition: the table that `handlers` returned, as the host reads it.

use std::collections::{BTreeMap, BTreeSet};

use mlua::{Function, Table, Value as LuaValue};

use super::event::{FOLLOW_WRITES, WATCHES_IN_VAIN};
use super::handler_filters::Filter;
use super::listeners::Listeners;
use crate::diag::near_hint;
use crate::script::border::type_in_words;
use crate::script::border::value_conversion::from_lua;
use crate::value::{Text, Value};

/// The keys of a handler.
const KEYS: [&str; 10] = [
    "all_events",
    "at",
    "data",
    "key",
    "of",
    "on",
    "priority",
    "round",
    "watches",
    "where",
];

/// Handlers of one definition.
pub(crate) const MOST: usize = 1000;

/// Characters of a key.
pub(crate) const LONGEST_KEY: usize = 300;

/// A handler as a schema reads it of a definition.
#[derive(Clone, Debug)]
pub(crate) struct ReadHandler {
    pub(crate) hears: HandledEvents,
    /// Its name as long as its text stays.
    pub(crate) key: Text,
    pub(crate) round: i64,
    pub(crate) priority: i64,
    pub(crate) filters: Vec<Filter>,
    /// The fields and kinds that it watches.
    pub(crate) watches: Vec<Text>,
    pub(crate) hears_all: bool,
    /// The table that the schema returned.
    pub(crate) table: Table,
}

impl ReadHandler {
    /// Returns the error of a filter that looks at a field that the event does not have: the filter is valid, and may
    /// never pass.
    pub(crate) fn unknown_filter_field(&self, events: &Listeners) -> Option<Wrong> {
        let HandledEvents::Event(name) = &self.hears else {
            return None;
        };
        let event = events.event_named(name)?;
        let paths = self.filters.iter().map(|filter| &filter.path);
        let mut unknown =
            paths.filter_map(|path| Some((path, event.untestable_path_reason(path)?)));
        let (path, (wrong, hint)) = unknown.next()?;
        Some(Wrong(
            format!("has a `where` for `{path}` that {wrong}"),
            hint,
        ))
    }
}

/// The events that a handler handles.
#[derive(Clone, Debug)]
pub(crate) enum HandledEvents {
    /// An event.
    Event(String),
    /// The events of the definition that this function names.
    Of(Function),
}

/// The handlers that schemas read, by collection and id.
pub(crate) type ReadHandlers = BTreeMap<(String, String), Vec<ReadHandler>>;

/// Reads a handler with a table that is to be read-only from then on. Errors: the error of the handler.
pub(crate) fn read_handler(said: LuaValue, events: &Listeners) -> Result<ReadHandler, Wrong> {
    let LuaValue::Table(table) = said else {
        let found = type_in_words(said.type_name());
        return Err(format!("is {found} instead of a table").into());
    };
    let get = |key: &str| table.raw_get::<LuaValue>(key).unwrap_or(LuaValue::Nil);
    for pair in table.pairs::<LuaValue, LuaValue>().flatten() {
        let key = pair.0.to_string().unwrap_or_default();
        if !KEYS.contains(&key.as_str()) {
            let near = near_hint(&key, KEYS);
            return Err(Wrong(format!("has the unknown key \"{key}\""), near));
        }
    }
    let key = match get("key") {
        LuaValue::String(key) if !key.as_bytes().is_empty() => key.to_string_lossy(),
        other => {
            let found = type_in_words(other.type_name());
            return Err(format!("has {found} as its `key` instead of a text that names it").into());
        }
    };
    if key.chars().count() > LONGEST_KEY {
        return Err(format!("has a `key` of more than {LONGEST_KEY} characters").into());
    }
    let hears = read_handled_events(&get("on"), get("of"), events)?;
    let number = |name: &str, range: std::ops::RangeInclusive<i64>, otherwise: i64| {
        let value = from_lua(get(name)).unwrap_or(Value::Bool(false));
        match (&value, value.as_i64()) {
            (Value::Nil, _) => Ok(otherwise),
            (_, Some(number)) if range.contains(&number) => Ok(number),
            _ => Err(Wrong::from(format!(
                "has {} as its `{name}` instead of a whole number from {} to {}",
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), |text| format!("the text \"{text}\"")),
                range.start(),
                range.end()
            ))),
        }
    };
    let filters = match from_lua(get("where")) {
        Ok(Value::Nil) => Vec::new(),
        Ok(Value::List(items)) if items.is_empty() => Vec::new(),
        Ok(said @ Value::Map(_)) => {
            Filter::read_where_filters(&said).map_err(|(wrong, hint)| Wrong(wrong, hint))?
        }
        _ => return Err("has a `where` that is not a table of fields with plain values".into()),
    };
    let watches = read_watches(get("watches"), &hears, events)?;
    let hears_all = match get("all_events") {
        LuaValue::Nil => false,
        LuaValue::Boolean(hears_all) => hears_all,
        _ => return Err("has an `all_events` that is neither true nor false".into()),
    };
    let handler = ReadHandler {
        hears,
        key: key.as_str().into(),
        round: number("round", 1..=1000, 1)?,
        priority: number("priority", -1000..=1000, 0)?,
        filters,
        watches,
        hears_all,
        table: table.clone(),
    };
    Ok(handler)
}

/// Reads the fields and kinds that a handler watches. Errors: it is not a list of names, or the event is not emitted
/// because of a write.
fn read_watches(
    said: LuaValue,
    hears: &HandledEvents,
    events: &Listeners,
) -> Result<Vec<Text>, Wrong> {
    let names = match from_lua(said) {
        Ok(Value::Nil) => return Ok(Vec::new()),
        Ok(Value::List(items)) => items
            .iter()
            .map(|one| one.as_str().map(Text::from))
            .collect(),
        _ => None,
    };
    let Some(names) = names else {
        return Err("has `watches` that are not a list of fields and kinds".into());
    };
    let event = match hears {
        HandledEvents::Event(name) => events.event_named(name),
        HandledEvents::Of(_) => None,
    };
    match event {
        Some(event) if event.is_caused_by_writes() => Ok(names),
        _ => Err(Wrong(WATCHES_IN_VAIN.to_owned(), FOLLOW_WRITES.to_owned())),
    }
}

fn read_handled_events(
    on: &LuaValue,
    of: LuaValue,
    events: &Listeners,
) -> Result<HandledEvents, Wrong> {
    match (on, of) {
        (LuaValue::String(event), LuaValue::Nil) => {
            let event = event.to_string_lossy();
            if events.event_named(&event).is_some() {
                return Ok(HandledEvents::Event(event));
            }
            let near = near_hint(&event, events.events().map(|event| &*event.name));
            Err(Wrong(
                format!("handles the unknown event \"{event}\""),
                near,
            ))
        }
        (LuaValue::Nil, LuaValue::Function(of)) => Ok(HandledEvents::Of(of)),
        _ => Err("needs an event under `on` or a function under `of`, and not both".into()),
    }
}

/// Returns the events that handlers handle.
pub(super) fn events_of_handlers<'a>(
    read: impl Iterator<Item = &'a ReadHandler>,
) -> BTreeSet<&'a str> {
    let heard = read.filter_map(|one| match &one.hears {
        HandledEvents::Event(name) => Some(name.as_str()),
        HandledEvents::Of(_) => None,
    });
    heard.collect()
}

/// The error of a handler, and a hint.
pub(crate) struct Wrong(pub(crate) String, pub(crate) String);

impl From<String> for Wrong {
    fn from(what: String) -> Wrong {
        Wrong(what, String::new())
    }
}

impl From<&str> for Wrong {
    fn from(what: &str) -> Wrong {
        Wrong(what.to_owned(), String::new())
    }
}
