//! Methods of `act` that make, remove, read and find rows.

use std::collections::BTreeSet;

use mlua::Lua;

use super::check_visible_to;
use super::record_attachment::with_present_option_names;
use super::row_arguments::{VISIBLE_TO, read_new_row_fields, store_refusal};
use crate::diag::{Diagnostic, near_hint};
use crate::script::api::refusal_error;
use crate::script::border::argument_values::Texts;
use crate::script::border::stack_value::{Argument, NameArgument, Returned, This};
use crate::script::border::value_conversion::fuel_of_passing_value;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::expression_callbacks;
use crate::script::run::Run;
use crate::script::run::reserved_ids::IDS;
use crate::store::{Look, State, StoreError, Write, is_host_name};
use crate::value::{Name, Text, Value};

pub(super) fn create_row(
    _: &Lua,
    host: &Host,
    (act, kind, fields, id, options): (
        This,
        NameArgument,
        Option<Argument>,
        Option<NameArgument>,
        Option<Argument>,
    ),
) -> mlua::Result<String> {
    let options = options.map_or(Value::Nil, |options| with_present_option_names(options.0));
    check_visible_to(host, options.get(VISIBLE_TO))?;
    let mut run = host.ruling_to_change(act)?;
    let kind = host.new_name(&kind)?;
    let mut fields = read_new_row_fields(host, &run, fields)?;
    if let Some(seen) = read_visible_to(&options)? {
        fields.push((run.state.reserved().seen, seen));
    }
    let row = match id {
        Some(id) => host.new_name(&id)?,
        None => unused_id_of_kind(host, &run, kind)?,
    };
    run.state
        .apply(Write::Put {
            row,
            kind,
            owner: None,
            fields,
        })
        .map_err(store_refusal)?;
    Ok(host.names.text(row).to_string())
}

/// Returns the audience of a new entity, if its options give one. Errors: an unknown option.
fn read_visible_to(options: &Value) -> mlua::Result<Option<Value>> {
    let mut keys = options.as_map().into_iter().flat_map(|map| map.keys());
    if let Some(key) = keys.find(|key| &***key != VISIBLE_TO) {
        let message = format!("`act:create` has no option \"{key}\"");
        let finding = Diagnostic::error("script/argument", message);
        return Err(HostError::error_of_finding(
            finding.hint(near_hint(key, [VISIBLE_TO])),
        ));
    }
    let seen = options.get(VISIBLE_TO);
    if seen.is_nil() {
        return Ok(None);
    }
    Ok(Some(seen.clone()))
}

/// Notes that a row with a given-out id is removed, so that no other row gets the id.
pub(super) fn note_gone_id(host: &Host, run: &mut Run, row: Name) -> mlua::Result<()> {
    let state = &mut run.state;
    let Some(kind) = state.kind(row).filter(|_| state.owner(row).is_none()) else {
        return Ok(());
    };
    let id = host.names.text(row);
    let number = id.strip_prefix(&*host.names.text(kind));
    let number = number.and_then(|rest| rest.strip_prefix('-')?.parse::<i64>().ok());
    let Some(number) = number.filter(|number| *number > highest_gone_number(host, run, kind))
    else {
        return Ok(());
    };
    let state = &mut run.state;
    let ids = host.names.intern(IDS);
    if !state.exists(ids) {
        let made = Write::Put {
            row: ids,
            kind: ids,
            owner: None,
            fields: Vec::new(),
        };
        state.apply(made).map_err(store_refusal)?;
    }
    let noted = Write::Set {
        row: ids,
        field: kind,
        value: number.into(),
    };
    state.apply(noted).map_err(store_refusal)
}

/// Returns the highest number among the given-out ids of a kind that are gone, or 0.
fn highest_gone_number(host: &Host, run: &Run, kind: Name) -> i64 {
    let ids = host.names.find(IDS);
    let number = ids.and_then(|ids| run.state.get(ids, kind).as_i64());
    number.unwrap_or(0)
}

/// Returns an id of `kind-1`, `kind-2` … that no row has or had. It is the first one if the used numbers have no gaps.
///
/// The search tests few numbers: it doubles the distance until one is free, then searches between the last taken one
/// and that.
fn unused_id_of_kind(host: &Host, run: &Run, kind: Name) -> mlua::Result<Name> {
    let gone = u64::try_from(highest_gone_number(host, run, kind)).unwrap_or(0);
    let kind = host.names.text(kind);
    let is_taken = |number: u64| {
        let name = host.names.find(&format!("{kind}-{}", gone + number));
        name.is_some_and(|name| run.state.exists(name))
    };
    let (mut taken, mut free) = (0, 1);
    while is_taken(free) {
        (taken, free) = (free, free * 2);
    }
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        if is_taken(middle) {
            taken = middle;
        } else {
            free = middle;
        }
    }
    host.charge(u64::from(free.ilog2()))?;
    Ok(host.names.intern(&format!("{kind}-{}", gone + free)))
}

pub(super) fn row_exists(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<bool> {
    let run = host.ruling(act)?;
    Ok(host
        .existing_name(&row)
        .is_ok_and(|row| run.state.exists(row)))
}

pub(super) fn kind_of_row(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<Option<String>> {
    let run = host.ruling(act)?;
    let row = host
        .existing_name(&row)
        .ok()
        .filter(|row| run.state.exists(*row));
    let kind = row.and_then(|row| run.state.kind(row));
    Ok(kind.map(|kind| host.names.text(kind).to_string()))
}

pub(super) fn read_row(
    _: &Lua,
    host: &Host,
    (act, row): (This, NameArgument),
) -> mlua::Result<Returned> {
    let run = host.ruling(act)?;
    match host
        .existing_name(&row)
        .ok()
        .filter(|row| run.state.exists(*row))
    {
        Some(row) => row_value(host, &run, row).map(Returned),
        None => Ok(Returned(Value::Nil)),
    }
}

/// Returns the stored fields of a row and its `id`. Fields of the store itself appear without their `@`. The store's
/// count of turns is left out, because it would look like a field of the rules.
pub(super) fn row_value(host: &Host, run: &Run, row: Name) -> mlua::Result<Value> {
    fields_value(host, run, row, |field| run.state.get(row, field).clone())
}

/// Returns the fields of a row with these values, without those that have none, and its `id`.
pub(super) fn fields_value(
    host: &Host,
    run: &Run,
    row: Name,
    value_of: impl Fn(Name) -> Value,
) -> mlua::Result<Value> {
    let state = &run.state;
    let fields = state.field_names_of_row(row);
    let turns = state.reserved().turns;
    let fields = fields.iter().filter(|field| **field != turns);
    let fields = fields.filter_map(|field| {
        let text = host.names.text(*field);
        let own = text.strip_prefix('@').map(Text::from);
        let value = value_of(*field);
        (!value.is_nil()).then_some((own.unwrap_or(text), value))
    });
    let id = (Text::from("id"), Value::Text(host.names.text(row)));
    let made = Value::map(fields.chain([id]));
    host.charge(fuel_of_passing_value(&made))?;
    Ok(made)
}

/// Fuel for a field of a row.
const FIELD: u64 = 12;

/// A field as rows show it. If the store and the rules have a field of that name, the field of the store is used.
#[derive(Clone, Copy)]
struct Field([Option<Name>; 2]);

impl Field {
    /// Finds a field by the name that rows show.
    fn new(host: &Host, state: &State, shown: &str) -> Field {
        let own = host.names.find(&format!("@{shown}"));
        let own = own.filter(|own| *own != state.reserved().turns);
        let of_rules = host.names.find(shown).filter(|_| !is_host_name(shown));
        Field([own, of_rules])
    }

    /// Returns the stored value of a row.
    fn stored_value<'a>(&self, state: &'a State, row: Name) -> &'a Value {
        let mut values = self.0.iter().flatten().map(|name| state.get(row, *name));
        values.find(|value| !value.is_nil()).unwrap_or(&Value::Nil)
    }
}

/// Returns the fuel of showing some fields of some rows.
pub(in crate::script::api) fn fuel_of_fields(rows: usize, fields: usize) -> u64 {
    rows as u64 * FIELD * (fields + 1) as u64
}

pub(super) fn find_row_ids(
    lua: &Lua,
    host: &Host,
    (act, Argument(filter)): (This, Argument),
) -> mlua::Result<Returned> {
    let found = rows_matching_filter(lua, host, act, ("find", &filter))?;
    Ok(Returned(ids_value(host, &found)))
}

pub(super) fn find_rows_with_fields(
    lua: &Lua,
    host: &Host,
    (act, Argument(filter), fields): (This, Argument, Option<Texts>),
) -> mlua::Result<Returned> {
    let found = rows_matching_filter(lua, host, act, ("rows", &filter))?;
    if found.is_empty() {
        return Ok(Returned(Value::list(Vec::new())));
    }
    let run = host.ruling(act)?;
    let Some(Texts(fields)) = fields else {
        let rows = found.into_iter().map(|row| row_value(host, &run, row));
        let rows: mlua::Result<Vec<Value>> = rows.collect();
        return Ok(Returned(Value::list(rows?)));
    };
    host.charge(fuel_of_fields(found.len(), fields.len()))?;
    Ok(Returned(rows_with_fields(
        host, &run.state, &found, &fields,
    )))
}

/// Returns the ids of rows.
pub(in crate::script::api) fn ids_value(host: &Host, rows: &[Name]) -> Value {
    Value::list(rows.iter().map(|row| Value::Text(host.names.text(*row))))
}

/// Returns rows with some of their fields, and their ids.
pub(in crate::script::api) fn rows_with_fields(
    host: &Host,
    state: &State,
    rows: &[Name],
    fields: &[String],
) -> Value {
    if rows.is_empty() {
        return Value::list([]);
    }
    let fields = fields.iter().map(|shown| {
        let field = Field::new(host, state, shown);
        (Text::from(&**shown), field)
    });
    let fields: Vec<(Text, Field)> = fields.collect();
    let row = |row: &Name| {
        let id = (Text::from("id"), Value::Text(host.names.text(*row)));
        let value = |(shown, field): &(Text, Field)| {
            let value = field.stored_value(state, *row);
            (Text::clone(shown), value.clone())
        };
        Value::map(fields.iter().map(value).chain([id]))
    };
    Value::list(rows.iter().map(row))
}

/// Returns the rows that match the filter of a method. Errors: the filter is invalid, or reading the stats of the rows
/// fails.
fn rows_matching_filter(
    lua: &Lua,
    host: &Host,
    act: This,
    (method, filter): (&str, &Value),
) -> mlua::Result<Vec<Name>> {
    let run = host.ruling(act)?;
    check_row_filter(method, filter)?;
    let rows = rows_of_filter_kind_and_owner(host, &run, (method, filter))?;
    host.charge(fuel_of_finding_rows(rows.len()))?;
    let wanted = filter.get("where").as_map().into_iter().flatten();
    let wanted: Vec<(Option<Name>, &Value)> = wanted
        .map(|(field, value)| (host.names.find(field), value))
        .collect();
    match wanted.is_empty() {
        true => Ok(rows),
        false => expression_callbacks::look_with_rules(lua, host, run, |look| {
            rows_showing_wanted_stats(look, rows, &wanted)
        }),
    }
}

/// Errors: `script/argument` for an unknown filter and for one of a wrong kind.
fn check_row_filter(method: &str, filter: &Value) -> mlua::Result<()> {
    let known = ["kind", "owner", "where"];
    for (key, value) in filter.as_map().into_iter().flatten() {
        let key = &**key;
        let (fits, expected) = match key {
            "kind" | "owner" => (value.as_str().is_some(), "a text"),
            // A table without keys is an empty list for scripts.
            "where" => (
                value.as_map().is_some() || matches!(value, Value::List(list) if list.is_empty()),
                "a table of fields and values",
            ),
            _ => {
                let message = format!("`act:{method}` has no filter \"{key}\"");
                let finding = Diagnostic::error("script/argument", message);
                return Err(HostError::error_of_finding(
                    finding.hint(near_hint(key, known)),
                ));
            }
        };
        if !fits {
            let message = format!(
                "the filter `{key}` of `act:{method}` is {expected}, found a {}",
                value.kind()
            );
            return Err(refusal_error("script/argument", message));
        }
    }
    Ok(())
}

/// Returns the rows of the kind and owner that a filter names. Errors: the filter names neither.
fn rows_of_filter_kind_and_owner(
    host: &Host,
    run: &Run,
    (method, filter): (&str, &Value),
) -> mlua::Result<Vec<Name>> {
    let known = |key: &str| {
        let text = filter.get(key).as_str()?;
        Some(host.names.find(text).filter(|_| !is_host_name(text)))
    };
    rows_of_kind_and_owner(&run.state, known("kind"), known("owner")).ok_or_else(|| {
        refusal_error(
            "script/argument",
            format!("`act:{method}` needs a `kind` or an `owner` to look for"),
        )
    })
}

/// Returns the rows of a kind, of an owner, or of both. A name that the game does not use has no rows. Returns `None`
/// if neither is given.
pub(in crate::script::api) fn rows_of_kind_and_owner(
    state: &State,
    kind: Option<Option<Name>>,
    owner: Option<Option<Name>>,
) -> Option<Vec<Name>> {
    Some(match (kind, owner) {
        (None, None) => return None,
        (Some(None), _) | (_, Some(None)) => Vec::new(),
        (Some(Some(kind)), None) => state.rows_of_kind(kind).collect(),
        (None, Some(Some(owner))) => state.records_of(owner).collect(),
        (Some(kind), Some(Some(owner))) => {
            let records = state.records_of(owner);
            records.filter(|row| state.kind(*row) == kind).collect()
        }
    })
}

/// Returns the fuel for finding this number of rows.
pub(in crate::script::api) fn fuel_of_finding_rows(rows: usize) -> u64 {
    2 * rows as u64
}

/// Returns the rows with stats that show all wanted values. A name that the game does not use has no value.
fn rows_showing_wanted_stats(
    look: Look<'_>,
    mut rows: Vec<Name>,
    wanted: &[(Option<Name>, &Value)],
) -> Result<Vec<Name>, StoreError> {
    for (field, value) in wanted {
        let Some(field) = *field else {
            return Ok(Vec::new());
        };
        let mut fits = Vec::with_capacity(rows.len());
        for row in rows {
            if look.stat_value(row, field)? == **value {
                fits.push(row);
            }
        }
        rows = fits;
    }
    Ok(rows)
}

pub(super) fn entity_kinds(_: &Lua, host: &Host, act: This) -> mlua::Result<Vec<String>> {
    let run = host.ruling(act)?;
    let rows = run.state.rows();
    host.charge(4 * rows.len() as u64 + 40)?;
    let entities = rows
        .into_iter()
        .filter(|row| run.state.owner(*row).is_none());
    let kinds: BTreeSet<String> = entities
        .filter_map(|row| run.state.kind(row))
        .map(|kind| host.names.text(kind).to_string())
        .collect();
    Ok(kinds.into_iter().collect())
}
