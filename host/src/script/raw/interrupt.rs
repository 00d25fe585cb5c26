//! This module lets the virtual machine tick the meter at every safe point.

use std::os::raw::{c_int, c_void};
use std::ptr;
use std::rc::Rc;

use mlua::{Lua, ffi};

use crate::script::host::Host;

/// Where a state keeps its thread data, in words: a call less at each safe point, where it is so.
const THREAD_DATA: usize = 16;

/// Makes the machine tick the meter of `host`; the caller keeps the host alive as long as the machine.
pub(crate) fn install_interrupt(lua: &Lua, host: &Rc<Host>) {
    lua.exec_raw_lua(|raw| {
        let state = raw.state();
        // SAFETY: `state` is the main state of a live machine, and the only one that runs scripts: there are no
        // coroutines. The machine hands the pointer back in `interrupt`; the engine that owns both drops the machine
        // before the host. mlua uses neither the thread data nor, without `set_interrupt`, the interrupt slot.
        unsafe {
            let interrupt = match set_thread_data(state, Rc::as_ptr(host).cast_mut().cast()) {
                true => interrupt::<true>,
                false => interrupt::<false>,
            };
            (*ffi::lua_callbacks(state)).interrupt = Some(interrupt);
        }
    });
}

/// Gives a state its thread data; returns whether it is kept where `THREAD_DATA` says.
unsafe fn set_thread_data(state: *mut ffi::lua_State, data: *mut c_void) -> bool {
    [ptr::null_mut(), data]
        .into_iter()
        .fold(true, |is_known, data| {
            // SAFETY: the caller has a live main state, which is longer than the word that is looked at.
            let kept = unsafe {
                ffi::lua_setthreaddata(state, data);
                state.cast::<*mut c_void>().add(THREAD_DATA).read_volatile()
            };
            is_known && kept == data
        })
}

/// Ticks the meter; `KNOWN` says that the place of the thread data was found.
unsafe extern "C-unwind" fn interrupt<const KNOWN: bool>(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    // SAFETY: the data is the host that was set above, or null on a state that runs no scripts.
    let host = unsafe {
        let data = match KNOWN {
            true => *state.cast::<*mut c_void>().add(THREAD_DATA),
            false => ffi::lua_getthreaddata(state),
        };
        data.cast::<Host>().as_ref()
    };
    if host.is_some_and(|host| host.meter.tick()) {
        // SAFETY: a safe point of a state that has a host.
        unsafe { look(state) }
    }
}

/// Settles a chunk and raises the error of a limit that is passed.
#[cold]
#[inline(never)]
unsafe fn look(state: *mut ffi::lua_State) {
    // SAFETY: as in `interrupt`; asking for the memory in use changes nothing.
    let (meter, used) = unsafe {
        let host = &*ffi::lua_getthreaddata(state).cast::<Host>();
        (
            &host.meter,
            ffi::lua_gc(state, ffi::LUA_GCCOUNT, 0) as usize * 1024,
        )
    };
    // SAFETY: a safe point has saved all that the collector must see.
    let collect = || unsafe {
        ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
    };
    if meter.passes(used, collect) {
        // SAFETY: nothing here owns memory; the error unwinds to the next protected call.
        unsafe {
            ffi::lua_rawcheckstack(state, 1);
            ffi::lua_pushstring(state, c"limit".as_ptr());
            ffi::lua_error(state)
        }
    }
}
