//! The interface that the unsafe code needs from the owner of a machine. A machine has only one owner.

use std::any::TypeId;

use mlua::Lua;

use super::stack_frames::Frames;
use crate::script::profile::Work;

/// The owner of a machine. It lives as long as the machine does.
pub(crate) trait Owner: 'static {
    /// Counts a safe point. Returns true if the limits must be checked.
    fn count_safe_point(&self) -> bool;

    /// Counts the fuel of a call. The limit is checked at the next safe point.
    fn spend_fuel(&self, fuel: u32);

    /// Updates the counts and checks the limits. `used` is the memory in use, in bytes.
    fn check_limits(&self, used: usize) -> Look;

    /// Remembers that memory ran out.
    fn note_out_of_memory(&self);

    /// Returns whether the profiler takes samples of it.
    fn is_sampled(&self) -> bool {
        false
    }

    /// Takes a sample for the profiler, if it is due.
    fn sample(&self, _frames: Frames<'_>, _at: Met) {}

    /// Begins to record an error: the text that was raised, if it is one.
    fn begin_raised_error(&self, _text: Option<&[u8]>) {}

    /// Records a frame that led to the error: its chunk, line and function, the innermost first.
    fn add_raised_frame(&self, _chunk: &[u8], _line: usize, _name: &[u8]) {}
}

/// The place where a sample is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// In a script.
    Script,
    /// In the collector, after a step of it.
    Collector,
    /// In a fast method, by its kind and name; the innermost frame is its own.
    Method((Work, &'static str)),
    /// Before a function of the host did anything. The innermost frame is its own.
    Call,
}

/// The consequence of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The script goes on.
    Go,
    /// It goes on when the machine has collected its garbage.
    Collect,
    /// It ends: a limit is passed.
    Stop,
}

/// The type of the owner of a machine.
struct OwnerType(TypeId);

/// Returns whether `O` is the type of the owner of a machine. If the machine has no owner type yet, `O` becomes it.
///
/// Functions that find the owner through the machine's data are made only if this holds.
pub(super) fn is_owned_by<O: Owner>(lua: &Lua) -> bool {
    let own = TypeId::of::<O>();
    let known = lua.app_data_ref::<OwnerType>().map(|known| known.0);
    if known.is_none() {
        lua.set_app_data(OwnerType(own));
    }
    known.is_none_or(|known| known == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Of<const NUMBER: u8>;

    impl<const NUMBER: u8> Owner for Of<NUMBER> {
        fn count_safe_point(&self) -> bool {
            false
        }

        fn spend_fuel(&self, _: u32) {}

        fn check_limits(&self, _: usize) -> Look {
            Look::Go
        }

        fn note_out_of_memory(&self) {}
    }

    #[test]
    fn a_machine_has_one_owner() {
        let lua = Lua::new();
        assert!(is_owned_by::<Of<1>>(&lua) && is_owned_by::<Of<1>>(&lua));
        assert!(!is_owned_by::<Of<2>>(&lua));
    }
}
