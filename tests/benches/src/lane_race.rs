//! Times work side by side. Each round runs each lane once, and the fastest round of each lane counts.
//!
//! Other work of the machine affects all lanes and can only add time, so the minimum is the cost of the work.

use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "this program exists to read the clock"
)]
use std::time::Instant;

/// Work that is timed beside other work.
pub(crate) struct Lane<'a> {
    operations: u32,
    batch: Box<dyn FnMut() -> Duration + 'a>,
}

impl<'a> Lane<'a> {
    /// Returns a lane whose batch repeats one operation.
    pub(crate) fn of_operation<T>(
        operations: u32,
        mut operation: impl FnMut() -> T + 'a,
    ) -> Lane<'a> {
        Lane::of_batch(operations, move || {
            elapsed_time(|| {
                for _ in 0..operations {
                    std::hint::black_box(operation());
                }
            })
        })
    }

    /// Returns a lane whose batch does some operations and returns their time.
    pub(crate) fn of_batch(operations: u32, batch: impl FnMut() -> Duration + 'a) -> Lane<'a> {
        Lane {
            operations,
            batch: Box::new(batch),
        }
    }
}

/// Returns the nanoseconds of one operation in the fastest round of each lane.
pub(crate) fn fastest_nanoseconds<const N: usize>(
    rounds: u32,
    mut lanes: [Lane<'_>; N],
) -> [f64; N] {
    let mut fastest = [Duration::MAX; N];
    for _ in 0..rounds {
        for (lane, fastest) in lanes.iter_mut().zip(&mut fastest) {
            *fastest = (*fastest).min((lane.batch)());
        }
    }
    let mut each = lanes.iter().zip(fastest);
    std::array::from_fn(|_| {
        let (lane, fastest) = each.next().expect("invariant: as many times as lanes");
        fastest.as_nanos() as f64 / f64::from(lane.operations)
    })
}

/// Returns the time of some work.
#[expect(
    clippy::disallowed_types,
    reason = "this program exists to read the clock"
)]
pub(crate) fn elapsed_time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

/// Returns the median of some times in nanoseconds.
pub(crate) fn median_nanoseconds(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times
        .get(times.len() / 2)
        .map_or(0.0, |middle| middle.as_nanos() as f64)
}
