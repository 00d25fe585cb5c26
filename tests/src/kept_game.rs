//! Games in a folder in the hands of a test.

use std::path::Path;

use host::game::{GameLocation, RulesChoice, SaveOptions, Solo};
use host::script::EngineOptions;
use host::store::archive::SyncMode;

use crate::Scratch;

/// Who holds the games of the tests.
pub(crate) const HOLDER: &str = "the tests";

/// Returns how the tests keep games.
pub fn keeping() -> SaveOptions {
    SaveOptions {
        holder: HOLDER.to_owned(),
        sync: SyncMode::Each,
        clock: Box::new(String::new),
    }
}

/// Returns a kept game that is only looked at.
pub fn open_read_only(folder: &Path, home: &Scratch, under: RulesChoice) -> Solo {
    let place = GameLocation {
        folder,
        home: home.home(),
        engine: EngineOptions::default(),
        under,
        read_only: true,
    };
    let opened = Solo::reopen(place, keeping(), &repl::COMMANDS);
    let (solo, _) = opened.unwrap_or_else(|findings| panic!("no game: {findings:?}"));
    solo
}
