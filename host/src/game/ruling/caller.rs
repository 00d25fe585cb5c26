//! The surroundings of a line besides its game: who can answer, which rules can be named, and the client that gives the
//! line.

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

/// What stands behind a line beside the game that it is given in.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    /// The commands of the host.
    pub(in crate::game) commands: &'static [HostCommand],
    /// Who is there to answer beside those who are asked.
    pub responders: &'a Responders,
    /// Every generation of rules that can be named.
    pub(in crate::game) generations: &'a Generations,
    /// The folder of the game, which holds further rules.
    pub(in crate::game) disk: Option<&'a GameOnDisk>,
    /// Who gives the line.
    pub(in crate::game) client: &'a Client,
}

impl Caller<'_> {
    /// Returns the files of a generation of rules, if they are known: live, earlier in this session, or on disk.
    pub(in crate::game) fn rule_files_by_hash(&self, hash: &str) -> Option<Files> {
        let known = self.generations.files(hash);
        known.cloned().or_else(|| rules_on_disk(self.disk, hash))
    }

    /// Returns a generation of rules with a machine; none if its files are not kept, or cannot be used.
    pub(in crate::game) fn generation(&self, hash: &str) -> Option<Rc<Generation>> {
        let on_disk = || rules_on_disk(self.disk, hash);
        self.generations.find_generation(hash, on_disk)
    }

    /// Returns the folder that the game is kept in, if it is.
    pub fn folder(&self) -> Option<&Path> {
        self.disk.map(GameOnDisk::folder)
    }

    /// Returns whether something happened in a game that no folder has.
    pub fn would_lose_game(&self, timeline: &Timeline) -> bool {
        // The first operation of a game sets it up.
        self.disk.is_none() && timeline.history.operations().len() > 1
    }

    /// Returns what is found in the rules that are live, without notes.
    pub(in crate::game) fn findings(&self) -> &[Diagnostic] {
        self.generations.live().findings()
    }
}

/// Returns the files of a generation of rules that the folder of a game holds.
fn rules_on_disk(disk: Option<&GameOnDisk>, hash: &str) -> Option<Files> {
    let files = disk?.game.rules(hash).ok()?;
    Some(Files::kept(&files))
}
