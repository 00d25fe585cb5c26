//! Tests the promises of saved games: no answered line is lost, and no change goes unnoticed. A
//! short form of `long`.

mod full_disk;
mod second_process;
mod unopenable_games;

use std::fs;
use std::path::Path;

use arbiter_tests::durability::{self, Damage, Whole};
use arbiter_tests::{Scratch, on_game_thread, save_options};
use host::game::{GameLocation, RulesChoice, Seed, SessionOptions, Solo};
use host::script::EngineOptions;
use host::store::archive::JOURNAL;

/// The program that contains `arbiter` and the replay of games.
pub(super) const LONG_PROGRAM: &str = env!("CARGO_BIN_EXE_long");

/// Runs a job for many numbers and returns the results; failures end the test with all their
/// numbers.
fn run_for_numbers<T: Send>(
    games: (u64, u64),
    job: impl Fn(u64) -> Result<T, String> + Sync,
) -> Vec<T> {
    let (mut good, mut failed) = (Vec::new(), Vec::new());
    for one in durability::run_numbered_jobs(games, job, |_| ()) {
        match one {
            Ok(one) => good.push(one),
            Err(why) => failed.push(why),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    good
}

#[test]
fn a_hundred_kills_lose_nothing_that_was_answered() {
    let found = run_for_numbers((1000, 20), |seed| {
        durability::kill_game_repeatedly(Path::new(LONG_PROGRAM), seed)
    });
    let kills: usize = found.iter().map(|one| one.kills).sum();
    assert_eq!(kills, 100);
    assert!(found.iter().map(|one| one.operations).sum::<usize>() > 200);
}

#[test]
fn a_disk_that_fails_and_power_that_goes_lose_nothing_that_was_answered() {
    let found = run_for_numbers((1000, 30), durability::lose_power_repeatedly);
    let sum = |of: fn(&durability::Power) -> usize| found.iter().map(of).sum::<usize>();
    assert_eq!(sum(|one| one.losses), 120);
    for (what, count) in [
        ("refused", sum(|one| one.refused)),
        ("went on", sum(|one| one.went_on)),
        ("unanswered", sum(|one| one.unanswered)),
        ("torn", sum(|one| one.torn)),
    ] {
        assert!(count > 10, "{what}: {count}");
    }
}

#[test]
fn a_cut_journal_is_mended() {
    let found = on_game_thread(|| Whole::play_game(0)?.cut_journal_everywhere(41)).unwrap();
    let Damage {
        tried,
        named,
        mended,
        harmless,
    } = found;
    assert!(
        tried > 200 && mended > 150 && harmless > 20 && named > 5,
        "{found:?}"
    );
}

#[test]
fn a_bit_that_changes_is_named_or_does_no_harm() {
    let flips = |seed: u64| {
        let whole = Whole::play_game(usize::from(seed == 1000))?;
        let blobs = whole.folder().place().join("blobs");
        let has_blobs = whole
            .folder()
            .files()
            .keys()
            .any(|file| file.starts_with(&blobs));
        assert_eq!(has_blobs, seed == 1000);
        whole.flip_random_bits(seed, if has_blobs { 30 } else { 150 })
    };
    let found = run_for_numbers((1000, 4), flips);
    let named: usize = found.iter().map(|one| one.named).sum();
    assert!(named > 300, "{found:?}");
}

#[test]
fn random_games_lead_to_the_same_states_in_another_process() {
    let lines = run_for_numbers((1000, 20), |seed| {
        durability::compare_with_other_process_replay(Path::new(LONG_PROGRAM), seed)
    });
    assert!(lines.iter().sum::<usize>() > 500, "{lines:?}");
}

/// Creates a saved game of mini and plays some lines.
pub(super) fn create_saved_mini_game(home: &Scratch, place: &Path, lines: &[&str]) {
    on_game_thread(|| {
        let options = SessionOptions {
            home: home.home(),
            ruleset: "mini".to_owned(),
            seed: Seed::from_text("kept"),
            engine: EngineOptions::default(),
        };
        let (mut solo, _) = Solo::start(options, &repl::COMMANDS).unwrap();
        solo.save_in_folder(place, save_options()).unwrap();
        for line in lines {
            assert_eq!(solo.submit("gm", line).refusal, None, "{line}");
        }
    });
}

/// A process that dies while it creates a game leaves no folder, or a folder that the next process
/// completes.
#[test]
fn a_game_that_was_interrupted_while_it_was_made_is_set_up_when_it_is_opened() {
    let home = Scratch::mini();
    let place = home.path().join("game");
    create_saved_mini_game(&home, &place, &[]);
    let whole = fs::read_to_string(place.join(JOURNAL)).unwrap();
    let first = whole.split_inclusive('\n').next().unwrap();
    fs::write(place.join(JOURNAL), first).unwrap();
    on_game_thread(|| {
        let there = GameLocation {
            folder: &place,
            home: home.home(),
            engine: EngineOptions::default(),
            under: RulesChoice::Now,
            read_only: false,
        };
        let (mut solo, notes) = Solo::reopen(there, save_options(), &repl::COMMANDS).unwrap();
        let codes: Vec<&str> = notes.iter().map(|note| &*note.code).collect();
        assert_eq!(codes, ["save/set-up"]);
        assert_eq!(solo.submit("gm", "charm Ann with cheer").refusal, None);
    });
    let again = fs::read_to_string(place.join(JOURNAL)).unwrap();
    assert!(again.starts_with(&whole), "the set-up is the one of before");
    assert_eq!(again.lines().count(), 3);
}
