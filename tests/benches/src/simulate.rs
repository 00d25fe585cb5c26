//! Measures whole games of the harbour without people, against only the scripts of the same games, and against the same
//! games with full recording.

use host::script;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use host::diag::Diagnostic;
use host::doc::Document;
use host::game::{Home, SimulationSetup, Simulator, Stream};
use host::script::{Question, Run, StepWatch, Verdict};
use host::store::{Mark, State};
use host::value::Value;
use repl::COMMANDS;

use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 20;
/// Games of one batch: those with the numbers from 1 on.
const GAMES: u32 = 40;
const SEED: &str = "bench";
/// The plans of a night and a day, with their steps.
const PLANS: [(&str, Range<usize>); 2] = [("dawn", 0..5), ("dusk", 0..4)];

/// Measures games by number.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let (mut light, mut whole, scripts) =
        (harbour_simulator(), harbour_simulator(), Scripts::new());
    for number in 1..=u64::from(GAMES) {
        let ended = light.play(number).ended;
        let winners = ended.expect("invariant: measured games end").winners;
        let alone = scripts.play_and_return_winner(number);
        assert!(
            winners.contains(alone.as_str()),
            "game {number} is another one"
        );
    }
    let games = || 1..=u64::from(GAMES);
    let (mut next, mut again, mut alone) = (games().cycle(), games().cycle(), games().cycle());
    let number = "invariant: numbers do not end";
    let [played, recorded, bare] = fastest_nanoseconds(
        rounds.unwrap_or(ROUNDS),
        [
            Lane::of_operation(GAMES, || light.play(next.next().expect(number))),
            Lane::of_operation(GAMES, || whole.play_recorded(again.next().expect(number)).0),
            Lane::of_operation(GAMES, || {
                scripts.play_and_return_winner(alone.next().expect(number))
            }),
        ],
    );
    Section {
        title: "games without people: a village of seven that votes by chance",
        rows: vec![
            Row::rate_without_target("games on one thread", played),
            Row::time_without_target("one game", played),
            Row::time_without_target("its scripts alone", bare),
            Row::ratio_with_target(
                "a game over its scripts",
                played / bare,
                Target::AtMost(1.3),
            ),
            Row::ratio_with_target(
                "the same game with all that is kept of it",
                recorded / bare,
                Target::None,
            ),
        ],
    }
}

fn harbour_simulator() -> Simulator {
    let simulated = SimulationSetup {
        home: harbour_home(),
        ruleset: "harbour".to_owned(),
        setup: "village".to_owned(),
        seed: SEED.to_owned(),
        profiler: None,
    };
    let files = simulated.home.read_ruleset(&simulated.ruleset);
    let opened = Simulator::open(
        &simulated,
        files.expect("invariant: the harbour is there"),
        &COMMANDS,
    );
    opened.unwrap_or_else(|findings| panic!("{findings:?}"))
}

fn harbour_home() -> Home {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Home {
        mods: vec![root.join("tests/mini")],
        folder: root,
        content: None,
    }
}

/// The scripts of the same games, without sessions, commits and history.
struct Scripts {
    simulator: Simulator,
}

impl Scripts {
    fn new() -> Scripts {
        let mut simulator = harbour_simulator();
        // A played game leaves a state that the rules have equipped.
        simulator.play(1);
        Scripts { simulator }
    }

    /// Plays a game and returns the winner.
    fn play_and_return_winner(&self, number: u64) -> String {
        let engine = self.simulator.solo().session.generations().live().machine();
        let mut state = State::new(Rc::clone(self.simulator.solo().timeline().state().names()));
        engine.rules().add_declarations_to_state(&mut state);
        let stream = Stream::of_text(&format!("{SEED}/{number}"));
        let run = Run::new(state, Box::new(stream), "harbour");
        let (run, _) = script::run_setup(&engine, self.next_run(run));
        let mut run = self.next_run(run);
        let doze = ("commands", "doze", "run");
        (run, _) = script::run_command(&engine, run, doze, &Value::map::<&str>([]));
        for (plan, steps) in PLANS.iter().cycle() {
            let next = self.next_run(run);
            let ended;
            (run, ended) = script::run_steps(&engine, next, (plan, steps.clone()), &mut Nobody);
            ended.expect("invariant: measured games end");
            if let Some(winner) = winner_of_state(&run.state) {
                return winner;
            }
        }
        unreachable!("invariant: plans do not end")
    }

    /// Returns the next run of a game, with its state and its remaining dice.
    fn next_run(&self, before: Run) -> Run {
        let mut run = Run::new(before.state, before.chance, "harbour");
        run.output_left = 8 << 20;
        run
    }
}

fn winner_of_state(state: &State) -> Option<String> {
    let names = state.names();
    let winner = state.get(names.find("village")?, names.find("winner")?);
    winner.as_str().map(str::to_owned)
}

/// A watch of steps that does nothing.
struct Nobody;

impl StepWatch for Nobody {
    fn question_before_step(&self, _: usize) -> Option<Question> {
        None
    }

    fn keep_step_answer(
        &mut self,
        _: &mut State,
        _: usize,
        _: &Value,
    ) -> Result<Verdict, Box<Diagnostic>> {
        Ok(Verdict::Run)
    }

    fn next_phase_after(&self, _: &State, _: usize) -> Option<String> {
        None
    }

    fn keep_step_done(
        &mut self,
        _: &mut State,
        _: usize,
        _: Mark,
    ) -> Result<Option<Document>, Box<Diagnostic>> {
        Ok(None)
    }
}
