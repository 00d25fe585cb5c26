//! Converts a game of an earlier version into a new folder; the old folder stays unchanged.
//!
//! For each version there are two pure functions over JSON that lead to the next version: one for the first line, one
//! for an operation. The form of a line and the places of files do not change. Version 1 is the first version, so
//! there is nothing to convert yet.

use std::path::Path;

use serde_json::Value as Json;

use super::chain::Chain;
use super::game_creation::make_whole_folder;
use super::hashed_files::Stash;
use super::journal_load::{self, broken_line_error, unreadable_journal_error, version_of_line};
use super::journal_scanner::Tail;
use super::open_game::{BLOBS, JOURNAL, RULES, SECRET, move_to_blob};
use super::snapshot::SNAPSHOTS;
use super::{ArchiveError, First, LINE_BYTES, VERSION, disk};

/// Converts one JSON, or returns its fault.
type Carry = fn(Json) -> Result<Json, String>;

/// Conversion of the lines of one version to the next; `v` itself is not changed here.
pub(super) struct Migration {
    /// The version that is converted.
    pub(super) from: u32,
    /// Converts the first line.
    pub(super) first: Carry,
    /// Converts an operation.
    pub(super) operation: Carry,
}

/// All migrations, oldest first.
const MIGRATIONS: &[Migration] = &[];

/// Converts a game of an earlier version into a game of this version in a new folder; returns its number of
/// operations.
///
/// Shape: the old journal is whole; its chain is checked, and the new journal has its own chain.
/// Errors: `NoGame`, `Foreign`, `Broken`, `Older` if no migrations lead from its version to this one; the errors of
/// making the new game.
pub fn migrate_game(game: &Path, new: &Path) -> Result<u64, ArchiveError> {
    migrate_game_with(MIGRATIONS, game, new)
}

/// Returns whether games of an earlier version can be converted.
pub fn can_migrate(version: u32) -> bool {
    version < VERSION && migrations_from_version(MIGRATIONS, version).is_ok()
}

pub(super) fn migrate_game_with(
    migrations: &[Migration],
    game: &Path,
    new: &Path,
) -> Result<u64, ArchiveError> {
    let mut lines = journal_load::open_journal(game)?;
    let foreign = || ArchiveError::Foreign(JOURNAL.to_owned());
    let first = lines
        .next_line()
        .map_err(unreadable_journal_error)?
        .ok_or_else(foreign)?;
    let from = version_of_line(first).ok_or_else(foreign)?;
    let way = migrations_from_version(migrations, from)?;
    let first = migrate_json(first, way.iter().map(|step| step.first))
        .map_err(|why| broken_line_error(1, why))?;
    First::parse(&first).ok_or_else(foreign)?;
    make_whole_folder(new, |folder| {
        let (old_blobs, mut blobs) = (Stash::new(game, BLOBS), Stash::new(folder, BLOBS));
        let (mut journal, mut chain) = Chain::default().next_line(&first);
        let mut seq = 0;
        while let Some(json) = lines.next_line().map_err(unreadable_journal_error)? {
            seq += 1;
            let at = |why: String| broken_line_error(seq + 1, why);
            let aside = blob_name_of_operation(json)
                .map(|name| old_blobs.read_checked(&name))
                .transpose()?;
            let json = aside.as_deref().unwrap_or(json);
            let mut json = migrate_json(json, way.iter().map(|step| step.operation)).map_err(at)?;
            if json.len() > LINE_BYTES {
                json = move_to_blob(&mut blobs, seq, &json)?;
            }
            let (line, next) = chain.next_line(&json);
            journal.extend(line);
            chain = next;
        }
        if let Tail::Broken(reason) = &lines.scan_so_far().tail {
            return Err(broken_line_error(seq + 2, *reason));
        }
        disk::write_file(folder, JOURNAL, &journal)?;
        if disk::file_exists(game, SECRET)? {
            disk::write_file(folder, SECRET, &disk::read_file(game, SECRET, 32)?)?;
        }
        for name in [SNAPSHOTS, RULES, BLOBS] {
            disk::make_folder(folder, name)?;
        }
        Stash::new(game, RULES).copy_sound_files_into(&mut Stash::new(folder, RULES))?;
        Ok(seq)
    })
}

/// Returns the migrations from a version to this one. Errors: `Older`.
fn migrations_from_version(
    migrations: &[Migration],
    from: u32,
) -> Result<Vec<&Migration>, ArchiveError> {
    let mut way = Vec::new();
    for version in from..VERSION {
        let step = migrations.iter().find(|step| step.from == version);
        way.push(step.ok_or(ArchiveError::Older(from))?);
    }
    Ok(way)
}

fn migrate_json(json: &[u8], steps: impl Iterator<Item = Carry>) -> Result<Vec<u8>, String> {
    let json = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let mut json = steps
        .into_iter()
        .try_fold(json, |json: Json, step| step(json))?;
    let object = json.as_object_mut().ok_or("it is not an object")?;
    object.insert("v".to_owned(), VERSION.into());
    serde_json::to_vec(&json).map_err(|error| error.to_string())
}

/// Returns the name of the separate file of an operation, if it has one.
fn blob_name_of_operation(json: &[u8]) -> Option<String> {
    let json: Json = serde_json::from_slice(json).ok()?;
    json.get("blob")?.as_str().map(str::to_owned)
}
