//! Says where the lines that were typed are kept between sessions.

use std::path::PathBuf;

use crate::user_folder;

/// Returns the file of the history, its folder made: in the user's state folder.
///
/// Nothing where there is no such folder and none can be made: then nothing is kept.
pub(crate) fn make_history_path() -> Option<PathBuf> {
    let folder = user_folder::state_folder()?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}
