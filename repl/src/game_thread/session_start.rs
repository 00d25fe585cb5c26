//! Start of a game: its data, and the opening of a session.

use host::game;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::content::Cache;
use host::diag::Diagnostic;
use host::game::{Files, GameLocation, Home, Reply, Seed, SessionOptions, Solo, UnansweredPolicy};
use host::script::{EngineOptions, GM, Profiler};

use super::prompt_state::Shown;
use crate::arguments::RulesOf;
use crate::commands::COMMANDS;
use crate::game_folder;
use crate::save_pack_open::Disk;

/// Start of a game; plain data.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) home: Home,
    pub(crate) game: Wanted,
    pub(crate) disk: Disk,
    /// Profiler of processor time.
    pub(crate) profiler: Option<Profiler>,
    /// Cache, from start to start, of the results of reading rules.
    pub(crate) cache: Option<Cache>,
}

impl Start {
    /// Returns whether the game is saved in a folder and writable.
    pub(crate) fn is_saved_and_writable(&self) -> bool {
        match &self.game {
            Wanted::New { folder, .. } => folder.is_some(),
            Wanted::Shipped { .. } => false,
            Wanted::Kept { read_only, .. } => !read_only,
        }
    }
}

/// The requested game.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// A new one, saved in a folder if there is one.
    New {
        ruleset: String,
        seed: Seed,
        folder: Option<PathBuf>,
    },
    /// A new one of a ruleset that is part of the program; it is not saved.
    Shipped {
        ruleset: String,
        seed: Seed,
        /// The files of the ruleset, each with its path in a home.
        files: &'static [(&'static str, &'static str)],
    },
    /// A saved one.
    Kept {
        folder: PathBuf,
        rules: RulesOf,
        read_only: bool,
    },
}

impl Wanted {
    /// Returns the same game, after it got a folder.
    pub(super) fn after_saved_to(self, folder: Option<PathBuf>) -> Wanted {
        match (self, folder) {
            (Wanted::New { .. }, Some(folder)) => Wanted::Kept {
                folder,
                rules: RulesOf::Now,
                read_only: false,
            },
            (wanted, _) => wanted,
        }
    }
}

/// Reasons why no game began: its rules do not load, or no thread could be made.
pub(crate) type NotStarted = Vec<Diagnostic>;

/// Report of a game that has begun.
#[derive(Debug)]
pub(crate) struct Opening {
    /// Its name.
    pub(crate) name: String,
    /// A short description.
    pub(crate) summary: String,
    /// The lines that begin a game without rulings.
    pub(crate) start: Vec<String>,
    /// The id of its ruleset.
    pub(crate) ruleset: String,
    /// The source of its dice.
    pub(crate) seed: Seed,
    /// State that the prompt shows.
    pub(crate) shown: Shown,
    /// Number of questions that wait for the game master.
    pub(crate) open: usize,
    /// The reply of its set-up.
    pub(crate) reply: Reply,
    /// Warnings about its rules.
    pub(crate) findings: Vec<Diagnostic>,
}

/// Opens a session for a game. Errors: the findings that keep it from starting.
pub(crate) fn open_session(
    start: Start,
    interrupt: Arc<AtomicBool>,
) -> Result<(Solo, Reply), Vec<Diagnostic>> {
    let engine = EngineOptions {
        interrupt,
        profiler: start.profiler,
        cache: start.cache,
        ..EngineOptions::default()
    };
    match start.game {
        Wanted::New {
            ruleset,
            seed,
            folder,
        } => {
            let options = SessionOptions {
                home: start.home,
                ruleset,
                seed,
                engine,
            };
            let (mut solo, reply) = Solo::start(options, &COMMANDS)?;
            if let Some(place) = folder {
                let made = game_folder::make_parent_folders(&place).and_then(|()| {
                    solo.save_in_folder(&place, game_folder::save_options_for_sync(start.disk.sync))
                });
                made.map_err(|finding| vec![*finding])?;
            }
            Ok((solo, reply))
        }
        Wanted::Shipped {
            ruleset,
            seed,
            files,
        } => {
            let files = Files::shipped(&ruleset, files);
            let options = SessionOptions {
                home: start.home,
                ruleset,
                seed,
                engine,
            };
            Solo::start_under(files, options, &COMMANDS)
        }
        Wanted::Kept {
            folder,
            rules,
            read_only,
        } => {
            let place = GameLocation {
                folder: &folder,
                home: start.home,
                engine,
                under: game_folder::rules_choice_of_flag(rules),
                read_only,
            };
            let keeping = game_folder::save_options_for_sync(start.disk.sync);
            let (solo, notes) = Solo::reopen(place, keeping, &COMMANDS)?;
            let reply = Reply {
                findings: notes,
                ..game::welcome_reply(solo.timeline())
            };
            Ok((solo, reply))
        }
    }
}

/// Opens a session for a game and returns its opening report too.
pub(super) fn open_session_and_report(
    start: Start,
    interrupt: Arc<AtomicBool>,
) -> (Option<Solo>, Result<Opening, NotStarted>) {
    match open_session(start, interrupt) {
        Ok((mut solo, reply)) => {
            solo.session.responders_mut().unanswered = UnansweredPolicy::Refused;
            let rules = solo.timeline().rules();
            let text = |key: &str| rules.ruleset.get(key).to_string();
            let findings = solo.session.generations().live().findings().to_vec();
            let opening = Opening {
                name: text("name"),
                summary: text("summary"),
                start: match solo.timeline().history().operations() {
                    [] | [_] => rules.start_lines(),
                    _ => Vec::new(),
                },
                ruleset: solo.session.options().ruleset.clone(),
                seed: solo.session.options().seed.clone(),
                shown: Shown::of_game(&solo),
                open: game::open_questions_for(solo.timeline(), GM).len(),
                reply,
                findings,
            };
            (Some(solo), Ok(opening))
        }
        Err(findings) => (None, Err(findings)),
    }
}
