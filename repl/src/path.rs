//! This module reads the paths that people type, by one rule for everything that is made on the disk.
//!
//! In: what stands behind `save`, `pack`, `export … to`, `--out`. Out: a path that every machine can keep and that
//! no shell takes for something else, or why it is refused. What is there already may be called anything.

use std::path::{Component, Path, PathBuf};

use host::content::is_device;
use host::diag::Diagnostic;
use host::doc::gate_word;

/// Characters that a common system keeps for itself.
const KEPT: [char; 6] = ['<', '>', '"', '|', '?', '*'];

/// Returns the path of something that is there: quotes around it go, and `~/` is the person's own folder.
pub(crate) fn read(text: &str) -> PathBuf {
    let text = unquoted(text);
    own(text).unwrap_or_else(|| PathBuf::from(text))
}

/// Returns the path of something that is to be made. Errors: `save/bad-path`.
pub(crate) fn new(text: &str) -> Result<PathBuf, Box<Diagnostic>> {
    let path = read(text);
    check(&path).map(|()| path)
}

/// Refuses the path of something that is to be made, unless every machine can keep it and its folder is there, or is made
/// below this one.
///
/// Errors: `save/bad-path`.
pub(crate) fn check(path: &Path) -> Result<(), Box<Diagnostic>> {
    let shown = path.display().to_string();
    let refused = |(why, hint): (&str, String)| {
        let message = format!("\"{}\" {why}", gate_word(&shown));
        Box::new(Diagnostic::error("save/bad-path", message).hint(hint))
    };
    let mut is_below = false;
    for part in path.components() {
        match part {
            Component::Normal(name) => {
                is_below = true;
                let name = name.to_str().ok_or_else(|| {
                    refused(("is no UTF-8 text", "name it with letters".to_owned()))
                })?;
                fault(name).map_or(Ok(()), |fault| Err(refused(fault)))?;
            }
            Component::ParentDir if is_below => {
                let hint = "write where it leads to, without what it leaves again".to_owned();
                return Err(refused(("goes into a folder and out again", hint)));
            }
            Component::ParentDir
            | Component::CurDir
            | Component::RootDir
            | Component::Prefix(_) => {}
        }
    }
    is_within_reach(path).map_err(refused)
}

/// Returns what is wrong with a name, and what to write instead.
fn fault(name: &str) -> Option<(&'static str, String)> {
    let other = |what: &str| format!("{what}: call it something else");
    if name.starts_with('~') {
        let hint = "write the whole path; ~/NAME is in the folder of whoever plays";
        Some((
            "begins a name with ~, which is somebody's own folder",
            hint.to_owned(),
        ))
    } else if name.starts_with('-') {
        let hint = format!("call it {}", name.trim_start_matches('-'));
        Some(("has a name that begins with -, as options do", hint))
    } else if is_device(name) {
        let hint = format!("call it {}", name.to_lowercase() + "-1");
        Some(("is a device on some machines", hint))
    } else if name.chars().any(|c| KEPT.contains(&c)) {
        Some((
            "holds a character that not every machine can keep",
            other("without < > \" | ? *"),
        ))
    } else if gate_word(name) != name {
        Some((
            "holds a character that cannot be seen",
            other("it must be seen what is meant"),
        ))
    } else if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        Some((
            "has a name with a blank or a dot at its end",
            format!("call it {}", name.trim().trim_end_matches('.')),
        ))
    } else {
        None
    }
}

/// Folders are made below this one only: a slip in a path makes none elsewhere.
fn is_within_reach(path: &Path) -> Result<(), (&'static str, String)> {
    let here = std::env::current_dir().unwrap_or_default();
    let whole = here.join(path);
    let is_outside = path.components().next() == Some(Component::ParentDir);
    let parent = whole.parent().unwrap_or(&whole);
    if parent.is_dir() || (!is_outside && whole.starts_with(&here)) {
        return Ok(());
    }
    let hint = format!(
        "make the folder {} first; folders are made below this one only",
        parent.display()
    );
    Err(("lies in a folder that is not there", hint))
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside = ['"', '\''].into_iter().find_map(|quote| {
        let (name, _) = text.strip_prefix(quote)?.split_once(quote)?;
        Some(name)
    });
    inside.unwrap_or(text)
}

fn own(text: &str) -> Option<PathBuf> {
    let rest = match text {
        "~" => "",
        text => text.strip_prefix("~/")?,
    };
    Some(std::env::home_dir()?.join(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> String {
        let refusal = new(text).unwrap_err();
        assert_eq!(refusal.code, "save/bad-path");
        refusal.message
    }

    #[test]
    fn quotes_go_and_the_own_folder_is_found() {
        assert_eq!(read(" 'a b' "), Path::new("a b"));
        assert_eq!(read("\"a\""), Path::new("a"));
        assert!(read("~/a").ends_with("a") && !read("~/a").starts_with("~"));
        assert!(!read("~").starts_with("~"));
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
            assert_eq!(new(text).unwrap(), Path::new(text), "{text}");
        }
    }

    #[test]
    fn what_one_machine_or_a_shell_takes_for_something_else_is_refused() {
        for (text, part) in [
            ("-rf", "begins with -"),
            ("a/--out", "begins with -"),
            ("CON", "is a device"),
            ("a/nul.txt", "is a device"),
            ("com1", "is a device"),
            ("a/../..", "out again"),
            ("./a/..", "out again"),
            ("~ann/a", "somebody's own folder"),
            ("a?", "not every machine"),
            ("a\u{202e}b", "cannot be seen"),
            ("a\tb", "cannot be seen"),
            ("a./b", "at its end"),
        ] {
            let why = why(text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn folders_are_made_below_this_one_only() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |path: &str| check(&folder.path().join(path));
        assert_eq!(inside("a"), Ok(()));
        let refusal = inside("a/b").unwrap_err();
        assert!(
            refusal
                .message
                .ends_with("lies in a folder that is not there")
        );
        assert_eq!(check(Path::new("not/there/yet")), Ok(()));
        assert!(why("../not/there/yet").contains("not there"));
    }
}
