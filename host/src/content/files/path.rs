//! Decides which names a mod may use for its files, and which names are ignored.

use std::path::PathBuf;

/// Characters of a whole path below the folder of a mod.
pub(crate) const PATH: usize = 200;

/// Names that one common system reserves for its devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns whether a name is hidden or left behind by an editor.
pub(super) fn is_hidden_or_leftover(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    name.starts_with('.')
        || name.ends_with('~')
        || (name.len() > 1 && name.starts_with('#') && name.ends_with('#'))
        || [
            ".swp",
            ".swo",
            ".swx",
            ".tmp",
            ".bak",
            ".orig",
            ".rej",
            "___jb_tmp___",
            "___jb_old___",
        ]
        .iter()
        .any(|end| lower.ends_with(end))
        || name == "4913"
}

/// Returns whether a file of this name can be part of a mod.
pub(super) fn is_mod_file_name(name: &str) -> bool {
    let ends = |end: &str| name.ends_with(end);
    !ends(".d.luau")
        && [".luau", ".lua", ".yaml", ".yml", ".txt", ".json"]
            .iter()
            .any(|end| ends(end))
}

/// The names that files and folders may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Names in a mod: every machine can store them, and they never need quotes.
    Mod,
    /// The paths of a folder that is not a mod: spaces and apostrophes are allowed too.
    Folder,
}

impl Naming {
    /// Returns advice for a good file name.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Naming::Mod => "name it with a-z, A-Z, 0-9, _, - and a dot",
            Naming::Folder => "name it with a-z, A-Z, 0-9, _, -, spaces, apostrophes and a dot",
        }
    }

    /// Returns the noun for the folder that is read.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Naming::Mod => "the mod",
            Naming::Folder => "the folder",
        }
    }

    fn allows_character(self, c: char) -> bool {
        let of_folder = self == Naming::Folder && matches!(c, ' ' | '\'' | '’');
        of_folder || c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
    }
}

/// Returns the fault in the name of a file or folder, if there is one.
pub(super) fn name_fault(naming: Naming, name: &str, path: &str) -> Option<&'static str> {
    if !name.chars().all(|c| naming.allows_character(c)) {
        Some("contains a character that some systems do not allow")
    } else if name.ends_with('.') {
        Some("ends with a dot")
    } else if name.trim() != name {
        Some("begins or ends with a space")
    } else if is_device_name(name) {
        Some("is a device name on some systems")
    } else if path.len() > PATH {
        Some("makes the path longer than 200 characters")
    } else {
        None
    }
}

/// Expands the path of a user: `~/NAME` is in the home folder of the user.
pub fn expand_home_path(text: &str) -> PathBuf {
    let rest = match text {
        "~" => Some(""),
        text => text.strip_prefix("~/"),
    };
    let own = rest.and_then(|rest| Some(std::env::home_dir()?.join(rest)));
    own.unwrap_or_else(|| PathBuf::from(text))
}

/// Returns whether one common system treats the name of a file as a device.
pub fn is_device_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_lowercase();
    DEVICES
        .iter()
        .any(|device| match stem.strip_prefix(device) {
            Some("") => !matches!(*device, "com" | "lpt"),
            Some(digit) => {
                matches!(*device, "com" | "lpt")
                    && digit.len() == 1
                    && digit.as_bytes()[0].is_ascii_digit()
            }
            None => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editor_leftovers_are_told_from_files() {
        for name in [
            ".git",
            ".#pool.luau",
            "pool.luau~",
            "#pool.luau#",
            ".pool.luau.swp",
            "a.swp",
            "4913",
            "a.bak",
        ] {
            assert!(is_hidden_or_leftover(name), "{name}");
        }
        for name in ["pool.luau", "#", "a.b", "swp", "README.md"] {
            assert!(!is_hidden_or_leftover(name), "{name}");
        }
    }

    #[test]
    fn names_that_not_every_machine_keeps_are_refused() {
        for name in [
            "a b", "ä", "a:b", "a\\b", "a\nb", "a.", "aux.luau", "COM1", "nul",
        ] {
            assert!(name_fault(Naming::Mod, name, name).is_some(), "{name}");
        }
        for name in [
            "pool.luau",
            "pool.test.txt",
            "README.md",
            "com",
            "console.luau",
            "auxiliary",
            "com10",
        ] {
            assert_eq!(name_fault(Naming::Mod, name, name), None, "{name}");
        }
        assert!(name_fault(Naming::Mod, "a", &"a/".repeat(101)).is_some());
    }

    #[test]
    fn names_beside_mods_may_hold_blanks_and_apostrophes() {
        for name in ["grandma's house", "Medium Question", "a ’b"] {
            assert_eq!(name_fault(Naming::Folder, name, name), None, "{name}");
        }
        for name in ["a ", " a", "a:b", "a\nb", "a\"b", "nul", "ä"] {
            assert!(name_fault(Naming::Folder, name, name).is_some(), "{name}");
        }
    }
}
