//! Hash chain of the lines of a journal: each line proves all lines before it.
//!
//! A line is `JSON<TAB>CHAIN<LF>`, CHAIN = hex SHA-256(CHAIN of the line before ‖ JSON bytes as written). The CHAIN
//! before the first line is empty. Anyone can check it: `printf %s%s "$before" "$json" | sha256sum`.

use std::fmt;

use sha2::{Digest, Sha256};

/// Hex digits of a SHA-256.
const DIGITS: usize = 64;

/// The CHAIN at the end of a line; empty before the first line.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Chain(Option<[u8; DIGITS]>);

impl Chain {
    /// Returns the CHAIN of the next line.
    pub fn chain_after(&self, json: &[u8]) -> Chain {
        let mut hash = Sha256::new();
        hash.update(self.0.as_ref().map_or(&[][..], |digits| &digits[..]));
        hash.update(json);
        Chain(Some(hex_digits(&hash.finalize().into())))
    }

    /// Returns the complete next line for some JSON.
    pub fn next_line(&self, json: &[u8]) -> (Vec<u8>, Chain) {
        let mut line = Vec::new();
        let chain = self.write_line(json, &mut line);
        (line, chain)
    }

    /// Adds the complete next line for some JSON to other lines, and returns its CHAIN.
    pub(super) fn write_line(&self, json: &[u8], lines: &mut Vec<u8>) -> Chain {
        let chain = self.chain_after(json);
        lines.reserve(json.len() + DIGITS + 2);
        lines.extend_from_slice(json);
        lines.push(b'\t');
        lines.extend_from_slice(chain.0.as_ref().map_or(&[][..], |digits| &digits[..]));
        lines.push(b'\n');
        chain
    }

    /// Returns the JSON and the CHAIN of the next line (without its LF); none if the line differs from the written
    /// one.
    pub(super) fn verified_json<'a>(&self, line: &'a [u8]) -> Option<(&'a [u8], Chain)> {
        let at = line.len().checked_sub(DIGITS + 1)?;
        let (json, rest) = line.split_at(at);
        let chain = self.chain_after(json);
        let is_sound = rest[0] == b'\t' && chain.0.is_some_and(|digits| digits == rest[1..]);
        is_sound.then_some((json, chain))
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.as_ref().map_or(&[][..], |digits| &digits[..]);
        out.write_str(&String::from_utf8_lossy(digits))
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Chain({self})")
    }
}

/// Returns the SHA-256 of bytes in hex.
pub fn sha256(bytes: &[u8]) -> String {
    hash_hex(&Sha256::digest(bytes).into())
}

/// Returns a SHA-256 in hex.
pub(super) fn hash_hex(hash: &[u8; 32]) -> String {
    String::from_utf8_lossy(&hex_digits(hash)).into_owned()
}

/// Returns whether a text is a SHA-256 in the form used here: 64 lower-case hex digits.
pub(super) fn is_sha256(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == DIGITS && text.bytes().all(is_digit)
}

fn hex_digits(hash: &[u8; 32]) -> [u8; DIGITS] {
    let digit = |at: usize| {
        let half = if at.is_multiple_of(2) {
            hash[at / 2] >> 4
        } else {
            hash[at / 2] & 15
        };
        b"0123456789abcdef"[usize::from(half)]
    };
    std::array::from_fn(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_sha256sum_says() {
        let (first, chain) = Chain::default().next_line(b"{}");
        let of_first = sha256(b"{}");
        assert_eq!(first, format!("{{}}\t{of_first}\n").into_bytes());
        let (second, _) = chain.next_line(b"[1]");
        let of_second = sha256(format!("{of_first}[1]").as_bytes());
        assert_eq!(second, format!("[1]\t{of_second}\n").into_bytes());
        assert_eq!(
            of_first,
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
    }

    #[test]
    fn a_line_opens_in_its_place_only() {
        let (line, chain) = Chain::default().next_line(b"{}");
        let line = &line[..line.len() - 1];
        assert_eq!(
            Chain::default().verified_json(line),
            Some((&b"{}"[..], chain))
        );
        assert_eq!(chain.verified_json(line), None);
        assert_eq!(
            Chain::default().verified_json(&line.to_ascii_uppercase()),
            None
        );
        assert_eq!(Chain::default().verified_json(b"\t"), None);
        assert!(is_sha256(&chain.to_string()) && !is_sha256(&"A".repeat(64)));
    }
}
