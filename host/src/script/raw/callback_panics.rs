//! Keeps panics of callbacks out of the frames of the machine, which are C++ and cannot handle them.
//!
//! A panic is caught where the machine called Rust, and goes on where Rust called the machine. mlua carries the panic
//! there as an error that no script keeps. A callback that may raise no error leaves the panic to the next frame of
//! Rust that looks.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::CStr;
use std::os::raw::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use mlua::{Lua, ffi};

/// The payload of a panic.
pub(super) type Panic = Box<dyn Any + Send>;

/// The panic of a machine that is being carried.
#[derive(Default)]
struct Caught(RefCell<Option<Panic>>);

/// The key under which the machine keeps the function that lets a panic go on.
const GO_ON: &CStr = c"arbiter.panic";

/// Lets a machine carry panics. Errors: memory.
pub(crate) fn carry_panics(lua: &Lua) -> mlua::Result<()> {
    lua.set_app_data(Caught::default());
    let function = lua.create_function(|lua, ()| {
        resume_panic(lua);
        Ok(())
    })?;
    let key = GO_ON.to_str().expect("invariant: the key is a text");
    lua.set_named_registry_value(key, function)
}

/// Lets a panic go on that a callback of the machine kept. Call this function from Rust only.
pub(crate) fn resume_panic(lua: &Lua) {
    let caught = lua.try_app_data_ref::<Caught>().ok().flatten();
    let panic = caught.and_then(|caught| caught.0.take());
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}

/// Runs the Rust part of a callback. Nothing in it may raise an error of the machine.
#[inline(always)]
pub(super) fn catch_panic<R>(body: impl FnOnce() -> R) -> Result<R, Panic> {
    catch_unwind(AssertUnwindSafe(body))
}

/// Keeps a panic for the next frame of Rust.
#[cold]
pub(super) unsafe fn keep_panic(state: *mut ffi::lua_State, panic: Panic) {
    // SAFETY: the caller has a state of a machine that mlua made.
    let lua = unsafe { Lua::get_or_init_from_ptr(state) };
    if let Ok(Some(caught)) = lua.try_app_data_ref::<Caught>() {
        caught.0.replace(Some(panic));
    }
}

/// Lets a panic go on as an error of the machine, which unwinds to the next protected call.
#[cold]
#[inline(never)]
pub(super) unsafe fn raise_panic(state: *mut ffi::lua_State, panic: Panic) -> c_int {
    // SAFETY: the caller runs in a state of a machine that mlua made, and owns nothing any more; there is room for the
    // function, which is called as the machine calls any other.
    unsafe {
        keep_panic(state, panic);
        ffi::lua_rawcheckstack(state, 1);
        ffi::lua_rawgetfield(state, ffi::LUA_REGISTRYINDEX, GO_ON.as_ptr());
        ffi::lua_call(state, 0, 0);
    }
    0
}
