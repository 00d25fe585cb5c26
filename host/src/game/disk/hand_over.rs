//! This module hands a game over: copies of it, one file for another machine, and what is said when it is opened.

use std::path::{Path, PathBuf};

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::reply::Reply;
use crate::game::session::Session;
use crate::game::waiting::rows::{Waiting, waiting};
use crate::store::What;
use crate::store::archive::{self, Packed};

impl Session {
    /// Makes a copy of the game in another folder; it has the same dice to come, if this one has any. Returns how many operations it has.
    ///
    /// Errors: the game is not kept; those of making a folder and of writing.
    pub fn copy_to(&mut self, folder: &Path) -> Result<u64, Box<Diagnostic>> {
        let own = self.own_folder()?;
        archive::copy(&own, folder).map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Packs the game into a new file, with its rules and its secret.
    ///
    /// Errors: the game is not kept; the file is there already; those of writing.
    pub fn pack_into(&mut self, file: &Path) -> Result<Packed, Box<Diagnostic>> {
        let own = self.own_folder()?;
        archive::pack(&own, file).map_err(|error| Box::new(error.to_diagnostic()))
    }

    /// Returns the folder of the game, with everything that happened in it. Errors: the game is not kept.
    fn own_folder(&mut self) -> Result<PathBuf, Box<Diagnostic>> {
        self.flush()?;
        self.folder().map(Path::to_owned).ok_or_else(|| {
            let finding = Diagnostic::error("save/not-kept", "the game is not kept in a folder");
            Box::new(finding.hint("save FOLDER keeps it from now on"))
        })
    }

    /// Says to the game master where a game goes on that was opened, and what waits in it.
    pub fn welcome(&self) -> Reply {
        let operations = self.history.operations().iter().rev();
        let mut said = operations.filter(|one| !matches!(one.what, What::Refused { .. }));
        let Some(last) = said.next() else {
            return Reply::default();
        };
        let mut lines = vec![format!("goes on after {} {}", last.seq, last.command)];
        match self.open_questions().len() {
            0 => {}
            1 => lines.push("a question waits: prompts shows it".to_owned()),
            more => lines.push(format!("{more} questions wait: prompts lists them")),
        }
        let waiting = waiting(&self.state).into_iter();
        let is_older = |one: &Waiting| !one.is_pinned && one.rules != self.generation().hash();
        lines.extend(waiting.filter(is_older).map(|one| {
            let Waiting { slot, command, .. } = one;
            format!(
                "ruling {slot} waits and began under other rules ({command}): answer it, or restart {slot}, finish {slot}, drop {slot}"
            )
        }));
        let lines = lines.into_iter().map(paragraph);
        Reply::document(Document::new(lines).to(Audience::Gm))
    }
}
