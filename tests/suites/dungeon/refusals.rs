//! Tests that every refusal of the forum dungeon has a code and changes nothing.
//!
//! The refused lines come from all its transcripts. Each line is submitted in its own case; all
//! visible parts of the game must be equal before and after it.

use host::game;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arbiter_tests::{Game, Scratch, files_below, on_game_thread, project};
use host::doc::plain;
use host::game::{Reply, Seed, Solo, waiting_hand_dice};
use host::store::What;
use host::value::Value;

use super::transcript::{CasePart, cases_of_transcript};

/// The refusal codes of the reference, each with its section.
const REFERENCE_CODES: [(&str, &str); 18] = [
    ("E_HP", "2.2"),
    ("E_DAMAGE", "2.2"),
    ("E_XP_FIXED", "2.2"),
    ("E_ITEM", "2.2"),
    ("E_DROP_RATE", "2.2"),
    ("E_AC", "2.4"),
    ("E_IDLE", "4"),
    ("E_ACTION_USED", "4"),
    ("E_TARGET", "4"),
    ("E_SELF", "4"),
    ("E_LEVEL", "4"),
    ("E_RANGE_RANGED", "4"),
    ("E_RANGE_MELEE", "4"),
    ("E_POST", "4"),
    ("E_POST_INACTIVE", "4"),
    ("E_STATUS", "4"),
    ("E_POST_EXISTS", "7"),
    ("E_SLOT", "10, D3"),
];

/// Public queries whose answers a refusal must not change.
const QUERY_LINES: [&str; 8] = [
    "gndt",
    "gndt log",
    "encounter",
    "attack post",
    "statuses",
    "loot",
    "log rolls",
    "dice",
];

/// Returns the visible parts of a game, by query.
fn visible_parts_of_game(solo: &mut Solo) -> BTreeMap<String, String> {
    let state = solo.timeline().state();
    let dice = format!("{:?}", waiting_hand_dice(state));
    let live: Vec<u64> = solo
        .timeline()
        .history()
        .live_operations()
        .map(|one| one.seq)
        .collect();
    let mut seen = BTreeMap::from([
        ("the state".to_owned(), format!("{:?}", state.hash())),
        ("typed dice".to_owned(), dice),
        ("what holds".to_owned(), format!("{live:?}")),
        (
            "the next slot".to_owned(),
            solo.timeline().history().next_ruling_number().to_string(),
        ),
    ]);
    for line in QUERY_LINES {
        let reply = solo.submit("gm", line);
        seen.insert(format!("`{line}`"), documents_and_refusal_text(&reply));
    }
    seen
}

fn documents_and_refusal_text(reply: &Reply) -> String {
    let refusal = reply.refusal.iter().map(|one| one.message.clone());
    let documents = reply.documents.iter().map(plain);
    documents.chain(refusal).collect::<Vec<_>>().join("\n")
}

/// The result for some transcripts: refusal codes, number of refusals, and defects.
#[derive(Default)]
struct RefusalsFound {
    codes: BTreeSet<String>,
    refused: usize,
    wrong: Vec<String>,
}

/// Plays every case of some transcripts and checks each refused line.
fn check_refused_lines(home: &Scratch, files: &[PathBuf]) -> RefusalsFound {
    let mut found = RefusalsFound::default();
    let mut game = Game::of_program(home, "dungeon");
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        game.solo.client.set_file_folder(file.parent().unwrap());
        for (sentence, parts) in cases_of_transcript(&text) {
            play_case(&mut game.solo, (sentence, &parts), &mut found);
        }
    }
    found
}

fn play_case(
    solo: &mut Solo,
    (sentence, parts): (&str, &[CasePart<'_>]),
    found: &mut RefusalsFound,
) {
    assert!(solo.restart(Seed::from_text(sentence)).refusal.is_none());
    let settings = parts.iter().filter_map(|part| match part {
        CasePart::Setting(key, value) => Some((*key, Value::from(*value))),
        CasePart::Line(..) => None,
    });
    let settings: Vec<(&str, Value)> = settings.collect();
    if !settings.is_empty() {
        let reply = game::set_up_test(solo, &Value::map(settings));
        assert!(reply.refusal.is_none(), "{sentence}: {reply:?}");
    }
    for part in parts {
        let CasePart::Line(by, line, expected) = part else {
            continue;
        };
        let code = ["refused[", "error["].iter().find_map(|word| {
            let code = expected.strip_prefix(word)?.split(']').next()?;
            Some(code.to_owned())
        });
        let Some(code) = code else {
            drop(solo.submit(by, line));
            continue;
        };
        let wrong = trace_of_refused_line(solo, (by, line), &code);
        found.refused += 1;
        found.codes.insert(code);
        found
            .wrong
            .extend(wrong.map(|wrong| format!("{sentence}: `{line}` {wrong}")));
    }
}

/// Submits a line that must be refused, and returns its defect, if any.
fn trace_of_refused_line(solo: &mut Solo, (by, line): (&str, &str), code: &str) -> Option<String> {
    let before = visible_parts_of_game(solo);
    let operations = solo.timeline().history().operations().len();
    let reply = solo.submit(by, line);
    match &reply.refusal {
        Some(refusal) if *refusal.code == *code => {}
        other => return Some(format!("is not refused by {code}: {other:?}")),
    }
    let new = &solo.timeline().history().operations()[operations..];
    let is_bare = |what: &What| matches!(what, What::Refused { .. });
    if new
        .iter()
        .any(|one| !is_bare(&one.what) || one.slot.is_some() || !one.changes.is_empty())
    {
        return Some(format!("became {new:?}"));
    }
    let behind = visible_parts_of_game(solo);
    let differs = before.iter().find(|(key, text)| behind[*key] != **text);
    differs.map(|(key, text)| format!("changes {key}:\n{text}\n-- behind it:\n{}", behind[key]))
}

/// Returns a home with only the forum dungeon.
pub(super) fn home_with_dungeon() -> Scratch {
    let home = Scratch::mini();
    for folder in ["scripts/library", "scripts/dungeon", "content/dungeon"] {
        home.copy(&project().join(folder), folder);
    }
    home
}

fn transcripts_below(below: &Path) -> Vec<PathBuf> {
    let mut files = files_below(below);
    files.retain(|file| file.to_string_lossy().ends_with(".test.txt"));
    files
}

#[test]
fn every_refused_line_of_every_transcript_leaves_no_trace() {
    on_game_thread(|| {
        let files = transcripts_below(&project().join("scripts/dungeon"));
        let found = check_refused_lines(&home_with_dungeon(), &files);
        assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n\n"));
        let written: usize = files.iter().map(|file| count_written_refusals(file)).sum();
        assert_eq!(found.refused, written, "each that is written was given");
        assert!(
            found.refused > 250,
            "{} refusals show little",
            found.refused
        );
        let missing = REFERENCE_CODES
            .iter()
            .filter(|(code, _)| !found.codes.contains(*code));
        let missing: Vec<_> = missing.collect();
        assert!(missing.is_empty(), "no line is refused by {missing:?}");
    });
}

fn count_written_refusals(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap();
    let is_refused = |line: &&str| line.starts_with("| refused[") || line.starts_with("| error[");
    text.lines().filter(is_refused).count()
}

/// Edits that break a rule, each with the defect that must be found.
const BROKEN_RULES: [(&str, &str, &str, &str); 3] = [
    (
        "commands/attack.luau",
        "return if refusal then refusals.fail_command(act, refusal) else carry_out",
        "return if refusal then act:done(refusal.message) else carry_out",
        "is not refused by E_RANGE_",
    ),
    (
        "checks/range.luau",
        "`E_RANGE_{string.upper(clock.state)}`",
        "`E_REACH_{string.upper(clock.state)}`",
        "is not refused by E_RANGE_",
    ),
    (
        "checks/range.luau",
        "    local hands =",
        "    act:set(attack.attacker, \"attacked_at\", 0)\n    local ignored = act:add(\"table\", \"tries\", 1)\n    local hands =",
        "",
    ),
];

#[test]
fn a_rule_that_lets_a_line_pass_is_found_and_what_it_wrote_before_it_refused_is_taken_back() {
    on_game_thread(|| {
        let file = project().join("scripts/dungeon/checks/range.test.txt");
        for (path, old, new, wrong) in BROKEN_RULES {
            let home = home_with_dungeon();
            home.edit(&format!("scripts/dungeon/{path}"), old, new);
            let found = check_refused_lines(&home, std::slice::from_ref(&file))
                .wrong
                .join("\n");
            assert!(found.contains(wrong), "{path}: {found}");
            assert_eq!(found.is_empty(), wrong.is_empty(), "{path}: {found}");
        }
    });
}
