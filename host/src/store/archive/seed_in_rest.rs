//! Finds the seed in the part of a journal that a recovered copy leaves out: a message there revealed it.

use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

use super::ArchiveError;
use super::chain::hash_hex;
use super::disk;
use super::journal_load::unreadable_journal_error;
use super::journal_repair::REST;
use super::open_game::SECRET;

/// Number of bytes that are searched at once.
const PIECE: usize = 64 * 1024;

/// Returns whether the part that was left out of a recovered game shows its seed.
///
/// Shape: false for a game that was not recovered, or without its secret. Errors: a file that cannot be read.
pub fn is_seed_in_rest(game: &Path) -> Result<bool, ArchiveError> {
    if !disk::file_exists(game, REST)? || !disk::file_exists(game, SECRET)? {
        return Ok(false);
    }
    // A damaged secret gives no seed.
    let Ok(secret) = disk::read_file_of_size::<32>(game, SECRET) else {
        return Ok(false);
    };
    let file = disk::open_file(game, REST, OpenOptions::new().read(true))?;
    contains_bytes(file, hash_hex(&secret).as_bytes())
}

fn contains_bytes(mut file: impl Read, wanted: &[u8]) -> Result<bool, ArchiveError> {
    let mut piece = vec![0; PIECE];
    let mut searched: Vec<u8> = Vec::new();
    loop {
        let count = file.read(&mut piece).map_err(unreadable_journal_error)?;
        if count == 0 {
            return Ok(false);
        }
        searched.extend_from_slice(&piece[..count]);
        if searched.windows(wanted.len()).any(|part| part == wanted) {
            return Ok(true);
        }
        // The wanted bytes may begin at the end of this piece.
        let done = searched.len().saturating_sub(wanted.len() - 1);
        searched.drain(..done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_wherever_they_are() {
        let wanted = [7; 64];
        for before in [0, 1, PIECE - 64, PIECE - 1, PIECE, 3 * PIECE - 20] {
            let mut bytes = vec![b'x'; before];
            assert_eq!(contains_bytes(&*bytes, &wanted), Ok(false), "{before}");
            bytes.extend_from_slice(&wanted[1..]);
            assert_eq!(contains_bytes(&*bytes, &wanted), Ok(false), "{before}");
            bytes.push(7);
            bytes.extend_from_slice(b"behind");
            assert_eq!(contains_bytes(&*bytes, &wanted), Ok(true), "{before}");
        }
    }
}
