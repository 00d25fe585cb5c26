//! Tests migrations with an invented version 0.

use std::fs;

use serde_json::Value as Json;

use super::{assert_same, open, played};
use crate::store::archive::migration::{Migration, migrate_game_with};
use crate::store::archive::{ArchiveError, Chain, JOURNAL, migrate_game};

/// The migration from version 0: it renames the key `game` to `ruleset`, and `player` to `by`.
const FROM_NOTHING: &[Migration] = &[Migration {
    from: 0,
    first: |json| with_key_renamed(json, "game", "ruleset"),
    operation: |json| with_key_renamed(json, "player", "by"),
}];

fn with_key_renamed(mut json: Json, from: &str, to: &str) -> Result<Json, String> {
    let object = json.as_object_mut().ok_or("no object")?;
    let value = object
        .remove(from)
        .ok_or_else(|| format!("\"{from}\" is missing"))?;
    object.insert(to.to_owned(), value);
    Ok(json)
}

/// Writes the journal of a game as version 0 would have written it.
fn rewrite_as_version_0(place: &std::path::Path) {
    let text = fs::read_to_string(place.join(JOURNAL)).unwrap();
    let (mut chain, mut bytes) = (Chain::default(), Vec::new());
    for line in text.lines().map(|line| line.split_once('\t').unwrap().0) {
        let line = line.replacen("\"v\":1", "\"v\":0", 1);
        let line = line.replacen("\"ruleset\":", "\"game\":", 1);
        let (line, next) = chain.next_line(line.replacen("\"by\":", "\"player\":", 1).as_bytes());
        bytes.extend(line);
        chain = next;
    }
    fs::write(place.join(JOURNAL), bytes).unwrap();
}

#[test]
fn a_game_of_an_earlier_version_is_carried_over() {
    let home = tempfile::tempdir().unwrap();
    let (place, new) = (home.path().join("game"), home.path().join("new"));
    drop(played(&place, 20));
    rewrite_as_version_0(&place);
    let old = fs::read(place.join(JOURNAL)).unwrap();
    let error = open(&place).unwrap_err();
    assert_eq!(error, ArchiveError::Older(0));
    assert_eq!(error.code(), "save/older-version");
    assert_eq!(migrate_game(&place, &new), Err(ArchiveError::Older(0)));
    assert_eq!(migrate_game_with(FROM_NOTHING, &place, &new), Ok(20));
    let opened = open(&new).unwrap();
    assert_eq!(opened.notes, []);
    assert_same(&opened, &played(&home.path().join("same"), 20));
    assert_eq!(opened.game.secret(), Ok([7; 32]));
    assert_eq!(
        fs::read(place.join(JOURNAL)).unwrap(),
        old,
        "the old one is kept"
    );
    let again = migrate_game_with(FROM_NOTHING, &place, &new).unwrap_err();
    assert_eq!(again.code(), "save/folder-used");
}

#[test]
fn a_line_that_cannot_be_carried_over_is_named() {
    let home = tempfile::tempdir().unwrap();
    let (place, new) = (home.path().join("game"), home.path().join("new"));
    drop(played(&place, 5));
    rewrite_as_version_0(&place);
    let whole = fs::read_to_string(place.join(JOURNAL)).unwrap();
    fs::write(
        place.join(JOURNAL),
        whole.replacen("\"player\"", "\"gamer\"", 1),
    )
    .unwrap();
    let error = migrate_game_with(FROM_NOTHING, &place, &new).unwrap_err();
    let reason = "it is not what was written".to_owned();
    assert_eq!(error, ArchiveError::Broken { line: 2, reason });
    assert!(!new.exists());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}
