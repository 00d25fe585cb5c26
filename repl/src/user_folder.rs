//! Finds the folders in which a user's programs keep their files.

use std::ffi::OsString;
use std::path::PathBuf;

/// Returns our folder for state that is saved between sessions: typed lines, lists of written files.
///
/// Returns `None` if the user has no such folder.
pub(crate) fn state_folder() -> Option<PathBuf> {
    folder_below(
        |name| std::env::var_os(name),
        ("XDG_STATE_HOME", ".local/state"),
    )
}

/// Returns our folder for files that only save time and may be removed at any moment. Returns `None` if the user has no
/// such folder.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    folder_below(|name| std::env::var_os(name), ("XDG_CACHE_HOME", ".cache"))
}

/// Returns our folder below the folder that a variable names, or below this folder of the user.
fn folder_below(
    variable: impl Fn(&str) -> Option<OsString>,
    (named, usual): (&str, &str),
) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let found = folder(named)
        .or_else(|| folder("HOME").map(|home| home.join(usual)))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(found.join("arbiter"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_folder_comes_before_the_own_folder() {
        let names = ("XDG_STATE_HOME", ".local/state");
        let both = |name: &str| match name {
            "XDG_STATE_HOME" => Some("/state".into()),
            "HOME" => Some("/ann".into()),
            _ => None,
        };
        assert_eq!(
            folder_below(both, names),
            Some(PathBuf::from("/state/arbiter"))
        );
        let home = |name: &str| (name == "HOME").then(|| "/ann".into());
        assert_eq!(
            folder_below(home, names),
            Some(PathBuf::from("/ann/.local/state/arbiter"))
        );
        assert_eq!(folder_below(|_| Some("relative".into()), names), None);
    }
}
