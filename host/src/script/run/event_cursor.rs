//! The place of the present handler among the recipients of an event, which the frame in Luau and the host share.
//!
//! The place is in a buffer of the machine: both sides read and write the buffer without a call to the other.

use mlua::{Buffer, Lua};

/// The positions of the handler's place, of the flag that a handler did something, and of the flags of the run; unit:
/// bytes.
const PLACE: usize = 0;
const TOUCHED: usize = 4;
const TELLS_CAUSES: usize = 5;
const ATTENDED: usize = 6;
const LOOKS: usize = 7;
const LENGTH: usize = 8;

/// A buffer with the place of the present handler, 0 for none. It also holds whether any handler did something since
/// the recipients were found, and the flags of the run.
pub(crate) struct EventCursor(Buffer);

impl EventCursor {
    /// Makes the buffer. Errors: memory.
    pub(crate) fn new(lua: &Lua) -> mlua::Result<EventCursor> {
        Ok(EventCursor(lua.create_buffer([0; LENGTH])?))
    }

    /// Sets the flags of a run that begins: whether the causes are read, and whether it is attended.
    pub(crate) fn set_run_flags(&self, tells_causes: bool, is_attended: bool) {
        self.0.write_bytes(TELLS_CAUSES, &[u8::from(tells_causes)]);
        self.0.write_bytes(ATTENDED, &[u8::from(is_attended)]);
        self.0.write_bytes(LOOKS, &[0]);
    }

    /// Returns the buffer for the frame. The frame writes a whole number of four bytes at 0 and the bytes at 4 and 7,
    /// and reads the others.
    pub(crate) fn buffer(&self) -> &Buffer {
        &self.0
    }

    /// Returns the place, from 0, of the present handler.
    #[inline]
    pub(crate) fn place(&self) -> Option<usize> {
        let place = u32::from_le_bytes(self.0.read_bytes(PLACE));
        (place as usize).checked_sub(1)
    }

    /// Returns whether a schema is asked about the handler, and may only look.
    #[inline]
    pub(crate) fn may_only_look(&self) -> bool {
        self.0.read_bytes(LOOKS) != [0]
    }

    /// Sets whether a handler did something since the recipients were found.
    #[inline]
    pub(crate) fn set_changed_since_recipients(&self, is_touched: bool) {
        self.0.write_bytes(TOUCHED, &[u8::from(is_touched)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_what_the_other_wrote() {
        let lua = Lua::new();
        let turn = EventCursor::new(&lua).unwrap();
        assert_eq!(turn.place(), None);
        let next = lua.load(
            "local turn = ...
            buffer.writeu32(turn, 0, buffer.readu32(turn, 0) + 3)
            buffer.writeu8(turn, 4, 1 - buffer.readu8(turn, 4))
            return buffer.readu8(turn, 4) == 1",
        );
        let next = next.into_function().unwrap();
        for place in [3, 6] {
            turn.set_changed_since_recipients(place == 3);
            assert_eq!(next.call::<bool>(turn.buffer()).unwrap(), place == 6);
            lua.gc_collect().unwrap();
            assert_eq!(turn.place(), Some(place - 1));
        }
    }
}
