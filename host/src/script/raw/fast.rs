//! This module answers the hottest methods straight off the stack, where nothing is out of the ordinary.
//!
//! A fast method answers a call whole or leaves it alone; then the safe function behind it does everything,
//! wrong arguments and refusals included. It raises no error but that memory runs out, and keeps nothing of the call.
//! Arguments are read where the machine keeps them, if they are found to be there when the method is made; else it is
//! the safe one.

mod arguments;
mod results;

use std::os::raw::c_int;
use std::{ptr, slice};

use mlua::{Function, Lua, ffi};

use super::super::host::Host;
pub(crate) use arguments::Key;
pub(crate) use results::MOST_KEYS;

/// A method that answers ordinary calls by itself.
pub(crate) trait Fast: 'static {
    /// Answers a call: pushes its results and returns how many there are; `None` if it did nothing.
    fn answer(host: &Host, call: &Call<'_>) -> Option<c_int>;
}

/// A call that is being answered.
pub(crate) struct Call<'a> {
    state: *mut ffi::lua_State,
    arguments: &'a [Slot],
}

/// How a state begins.
#[repr(C)]
struct State {
    _header: u64,
    top: *const Slot,
    base: *const Slot,
}

/// A value where the machine keeps it.
#[repr(C)]
pub(super) struct Slot {
    content: Content,
    _extra: c_int,
    kind: c_int,
}

/// What a value is; its kind says which.
#[repr(C)]
union Content {
    number: f64,
    truth: c_int,
    text: *const Text,
    table: usize,
}

/// How a text begins.
#[repr(C)]
struct Text {
    _header: [u8; 4],
    atom: i16,
}

impl Slot {
    /// Returns the number that the value is, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        // SAFETY: any bits are one; the kind says whether they are meant.
        (self.kind == ffi::LUA_TNUMBER).then_some(unsafe { self.content.number })
    }

    /// Returns the truth that the value is, if it is one.
    pub(super) fn truth(&self) -> Option<bool> {
        // SAFETY: any bits are one; the kind says whether they are meant.
        (self.kind == ffi::LUA_TBOOLEAN).then_some(unsafe { self.content.truth != 0 })
    }

    /// Puts a truth in the place of what needs nothing of the collector.
    pub(super) fn set_truth(&mut self, truth: bool) {
        self.content.truth = c_int::from(truth);
        self.kind = ffi::LUA_TBOOLEAN;
    }
}

/// Returns a function that lets `M` answer and calls `safe` where it does not.
pub(crate) fn fast_function<M: Fast>(lua: &Lua, safe: Function) -> mlua::Result<Function> {
    let mut is_known = false;
    let samples = ("an argument", 0.5, lua.globals());
    // SAFETY: the samples stay on the stack while they are looked at.
    unsafe { lua.exec_raw::<()>(samples, |state| is_known = is_laid_out(state))? };
    if !is_known {
        return Ok(safe);
    }
    // SAFETY: the argument becomes the upvalue.
    unsafe { lua.exec_raw(safe, |state| ffi::lua_pushcclosure(state, call::<M>, 1)) }
}

/// Returns whether a state with a text, a number and a table on its stack keeps them as declared above.
unsafe fn is_laid_out(state: *mut ffi::lua_State) -> bool {
    // SAFETY: a state is longer than its beginning; nothing is followed before the count of values agrees.
    unsafe {
        let State { top, base, .. } = state.cast::<State>().read();
        let count = (top as usize).wrapping_sub(base as usize) / size_of::<Slot>();
        if base.is_null() || !base.is_aligned() || count != 3 || ffi::lua_gettop(state) != 3 {
            return false;
        }
        let mut atom = -1;
        ffi::lua_tolstringatom(state, 1, ptr::null_mut(), &mut atom);
        let [one, two, three] = &*base.cast::<[Slot; 3]>();
        [one.kind, two.kind, three.kind] == [1, 2, 3].map(|at| ffi::lua_type(state, at))
            && two.content.number == ffi::lua_tonumber(state, 2)
            && three.content.table == ffi::lua_topointer(state, 3) as usize
            && one.content.table == ffi::lua_topointer(state, 1) as usize
            && c_int::from((*one.content.text).atom) == atom
    }
}

unsafe extern "C-unwind" fn call<M: Fast>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the machine's data is null or the host, which the engine keeps as long as the machine; the arguments
    // lie as `is_laid_out` found, and stay there until results are pushed behind them.
    let (host, call) = unsafe {
        let State { top, base, .. } = state.cast::<State>().read();
        let arguments = slice::from_raw_parts(base, top.offset_from_unsigned(base));
        let host = ffi::lua_getthreaddata(state).cast::<Host>().as_ref();
        (host, Call { state, arguments })
    };
    if let Some(results) = host.and_then(|host| M::answer(host, &call)) {
        #[cfg(test)]
        super::super::answered::count();
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
