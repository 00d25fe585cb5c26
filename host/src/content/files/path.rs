//! This module decides which names of files a mod may use, and which are not meant at all.

/// Characters of a whole path below the folder of a mod.
const PATH: usize = 200;

/// Names that one common system keeps for its devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Returns whether a name is hidden or left behind by an editor.
pub(super) fn is_leftover(name: &str) -> bool {
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

/// Returns whether a file of this name is one that mods are made of.
pub(super) fn is_loaded(name: &str) -> bool {
    let ends = |end: &str| name.ends_with(end);
    !ends(".d.luau")
        && [".luau", ".lua", ".yaml", ".yml", ".txt", ".json"]
            .iter()
            .any(|end| ends(end))
}

/// Returns what is wrong with the name of a file or folder, if anything is.
pub(super) fn name_fault(name: &str, path: &str) -> Option<&'static str> {
    let sane = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let device = DEVICES
        .iter()
        .any(|device| match stem.strip_prefix(device) {
            Some("") => !matches!(*device, "com" | "lpt"),
            Some(digit) => {
                matches!(*device, "com" | "lpt")
                    && digit.len() == 1
                    && digit.as_bytes()[0].is_ascii_digit()
            }
            None => false,
        });
    if !name.chars().all(sane) {
        Some("holds a character that not every machine can keep")
    } else if name.ends_with('.') {
        Some("ends with a dot")
    } else if device {
        Some("is a device on some machines")
    } else if path.len() > PATH {
        Some("makes the path longer than 200 characters")
    } else {
        None
    }
}

/// Returns what is wrong with the name of a file or folder that is kept elsewhere: a game could not keep it.
pub(super) fn book_name_fault(name: &str, path: &str) -> Option<&'static str> {
    if name.chars().any(|c| c.is_control() || c == '\\') {
        Some("holds a character that no game can keep")
    } else if path.len() > PATH {
        Some("makes the path longer than 200 characters")
    } else {
        None
    }
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
            assert!(is_leftover(name), "{name}");
        }
        for name in ["pool.luau", "#", "a.b", "swp", "README.md"] {
            assert!(!is_leftover(name), "{name}");
        }
    }

    #[test]
    fn names_that_not_every_machine_keeps_are_refused() {
        for name in [
            "a b", "ä", "a:b", "a\\b", "a\nb", "a.", "aux.luau", "COM1", "nul",
        ] {
            assert!(name_fault(name, name).is_some(), "{name}");
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
            assert_eq!(name_fault(name, name), None, "{name}");
        }
        assert!(name_fault("a", &"a/".repeat(101)).is_some());
    }

    #[test]
    fn names_of_books_are_free_but_for_what_no_game_keeps() {
        for name in ["ability sets", "Ann's Letter", "Ärger: 1", "aux", "a."] {
            assert_eq!(book_name_fault(name, name), None, "{name}");
        }
        for name in ["a\nb", "a\\b", "\u{85}"] {
            assert!(book_name_fault(name, name).is_some(), "{name:?}");
        }
        assert!(book_name_fault("a", &"a/".repeat(101)).is_some());
    }
}
