//! The tests to run and their threads: one part of all tests, shared out among threads.
//!
//! Only the hash of the file and the sentence decides: a part is the same on every machine, and can be repeated.

use std::num::NonZeroUsize;

use host::game::Shard;
use host::store::archive::sha256;

/// The tests of one thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// The part of all tests that is run.
    pub(crate) part: Shard,
    /// Number of the thread, from 0.
    pub(crate) thread: usize,
    /// Number of threads.
    pub(crate) threads: NonZeroUsize,
}

impl Share {
    /// Returns whether a test is in the share.
    pub(crate) fn contains_test(&self, path: &str, sentence: &str) -> bool {
        let hash = sha256(format!("{path}\n{sentence}").as_bytes());
        let number = u64::from_str_radix(&hash[..15], 16).expect("invariant: a hash is hex digits");
        let (rest, of) = (number / self.part.of, self.threads.get() as u64);
        number % self.part.of == self.part.number - 1 && rest % of == self.thread as u64
    }

    /// Returns whether this thread reports the errors of the rules: only one thread does.
    pub(crate) fn reports_rule_errors(&self) -> bool {
        self.thread == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_is_in_one_part_and_of_one_thread() {
        let threads = NonZeroUsize::new(3).unwrap();
        let mut shares = Vec::new();
        for number in 1..=4 {
            for thread in 0..3 {
                let part = Shard { number, of: 4 };
                shares.push((
                    Share {
                        part,
                        thread,
                        threads,
                    },
                    0,
                ));
            }
        }
        for case in 0..600 {
            let sentence = format!("case {case}");
            let mut meant = shares
                .iter_mut()
                .filter(|(share, _)| share.contains_test("a.test.txt", &sentence));
            let (_, count) = meant.next().unwrap();
            *count += 1;
            assert!(meant.next().is_none(), "{sentence} is in two shares");
        }
        assert!(shares.iter().all(|(_, count)| *count > 20), "{shares:?}");
    }
}
