//! Tests that a cut or changed journal is repaired or reported, and never read as if it were sound.

use std::fs;

use super::{assert_same, open, played};
use crate::store::archive::journal_scanner::{Scanner, Tail};
use crate::store::archive::{ArchiveError, JOURNAL, Recovered, recover_copy};

/// Returns the end positions of the lines of a journal.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let is_end = |(at, byte): (usize, &u8)| (*byte == b'\n').then_some(at + 1);
    bytes.iter().enumerate().filter_map(is_end).collect()
}

fn scan(bytes: &[u8]) -> (usize, Tail) {
    let mut scanner = Scanner::new(bytes);
    while scanner.next_line().unwrap().is_some() {}
    let found = scanner.scan_so_far().clone();
    (usize::try_from(found.lines).unwrap(), found.tail)
}

/// The operations of one command are saved together or not at all.
#[test]
fn half_of_a_command_goes_with_the_torn_tail() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    let mut table = played(&place, 2);
    let (one, other, third) = (table.run_next(), table.run_next(), table.run_next());
    table.keep(&[one, other, third]).unwrap();
    table.play();
    drop(table);
    let whole = fs::read(place.join(JOURNAL)).unwrap();
    let ends = ends(&whole);
    assert_eq!(ends.len(), 7);
    for length in ends[2]..ends[5] {
        fs::write(place.join(JOURNAL), &whole[..length]).unwrap();
        let copy = home.path().join(format!("copy-{length}"));
        assert_eq!(recover_copy(&place, &copy).unwrap().seq, 2, "{length}");
        let opened = open(&place).unwrap();
        assert_eq!(opened.history.operations().len(), 2, "{length}");
        let is_torn = opened
            .notes
            .iter()
            .any(|note| note.code == "save/torn-tail");
        assert_eq!(is_torn, length > ends[2]);
        drop(opened);
        assert_eq!(fs::read(place.join(JOURNAL)).unwrap(), &whole[..ends[2]]);
    }
    fs::write(place.join(JOURNAL), &whole[..ends[5]]).unwrap();
    assert_eq!(open(&place).unwrap().history.operations().len(), 5);
}

#[test]
fn a_journal_cut_at_any_byte_opens_with_its_whole_lines() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    drop(played(&place, 4));
    let whole = fs::read(place.join(JOURNAL)).unwrap();
    let ends = ends(&whole);
    for length in 0..whole.len() {
        fs::write(place.join(JOURNAL), &whole[..length]).unwrap();
        let opened = open(&place);
        if length < ends[0] {
            let error = opened.unwrap_err();
            let is_named = matches!(
                error,
                ArchiveError::Broken { line: 1, .. } | ArchiveError::Foreign(_)
            );
            assert!(is_named, "{length}: {error:?}");
            continue;
        }
        let mut opened = opened.unwrap();
        let lines = ends.iter().filter(|end| **end <= length).count();
        assert_eq!(opened.history.operations().len(), lines - 1);
        let is_torn = !ends.contains(&length);
        let notes: Vec<&str> = opened.notes.iter().map(|note| &*note.code).collect();
        assert_eq!(
            notes,
            if is_torn {
                vec!["save/torn-tail"]
            } else {
                vec![]
            }
        );
        if is_torn {
            let aside = place.join(format!("journal.torn-{}-1", lines + 1));
            assert_eq!(fs::read(&aside).unwrap(), &whole[ends[lines - 1]..length]);
            fs::remove_file(aside).unwrap();
        }
        // The game continues from there.
        if length % 97 == 0 {
            let redone = opened.history.undo_last_ruling(&mut opened.state, "gm");
            let done = redone.cloned();
            if let Ok(done) = done {
                let done = std::slice::from_ref(&done);
                opened
                    .game
                    .append_operations(opened.state.names(), done, "")
                    .unwrap();
            }
            let count = opened.history.operations().len();
            drop(opened);
            assert_eq!(open(&place).unwrap().history.operations().len(), count);
        }
    }
}

#[test]
fn every_bit_that_flips_is_found() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    drop(played(&place, 8));
    let mut bytes = fs::read(place.join(JOURNAL)).unwrap();
    let ends = ends(&bytes);
    assert_eq!(scan(&bytes), (9, Tail::None));
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let line = ends.iter().filter(|end| **end <= bit / 8).count();
        let (lines, tail) = scan(&bytes);
        assert_eq!(lines, line, "bit {bit}");
        // The last line was written completely and perhaps answered, so it is reported as altered, not as torn.
        assert!(matches!(tail, Tail::Broken(_)), "bit {bit}: {tail:?}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// An unfinished write leaves a part of the line, or zeros; the last byte alone may be missing or zero.
#[test]
fn a_line_that_lacks_its_end_is_torn_and_one_that_has_another_is_altered() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    drop(played(&place, 3));
    let mut bytes = fs::read(place.join(JOURNAL)).unwrap();
    let last = bytes.len() - 1;
    assert_eq!(scan(&bytes[..last]), (3, Tail::Torn));
    for end in 0..=u8::MAX {
        bytes[last] = end;
        let (lines, tail) = scan(&bytes);
        match end {
            b'\n' => assert_eq!((lines, tail), (4, Tail::None)),
            0 => assert_eq!((lines, tail), (3, Tail::Torn)),
            _ => assert!(matches!((lines, tail), (3, Tail::Broken(_))), "{end}"),
        }
    }
}

#[test]
fn a_hole_of_zeros_at_the_end_is_a_torn_tail() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    let table = played(&place, 3);
    drop(table.game);
    let mut bytes = fs::read(place.join(JOURNAL)).unwrap();
    let whole = bytes.clone();
    for garbage in [
        &[0u8; 4096][..],
        b"{\"v\":1\0\0\0\0\0\n",
        b"{\"v\":1\0\n",
        b"{",
        b"\xff\xfe",
    ] {
        bytes.extend_from_slice(garbage);
        assert_eq!(scan(&bytes), (4, Tail::Torn));
        bytes.truncate(whole.len());
    }
    for garbage in [&b"\n"[..], b"{}\n", b"\0\n\0\n", &[b'a'; (1 << 20) + 200]] {
        bytes.extend_from_slice(garbage);
        assert!(matches!(scan(&bytes), (4, Tail::Broken(_))));
        bytes.truncate(whole.len());
    }
}

#[test]
fn a_broken_middle_is_refused_and_mended_in_a_copy() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    drop(played(&place, 8));
    let whole = fs::read(place.join(JOURNAL)).unwrap();
    let ends = ends(&whole);
    let mut bytes = whole.clone();
    bytes[ends[3] + 20] ^= 4;
    fs::write(place.join(JOURNAL), &bytes).unwrap();
    let error = open(&place).unwrap_err();
    let text = error.to_diagnostic();
    assert_eq!(text.code, "save/broken");
    assert_eq!(
        text.message,
        "line 5 of the journal is broken: it is not what was written"
    );
    assert_eq!(
        text.hints,
        ["arbiter recover FOLDER COPY saves everything before it in a copy"]
    );
    assert_eq!(
        fs::read(place.join(JOURNAL)).unwrap(),
        bytes,
        "it is left as it is"
    );

    let copy = home.path().join("copy");
    let found = recover_copy(&place, &copy).unwrap();
    let rest = (whole.len() - ends[3]) as u64;
    let expected = Recovered {
        seq: 3,
        fault: Some(error),
        rest,
        shows_seed: false,
    };
    assert_eq!(found, expected);
    assert_eq!(
        fs::read(copy.join("journal.broken")).unwrap(),
        &bytes[ends[3]..]
    );
    let opened = open(&copy).unwrap();
    assert_eq!(opened.notes, []);
    assert_same(&opened, &played(&home.path().join("three"), 3));
    assert_eq!(opened.game.secret(), Ok([7; 32]));
    assert_eq!(
        opened
            .game
            .saved_rules(&opened.history.operations()[0].rules),
        Ok(super::rules())
    );
    let refused = recover_copy(&place, &copy).unwrap_err();
    assert_eq!(refused.code(), "save/folder-used");
}

#[test]
fn lines_that_are_written_well_and_lead_nowhere_are_refused() {
    use crate::store::archive::Chain;
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    drop(played(&place, 4));
    let text = fs::read_to_string(place.join(JOURNAL)).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.split_once('\t').unwrap().0)
        .collect();
    let write = |lines: &[String]| {
        let mut chain = Chain::default();
        let mut bytes = Vec::new();
        for line in lines {
            let (line, next) = chain.next_line(line.as_bytes());
            bytes.extend(line);
            chain = next;
        }
        fs::write(place.join(JOURNAL), bytes).unwrap();
    };
    for (line, from, to, code) in [
        (
            2,
            "[\"ann\",\"hp\",1,2]",
            "[\"ann\",\"hp\",1,3]",
            "save/hash-differs",
        ),
        (
            2,
            "[\"ann\",\"hp\",1,2]",
            "[\"ann\",\"hp\",9,2]",
            "save/old-differs",
        ),
        (3, "\"seq\":3", "\"seq\":4", "save/broken"),
        (3, "\"slot\":3", "\"slot\":5", "save/out-of-order"),
        (
            3,
            "\"kind\":\"ruling\"",
            "\"kind\":\"revolt\"",
            "save/broken",
        ),
    ] {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert!(changed[line].contains(from), "{}", changed[line]);
        changed[line] = changed[line].replacen(from, to, 1);
        write(&changed);
        let error = open(&place).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(
            error
                .to_string()
                .starts_with(&format!("line {} of", line + 1)),
            "{error}"
        );
        let copy = home
            .path()
            .join(format!("copy {line} {code}").replace('/', " "));
        let found = recover_copy(&place, &copy).unwrap();
        assert_eq!((found.seq, found.fault), (line as u64 - 1, Some(error)));
        let _ = fs::remove_dir_all(copy);
    }
}
