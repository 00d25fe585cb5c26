//! Reads the addressees of an event: the `to` and the `at` of its fields, or of the options of a question about the
//! event.

use mlua::{LuaString, Value as LuaValue};

use crate::script::api::refusal_error;
use crate::script::border::type_in_words;
use crate::script::host::Host;
use crate::script::run::event_recipients::Address;
use crate::store::limits::NAME_CHARACTERS;
use crate::value::Name;

/// Bytes of the longest id: the length of an id of characters with four bytes.
const LONGEST_ID: usize = NAME_CHARACTERS * 4;

/// Fields of an event that name its addressees.
pub(super) const ADDRESSES: [&str; 2] = ["to", "at"];

/// Checks whether a value can be an address, if no listener needs it. Errors: as [`read_address`], except for the items
/// of a list.
pub(super) fn check_address(to: &LuaValue, at: &LuaValue) -> mlua::Result<()> {
    if !to.is_nil() && !at.is_nil() {
        return Err(two_addresses_error());
    }
    for (key, rows) in ADDRESSES.into_iter().zip([to, at]) {
        if !matches!(
            rows,
            LuaValue::Nil | LuaValue::String(_) | LuaValue::Table(_)
        ) {
            return Err(no_rows_error(key, rows));
        }
    }
    Ok(())
}

#[cold]
fn two_addresses_error() -> mlua::Error {
    let message = "an event has `to` (rows and the attributes on them) or `at` (exactly these rows), not both";
    refusal_error("script/argument", message.to_owned())
}

#[cold]
fn no_rows_error(key: &str, found: &LuaValue) -> mlua::Error {
    let found = type_in_words(found.type_name());
    let message = format!("`{key}` of an event is a row or a list of rows, found {found}");
    refusal_error("script/argument", message)
}

/// Reads the `to` and the `at` of an event. Errors: both are given, or one is neither a row nor a list of rows.
pub(super) fn read_address(host: &Host, to: LuaValue, at: LuaValue) -> mlua::Result<Address> {
    match (to, at) {
        (LuaValue::Nil, LuaValue::Nil) => Ok(Address::All),
        (to, LuaValue::Nil) => Ok(Address::To(read_addressees(host, "to", to)?)),
        (LuaValue::Nil, at) => Ok(Address::At(read_addressees(host, "at", at)?)),
        _ => Err(two_addresses_error()),
    }
}

/// Reads the row or the list of rows that an event is addressed to.
fn read_addressees(host: &Host, key: &str, rows: LuaValue) -> mlua::Result<Vec<Name>> {
    // A list can be long and contain long texts. No text is copied, and a text that is too long for an id is not read.
    let find = |row: LuaString| match row.as_bytes().len() {
        0..=LONGEST_ID => Ok(host.names.find(&row.to_str()?)),
        _ => Ok(None),
    };
    let found: mlua::Result<Vec<Option<Name>>> = match rows {
        LuaValue::String(one) => Ok(vec![find(one)?]),
        LuaValue::Table(list) => {
            let rows = list.sequence_values::<LuaString>();
            rows.map(|row| find(row?))
                .filter(|found| !matches!(found, Ok(None)))
                .collect()
        }
        other => return Err(no_rows_error(key, &other)),
    };
    Ok(found?.into_iter().flatten().collect())
}
