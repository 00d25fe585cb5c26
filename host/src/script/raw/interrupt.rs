//! Lets the virtual machine tick the meter at every safe point.

use std::os::raw::{c_int, c_void};
use std::ptr;
use std::rc::Rc;

use mlua::{Lua, ffi};

use super::callback_panics::{catch_panic, raise_panic};
use super::machine_owner::{Look, Met, Owner, is_owned_by};
use super::stack_frames::Frames;

/// The place of a state's thread data, in words: it saves a call at each safe point, if it is right.
const THREAD_DATA: usize = 16;

/// Makes the machine tick the meter of its owner. The caller keeps the owner alive as long as the machine.
pub(crate) fn install_interrupt<O: Owner>(lua: &Lua, owner: &Rc<O>) {
    assert!(is_owned_by::<O>(lua), "invariant: a machine has one owner");
    lua.exec_raw_lua(|raw| {
        let state = raw.state();
        // SAFETY: `state` is the main state of a live machine, and the only one that runs scripts: there are no
        // coroutines. The machine hands the pointer back in `interrupt`; the engine that owns both drops the machine
        // before the owner. mlua uses neither the thread data nor, without `set_interrupt`, the interrupt slot.
        unsafe {
            (*ffi::lua_callbacks(state)).userthread = Some(inherit_thread_data);
            let is_known = set_thread_data(state, Rc::as_ptr(owner).cast_mut().cast());
            let interrupt = match (owner.is_sampled(), is_known) {
                (true, _) => interrupt_and_sample::<O>,
                (false, true) => interrupt::<O, true>,
                (false, false) => interrupt::<O, false>,
            };
            (*ffi::lua_callbacks(state)).interrupt = Some(interrupt);
        }
    });
}

/// Gives a state its thread data. Returns whether it is stored at the offset `THREAD_DATA`.
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

/// Gives a new state the thread data of the state that made it: no state that could run scripts is without an owner.
unsafe extern "C-unwind" fn inherit_thread_data(
    parent: *mut ffi::lua_State,
    state: *mut ffi::lua_State,
) {
    if !parent.is_null() {
        // SAFETY: both are live states of one machine.
        unsafe { ffi::lua_setthreaddata(state, ffi::lua_getthreaddata(parent)) };
    }
}

/// Ticks the meter. `KNOWN` is true if the place of the thread data was found.
unsafe extern "C-unwind" fn interrupt<O: Owner, const KNOWN: bool>(
    state: *mut ffi::lua_State,
    gc: c_int,
) {
    if gc >= 0 {
        return;
    }
    // SAFETY: the data is the owner that was set above: on the state that runs scripts, and on each that it would make.
    let owner = unsafe {
        let data = match KNOWN {
            true => *state.cast::<*mut c_void>().add(THREAD_DATA),
            false => ffi::lua_getthreaddata(state),
        };
        &*data.cast::<O>()
    };
    if owner.count_safe_point() {
        // SAFETY: a safe point of a state that has an owner.
        unsafe { enforce_limits(state, owner) }
    }
}

/// Does the same, and lets the owner take samples for the profiler.
unsafe extern "C-unwind" fn interrupt_and_sample<O: Owner>(state: *mut ffi::lua_State, gc: c_int) {
    // SAFETY: the data is the owner, as in `interrupt`; a safe point and a step of the collector may look at the frames.
    unsafe {
        let owner = &*ffi::lua_getthreaddata(state).cast::<O>();
        let met = match gc >= 0 {
            true => Met::Collector,
            false => Met::Script,
        };
        if let Err(panic) = catch_panic(|| owner.sample(Frames::new(state, 0), met)) {
            raise_panic(state, panic);
        }
        interrupt::<O, false>(state, gc);
    }
}

/// Settles a chunk and raises the error of a limit that is passed.
#[cold]
#[inline(never)]
unsafe fn enforce_limits<O: Owner>(state: *mut ffi::lua_State, owner: &O) {
    // SAFETY: asking for the memory in use changes nothing.
    let used = unsafe { ffi::lua_gc(state, ffi::LUA_GCCOUNT, 0) as usize * 1024 };
    let seen = catch_panic(|| owner.check_limits(used));
    // SAFETY: a safe point has saved all that the collector must see. Nothing here owns memory any more; an error unwinds
    // to the next protected call.
    unsafe {
        match seen {
            Ok(Look::Go) => {}
            Ok(Look::Collect) => {
                ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
            }
            Ok(Look::Stop) => {
                ffi::lua_rawcheckstack(state, 1);
                ffi::lua_pushstring(state, c"limit".as_ptr());
                ffi::lua_error(state)
            }
            Err(panic) => {
                raise_panic(state, panic);
            }
        }
    }
}
