//! Saves the rules of commands: each file once, and a list for each generation.
//!
//! A list has a line `SHA256  PATH` for each file, in the order of paths, as `sha256sum` prints it. The SHA-256 of
//! the list is the name of the generation; operations have this name in `rules`.

use sha2::{Digest as _, Sha256};

use super::chain::{hash_hex, is_sha256, sha256};
use super::hashed_files::Stash;
use super::{ArchiveError, disk};

/// Maximum length of a path, in characters.
const PATH: usize = 300;

/// A file of a generation of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// The path with forward slashes: `scripts/NAME/ruleset.luau`.
    pub path: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// Returns the name of the generation made of these files, in any order. Errors: `BadPath`.
pub fn generation_name(files: &[RuleFile]) -> Result<String, ArchiveError> {
    generation_name_of_hashes(file_hashes(files))
}

/// Returns the name of the generation made of files with known paths and known SHA-256 of the content.
pub fn generation_name_of_hashes(
    files: impl IntoIterator<Item = (String, [u8; 32])>,
) -> Result<String, ArchiveError> {
    list_of_hashes(files).map(|list| sha256(list.as_bytes()))
}

/// Saves a generation and returns its name. Errors: `BadPath`, the errors of the disk.
pub(super) fn pin_rules(stash: &mut Stash, files: &[RuleFile]) -> Result<String, ArchiveError> {
    let list = list_of_files(files)?;
    for file in files {
        stash.store_bytes(&file.bytes)?;
    }
    // The list is written last: if a list exists, its files exist.
    let name = stash.store_bytes(list.as_bytes())?;
    stash.sync()?;
    Ok(name)
}

/// Returns the files of a generation. Errors: `Altered`, `Unreadable`, `BadPath`.
pub(super) fn read_pinned_rules(stash: &Stash, name: &str) -> Result<Vec<RuleFile>, ArchiveError> {
    let list = stash.read_checked(name)?;
    let no_list = || ArchiveError::Altered(disk::shown_path(format!("rules/{name}")));
    let list = String::from_utf8(list).map_err(|_| no_list())?;
    let mut files = Vec::new();
    for line in list.lines() {
        let (hash, path) = line.split_once("  ").ok_or_else(no_list)?;
        files.push(RuleFile {
            path: path.to_owned(),
            bytes: stash.read_checked(hash)?,
        });
    }
    check_paths(files.iter().map(|file| file.path.as_str()))?;
    Ok(files)
}

/// Returns whether the list of a generation exists and is whole; its files are not checked.
pub(super) fn has_whole_list(stash: &Stash, name: &str) -> bool {
    is_sha256(name) && stash.read_checked(name).is_ok()
}

fn list_of_files(files: &[RuleFile]) -> Result<String, ArchiveError> {
    list_of_hashes(file_hashes(files))
}

fn file_hashes(files: &[RuleFile]) -> impl Iterator<Item = (String, [u8; 32])> {
    files.iter().map(|file| {
        let hash = Sha256::digest(&file.bytes).into();
        (file.path.clone(), hash)
    })
}

fn list_of_hashes(
    files: impl IntoIterator<Item = (String, [u8; 32])>,
) -> Result<String, ArchiveError> {
    let mut files: Vec<(String, [u8; 32])> = files.into_iter().collect();
    files.sort();
    check_paths(files.iter().map(|(path, _)| path.as_str()))?;
    let lines = files
        .iter()
        .map(|(path, hash)| format!("{}  {path}\n", hash_hex(hash)));
    Ok(lines.collect())
}

/// Checks paths that are in order. Errors: `BadPath`.
fn check_paths<'a>(paths: impl Iterator<Item = &'a str>) -> Result<(), ArchiveError> {
    let mut last = "";
    for path in paths {
        let is_part = |part: &str| !matches!(part, "" | "." | "..");
        let is_sound = path.chars().count() <= PATH
            && path.split('/').all(is_part)
            && !path.chars().any(|c| c.is_control() || c == '\\');
        if !is_sound || path <= last {
            return Err(ArchiveError::BadPath(disk::shown_path(path)));
        }
        last = path;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> RuleFile {
        RuleFile {
            path: path.to_owned(),
            bytes: text.into(),
        }
    }

    #[test]
    fn a_generation_is_read_as_it_was_kept() {
        let game = tempfile::tempdir().unwrap();
        let mut stash = Stash::new(game.path(), "rules");
        let files = [
            file("scripts/mini/b.luau", "b"),
            file("content/mini/a.yaml", ""),
        ];
        let name = pin_rules(&mut stash, &files).unwrap();
        assert_eq!(generation_name(&files), Ok(name.clone()));
        let [b, a] = files;
        assert_eq!(
            read_pinned_rules(&stash, &name),
            Ok(vec![a.clone(), b.clone()])
        );
        // The second generation shares the unchanged files.
        let second = pin_rules(&mut stash, &[a, file("scripts/mini/b.luau", "c")]).unwrap();
        assert_ne!(second, name);
        assert_eq!(disk::file_names(game.path(), "rules").unwrap().len(), 5);
        assert!(has_whole_list(&stash, &name) && !has_whole_list(&stash, "x"));
        std::fs::write(game.path().join("rules").join(sha256(b"b")), "B").unwrap();
        assert!(matches!(
            read_pinned_rules(&stash, &name),
            Err(ArchiveError::Altered(_))
        ));
        assert!(read_pinned_rules(&stash, &second).is_ok());
    }

    #[test]
    fn no_path_leads_out() {
        for path in ["", "/a", "a/../b", "a//b", ".", "a\nb", "a\\b"] {
            let refused = generation_name(&[file(path, "")]);
            assert_eq!(refused, Err(ArchiveError::BadPath(disk::shown_path(path))));
        }
        let twice = [file("a", "1"), file("a", "2")];
        assert_eq!(
            generation_name(&twice),
            Err(ArchiveError::BadPath("a".to_owned()))
        );
        // A list that another program wrote is refused too.
        let game = tempfile::tempdir().unwrap();
        let mut stash = Stash::new(game.path(), "rules");
        let hash = stash.store_bytes(b"x").unwrap();
        let list = stash
            .store_bytes(format!("{hash}  ../out\n").as_bytes())
            .unwrap();
        let refused = Err(ArchiveError::BadPath("../out".to_owned()));
        assert_eq!(read_pinned_rules(&stash, &list), refused);
        assert!(matches!(
            read_pinned_rules(&stash, &hash),
            Err(ArchiveError::Altered(_))
        ));
    }
}
