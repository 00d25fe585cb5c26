//! Plays paths in batches, and marks where each batch ends.

use std::hint::black_box;

/// A repeated action: its name, its number of repetitions in a batch, and its preparation.
pub(crate) struct Path {
    /// Its name in the record.
    pub(crate) name: &'static str,
    times: u32,
    prepare: fn() -> Box<dyn FnMut()>,
}

impl Path {
    /// Returns a path with a number of repetitions for its smaller batch.
    pub(crate) fn new(name: &'static str, times: u32, prepare: fn() -> Box<dyn FnMut()>) -> Path {
        Path {
            name,
            times,
            prepare,
        }
    }
}

/// Returns the paths of shard K of M, written `K/M`; K begins with 1.
pub(crate) fn paths_of_shard(paths: Vec<Path>, shard: &str) -> Vec<Path> {
    let (one, of) = shard.split_once('/').expect("a shard is K/M");
    let (one, of): (usize, usize) = (
        one.parse().expect("K is a number"),
        of.parse().expect("M is a number"),
    );
    let chosen = paths.into_iter().enumerate();
    let chosen = chosen.filter(|(place, _)| place % of + 1 == one);
    chosen.map(|(_, path)| path).collect()
}

/// Plays each path: once to warm up, then a batch and one twice as large. Writes the name of each path and its
/// repetitions in a batch, and at the end the features of the processor.
pub(crate) fn play_paths_in_batches(paths: Vec<Path>) {
    arbiter_tests::on_game_thread(|| {
        for path in paths {
            let mut once = (path.prepare)();
            once();
            for batch in [0, path.times, 2 * path.times] {
                for _ in 0..batch {
                    once();
                }
                a_batch_of_counts_ends(batch);
            }
            println!("{}\t{}", path.times, path.name);
        }
    });
    println!(
        "features\t{}",
        crate::count_conditions::processor_features().join(" ")
    );
}

/// Marks the point where valgrind writes the counts since the last time; valgrind finds the function by its name.
#[inline(never)]
fn a_batch_of_counts_ends(batch: u32) {
    black_box(batch);
}
