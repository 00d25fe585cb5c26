//! Makes inputs: readable texts, texts with a few broken places, and texts of marks alone.

use std::hash::{DefaultHasher, Hash, Hasher};

use host::game::Stream;

use crate::random_below;

/// Unexpected parts of a text.
const STRANGE: [&[u8]; 24] = [
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x1b[2J",
    b"\x7f",
    b" ",
    b"-0",
    b"1e309",
    b"99999999999999999999",
    b"0.0000000000000000000000001",
    "\u{feff}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{200d}".as_bytes(),
    "\u{301}".as_bytes(),
    "\u{2028}".as_bytes(),
    "İ".as_bytes(),
    "ß".as_bytes(),
    "ﬁ".as_bytes(),
    "\u{1f468}\u{200d}\u{1f469}".as_bytes(),
];

/// Maximum size of an input in bytes: more than any line or small file may have.
const LONGEST: usize = 80 << 10;

/// Parts for the inputs of a reader.
pub(super) struct Inputs {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    marks: &'static [&'static str],
}

impl Inputs {
    pub(super) fn new(
        name: &'static str,
        seeds: Vec<Vec<u8>>,
        marks: &'static [&'static str],
    ) -> Inputs {
        Inputs { name, seeds, marks }
    }

    /// Returns the input of a number, always the same.
    pub(super) fn input_of_number(&self, number: u64) -> Vec<u8> {
        let mut hasher = DefaultHasher::new();
        (self.name, number).hash(&mut hasher);
        let mut chance = Stream::new(hasher.finish());
        let mut text = match random_below(&mut chance, 8) {
            0 => self.text_of_marks(&mut chance),
            _ => self.random_seed_text(&mut chance).to_vec(),
        };
        for _ in 0..=random_below(&mut chance, 3) {
            self.break_one_place(&mut text, &mut chance);
        }
        text.truncate(LONGEST);
        text
    }

    fn random_seed_text(&self, chance: &mut Stream) -> &[u8] {
        &self.seeds[random_below(chance, self.seeds.len())]
    }

    fn random_mark(&self, chance: &mut Stream) -> &[u8] {
        match random_below(chance, 4) {
            0 => STRANGE[random_below(chance, STRANGE.len())],
            _ => self.marks[random_below(chance, self.marks.len())].as_bytes(),
        }
    }

    fn text_of_marks(&self, chance: &mut Stream) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..random_below(chance, 24) {
            text.extend_from_slice(self.random_mark(chance));
            if random_below(chance, 2) == 0 {
                text.push(b' ');
            }
        }
        text
    }

    /// Breaks a text in one place.
    fn break_one_place(&self, text: &mut Vec<u8>, chance: &mut Stream) {
        let part = random_byte_range(text, chance);
        match random_below(chance, 12) {
            0 | 1 => drop(text.drain(part)),
            2 => text.truncate(part.start),
            3 => {
                let twice = text[part.clone()].to_vec();
                text.splice(part.start..part.start, twice);
            }
            4 => {
                // The text becomes deep, or long.
                let times = [3, 20, 300, 3_000][random_below(chance, 4)];
                let many = text[part.clone()].repeat(times);
                text.splice(part, many.into_iter().take(LONGEST));
            }
            5 => {
                let other = self.random_seed_text(chance).to_vec();
                let of_other = random_byte_range(&other, chance);
                text.splice(part, other[of_other].iter().copied());
            }
            6 => {
                let moved: Vec<u8> = text.drain(part).collect();
                let at = random_below(chance, text.len() + 1);
                text.splice(at..at, moved);
            }
            7 => {
                if let Some(byte) = text.get_mut(part.start) {
                    *byte ^= 1 << random_below(chance, 8);
                }
            }
            8 => text[part].reverse(),
            _ => {
                let mark = self.random_mark(chance).to_vec();
                let end = if random_below(chance, 2) == 0 {
                    part.start
                } else {
                    part.end
                };
                text.splice(part.start..end, mark);
            }
        }
    }
}

/// Returns the byte range of a random part of a text; short parts are likely.
fn random_byte_range(text: &[u8], chance: &mut Stream) -> std::ops::Range<usize> {
    let start = random_below(chance, text.len() + 1);
    let most = [1, 4, 16, text.len() + 1][random_below(chance, 4)];
    let length = random_below(chance, most + 1);
    start..text.len().min(start + length)
}
