//! Opens a saved game of every released journal version, and continues one game of every ruleset,
//! from `tests/saves/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use arbiter_tests::{files_below, on_game_thread, project};
use host::game::Verifier;
use host::store::archive::{Game, JOURNAL, Opened, Opening, SyncMode};
use host::store::{Draft, What};
use host::value::Value;
use repl::COMMANDS;
use sha2::{Digest, Sha256};

mod rulesets;
mod slips;

/// The hash of the final state of the game with all kinds of lines.
const FINAL_STATE_OF_ALL_KINDS: &str =
    "e938e8dda891a18ac9c5dd92cb144208e9b2cffcaa8177038ab0d1cd84ae2124";

/// Copies a saved game of the project, with file permissions for the owner only.
fn copy_saved_game(version: &str, home: &Path) -> PathBuf {
    let to = home.join(version);
    copy_save_files(version, &to);
    to
}

fn copy_save_files(from: &str, to: &Path) {
    let from = project().join("tests/saves").join(from);
    for file in files_below(&from) {
        let place = to.join(file.strip_prefix(&from).unwrap());
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::copy(&file, &place).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&place, fs::Permissions::from_mode(0o600)).unwrap();
        }
    }
}

fn open_saved_game(place: &Path) -> Opened {
    let opening = Opening {
        read_only: false,
        holder: "the tests",
        sync: SyncMode::Each,
    };
    Game::open(place, &opening, Rc::default()).unwrap()
}

#[test]
fn a_game_of_version_1_opens() {
    let home = tempfile::tempdir().unwrap();
    let place = copy_saved_game("version-1", home.path());
    let before = fs::read(place.join(JOURNAL)).unwrap();
    for with_snapshot in [true, false] {
        if !with_snapshot {
            fs::remove_dir_all(place.join("snapshots")).unwrap();
        }
        let opened = open_saved_game(&place);
        assert_eq!(opened.notes, []);
        assert_eq!(opened.game.first_line().v, 1);
        assert_eq!(
            opened.state.hash().to_string(),
            "68f1067036ce19145b81b106c85d4b186bcfa645d1b689d382f7ae5e84d24f19"
        );
        let operations = opened.history.operations();
        assert_eq!(
            (operations.len(), opened.history.next_ruling_number()),
            (18, 13)
        );
        assert_eq!(operations[4].command.as_ref(), "undo");
        assert_eq!(operations[6].command.as_ref(), "fail\t\u{1f600}\n");
        let long = operations[17].changes.iter().map(|change| &change.new);
        let long = long.filter(|value| matches!(value, Value::List(_)));
        let shown: Vec<String> = long.map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "[nil, 0.0000000000000000000000000001, 79228162514264337593543950335, {$a: \0\t\u{1f600}}]"
            ]
        );
        assert_eq!(opened.game.secret(), Ok([7; 32]));
        let texts: Vec<Vec<u8>> = [0, 17]
            .map(|at: usize| {
                opened
                    .game
                    .saved_rules(&operations[at].rules)
                    .unwrap()
                    .remove(0)
                    .bytes
            })
            .into();
        assert_eq!(texts, [&b"return {}"[..], b"return { second = true }"]);
    }
    assert_eq!(fs::read(place.join(JOURNAL)).unwrap(), before);
}

#[test]
fn a_game_of_version_1_goes_on_with_corrections() {
    let home = tempfile::tempdir().unwrap();
    let place = copy_saved_game("version-1", home.path());
    let Opened {
        mut game,
        mut state,
        mut history,
        ..
    } = open_saved_game(&place);
    let live: Vec<u64> = history.live_operations().map(|one| one.seq).collect();
    let [.., first, second] = live[..] else {
        panic!("{live:?}")
    };
    let replace = What::Replace {
        of: first,
        with: "stay".into(),
        changed: vec![second],
        refused: Vec::new(),
    };
    let revert = |of: u64| What::Revert {
        of,
        changed: Vec::new(),
        refused: vec![second],
    };
    let rules = history.operations().last().unwrap().rules.clone();
    for what in [replace, revert(second), revert(19)] {
        let draft = Draft {
            by: "gm".into(),
            rules: rules.clone(),
            ..Draft::default()
        };
        let net = (Vec::new(), state.hash());
        let operation = history
            .record_correction(&mut state, (draft, what), net)
            .unwrap();
        let one = std::slice::from_ref(operation);
        game.append_operations(state.names(), one, "later").unwrap();
    }
    drop(game);
    let again = open_saved_game(&place);
    assert_eq!(again.notes, []);
    assert_eq!(again.history.operations(), history.operations());
    assert_eq!(
        again.history.valid_ruling_seqs(),
        history.valid_ruling_seqs()
    );
    assert_eq!(
        again.history.ineffective_rulings(),
        [(19, 21), (second, 20)].into()
    );
}

/// The program created this game with a line of each kind: answers, typed dice, lines for others,
/// reasons, salts, disputes, standing answers, corrections, refusals, dropped or restarted rulings,
/// and the seed.
#[test]
fn a_game_of_version_1_with_all_kinds_of_lines_does_the_same_again() {
    on_game_thread(|| {
        let home = tempfile::tempdir().unwrap();
        let place = copy_saved_game("version-1-kinds", home.path());
        let opened = open_saved_game(&place);
        assert_eq!(opened.notes, []);
        let history = &opened.history;
        let seats = history
            .operations()
            .iter()
            .filter(|one| one.through.is_some());
        assert_eq!((history.operations().len(), seats.count()), (30, 3));
        let mut kinds = [0; 8];
        for one in history.operations() {
            let kind = match one.what {
                What::Ruling => 0,
                What::Undo { .. } => 1,
                What::Redo { .. } => 2,
                What::Refused { .. } => 3,
                What::Revert { .. } => 4,
                What::Replace { .. } => 5,
                What::Posted { .. } => 6,
                What::Withdrawn { .. } => 7,
            };
            kinds[kind] += 1;
        }
        assert_eq!(kinds, [23, 1, 1, 2, 2, 1, 0, 0]);
        assert_eq!(opened.state.hash().to_string(), FINAL_STATE_OF_ALL_KINDS);
        drop(opened);
        let verifier = Verifier::open(&place, &COMMANDS).unwrap();
        let dice = verifier.check_dice();
        let report = verifier.finish();
        assert_eq!((report.findings, dice.findings), (Vec::new(), Vec::new()));
        assert_eq!((report.same, report.not_run, report.different), (28, 2, 0));
        assert_eq!((dice.right, dice.typed.len()), (10, 2));
    });
}

/// Checks the chain with only the description of the format.
#[test]
fn the_chain_of_version_1_is_what_the_format_says() {
    let text = fs::read_to_string(project().join("tests/saves/version-1").join(JOURNAL)).unwrap();
    let mut before = String::new();
    for line in text.lines() {
        let (json, chain) = line.split_once('\t').unwrap();
        let hash = Sha256::digest(format!("{before}{json}"));
        before = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(before, chain);
    }
    assert_eq!(text.lines().count(), 19);
    let secret = fs::read(project().join("tests/saves/version-1/secret")).unwrap();
    let promised: String = Sha256::digest(secret)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(
        text.lines()
            .next()
            .unwrap()
            .contains(&format!("\"seed\":\"{promised}\""))
    );
}
