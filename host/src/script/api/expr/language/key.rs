//! This module is a key of contexts of expressions: the machine holds its text as long as it is there.

use std::ffi::CString;

use mlua::LuaString;

use crate::script::raw::Way;

/// A key of contexts.
pub(super) struct Key {
    held: LuaString,
    address: usize,
    name: Option<CString>,
}

impl Key {
    /// Returns the key of a text.
    pub(super) fn new(held: LuaString) -> Key {
        Key {
            name: CString::new(held.as_bytes().to_vec()).ok(),
            address: held.to_pointer() as usize,
            held,
        }
    }

    /// Returns where the machine keeps the text: the same for every key with it.
    pub(super) fn address(&self) -> usize {
        self.address
    }

    /// Returns the text as the machine knows it.
    pub(super) fn held(&self) -> &LuaString {
        &self.held
    }

    /// Returns the way to what a context has under it, or to an item of that; nothing if the text holds a zero.
    pub(super) fn way(&self, item: Option<i32>) -> Option<Way<'_>> {
        let key = self.name.as_deref()?;
        Some(Way { key, item })
    }
}
