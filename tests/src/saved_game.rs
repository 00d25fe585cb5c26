//! Saved games of the tests.

use std::path::Path;

use host::game::{GameLocation, RulesChoice, SaveOptions, Solo};
use host::script::EngineOptions;
use host::store::archive::SyncMode;

use crate::Scratch;

/// The name under which the tests hold games.
pub(crate) const HOLDER: &str = "the tests";

/// Returns the options with which the tests save games.
pub fn save_options() -> SaveOptions {
    SaveOptions {
        holder: HOLDER.to_owned(),
        sync: SyncMode::Each,
        clock: Box::new(String::new),
    }
}

/// Returns a saved game that is opened read-only.
pub fn open_read_only(folder: &Path, home: &Scratch, under: RulesChoice) -> Solo {
    let place = GameLocation {
        folder,
        home: home.home(),
        engine: EngineOptions::default(),
        under,
        read_only: true,
    };
    let opened = Solo::reopen(place, save_options(), &repl::COMMANDS);
    let (solo, _) = opened.unwrap_or_else(|findings| panic!("no game: {findings:?}"));
    solo
}
