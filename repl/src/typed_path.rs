//! Reads the paths that people type, by one rule for everything that is made on the disk.
//!
//! In: all paths of the command line, and those after `save`, `open`, `pack`, `export … to`. Out: a path that every
//! machine can keep and that no shell takes for something else, or the reason of its refusal. Existing files may have
//! any name.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use host::content::{expand_home_path, is_device_name};
use host::diag::Diagnostic;
use host::doc::gate_single_line;

/// Characters that a common system reserves.
const KEPT: [char; 8] = ['<', '>', ':', '"', '\\', '|', '?', '*'];
/// Number of repairs of a name that are tried one after the other: one may leave another fault.
const REPAIRS: usize = 8;

/// Returns the path of an existing file: quotes around it are removed, and `~/` is the person's own folder.
pub(crate) fn expanded_path(text: &str) -> PathBuf {
    expand_home_path(strip_quotes(text))
}

/// Returns the parser for paths of the command line, where a shell removed the quotes and left `~/` inside them.
pub(crate) fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| path_of_shell_word(path.into_os_string()))
}

/// Returns the path of a word that a shell or the environment gives.
pub(crate) fn path_of_shell_word(word: OsString) -> PathBuf {
    word.to_str()
        .map_or_else(|| PathBuf::from(&word), expand_home_path)
}

/// Returns the path of a new file or folder. Errors: `save/bad-path`.
pub(crate) fn checked_new_path(text: &str) -> Result<PathBuf, Box<Diagnostic>> {
    let path = expanded_path(text);
    check_new_path(&path).map(|()| path)
}

/// Refuses the path of a new file or folder, unless every machine can keep it. Its folder must exist, or it is made
/// below the current folder.
///
/// Errors: `save/bad-path`.
pub(crate) fn check_new_path(path: &Path) -> Result<(), Box<Diagnostic>> {
    check_path_names(path)?;
    check_parent_folder(path)
}

/// Refuses a path with names that not every machine can keep. Errors: `save/bad-path`.
pub(crate) fn check_path_names(path: &Path) -> Result<(), Box<Diagnostic>> {
    let mut is_below = false;
    for part in path.components() {
        match part {
            Component::Normal(name) => {
                is_below = true;
                let Some(name) = name.to_str() else {
                    let hint = "use a name of letters".to_owned();
                    return Err(bad_path_refusal(path, "is not UTF-8 text", hint));
                };
                if let Some(fault) = name_fault(name) {
                    return Err(bad_path_refusal(path, fault, name_fault_hint(name, fault)));
                }
            }
            Component::ParentDir if is_below => {
                let hint = "write the path without going into a folder and out again".to_owned();
                return Err(bad_path_refusal(
                    path,
                    "goes into a folder and out again",
                    hint,
                ));
            }
            Component::ParentDir
            | Component::CurDir
            | Component::RootDir
            | Component::Prefix(_) => {}
        }
    }
    Ok(())
}

/// Refuses a path whose folder does not exist. Folders are made below the current folder only, so that a typing error
/// makes none elsewhere.
///
/// Errors: `save/bad-path`.
pub(crate) fn check_parent_folder(path: &Path) -> Result<(), Box<Diagnostic>> {
    let here = std::env::current_dir().unwrap_or_default();
    let whole = here.join(path);
    let is_outside = path.components().next() == Some(Component::ParentDir);
    let parent = whole.parent().unwrap_or(&whole);
    let is_file = |path: &&Path| path.is_file();
    if let Some(file) = path.ancestors().skip(1).find(is_file) {
        let hint = format!("{} is a file, not a folder", file.display());
        return Err(bad_path_refusal(path, "is below a file", hint));
    }
    if parent.is_dir() || (!is_outside && whole.starts_with(&here)) {
        return Ok(());
    }
    let hint = format!(
        "create the folder {} first; the program creates folders only below the current folder",
        parent.display()
    );
    Err(bad_path_refusal(
        path,
        "is in a folder that does not exist",
        hint,
    ))
}

fn bad_path_refusal(path: &Path, why: &str, hint: String) -> Box<Diagnostic> {
    let shown = path.display().to_string();
    let message = format!("\"{}\" {why}", gate_single_line(&shown));
    Box::new(Diagnostic::error("save/bad-path", message).hint(hint))
}

const OWN_FOLDER: &str = "has a name that begins with ~, which means somebody's own folder";

/// Returns the fault of a name.
fn name_fault(name: &str) -> Option<&'static str> {
    if name.starts_with('~') {
        Some(OWN_FOLDER)
    } else if name.starts_with('-') {
        Some("has a name that begins with -, like an option")
    } else if name.chars().any(|c| KEPT.contains(&c)) {
        Some("contains a character that is not possible on all systems")
    } else if gate_single_line(name) != name {
        Some("contains an invisible character")
    } else if is_device_name(name) {
        Some("is the name of a device on some systems")
    } else if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        Some("has a name with a space at its start or end, or a dot at its end")
    } else {
        None
    }
}

/// Returns a hint with a better name instead of a faulty one.
fn name_fault_hint(name: &str, fault: &str) -> String {
    match repaired_file_name(name) {
        _ if fault == OWN_FOLDER => {
            "write the whole path; only ~/NAME, in your own folder, is possible".to_owned()
        }
        Some(name) => format!("call it {name}"),
        None => "call it something else".to_owned(),
    }
}

/// Returns the nearest name that every machine can keep, if a part of the name is left.
fn repaired_file_name(name: &str) -> Option<String> {
    let keep =
        |c: char| match gate_single_line(&c.to_string()) == c.to_string() && !KEPT.contains(&c) {
            true => c,
            false => '-',
        };
    let mut name = name.to_owned();
    for _ in 0..REPAIRS {
        if name_fault(&name).is_none() {
            return Some(name).filter(|name| !name.is_empty());
        }
        let kept: String = name.chars().map(keep).collect();
        let kept = kept.trim_start_matches(['~', '-', ' ']);
        name = kept.trim_end_matches(['.', ' ']).to_owned();
        if is_device_name(&name) {
            let stem = name.find('.').unwrap_or(name.len());
            let (stem, ending) = name.split_at(stem);
            name = format!("{}-1{ending}", stem.trim_end().to_lowercase());
        }
    }
    None
}

fn strip_quotes(text: &str) -> &str {
    let text = text.trim();
    let inside = ['"', '\''].into_iter().find_map(|quote| {
        let (name, _) = text.strip_prefix(quote)?.split_once(quote)?;
        Some(name)
    });
    inside.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> String {
        let refusal = checked_new_path(text).unwrap_err();
        assert_eq!(refusal.code, "save/bad-path");
        refusal.message
    }

    #[test]
    fn quotes_go_and_the_own_folder_is_found() {
        assert_eq!(expanded_path(" 'a b' "), Path::new("a b"));
        assert_eq!(expanded_path("\"a\""), Path::new("a"));
        assert!(expanded_path("~/a").ends_with("a") && !expanded_path("~/a").starts_with("~"));
        assert!(!expanded_path("~").starts_with("~"));
    }

    #[test]
    fn what_every_machine_can_keep_is_taken() {
        for text in [
            "a",
            "games/a b",
            "./a",
            "../a",
            "a.tar",
            "a-b",
            "Mara’s game",
            "häfen/1",
        ] {
            assert_eq!(checked_new_path(text).unwrap(), Path::new(text), "{text}");
        }
    }

    #[test]
    fn what_one_machine_or_a_shell_takes_for_something_else_is_refused() {
        for (text, part) in [
            ("-rf", "begins with -"),
            ("a/--out", "begins with -"),
            ("CON", "the name of a device"),
            ("a/nul.txt", "the name of a device"),
            ("com1", "the name of a device"),
            ("a/../..", "out again"),
            ("./a/..", "out again"),
            ("~ann/a", "somebody's own folder"),
            ("a?", "not possible on all systems"),
            ("a:b", "not possible on all systems"),
            ("a\\b", "not possible on all systems"),
            ("a\u{202e}b", "invisible"),
            ("a\tb", "invisible"),
            ("a./b", "at its end"),
        ] {
            let why = why(text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn a_name_that_a_hint_gives_is_taken() {
        for (text, instead) in [
            ("con.md", "con-1.md"),
            ("LPT1.txt", "lpt1-1.txt"),
            ("a/nul.tar.gz", "nul-1.tar.gz"),
            ("--aux.md", "aux-1.md"),
            ("-", "something else"),
            ("a?.md", "a-.md"),
            ("con:.md", "con-.md"),
            ("a\\b", "a-b"),
            ("a./b", "a"),
            ("com1.", "com1-1"),
        ] {
            let refusal = checked_new_path(text).unwrap_err();
            assert_eq!(refusal.hints, [format!("call it {instead}")], "{text}");
            assert!(checked_new_path(instead).is_ok(), "{instead}");
        }
    }

    #[test]
    fn a_word_of_a_shell_keeps_its_quotes_and_finds_the_own_folder() {
        assert_eq!(path_of_shell_word("'a'".into()), Path::new("'a'"));
        assert!(!path_of_shell_word("~/a".into()).starts_with("~"));
        assert_eq!(path_of_shell_word("~a".into()), Path::new("~a"));
    }

    #[test]
    fn folders_are_made_below_this_one_only() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |path: &str| check_new_path(&folder.path().join(path));
        assert_eq!(inside("a"), Ok(()));
        let refusal = inside("a/b").unwrap_err();
        assert!(
            refusal
                .message
                .ends_with("is in a folder that does not exist")
        );
        assert_eq!(check_new_path(Path::new("not/there/yet")), Ok(()));
        let refusal = checked_new_path("Cargo.toml/a/b").unwrap_err();
        assert_eq!(refusal.hints, ["Cargo.toml is a file, not a folder"]);
        assert!(why("../not/there/yet").ends_with("is in a folder that does not exist"));
    }
}
