//! Work beside a test: busy cores, or a repeated function. It ends with the test, even if the test fails.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sets a flag when it is dropped, also when a panic unwinds.
struct FlagOnDrop<'a>(&'a AtomicBool);

impl Drop for FlagOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs some work, and repeats a function on another thread until it ends.
pub fn run_while_repeating<T>(again: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    run_beside_threads(1, again, work)
}

/// Runs some work, and keeps every core busy with two more threads until it ends.
pub fn run_with_busy_cores<T>(work: impl FnOnce() -> T) -> T {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    run_beside_threads(2 * cores, std::hint::spin_loop, work)
}

fn run_beside_threads<T>(many: usize, again: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    let (done, again) = (AtomicBool::new(false), &again);
    std::thread::scope(|scope| {
        for _ in 0..many {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    again();
                }
            });
        }
        // Dropped before the scope waits for its threads.
        let _done = FlagOnDrop(&done);
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_panics_ends_what_goes_on_beside_it() {
        let ended = std::panic::catch_unwind(|| {
            run_while_repeating(std::thread::yield_now, || panic!("on purpose"))
        });
        assert!(ended.is_err());
        let ended = std::panic::catch_unwind(|| run_with_busy_cores(|| panic!("on purpose")));
        assert!(ended.is_err());
    }
}
