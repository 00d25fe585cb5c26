//! Values where the machine keeps them: they are read without a call to the machine, if their layout is as declared
//! here.

use std::os::raw::c_int;
use std::{ptr, slice, str};

use mlua::ffi;

use crate::script::border::stack_value::This;

/// How a state begins.
#[repr(C)]
pub(super) struct State {
    _header: u64,
    pub(super) top: *const Slot,
    pub(super) base: *const Slot,
}

/// A value where the machine keeps it.
#[repr(C)]
pub(crate) struct Slot {
    content: Content,
    _extra: c_int,
    kind: c_int,
}

/// The content of a value. Its kind decides the field.
#[repr(C)]
union Content {
    number: f64,
    text: *const Text,
    address: usize,
}

/// The beginning of a text in memory. Its bytes follow.
#[repr(C)]
struct Text {
    _header: [u8; 4],
    atom: i16,
    _between: [u32; 3],
    length: u32,
}

impl Slot {
    /// Returns the number that the value is, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        // SAFETY: any bits are a number; the kind decides whether they are meant as one.
        (self.kind == ffi::LUA_TNUMBER).then_some(unsafe { self.content.number })
    }

    /// Returns the table that the value is, if it is one.
    pub(crate) fn table(&self) -> Option<This> {
        // SAFETY: any bits are an address; the kind decides whether they are meant as one.
        (self.kind == ffi::LUA_TTABLE).then_some(This(unsafe { self.content.address }))
    }

    /// Returns the atom of the text that the value is, if it is one that has an atom already.
    pub(crate) fn atom(&self) -> Option<u16> {
        // SAFETY: a text lives as long as its slot holds it.
        let text = (self.kind == ffi::LUA_TSTRING).then(|| unsafe { &*self.content.text })?;
        u16::try_from(text.atom).ok()
    }

    /// Returns the text that the value is, if it is one in UTF-8.
    pub(crate) fn text(&self) -> Option<&str> {
        // SAFETY: a text lives as long as its slot holds it, and its bytes follow its beginning.
        let bytes = (self.kind == ffi::LUA_TSTRING).then(|| unsafe {
            let text = self.content.text;
            slice::from_raw_parts(text.add(1).cast(), (*text).length as usize)
        })?;
        str::from_utf8(bytes).ok()
    }
}

/// Returns whether a state with a text, a number and a table on its stack keeps them as declared above.
pub(super) unsafe fn has_declared_layout(state: *mut ffi::lua_State) -> bool {
    // SAFETY: a state is longer than its beginning; nothing is followed before the count of values agrees.
    unsafe {
        let State { top, base, .. } = state.cast::<State>().read();
        let count = (top as usize).wrapping_sub(base as usize) / size_of::<Slot>();
        if base.is_null() || !base.is_aligned() || count != 3 || ffi::lua_gettop(state) != 3 {
            return false;
        }
        let (mut atom, mut length) = (-1, 0);
        ffi::lua_tolstringatom(state, 1, ptr::null_mut(), &mut atom);
        let bytes = ffi::lua_tolstring(state, 1, &mut length);
        let [one, two, three] = &*base.cast::<[Slot; 3]>();
        [one.kind, two.kind, three.kind] == [1, 2, 3].map(|at| ffi::lua_type(state, at))
            && two.content.number == ffi::lua_tonumber(state, 2)
            && three.content.address == ffi::lua_topointer(state, 3) as usize
            && one.content.address == ffi::lua_topointer(state, 1) as usize
            && c_int::from((*one.content.text).atom) == atom
            && (*one.content.text).length as usize == length
            && one.content.text.add(1).cast() == bytes
    }
}
