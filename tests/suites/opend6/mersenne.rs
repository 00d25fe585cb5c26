//! The generator of the documented rolls, as a double of the host's dice.
//!
//! MT19937 as Python seeds and uses it; its faces are typed into the game.

use sha2::{Digest, Sha512};

const STATE_WORDS: usize = 624;
const STATE_SHIFT: usize = 397;

/// The state of the generator.
pub(super) struct Mersenne {
    words: [u32; STATE_WORDS],
    next: usize,
}

impl Mersenne {
    /// Returns the generator of a whole number.
    pub(super) fn of_number(seed: u64) -> Mersenne {
        Mersenne::of_bytes(&seed.to_be_bytes())
    }

    /// Returns the generator of a text; its key is the number of the text followed by its own
    /// digest.
    pub(super) fn of_text(seed: &[u8]) -> Mersenne {
        Mersenne::of_bytes(&[seed, &Sha512::digest(seed)].concat())
    }

    /// Reads a big-endian number as words, the least significant first, without zeros at the end.
    fn of_bytes(number: &[u8]) -> Mersenne {
        let word = |bytes: &[u8]| {
            let fold = |word: u32, byte: &u8| word << 8 | u32::from(*byte);
            bytes.iter().fold(0, fold)
        };
        let mut key: Vec<u32> = number.rchunks(4).map(word).collect();
        while key.len() > 1 && key.last() == Some(&0) {
            key.pop();
        }
        Mersenne::of_key(&key)
    }

    /// Returns the state of one word; keys are mixed into it.
    fn of_word(seed: u32) -> Mersenne {
        let mut words = [seed; STATE_WORDS];
        for at in 1..STATE_WORDS {
            let mixed = words[at - 1] ^ words[at - 1] >> 30;
            words[at] = mixed.wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        Mersenne {
            words,
            next: STATE_WORDS,
        }
    }

    /// Seeds with an array of words: `init_by_array` of the reference implementation.
    fn of_key(key: &[u32]) -> Mersenne {
        let mut made = Mersenne::of_word(19_650_218);
        let mut at = 1;
        for round in 0..STATE_WORDS.max(key.len()) {
            let part = round % key.len();
            let more = key[part].wrapping_add(part as u32);
            at = made.mix_word(at, 1_664_525, |mixed| mixed.wrapping_add(more));
        }
        for _ in 1..STATE_WORDS {
            let less = at as u32;
            at = made.mix_word(at, 1_566_083_941, |mixed| mixed.wrapping_sub(less));
        }
        made.words[0] = 1 << 31;
        made
    }

    /// Mixes a word with the one before it and returns the place of the next.
    fn mix_word(&mut self, at: usize, factor: u32, last: impl Fn(u32) -> u32) -> usize {
        let before = self.words[at - 1];
        let mixed = (before ^ before >> 30).wrapping_mul(factor);
        self.words[at] = last(self.words[at] ^ mixed);
        if at + 1 < STATE_WORDS {
            return at + 1;
        }
        self.words[0] = self.words[STATE_WORDS - 1];
        1
    }

    fn refill_words(&mut self) {
        for at in 0..STATE_WORDS {
            let joined = self.words[at] & 1 << 31 | self.words[(at + 1) % STATE_WORDS] & !(1 << 31);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[at] = self.words[(at + STATE_SHIFT) % STATE_WORDS] ^ joined >> 1 ^ odd;
        }
        self.next = 0;
    }

    /// Returns the next 32 bits.
    pub(super) fn next_word(&mut self) -> u32 {
        if self.next == STATE_WORDS {
            self.refill_words();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// Returns the next face of a die: the top three bits of words, until they are below six.
    pub(super) fn next_face(&mut self) -> u32 {
        loop {
            let bits = self.next_word() >> 29;
            if bits < 6 {
                return bits + 1;
            }
        }
    }
}

fn first_twenty_faces(mut generator: Mersenne) -> Vec<u32> {
    (0..20).map(|_| generator.next_face()).collect()
}

#[test]
fn the_documented_faces_come_of_a_number() {
    let expected = [6, 1, 1, 6, 3, 2, 2, 2, 6, 1, 6, 6, 5, 1, 5, 4, 1, 1, 1, 2];
    assert_eq!(first_twenty_faces(Mersenne::of_number(42)), expected);
}

/// The published first words of `init_by_array({0x123, 0x234, 0x345, 0x456})`.
#[test]
fn the_words_are_those_that_the_authors_of_the_generator_published() {
    let mut generator = Mersenne::of_key(&[0x123, 0x234, 0x345, 0x456]);
    let words: Vec<u32> = (0..5).map(|_| generator.next_word()).collect();
    let published = [
        1_067_595_299,
        955_945_823,
        477_289_528,
        4_107_218_783,
        4_228_976_476,
    ];
    assert_eq!(words, published);
    let mut later = generator;
    let thousandth = (5..1000).map(|_| later.next_word()).last();
    assert_eq!(thousandth, Some(3_460_025_646));
}

/// Keys of one word and of several.
#[test]
fn numbers_are_keys_of_as_many_words_as_they_have() {
    let first = |seed| Mersenne::of_number(seed).next_word();
    assert_eq!(first(42), 2_746_317_213);
    assert_eq!(first((1 << 40) + 3), 943_978_446);
    assert_eq!(first(0), 3_626_764_237);
    assert_ne!(first(1), first(1 << 32));
}
