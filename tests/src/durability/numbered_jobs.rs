//! Runs a function for many numbers on several threads, each with a stack as large as scripts may need.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::Builder;

/// Bytes of the stack of a game thread.
const STACK: usize = 16 << 20;

/// Runs a function for a number of numbers from the first one on and returns each result; `progress` gets the number of
/// finished ones.
pub fn run_numbered_jobs<T: Send>(
    (first, count): (u64, u64),
    job: impl Fn(u64) -> Result<T, String> + Sync,
    mut progress: impl FnMut(u64),
) -> Vec<Result<T, String>> {
    let next = AtomicU64::new(0);
    let (done, results) = channel();
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (done, next, job) = (done.clone(), &next, &job);
            let work = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || done.send((index, job(first + index))).is_err() {
                        return;
                    }
                }
            };
            let made = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            made.expect("a thread can be made");
        }
        drop(done);
        let mut all = Vec::new();
        while let Ok(one) = results.recv() {
            all.push(one);
            progress(all.len() as u64);
        }
        all.sort_by_key(|(index, _)| *index);
        all.into_iter().map(|(_, result)| result).collect()
    })
}
