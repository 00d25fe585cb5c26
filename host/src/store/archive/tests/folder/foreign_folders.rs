//! Tests folders that are not games, files that are not plain files, and the permissions of the secret.

use std::fs;
use std::path::Path;

use super::super::{open, played};
use super::{codes, home};
use crate::store::archive::{ArchiveError, Chain, JOURNAL, SECRET};

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
    // Without its secret a game continues, but no dice can be rolled.
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
    // A socket is the only such file that the standard library can make; opening a pipe would wait.
    let _socket = std::os::unix::net::UnixListener::bind(place.join(JOURNAL)).unwrap();
    assert_eq!(
        open(&place).unwrap_err(),
        ArchiveError::WrongKind(
            JOURNAL.to_owned(),
            "is neither a file nor a folder, expected a file"
        )
    );
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
    let (line, _) = Chain::default().next_line(b"{\"format\":\"another chained file\",\"v\":1}");
    fs::write(&journal, line).unwrap();
    let error = open(&place).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file \"journal.jsonl\" is not the journal of a game"
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
        let size = format!("has {} bytes, expected 32", bytes.len());
        let is_told = opened.notes[0].message.contains(&size);
        assert_eq!(is_told, bytes.len() != 32, "{}", opened.notes[0].message);
    }
    fs::remove_file(&secret).unwrap();
    assert_eq!(codes(&open(&place).unwrap()), ["save/secret"]);
    assert!(
        !fs::read_to_string(place.join(JOURNAL))
            .unwrap()
            .contains(&"07".repeat(32))
    );
}
