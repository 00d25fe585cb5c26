//! Finds the file of the typed lines that are saved between sessions.

use std::path::PathBuf;

use crate::user_folder;

/// Returns the file of the history in the user's state folder, and makes that folder.
///
/// Returns `None` if there is no such folder and none can be made: then no history is saved.
pub(crate) fn make_history_path() -> Option<PathBuf> {
    let folder = user_folder::state_folder()?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}
