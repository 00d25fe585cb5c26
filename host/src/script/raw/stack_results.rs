//! Puts values on the stack: the results of fast methods, and of any function of the API.

use std::os::raw::c_int;

use mlua::{IntoLua, Lua, ffi};

use super::fast_function::Call;
use crate::script::border::stack_value::{Field, Returned, Rows};
use crate::script::border::value_conversion;
use crate::value::Value;

/// The results of a fast method: the number of values on the stack.
pub(crate) struct Given(pub(super) c_int);

/// Slots that building a table needs above it: a key, a value, and one to spare.
const ROOM: c_int = 3;

impl Call<'_> {
    /// Gives nothing.
    #[inline(always)]
    pub(crate) fn give_nothing(self) -> Given {
        Given(0)
    }

    /// Gives a value.
    #[inline(always)]
    pub(crate) fn give_one(self, value: &Value) -> Given {
        self.give_values([value])
    }

    /// Gives two values.
    #[inline(always)]
    pub(crate) fn give_two(self, one: &Value, two: &Value) -> Given {
        self.give_values([one, two])
    }

    /// Gives some values. This ends the call, because its arguments may have moved.
    #[inline(always)]
    fn give_values<const N: usize>(self, values: [&Value; N]) -> Given {
        const { assert!(N < 8, "a C function has room for 20 values") };
        for value in values {
            // SAFETY: a C function has room for some values after its arguments, and nothing else is there.
            unsafe { push_value(self.state(), value) };
        }
        Given(N as c_int)
    }
}

impl IntoLua for Returned {
    fn into_lua(self, lua: &Lua) -> mlua::Result<mlua::Value> {
        value_conversion::to_lua(&self.0, lua)
    }

    unsafe fn push_into_stack(self, lua: &mlua::state::RawLua) -> mlua::Result<()> {
        // SAFETY: the caller has made room for one result.
        unsafe { push_value(lua.state(), &self.0) };
        Ok(())
    }
}

impl IntoLua for Rows {
    fn into_lua(self, lua: &Lua) -> mlua::Result<mlua::Value> {
        let value = self.to_value();
        let value = value.map_err(|reason| mlua::Error::runtime(reason.to_string()))?;
        value_conversion::to_lua(&value, lua)
    }

    unsafe fn push_into_stack(self, lua: &mlua::state::RawLua) -> mlua::Result<()> {
        let state = lua.state();
        // SAFETY: the state belongs to a machine that mlua made.
        let lua = unsafe { Lua::get_or_init_from_ptr(state) };
        value_conversion::without_memory_limit(lua, || {
            // SAFETY: the caller has made room for one result, and there is memory for all.
            unsafe { push_rows(state, &self) };
            Ok(())
        })
    }
}

/// Fields that a script may add to a small table before the table grows.
const MORE_FIELDS: usize = 4;

/// Pushes a list of small tables. There is room for one value, and memory for all.
unsafe fn push_rows(state: *mut ffi::lua_State, rows: &Rows) {
    // SAFETY: guaranteed by the caller; a table makes room for its entries.
    unsafe {
        ffi::lua_rawcheckstack(state, 2 * ROOM);
        ffi::lua_createtable(state, table_size_hint(rows.0.len()), 0);
        for (at, row) in (1..).zip(&rows.0) {
            ffi::lua_createtable(state, 0, table_size_hint(row.len() + MORE_FIELDS));
            for (key, field) in row {
                push_text(state, key);
                match field {
                    Field::Text(text) => push_text(state, text),
                    Field::Number(number) => ffi::lua_pushnumber(state, *number),
                }
                ffi::lua_rawset(state, -3);
            }
            ffi::lua_rawseti(state, -2, at);
        }
    }
}

/// Pushes a value. The state belongs to a machine that mlua made, and has room for it.
#[inline(always)]
unsafe fn push_value(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: the caller guarantees the room; the values pushed here need no memory.
    unsafe {
        match value {
            Value::Nil => ffi::lua_pushnil(state),
            Value::Bool(truth) => ffi::lua_pushboolean(state, c_int::from(*truth)),
            Value::Number(number) => ffi::lua_pushnumber(state, number.to_f64()),
            Value::Text(_) | Value::List(_) | Value::Map(_) => push_large(state, value),
        }
    }
}

/// Pushes a value that needs memory, without the limit of the machine, as `value_conversion::to_lua` makes it: then nothing here
/// raises an error.
#[inline(never)]
unsafe fn push_large(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: guaranteed by the caller.
    let lua = unsafe { Lua::get_or_init_from_ptr(state) };
    let pushed = value_conversion::without_memory_limit(lua, || {
        // SAFETY: there is room for one value, and memory for all.
        unsafe { push_nested(state, value) };
        Ok(())
    });
    pushed.expect("invariant: the machine's memory has a limit that can be set");
}

/// Pushes a value and everything in it. There is room for one, and memory for all.
unsafe fn push_nested(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: guaranteed by the caller; a table makes room for its entries.
    unsafe {
        match value {
            Value::Nil | Value::Bool(_) | Value::Number(_) => push_value(state, value),
            Value::Text(text) => push_text(state, text),
            Value::List(items) => {
                ffi::lua_rawcheckstack(state, ROOM);
                ffi::lua_createtable(state, table_size_hint(items.len()), 0);
                for (at, item) in (1..).zip(items.iter()) {
                    push_entry(state, item);
                    ffi::lua_rawseti(state, -2, at);
                }
            }
            Value::Map(entries) => {
                ffi::lua_rawcheckstack(state, ROOM);
                ffi::lua_createtable(state, 0, table_size_hint(entries.len()));
                for (key, item) in entries.iter() {
                    push_text(state, key);
                    push_entry(state, item);
                    ffi::lua_rawset(state, -3);
                }
            }
        }
    }
}

/// Pushes an entry of a list or map. `null` stands for nothing.
unsafe fn push_entry(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: as for `push_nested`; nothing is followed.
    unsafe {
        match value.is_nil() {
            true => ffi::lua_pushlightuserdata(state, std::ptr::null_mut()),
            false => push_nested(state, value),
        }
    }
}

/// Pushes a text. There is room and memory for it.
unsafe fn push_text(state: *mut ffi::lua_State, text: &str) {
    // SAFETY: the machine copies the bytes.
    unsafe { ffi::lua_pushlstring_(state, text.as_ptr().cast(), text.len()) };
}

/// Returns the number of entries to reserve in a new table. More entries are only slower.
fn table_size_hint(entries: usize) -> c_int {
    c_int::try_from(entries).unwrap_or(0)
}
