//! The names that people may type at this moment: entities of the game, definitions, and names that rules find.
//!
//! An entity that the typing person may not see has no name: its id is read and completed as if the entity did not
//! exist.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use mlua::{Function, IntoLuaMulti, Lua, Value as LuaValue};

use super::seats::known_seats;
use crate::diag::Diagnostic;
use crate::doc::{Audience, Viewer};
use crate::script::border::argument_values::read_plain_value;
use crate::script::border::root_error;
use crate::script::border::type_in_words;
use crate::script::declare::name_type::NameType;
use crate::script::declare::template_owner::{EACH_READER, READER, SEAT};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::rules::Rules;
use crate::script::run::visibility::Sight;
use crate::store::{StatVisibility, State};
use crate::text::{NameFold, NameSource, NameTable};
use crate::value::{Name, Value};

/// Fuel of listing the names of a row.
const NAME: u64 = 112;

/// Names by slot type. Each set is made at its first use.
pub(crate) struct GameNames<'a> {
    tables: BTreeMap<&'a str, OnceCell<NameTable>>,
    make: Box<dyn Fn(&str) -> NameTable + 'a>,
}

impl<'a> GameNames<'a> {
    /// Returns the names of some rules in a state. `viewer` returns the person who types. `found` asks a function of
    /// the ruleset for its names. `charge` is called with the fuel of making a set.
    pub(crate) fn new(
        rules: &'a Rules,
        state: &'a State,
        viewer: impl Fn() -> Viewer + 'a,
        found: impl Fn(&str) -> NameTable + 'a,
        charge: impl Fn(u64) + 'a,
    ) -> GameNames<'a> {
        let tables = rules
            .name_types
            .keys()
            .map(|name| (name.as_str(), OnceCell::new()))
            .collect();
        let known = Known {
            state,
            viewer: OnceCell::new(),
            find: Box::new(viewer),
        };
        let make = move |name: &str| match rules.name_types.get(name) {
            Some(NameType::Entities(kind)) => {
                charge(state.entity_count() as u64 * NAME);
                visible_entity_names(&known, kind)
            }
            Some(NameType::Records) => {
                charge(state.record_count() as u64 * NAME);
                record_ids_if_all_visible(&known)
            }
            Some(NameType::Definitions(collection)) => definition_names(rules, collection),
            Some(NameType::Fields) => {
                charge(state.entity_count() as u64 * NAME);
                field_names(rules, &known)
            }
            Some(NameType::Found) => found(name),
            None => NameTable::default(),
        };
        GameNames {
            tables,
            make: Box::new(make),
        }
    }
}

impl NameSource for GameNames<'_> {
    fn names(&self, type_name: &str) -> Option<&NameTable> {
        let cell = self.tables.get(type_name)?;
        Some(cell.get_or_init(|| (self.make)(type_name)))
    }
}

/// The entities that the person who types may see.
struct Known<'a> {
    state: &'a State,
    viewer: OnceCell<Viewer>,
    find: Box<dyn Fn() -> Viewer + 'a>,
}

impl Known<'_> {
    /// Returns whether the person may see a field of a visible entity. The viewer is found only if the field is not
    /// public.
    fn may_see_field(&self, row: Name, field: Name) -> bool {
        let state = self.state;
        state.stats().declaration_of(field).seen == StatVisibility::Public
            || Sight::new(state, self.viewer.get_or_init(&self.find)).can_see_field(row, field)
    }

    /// Returns the rows that are visible entities. The viewer is found only if a row has an audience.
    fn visible_entities(&self, rows: Vec<Name>) -> impl Iterator<Item = Name> {
        let state = self.state;
        let entities = rows.into_iter().filter(|row| state.owner(*row).is_none());
        entities.filter(|row| {
            state.get(*row, state.reserved().seen).is_nil()
                || Sight::new(state, self.viewer.get_or_init(&self.find)).can_see_row(*row)
        })
    }
}

/// Asks the ruleset for names. Errors: its function failed.
pub(crate) fn ask_ruleset_names(
    lua: &Lua,
    host: &Host,
    rules: &Rules,
    name: &str,
) -> mlua::Result<NameTable> {
    if name == SEAT {
        return Ok(self_named_table(known_seats(host, rules)?.known_names()));
    }
    if name == READER {
        return Ok(reader_table(known_seats(host, rules)?.known_names(), []));
    }
    let (Some(function), Some(act)) = (rules.slot_names_function(name), host.live_act()) else {
        return Ok(NameTable::default());
    };
    let _scope = host
        .meter
        .enter_script_call()
        .map_err(HostError::error_of_limit)?;
    host.note_place_at_limit(names_from_function(&function, act, name, lua))
}

/// Asks a function of the ruleset for the names of a slot type. The function returns a list of names that are their own
/// values, or a map from names to values. Errors: it fails, or returns another value.
pub(crate) fn names_from_function(
    function: &Function,
    act: impl IntoLuaMulti,
    name: &str,
    lua: &Lua,
) -> mlua::Result<NameTable> {
    let made: LuaValue = function.call(act)?;
    let from = made.type_name();
    let made = read_plain_value(made, lua).map_err(|error| match root_error(&error) {
        mlua::Error::FromLuaConversionError { message, .. } => {
            wrong_names_error(name, from, message.as_deref())
        }
        _ => error,
    })?;
    names_in_value(&made).ok_or_else(|| wrong_names_error(name, from, None))
}

fn wrong_names_error(name: &str, from: &str, reason: Option<&str>) -> mlua::Error {
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    let expected = "a list of texts, or texts, numbers and truth values by name";
    let message = format!(
        "the names for {{{name}}} are {expected}, found {}{reason}",
        type_in_words(from)
    );
    HostError::error_of_finding(Diagnostic::error("script/names", message))
}

/// Returns the names that plain data lists or maps. Returns nothing if the data holds another value.
fn names_in_value(made: &Value) -> Option<NameTable> {
    let mut table = NameTable::new(NameFold::Words);
    match made {
        Value::List(items) => {
            for name in items.iter() {
                table.insert(name.as_str()?, name.clone());
            }
        }
        Value::Map(entries) => {
            for (name, value) in entries.iter() {
                match value {
                    Value::Text(_) | Value::Number(_) | Value::Bool(_) => {}
                    Value::Nil | Value::List(_) | Value::Map(_) => return None,
                }
                table.insert(&**name, value.clone());
            }
        }
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => return None,
    }
    Some(table)
}

fn visible_entity_names(known: &Known<'_>, kind: &str) -> NameTable {
    let state = known.state;
    let mut table = NameTable::new(NameFold::Words);
    let names = state.names();
    let rows = match names.find(kind) {
        _ if kind.is_empty() => state.rows(),
        Some(kind) => state.rows_of_kind(kind).collect(),
        None => Vec::new(),
    };
    let field = names.find("name");
    for row in known.visible_entities(rows) {
        let id = names.text(row);
        if let Some(name) = field.and_then(|field| state.get(row, field).as_str()) {
            table.insert(name, Value::Text(id.clone()));
        }
        table.insert(&*id, Value::Text(id.clone()));
    }
    table
}

/// Returns the ids of all records, for a reader who sees everything: a seat gets no numbers of records.
fn record_ids_if_all_visible(known: &Known<'_>) -> NameTable {
    let state = known.state;
    if *known.viewer.get_or_init(&known.find) != Viewer::Gm {
        return NameTable::default();
    }
    let rows = state.rows().into_iter();
    let records = rows.filter(|row| state.owner(*row).is_some());
    self_named_table(
        records
            .map(|row| state.names().text(row).to_string())
            .collect(),
    )
}

/// Returns the declared stats and the fields of all entities.
fn field_names(rules: &Rules, known: &Known<'_>) -> NameTable {
    let state = known.state;
    let mut found: BTreeSet<String> = rules.stat_summaries.keys().cloned().collect();
    for row in known.visible_entities(state.rows()) {
        let fields = state.field_names_of_row(row).into_iter();
        let seen = fields.filter(|field| known.may_see_field(row, *field));
        found.extend(seen.map(|field| state.names().text(field).to_string()));
    }
    self_named_table(
        found
            .into_iter()
            .filter(|name| !name.starts_with('@'))
            .collect(),
    )
}

fn definition_names(rules: &Rules, collection: &str) -> NameTable {
    let mut table = NameTable::new(NameFold::Words);
    for definition in rules.registry.of_collection(collection) {
        table.insert(definition.name(), Value::Text(definition.id.clone()));
        table.insert(&*definition.id, Value::Text(definition.id.clone()));
    }
    table
}

/// Returns the words for readers, each with the text of its audience: everybody, the game master, each reader in turn,
/// the seats, and groups whose names mean nobody else.
pub(crate) fn reader_table(
    seats: Vec<String>,
    groups: impl IntoIterator<Item = String>,
) -> NameTable {
    let mut table = NameTable::new(NameFold::Words);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for audience in [Audience::Public, Audience::Gm] {
        let word = audience.to_string();
        table.insert(word.as_str(), word.as_str());
        taken.insert(word);
    }
    table.insert(EACH_READER, EACH_READER);
    taken.insert(EACH_READER.to_owned());
    for seat in seats {
        if taken.insert(seat.to_lowercase()) {
            table.insert(
                seat.as_str(),
                Audience::Seat(seat.clone()).to_string().as_str(),
            );
        }
    }
    for group in groups {
        if taken.insert(group.to_lowercase()) {
            table.insert(
                group.as_str(),
                Audience::Group(group.clone()).to_string().as_str(),
            );
        }
    }
    table
}

/// Returns names that are their own values.
pub(crate) fn self_named_table(names: Vec<String>) -> NameTable {
    let mut table = NameTable::new(NameFold::Words);
    for name in names {
        table.insert(name.as_str(), name.as_str());
    }
    table
}
