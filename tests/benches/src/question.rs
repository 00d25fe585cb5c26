//! Measures a question in the middle of a ruling, against the same ruling without it.

use host::game;
use std::fs;
use std::io;
use std::path::Path;

use host::game::{Home, ReplayComparison, Seed, SessionOptions, Solo};
use host::script::EngineOptions;

use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section};

const ROUNDS: u32 = 40;
/// Rulings of one batch.
const RULINGS: u32 = 50;
/// Maximum nanoseconds of an answered question.
const MOST: f64 = 10e3;

const RULESET: &str = "return ruleset { source = 'measured', name = 'Asked', summary = 'measured',
  stats = { harm = { base = 0, summary = 'what was done' } },
  setup = function(act) act:create('person', {}, 'ann') end }";

/// The command of the rulings; `{asked}` is the place of the question.
const COMMAND: &str =
    "return command { source = 'measured', summary = 'measured', syntax = '{word}',
  run = function(act)
    local harm = act:get('ann', 'harm')
    local is_shielded = {asked}
    act:set('ann', 'harm', if is_shielded then harm else harm + act:roll('1d6', 'harm'))
    return act:done(`Ann has {act:get('ann', 'harm')}.`)
  end }";

const ASKED: &str = "act:ask({ to = 'ann', key = 'shield', type = 'YesNo', default = false, text = 'Raise the shield?' })";

fn write_asking_home(folder: &Path) -> io::Result<()> {
    let scripts = folder.join("scripts/asked");
    fs::create_dir_all(scripts.join("commands"))?;
    fs::create_dir_all(folder.join("content"))?;
    fs::write(scripts.join("ruleset.luau"), RULESET)?;
    for (word, asked) in [("strike", "false"), ("offer", ASKED)] {
        let text = COMMAND.replace("{word}", word).replace("{asked}", asked);
        fs::write(scripts.join(format!("commands/{word}.luau")), text)?;
    }
    Ok(())
}

fn start_game(folder: &Path) -> Solo {
    let home = Home {
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        mods: vec![folder.to_owned()],
        content: None,
    };
    let options = SessionOptions {
        home,
        ruleset: "asked".to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions::default(),
    };
    let started = Solo::start(options, &[]);
    started.expect("invariant: the measured ruleset loads").0
}

/// Submits a command, and an answer if given; both must be accepted.
fn give_command_and_answer(solo: &mut Solo, line: &str, answer: Option<&str>) {
    let reply = solo.submit("gm", line);
    assert!(reply.refusal.is_none(), "invariant: the game goes on");
    if let Some(answer) = answer {
        let reply = solo.run_as_line(("ann", "answer no"), |timeline, ruling| {
            game::take_typed_answer(timeline, ruling, answer)
        });
        assert!(reply.refusal.is_none(), "invariant: it is an answer");
    }
}

/// Runs the last ruling again from its recorded inputs.
fn verify_last_ruling(solo: &mut Solo) {
    let last = solo.timeline().history().operations().last();
    let number = last.expect("invariant: there was a ruling").seq;
    assert_eq!(solo.verify_operation(number), ReplayComparison::Same);
}

/// Measures the questions.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().expect("invariant: there is a folder for temporary files");
    write_asking_home(folder.path()).expect("invariant: the folder can be written");
    let (mut without, mut asked, mut ordered) = (
        start_game(folder.path()),
        start_game(folder.path()),
        start_game(folder.path()),
    );
    let order = ordered.run_as_line(("ann", "always shield no"), |timeline, ruling| {
        game::set_standing_answer(timeline, ruling, "shield", "no")
    });
    assert!(order.refusal.is_none(), "invariant: it is an order");
    let (mut plain, mut answered) = (start_game(folder.path()), start_game(folder.path()));
    give_command_and_answer(&mut plain, "strike", None);
    give_command_and_answer(&mut answered, "offer", Some("no"));
    let [without, asked, ordered, plain, answered] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_operation(RULINGS, || {
                give_command_and_answer(&mut without, "strike", None);
            }),
            Lane::of_operation(RULINGS, || {
                give_command_and_answer(&mut asked, "offer", Some("no"));
            }),
            Lane::of_operation(RULINGS, || {
                give_command_and_answer(&mut ordered, "offer", None);
            }),
            Lane::of_operation(RULINGS, || verify_last_ruling(&mut plain)),
            Lane::of_operation(RULINGS, || verify_last_ruling(&mut answered)),
        ],
    );
    Section {
        title: "A question in the middle of a ruling",
        rows: vec![
            Row::time_without_target("the ruling without it", without),
            Row::time_at_most(
                "what a question costs that a standing answer answers",
                ordered - without,
                MOST,
            ),
            Row::time_without_target("the ruling without it, run again from its inputs", plain),
            Row::time_without_target(
                "what a question costs there, with all that it takes to go on",
                answered - plain,
            ),
            Row::time_without_target("the ruling asks, waits, is answered and runs again", asked),
        ],
    }
}
