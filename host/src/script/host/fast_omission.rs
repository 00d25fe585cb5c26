//! Leaves fast methods out of new machines, to measure their gain with and without them.

use std::cell::RefCell;

thread_local! {
    static LEFT_OUT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Leaves the fast methods of these functions out of each machine that this thread makes from now on.
pub fn omit_fast_methods(names: &[&str]) {
    LEFT_OUT.replace(names.iter().map(|name| (*name).to_owned()).collect());
}

/// Returns whether the fast method of a function is left out.
pub(crate) fn is_fast_method_omitted(name: &str) -> bool {
    LEFT_OUT.with_borrow(|left_out| left_out.iter().any(|one| one == name))
}
