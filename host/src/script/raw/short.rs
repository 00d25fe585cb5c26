//! This module calls functions of the machine's own library directly where a call is so small that nothing has to be
//! charged for it; every other call goes to what the prelude puts around them.

use std::ffi::CStr;
use std::os::raw::c_int;

use mlua::{Function, Lua, ffi};

/// How a function is called where the call is small.
type Caller = unsafe extern "C-unwind" fn(*mut ffi::lua_State) -> c_int;

/// A text of fewer bytes is short: nothing is charged for it.
const SHORT: usize = 64;

/// A list of fewer items is walked for nothing.
const FEW: usize = 16;

/// A list of fewer items may grow; the prelude has the same number.
const ELEMENTS: usize = 1_000_000;

/// The functions that have small calls, with the names by which their errors call them.
const FUNCTIONS: [(&str, &CStr, Caller); 14] = [
    ("string.find", c"find", texts::<4>),
    ("string.format", c"format", texts::<8>),
    ("string.gmatch", c"gmatch", texts::<2>),
    ("string.gsub", c"gsub", replaced),
    ("string.lower", c"lower", texts::<1>),
    ("string.match", c"match", texts::<3>),
    ("string.reverse", c"reverse", texts::<1>),
    ("string.split", c"split", texts::<2>),
    ("string.sub", c"sub", texts::<3>),
    ("string.upper", c"upper", texts::<1>),
    ("table.find", c"find", list::<2, FEW>),
    ("table.insert", c"insert", list::<2, ELEMENTS>),
    ("table.remove", c"remove", list::<1, ELEMENTS>),
    ("table.unpack", c"unpack", list::<1, FEW>),
];

/// Where the machine's own function and the guarded one are kept.
const OWN: c_int = 1;
const GUARDED: c_int = 2;

/// Returns a function that hands small calls to `own`, the machine's function of a name, and others to `guarded`.
///
/// With `raw` false, and for a function without small calls, it is `guarded` itself.
pub(crate) fn short_calls(
    lua: &Lua,
    name: &str,
    (own, guarded): (Function, Function),
    raw: bool,
) -> mlua::Result<Function> {
    let known = FUNCTIONS.iter().find(|(known, ..)| *known == name);
    let Some((_, shown, caller)) = known.filter(|_| raw) else {
        return Ok(guarded);
    };
    // SAFETY: the two functions become the upvalues, in this order; the name lives for ever.
    unsafe {
        lua.exec_raw((own, guarded), |state| {
            ffi::lua_pushcclosurek(state, *caller, shown.as_ptr(), 2, None);
        })
    }
}

/// Answers a call with `MOST` arguments at most, all of them short texts, numbers and truths, or missing.
unsafe extern "C-unwind" fn texts<const MOST: c_int>(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: the places asked for are those of the arguments; what is called is as declared above.
    unsafe {
        let count = ffi::lua_gettop(state);
        let is_small = count <= MOST && (1..=count).all(|at| is_short(state, at));
        call(state, is_small)
    }
}

/// Answers a call with a short text, a pattern, and a short text, a function or a table in its place.
unsafe extern "C-unwind" fn replaced(state: *mut ffi::lua_State) -> c_int {
    // SAFETY: as in `texts`.
    unsafe {
        let given = ffi::lua_type(state, 3);
        let is_small = ffi::lua_gettop(state) <= 4
            && is_short(state, 1)
            && is_short(state, 2)
            && (given != ffi::LUA_TSTRING || is_short(state, 3));
        call(state, is_small)
    }
}

/// Answers a call with `MOST` arguments at most, the first a list of fewer than `ITEMS` items.
unsafe extern "C-unwind" fn list<const MOST: c_int, const ITEMS: usize>(
    state: *mut ffi::lua_State,
) -> c_int {
    // SAFETY: as in `texts`; only a table is asked for its length.
    unsafe {
        let is_small = ffi::lua_gettop(state) <= MOST
            && ffi::lua_type(state, 1) == ffi::LUA_TTABLE
            && ffi::lua_objlen(state, 1) < ITEMS;
        call(state, is_small)
    }
}

/// Returns whether an argument is a short text, or no text, list, map or thing at all.
///
/// # Safety
/// The state is that of a call.
#[inline(always)]
unsafe fn is_short(state: *mut ffi::lua_State, at: c_int) -> bool {
    // SAFETY: only a text is asked for its length, which changes nothing.
    unsafe {
        match ffi::lua_type(state, at) {
            ffi::LUA_TSTRING => ffi::lua_objlen(state, at) < SHORT,
            kind => kind <= ffi::LUA_TNUMBER && kind != ffi::LUA_TLIGHTUSERDATA,
        }
    }
}

/// Hands a call on as it came.
///
/// # Safety
/// The state is that of a call of a function that `short_calls` made.
#[inline(always)]
unsafe fn call(state: *mut ffi::lua_State, is_small: bool) -> c_int {
    // SAFETY: the machine's functions look at their arguments alone, which are in this frame; a guarded one is called
    // with all of them, and its results are all that is left.
    unsafe {
        if is_small && let Some(own) = ffi::lua_tocfunction(state, ffi::lua_upvalueindex(OWN)) {
            return own(state);
        }
        let arguments = ffi::lua_gettop(state);
        ffi::lua_rawcheckstack(state, 1);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(GUARDED));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, arguments, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}
