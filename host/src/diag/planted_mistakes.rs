//! Mistakes of the host that its own tests plant, to show that the check of a commit finds them.
//!
//! A program contains no mistakes and cannot plant one: there, each query for a mistake is a constant. In the tests of
//! this crate each thread plants its own mistakes. A test may also let the host panic when a script calls into it.

/// A mistake of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// Undo leaves the last change as it is.
    UndoneInPart,
    /// Redo leaves out the last change.
    RedoneInPart,
    /// Undo does not give the slot back.
    SlotKept,
    /// Rolled-back values stay in cells that had a value before.
    RollbackForgotten,
    /// The canonical bytes leave the last row out.
    RowLost,
    /// The address of a die counts all dice of the process.
    AddressOfProcess,
    /// A ruling that waits forgets the last input that it had.
    LostAnswer,
}

/// Returns whether a mistake is planted.
#[cfg(not(test))]
#[inline]
pub(crate) const fn is_planted(_: Mistake) -> bool {
    false
}

/// Notes a call of a script into the host.
#[cfg(not(test))]
#[inline]
pub(crate) const fn note_host_call() {}

/// Returns how many dice were rolled under a planted mistake.
#[cfg(not(test))]
#[inline]
pub(crate) const fn count_drawn_die() -> u32 {
    0
}

#[cfg(test)]
pub(crate) use planting::{
    count_drawn_die, is_planted, note_host_call, run_with_panic_at_call, with_planted_mistake,
};

#[cfg(test)]
mod planting {
    use std::cell::Cell;

    use super::Mistake;

    thread_local! {
        static PLANTED: Cell<Option<Mistake>> = const { Cell::new(None) };
        static DRAWN: Cell<u32> = const { Cell::new(0) };
        /// How many calls there were, and the call that panics.
        static CALLS: Cell<(u64, Option<u64>)> = const { Cell::new((0, None)) };
    }

    /// Runs a function while a mistake is planted.
    pub(crate) fn with_planted_mistake<T>(mistake: Mistake, body: impl FnOnce() -> T) -> T {
        PLANTED.set(Some(mistake));
        let done = body();
        PLANTED.set(None);
        done
    }

    pub(crate) fn is_planted(mistake: Mistake) -> bool {
        PLANTED.get() == Some(mistake)
    }

    pub(crate) fn count_drawn_die() -> u32 {
        DRAWN.set(DRAWN.get() + 1);
        DRAWN.get()
    }

    /// Runs a function while the call with that number, from 1, panics. Returns the result and the number of calls.
    pub(crate) fn run_with_panic_at_call<T>(
        number: Option<u64>,
        body: impl FnOnce() -> T,
    ) -> (T, u64) {
        CALLS.set((0, number));
        let done = body();
        let (calls, _) = CALLS.replace((0, None));
        (done, calls)
    }

    pub(crate) fn note_host_call() {
        let (calls, number) = CALLS.get();
        CALLS.set((calls + 1, number));
        assert!(number != Some(calls + 1), "a test lets this call panic");
    }
}
