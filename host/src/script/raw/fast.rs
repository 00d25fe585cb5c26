//! This module answers the hottest methods straight off the stack, where nothing is out of the ordinary.
//!
//! A fast method answers a call whole or leaves it alone; then the safe function behind it does everything,
//! wrong arguments and refusals included. It raises no error and keeps nothing of the call.

use std::os::raw::c_int;

use mlua::{Function, Lua, ffi};

use super::super::host::Host;
use super::stack::This;
use crate::value::{Name, Number, Value};

/// A method that answers ordinary calls by itself.
pub(crate) trait Fast: 'static {
    /// Answers a call: pushes its results and returns how many there are; `None` if it did nothing.
    fn answer(host: &Host, call: &Call) -> Option<c_int>;
}

/// A call that is being answered.
pub(crate) struct Call {
    state: *mut ffi::lua_State,
}

/// Returns a function that lets `M` answer and calls `safe` where it does not.
pub(crate) fn fast_function<M: Fast>(lua: &Lua, safe: Function) -> mlua::Result<Function> {
    // SAFETY: the argument becomes the upvalue.
    unsafe { lua.exec_raw(safe, |state| ffi::lua_pushcclosure(state, call::<M>, 1)) }
}

unsafe extern "C-unwind" fn call<M: Fast>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine's data is null or the host, which the engine keeps as long as the machine.
    let host = unsafe { ffi::lua_getthreaddata(state).cast::<Host>().as_ref() };
    if let Some(results) = host.and_then(|host| M::answer(host, &Call { state })) {
        return results;
    }
    // SAFETY: a C function has room for some values; the arguments are passed on as they came.
    unsafe {
        let arguments = ffi::lua_gettop(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, arguments, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

impl Call {
    /// Returns the table that the method was called on.
    #[inline]
    pub(crate) fn this(&self) -> This {
        // SAFETY: looking at the first argument changes nothing; where there is none it is null.
        This(unsafe { ffi::lua_topointer(self.state, 1) } as usize)
    }

    /// Returns the name at a place among the arguments, if it is a text with an atom.
    #[inline]
    pub(crate) fn name(&self, host: &Host, argument: c_int) -> Option<Name> {
        let mut atom = -1;
        // SAFETY: as above; what is no text leaves the atom alone.
        unsafe { ffi::lua_tolstringatom(self.state, argument, std::ptr::null_mut(), &mut atom) };
        Some(host.atoms.name(u16::try_from(atom).ok()?))
    }

    /// Returns the whole number at a place among the arguments, if it is one.
    #[inline]
    pub(crate) fn whole_number(&self, argument: c_int) -> Option<Number> {
        // SAFETY: as above; a text is no number here.
        let number = unsafe {
            if ffi::lua_type(self.state, argument) != ffi::LUA_TNUMBER {
                return None;
            }
            ffi::lua_tonumber(self.state, argument)
        };
        Number::from_whole_f64(number)
    }

    /// Gives a value as each of one or more results, if it is nil, a bool or a number.
    #[inline]
    pub(crate) fn results<const N: usize>(&self, value: &Value) -> Option<c_int> {
        const { assert!(N < 8, "a C function has room for 20 values") };
        let state = self.state;
        // SAFETY: there is room, and these values need no memory.
        unsafe {
            match value {
                Value::Number(number) => {
                    let number = number.to_f64();
                    (0..N).for_each(|_| ffi::lua_pushnumber(state, number));
                }
                Value::Bool(value) => {
                    (0..N).for_each(|_| ffi::lua_pushboolean(state, c_int::from(*value)));
                }
                Value::Nil => (0..N).for_each(|_| ffi::lua_pushnil(state)),
                Value::Text(_) | Value::List(_) | Value::Map(_) => return None,
            }
        }
        Some(N as c_int)
    }
}
