//! This module tests the folder of a game: making it, opening it, and what may be wrong with one.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use super::{AT, Table, assert_same, new_game, open, opening, played, rules};
use crate::store::archive::{
    ArchiveError, Chain, Game, JOURNAL, NewGame, Opening, ReadOnly, SECRET, SyncMode, generation,
    sha256,
};
use crate::store::{Draft, What};
use crate::value::Value;

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
    let end = table.game.chain();
    let first = table.game.first().clone();
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
    assert_ne!(table.game.chain(), end);
    assert_eq!(table.game.seq(), 45);
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
        "\"to\\u{a}day\" is no name for a game: 1 to 64 characters, no control characters"
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
        second.game.read_only(),
        Some(&ReadOnly::Held("process 1".to_owned()))
    );
    assert_eq!(codes(&second), ["save/read-only"]);
    assert_eq!(
        second.notes[0].message,
        "the game is open for reading only: it is held by process 1"
    );
    assert_same(&second, &table);
    let undone = second
        .history
        .undo(&mut second.state, "gm")
        .unwrap()
        .clone();
    let refused = second
        .game
        .append(second.state.names(), std::slice::from_ref(&undone), AT)
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the game is open for reading only: it is held by process 1"
    );
    assert_eq!(second.game.pin(&rules()).unwrap_err(), refused);
    assert_eq!(second.game.snapshot(&second.state).unwrap_err(), refused);
    // What the first one is about to write is no torn tail of the second's.
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
    assert_eq!(look.game.read_only(), Some(&ReadOnly::Asked));
    let third = open(&place).unwrap();
    assert_eq!((third.game.read_only(), third.game.seq()), (None, 4));
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
fn what_is_no_game_is_told_apart() {
    let (home, place) = home();
    let code = |place: &Path| open(place).unwrap_err().code();
    assert_eq!(code(&place), "save/no-game");
    fs::create_dir(&place).unwrap();
    assert_eq!(code(&place), "save/no-game");
    let journal = place.join(JOURNAL);
    for text in [
        "",
        "\n",
        "hello\n",
        "{\"v\":1,\"format\":\"other\"}\n",
        "\u{0}",
    ] {
        fs::write(&journal, text).unwrap();
        assert!(
            ["save/foreign", "save/broken"].contains(&code(&place)),
            "{text:?}"
        );
        let left: Vec<_> = fs::read_dir(&place)
            .unwrap()
            .map(|one| one.unwrap().file_name())
            .collect();
        assert!(left.contains(&JOURNAL.into()) && !left.iter().any(|name| name == "snapshots"));
    }
    let (line, _) = Chain::default().line(b"{\"format\":\"another chained file\",\"v\":1}");
    fs::write(&journal, line).unwrap();
    let error = open(&place).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file \"journal.jsonl\" is no journal of a game"
    );
    fs::remove_file(&journal).unwrap();
    fs::create_dir(&journal).unwrap();
    assert_eq!(code(&place), "save/wrong-kind");
    assert_eq!(code(&home.path().join("a\u{1b}[2J")), "save/no-game");
    let shown = open(&home.path().join("a\u{1b}[2J"))
        .unwrap_err()
        .to_string();
    assert!(shown.ends_with("a\\u{1b}[2J\""), "{shown}");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    for name in [JOURNAL, "lock", "snapshots", "rules", "blobs"] {
        let (home, place) = home();
        drop(played(&place, 2));
        let elsewhere = home.path().join("elsewhere");
        fs::rename(place.join(name), &elsewhere).unwrap();
        symlink(&elsewhere, place.join(name)).unwrap();
        assert_eq!(
            open(&place).unwrap_err(),
            ArchiveError::Link(name.to_owned())
        );
    }
    // Without its secret a game goes on, only dice do not.
    let (home, place) = home();
    drop(played(&place, 2));
    fs::rename(place.join(SECRET), home.path().join("elsewhere")).unwrap();
    symlink(home.path().join("elsewhere"), place.join(SECRET)).unwrap();
    let opened = open(&place).unwrap();
    assert_eq!(
        opened.game.secret(),
        Err(ArchiveError::Link(SECRET.to_owned()))
    );
    assert!(codes(&opened).contains(&"save/secret"));
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_opened() {
    let (_home, place) = home();
    drop(played(&place, 2));
    fs::remove_file(place.join(JOURNAL)).unwrap();
    // A socket is what std can make of such files; a pipe would be waited for.
    let _socket = std::os::unix::net::UnixListener::bind(place.join(JOURNAL)).unwrap();
    assert_eq!(
        open(&place).unwrap_err(),
        ArchiveError::WrongKind(JOURNAL.to_owned())
    );
}

#[cfg(unix)]
#[test]
fn the_secret_is_for_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let (_home, place) = home();
    drop(played(&place, 2));
    let secret = place.join(SECRET);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(&secret), mode(&place), mode(&place.join(JOURNAL))),
        (0o600, 0o700, 0o600)
    );
    assert_eq!(fs::read(&secret).unwrap(), [7; 32]);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o640)).unwrap();
    let opened = open(&place).unwrap();
    assert_eq!(codes(&opened), ["save/permissions"]);
    let hint = format!("chmod 600 {}", secret.display());
    assert_eq!(opened.notes[0].hints, [hint]);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    drop(opened);
    for bytes in [&[8u8; 32][..], &[7; 31], &[7; 33]] {
        fs::write(&secret, bytes).unwrap();
        let opened = open(&place).unwrap();
        assert_eq!(codes(&opened), ["save/secret"]);
        assert!(opened.game.secret().is_err());
    }
    fs::remove_file(&secret).unwrap();
    assert_eq!(codes(&open(&place).unwrap()), ["save/secret"]);
    assert!(
        !fs::read_to_string(place.join(JOURNAL))
            .unwrap()
            .contains(&"07".repeat(32))
    );
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
            let (line, next) = chain.line(line.as_bytes());
            bytes.extend(line);
            chain = next;
        }
        fs::write(place.join(JOURNAL), bytes).unwrap();
    };
    write("");
    let opened = open(&place).unwrap();
    assert_eq!(opened.game.read_only(), Some(&ReadOnly::Newer(2)));
    assert_eq!(
        opened.notes[0].message,
        "the game is open for reading only: a newer program wrote it, in format 2"
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

#[test]
fn only_the_next_operation_is_kept() {
    let (_home, place) = home();
    let mut table = played(&place, 2);
    let last = table.history.operations()[1].clone();
    assert_eq!(
        table.keep(std::slice::from_ref(&last)),
        Err(ArchiveError::NotNext(2))
    );
    let mut next = last.clone();
    next.seq = 3;
    next.rules = "other".into();
    assert_eq!(
        table.keep(std::slice::from_ref(&next)),
        Err(ArchiveError::NotPinned("other".to_owned()))
    );
    next.rules = last.rules.clone();
    next.causes = vec![(0..80).fold(Value::Nil, |inner, _| Value::list([inner]))];
    assert_eq!(
        table.keep(std::slice::from_ref(&next)),
        Err(ArchiveError::TooDeep)
    );
    drop(table.game);
    assert_eq!(open(&place).unwrap().game.seq(), 2);
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
        .refuse(&table.state, draft, "mini/no", "no")
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
    let opened = super::Opened {
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
    let error = super::super::recover(&place, &place.with_file_name("copy")).unwrap();
    let reason = format!("the file \"blobs/{name}\" is not what its name says");
    assert_eq!(error.fault, Some(ArchiveError::Broken { line: 4, reason }));
    assert_eq!(error.seq, 2);
}

#[test]
fn rules_are_kept_by_generation_and_missed_when_they_go() {
    let (_home, place) = home();
    let mut table = played(&place, 2);
    let mut newer = rules();
    newer[0].bytes = b"return { newer = true }".to_vec();
    let second = table.game.pin(&newer).unwrap();
    assert_eq!(generation(&newer), Ok(second.clone()));
    table.rules = second.clone();
    table.play();
    let first = table.history.operations()[0].rules.to_string();
    drop(table.game);
    let opened = open(&place).unwrap();
    assert_eq!(opened.game.rules(&first), Ok(rules()));
    assert_eq!(opened.game.rules(&second), Ok(newer));
    drop(opened);
    fs::remove_file(place.join("rules").join(&second)).unwrap();
    fs::write(place.join("rules/.new-x"), "half").unwrap();
    let opened = open(&place).unwrap();
    assert_eq!(codes(&opened), ["save/rules-missing"]);
    assert_eq!(
        opened.notes[0].message,
        "the rules of operation 3 are not among those that were kept"
    );
    assert_eq!(
        opened.game.rules(&second).unwrap_err().code(),
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
    assert_eq!(open(&place).unwrap().game.seq(), 21);
}
