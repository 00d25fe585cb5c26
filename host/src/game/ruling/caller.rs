//! The surroundings of a line besides its game: its responders, the rules that can be named, and the client that gives
//! the line.

use std::path::Path;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generation::Generation;
use crate::game::rules::generations::Generations;
use crate::game::rules::home::Files;
use crate::game::ruling::client::Client;
use crate::game::ruling::host_command::HostCommand;
use crate::game::ruling::ruling_context::Responders;
use crate::game::timeline::Timeline;
use crate::game::timeline::game_on_disk::GameOnDisk;

/// The surroundings of a line besides its game.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    /// The commands of the host.
    pub(in crate::game) commands: &'static [HostCommand],
    /// The responders besides the people who are asked.
    pub responders: &'a Responders,
    /// All generations of rules that can be named.
    pub(in crate::game) generations: &'a Generations,
    /// The folder of the game, which contains further rules.
    pub(in crate::game) disk: Option<&'a GameOnDisk>,
    /// The client that gives the line.
    pub(in crate::game) client: &'a Client,
}

impl Caller<'_> {
    /// Returns the files of a generation of rules, if they are available: live, earlier in this session, or on disk.
    pub(in crate::game) fn rule_files_by_hash(&self, hash: &str) -> Option<Files> {
        let known = self.generations.files(hash);
        known
            .cloned()
            .or_else(|| rule_files_on_disk(self.disk, hash))
    }

    /// Returns a generation of rules with a machine; none if its files are not stored or cannot be used.
    pub(in crate::game) fn generation_by_hash(&self, hash: &str) -> Option<Rc<Generation>> {
        let on_disk = || rule_files_on_disk(self.disk, hash);
        self.generations.find_generation(hash, on_disk)
    }

    /// Returns the folder in which the game is stored, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.disk.map(GameOnDisk::folder)
    }

    /// Returns whether a game that is not stored in a folder has operations after its setup.
    pub fn would_lose_game(&self, timeline: &Timeline) -> bool {
        // The first operation of a game sets it up.
        self.disk.is_none() && timeline.history.operations().len() > 1
    }

    /// Returns the findings in the live rules, without notes.
    pub(in crate::game) fn findings(&self) -> &[Diagnostic] {
        self.generations.live().findings()
    }
}

/// Returns the files of a generation of rules that are stored in the folder of a game.
fn rule_files_on_disk(disk: Option<&GameOnDisk>, hash: &str) -> Option<Files> {
    let files = disk?.game.saved_rules(hash).ok()?;
    Some(Files::of_stored_generation(&files))
}
