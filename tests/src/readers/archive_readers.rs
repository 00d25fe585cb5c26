//! The readers of games on disk: journals, and archives of whole games.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use host::store::archive::{self, Chain, Game as OnDisk, JOURNAL, Opening, Reading, SyncMode};
use tempfile::TempDir;

use super::{CHECK, Reader, check_fits_screen, read_one_by_one};
use crate::saved_game::{HOLDER, save_options};
use crate::{Game, Scratch};

/// Bytes of a block of an archive.
const BLOCK: usize = 512;

/// Place of the sum in a header.
const SUM: std::ops::Range<usize> = 148..156;

/// Place of the size of a file in its header.
const SIZE: std::ops::Range<usize> = 124..136;

pub(super) const JOURNALS: Reader = Reader {
    name: "journals",
    seeds: || {
        let home = tempfile::tempdir().expect("there is room for a game");
        let journal =
            fs::read(save_sample_game(&home).join(JOURNAL)).expect("the journal is there");
        vec![journal]
    },
    marks: &[
        "\t",
        "\n",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "\"v\":1",
        "\"v\":9",
        "\"seq\":",
        "\"kind\":\"ruling\"",
        "\"undo\"",
        "\"of\":",
        "\"slot\":",
        "\"changes\":",
        "\"state\":",
        "null",
        "true",
        "-1",
        "18446744073709551616",
        "\"more\":true",
        "\"blob\":",
        "\"causes\":",
        "\"documents\":",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let home = tempfile::tempdir().expect("there is room for a game");
        let folder = save_sample_game(&home);
        read_one_by_one(move |input| {
            // The folder is removed when this value is dropped.
            let _ = &home;
            read_journal(&folder, input)
        })
    },
};

pub(super) const ARCHIVES: Reader = Reader {
    name: "archives",
    seeds: || {
        let home = tempfile::tempdir().expect("there is room for a game");
        let file = home.path().join("pack");
        archive::pack_game_into_file(&save_sample_game(&home), &file).expect("it can be packed");
        vec![fs::read(file).expect("it was packed")]
    },
    marks: &[
        "\0",
        "ustar\0",
        "ustar  \0",
        "../",
        "/",
        "journal.jsonl",
        "rules/",
        "blobs/",
        "secret",
        "snapshots/",
        "lock",
        "0",
        "1",
        "2",
        "5",
        "L",
        "x",
        "0000644\0",
        "77777777777\0",
        "path=",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let home = tempfile::tempdir().expect("there is room for archives");
        read_one_by_one(move |input| read_archive(home.path(), input))
    },
};

/// Saves a game with operations of several kinds, and returns its folder.
fn save_sample_game(home: &TempDir) -> PathBuf {
    let folder = home.path().join("game");
    let mut game = Game::of_program(&Scratch::with_listener_collections(), "mini");
    for line in [
        "throw 2d6",
        "charm Ann with cheer",
        "undo",
        "redo",
        "both",
        "set Ann mood 2",
        "revert 2 yes",
    ] {
        game.line(line);
    }
    game.solo
        .save_in_folder(&folder, save_options())
        .expect("there is room for a game");
    folder
}

/// Reads a journal; the lines of every second one are chained again, as after an intentional change.
fn read_journal(folder: &Path, input: &[u8]) -> Result<(), String> {
    let bytes = match input.len().is_multiple_of(2) {
        true => rechain_lines(input),
        false => input.to_vec(),
    };
    fs::write(folder.join(JOURNAL), bytes).expect("there is room for a journal");
    let reading = Reading::from_folder(folder, &Rc::default());
    let opening = Opening {
        read_only: true,
        holder: HOLDER,
        sync: SyncMode::Each,
    };
    let opened = match OnDisk::open(folder, &opening, Rc::default()) {
        Ok(opened) => opened,
        Err(error) => return check_fits_screen(&error.to_diagnostic()),
    };
    let operations = opened.history.operations();
    if let Some(last) = operations.last()
        && last.state != opened.state.hash()
    {
        return Err("the state is not the one of the last operation".to_owned());
    }
    match reading {
        Ok(reading) if reading.operations.len() == operations.len() => Ok(()),
        Ok(reading) => Err(format!(
            "{} and {} operations",
            reading.operations.len(),
            operations.len()
        )),
        Err(error) => Err(format!("it opens, and is not read: {error}")),
    }
}

fn rechain_lines(journal: &[u8]) -> Vec<u8> {
    let (mut chain, mut bytes) = (Chain::default(), Vec::new());
    for line in journal
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let end = line
            .iter()
            .rposition(|byte| *byte == b'\t')
            .unwrap_or(line.len());
        let (line, next) = chain.next_line(&line[..end]);
        bytes.extend(line);
        chain = next;
    }
    bytes
}

/// Unpacks an archive; a refused one leaves nothing, and nothing is written elsewhere.
fn read_archive(home: &Path, input: &[u8]) -> Result<(), String> {
    let (file, new) = (home.join("pack"), home.join("game"));
    let bytes = match input.len().is_multiple_of(2) {
        true => with_correct_checksums(input.to_vec()),
        false => input.to_vec(),
    };
    fs::write(&file, bytes).expect("there is room for an archive");
    let unpacked = archive::unpack_game(&file, &new);
    let is_there = new.join(JOURNAL).is_file();
    let _ = fs::remove_dir_all(&new);
    let left = fs::read_dir(home).expect("the folder is there").count();
    match unpacked {
        Ok(()) if !is_there => Err("no journal was unpacked".to_owned()),
        Err(error) if is_there => Err(format!("something is left behind: {error}")),
        _ if left != 1 => Err(format!("{left} files stand where one archive does")),
        Ok(()) => Ok(()),
        Err(error) => check_fits_screen(&error.to_diagnostic()),
    }
}

/// Returns an archive with correct checksums in its headers.
fn with_correct_checksums(mut archive: Vec<u8>) -> Vec<u8> {
    let mut at = 0;
    while let Some(header) = archive.get_mut(at..at + BLOCK) {
        header[SUM].fill(b' ');
        let sum: u32 = header.iter().copied().map(u32::from).sum();
        header[SUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let size = String::from_utf8_lossy(&header[SIZE]);
        let size = usize::from_str_radix(size.trim_matches(['\0', ' ']), 8).unwrap_or_default();
        at += BLOCK + size.min(archive.len()).next_multiple_of(BLOCK);
    }
    archive
}
