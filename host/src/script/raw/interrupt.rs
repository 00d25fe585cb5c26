//! This module lets the virtual machine tick the meter at every safe point.

use std::os::raw::c_int;
use std::rc::Rc;

use mlua::{Lua, VmState, ffi};

use super::super::limits::Limit;
use super::super::meter::Meter;

/// Makes the machine tick `meter`; the caller keeps the meter alive as long as the machine.
///
/// With `raw` false it goes through mlua's safe closure, which costs about ten times as much.
pub(crate) fn install_interrupt(lua: &Lua, meter: &Rc<Meter>, raw: bool) {
    if raw {
        lua.exec_raw_lua(|raw| {
            let state = raw.state();
            // SAFETY: `state` is the main state of a live machine, and the only one that runs
            // scripts: there are no coroutines. The machine hands the pointer back in `interrupt`;
            // the engine that owns both drops the machine before the meter. mlua uses neither the
            // thread data nor, without `set_interrupt`, the interrupt slot.
            unsafe {
                ffi::lua_setthreaddata(state, Rc::as_ptr(meter).cast_mut().cast());
                (*ffi::lua_callbacks(state)).interrupt = Some(interrupt);
            }
        });
        return;
    }
    let meter = Rc::clone(meter);
    lua.set_interrupt(move |lua| {
        if meter.tick() && passed(&meter, lua.used_memory(), || drop(lua.gc_collect())).is_some() {
            return Err(mlua::Error::runtime("limit"));
        }
        Ok(VmState::Continue)
    });
}

/// Settles a chunk, collects when memory runs short (Luau does not do so by itself), and returns the limit passed.
fn passed(meter: &Meter, used: usize, collect: impl FnOnce()) -> Option<Limit> {
    let limit = meter.look();
    if limit.is_none() && meter.wants_collection(used) {
        collect();
    }
    limit
}

unsafe extern "C-unwind" fn interrupt(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    // SAFETY: the pointer is the one set above, or null on a state that runs no scripts.
    let Some(meter) = (unsafe { ffi::lua_getthreaddata(state).cast::<Meter>().as_ref() }) else {
        return;
    };
    if !meter.tick() {
        return;
    }
    // SAFETY: asking for the memory in use changes nothing.
    let used = unsafe { ffi::lua_gc(state, ffi::LUA_GCCOUNT, 0) } as usize * 1024;
    // SAFETY: a safe point has saved all that the collector must see.
    let collect = || unsafe {
        ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
    };
    if passed(meter, used, collect).is_some() {
        // SAFETY: nothing here owns memory; the error unwinds to the next protected call.
        unsafe {
            ffi::lua_rawcheckstack(state, 1);
            ffi::lua_pushstring(state, c"limit".as_ptr());
            ffi::lua_error(state)
        }
    }
}
