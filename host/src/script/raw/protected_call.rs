//! A protected call that lets the owner remember when memory ran out. So the host decides by a flag and never by the
//! message of an error.

use std::os::raw::c_int;

use mlua::{Function, Lua, ffi};

use super::callback_panics::{catch_panic, raise_panic};
use super::error_reporting_call::note_raised_error;
use super::machine_owner::{Owner, is_owned_by};

/// Returns a function that calls its first argument with the others: true and the results, or false and the error.
pub(crate) fn protected_call<O: Owner>(lua: &Lua) -> mlua::Result<Function> {
    assert!(is_owned_by::<O>(lua), "invariant: a machine has one owner");
    // SAFETY: `call_protected` keeps to the frame it is given and owns nothing across the call.
    unsafe { lua.create_c_function(call_protected::<O, false>) }
}

/// Returns the same for rules: if a rule fails, the place is reported to the owner before its frames are gone.
pub(crate) fn place_reporting_protected_call<O: Owner>(lua: &Lua) -> mlua::Result<Function> {
    assert!(is_owned_by::<O>(lua), "invariant: a machine has one owner");
    // SAFETY: as above.
    unsafe { lua.create_c_function(call_protected::<O, true>) }
}

unsafe extern "C-unwind" fn call_protected<O: Owner, const TELLS: bool>(
    state: *mut ffi::lua_State,
) -> c_int {
    // SAFETY: the machine runs this with its arguments in the frame, which has room for one function more; `lua_pcall` takes
    // the function and the arguments away and leaves the results or one error, for which there is room.
    unsafe {
        ffi::luaL_checkany(state, 1);
        let arguments = ffi::lua_gettop(state) - 1;
        ffi::lua_rawcheckstack(state, 1);
        if TELLS {
            ffi::lua_pushcfunction(state, note_raised_error::<O>);
            ffi::lua_insert(state, 1);
        }
        let status = ffi::lua_pcall(state, arguments, ffi::LUA_MULTRET, c_int::from(TELLS));
        if status == ffi::LUA_ERRMEM
            && let Some(owner) = ffi::lua_getthreaddata(state).cast::<O>().as_ref()
            && let Err(panic) = catch_panic(|| owner.note_out_of_memory())
        {
            return raise_panic(state, panic);
        }
        ffi::lua_rawcheckstack(state, 1);
        ffi::lua_pushboolean(state, c_int::from(status == ffi::LUA_OK));
        match TELLS {
            true => ffi::lua_replace(state, 1),
            false => ffi::lua_insert(state, 1),
        }
        ffi::lua_gettop(state)
    }
}
