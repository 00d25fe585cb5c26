//! A key of contexts of expressions. The machine holds the text of a key as long as the key exists.

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

    /// Returns the address of the text in the machine, which is the same for every key with that text.
    pub(super) fn text_address(&self) -> usize {
        self.address
    }

    /// Returns the text as a string of the machine.
    pub(super) fn held_text(&self) -> &LuaString {
        &self.held
    }
}
