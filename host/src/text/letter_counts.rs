//! Prepares texts for comparison: their characters, and a count of each group of characters.
//!
//! The common part of two texts is measured by their longest common runs. Counts alone give an upper bound.

/// Texts with more characters than this are close only to equal texts: the work grows with the product of the lengths.
pub(super) const LONGEST: usize = 200;

/// Groups of characters that are counted together. Each small letter, each digit and `_` has its own group.
const GROUPS: usize = 64;
const SINGLE: u8 = 37;

/// A text of at most 200 characters, prepared for comparison with many texts.
#[derive(Clone, Debug)]
pub(super) struct Letters {
    letters: Box<[char]>,
    counts: [u8; GROUPS],
}

impl Letters {
    /// Returns a prepared text, if it is short enough.
    pub(super) fn prepare(text: &str) -> Option<Letters> {
        let letters: Box<[char]> = text.chars().take(LONGEST + 1).collect();
        if letters.len() > LONGEST {
            return None;
        }
        let mut counts = [0; GROUPS];
        for letter in &letters {
            counts[letter_group(*letter)] += 1;
        }
        Some(Letters { letters, counts })
    }

    /// Returns the number of characters.
    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Returns an upper bound for the number of characters that the two have in common.
    pub(super) fn max_common_letters(&self, other: &Letters) -> usize {
        let pairs = self.counts.iter().zip(&other.counts);
        pairs.map(|(a, b)| u32::from(*a.min(b))).sum::<u32>() as usize
    }
}

/// Returns the group of a character: characters of two groups are never the same.
fn letter_group(letter: char) -> usize {
    match letter {
        'a'..='z' => letter as usize - 'a' as usize,
        '0'..='9' => 26 + letter as usize - '0' as usize,
        '_' => 36,
        _ => usize::from(SINGLE) + letter as usize % (GROUPS - usize::from(SINGLE)),
    }
}

/// The memory for comparing texts, and a count of the work done there.
pub(super) struct Comparison {
    runs: [u8; LONGEST + 1],
    /// Pairs of characters that were compared.
    pub(super) pairs: u64,
}

impl Comparison {
    /// Returns new memory.
    pub(super) fn new() -> Comparison {
        Comparison {
            runs: [0; LONGEST + 1],
            pairs: 0,
        }
    }

    /// Returns the total number of characters in the common runs of a candidate and a text.
    pub(super) fn common_length(&mut self, a: &Letters, b: &Letters) -> usize {
        self.matched_letters(&a.letters, &b.letters)
    }

    /// Counts the characters in common runs. Each run shortens both texts, so the recursion is at most 200 deep.
    fn matched_letters(&mut self, a: &[char], b: &[char]) -> usize {
        let (at_a, at_b, length) = self.longest_run(a, b);
        if length == 0 {
            return 0;
        }
        let left = self.matched_letters(&a[..at_a], &b[..at_b]);
        let right = self.matched_letters(&a[at_a + length..], &b[at_b + length..]);
        left + length + right
    }

    /// Returns the start in `a`, the start in `b` and the length of the first longest common run.
    fn longest_run(&mut self, a: &[char], b: &[char]) -> (usize, usize, usize) {
        self.pairs += (a.len() * b.len()) as u64;
        let mut best = (0, 0, 0);
        let runs = &mut self.runs[..b.len()];
        runs.fill(0);
        for (i, left) in a.iter().enumerate() {
            let mut before = 0;
            for (j, (right, here)) in b.iter().zip(&mut *runs).enumerate() {
                let run = if left == right { before + 1 } else { 0 };
                before = std::mem::replace(here, run);
                let run = usize::from(run);
                if run > best.2 {
                    best = (i + 1 - run, j + 1 - run, run);
                }
            }
        }
        best
    }
}
