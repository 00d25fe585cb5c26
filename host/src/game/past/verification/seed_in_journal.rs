//! Finds the revealed seed in a journal: the seed that was promised by its hash.

use crate::game::timeline::seed::Seed;
use crate::store::Operation;

/// Returns the 32 bytes that a document of the journal shows and that match the promised SHA-256.
pub(super) fn seed_in_journal(operations: &[Operation], promised: &str) -> Option<[u8; 32]> {
    let documents = operations.iter().flat_map(|one| &one.documents);
    let told = documents.filter_map(|document| {
        document
            .get("data")
            .get("seed")
            .as_str()
            .and_then(seed_from_hex)
    });
    let mut seeds = told.filter(|bytes| Seed::from_bytes(*bytes).commitment() == promised);
    seeds.next()
}

fn seed_from_hex(hex: &str) -> Option<[u8; 32]> {
    let digits = hex.len() == 64 && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate().filter(|_| digits) {
        *byte = u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    digits.then_some(bytes)
}
