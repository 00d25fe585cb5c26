//! A key of contexts of expressions: the machine holds its text as long as it is there.

use mlua::LuaString;

/// A key of contexts.
pub(super) struct Key {
    held: LuaString,
    address: usize,
}

impl Key {
    /// Returns the key of a text.
    pub(super) fn new(held: LuaString) -> Key {
        Key {
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
}
