//! This module reads the arguments of a call where the machine keeps them.

use std::ffi::CString;
use std::os::raw::c_int;
use std::{ptr, slice, str};

use mlua::{LuaString, ffi};

use super::super::super::convert;
use super::super::super::host::Host;
use super::super::stack::This;
use super::{Call, Content};
use crate::value::{Name, Number};

/// The key of a field that fast methods read: a text that the machine holds as long as this lives.
pub(crate) struct Key {
    held: LuaString,
    address: usize,
    text: Option<CString>,
}

/// What passes with a table of texts costs: its nodes and its bytes, as the safe way counts them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Passed {
    nodes: usize,
    bytes: usize,
}

impl Call<'_> {
    /// Returns what an argument is, counted from 0, if it is of a kind.
    #[inline(always)]
    fn argument(&self, at: usize, kind: c_int) -> Option<&Content> {
        let slot = self.arguments.get(at)?;
        (slot.kind == kind).then_some(&slot.content)
    }

    /// Returns how many arguments there are.
    pub(crate) fn arguments(&self) -> usize {
        self.arguments.len()
    }

    /// Returns the table that the method was called on.
    #[inline(always)]
    pub(crate) fn this(&self) -> Option<This> {
        self.table(0)
    }

    /// Returns the table at a place, counted from 0.
    #[inline(always)]
    pub(crate) fn table(&self, at: usize) -> Option<This> {
        let content = self.argument(at, ffi::LUA_TTABLE)?;
        // SAFETY: of a table it is the address.
        Some(This(unsafe { content.table }))
    }

    /// Returns the userdata at a place, as [`mlua::AnyUserData::to_pointer`] names it.
    pub(crate) fn object(&self, at: usize) -> Option<This> {
        self.argument(at, ffi::LUA_TUSERDATA)?;
        // SAFETY: the argument lies at this index.
        let address = unsafe { ffi::lua_topointer(self.state, index(at)) };
        Some(This(address as usize))
    }

    /// Returns the text at a place, if it is UTF-8.
    pub(crate) fn text(&self, at: usize) -> Option<&str> {
        self.argument(at, ffi::LUA_TSTRING)?;
        self.text_on_stack(index(at))
    }

    /// Reads a table whose values are texts, one after another: `each` gets a text or a place of the list
    /// as the key. Returns what passing it costs; `None` for any other table, for one too large to pass, or as soon as
    /// `each` does.
    pub(crate) fn texts(
        &self,
        at: usize,
        mut each: impl FnMut(Result<&str, usize>, &str) -> Option<()>,
    ) -> Option<Passed> {
        self.argument(at, ffi::LUA_TTABLE)?;
        let (state, table) = (self.state, index(at));
        let mut passed = Passed { nodes: 1, bytes: 0 };
        let mut walk = || {
            let mut iteration = 0;
            loop {
                // SAFETY: there is room for a key and a value.
                iteration = unsafe { ffi::lua_rawiter(state, table, iteration) };
                if iteration < 0 {
                    return Some(());
                }
                let value = self.text_on_stack(-1)?;
                // SAFETY: the key lies below the value.
                let key = match unsafe { ffi::lua_type(state, -2) } {
                    ffi::LUA_TSTRING => Ok(self.text_on_stack(-2)?),
                    // SAFETY: as above.
                    ffi::LUA_TNUMBER => Err(place(unsafe { ffi::lua_tonumber(state, -2) })?),
                    _ => return None,
                };
                passed.nodes += 1;
                passed.bytes += value.len() + key.map_or(0, str::len);
                if passed.nodes > convert::NODES || passed.bytes > convert::BYTES {
                    return None;
                }
                each(key, value)?;
                // SAFETY: the key and the value are behind the arguments.
                unsafe { ffi::lua_settop(state, self.arguments.len() as c_int) };
            }
        };
        let walked = walk();
        // SAFETY: what is behind the arguments was put there by the walk.
        unsafe { ffi::lua_settop(state, self.arguments.len() as c_int) };
        walked.map(|()| passed)
    }

    /// Returns the text at an index of the stack, if it is one.
    fn text_on_stack(&self, at: c_int) -> Option<&str> {
        let mut length = 0;
        // SAFETY: the index is one of a value that the caller keeps on the stack; a number is not made a text.
        let bytes = unsafe {
            if ffi::lua_type(self.state, at) != ffi::LUA_TSTRING {
                return None;
            }
            let text = ffi::lua_tolstring(self.state, at, &mut length);
            slice::from_raw_parts(text.cast(), length)
        };
        str::from_utf8(bytes).ok()
    }

    /// Returns the name in a field of the table at a place, if it is a text that may have an atom.
    pub(crate) fn name_under(&self, host: &Host, at: usize, key: &Key) -> Option<Name> {
        self.argument(at, ffi::LUA_TTABLE)?;
        let key = key.text.as_deref()?;
        let mut atom = -1;
        // SAFETY: there is room for a value; the machine holds the key, so that finding it needs no memory. What is no
        // text leaves the atom alone.
        unsafe {
            ffi::lua_rawgetfield(self.state, index(at), key.as_ptr());
            ffi::lua_tolstringatom(self.state, -1, ptr::null_mut(), &mut atom);
            ffi::lua_pop(self.state, 1);
        }
        Some(host.atoms.name(u16::try_from(atom).ok()?))
    }

    /// Returns the whole number at a place of a list that is a field of the table at a place.
    pub(crate) fn number_under(&self, at: usize, key: &Key, item: i32) -> Option<Number> {
        self.argument(at, ffi::LUA_TTABLE)?;
        let key = key.text.as_deref()?;
        // SAFETY: there is room for two values; the machine holds the key, so that finding it needs no memory.
        let found = unsafe {
            let list = ffi::lua_rawgetfield(self.state, index(at), key.as_ptr());
            let is_number = list == ffi::LUA_TTABLE
                && ffi::lua_rawgeti_(self.state, -1, item) == ffi::LUA_TNUMBER;
            let found = is_number.then(|| ffi::lua_tonumber(self.state, -1));
            ffi::lua_settop(self.state, self.arguments.len() as c_int);
            found
        };
        Number::from_whole_f64(found?)
    }

    /// Returns the name at a place behind the table, if it is a text that has an atom already.
    #[inline(always)]
    pub(crate) fn name(&self, host: &Host, at: usize) -> Option<Name> {
        let content = self.argument(at, ffi::LUA_TSTRING)?;
        // SAFETY: a text lives as long as it is on the stack.
        let atom = unsafe { (*content.text).atom };
        Some(host.atoms.name(u16::try_from(atom).ok()?))
    }

    /// Returns the whole number at a place behind the table, if it is one.
    #[inline(always)]
    pub(crate) fn whole_number(&self, at: usize) -> Option<Number> {
        let content = self.argument(at, ffi::LUA_TNUMBER)?;
        // SAFETY: of a number it is the number.
        Number::from_whole_f64(unsafe { content.number })
    }
}

impl Key {
    pub(crate) fn new(held: LuaString) -> Key {
        Key {
            text: CString::new(held.as_bytes().to_vec()).ok(),
            address: held.to_pointer() as usize,
            held,
        }
    }

    /// Returns where the machine keeps the text: the same for every key with it.
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &LuaString {
        &self.held
    }
}

impl Passed {
    /// Returns the fuel that it costs.
    pub(crate) fn fuel(self) -> u64 {
        convert::fuel_of_passing(self.nodes, self.bytes)
    }
}

/// Returns the index of an argument, counted from 0.
fn index(at: usize) -> c_int {
    at as c_int + 1
}

/// Returns the place of a list that a number is.
fn place(number: f64) -> Option<usize> {
    let place = number as usize;
    (place as f64 == number).then_some(place)
}
