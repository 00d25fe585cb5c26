//! Verifies saved games: complete ones, and journals that were altered and chained again.

use std::fs;
use std::path::{Path, PathBuf};

use arbiter_tests::{Game, Scratch, on_game_thread, save_options};
use host::diag::Diagnostic;
use host::game::{DiceCheck, Seed, Solo, VerificationReport, Verifier};
use host::store::archive::{JOURNAL, SECRET};
use repl::COMMANDS;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::determinism::{
    RandomLines, fortune_game, game_with_lasting_things, home_with_lasting_things,
    play_random_lines,
};
use super::program::arbiter_in_project;

mod altered_bytes;
mod commands;
mod corrected_games;
mod suspended_corrections;

/// A saved game that is no longer played; its folder is deleted with this value.
struct SavedGame {
    _home: TempDir,
    folder: PathBuf,
}

impl SavedGame {
    /// Saves a game as it is.
    fn of(solo: &mut Solo) -> SavedGame {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("game");
        solo.save_in_folder(&folder, save_options()).unwrap();
        solo.flush().unwrap();
        SavedGame {
            _home: home,
            folder,
        }
    }

    /// Plays lines of the toy ruleset and saves the game; `Ann: text` is sent by Ann.
    fn save_mini_game(lines: &[&str]) -> SavedGame {
        SavedGame::save_played_game(&Scratch::mini(), lines)
    }

    fn save_played_game(home: &Scratch, lines: &[&str]) -> SavedGame {
        let mut game = Game::of_program(home, "mini");
        for line in lines {
            let (by, line) = line.split_once(": ").unwrap_or(("gm", line));
            game.solo.submit(by, line);
        }
        SavedGame::of(&mut game.solo)
    }

    fn journal_lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.join(JOURNAL)).unwrap();
        let json = text.lines().map(|line| line.split_once('\t').unwrap().0);
        json.map(str::to_owned).collect()
    }

    /// Writes lines to the journal, with a correct chain.
    fn write_chained_lines(&self, lines: &[String]) {
        let (mut chain, mut text) = (String::new(), String::new());
        for json in lines {
            chain = sha256_hex(&format!("{chain}{json}"));
            text += &format!("{json}\t{chain}\n");
        }
        fs::write(self.folder.join(JOURNAL), text).unwrap();
    }

    /// Alters the line of an operation; the replaced text must occur there.
    fn alter_operation(&self, seq: usize, from: &str, to: &str) {
        let mut lines = self.journal_lines();
        assert!(lines[seq].contains(from), "{}", lines[seq]);
        lines[seq] = lines[seq].replacen(from, to, 1);
        self.write_chained_lines(&lines);
    }

    fn run_verifier(&self) -> (VerificationReport, DiceCheck) {
        let verifier = Verifier::open(&self.folder, &COMMANDS).unwrap();
        let dice = verifier.check_dice();
        (verifier.finish(), dice)
    }

    /// Verifies an unaltered game, and returns the number of operations that replayed identically.
    fn assert_sound(&self) -> u64 {
        let (report, dice) = self.run_verifier();
        assert_eq!(findings_as_text(&report.findings), Vec::<String>::new());
        assert_eq!(findings_as_text(&dice.findings), Vec::<String>::new());
        assert_eq!(report.different, 0);
        report.same
    }
}

#[test]
fn what_loss_of_power_leaves_of_snapshots_is_no_difference_and_one_of_another_state_is() {
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::mini(), "mini");
        let kept = SavedGame::of(&mut game.solo);
        for mood in 0..210 {
            game.text(&format!("set Ann mood {mood}"));
        }
        game.solo.flush().unwrap();
        drop(game);
        let folder = kept.folder.join("snapshots");
        let mut made = fs::read_dir(&folder).unwrap();
        let ahead = made.next().expect("a snapshot was due").unwrap().path();
        let lines = kept.journal_lines();
        assert_eq!(kept.assert_sound(), lines.len() as u64 - 1);
        kept.write_chained_lines(&lines[..=150]);
        fs::write(folder.join("000000000100.state"), "").unwrap();
        assert_eq!(kept.assert_sound(), 150);
        let state = fs::read(ahead).unwrap();
        fs::write(folder.join("000000000100.state"), state).unwrap();
        let found = findings_as_text(&kept.run_verifier().0.findings);
        let expected = "verify/snapshot: the snapshot of log line 100 does not match the journal";
        assert_eq!(found, [expected]);
    });
}

fn findings_as_text(findings: &[Diagnostic]) -> Vec<String> {
    let told = findings.iter();
    told.map(|one| format!("{}: {}", one.code, one.message))
        .collect()
}

fn sha256_hex(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a face computed only from the README; small dice skip no word in these tests.
fn expected_face(seed: &str, address: &str, sides: u32) -> u32 {
    let words = sha256_hex(&format!("{seed} {address}"));
    u32::from_str_radix(&words[..8], 16).unwrap() % sides + 1
}

#[test]
fn games_that_nobody_altered_do_the_same_again() {
    on_game_thread(|| {
        let games = [
            play_random_lines(game_with_lasting_things(), RandomLines::of_mini(21), 300),
            play_random_lines(fortune_game(), RandomLines::of_fortune(21), 300),
        ];
        for mut game in games {
            let kept = SavedGame::of(&mut game.solo);
            let (report, dice) = kept.run_verifier();
            assert_eq!(findings_as_text(&report.findings), Vec::<String>::new());
            assert_eq!(findings_as_text(&dice.findings), Vec::<String>::new());
            let all = game.solo.timeline().history().operations().len() as u64;
            assert_eq!(report.same + report.not_run, all);
            assert!(report.same > all * 9 / 10, "{} of {all}", report.same);
            assert!(dice.right > 5 && !dice.seen.is_empty(), "{dice:?}");
            let seen = game.solo.timeline().history().seen_dice_addresses();
            let drawn = dice.seen.iter().map(|one| one.die.address.as_str());
            assert!(drawn.into_iter().all(|address| seen.contains(address)));
        }
    });
}

const GAME_LINES: [&str; 8] = [
    "throw 2d6",
    "charm Ann with cheer",
    "undo",
    "charm Ann with cheer",
    "charm Ann with nothing",
    "dice next 5",
    "throw 1d6",
    "throw 1d20",
];

/// The first finding for an alteration, by replay and by the dice.
#[test]
fn what_was_altered_is_named() {
    let kept = SavedGame::save_mini_game(&GAME_LINES);
    let whole = kept.journal_lines();
    assert!(kept.assert_sound() >= 8);
    let state = &whole[2][whole[2].find("\"state\":\"").unwrap() + 9..][..64];
    let flipped = format!(
        "{}{}",
        &state[..63],
        if state.ends_with('0') { 1 } else { 0 }
    );
    let face = &whole[2][whole[2].find("\"face\":").unwrap()..][..8];
    let other = if face.ends_with('1') {
        "\"face\":2"
    } else {
        "\"face\":1"
    };
    let cases = [
        (2, face, other, "log line 2 `throw 2d6` differs: document 1"),
        (
            2,
            "throw 2d6",
            "throw 3d6",
            "log line 2 `throw 3d6` differs: ",
        ),
        (2, "/throw/", "/throws/", "log line 2 `throw 2d6` differs: "),
        (
            2,
            state,
            &flipped,
            "log line 2 `throw 2d6` differs: the hash of the state is recorded as",
        ),
        (
            3,
            "\"cheer\"]",
            "\"gloom\"]",
            "log line 3 `charm Ann with cheer` differs: the field",
        ),
        (
            4,
            "\"kind\":\"undo\",\"of\":3",
            "\"kind\":\"undo\",\"of\":2",
            "log line 4 `undo` differs: the record says that it takes back 2, but run again it takes back 3",
        ),
        (
            5,
            "\"slot\":3",
            "\"slot\":2",
            "log line 5 `charm Ann with cheer` differs: its ruling number is recorded as 2, but run again it is 3",
        ),
        (
            6,
            "dice next 5",
            "dice next 4",
            "log line 6 `dice next 4` differs: the field next of @hand-dice",
        ),
        (
            7,
            "\"typed\":true",
            "\"typed\":false",
            "log line 7 `throw 1d6` differs: ",
        ),
    ];
    for (seq, from, to, expected) in cases {
        kept.write_chained_lines(&whole);
        kept.alter_operation(seq, from, to);
        let (report, _) = kept.run_verifier();
        let told = findings_as_text(&report.findings);
        let first = told.first().map(String::as_str).unwrap_or_default();
        assert!(first.contains(expected), "{from} -> {to}: {told:#?}");
        assert_eq!(report.different, 1, "{from} -> {to}: {told:#?}");
    }
}

#[test]
fn what_is_wrong_with_dice_is_named() {
    let kept = SavedGame::save_mini_game(&GAME_LINES);
    let whole = kept.journal_lines();
    let (_, dice) = kept.run_verifier();
    assert_eq!((dice.right, dice.typed.len(), dice.seen.len()), (3, 1, 0));
    assert_eq!(dice.typed[0].die.face, 5);
    for (seq, from, to, expected) in [
        (
            8,
            "\"face\":",
            "\"face\":1",
            "verify/die: log line 8 `throw 1d20`: the d20 at 6/throw/",
        ),
        (
            2,
            "/1\"",
            "/2\"",
            "verify/address: log line 2 `throw 2d6`: 2/throw/",
        ),
        (
            2,
            "\"2/throw",
            "\"3/throw",
            "does not begin with the number of its ruling, which is 2",
        ),
        (7, "\"face\":5", "\"face\":7", "the typed die at 5/throw/"),
    ] {
        kept.write_chained_lines(&whole);
        kept.alter_operation(seq, from, to);
        let told = findings_as_text(&kept.run_verifier().1.findings);
        assert!(
            told.iter().any(|one| one.contains(expected)),
            "{from} -> {to}: {told:#?}"
        );
    }
    kept.write_chained_lines(&whole);
    fs::write(kept.folder.join(SECRET), [1; 32]).unwrap();
    let (report, dice) = kept.run_verifier();
    assert!(
        findings_as_text(&report.findings)[0]
            .starts_with("verify/seed: the seed does not match the commitment made at the start")
    );
    assert_eq!(dice.findings.last().unwrap().code, "verify/no-seed");
}

#[test]
fn an_operation_that_was_left_out_is_found() {
    let kept = SavedGame::save_mini_game(&GAME_LINES);
    let mut lines = kept.journal_lines();
    lines.remove(2);
    kept.write_chained_lines(&lines);
    let (report, _) = kept.run_verifier();
    assert_eq!(report.same, 1);
    assert!(
        findings_as_text(&report.findings)[0].starts_with("save/broken: "),
        "{:?}",
        findings_as_text(&report.findings)
    );
    // With other numbers it appears in the first slot that differs.
    for (seq, line) in lines.iter_mut().enumerate().skip(2) {
        *line = line.replacen(
            &format!("\"seq\":{}", seq + 1),
            &format!("\"seq\":{seq}"),
            1,
        );
    }
    kept.write_chained_lines(&lines);
    let told = findings_as_text(&kept.run_verifier().0.findings);
    assert!(told[0].starts_with("verify/differs: log line 2 `charm Ann with cheer` differs: its ruling number is recorded as 3, but run again it is 2"), "{told:#?}");
}

#[test]
fn a_line_that_was_not_chained_anew_ends_the_journal() {
    let kept = SavedGame::save_mini_game(&GAME_LINES);
    let path = kept.folder.join(JOURNAL);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("throw 1d6", "throw 9d6", 1)).unwrap();
    let (report, _) = kept.run_verifier();
    assert_eq!(report.same + report.not_run, 6);
    assert!(
        findings_as_text(&report.findings)[0].starts_with("save/broken: line 8"),
        "{:?}",
        findings_as_text(&report.findings)
    );
}

#[test]
fn rules_that_were_altered_are_named_and_what_ran_under_others_is_run() {
    let home = Scratch::mini();
    let mut game = Game::of_program(&home, "mini");
    game.text("charm Ann with cheer");
    home.edit(
        "scripts/mini/commands/throw.luau",
        "rolls dice for a person",
        "rolls dice",
    );
    game.text("reload");
    game.text("throw 1d6");
    let kept = SavedGame::of(&mut game.solo);
    drop(home);
    assert_eq!(kept.assert_sound(), 3);
    let last = game.solo.timeline().history().operations()[2]
        .rules
        .to_string();
    let place = kept.folder.join("rules").join(&last);
    let list = fs::read_to_string(&place).unwrap();
    fs::write(&place, list.replacen("throw.luau", "threw.luau", 1)).unwrap();
    let (report, dice) = kept.run_verifier();
    assert_eq!((report.same, report.not_run), (2, 1));
    let expected = "verify/rules: the rules of log line 3 are missing: ";
    assert!(
        findings_as_text(&report.findings)[0].starts_with(expected),
        "{:?}",
        findings_as_text(&report.findings)
    );
    assert_eq!(findings_as_text(&dice.findings), Vec::<String>::new());
}

#[test]
fn a_correction_of_rulings_whose_rules_are_gone_is_not_run() {
    let home = Scratch::mini();
    let mut game = Game::of_program(&home, "mini");
    for line in ["set Ann mood 2", "charm Bo with cheer"] {
        game.text(line);
    }
    let throw = "scripts/mini/commands/throw.luau";
    home.edit(throw, "rolls dice for a person", "rolls dice");
    game.text("reload");
    game.text("throw 1d6");
    game.text("revert 2 yes");
    game.text("throw 1d6");
    let rules = game.solo.timeline().history().operations()[0]
        .rules
        .to_string();
    let kept = SavedGame::of(&mut game.solo);
    drop(home);
    let (report, _) = kept.run_verifier();
    assert_eq!((report.same, report.not_run, report.different), (6, 0, 0));
    fs::remove_file(kept.folder.join("rules").join(&rules)).unwrap();
    let (report, _) = kept.run_verifier();
    let told = findings_as_text(&report.findings);
    assert_eq!(
        (report.same, report.not_run, report.different),
        (2, 4, 0),
        "{told:?}"
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("verify/rules: the rules of log line 1 are missing: "),
        "{told:?}"
    );
}

#[test]
fn an_answer_that_leaves_others_missing_does_the_same_again() {
    let home = Scratch::mini();
    home.command(
        "meet",
        "local asked = {} for _, name in { 'Ann', 'Bo' } do \
         table.insert(asked, { to = name, key = 'sure', who = name, type = 'YesNo', text = 'Sure?' }) end \
         local answers = act:ask_all(asked) return `{answers[1]} {answers[2]}`",
    );
    for order in [["2.1", "2.2"], ["2.2", "2.1"]] {
        let mut game = Game::of_program(&home, "mini");
        game.text("meet");
        game.text(&format!("answer {} yes", order[0]));
        game.text("charm Ann with cheer");
        game.text(&format!("answer {} no", order[1]));
        let kept = SavedGame::of(&mut game.solo);
        assert_eq!(kept.assert_sound(), 5, "{order:?}");
        assert_eq!(
            game.solo.timeline().history().operations()[2].inputs.len(),
            1,
            "what was answered is an input"
        );
    }
}

#[test]
fn a_ruling_that_is_finished_under_its_own_rules_does_the_same_again() {
    let home = Scratch::mini();
    let body = |text: &str| {
        format!(
            "act:ask({{ to = 'gm', key = 'a', type = 'YesNo', text = '{text}' }}) act:ask({{ to = 'gm', key = 'b', type = 'YesNo', text = 'b' }}) return '{text}'"
        )
    };
    home.command("dare", &body("old"));
    let mut game = Game::of_program(&home, "mini");
    game.text("dare");
    home.command("dare", &body("new").replace("'a'", "'c'"));
    game.text("reload");
    assert_eq!(game.refusal("answer yes").code, "ask/stale");
    game.text("finish");
    game.text("answer yes");
    assert_eq!(game.text("answer yes"), "old");
    let kept = SavedGame::of(&mut game.solo);
    assert_eq!(kept.assert_sound(), 5);
}

#[test]
fn salts_change_the_dice_from_the_next_phase_on() {
    let mut solo = super::random_harbour_games::harbour_session();
    let seed = sha256_hex("the host's own tests");
    let say = |solo: &mut Solo, by: &str, line: &str| {
        let reply = solo.submit(by, line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    };
    assert_eq!(solo.submit("gm", "salt x").refusal.unwrap().code, "salt/gm");
    say(&mut solo, "Ann", "salt a grain  of sand");
    say(&mut solo, "Bo", "salt pepper");
    say(&mut solo, "gm", "roll 1d100");
    say(&mut solo, "gm", "next");
    say(&mut solo, "gm", "roll 1d100");
    let die = |solo: &Solo| {
        let last = solo.timeline().history().operations().last().unwrap();
        let input = last.inputs[0].clone();
        let address = input.get("address").as_str().unwrap().to_owned();
        (
            address,
            u32::try_from(input.get("face").as_i64().unwrap()).unwrap(),
        )
    };
    let (address, shown) = die(&solo);
    let salted = sha256_hex(&format!("{seed} a grain  of sand pepper"));
    assert_eq!(shown, expected_face(&salted, &address, 100));
    assert_ne!(shown, expected_face(&seed, &address, 100));
    let kept = SavedGame::of(&mut solo);
    kept.assert_sound();
    // A later change of the salt is detected.
    let mut lines = kept.journal_lines();
    for line in &mut lines {
        *line = line.replace("pepper", "popper");
    }
    kept.write_chained_lines(&lines);
    let told = findings_as_text(&kept.run_verifier().1.findings);
    assert!(
        told.iter()
            .any(|one| one.contains(&format!("at {address} is recorded as {shown}"))),
        "{told:#?}"
    );
}

#[test]
fn a_ruling_that_waits_keeps_the_salts_that_it_began_with() {
    let home = Scratch::mini();
    home.command(
        "dare",
        "local first = act:roll('1d1000', 'dare') act:ask({ to = 'gm', key = 'a', type = 'YesNo', text = 'a' }) \
         return `{first} {act:roll('1d1000', 'dare')}`",
    );
    let mut game = Game::of_program(&home, "mini");
    game.text("dare");
    let reply = game.solo.submit("Ann", "salt one");
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    game.text("next");
    game.text("dare");
    let seed = sha256_hex("the host's own tests");
    let salted = sha256_hex(&format!("{seed} one"));
    for (line, seed) in [("answer 2.1 yes", seed), ("answer 5.1 yes", salted)] {
        game.text(line);
        let inputs = &game.last_operation().inputs;
        let dice = inputs.iter().filter(|input| !input.get("face").is_nil());
        let dice: Vec<_> = dice.collect();
        assert_eq!(dice.len(), 2);
        for die in dice {
            let address = die.get("address").as_str().unwrap();
            let expected = expected_face(&seed, address, 1000).into();
            assert_eq!(die.get("face").as_i64(), Some(expected), "{address}");
        }
    }
    SavedGame::of(&mut game.solo).assert_sound();
}

#[test]
fn a_revealed_seed_is_enough_to_verify_and_ends_the_dice() {
    let mut game = Game::of_program(&Scratch::mini(), "mini");
    game.text("throw 1d6");
    assert_eq!(
        game.solo.submit("Ann", "reveal").refusal.unwrap().code,
        "host/gm-only"
    );
    let text = game.text("reveal");
    let seed = Seed::from_text("the host's own tests");
    assert!(
        text.contains(seed.hex()) && text.contains(&seed.commitment()),
        "{text}"
    );
    assert_eq!(game.refusal("reveal").code, "reveal/done");
    assert_eq!(game.refusal("throw 1d6").code, "dice/revealed");
    game.undo();
    assert_eq!(
        game.refusal("throw 1d6").code,
        "dice/revealed",
        "it was said"
    );
    game.text("dice next 3");
    game.text("throw 1d6");
    game.text("reveal and roll on");
    game.text("throw 1d6");
    let kept = SavedGame::of(&mut game.solo);
    let same = kept.assert_sound();
    fs::remove_file(kept.folder.join(SECRET)).unwrap();
    assert_eq!(kept.assert_sound(), same);
}

#[test]
fn without_a_seed_dice_are_not_right() {
    let kept = SavedGame::save_mini_game(&["throw 1d6"]);
    fs::remove_file(kept.folder.join(SECRET)).unwrap();
    let (report, dice) = kept.run_verifier();
    assert_eq!((report.same, report.findings.len(), dice.right), (2, 0, 0));
    assert_eq!(dice.findings[0].code, "verify/no-seed");
}

fn run_verify_command(folder: &Path, more: &[&str]) -> (i32, String, String) {
    let output = arbiter_in_project()
        .arg("verify")
        .arg(folder)
        .args(more)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_program_says_what_it_found_and_ends_with_6() {
    let kept = SavedGame::save_mini_game(&GAME_LINES);
    let (exit, text, _) = run_verify_command(&kept.folder, &["--dice"]);
    assert_eq!(exit, 0, "{text}");
    assert!(
        text.contains("typed: log line 7, 5 of a d6 at 5/throw/"),
        "{text}"
    );
    assert!(
        text.contains("faces: 3 from the seed, 1 typed, 0 seen, 0 of forks, all together "),
        "{text}"
    );
    assert!(!run_verify_command(&kept.folder, &[]).1.contains("faces: "));
    kept.alter_operation(3, "\"cheer\"]", "\"gloom\"]");
    let (exit, text, _) = run_verify_command(&kept.folder, &[]);
    assert_eq!(exit, 6);
    assert!(
        text.contains("error[verify/differs]: log line 3 `charm Ann with cheer` differs"),
        "{text}"
    );
    let (exit, text, _) = run_verify_command(&kept.folder, &["--format", "json", "--dice"]);
    assert_eq!(exit, 6);
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects[0]["error"]["code"], "verify/differs");
    let last = objects.last().unwrap();
    assert_eq!(
        (&last["different"], &last["dice"]["right"]),
        (&1.into(), &3.into())
    );
    let (exit, _, talk) = run_verify_command(Path::new("tests"), &[]);
    assert!(exit == 2 && talk.contains("save/no-game"), "{talk}");
}
