//! A fingerprint of everything that the transcripts of the project do: one SHA-256 a case, and one a journal.
//!
//! In: the transcripts of the rulesets, also of those for tests only, and the games of `tests/verify_games.sh`. Out:
//! lines `case SHA-256 path: sentence` and `journal SHA-256 game`, in order. Work on the structure of the host leaves
//! every line as it is. The hashed texts can be read: for a case that differs, both sides show the difference.

mod case_player;
mod journal_hashes;
mod transcript_cases;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

use host::store::archive::sha256;

pub use journal_hashes::journal_hash_lines;

use crate::{files_below, project};
use case_player::Player;
use transcript_cases::{Case, ruleset_and_cases};

/// Bytes of the stack of a game thread.
const STACK: usize = 16 << 20;

/// The ruleset for the tests of the library.
const FOR_LIBRARY: &str = "harbour";

/// A transcript and its ruleset.
struct Transcript {
    file: PathBuf,
    ruleset: String,
    cases: Vec<Case>,
}

/// Returns the text of every case with a name that `is_meant` accepts, by that name, in order of files.
pub fn case_texts(is_meant: impl Fn(&str) -> bool + Sync) -> BTreeMap<String, String> {
    let transcripts = read_transcripts();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut players: BTreeMap<&str, Player> = BTreeMap::new();
        let mut found = Vec::new();
        while let Some(one) = transcripts.get(next.fetch_add(1, Ordering::Relaxed)) {
            for case in &one.cases {
                let name = case_name(&one.file, case);
                if !is_meant(&name) {
                    continue;
                }
                let player = players.entry(&one.ruleset);
                let player = player.or_insert_with(|| Player::load_ruleset(&one.ruleset));
                found.push((name, player.play_case(&one.file, case)));
            }
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        let made = (0..threads).map(|_| Builder::new().stack_size(STACK).spawn_scoped(scope, work));
        let made: Vec<_> = made.map(|one| one.expect("a thread can be made")).collect();
        let ended = made.into_iter().map(|one| one.join());
        ended
            .flat_map(|one| one.expect("a case can be played"))
            .collect()
    })
}

/// Returns the lines of the fingerprint of all cases.
pub fn case_hash_lines() -> Vec<String> {
    let texts = case_texts(|_| true);
    let line = |(name, text): (String, String)| format!("case {} {name}", sha256(text.as_bytes()));
    texts.into_iter().map(line).collect()
}

/// Returns the lines that only one of two fingerprints has, each marked with its side.
pub fn differing_lines(before: &str, now: &[String]) -> Vec<String> {
    let before: Vec<&str> = before.lines().collect();
    let gone = before
        .iter()
        .filter(|line| !now.iter().any(|one| one == *line));
    let new = now.iter().filter(|line| !before.contains(&line.as_str()));
    let gone = gone.map(|line| format!("- {line}"));
    gone.chain(new.map(|line| format!("+ {line}"))).collect()
}

fn case_name(file: &Path, case: &Case) -> String {
    let short = file.strip_prefix(project()).unwrap_or(file);
    format!("{}: {}", short.display(), case.sentence)
}

fn read_transcripts() -> Vec<Transcript> {
    let folders = ["scripts", "tests/mini/scripts"].map(|folder| project().join(folder));
    let read = |folder: PathBuf| {
        let files = files_below(&folder).into_iter();
        let files = files.filter(|file| file.to_string_lossy().ends_with(".test.txt"));
        files.map(move |file| read_transcript(&folder, file))
    };
    folders.into_iter().flat_map(read).collect()
}

fn read_transcript(folder: &Path, file: PathBuf) -> Transcript {
    let text = std::fs::read_to_string(&file).expect("a transcript can be read");
    let (named, cases) = ruleset_and_cases(&text);
    let inner = file.strip_prefix(folder).expect("found below");
    let own = inner
        .iter()
        .next()
        .expect("it lies in a ruleset")
        .to_string_lossy();
    let own = if own == "library" { FOR_LIBRARY } else { &own };
    let ruleset = named.unwrap_or_else(|| own.to_owned());
    Transcript {
        file,
        ruleset,
        cases,
    }
}
