//! Turns a seed and an address into faces that anyone can compute with `sha256sum`.
//!
//! words = SHA-256(seed as 64 hex digits, space, address, `#block` from the second block on), read as eight
//! big-endian 32-bit numbers; words of ⌊2³²/n⌋·n and above are skipped; face = word mod n + 1.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The secret from which all dice of a game are computed.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed {
    hex: String,
    is_test: bool,
    /// The commitment of a secret that is missing: then there are no dice.
    promised: Option<String>,
}

impl Seed {
    /// Returns the seed of 32 secret bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Seed {
        Seed {
            hex: to_hex(&bytes),
            is_test: false,
            promised: None,
        }
    }

    /// Returns the seed of a text; the game counts as a test.
    pub fn from_text(text: &str) -> Seed {
        Seed {
            hex: to_hex(&Sha256::digest(text.as_bytes())),
            is_test: true,
            promised: None,
        }
    }

    /// Returns the seed of a game whose secret is missing: its commitment is known, and no dice come from it.
    pub fn without_secret(commitment: String, is_test: bool) -> Seed {
        Seed {
            promised: Some(commitment),
            ..Seed::from_stored_bytes([0; 32], is_test)
        }
    }

    /// Returns whether the secret is missing.
    pub fn is_missing(&self) -> bool {
        self.promised.is_some()
    }

    /// Returns the seed that was stored with a game.
    pub fn from_stored_bytes(bytes: [u8; 32], is_test: bool) -> Seed {
        Seed {
            is_test,
            ..Seed::from_bytes(bytes)
        }
    }

    /// Returns the 32 secret bytes.
    pub fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = self.hex.get(2 * at..2 * at + 2).unwrap_or_default();
            *byte = u8::from_str_radix(pair, 16).expect("invariant: a seed is written in hex");
        }
        bytes
    }

    /// Returns the seed that players' salts make of this one: SHA-256(64 hex digits, then for each salt a space and its
    /// text).
    #[must_use]
    pub fn salted<'a>(&self, salts: impl IntoIterator<Item = &'a str>) -> Seed {
        let mut text = self.hex.clone();
        for salt in salts {
            text.push(' ');
            text.push_str(salt);
        }
        if text == self.hex {
            return self.clone();
        }
        Seed {
            hex: to_hex(&Sha256::digest(text.as_bytes())),
            ..self.clone()
        }
    }

    /// Returns the 64 hex digits.
    pub fn hex(&self) -> &str {
        &self.hex
    }

    /// Returns whether the seed came from a text that a person chose.
    pub fn is_test(&self) -> bool {
        self.is_test
    }

    /// Returns the SHA-256 of the 32 bytes in hex, which may be published before the game.
    pub fn commitment(&self) -> String {
        let promised = self.promised.clone();
        promised.unwrap_or_else(|| to_hex(&Sha256::digest(self.bytes())))
    }

    /// Returns the face, from 1, of a die with `sides` at an address.
    pub fn face(&self, address: &str, sides: u32) -> u32 {
        let limit = (1u64 << 32) / u64::from(sides) * u64::from(sides);
        let word = self
            .address_words(address)
            .find(|word| u64::from(*word) < limit);
        word.expect("invariant: words do not end") % sides + 1
    }

    /// Returns the first word of an address, by which a random order sorts.
    pub fn first_word(&self, address: &str) -> u32 {
        self.address_words(address)
            .next()
            .expect("invariant: words do not end")
    }

    fn address_words<'a>(&'a self, address: &'a str) -> impl Iterator<Item = u32> + 'a {
        (1u64..).flat_map(move |block| {
            let mut hash = Sha256::new();
            hash.update(self.hex.as_bytes());
            hash.update(b" ");
            hash.update(address.as_bytes());
            if block > 1 {
                hash.update(format!("#{block}").as_bytes());
            }
            let digest: [u8; 32] = hash.finalize().into();
            let word = |at: usize| {
                u32::from_be_bytes([digest[at], digest[at + 1], digest[at + 2], digest[at + 3]])
            };
            (0..32).step_by(4).map(word).collect::<Vec<u32>>()
        })
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Seed(…)")
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns one part of an address with `/ % #` and spaces %-encoded, so that parts cannot merge.
pub fn encode_address_part(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for letter in part.chars() {
        if letter.is_whitespace() || matches!(letter, '/' | '%' | '#') {
            let mut buffer = [0; 4];
            for byte in letter.encode_utf8(&mut buffer).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(letter);
        }
    }
    if out.is_empty() { "-".to_owned() } else { out }
}

/// Returns the text that [`encode_address_part`] was given; sequences that it never writes are left unchanged.
pub fn decode_address_part(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((first, later)) = rest.split_first() {
        let hex = later.get(..2).filter(|_| *first == b'%');
        let hex = hex.filter(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &later[2..];
            }
            None => {
                bytes.push(*first);
                rest = later;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| part.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_read_again() {
        for part in ["to hit", "50 % of #3/4", "a\u{2003}b", "é", "-"] {
            assert_eq!(decode_address_part(&encode_address_part(part)), part);
        }
        for odd in ["%", "%2", "%zz", "%FF", "a%+1"] {
            assert_eq!(decode_address_part(odd), odd);
        }
    }

    #[test]
    fn a_face_is_the_first_word_that_is_not_skipped() {
        let seed = Seed::from_text("example");
        let digest = Sha256::digest(format!("{} 1/roll/-/1", seed.hex).as_bytes());
        let word = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        assert_eq!(seed.first_word("1/roll/-/1"), word);
        assert_eq!(seed.face("1/roll/-/1", 6), word % 6 + 1);
    }

    #[test]
    fn words_go_on_in_further_blocks() {
        let seed = Seed::from_text("example");
        let ninth = seed.address_words("1/roll/-/1").nth(8).unwrap();
        let digest = Sha256::digest(format!("{} 1/roll/-/1#2", seed.hex).as_bytes());
        assert_eq!(
            ninth,
            u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
        );
    }

    #[test]
    fn salts_make_another_seed_that_sha256sum_computes() {
        let seed = Seed::from_text("example");
        assert_eq!(seed.salted([]), seed);
        let text = format!("{} a grain of salt", seed.hex);
        assert_eq!(
            seed.salted(["a grain", "of salt"]).hex,
            to_hex(&Sha256::digest(text))
        );
    }

    #[test]
    fn parts_of_an_address_cannot_run_together() {
        assert_eq!(encode_address_part("a/b c%#"), "a%2Fb%20c%25%23");
        assert_eq!(encode_address_part(""), "-");
    }
}
