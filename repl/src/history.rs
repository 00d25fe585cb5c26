//! This module says where the lines that were typed are kept between sessions.

use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the file of the history, its folder made: in the user's state folder.
///
/// Nothing where there is no such folder and none can be made: then nothing is kept.
pub(crate) fn file() -> Option<PathBuf> {
    let path = path(|name| std::env::var_os(name))?;
    std::fs::create_dir_all(path.parent()?).ok()?;
    Some(path)
}

fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("arbiter").join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_folder_comes_before_the_home_folder() {
        let both = |name: &str| match name {
            "XDG_STATE_HOME" => Some("/state".into()),
            "HOME" => Some("/ann".into()),
            _ => None,
        };
        assert_eq!(path(both), Some(PathBuf::from("/state/arbiter/history")));
        let home = |name: &str| (name == "HOME").then(|| "/ann".into());
        assert_eq!(
            path(home),
            Some(PathBuf::from("/ann/.local/state/arbiter/history"))
        );
        assert_eq!(path(|_| Some("relative".into())), None);
    }
}
