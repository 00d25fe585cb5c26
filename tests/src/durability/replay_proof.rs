//! Plays a random saved game and replays it in another process. Each line must lead to the same state.

use std::path::Path;
use std::process::Command;

use host::game::{GameLocation, Home, ReplayComparison, RulesChoice, Seed, Solo};
use host::script::EngineOptions;

use super::game_on_disk;
use super::memory_game::MemoryGame;
use super::random_lines::Lines;
use crate::{Scratch, project, save_options};

/// Number of lines of one game.
const LINES: usize = 60;

/// Plays the game of a number, mini or fortune, and lets the program replay it; returns the number of its operations.
///
/// Errors: the first line that leads to another state; the folder is kept.
pub fn compare_with_other_process_replay(program: &Path, seed: u64) -> Result<usize, String> {
    let scratch = Scratch::with_lasting_commands();
    let (ruleset, home) = if seed.is_multiple_of(2) {
        ("mini", scratch.home())
    } else {
        (
            "fortune",
            Home {
                folder: project(),
                mods: Vec::new(),
                content: None,
            },
        )
    };
    let place = scratch.path().join("game");
    let compared = play_random_lines(&home, (ruleset, seed), &place).and_then(|here| {
        let there = replay_in_other_process(program, &home, &place)?;
        match here.iter().zip(&there).find(|(here, there)| here != there) {
            Some((here, there)) => Err(format!("{ruleset}: here {here}, there {there}")),
            None if here.len() != there.len() => Err(format!("{} lines there", there.len())),
            None => Ok(here.len()),
        }
    });
    compared.map_err(|why| {
        let folder = scratch.keep_folder();
        format!("seed {seed}: {why}; see {}", folder.display())
    })
}

fn play_random_lines(
    home: &Home,
    (ruleset, seed): (&str, u64),
    place: &Path,
) -> Result<Vec<String>, String> {
    let text = Seed::from_text(&format!("replay {seed}"));
    let mut told = MemoryGame::start_game(home.clone(), ruleset, text)?;
    told.solo
        .save_in_folder(place, save_options())
        .map_err(|finding| finding.message)?;
    let mut lines = Lines::new(seed);
    for _ in 0..LINES {
        let line = lines.line_of_ruleset(ruleset);
        told.submit_line(&line);
    }
    let operations = told.solo.timeline().history().operations();
    Ok(operations
        .iter()
        .map(|one| format!("{} {} {}", one.seq, one.state, one.command))
        .collect())
}

fn replay_in_other_process(
    program: &Path,
    home: &Home,
    place: &Path,
) -> Result<Vec<String>, String> {
    let output = Command::new(program)
        .arg("replay")
        .args([place, &home.folder])
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(str::to_owned).collect())
}

/// Submits all commands of a game on disk to a new game of the same seed, and runs each operation again from its
/// recorded inputs. Returns number, state and command of each. Errors: an operation that cannot be submitted, or has
/// another result.
pub fn replay_and_verify(place: &Path, home: &Path) -> Result<Vec<String>, String> {
    let home = Home {
        folder: home.to_owned(),
        mods: Vec::new(),
        content: None,
    };
    let opened = game_on_disk::open_and_recount(place)?;
    let secret = opened.game.secret().map_err(|error| error.to_string())?;
    let first = opened.game.first_line();
    let mut told = MemoryGame::start_game(
        home.clone(),
        &first.ruleset,
        Seed::from_stored_bytes(secret, first.test),
    )?;
    for operation in opened.history.operations().iter().skip(1) {
        // Automatic results of an earlier line are already there.
        if told.operation_count() as u64 >= operation.seq {
            continue;
        }
        let refusal = told.solo.submit(&operation.by, &operation.command).refusal;
        if (told.operation_count() as u64) < operation.seq {
            let why = refusal.map(|refusal| refusal.message);
            return Err(format!(
                "{}: {} leaves nothing: {why:?}",
                operation.seq, operation.command
            ));
        }
    }
    drop(opened);
    verify_recorded_operations(place, home)?;
    let operations = told.solo.timeline().history().operations().iter();
    Ok(operations
        .map(|one| format!("{} {} {}", one.seq, one.state, one.command))
        .collect())
}

fn verify_recorded_operations(folder: &Path, home: Home) -> Result<(), String> {
    let place = GameLocation {
        folder,
        home,
        engine: EngineOptions::default(),
        under: RulesChoice::Recorded,
        read_only: true,
    };
    let opened = Solo::reopen(place, save_options(), &repl::COMMANDS);
    let (mut solo, _) = opened.map_err(|found| format!("{found:?}"))?;
    for number in 1..=solo.timeline().history().operations().len() as u64 {
        if let ReplayComparison::Differs(what) = solo.verify_operation(number) {
            return Err(format!("operation {number} does something else: {what}"));
        }
    }
    Ok(())
}
