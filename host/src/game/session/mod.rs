//! One game while it is played: its main line and its forks, the rules that can be named, and its folder.
//!
//! In: lines of clients. Out: replies. Nothing here waits, prints or reads the clock.

mod drawn_line;
pub(crate) mod forks;
mod line_submission;
mod lookahead;
mod panic;
mod past_view;
pub(in crate::game) mod persistence;
pub(in crate::game) mod reload;
pub(in crate::game) mod script_rewrite;
mod solo;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::answer::new_questions::show_new_questions;
use crate::game::attempt::ruling_run::{NEW_GAME, run_setup_ruling};
use crate::game::rules::generations::Generations;
use crate::game::rules::home::{Files, Home};
use crate::game::ruling::caller::Caller;
use crate::game::ruling::client::{Client, ClientPosition};
use crate::game::ruling::host_command::{HostCommand, words_of_host_commands};
use crate::game::ruling::ruling_context::{Responders, Ruling};
use crate::game::session::forks::Fork;
use crate::game::timeline::Timeline;
use crate::game::timeline::dice::Dice;
use crate::game::timeline::game_on_disk::GameOnDisk;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::timeline_start::{SessionOptions, open_timeline};
use crate::script::GM;
use crate::store::Next;
use crate::value::Names;

pub use solo::Solo;

/// The values that a program gives to a session.
pub(super) struct Program {
    /// The source of rules and content.
    pub(super) home: Home,
    /// The commands of the host.
    pub(super) commands: &'static [HostCommand],
}

/// One game while it is played.
pub struct Session {
    /// The values that the program gives to it.
    pub(super) program: Program,
    /// The game itself.
    pub(super) main: Timeline,
    pub(super) forks: BTreeMap<String, Fork>,
    /// All generations of rules that it can use.
    pub(super) generations: Generations,
    /// The folder in which the game itself is stored, if there is one.
    pub(super) disk: Option<GameOnDisk>,
    /// The responders besides the people who are asked.
    pub(super) responders: Responders,
}

impl Session {
    /// Starts a game: loads the rules and runs the ruleset's `setup` as its first ruling.
    ///
    /// Errors: the rules cannot be used, or `setup` is refused.
    pub fn start(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Session, Reply), Vec<Diagnostic>> {
        Session::open(options, commands)?.run_setup_or_fail()
    }

    /// Starts a game as [`Session::start`] does, under rules that were already read. Errors: the errors of `start`.
    pub fn start_under(
        files: Files,
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Session, Reply), Vec<Diagnostic>> {
        Session::of_files(options, commands, files, Rc::default())?.run_setup_or_fail()
    }

    /// Runs the ruleset's `setup`. Errors: the setup is refused.
    fn run_setup_or_fail(mut self) -> Result<(Session, Reply), Vec<Diagnostic>> {
        let mut reply = self.set_up_game();
        show_new_questions(&self.main, GM, &[], &mut reply);
        match reply.refusal {
            Some(refusal) => Err(self
                .generations
                .live()
                .findings()
                .iter()
                .cloned()
                .chain([refusal])
                .collect()),
            None => Ok((self, reply)),
        }
    }

    /// Loads the rules into a game without a past.
    ///
    /// Errors: the ruleset or the library cannot be used.
    pub fn open(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<Session, Vec<Diagnostic>> {
        let files = options.home.read_ruleset(&options.ruleset);
        let files = files.map_err(|finding| vec![finding])?;
        Session::of_files(options, commands, files, Rc::default())
    }

    /// Loads rules that were already read into a game without a past. Errors: the errors of [`Session::open`].
    pub(super) fn of_files(
        options: SessionOptions,
        commands: &'static [HostCommand],
        files: Files,
        names: Rc<Names>,
    ) -> Result<Session, Vec<Diagnostic>> {
        let (main, generations) =
            open_timeline(&options, words_of_host_commands(commands), files, names)?;
        Ok(Session {
            program: Program {
                home: options.home,
                commands,
            },
            main,
            forks: BTreeMap::new(),
            generations,
            disk: None,
            responders: Responders::default(),
        })
    }

    /// Continues a game from the canonical bytes of a state, with the numbers of its next ruling.
    ///
    /// Errors: the errors of [`Session::open`], and bytes that are not a state.
    pub fn from_state_bytes(
        options: SessionOptions,
        commands: &'static [HostCommand],
        (bytes, next): (&[u8], Next),
    ) -> Result<Session, Vec<Diagnostic>> {
        let mut session = Session::open(options, commands)?;
        session.continue_from_bytes(bytes, next)?;
        Ok(session)
    }

    /// Replaces the state of the game by the state in canonical bytes. Errors: they are not a state.
    pub(super) fn continue_from_bytes(
        &mut self,
        bytes: &[u8],
        next: Next,
    ) -> Result<(), Vec<Diagnostic>> {
        let main = self.main.continued_from_bytes(bytes, next);
        self.main = main.map_err(|error| vec![error.to_diagnostic()])?;
        Ok(())
    }

    /// Begins the game again under the same rules, with other dice; nothing of the old game stays.
    pub fn restart(&mut self, seed: Seed) -> Reply {
        self.restore_unedited_scripts();
        let (settings, live) = (
            Rc::clone(&self.main.game),
            Rc::clone(self.generations.live()),
        );
        let dice = Dice {
            seed,
            ..self.main.dice.clone()
        };
        self.main = Timeline::without_past(settings, live, dice);
        self.forks.clear();
        self.set_up_game()
    }

    /// Runs a function on the line of the game at a client's position, as a line of the client would run, but without
    /// automatic follow-ups.
    pub fn run_as_line<R>(
        &mut self,
        client: &Client,
        line: &str,
        body: impl FnOnce(&mut Timeline, &Ruling<'_>) -> R,
    ) -> R {
        let stand = self.play_context_at(client.at());
        let caller = Caller {
            commands: stand.commands,
            responders: stand.responders,
            generations: stand.generations,
            disk: stand.disk.as_ref(),
            client,
        };
        body(stand.timeline, &Ruling::live(client.seat(), line, &caller))
    }

    /// Runs the ruleset's `setup` in the game itself.
    pub(super) fn set_up_game(&mut self) -> Reply {
        self.run_as_line(&Client::default(), NEW_GAME, |timeline, ruling| {
            run_setup_ruling(timeline, ruling)
        })
    }

    /// Returns the line of the game at a position, or the line whose past is viewed there. For a fork that was dropped,
    /// returns the game itself; the client's next line reports the drop.
    pub fn timeline_at(&self, at: &ClientPosition) -> &Timeline {
        let fork = at.fork().and_then(|name| self.forks.get(name));
        fork.map_or(&self.main, |fork| &fork.timeline)
    }

    /// Returns the line of the game at a position, mutable.
    pub(in crate::game) fn timeline_mut_at(&mut self, at: &ClientPosition) -> &mut Timeline {
        self.play_context_at(at).timeline
    }

    /// Returns the folder of the line of the game at a position, if it is stored in one.
    pub fn disk_at(&self, at: &ClientPosition) -> Option<&GameOnDisk> {
        let fork = at.fork().and_then(|name| self.forks.get(name));
        fork.map_or(self.disk.as_ref(), |fork| fork.kept.as_ref())
    }

    /// Returns the folder of the line of the game at a position, mutable.
    pub fn disk_mut_at(&mut self, at: &ClientPosition) -> Option<&mut GameOnDisk> {
        self.play_context_at(at).disk.as_mut()
    }

    /// Returns the responders besides the people who are asked.
    pub fn responders(&self) -> &Responders {
        &self.responders
    }

    /// Returns the responders besides the people who are asked, mutable.
    pub fn responders_mut(&mut self) -> &mut Responders {
        &mut self.responders
    }

    /// Returns all generations of rules that can be named.
    pub fn generations(&self) -> &Generations {
        &self.generations
    }

    /// Returns the options with which a session like this begins.
    pub fn options(&self) -> SessionOptions {
        SessionOptions {
            home: self.program.home.clone(),
            ruleset: self.main.game.ruleset.clone(),
            seed: self.main.dice.seed.clone(),
            engine: self.generations.engine_options().clone(),
        }
    }
}
