//! This module is a protected call that lets the owner remember when memory ran out, so that the host
//! decides by a flag and never by the message of an error.

use std::os::raw::c_int;

use mlua::{Function, Lua, ffi};

use super::caught::{guard, raise};
use super::owner::{Owner, is_owned_by};

/// Returns a function that calls its first argument with the others: true and the results, or false and the error.
pub(crate) fn protected_call<O: Owner>(lua: &Lua) -> mlua::Result<Function> {
    assert!(is_owned_by::<O>(lua), "invariant: a machine has one owner");
    // SAFETY: `protected` keeps to the frame it is given and owns nothing across the call.
    unsafe { lua.create_c_function(protected::<O>) }
}

unsafe extern "C-unwind" fn protected<O: Owner>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine runs this with its arguments in the frame; `lua_pcall` takes the function
    // and the arguments away and leaves the results or one error, for which there is room.
    unsafe {
        ffi::luaL_checkany(state, 1);
        let arguments = ffi::lua_gettop(state) - 1;
        let status = ffi::lua_pcall(state, arguments, ffi::LUA_MULTRET, 0);
        if status == ffi::LUA_ERRMEM
            && let Some(owner) = ffi::lua_getthreaddata(state).cast::<O>().as_ref()
            && let Err(panic) = guard(|| owner.ran_out())
        {
            return raise(state, panic);
        }
        ffi::lua_rawcheckstack(state, 1);
        ffi::lua_pushboolean(state, c_int::from(status == ffi::LUA_OK));
        ffi::lua_insert(state, 1);
        ffi::lua_gettop(state)
    }
}
