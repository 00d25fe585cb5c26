//! This module gives the results of a call.

use std::os::raw::c_int;

use mlua::ffi;

use super::Call;
use crate::value::{Name, Names, Value};

/// Keys of the tables that a fast method gives.
pub(crate) const MOST_KEYS: usize = 12;

impl Call<'_> {
    /// Gives a value as each of one or more results, if it is nil, a bool or a number.
    #[inline(always)]
    pub(crate) fn results<const N: usize>(&self, value: &Value) -> Option<c_int> {
        const { assert!(N < 8, "a C function has room for 20 values") };
        if matches!(value, Value::Text(_) | Value::List(_) | Value::Map(_)) {
            return None;
        }
        // SAFETY: there is room, and these values need no memory.
        unsafe { (0..N).for_each(|_| push_plain(self.state, value)) };
        Some(N as c_int)
    }

    /// Gives a list of the texts of names.
    pub(crate) fn list(&self, names: &Names, items: &[Name]) -> c_int {
        let state = self.state;
        // SAFETY: there is room for two values. Memory may run out, which unwinds from here.
        unsafe {
            ffi::lua_createtable(state, size(items.len()), 0);
            for (at, item) in items.iter().enumerate() {
                push_text(state, &names.text(*item));
                ffi::lua_rawseti(state, -2, at as i64 + 1);
            }
        }
        1
    }

    /// Gives a list of tables with these keys, in this order: one for each piece of as many values. Nothing is left out.
    ///
    /// The values are nil, bools, numbers and texts; there are at most [`MOST_KEYS`] keys.
    pub(crate) fn tables(&self, keys: &[&str], values: &[Value]) -> c_int {
        assert!(
            keys.len() <= MOST_KEYS,
            "a C function has room for 20 values"
        );
        let state = self.state;
        // SAFETY: there is room for the keys, two tables, a key and a value. Memory may run out, which unwinds from here.
        unsafe {
            let first = ffi::lua_gettop(state) + 1;
            keys.iter().for_each(|key| push_text(state, key));
            ffi::lua_createtable(state, size(values.len() / keys.len()), 0);
            for (at, row) in values.chunks_exact(keys.len()).enumerate() {
                let held = row.iter().filter(|value| !value.is_nil()).count();
                ffi::lua_createtable(state, 0, size(held));
                for (key, value) in (first..).zip(row) {
                    if value.is_nil() {
                        continue;
                    }
                    ffi::lua_pushvalue(state, key);
                    push_plain(state, value);
                    ffi::lua_rawset(state, -3);
                }
                ffi::lua_rawseti(state, -2, at as i64 + 1);
            }
        }
        1
    }
}

/// Returns how many entries a new table has room for; more are only slower.
fn size(entries: usize) -> c_int {
    c_int::try_from(entries).unwrap_or(0)
}

/// Pushes a text; the caller has room for it.
unsafe fn push_text(state: *mut ffi::lua_State, text: &str) {
    // SAFETY: the machine copies the bytes.
    unsafe { ffi::lua_pushlstring_(state, text.as_ptr().cast(), text.len()) };
}

/// Pushes nil, a bool, a number or a text; the caller has room for it.
unsafe fn push_plain(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: as the caller says.
    unsafe {
        match value {
            Value::Number(number) => ffi::lua_pushnumber(state, number.to_f64()),
            Value::Bool(value) => ffi::lua_pushboolean(state, c_int::from(*value)),
            Value::Text(text) => push_text(state, text),
            Value::Nil | Value::List(_) | Value::Map(_) => ffi::lua_pushnil(state),
        }
    }
}
