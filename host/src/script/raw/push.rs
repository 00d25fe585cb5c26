//! This module puts lists and maps on the stack whole, in one protected call; entry by entry, each would need its own.

use std::os::raw::c_int;
use std::ptr;

use mlua::{Lua, ffi};

use crate::value::Value;

/// What a list or map needs on the stack while it is made: itself, a key, and an entry.
const ROOM: c_int = 3;

/// Returns a plain value as a Luau value, as `convert::to_lua` does. Errors: memory.
pub(super) fn pushed(value: &Value, lua: &Lua) -> mlua::Result<mlua::Value> {
    // SAFETY: `exec_raw` calls this protected, and one value is left on the stack, its result.
    unsafe { lua.exec_raw((), |state| push(state, value)) }
}

/// Pushes a value.
///
/// Only within a protected call: memory may run out. Nothing here is to be dropped, so nothing is lost by that.
unsafe fn push(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: room is asked for before each table, and each entry is taken off again by what keeps it.
    unsafe {
        match value {
            Value::Nil => ffi::lua_pushnil(state),
            Value::Bool(value) => ffi::lua_pushboolean(state, c_int::from(*value)),
            Value::Number(number) => ffi::lua_pushnumber(state, number.to_f64()),
            Value::Text(text) => push_text(state, text),
            Value::List(items) => {
                ffi::luaL_checkstack(state, ROOM, ptr::null());
                ffi::lua_createtable(state, size(items.len()), 0);
                for (at, item) in (1..).zip(items.iter()) {
                    push_entry(state, item);
                    ffi::lua_rawseti(state, -2, at);
                }
            }
            Value::Map(entries) => {
                ffi::luaL_checkstack(state, ROOM, ptr::null());
                ffi::lua_createtable(state, 0, size(entries.len()));
                for (key, item) in entries.iter() {
                    push_text(state, key);
                    push_entry(state, item);
                    ffi::lua_rawset(state, -3);
                }
            }
        }
    }
}

/// Pushes what stands inside a list or map, where `null` stands for nothing.
unsafe fn push_entry(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: as for `push`.
    unsafe {
        match value {
            Value::Nil => ffi::lua_pushlightuserdata(state, ptr::null_mut()),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                push(state, value);
            }
        }
    }
}

unsafe fn push_text(state: *mut ffi::lua_State, text: &str) {
    // SAFETY: the text lives as long as it is copied from.
    unsafe { ffi::lua_pushlstring(state, text.as_ptr().cast(), text.len()) };
}

/// Returns how many entries a table is made for; a larger one grows.
fn size(entries: usize) -> c_int {
    c_int::try_from(entries).unwrap_or(c_int::MAX).min(1 << 20)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::script::convert::{from_lua, to_lua};

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Nil),
            any::<bool>().prop_map(Value::Bool),
            any::<i32>().prop_map(|number| Value::from(i64::from(number))),
            "\\PC{0,20}".prop_map(Value::text),
        ];
        leaf.prop_recursive(5, 60, 12, |inner| {
            let entries = prop::collection::btree_map("\\PC{0,8}", inner.clone(), 0..12);
            let entries =
                entries.prop_map(|map| map.into_iter().map(|(key, one)| (key.into(), one)));
            prop_oneof![
                prop::collection::vec(inner, 0..12).prop_map(Value::list),
                entries.prop_map(|entries| Value::Map(Arc::new(entries.collect()))),
            ]
        })
    }

    /// Returns a value as text: keys in the order in which a script meets them.
    fn walked(value: &mlua::Value) -> String {
        match value {
            mlua::Value::Table(table) => {
                let pairs = table.pairs::<mlua::Value, mlua::Value>();
                let pairs = pairs.map(Result::unwrap);
                let pairs: Vec<String> = pairs
                    .map(|(key, value)| format!("{}={}", walked(&key), walked(&value)))
                    .collect();
                format!("{{{}}}", pairs.join(","))
            }
            mlua::Value::String(text) => format!("{:?}", text.to_string_lossy()),
            other => format!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn a_value_is_the_same_as_entry_by_entry(value in any_value()) {
            let lua = Lua::new();
            // What stands in a table is a number of the machine, whichever way it came.
            let value = Value::list([value]);
            let whole = pushed(&value, &lua).unwrap();
            prop_assert_eq!(walked(&whole), walked(&to_lua(&value, &lua).unwrap()));
            prop_assert_eq!(from_lua(whole), from_lua(to_lua(&value, &lua).unwrap()));
        }
    }

    #[test]
    fn memory_that_runs_out_is_an_error_and_the_machine_goes_on() {
        let lua = Lua::new();
        let text = Value::text("x".repeat(1000));
        let large =
            Value::list((0..1000).map(|n| Value::map([(format!("key {n}"), text.clone())])));
        lua.set_memory_limit(lua.used_memory() + 20_000).unwrap();
        let refused = pushed(&large, &lua);
        assert!(
            matches!(refused, Err(mlua::Error::MemoryError(_))),
            "{refused:?}"
        );
        lua.set_memory_limit(0).unwrap();
        assert_eq!(
            from_lua(pushed(&large, &lua).unwrap()),
            from_lua(to_lua(&large, &lua).unwrap())
        );
    }
}
