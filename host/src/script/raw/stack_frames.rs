//! Shows the frames of a machine, from the innermost outwards.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::raw::c_int;

use mlua::{Lua, ffi};

/// Frames that are looked at.
const FRAMES: c_int = 64;

/// The frames of a machine: chunk, line and function of each.
pub(crate) struct Frames<'a> {
    state: *mut ffi::lua_State,
    level: c_int,
    of_call: PhantomData<&'a ()>,
}

impl Frames<'_> {
    /// Returns the frames from a level on. 0 is the running function.
    ///
    /// The state is live, and runs nothing as long as the frames are looked at.
    pub(super) unsafe fn new(state: *mut ffi::lua_State, level: c_int) -> Self {
        Frames {
            state,
            level,
            of_call: PhantomData,
        }
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = (&'a [u8], usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.level >= FRAMES {
            return None;
        }
        let mut at = MaybeUninit::<ffi::lua_Debug>::zeroed();
        // SAFETY: the machine fills the requested data, and allocates nothing; its texts live as long as the function
        // of the frame, which is running.
        let at = unsafe {
            if ffi::lua_getinfo(self.state, self.level, c"sln".as_ptr(), at.as_mut_ptr()) == 0 {
                return None;
            }
            at.assume_init()
        };
        self.level += 1;
        let line = usize::try_from(at.currentline).unwrap_or(0);
        // SAFETY: the machine's texts end with a NUL.
        unsafe { Some((bytes_of_c_text(at.source), line, bytes_of_c_text(at.name))) }
    }
}

/// Shows the frames around a function of the host that runs, without its own.
pub(crate) fn with_frames<R>(lua: &Lua, look: impl FnOnce(Frames<'_>) -> R) -> R {
    lua.exec_raw_lua(|raw| {
        // SAFETY: the state belongs to the call; `look` has no way to run anything on it.
        look(unsafe { Frames::new(raw.state(), 1) })
    })
}

unsafe fn bytes_of_c_text<'a>(text: *const c_char) -> &'a [u8] {
    match text.is_null() {
        true => &[],
        // SAFETY: the caller has a text of the machine.
        false => unsafe { CStr::from_ptr(text) }.to_bytes(),
    }
}
