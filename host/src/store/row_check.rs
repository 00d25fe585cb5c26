//! Requirements for a row, both for writes by rules and for data from files.

use super::fields::Fields;
use super::row::Row;
use super::{Reserved, Stats, StoreError, end_conditions, limits, modifier};
use crate::value::{Name, Names, Value, write_value};

/// First character of the host's own names: its fields and rows.
const HOST: char = '@';

/// Returns whether a name is one of the host's own names, which scripts cannot use.
pub fn is_host_name(name: &str) -> bool {
    name.starts_with(HOST)
}

/// The maximum number of cells of a row.
const CELLS: usize = limits::FIELDS + 11;

/// Returns the row made of cells, without data that other rows add to it.
///
/// Errors: all errors of cells that do not form a valid row; the existence of the owner is not checked.
pub(super) fn make_checked_row(
    names: &Names,
    reserved: &Reserved,
    stats: &Stats,
    row: Name,
    fields: Fields,
) -> Result<Row, StoreError> {
    check_cells(names, reserved, row, &fields)?;
    let id = names.text(row);
    let kind =
        text_of_field(&fields, reserved.kind)?.ok_or(StoreError::Malformed("a row has a kind"))?;
    check_id_name(kind)?;
    let owner = text_of_field(&fields, reserved.owner)?;
    let number = match owner {
        None => check_entity_id_and_fields(reserved, &id, &fields).map(|()| 0)?,
        Some(_) => record_number_of_id(kind, &id)
            .filter(|number| fields.get(reserved.number).and_then(positive_count) == Some(*number))
            .ok_or(StoreError::BadRecordId(id))?,
    };
    let made_from = [reserved.modifiers, reserved.guard].map(|field| fields.get(field));
    let modifiers = match made_from {
        [None, None] => None,
        [list, guard] => {
            let (list, guard) = (list.unwrap_or(&Value::Nil), guard.unwrap_or(&Value::Nil));
            Some(modifier::read_modifiers(list, guard, stats, names)?)
        }
    };
    let list = fields.get(reserved.ends);
    let ends = list
        .map(|list| end_conditions::read_stored(list, names))
        .transpose()?;
    Ok(Row {
        kind: Some(names.intern(kind)),
        owner: owner.map(|owner| names.intern(owner)),
        number,
        modifiers,
        ends,
        fields,
        ..Row::default()
    })
}

/// Returns the row of the state itself. Errors: it has any cell except the number of the next record.
pub(super) fn make_state_row(reserved: &Reserved, fields: Fields) -> Result<Row, StoreError> {
    let next = fields.get(reserved.next).map(positive_count);
    let plausible = match next {
        None => fields.len() == 0,
        Some(next) => fields.len() == 1 && next.is_some_and(|next| next > 1),
    };
    if plausible {
        Ok(Row {
            fields,
            ..Row::default()
        })
    } else {
        Err(StoreError::Malformed("the state counts its records from 1"))
    }
}

/// Checks that so many cells can form one row, before they are sorted.
pub(super) fn check_cell_count(count: usize) -> Result<(), StoreError> {
    if count > CELLS {
        return Err(too_many_fields_error());
    }
    Ok(())
}

/// Checks that one more field may be added to a row.
pub(super) fn check_room_for_field(
    fields: &Fields,
    reserved: &Reserved,
    field: Name,
) -> Result<(), StoreError> {
    if !reserved.writable_fields().contains(&field)
        && own_field_count(fields, reserved) >= limits::FIELDS
    {
        return Err(too_many_fields_error());
    }
    Ok(())
}

/// Checks the name of a field that is not reserved.
pub(super) fn check_field_name(name: &str) -> Result<(), StoreError> {
    let plain = |c: char| !c.is_control();
    let length = name.chars().take(limits::NAME_CHARACTERS + 1).count();
    let good = (1..=limits::NAME_CHARACTERS).contains(&length) && !is_host_name(name);
    if good && name.chars().all(plain) {
        Ok(())
    } else {
        Err(StoreError::BadName(name.into()))
    }
}

/// Returns the number in the id of a record of this kind.
pub(super) fn record_number_of_id(kind: &str, id: &str) -> Option<u64> {
    let digits = id.strip_prefix(kind)?.strip_prefix('#')?;
    let number = digits.parse().ok()?;
    let highest = limits::RECORD_NUMBER.cast_unsigned();
    let exact = (1..=highest).contains(&number) && number.to_string() == digits;
    exact.then_some(number)
}

/// Returns a whole number above 0 that a plain integer holds.
pub(super) fn positive_count(value: &Value) -> Option<u64> {
    value.as_i64().filter(|n| *n > 0).map(i64::cast_unsigned)
}

/// Returns whether every cell may hold a value, without a full check.
#[inline]
pub(super) fn is_small_value(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Number(_) => true,
        Value::Text(text) => text.len() < limits::VALUE_BYTES - 8,
        Value::Nil | Value::List(_) | Value::Map(_) => false,
    }
}

/// Returns the bytes of a text; another small value counts as nothing.
#[inline]
pub(super) fn bytes_of_small_value(value: &Value) -> u64 {
    match value {
        Value::Text(text) => text.len() as u64,
        _ => 0,
    }
}

/// Returns the bytes of a value; numbers count as nothing.
pub(super) fn value_bytes(value: &Value) -> u64 {
    match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
            bytes_of_small_value(value)
        }
        Value::List(_) | Value::Map(_) => {
            let mut bytes = Vec::new();
            write_value(&mut bytes, value);
            bytes.len() as u64
        }
    }
}

/// Checks size and depth of the value of one cell. Errors: `TooLarge`, `TooDeep`.
pub(super) fn check_value(
    names: &Names,
    row: Name,
    field: Name,
    value: &Value,
) -> Result<(), StoreError> {
    let excess = match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) => return Ok(()),
        Value::Text(_) | Value::List(_) | Value::Map(_) => find_excess(value),
    };
    match excess {
        None => Ok(()),
        Some(Excess::Size) => Err(StoreError::TooLarge(names.text(row), names.text(field))),
        Some(Excess::Depth) => Err(StoreError::TooDeep(names.text(row), names.text(field))),
    }
}

/// Checks a field with a value that the store itself reads.
pub(super) fn check_reserved_value(
    names: &Names,
    reserved: &Reserved,
    field: Name,
    value: &Value,
) -> Result<(), StoreError> {
    if field == reserved.ends {
        end_conditions::read_stored(value, names)?;
    }
    let counts = field == reserved.deadline || field == reserved.turns;
    if counts && !value.is_nil() && positive_count(value).is_none() {
        return Err(StoreError::Malformed(
            "a deadline and a count of turns are whole numbers above 0",
        ));
    }
    Ok(())
}

fn check_cells(
    names: &Names,
    reserved: &Reserved,
    row: Name,
    fields: &Fields,
) -> Result<(), StoreError> {
    if own_field_count(fields, reserved) > limits::FIELDS {
        return Err(too_many_fields_error());
    }
    for (field, content) in fields.iter() {
        if !reserved.writable_fields().contains(&field)
            && !reserved.put_only_fields().contains(&field)
        {
            check_field_name(&names.text(field))?;
        }
        check_value(names, row, field, content)?;
        check_reserved_value(names, reserved, field, content)?;
    }
    Ok(())
}

fn check_entity_id_and_fields(
    reserved: &Reserved,
    id: &str,
    fields: &Fields,
) -> Result<(), StoreError> {
    check_id_name(id)?;
    for (field, name) in [
        (reserved.number, "@number"),
        (reserved.modifiers, "@modifiers"),
        (reserved.ends, "@ends"),
    ] {
        if fields.get(field).is_some() {
            return Err(StoreError::ReservedField(name.into()));
        }
    }
    Ok(())
}

/// Checks the id or the kind of a row; names that begin with `@` are the host's own.
fn check_id_name(name: &str) -> Result<(), StoreError> {
    check_field_name(name.strip_prefix(HOST).unwrap_or(name))?;
    if name.contains('#') {
        return Err(StoreError::BadName(name.into()));
    }
    Ok(())
}

fn text_of_field(fields: &Fields, field: Name) -> Result<Option<&str>, StoreError> {
    let malformed = StoreError::Malformed("kind and owner of a row are texts");
    match fields.get(field) {
        None => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or(malformed),
    }
}

fn own_field_count(fields: &Fields, reserved: &Reserved) -> usize {
    let kept = reserved
        .put_only_fields()
        .into_iter()
        .chain(reserved.writable_fields());
    fields.len() - kept.filter(|field| fields.get(*field).is_some()).count()
}

fn too_many_fields_error() -> StoreError {
    StoreError::TooMany {
        what: "fields in a row",
        limit: limits::FIELDS,
    }
}

enum Excess {
    Size,
    Depth,
}

/// Estimates a lower bound first, so a small value that repeats shared parts without end stays cheap.
fn find_excess(value: &Value) -> Option<Excess> {
    let mut room = limits::VALUE_BYTES;
    if let Err(excess) = estimate_size(value, 0, &mut room) {
        return Some(excess);
    }
    let mut bytes = Vec::with_capacity(limits::VALUE_BYTES);
    write_value(&mut bytes, value);
    (bytes.len() > limits::VALUE_BYTES).then_some(Excess::Size)
}

fn estimate_size(value: &Value, depth: usize, room: &mut usize) -> Result<(), Excess> {
    if depth > limits::VALUE_DEPTH {
        return Err(Excess::Depth);
    }
    let mut spend = |bytes: usize| {
        *room = room.checked_sub(bytes).ok_or(Excess::Size)?;
        Ok(())
    };
    match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) => spend(1),
        Value::Text(text) => spend(1 + text.len()),
        Value::List(items) => {
            spend(1)?;
            items
                .iter()
                .try_for_each(|item| estimate_size(item, depth + 1, room))
        }
        Value::Map(entries) => {
            spend(1)?;
            entries.iter().try_for_each(|(key, item)| {
                *room = room.checked_sub(key.len()).ok_or(Excess::Size)?;
                estimate_size(item, depth + 1, room)
            })
        }
    }
}
