//! Reads arguments off the stack without detours. A wrong argument never ends a call before the function can report its
//! name.

use std::os::raw::c_int;
use std::slice;

use mlua::state::RawLua;
use mlua::{FromLua, FromLuaMulti, Lua, MultiValue, ffi};

use crate::script::border::argument_kinds::{Kind, Kinds};
use crate::script::border::argument_values;
use crate::script::border::stack_value::{Argument, Checked, This};
use crate::script::border::value_conversion::Passing;

impl<A: FromLuaMulti> FromLuaMulti for Checked<A> {
    fn from_lua_multi(values: MultiValue, lua: &Lua) -> mlua::Result<Checked<A>> {
        let kinds = Kinds::of(&values);
        Ok(Checked(A::from_lua_args(values, 1, None, lua), kinds))
    }

    unsafe fn from_stack_multi(count: c_int, lua: &RawLua) -> mlua::Result<Checked<A>> {
        let mut kinds = Kinds::NONE;
        for at in 0..count {
            // SAFETY: as many arguments lie on the stack, the last one on top; to ask for a type changes nothing.
            let kind = match unsafe { ffi::lua_type(lua.state(), at - count) } {
                ffi::LUA_TNIL => Kind::Nothing,
                ffi::LUA_TBOOLEAN => Kind::Bool,
                ffi::LUA_TNUMBER => Kind::Number,
                ffi::LUA_TSTRING => Kind::Text,
                ffi::LUA_TTABLE => Kind::Table,
                ffi::LUA_TFUNCTION => Kind::Function,
                _ => Kind::Other,
            };
            kinds.set_kinds_at(at as usize, kind as u8);
        }
        // SAFETY: the same promise that mlua gives for this function.
        let read = unsafe { A::from_stack_args(count, 1, None, lua) };
        Ok(Checked(read, kinds))
    }

    unsafe fn from_stack_args(
        count: c_int,
        _: usize,
        _: Option<&str>,
        lua: &RawLua,
    ) -> mlua::Result<Checked<A>> {
        // SAFETY: the same promise that mlua gives for this function.
        unsafe { Checked::from_stack_multi(count, lua) }
    }
}

impl FromLua for This {
    fn from_lua(value: mlua::Value, _: &Lua) -> mlua::Result<This> {
        Ok(This(value.to_pointer() as usize))
    }

    unsafe fn from_stack(index: c_int, lua: &RawLua) -> mlua::Result<This> {
        // SAFETY: mlua passes an index of the running function's frame.
        Ok(This(
            unsafe { ffi::lua_topointer(lua.state(), index) } as usize
        ))
    }
}

impl FromLua for Argument {
    fn from_lua(value: mlua::Value, lua: &Lua) -> mlua::Result<Argument> {
        argument_values::read_plain_value(value, lua).map(Argument)
    }

    unsafe fn from_stack(index: c_int, lua: &RawLua) -> mlua::Result<Argument> {
        let state = lua.state();
        // SAFETY: mlua passes an index of the running function's frame; reading a number off it
        // changes nothing.
        unsafe {
            if ffi::lua_type(state, index) == ffi::LUA_TNUMBER {
                return argument_values::read_number(ffi::lua_tonumber(state, index)).map(Argument);
            }
            Argument::from_lua(
                mlua::Value::from_stack(index, lua)?,
                Lua::get_or_init_from_ptr(state),
            )
        }
    }
}

impl FromLua for Passing {
    fn from_lua(value: mlua::Value, _: &Lua) -> mlua::Result<Passing> {
        Ok(Passing::of(value))
    }

    unsafe fn from_stack(index: c_int, lua: &RawLua) -> mlua::Result<Passing> {
        // SAFETY: mlua passes an index of its frame; a text stays on the stack until it is copied.
        unsafe {
            if ffi::lua_type(lua.state(), index) != ffi::LUA_TSTRING {
                return Ok(Passing::of(mlua::Value::from_stack(index, lua)?));
            }
            let mut length = 0;
            let text = ffi::lua_tolstring(lua.state(), index, &mut length);
            Ok(Passing::of_text(slice::from_raw_parts(text.cast(), length)))
        }
    }
}
