//! A session with one client, as used by a terminal, a script or a transcript.

use std::path::Path;

use crate::diag::Diagnostic;
use crate::game::past::replay::{ReplayComparison, verify_operation};
use crate::game::rules::home::Files;
use crate::game::ruling::client::Client;
use crate::game::ruling::host_command::HostCommand;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::session::Session;
use crate::game::session::persistence::{GameLocation, SaveOptions};
use crate::game::timeline::Timeline;
use crate::game::timeline::game_on_disk::GameOnDisk;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::timeline_start::SessionOptions;
use crate::script::GM;
use crate::store::archive::ReadOnly;

/// A session with one client that acts for one seat after the other.
pub struct Solo {
    /// The session that is played.
    pub session: Session,
    /// The client that plays it.
    pub client: Client,
}

impl From<Session> for Solo {
    /// Returns a session with a client at the game itself, in the seat of the game master.
    fn from(session: Session) -> Solo {
        Solo {
            session,
            client: Client::default(),
        }
    }
}

impl Solo {
    /// Starts a game, as [`Session::start`] does. Errors: the errors of `start`.
    pub fn start(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Solo, Reply), Vec<Diagnostic>> {
        let (session, reply) = Session::start(options, commands)?;
        Ok((session.into(), reply))
    }

    /// Starts a game under rules that were already read, as [`Session::start_under`] does. Errors: the errors of
    /// `start_under`.
    pub fn start_under(
        files: Files,
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Solo, Reply), Vec<Diagnostic>> {
        let (session, reply) = Session::start_under(files, options, commands)?;
        Ok((session.into(), reply))
    }

    /// Opens a stored game, as [`Session::reopen`] does. Errors: the errors of `reopen`.
    pub fn reopen(
        place: GameLocation<'_>,
        keeping: SaveOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Solo, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (session, notes) = Session::reopen(place, keeping, commands)?;
        Ok((session.into(), notes))
    }

    /// Takes one line of a seat, whose name may be in any case.
    pub fn submit(&mut self, by: &str, line: &str) -> Reply {
        self.client.change_seat(by);
        self.session.submit(&mut self.client, line)
    }

    /// Runs a function on the line of the game that is played, as a line of a seat would run, but without automatic
    /// follow-ups.
    pub fn run_as_line<R>(
        &mut self,
        (by, line): (&str, &str),
        body: impl FnOnce(&mut Timeline, &Ruling<'_>) -> R,
    ) -> R {
        self.client.change_seat(by);
        self.session.run_as_line(&self.client, line, body)
    }

    /// Returns the line of the game that is played: the game itself, or a fork.
    pub fn timeline(&self) -> &Timeline {
        self.session.timeline_at(self.client.at())
    }

    /// Returns the line of the game that is played, mutable.
    pub fn timeline_mut(&mut self) -> &mut Timeline {
        self.session.timeline_mut_at(self.client.at())
    }

    /// Begins the game again under the same rules, with other dice; nothing of the old game stays.
    pub fn restart(&mut self, seed: Seed) -> Reply {
        self.client.return_to_main_line();
        self.session.restart(seed)
    }

    /// Runs an operation again from its recorded inputs and compares all its results.
    pub fn verify_operation(&mut self, number: u64) -> ReplayComparison {
        self.run_as_line((GM, ""), |timeline, ruling| {
            verify_operation(timeline, ruling.caller, number)
        })
    }

    /// Makes a folder for the line and stores it there from now on, with everything that has happened so far.
    ///
    /// Errors: the errors of making the folder and of writing; then there is no folder.
    pub fn save_in_folder(
        &mut self,
        folder: &Path,
        keeping: SaveOptions,
    ) -> Result<(), Box<Diagnostic>> {
        self.session
            .save_in_folder(self.client.at(), folder, keeping)
    }

    /// Returns the folder in which the line is stored, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.session
            .disk_at(self.client.at())
            .map(GameOnDisk::folder)
    }

    /// Returns why nothing can be changed, if the line is open for reading only.
    pub fn read_only(&self) -> Option<&ReadOnly> {
        self.session
            .disk_at(self.client.at())
            .and_then(GameOnDisk::read_only)
    }

    /// Returns the line on disk. Errors: it is not stored.
    pub fn game_on_disk(&mut self) -> Result<&mut GameOnDisk, Box<Diagnostic>> {
        let kept = self.session.disk_mut_at(self.client.at());
        kept.ok_or_else(|| {
            let finding = Diagnostic::error("save/not-kept", "the game is not saved in a folder");
            Box::new(finding.hint("`save FOLDER` saves it from now on"))
        })
    }

    /// Writes everything to disk that is not there yet. Errors: the disk refuses it.
    pub fn flush(&mut self) -> Result<(), Box<Diagnostic>> {
        let kept = self.session.disk_mut_at(self.client.at());
        kept.map_or(Ok(()), GameOnDisk::flush)
    }
}
