//! The journals of the games that `tests/verify_games.sh` plays, without the times of the clock.

use std::fs;
use std::path::Path;
use std::process::Command;

use host::store::archive::{JOURNAL, sha256};
use serde_json::Value as Json;

use crate::project;

/// Plays the games with a program and returns the lines of their fingerprint.
///
/// Errors: the output of the script that plays and verifies them.
pub fn journal_hash_lines(program: &Path) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let ran = Command::new(project().join("tests/verify_games.sh"))
        .arg(folder.path())
        .env("ARBITER", program)
        .output()
        .map_err(|error| error.to_string())?;
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    let games = fs::read_dir(folder.path()).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for game in games.flatten() {
        let Ok(text) = fs::read_to_string(game.path().join(JOURNAL)) else {
            continue;
        };
        let name = game.file_name().to_string_lossy().into_owned();
        let hash = sha256(lines_without_times(&text).as_bytes());
        found.push(format!("journal {hash} {name}"));
    }
    found.sort_by(|one, other| one[8 + 64..].cmp(&other[8 + 64..]));
    Ok(found)
}

/// Returns the lines of a journal without their times, and without the chain, because the chain contains the times.
fn lines_without_times(text: &str) -> String {
    let json = text
        .lines()
        .filter_map(|line| Some(line.rsplit_once('\t')?.0));
    let lines = json.map(|json| {
        let at = serde_json::from_str::<Json>(json).ok();
        let at = at.as_ref().and_then(|json| json.get("at")?.as_str());
        let at = at.map(|at| format!(",\"at\":\"{at}\""));
        at.map_or_else(|| json.to_owned(), |at| json.replacen(&at, "", 1)) + "\n"
    });
    lines.collect()
}
