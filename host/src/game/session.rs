//! This module is one game while it is played: its line and its forks, the rules that can be named, and the folder it is
//! kept in.
//!
//! In: lines of clients. Out: replies. Nothing here waits, prints or reads the clock.

mod bug;
mod client;
mod evaluate;
mod line;
mod pointing;
mod procedure;
mod ruling;
mod submit;

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::rc::Rc;

use super::caller::Caller;
use super::command::HostCommand;
use super::disk::keeping::Kept;
use super::past::forks::Fork;
use super::past::replay::Verified;
use super::reply::Reply;
use super::rules::generation::{Builder, Generation};
use super::rules::generations::Generations;
use super::rules::home::{Files, Home};
use super::ruling::given::{Responders, Ruling};
use super::ruling::policy::SharedPolicy;
use super::ruling::seed::Seed;
use super::timeline::dice::Dice;
use super::timeline::{Settings, Timeline};
use crate::diag::Diagnostic;
use crate::script::{Compiled, Engine, EngineOptions, GM, HostPhrase};
use crate::value::Names;

pub use client::{At, Client};
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
    /// Where its rules and content are.
    pub(super) home: Home,
    /// The game itself.
    pub(super) main: Timeline,
    pub(super) forks: BTreeMap<String, Fork>,
    /// Every generation of rules that it knows.
    pub(super) generations: Generations,
    /// The folder that the game itself is kept in, if it is.
    pub(super) disk: Option<Kept>,
    /// Who is there to answer beside those who are asked.
    pub(super) responders: Responders,
    /// Whoever gives the lines.
    pub(super) client: Client,
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
        let mut reply = session.set_up_game();
        session.main.tell_new_questions(GM, &[], &mut reply);
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
        options: SessionOptions,
        commands: &'static [HostCommand],
        files: Files,
        names: Rc<Names>,
    ) -> Result<Session, Vec<Diagnostic>> {
        let (main, generations) = opened(&options, commands, files, names)?;
        Ok(Session {
            home: options.home,
            main,
            forks: BTreeMap::new(),
            generations,
            disk: None,
            responders: Responders::default(),
            client: Client::default(),
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
        let main = self.main.of_bytes(bytes, next_slot);
        self.main = main.map_err(|error| vec![error.to_diagnostic()])?;
        Ok(())
    }

    /// Does something with the line that the client plays, as a line of somebody does, but for what follows one by itself.
    pub fn as_line<R>(
        &mut self,
        (by, line): (&str, &str),
        body: impl FnOnce(&mut Timeline, &Ruling<'_>) -> R,
    ) -> R {
        let (timeline, disk) = match self
            .client
            .at
            .fork()
            .and_then(|name| self.forks.get_mut(name))
        {
            Some(fork) => (&mut fork.timeline, fork.kept.as_ref()),
            None => (&mut self.main, self.disk.as_ref()),
        };
        let caller = Caller {
            responders: &self.responders,
            generations: &self.generations,
            disk,
            client: &self.client,
        };
        body(timeline, &Ruling::live(by, line, &caller))
    }

    /// Runs the ruleset's `setup` in the game itself.
    pub(super) fn set_up_game(&mut self) -> Reply {
        self.as_line((GM, NEW_GAME), |timeline, ruling| timeline.set_up(ruling))
    }

    /// Runs an operation again from its recorded inputs and compares all that it did.
    pub fn verified(&mut self, number: u64) -> Verified {
        self.as_line((GM, ""), |timeline, ruling| {
            timeline.verified(ruling.caller, number)
        })
    }

    /// Lets something answer all questions at once from now on; without one, people are asked.
    pub fn set_policy(&mut self, policy: Option<SharedPolicy>) {
        self.responders.policy = policy;
    }

    /// Says that nobody is there to ask when a rule breaks: its command is refused at once.
    pub fn leave_unattended(&mut self) {
        self.responders.attended = false;
    }

    /// Lets the files that lines name lie in a folder; without one they are paths of the program.
    pub fn read_files_from(&mut self, folder: impl Into<PathBuf>) {
        self.client.read_files_from(folder);
    }

    /// Returns who is there to answer beside those who are asked.
    pub fn responders(&self) -> &Responders {
        &self.responders
    }

    /// Returns the machine that runs the scripts.
    pub fn engine(&self) -> Rc<Engine> {
        self.generation().machine()
    }

    /// Returns the findings of the rules that are live, without notes.
    pub fn findings(&self) -> &[Diagnostic] {
        self.generations.live().findings()
    }

    /// Returns the findings of the newer rules that were not taken; empty when the live rules are the newest.
    pub fn stale(&self) -> &[Diagnostic] {
        self.generations.rejected()
    }

    /// Returns what a session like this begins with.
    pub fn options(&self) -> SessionOptions {
        SessionOptions {
            home: self.home.clone(),
            ruleset: self.main.game.ruleset.clone(),
            seed: self.main.dice.seed.clone(),
            engine: self.generations.engine_options().clone(),
        }
    }
}

/// The line that the client plays: the game itself, or a fork.
impl Deref for Session {
    type Target = Timeline;

    fn deref(&self) -> &Timeline {
        let fork = self.client.at.fork().and_then(|name| self.forks.get(name));
        fork.map_or(&self.main, |fork| &fork.timeline)
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Timeline {
        let fork = self
            .client
            .at
            .fork()
            .and_then(|name| self.forks.get_mut(name));
        fork.map_or(&mut self.main, |fork| &mut fork.timeline)
    }
}

/// Loads rules that were read into a game without a past, and returns what can be named of them.
///
/// Errors: the ruleset or the library cannot be used.
pub(super) fn opened(
    options: &SessionOptions,
    commands: &'static [HostCommand],
    files: Files,
    names: Rc<Names>,
) -> Result<(Timeline, Generations), Vec<Diagnostic>> {
    let builder = Rc::new(Builder::new(&options.engine, names, phrases(commands)));
    let live = Generation::build(&builder, files, Compiled::default())?;
    if live.rules().ruleset.is_nil() {
        return Err(live.findings().to_vec());
    }
    let generations = Generations::new(builder, live);
    let settings = Settings {
        ruleset: options.ruleset.clone(),
        commands,
    };
    let dice = Dice::of_seed(options.seed.clone());
    let timeline = Timeline::new(Rc::new(settings), Rc::clone(generations.live()), dice);
    Ok((timeline, generations))
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
