//! A call of a script that reports the place of an error to the owner, for every kind of error.
//!
//! The machine keeps no place for three errors: a value that is not a text, a text with a NUL in it, and memory that
//! ran out. So the frames are read before they are unwound. This takes nothing from the machine's memory.

use std::os::raw::c_int;
use std::slice;

use mlua::{Function, Lua, ffi};

use super::callback_panics::{catch_panic, keep_panic, raise_panic};
use super::machine_owner::{Owner, is_owned_by};
use super::stack_frames::Frames;

/// Returns a function that calls its first argument with the others, and raises the errors of that call.
pub(crate) fn error_reporting_call<O: Owner>(lua: &Lua) -> mlua::Result<Function> {
    assert!(is_owned_by::<O>(lua), "invariant: a machine has one owner");
    // SAFETY: `call_reporting_errors` keeps to the frame it is given and owns nothing across the call.
    unsafe { lua.create_c_function(call_reporting_errors::<O>) }
}

unsafe extern "C-unwind" fn call_reporting_errors<O: Owner>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine runs this with its arguments in the frame, which has room for one function more; `lua_pcall`
    // takes the function and the arguments away and leaves the results or one error.
    unsafe {
        ffi::luaL_checkany(state, 1);
        let arguments = ffi::lua_gettop(state) - 1;
        ffi::lua_rawcheckstack(state, 1);
        ffi::lua_pushcfunction(state, note_raised_error::<O>);
        ffi::lua_insert(state, 1);
        let status = ffi::lua_pcall(state, arguments, ffi::LUA_MULTRET, 1);
        if status == ffi::LUA_OK {
            return ffi::lua_gettop(state) - 1;
        }
        if status == ffi::LUA_ERRMEM
            && let Some(owner) = ffi::lua_getthreaddata(state).cast::<O>().as_ref()
            && let Err(panic) = catch_panic(|| owner.note_out_of_memory())
        {
            return raise_panic(state, panic);
        }
        ffi::lua_error(state)
    }
}

/// Reports to the owner the raised value and its place: the frames are still there. The error stays as it is.
pub(super) unsafe extern "C-unwind" fn note_raised_error<O: Owner>(
    state: *mut ffi::lua_State,
) -> c_int {
    // SAFETY: the machine runs this with the error as its only argument, above the frames that led to it. No function
    // called here allocates in the machine, and no text is kept beyond the call.
    unsafe {
        // An error of the host is on its way already: it has its place.
        if ffi::lua_type(state, 1) == ffi::LUA_TUSERDATA {
            return 1;
        }
        let Some(owner) = ffi::lua_getthreaddata(state).cast::<O>().as_ref() else {
            return 1;
        };
        let text = raised_text(state);
        if let Err(panic) = catch_panic(|| {
            owner.begin_raised_error(text);
            for (chunk, line, name) in Frames::new(state, 1) {
                owner.add_raised_frame(chunk, line, name);
            }
        }) {
            keep_panic(state, panic);
        }
        1
    }
}

/// Returns the text that was raised, if it is one.
unsafe fn raised_text<'a>(state: *mut ffi::lua_State) -> Option<&'a [u8]> {
    // SAFETY: the caller has the error at 1; a text stays where it is as long as it is on the stack.
    unsafe {
        if ffi::lua_type(state, 1) != ffi::LUA_TSTRING {
            return None;
        }
        let mut length = 0;
        let data = ffi::lua_tolstring(state, 1, &raw mut length);
        Some(slice::from_raw_parts(data.cast::<u8>(), length))
    }
}
