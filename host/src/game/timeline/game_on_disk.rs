//! The folder in which a line of the game is stored.

use std::path::Path;

use crate::diag::Diagnostic;
use crate::store::archive;
use crate::store::archive::{Ahead, Game, Packed, ReadOnly, Sink};

/// A clock whose time is text for people.
pub type Clock = Box<dyn Fn() -> String>;

/// A game on disk, and the data that is written to it besides the operations.
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
        self.game.read_only_reason()
    }

    /// Writes everything to disk that is not there yet. Errors: the disk refuses it.
    pub fn flush(&mut self) -> Result<(), Box<Diagnostic>> {
        let flushed = self.game.flush();
        flushed.map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Writes the journal of the game through a given sink, so that tests can use a failing disk.
    ///
    /// Errors: the game is open for reading only.
    pub fn set_sink(&mut self, sink: Box<dyn Sink>) -> Result<(), Box<Diagnostic>> {
        let done = self.game.set_sink(sink);
        done.map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Passes the writes of the game to another thread from now on. No reply to a line may be shown before that thread
    /// releases it.
    pub fn write_behind<T: Send + 'static>(&mut self, ahead: &Ahead<T>) {
        self.game.write_behind(ahead);
    }

    /// Returns whether another thread writes this game to disk.
    pub fn is_written_behind(&self) -> bool {
        self.game.is_written_behind()
    }

    /// Copies the game into another folder. The copy has the same future dice, if this game has any. Returns its number
    /// of operations.
    ///
    /// Errors: the errors of making a folder and of writing.
    pub fn copy_to(&mut self, folder: &Path) -> Result<u64, Box<Diagnostic>> {
        self.flush()?;
        archive::copy_game(self.folder(), folder).map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Packs the game into a new file, with its rules and its secret.
    ///
    /// Errors: the file exists already; the errors of writing.
    pub fn pack_into(&mut self, file: &Path) -> Result<Packed, Box<Diagnostic>> {
        self.flush()?;
        archive::pack_game_into_file(self.folder(), file)
            .map_err(|error| Box::new(error.to_diagnostic()))
    }
}
