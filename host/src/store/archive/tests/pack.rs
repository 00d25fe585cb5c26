//! Tests packed games: an unpacked game equals the packed one, and an archive writes no other files.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tar::{Builder, EntryType, Header};

use super::{assert_same, open, played};
use crate::store::archive::pack::pack_limited_game_into_file;
use crate::store::archive::unpack::unpack_game_within;
use crate::store::archive::{
    ArchiveError, JOURNAL, copy_game, pack_game_into_file, sha256, unpack_game,
};

/// One entry of an archive, as a hostile program may write it.
#[derive(Clone, Debug)]
struct ArchiveEntry {
    path: Vec<u8>,
    kind: EntryType,
    bytes: Vec<u8>,
    /// The size in the header, if it is not the true size.
    size: Option<u64>,
    link: &'static str,
}

fn file(path: &str, bytes: &[u8]) -> ArchiveEntry {
    ArchiveEntry {
        path: path.as_bytes().to_vec(),
        kind: EntryType::Regular,
        bytes: bytes.to_vec(),
        size: None,
        link: "",
    }
}

/// Writes headers byte by byte: the library refuses names that lead out of the folder.
fn archive(place: &Path, entries: &[ArchiveEntry]) {
    let mut tar = Builder::new(Vec::new());
    for made in entries {
        let mut header = Header::new_ustar();
        let name = &mut header.as_old_mut().name;
        let length = made.path.len().min(name.len());
        name[..length].copy_from_slice(&made.path[..length]);
        header.set_entry_type(made.kind);
        header.set_size(made.size.unwrap_or(made.bytes.len() as u64));
        let link = &mut header.as_old_mut().linkname;
        link[..made.link.len()].copy_from_slice(made.link.as_bytes());
        header.set_mode(0o777);
        header.set_cksum();
        tar.append(&header, made.bytes.as_slice()).unwrap();
    }
    fs::write(place, tar.into_inner().unwrap()).unwrap();
}

/// Returns the sound entries of a game of five operations, and the path of its archive.
fn sound_entries(home: &Path) -> (Vec<ArchiveEntry>, PathBuf) {
    let place = home.join("here");
    drop(played(&place, 5));
    let tar = home.join("sound.tar");
    pack_game_into_file(&place, &tar).unwrap();
    let mut archive = tar::Archive::new(fs::File::open(&tar).unwrap());
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        ArchiveEntry {
            path: entry.path_bytes().into_owned(),
            kind: entry.header().entry_type(),
            bytes,
            size: None,
            link: "",
        }
    });
    (entries.collect(), tar)
}

fn everything_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(everything_below(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

#[test]
fn what_is_unpacked_is_what_was_packed() {
    let home = tempfile::tempdir().unwrap();
    let (place, tar) = (home.path().join("here"), home.path().join("game.tar"));
    let mut table = played(&place, 20);
    table.game.save_snapshot(&table.state).unwrap();
    (0..3).for_each(|_| table.play());
    // The game is open while it is packed. Unfinished files and other files in the folder are not packed.
    fs::write(place.join("rules").join(".new-x"), "half").unwrap();
    fs::write(place.join("notes.txt"), "mine").unwrap();
    fs::write(place.join("rules").join("readme"), "mine").unwrap();
    let packed = pack_game_into_file(&place, &tar).unwrap();
    assert_eq!(packed.files, 5, "journal, secret, two of rules, a snapshot");
    assert_eq!(packed.bytes, fs::metadata(&tar).unwrap().len());
    let there = home.path().join("there");
    unpack_game(&tar, &there).unwrap();
    let names: Vec<String> = everything_below(&there)
        .iter()
        .map(|path| path.strip_prefix(&there).unwrap().display().to_string())
        .collect();
    assert_eq!(names.len(), 8, "five files in three folders: {names:?}");
    let opened = open(&there).unwrap();
    assert_eq!(opened.notes, []);
    assert_same(&opened, &table);
    assert_eq!(opened.game.secret(), Ok([7; 32]));
    assert!(opened.game.saved_rules(&table.rules).is_ok());
    assert!(!opened.at.is_empty());
}

#[test]
fn the_same_game_is_packed_into_the_same_bytes_wherever_it_lies() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    drop(played(&at("one"), 12));
    pack_game_into_file(&at("one"), &at("one.tar")).unwrap();
    unpack_game(&at("one.tar"), &at("another name")).unwrap();
    drop(open(&at("another name")).unwrap());
    pack_game_into_file(&at("another name"), &at("two.tar")).unwrap();
    assert_eq!(
        fs::read(at("one.tar")).unwrap(),
        fs::read(at("two.tar")).unwrap()
    );
    let again = pack_game_into_file(&at("one"), &at("one.tar")).unwrap_err();
    assert_eq!(again.code(), "save/file-used");
    assert_eq!(
        unpack_game(&at("one.tar"), &at("one")).unwrap_err().code(),
        "save/folder-used"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(at("one.tar")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the secret is in it");
        let secret = fs::metadata(at("another name").join("secret")).unwrap();
        assert_eq!(secret.permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_torn_tail_is_not_packed_and_a_broken_middle_refuses() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    drop(played(&at("game"), 6));
    let journal = at("game").join(JOURNAL);
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, [&whole[..], b"{\"v\":1,\"se"].concat()).unwrap();
    pack_game_into_file(&at("game"), &at("torn.tar")).unwrap();
    unpack_game(&at("torn.tar"), &at("torn")).unwrap();
    assert_eq!(fs::read(at("torn").join(JOURNAL)).unwrap(), whole);
    let text = String::from_utf8(whole).unwrap();
    fs::write(&journal, text.replacen("\"by\":\"gm\"", "\"by\":\"me\"", 1)).unwrap();
    let refused = pack_game_into_file(&at("game"), &at("broken.tar")).unwrap_err();
    assert_eq!(refused.code(), "save/broken");
    assert!(!at("broken.tar").exists() && !at(".new-broken.tar").exists());
    assert_eq!(
        copy_game(&at("game"), &at("copy")).unwrap_err().code(),
        "save/broken"
    );
    assert!(!at("copy").exists());
}

/// Tests a game that was packed or unpacked with another tool.
#[test]
fn the_folder_around_the_game_may_have_any_name_or_be_missing() {
    let home = tempfile::tempdir().unwrap();
    let (entries, _) = sound_entries(home.path());
    for (top, extra) in [
        ("", false),
        ("./", true),
        ("harbour-1/", true),
        ("./a b/", false),
    ] {
        let mut made: Vec<ArchiveEntry> = entries.clone();
        made.retain(|one| one.kind == EntryType::Regular);
        for one in &mut made {
            let inner = String::from_utf8(one.path.clone()).unwrap();
            one.path = inner.replacen("game/", top, 1).into_bytes();
        }
        if extra {
            for left in ["lock", "journal.torn-3-1", "journal.broken"] {
                made.push(file(&format!("{top}{left}"), b"x"));
            }
        }
        let tar = home.path().join("made.tar");
        archive(&tar, &made);
        let place = home.path().join("out");
        unpack_game(&tar, &place).unwrap_or_else(|error| panic!("{top}: {error}"));
        assert!(!place.join("lock").exists() && !place.join("journal.broken").exists());
        assert_eq!(open(&place).unwrap().history.operations().len(), 5);
        fs::remove_dir_all(place).unwrap();
    }
}

#[test]
fn what_is_no_part_of_a_game_is_refused_by_name_and_nothing_is_written() {
    let outer = tempfile::tempdir().unwrap();
    let home = outer.path().join("home");
    fs::create_dir(&home).unwrap();
    let (entries, _) = sound_entries(&home);
    let blob = sha256(b"x");
    let link = |path: &str, kind: EntryType, link: &'static str| ArchiveEntry {
        kind,
        link,
        ..file(path, b"")
    };
    let huge = |path: &str, size: u64| ArchiveEntry {
        size: Some(size),
        ..file(path, b"x")
    };
    let cases: Vec<(Vec<ArchiveEntry>, &str)> = vec![
        (vec![file("../out", b"x")], "\"../out\""),
        (vec![file("game/../../out", b"x")], "\"game/../../out\""),
        (vec![file("/elsewhere/out", b"x")], "\"/elsewhere/out\""),
        (
            vec![file("game/rules/../../out", b"x")],
            "not part of a game",
        ),
        (vec![file("..", b"x")], "not part of a game"),
        (vec![file("game\\..\\out", b"x")], "not part of a game"),
        (vec![file("C:\\out", b"x")], "not part of a game"),
        (vec![file("other/notes.txt", b"x")], "not part of a game"),
        (vec![file("game/notes.txt", b"x")], "\"game/notes.txt\""),
        (vec![file("game/rules/readme", b"x")], "not part of a game"),
        (vec![file("game/rules/.new-x", b"x")], "not part of a game"),
        (vec![file("game/Secret", b"x")], "not part of a game"),
        (vec![file("game/secret/", b"x")], "not part of a game"),
        (
            vec![file("game/snapshots/1.state", b"x")],
            "not part of a game",
        ),
        (vec![file("other/secret", &[7; 32])], "not part of a game"),
        (vec![file("game/secret\u{1b}[2J", b"x")], "\\u{1b}[2J\""),
        (
            vec![ArchiveEntry {
                path: b"game/\xff".to_vec(),
                ..file("", b"x")
            }],
            "not part of a game",
        ),
        (
            vec![link("game/blobs/../..", EntryType::Directory, "")],
            "not part of a game",
        ),
        (
            vec![link("game/more/", EntryType::Directory, "")],
            "not part of a game",
        ),
        (
            vec![link("game/rules", EntryType::Symlink, "/elsewhere")],
            "neither a file nor a folder",
        ),
        (
            vec![link("game/secret", EntryType::Link, "/etc/passwd")],
            "neither a file",
        ),
        (
            vec![link("game/secret", EntryType::Fifo, "")],
            "neither a file",
        ),
        (
            vec![link("game/secret", EntryType::Char, "")],
            "neither a file",
        ),
        (
            vec![link("game/secret", EntryType::Block, "")],
            "neither a file",
        ),
        (
            vec![link("game/secret", EntryType::GNUSparse, "")],
            "neither a file",
        ),
        (
            vec![ArchiveEntry {
                kind: EntryType::GNULongName,
                ..file("././@LongLink", b"../out\0")
            }],
            "neither",
        ),
        (
            vec![ArchiveEntry {
                kind: EntryType::XHeader,
                ..file("pax", b"15 path=../out\n")
            }],
            "neither",
        ),
        (
            vec![file("game/secret", &[7; 32])],
            "\"game/secret\" of the packed game occurs twice",
        ),
        (vec![file("secret", &[7; 32])], "occurs twice"),
        (
            vec![file(&format!("game/blobs/{blob}"), b"y")],
            "does not match its name",
        ),
        (
            vec![huge(&format!("game/blobs/{blob}"), 257 << 20)],
            "larger",
        ),
        (
            vec![huge("game/snapshots/000000000003.state", u64::MAX >> 1)],
            "larger",
        ),
        (
            vec![huge(&format!("game/blobs/{blob}"), 100 << 20)],
            "ends early",
        ),
    ];
    let before = everything_below(outer.path());
    for (hostile, expected) in cases {
        for is_first in [false, true] {
            let mut made = entries.clone();
            let at = if is_first { 1 } else { made.len() };
            made.splice(at..at, hostile.clone());
            let tar = home.join("hostile.tar");
            archive(&tar, &made);
            let error = unpack_game(&tar, &home.join("new")).unwrap_err();
            assert_eq!(error.code(), "save/bad-pack", "{hostile:?}");
            let told = error.to_string();
            assert!(told.contains(expected), "{told}");
            assert!(!told.contains('\u{1b}'), "{told:?}");
            fs::remove_file(&tar).unwrap();
            assert_eq!(everything_below(outer.path()), before, "{hostile:?}");
        }
    }
}

/// The sizes of all files are added before each file is read. The limit here is small enough for five operations.
#[test]
fn a_game_has_so_many_bytes_in_all_and_not_one_more() {
    let home = tempfile::tempdir().unwrap();
    let (entries, tar) = sound_entries(home.path());
    let all: u64 = entries.iter().map(|made| made.bytes.len() as u64).sum();
    let new = home.path().join("new");
    unpack_game_within(&tar, &new, all).unwrap();
    fs::remove_dir_all(&new).unwrap();
    let before = everything_below(home.path());
    let error = unpack_game_within(&tar, &new, all - 1).unwrap_err();
    assert_eq!(error.code(), "save/bad-pack");
    let told = format!("its files have more than {} bytes in all", all - 1);
    assert!(error.to_string().contains(&told), "{error}");
    assert_eq!(everything_below(home.path()), before);
    let (here, again) = (home.path().join("here"), home.path().join("again.tar"));
    let error = pack_limited_game_into_file(&here, &again, all - 1).unwrap_err();
    assert_eq!(error.code(), "limit/size");
    assert!(error.to_string().contains(&told), "{error}");
    assert_eq!(everything_below(home.path()), before);
    pack_limited_game_into_file(&here, &again, all).unwrap();
    assert_eq!(fs::read(&again).unwrap(), fs::read(&tar).unwrap());
    // A size in a header that is too large is refused before the content is read.
    let promised = ArchiveEntry {
        size: Some(2 << 30),
        ..file("game/journal.jsonl", b"")
    };
    archive(&tar, &[file("game/secret", &[7; 32]), promised]);
    let error = unpack_game(&tar, &new).unwrap_err().to_string();
    assert!(error.contains("more than 2048 MiB in all"), "{error}");
}

#[test]
fn what_is_no_archive_or_holds_no_game_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (entries, tar) = sound_entries(home.path());
    let whole = fs::read(&tar).unwrap();
    let place = home.path().join("bad.tar");
    let refused = |bytes: &[u8]| {
        fs::write(&place, bytes).unwrap();
        let error = unpack_game(&place, &home.path().join("new")).unwrap_err();
        assert!(!home.path().join("new").exists());
        error.code()
    };
    for bytes in [
        &b""[..],
        b"no archive",
        &[1; 4096],
        &whole[..whole.len() - 1024],
    ] {
        assert_eq!(refused(bytes), "save/bad-pack");
    }
    assert_eq!(refused(&[0; 1024]), "save/no-game");
    archive(&place, &[file("game/journal.jsonl", b"{}\n")]);
    assert_eq!(refused(&fs::read(&place).unwrap()), "save/foreign");
    archive(&place, &entries[..entries.len() - 2]);
    let missing = unpack_game(&home.path().join("nothing.tar"), &home.path().join("new"));
    assert!(matches!(missing, Err(ArchiveError::NoPack(..))));
    let folder = unpack_game(home.path(), &home.path().join("new"));
    assert!(matches!(folder, Err(ArchiveError::NoPack(..))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// If any byte of an archive is changed, the result is the game or nothing, and no file is written elsewhere.
    #[test]
    fn a_changed_archive_is_a_game_or_refused(at in 0usize..20_000, bit in 0u8..8, cut in proptest::option::of(0usize..20_000)) {
        let home = tempfile::tempdir().unwrap();
        let (_, tar) = sound_entries(home.path());
        let mut bytes = fs::read(&tar).unwrap();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        if let Some(cut) = cut {
            bytes.truncate(cut % bytes.len());
        }
        fs::write(&tar, bytes).unwrap();
        let before = everything_below(home.path());
        let new = home.path().join("new");
        match unpack_game(&tar, &new) {
            Ok(()) => {
                let folders = everything_below(&new).iter().filter(|path| path.is_dir()).count();
                prop_assert_eq!(folders, 3);
                prop_assert!(everything_below(&new).len() <= 8);
                fs::remove_dir_all(&new).unwrap();
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        prop_assert_eq!(everything_below(home.path()), before);
    }
}
