//! Tests the saved content of a game folder: operations, large operations, rules, groups.

use std::fs;

use super::super::{Opened, Table, assert_same, new_game, open, played, rules};
use super::{codes, home};
use crate::store::archive::{ArchiveError, Game, JOURNAL, SyncMode, generation_name, recover_copy};
use crate::store::{Draft, What};
use crate::value::Value;

#[test]
fn only_the_next_operation_is_kept() {
    let (_home, place) = home();
    let mut table = played(&place, 2);
    let last = crate::store::Operation::clone(&table.history.operations()[1]);
    assert_eq!(
        table.keep(std::slice::from_ref(&last)),
        Err(ArchiveError::NotNext(2))
    );
    let mut next = last.clone();
    next.seq = 3;
    next.rules = "other".into();
    let refused = table.keep(std::slice::from_ref(&next)).unwrap_err();
    assert_eq!(refused, ArchiveError::NotPinned("other".to_owned()));
    assert_eq!(refused.code(), "save/not-pinned");
    next.rules = last.rules.clone();
    next.causes = vec![(0..80).fold(Value::Nil, |inner, _| Value::list([inner]))];
    assert_eq!(
        table.keep(std::slice::from_ref(&next)),
        Err(ArchiveError::TooDeep)
    );
    drop(table.game);
    assert_eq!(open(&place).unwrap().game.last_seq(), 2);
}

#[test]
fn a_large_operation_lies_in_a_file_of_its_own() {
    let (_home, place) = home();
    let mut table = played(&place, 2);
    let document = Value::from("long ".repeat(250_000));
    let draft = Draft {
        documents: vec![document.clone()],
        ..table.draft("write")
    };
    let refused = table
        .history
        .record_refused_command(&table.state, draft, "mini/no", "no")
        .clone();
    table.keep(std::slice::from_ref(&refused)).unwrap();
    table.play();
    let journal = fs::read_to_string(place.join(JOURNAL)).unwrap();
    assert!(journal.len() < 4096);
    let line = journal.lines().nth(3).unwrap();
    let blob = fs::read_dir(place.join("blobs"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let name = blob.file_name().into_string().unwrap();
    assert!(line.contains(&format!("\"blob\":\"{name}\"")), "{line}");
    let Table {
        state,
        history,
        game,
        rules,
    } = table;
    drop(game);
    let opened = open(&place).unwrap();
    let kept = opened.history.operation(3).unwrap();
    assert_eq!(
        (&kept.documents, matches!(kept.what, What::Refused { .. })),
        (&vec![document], true)
    );
    let game = opened.game;
    let opened = Opened {
        game: Game::create(&place.with_file_name("o"), &new_game()).unwrap(),
        ..opened
    };
    assert_same(
        &opened,
        &Table {
            state,
            history,
            game,
            rules,
        },
    );
    // The line proves the file.
    drop((opened, blob.path()));
    let mut bytes = fs::read(blob.path()).unwrap();
    bytes[50] ^= 1;
    fs::write(blob.path(), bytes).unwrap();
    let error = recover_copy(&place, &place.with_file_name("copy")).unwrap();
    let reason = format!("the content of the file \"blobs/{name}\" does not match its name");
    assert_eq!(error.fault, Some(ArchiveError::Broken { line: 4, reason }));
    assert_eq!(error.seq, 2);
}

#[test]
fn rules_are_kept_by_generation_and_missed_when_they_go() {
    let (_home, place) = home();
    let mut table = played(&place, 2);
    let mut newer = rules();
    newer[0].bytes = b"return { newer = true }".to_vec();
    let second = table.game.save_rules(&newer).unwrap();
    assert_eq!(generation_name(&newer), Ok(second.clone()));
    table.rules = second.clone();
    table.play();
    let first = table.history.operations()[0].rules.to_string();
    drop(table.game);
    let opened = open(&place).unwrap();
    assert_eq!(opened.game.saved_rules(&first), Ok(rules()));
    assert_eq!(opened.game.saved_rules(&second), Ok(newer));
    drop(opened);
    fs::remove_file(place.join("rules").join(&second)).unwrap();
    fs::write(place.join("rules/.new-x"), "half").unwrap();
    let opened = open(&place).unwrap();
    assert_eq!(codes(&opened), ["save/rules-missing"]);
    assert_eq!(
        opened.notes[0].message,
        "the rules of log line 3 were not saved"
    );
    assert_eq!(
        opened.game.saved_rules(&second).unwrap_err().code(),
        "save/unreadable"
    );
    assert!(!place.join("rules/.new-x").exists());
}

#[test]
fn a_group_is_safe_when_the_game_is_closed() {
    let (_home, place) = home();
    let mut table = Table::new(&place);
    table.game.set_sync(SyncMode::Group).unwrap();
    (0..20).for_each(|_| table.play());
    table.game.flush().unwrap();
    table.play();
    drop(table.game);
    assert_eq!(open(&place).unwrap().game.last_seq(), 21);
}
