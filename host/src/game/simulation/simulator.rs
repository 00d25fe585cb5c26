//! Plays whole games, one number after the other, on one machine.
//!
//! In: the files of a ruleset, a setup, a seed. Out: how each game ended. A game is the same for every player and after
//! any earlier games. Its dice come from the stream of the seed and the game's number, and the clock is off. If memory
//! runs short, the game is tried again on a fresh machine.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::answer::deadlines::answer_without_people;
use crate::game::command::dispatch::dispatch_line;
use crate::game::past::replay::ReplayComparison;
use crate::game::question::open_questions::open_questions;
use crate::game::rules::home::{Files, Home};
use crate::game::ruling::client::Client;
use crate::game::ruling::host_command::HostCommand;
use crate::game::ruling::policy::{AnyChoice, Defaults, SharedPolicy};
use crate::game::session::{Session, Solo};
use crate::game::simulation::game_course::ending_by_ruleset;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::stream::{SharedStream, Stream};
use crate::game::timeline::timeline_start::SessionOptions;
use crate::script::{
    Answers, Ending, EngineOptions, Limit, Limits, Profiler, Simulation, TryCounts,
    commands_that_begin_simulated_game, simulation_settings,
};
use crate::store::{Next, State, StateHash};

/// The setup of a simulation: plain data, the same for every thread.
#[derive(Clone, Debug)]
pub struct SimulationSetup {
    /// The source of the files.
    pub home: Home,
    /// The ruleset.
    pub ruleset: String,
    /// The setup of every game.
    pub setup: String,
    /// The text from which all dice are computed.
    pub seed: String,
    /// The profiler of processor time.
    pub profiler: Option<Profiler>,
}

/// The player of games by number.
pub struct Simulator {
    solo: Solo,
    simulation: Simulation,
    /// The lines that begin a game.
    lines: Vec<String>,
    seed: String,
    /// The state after the setup and the next ruling numbers, if the setup used no chance.
    set_up: Option<(State, Next)>,
}

/// How a game was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its end. Errors: the reason why it stopped before its end.
    pub ended: Result<Ending, Diagnostic>,
    /// The actions that its rules tried.
    pub tried: TryCounts,
    /// The hash of its last state.
    pub state: StateHash,
}

/// The reason why no game is played.
#[derive(Clone, Debug)]
pub enum SimulatorError {
    /// The rules cannot be used.
    Rules(Vec<Diagnostic>),
    /// The rules define no simulations, have no such setup, or fail when they are asked.
    Begin(Box<Diagnostic>),
}

impl From<Diagnostic> for SimulatorError {
    fn from(refusal: Diagnostic) -> SimulatorError {
        SimulatorError::Begin(Box::new(refusal))
    }
}

impl Simulator {
    /// Loads the rules and asks them how a game of the setup begins.
    ///
    /// Errors: the rules cannot be used; they define no simulations, or have no such setup.
    pub fn open(
        simulated: &SimulationSetup,
        files: Files,
        commands: &'static [HostCommand],
    ) -> Result<Simulator, SimulatorError> {
        let engine = EngineOptions {
            limits: Limits {
                time_callback: None,
                time_command: None,
                ..Limits::default()
            },
            profiler: simulated.profiler.clone(),
            ..EngineOptions::default()
        };
        let options = SessionOptions {
            home: simulated.home.clone(),
            ruleset: simulated.ruleset.clone(),
            seed: Seed::from_text(&simulated.seed),
            engine,
        };
        let session = Session::of_files(options, commands, files, Rc::default());
        let mut solo = Solo::from(session.map_err(SimulatorError::Rules)?);
        solo.session.responders.attended = false;
        let machine = solo.timeline().generation().machine();
        let simulation = simulation_settings(&machine)?;
        let begins =
            commands_that_begin_simulated_game(&machine, &solo.timeline().state, &simulated.setup);
        Ok(Simulator {
            lines: begins?,
            simulation,
            solo,
            seed: simulated.seed.clone(),
            set_up: None,
        })
    }

    /// Returns the findings of the rules.
    pub fn findings(&self) -> &[Diagnostic] {
        self.solo.session.generations.live().findings()
    }

    /// Returns the session that plays, in its state after the last game.
    pub fn solo(&self) -> &Solo {
        &self.solo
    }

    /// Plays a game by its number.
    pub fn play(&mut self, number: u64) -> PlayedGame {
        let played = self.play_game(number, false);
        match &played.ended {
            Err(finding) if finding.code == Limit::Memory.code() => {
                self.solo.timeline().generation().rebuild_machine();
                self.play_game(number, false)
            }
            _ => played,
        }
    }

    /// Plays a game as any session does, fully recorded, and returns the session.
    ///
    /// Its last state equals the last state of [`Simulator::play`].
    pub fn play_recorded(&mut self, number: u64) -> (PlayedGame, &mut Solo) {
        let played = self.play_game(number, true);
        (played, &mut self.solo)
    }

    /// Plays the beginning of a game, until the line of the ruleset was given `lines` times, and returns the hash of
    /// its state.
    ///
    /// Errors: the reason why it stopped before.
    #[cfg(feature = "measure")]
    pub fn play_part(&mut self, number: u64, lines: u32) -> Result<StateHash, Diagnostic> {
        let begun = self.begin_game(number, false);
        let given = begun.and_then(|()| {
            (0..lines).try_for_each(|_| give_gm_line(&mut self.solo, &self.simulation.line))
        });
        self.solo.session.responders.policy = None;
        self.solo
            .timeline()
            .generation()
            .machine()
            .switch_counting_and_take_tries(false);
        given.map(|()| self.solo.timeline().state.hash())
    }

    /// Plays a game again, recorded, and runs each of its rulings once more from the recorded inputs alone. Returns the
    /// difference from the first play.
    pub fn replay_difference(&mut self, number: u64, first: &PlayedGame) -> Option<String> {
        let (again, solo) = self.play_recorded(number);
        let code = |played: &PlayedGame| played.ended.as_ref().err().map(|one| one.code.clone());
        if code(&again) != code(first) || again.ended.as_ref().ok() != first.ended.as_ref().ok() {
            return Some("how the game ends".to_owned());
        }
        if again.state != first.state {
            return Some("the last state".to_owned());
        }
        let count = solo.timeline().history.operations().len() as u64;
        (1..=count).find_map(|operation| match solo.verify_operation(operation) {
            ReplayComparison::Differs(what) => Some(format!("in log line {operation} {what}")),
            ReplayComparison::Same | ReplayComparison::NotRun => None,
        })
    }

    fn play_game(&mut self, number: u64, is_noted: bool) -> PlayedGame {
        let ended = self
            .begin_game(number, is_noted)
            .and_then(|()| self.play_to_end());
        self.solo.session.responders.policy = None;
        let machine = self.solo.timeline().generation().machine();
        PlayedGame {
            ended,
            tried: machine.switch_counting_and_take_tries(false),
            state: self.solo.timeline().state.hash(),
        }
    }

    /// Begins a game: its setup, then the lines of the ruleset.
    fn begin_game(&mut self, number: u64, is_noted: bool) -> Result<(), Diagnostic> {
        let stream = SharedStream::new(Stream::of_text(&format!("{}/{number}", self.seed)));
        let session = &mut self.solo.session;
        session.main.dice.draw_from_stream(stream.clone(), is_noted);
        session.responders.policy = policy_for_answers(
            self.simulation.answers,
            &format!("{}/{number}/answers", self.seed),
        );
        match &self.set_up {
            Some((state, next)) if !is_noted => {
                session.main = session
                    .main
                    .beginning_with_state(state.fork(), next.clone());
            }
            Some(_) | None => {
                let seed = session.main.dice.seed.clone();
                let begun = session.catch_panic(|session| session.restart(seed))?;
                check_reply_lets_game_continue(&session.main, begun)?;
                if !is_noted && !stream.is_used() {
                    self.set_up = Some((
                        session.main.state.fork(),
                        session.main.history.next_numbers(),
                    ));
                }
            }
        }
        let machine = self.solo.timeline().generation().machine();
        machine.switch_counting_and_take_tries(true);
        self.lines
            .iter()
            .try_for_each(|line| give_gm_line(&mut self.solo, line))
    }

    /// Gives the line of the ruleset repeatedly until the game is over.
    fn play_to_end(&mut self) -> Result<Ending, Diagnostic> {
        let Simulation { line, most, .. } = &self.simulation;
        for turn in 0..=*most {
            if turn > 0 {
                give_gm_line(&mut self.solo, line)?;
            }
            if let Some(ending) = ending_by_ruleset(self.solo.timeline())? {
                return Ok(ending);
            }
        }
        let often = match most {
            1 => "once".to_owned(),
            many => format!("{many} times"),
        };
        let message = format!("the game did not end after \"{line}\" was given {often}");
        Err(Diagnostic::error("simulate/endless", message)
            .hint("`most` of `simulation` sets how often the line is given at most"))
    }
}

/// Gives a line of the game master. Errors: the reason why the game stops.
fn give_gm_line(solo: &mut Solo, line: &str) -> Result<(), Diagnostic> {
    let reply = solo.session.catch_panic(|session| {
        session.run_as_line(&Client::default(), line, |timeline, ruling| {
            let before = timeline.history.operations().len();
            let reply = dispatch_line(timeline, ruling);
            answer_without_people(timeline, ruling.caller, reply, before)
        })
    })?;
    check_reply_lets_game_continue(solo.timeline(), reply)
}

/// Checks that a reply does not stop the game. Errors: a refusal, an automatic answer on which a script failed, or a
/// question that is not answered.
fn check_reply_lets_game_continue(timeline: &Timeline, reply: Reply) -> Result<(), Diagnostic> {
    let mut broken = reply.findings.into_iter();
    let broken = broken.find(|found| found.is_error() && is_script_error(found));
    if let Some(finding) = reply.refusal.or(broken) {
        return Err(finding);
    }
    let Some(ruling_number) = reply.waits else {
        return Ok(());
    };
    let open = open_questions(timeline).into_iter();
    let asked = open
        .filter(|one| one.is_of_ruling(ruling_number))
        .map(|one| one.question);
    let asked: Vec<String> = asked
        .map(|one| format!("{} is asked \"{}\"", one.to, one.key))
        .collect();
    let message = format!("a ruling is waiting for people: {}", asked.join(", "));
    Err(Diagnostic::error("simulate/waits", message)
        .hint("set answers = \"any\" or \"default\" in `simulation` to get automatic answers, or let the rules \
               answer"))
}

/// Returns whether a finding is an error of a script or of the host, and not a rule's refusal.
fn is_script_error(found: &Diagnostic) -> bool {
    ["script", "limit", "host"].contains(&found.code_area())
}

fn policy_for_answers(answers: Option<Answers>, seed: &str) -> Option<SharedPolicy> {
    Some(match answers? {
        Answers::Any => SharedPolicy::new(AnyChoice::of(Stream::of_text(seed))),
        Answers::Default => SharedPolicy::new(Defaults),
    })
}
