//! Stores a game on disk while it is played: each operation is on disk before its reply is given.
//!
//! In: operations that are in the history and not in the journal. Out: the same operations on disk, or a refusal and
//! the game as it was before them. The time of the clock comes from outside; no rule reads it.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generations::Generations;
use crate::game::rules::home::{Files, Home};
use crate::game::ruling::client::ClientPosition;
use crate::game::ruling::host_command::HostCommand;
use crate::game::ruling::seed_secrecy::is_seed_revealed;
use crate::game::session::Session;
use crate::game::timeline::Timeline;
use crate::game::timeline::game_on_disk::{Clock, GameOnDisk};
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::timeline_start::SessionOptions;
use crate::script::EngineOptions;
use crate::store::Operation;
use crate::store::archive::{
    ArchiveError, Game, NewGame, Opened, Opening, ReadOnly, SyncMode, is_seed_in_rest,
};

/// The options for storing a game.
pub struct SaveOptions {
    /// The text for other users about the present writer of the game.
    pub holder: String,
    /// The time at which operations are forced to disk.
    pub sync: SyncMode,
    /// The clock that is read for each of them.
    pub clock: Clock,
}

/// The choice of the rules with which a game continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RulesChoice {
    /// The present rules.
    #[default]
    Now,
    /// The rules of its last command, from its own folder.
    Recorded,
}

/// The location of a game, and how it is opened.
pub struct GameLocation<'a> {
    /// The folder of the game.
    pub folder: &'a Path,
    /// The source of the present rules.
    pub home: Home,
    /// The options for building the machine for scripts.
    pub engine: EngineOptions,
    /// The rules with which it continues.
    pub under: RulesChoice,
    /// Whether it is opened only for reading.
    pub read_only: bool,
}

impl Session {
    /// Makes a folder for the line of the game at a position. Stores the line there from now on, with everything that
    /// has happened so far.
    ///
    /// Errors: `fork/gone`, and the errors of making the folder and of writing; then there is no folder.
    pub fn save_in_folder(
        &mut self,
        at: &ClientPosition,
        folder: &Path,
        keeping: SaveOptions,
    ) -> Result<(), Box<Diagnostic>> {
        let refused = |error: ArchiveError| Box::new(error.to_diagnostic());
        self.check_fork_exists(at)?;
        let timeline = self.timeline_at(at);
        let seed = &timeline.dice.seed;
        if seed.is_missing() {
            let message = "a game without its file \"secret\" has no dice, so it cannot be saved as a separate game";
            return Err(Box::new(Diagnostic::error("save/secret", message)));
        }
        let now = (keeping.clock)();
        let new = NewGame {
            ruleset: &timeline.game.ruleset,
            secret: seed.bytes(),
            is_test: seed.is_test(),
            at: &now,
            holder: &keeping.holder,
            sync: SyncMode::Group,
        };
        let game = Game::create(folder, &new).map_err(refused)?;
        let mut kept = GameOnDisk {
            game,
            clock: keeping.clock,
        };
        // The grouping of operations by command is not known any more.
        let mut each = timeline.history.operations().chunks(1);
        let written = each
            .try_for_each(|one| write_operations(timeline, &mut kept, &self.generations, one))
            .and_then(|()| kept.game.set_sync(keeping.sync));
        if let Err(error) = written {
            // No reply was given yet: half a game is worse than none.
            kept.game.delete_new_game();
            return Err(refused(error));
        }
        *self.play_context_at(at).disk = Some(kept);
        Ok(())
    }

    /// Opens a stored game, under the present rules or those with which it was stored; also returns the warnings.
    ///
    /// Errors: the errors of opening; rules that cannot be used.
    pub fn reopen(
        place: GameLocation<'_>,
        keeping: SaveOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Session, Vec<Diagnostic>), Vec<Diagnostic>> {
        let folder = place.folder;
        let refused = |error: ArchiveError| vec![error.to_diagnostic_of_game(folder)];
        let (opened, seed) = open_game_and_seed(&place, &keeping).map_err(refused)?;
        let Opened {
            game,
            state,
            history,
            mut notes,
            ..
        } = opened;
        let ruleset = game.first_line().ruleset.clone();
        let last = history.operations().last().map(|last| last.rules.clone());
        let recorded = last.filter(|rules| !rules.is_empty());
        let now = place.home.read_ruleset(&ruleset);
        let files = match (place.under, &recorded) {
            (RulesChoice::Recorded, Some(name)) => {
                let kept = Files::of_stored_generation(&game.saved_rules(name).map_err(refused)?);
                notes.extend(
                    now.ok()
                        .filter(|now| now.hash != kept.hash)
                        .map(|_| recorded_rules_warning()),
                );
                kept
            }
            _ => now.map_err(|finding| vec![finding.hint(OTHER_RULES)])?,
        };
        let options = SessionOptions {
            home: place.home,
            ruleset,
            seed,
            engine: place.engine,
        };
        if let Some(recorded) = recorded.filter(|recorded| **recorded != *files.hash) {
            notes.push(other_rules_warning(&recorded));
        }
        if let Some(why) = game.read_only_reason() {
            let hint = match why {
                ReadOnly::NoSecret => {
                    "you can look at everything; to play on, add the file \"secret\" from another copy"
                }
                ReadOnly::Asked | ReadOnly::Held(_) | ReadOnly::Newer(_) | ReadOnly::Place => {
                    "you can look at everything; `save FOLDER` makes a separate game that you can play"
                }
            };
            let finding = Diagnostic::warning("save/read-only", format!("read-only: {why}"));
            notes.retain(|note| note.code != finding.code);
            notes.push(finding.hint(hint));
        }
        let names = Rc::clone(state.names());
        let mut session = Session::of_files(options, commands, files, names)?;
        let (settings, dice) = (Rc::clone(&session.main.game), session.main.dice.clone());
        let live = Rc::clone(session.generations.live());
        session.main = Timeline::of_stored_game(settings, live, dice, (state, history));
        // A search that fails finds nothing: the file beside the journal is not part of the game.
        if !is_seed_revealed(&session.main) && is_seed_in_rest(folder).unwrap_or(false) {
            notes.push(seed_in_rest_warning());
        }
        session.disk = Some(GameOnDisk {
            game,
            clock: keeping.clock,
        });
        notes.extend(session.finish_set_up().map_err(|refusal| vec![*refusal])?);
        Ok((session, notes))
    }

    /// Sets up a game whose creation was interrupted: its folder exists, and nothing has happened yet.
    ///
    /// Errors: the setup is refused, by a rule or by the disk.
    fn finish_set_up(&mut self) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let is_read_only = self.disk.as_ref().and_then(GameOnDisk::read_only).is_some();
        if !self.main.history.operations().is_empty() || is_read_only {
            return Ok(None);
        }
        let reply = self.set_up_game();
        let kept = save_operations(&mut self.main, self.disk.as_mut(), &self.generations, reply);
        if let Some(refusal) = kept.refusal {
            return Err(Box::new(refusal));
        }
        let message = "the creation of this game was interrupted; it is now complete";
        Ok(Some(Diagnostic::warning("save/set-up", message)))
    }
}

/// Writes the operations of a command to disk, all or none. If the disk refuses them, they are removed, and the reply
/// reports this.
pub(in crate::game) fn save_operations(
    timeline: &mut Timeline,
    kept: Option<&mut GameOnDisk>,
    generations: &Generations,
    mut reply: Reply,
) -> Reply {
    let Some(kept) = kept else {
        return reply;
    };
    let written = kept.game.last_seq();
    let from = usize::try_from(written).unwrap_or(usize::MAX);
    let missing = timeline
        .history
        .operations()
        .get(from..)
        .unwrap_or_default();
    if let Err(error) = write_operations(timeline, kept, generations, missing) {
        while timeline.history.operations().len() as u64 > written
            && timeline
                .history
                .remove_last_operation(&mut timeline.state)
                .is_ok()
        {}
        reply = Reply::refused(error.to_diagnostic());
    } else if let Err(error) = kept.game.snapshot_if_due(&timeline.state) {
        let finding = error.to_diagnostic();
        let warning = Diagnostic::warning("save/snapshot", finding.message);
        reply
            .findings
            .push(warning.hint("the journal is complete, so the game continues"));
    }
    reply
}

/// Writes the operations of a command, after the rules under which they ran.
fn write_operations(
    timeline: &Timeline,
    kept: &mut GameOnDisk,
    generations: &Generations,
    missing: &[Rc<Operation>],
) -> Result<(), ArchiveError> {
    if missing.is_empty() {
        return Ok(());
    }
    let names: BTreeSet<&str> = missing.iter().map(|one| &*one.rules).collect();
    for name in names {
        if kept.game.has_saved_rules(name) {
            continue;
        }
        if let Some(files) = generations.files(name) {
            kept.game.save_rules(&files.rule_files_without_tests())?;
        }
    }
    let at = (kept.clock)();
    kept.game
        .append_operations(timeline.state.names(), missing, &at)
}

/// Opens a game and the source of its dice. Without that source no dice can be rolled, and the game is opened only for
/// reading.
fn open_game_and_seed(
    place: &GameLocation<'_>,
    keeping: &SaveOptions,
) -> Result<(Opened, Seed), ArchiveError> {
    let opening = Opening {
        read_only: place.read_only,
        holder: &keeping.holder,
        sync: keeping.sync,
    };
    let mut opened = Game::open(place.folder, &opening, Rc::default())?;
    let (promised, is_test) = (
        opened.game.first_line().seed.to_string(),
        opened.game.first_line().test,
    );
    let seed = match opened.game.secret() {
        Ok(secret) => Seed::from_stored_bytes(secret, is_test),
        Err(_) => {
            opened.game.make_read_only(ReadOnly::NoSecret);
            Seed::without_secret(promised, is_test)
        }
    };
    Ok((opened, seed))
}

/// The hint for continuing with the other rules.
const OTHER_RULES: &str = "to continue with the rules that the game was saved with, use `--rules recorded` with \
                           `open` or on the command line";

fn other_rules_warning(recorded: &str) -> Diagnostic {
    let short: String = recorded.chars().take(12).collect();
    let message = format!(
        "the game continues with the current rules, but its last command used others ({short})"
    );
    Diagnostic::warning("save/other-rules", message).hint(OTHER_RULES)
}

fn seed_in_rest_warning() -> Diagnostic {
    let message = "the seed was revealed in the part of the journal that this copy leaves out, so anybody may know \
                   the next dice";
    Diagnostic::warning("save/seed-revealed", message).hint(
        "type the commands in journal.broken again, and `reveal` in their place; then no die comes from the seed",
    )
}

fn recorded_rules_warning() -> Diagnostic {
    let message = "the game continues with the rules that it was saved with; the rules in the home folder differ";
    Diagnostic::warning("save/recorded-rules", message).hint(
        "to use the rules in the home folder, type `reload`, or open the game with `--rules now`",
    )
}
