//! This module is one game while it is played: its line and its forks, the rules that can be named, and the folder it is
//! kept in.
//!
//! In: lines of clients. Out: replies. Nothing here waits, prints or reads the clock.

mod bug;
mod client;
pub(in crate::game) mod evaluate;
pub(in crate::game) mod line;
mod pointing;
mod procedure;
pub(in crate::game) mod ruling;
mod solo;
mod submit;

use crate::game::session::ruling::set_up;
use crate::game::waiting::new_questions::tell_new_questions;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::caller::Caller;
use super::command::HostCommand;
use super::disk::keeping::Kept;
use super::past::forks::Fork;
use super::reply::Reply;
use super::rules::generation::{Builder, Generation};
use super::rules::generations::Generations;
use super::rules::home::{Files, Home};
use super::ruling::given::{Responders, Ruling};
use super::ruling::seed::Seed;
use super::timeline::dice::Dice;
use super::timeline::{Settings, Timeline};
use crate::diag::Diagnostic;
use crate::script::{Compiled, EngineOptions, GM, HostPhrase};
use crate::value::Names;

pub use client::{At, Client};
pub(super) use line::bad_line;
pub(super) use procedure::Procedure;
pub(super) use ruling::{Attempt, NEW_GAME, root};
pub use solo::Solo;

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
        tell_new_questions(&session.main, GM, &[], &mut reply);
        match reply.refusal {
            Some(refusal) => Err(session
                .generations
                .live()
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

    /// Begins the game anew under the same rules, with other dice; nothing of the old one stays.
    pub fn restart(&mut self, seed: Seed) -> Reply {
        self.written_back();
        let (settings, live) = (
            Rc::clone(&self.main.game),
            Rc::clone(self.generations.live()),
        );
        let dice = Dice {
            seed,
            ..self.main.dice.clone()
        };
        self.main = Timeline::new(settings, live, dice);
        self.forks.clear();
        self.set_up_game()
    }

    /// Does something with the line of the game where a client stands, as a line of it does, but for what follows one by
    /// itself.
    pub fn as_line<R>(
        &mut self,
        client: &Client,
        line: &str,
        body: impl FnOnce(&mut Timeline, &Ruling<'_>) -> R,
    ) -> R {
        let stand = self.stand(client.at());
        let caller = Caller {
            responders: stand.responders,
            generations: stand.generations,
            disk: stand.disk.as_ref(),
            client,
        };
        body(stand.timeline, &Ruling::live(client.seat(), line, &caller))
    }

    /// Runs the ruleset's `setup` in the game itself.
    pub(super) fn set_up_game(&mut self) -> Reply {
        self.as_line(&Client::default(), NEW_GAME, |timeline, ruling| {
            set_up(timeline, ruling)
        })
    }

    /// Returns the line of the game where somebody stands, or whose past they look at.
    pub fn timeline(&self, at: &At) -> &Timeline {
        let fork = at.fork().and_then(|name| self.forks.get(name));
        fork.map_or(&self.main, |fork| &fork.timeline)
    }

    /// The same, to be changed.
    pub(super) fn timeline_mut(&mut self, at: &At) -> &mut Timeline {
        self.stand(at).timeline
    }

    /// Returns the folder of the line of the game where somebody stands, if it is kept in one.
    pub fn disk(&self, at: &At) -> Option<&Kept> {
        let fork = at.fork().and_then(|name| self.forks.get(name));
        fork.map_or(self.disk.as_ref(), |fork| fork.kept.as_ref())
    }

    /// The same, to be written to.
    pub fn disk_mut(&mut self, at: &At) -> Option<&mut Kept> {
        self.stand(at).disk.as_mut()
    }

    /// Returns who is there to answer beside those who are asked.
    pub fn responders(&self) -> &Responders {
        &self.responders
    }

    /// The same, to let others answer from now on.
    pub fn responders_mut(&mut self) -> &mut Responders {
        &mut self.responders
    }

    /// Returns every generation of rules that can be named.
    pub fn generations(&self) -> &Generations {
        &self.generations
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
