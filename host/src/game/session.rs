//! This module is one game while it is played: rules, state and history, and the lines that move them.
//!
//! In: lines of people. Out: replies. A line is read as a phrase; a command of the rules becomes a ruling;
//! a command of the host calls its function. Nothing here waits, prints or reads the clock.

mod bug;
mod evaluate;
mod line;
mod pointing;
mod procedure;
mod ruling;

use std::path::PathBuf;
use std::rc::Rc;

use super::command::HostCommand;
use super::disk::keeping::Kept;
use super::past::forks::Forks;
use super::past::look::Looking;
use super::record::chronicle::Looked;
use super::reply::Reply;
use super::rules::generation::{Builder, Generation};
use super::rules::generations::Generations;
use super::rules::home::{Files, Home};
use super::ruling::given::{Responders, Ruling};
use super::ruling::policy::SharedPolicy;
use super::ruling::seed::Seed;
use super::simulate::course::Streamed;
use crate::diag::Diagnostic;
use crate::script::{Compiled, Engine, EngineOptions, GM, HostPhrase, Rules};
use crate::store::{History, State};
use crate::value::{Names, Value};

pub(super) use line::bad_line;
pub(super) use procedure::Procedure;
pub(super) use ruling::{Attempt, NEW_GAME, root};

/// What a session begins with.
#[derive(Clone)]
pub struct SessionOptions {
    /// Where rules and content are.
    pub home: Home,
    /// The ruleset that is played.
    pub ruleset: String,
    /// Where dice come from.
    pub seed: Seed,
    /// How the machine for scripts is built; its names are replaced by the game's own.
    pub engine: EngineOptions,
}

/// One game while it is played.
pub struct Session {
    pub(super) options: SessionOptions,
    pub(super) commands: &'static [HostCommand],
    /// Who is there to answer beside those who are asked.
    pub(super) responders: Responders,
    /// Every generation of rules that it knows.
    pub(super) rules: Generations,
    /// The rules that the game is played under: the live ones, but for a ruling under earlier ones.
    pub(super) now: Rc<Generation>,
    /// Where the files lie that lines name; empty for paths of the program.
    pub(super) files_from: PathBuf,
    pub(super) state: State,
    pub(super) history: History,
    /// What the last evaluated text gave: `_` in the next one. No part of the game.
    pub(super) last: Value,
    /// An earlier game that somebody looks at.
    pub(super) looking: Option<Looking>,
    /// What the last line that only looked answered.
    pub(super) looked: Option<Looked>,
    /// How many lines this session took.
    pub(super) lines_taken: u64,
    /// The forks of the game.
    pub(super) forks: Forks,
    /// Where the dice of a simulated game come from.
    pub(super) streamed: Option<Streamed>,
    /// The game on disk, if it is kept.
    pub(super) kept: Option<Kept>,
}

impl Session {
    /// Starts a game: loads the rules and runs the ruleset's `setup` as its first ruling.
    ///
    /// Errors: the rules cannot be used at all, or `setup` is refused.
    pub fn start(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Session, Reply), Vec<Diagnostic>> {
        let mut session = Session::open(options, commands)?;
        let responders = session.responders.clone();
        let mut reply = session.set_up(&Ruling::live(GM, NEW_GAME, &responders));
        session.tell_new_questions(GM, &[], &mut reply);
        match reply.refusal {
            Some(refusal) => Err(session
                .findings()
                .iter()
                .cloned()
                .chain([refusal])
                .collect()),
            None => Ok((session, reply)),
        }
    }

    /// Loads the rules into a game without a past.
    ///
    /// Errors: the ruleset or the library cannot be used.
    pub fn open(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<Session, Vec<Diagnostic>> {
        let files = options.home.read(&options.ruleset);
        let files = files.map_err(|finding| vec![finding])?;
        Session::of_files(options, commands, files, Rc::default())
    }

    /// Loads rules that were read into a game without a past. Errors: those of [`Session::open`].
    pub(super) fn of_files(
        mut options: SessionOptions,
        commands: &'static [HostCommand],
        files: Files,
        names: Rc<Names>,
    ) -> Result<Session, Vec<Diagnostic>> {
        options.engine.names = Rc::clone(&names);
        let builder = Builder::new(&options.engine, Rc::clone(&names), phrases(commands));
        let builder = Rc::new(builder);
        let live = Generation::build(&builder, files, Compiled::default())?;
        if live.rules().ruleset.is_nil() {
            return Err(live.findings().to_vec());
        }
        let rules = Generations::new(builder, live);
        let now = Rc::clone(rules.live());
        let mut state = State::new(names);
        now.equip(&mut state);
        let history = History::new(&state);
        Ok(Session {
            options,
            commands,
            responders: Responders::default(),
            rules,
            now,
            files_from: PathBuf::new(),
            state,
            history,
            last: Value::Nil,
            looking: None,
            looked: None,
            lines_taken: 0,
            forks: Forks::default(),
            streamed: None,
            kept: None,
        })
    }

    /// Goes on with a game from the canonical bytes of a state; `next_slot` is the slot of its next ruling.
    ///
    /// Errors: those of [`Session::open`], and bytes that are no state.
    pub fn going_on(
        options: SessionOptions,
        commands: &'static [HostCommand],
        (bytes, next_slot): (&[u8], u64),
    ) -> Result<Session, Vec<Diagnostic>> {
        let mut session = Session::open(options, commands)?;
        session.continue_from(bytes, next_slot)?;
        Ok(session)
    }

    /// Makes the state of canonical bytes the one of the game. Errors: they are no state.
    pub(super) fn continue_from(
        &mut self,
        bytes: &[u8],
        next_slot: u64,
    ) -> Result<(), Vec<Diagnostic>> {
        let state = State::from_bytes(bytes, Rc::clone(self.state.names()));
        self.state = state.map_err(|error| vec![error.to_diagnostic()])?;
        self.now.equip(&mut self.state);
        self.history = History::going_on(&self.state, next_slot);
        Ok(())
    }

    /// Lets something answer all questions at once from now on; without one, people are asked.
    pub fn set_policy(&mut self, policy: Option<SharedPolicy>) {
        self.responders.policy = policy;
    }

    /// Says that nobody is there to ask when a rule breaks: its command is refused at once.
    pub fn leave_unattended(&mut self) {
        self.responders.attended = false;
    }

    /// Returns who is there to answer beside those who are asked.
    pub fn responders(&self) -> &Responders {
        &self.responders
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the rules that are live.
    pub fn rules(&self) -> Rc<Rules> {
        self.now.rules()
    }

    /// Returns the machine that runs the scripts.
    pub fn engine(&self) -> Rc<Engine> {
        self.now.machine()
    }

    /// Returns the commands that the host has in every game.
    pub fn host_commands(&self) -> &'static [HostCommand] {
        self.commands
    }

    /// Returns the findings of the rules that are live, without notes.
    pub fn findings(&self) -> &[Diagnostic] {
        self.rules.live().findings()
    }

    /// Returns the findings of the newer rules that were not taken; empty when the live rules are the newest.
    pub fn stale(&self) -> &[Diagnostic] {
        self.rules.rejected()
    }

    /// Returns the options it began with.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }
}

/// Returns the phrases of the host's commands, as machines know them.
pub(super) fn phrases(commands: &[HostCommand]) -> Vec<HostPhrase> {
    let syntax = |command: &HostCommand| command.syntax.iter().map(|line| (*line).to_owned());
    let phrase = |command: &HostCommand| HostPhrase {
        id: command.id.to_owned(),
        syntax: syntax(command).collect(),
    };
    commands.iter().map(phrase).collect()
}
