//! Tests the folder of a game: creation, opening, and faults.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use super::{AT, Table, assert_same, new_game, open, opening, played, rules};
use crate::store::archive::{
    ArchiveError, Chain, Game, JOURNAL, NewGame, Opening, ReadOnly, sha256,
};

mod foreign_folders;
mod saved_content;

fn home() -> (tempfile::TempDir, std::path::PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    (home, place)
}

fn codes(opened: &super::Opened) -> Vec<&str> {
    opened.notes.iter().map(|note| &*note.code).collect()
}

#[test]
fn a_game_is_opened_as_it_was_left() {
    let (_home, place) = home();
    let mut table = played(&place, 30);
    let end = table.game.last_chain();
    let first = table.game.first_line().clone();
    assert_eq!(
        (first.ruleset.as_str(), first.test, first.at.as_str()),
        ("mini", true, AT)
    );
    assert_eq!(first.seed, sha256(&[7; 32]));
    for _ in 0..3 {
        drop(table.game);
        let opened = open(&place).unwrap();
        assert_eq!(opened.notes, []);
        let left = Table {
            game: opened.game,
            ..table
        };
        let again = super::Opened {
            game: left.game,
            state: opened.state,
            history: opened.history,
            at: opened.at,
            notes: Vec::new(),
        };
        assert_eq!(again.at.len(), again.history.operations().len());
        table = Table::of(again);
        (0..5).for_each(|_| table.play());
    }
    assert_ne!(table.game.last_chain(), end);
    assert_eq!(table.game.last_seq(), 45);
    let Table {
        state,
        history,
        game,
        rules,
    } = table;
    drop(game);
    let opened = open(&place).unwrap();
    let game = Game::create(&place.with_file_name("other"), &new_game()).unwrap();
    assert_same(
        &opened,
        &Table {
            state,
            history,
            game,
            rules,
        },
    );
}

#[test]
fn a_new_game_needs_a_place_of_its_own() {
    let (home, place) = home();
    fs::create_dir(&place).unwrap();
    drop(Game::create(&place, &new_game()).unwrap());
    let used = |place: &Path| Game::create(place, &new_game()).unwrap_err().code();
    assert_eq!(used(&place), "save/folder-used");
    assert_eq!(used(&place.join(JOURNAL)), "save/folder-used");
    assert_eq!(used(&home.path().join("no/such")), "save/not-made");
    for name in ["a\nb", "a\u{202e}b", "..", &"x".repeat(65)] {
        assert_eq!(used(&home.path().join(name)), "save/bad-name", "{name:?}");
    }
    let ruleset = |ruleset| {
        let new = NewGame {
            ruleset,
            ..new_game()
        };
        Game::create(&home.path().join("other"), &new)
            .unwrap_err()
            .code()
    };
    assert_eq!(ruleset("../mini"), "save/bad-name");
    assert_eq!(ruleset(""), "save/bad-name");
    let new = NewGame {
        at: "to\nday",
        ..new_game()
    };
    let refused = Game::create(&home.path().join("other"), &new).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "\"to\\u{a}day\" is not a name for a game: 1 to 64 characters, no control characters"
    );
    let left: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|one| one.unwrap().file_name())
        .collect();
    assert_eq!(left, ["game"], "what failed left nothing");
}

#[test]
fn who_comes_second_may_read() {
    let (_home, place) = home();
    let mut table = played(&place, 3);
    let mut second = open(&place).unwrap();
    assert_eq!(
        second.game.read_only_reason(),
        Some(&ReadOnly::Held("process 1".to_owned()))
    );
    assert_eq!(codes(&second), ["save/read-only"]);
    assert_eq!(
        second.notes[0].message,
        "the game is read-only: it is in use by process 1"
    );
    assert_same(&second, &table);
    let undone = second
        .history
        .undo_last_ruling(&mut second.state, "gm")
        .unwrap()
        .clone();
    let refused = second
        .game
        .append_operations(second.state.names(), std::slice::from_ref(&undone), AT)
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the game is read-only: it is in use by process 1"
    );
    assert_eq!(second.game.save_rules(&rules()).unwrap_err(), refused);
    assert_eq!(
        second.game.save_snapshot(&second.state).unwrap_err(),
        refused
    );
    // The second game does not treat an unfinished write of the first one as a torn tail.
    let journal = place.join(JOURNAL);
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, [&whole[..], b"{\"v\":1"].concat()).unwrap();
    assert_eq!(codes(&open(&place).unwrap()), ["save/read-only"]);
    assert_eq!(fs::read(&journal).unwrap().len(), whole.len() + 6);
    fs::write(&journal, &whole).unwrap();
    table.play();
    drop(table.game);
    let look = Opening {
        read_only: true,
        ..opening()
    };
    let look = Game::open(&place, &look, Rc::default()).unwrap();
    assert_eq!(look.game.read_only_reason(), Some(&ReadOnly::Asked));
    let third = open(&place).unwrap();
    assert_eq!(
        (third.game.read_only_reason(), third.game.last_seq()),
        (None, 4)
    );
}

#[test]
fn what_a_dead_process_of_our_number_left_is_not_in_the_way() {
    let (home, place) = home();
    let process = std::process::id();
    for count in 1..=3 {
        fs::create_dir(home.path().join(format!(".game.new-{process}.{count}"))).unwrap();
    }
    drop(Game::create(&place, &new_game()).unwrap());
    assert_eq!(open(&place).unwrap().notes, []);
}

#[test]
fn a_newer_game_is_read_as_far_as_it_can_be() {
    let (_home, place) = home();
    let table = played(&place, 3);
    drop(table.game);
    let text = fs::read_to_string(place.join(JOURNAL)).unwrap();
    let write = |last: &str| {
        let (mut chain, mut bytes) = (Chain::default(), Vec::new());
        for line in text
            .lines()
            .map(|line| line.split_once('\t').unwrap().0)
            .chain([last])
        {
            let line = line.replacen("\"v\":1,", "\"v\":2,\"later\":[{}],", 1);
            if line.is_empty() {
                continue;
            }
            let (line, next) = chain.next_line(line.as_bytes());
            bytes.extend(line);
            chain = next;
        }
        fs::write(place.join(JOURNAL), bytes).unwrap();
    };
    write("");
    let opened = open(&place).unwrap();
    assert_eq!(opened.game.read_only_reason(), Some(&ReadOnly::Newer(2)));
    assert_eq!(
        opened.notes[0].message,
        "the game is read-only: a newer program wrote it, in format 2"
    );
    assert_eq!(opened.history.operations().len(), 3);
    write("{\"v\":1,\"seq\":4,\"kind\":\"dream\"}");
    let error = open(&place).unwrap_err();
    assert_eq!(error, ArchiveError::Newer(2, 5));
    assert_eq!(
        error.to_diagnostic().hints,
        ["open it with the newer program"]
    );
}
