//! The folder in which a line of the game is stored.

use std::path::Path;

use crate::diag::Diagnostic;
use crate::store::archive;
use crate::store::archive::{Ahead, Game, Packed, ReadOnly, Sink};

/// What the clock says, for people.
pub type Clock = Box<dyn Fn() -> String>;

/// A game on disk and what is written to it beside the operations.
pub struct GameOnDisk {
    pub(in crate::game) game: Game,
    pub(in crate::game) clock: Clock,
}

impl GameOnDisk {
    /// Returns the folder of the game.
    pub fn folder(&self) -> &Path {
        self.game.folder()
    }

    /// Returns why nothing can be changed, if the game is open for reading only.
    pub fn read_only(&self) -> Option<&ReadOnly> {
        self.game.read_only()
    }

    /// Writes everything to the disk that is not there yet. Errors: the disk does not take it.
    pub fn flush(&mut self) -> Result<(), Box<Diagnostic>> {
        let flushed = self.game.flush();
        flushed.map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Writes the journal of the game through something else: how tests meet a disk that fails.
    ///
    /// Errors: the game is open for reading only.
    pub fn write_through(&mut self, sink: Box<dyn Sink>) -> Result<(), Box<Diagnostic>> {
        let done = self.game.write_through(sink);
        done.map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Hands what the game writes over to another thread from now on: no answer of a line is to be shown before that
    /// thread gives it out.
    pub fn write_behind<T: Send + 'static>(&mut self, ahead: &Ahead<T>) {
        self.game.write_behind(ahead);
    }

    /// Returns whether another thread keeps what this game writes.
    pub fn is_written_behind(&self) -> bool {
        self.game.is_written_behind()
    }

    /// Makes a copy of the game in another folder; it has the same dice to come, if this one has any. Returns how many operations it has.
    ///
    /// Errors: those of making a folder and of writing.
    pub fn copy_to(&mut self, folder: &Path) -> Result<u64, Box<Diagnostic>> {
        self.flush()?;
        archive::copy_game(self.folder(), folder).map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Packs the game into a new file, with its rules and its secret.
    ///
    /// Errors: the file is there already; those of writing.
    pub fn pack_into(&mut self, file: &Path) -> Result<Packed, Box<Diagnostic>> {
        self.flush()?;
        archive::pack_game(self.folder(), file).map_err(|error| Box::new(error.to_diagnostic()))
    }
}
