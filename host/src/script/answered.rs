//! This module counts the calls that fast methods answer, for tests that must know.

use std::cell::Cell;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts a call on this thread.
pub(super) fn count() {
    CALLS.set(CALLS.get() + 1);
}

/// Returns how many there were during `body`, with what it returns.
pub(crate) fn during<R>(body: impl FnOnce() -> R) -> (usize, R) {
    let before = CALLS.get();
    let result = body();
    (CALLS.get() - before, result)
}
