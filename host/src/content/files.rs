//! This module reads the files of mods and data files from disk, and is hostile to everything it finds there.
//!
//! Nothing it meets stops the reading: each file that cannot be taken is a finding, and the others are read.
//! Links are never followed inside a mod: a file is opened first, then the open file is compared with the place
//! it should be at.

mod decode;
mod path;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::findings::Findings;
use super::name::is_id;
use crate::diag::{Diagnostic, Source, Span, near_hint};

use self::decode::decode;
use self::path::{is_leftover, name_fault};

/// Bytes of one file of a mod.
pub const FILE_BYTES: u64 = 256 << 10;

/// Bytes of a data file that a person names.
pub const DATA_BYTES: u64 = 8 << 20;

/// Folders inside each other.
const DEPTH: usize = 16;

/// Entries looked at in all folders of a mod, also those that are ignored.
const ENTRIES: usize = 20_000;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct File {
    /// Where it lies in its folder, with forward slashes: `commands/pool.luau`.
    pub path: String,
    /// Its text without byte-order mark and carriage returns; its name is the path people see.
    pub source: Arc<Source>,
    /// SHA-256 of its bytes on disk.
    pub hash: [u8; 32],
}

/// What is left of the limits of one mod: both its folders share them.
#[derive(Clone, Debug)]
pub struct Budget {
    files: usize,
    bytes: u64,
    entries: usize,
    /// Whether a limit was passed, which is told once.
    spent: bool,
}

impl Default for Budget {
    /// A whole mod: 2,000 files, 16 MiB.
    fn default() -> Budget {
        Budget {
            files: 2_000,
            bytes: 16 << 20,
            entries: ENTRIES,
            spent: false,
        }
    }
}

/// The files of a folder of a mod.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The files, sorted by path.
    pub files: Vec<File>,
}

impl Tree {
    /// Reads a folder of a mod; `prefix` stands before each path in findings: `scripts/demo`.
    ///
    /// Hidden files and what editors leave behind are ignored without a word.
    pub fn read(root: &Path, prefix: &str, budget: &mut Budget) -> (Tree, Vec<Diagnostic>) {
        let mut walk = Walk {
            prefix,
            budget,
            files: Vec::new(),
            findings: Findings::default(),
        };
        match fs::canonicalize(root) {
            Ok(root) => walk.folder(&root, "", 0),
            Err(error) => walk.find(
                "",
                "content/unreadable",
                why(&error),
                "check the folder and its permissions",
            ),
        }
        walk.refuse_case_twins();
        walk.files.sort_by(|a, b| a.path.cmp(&b.path));
        (Tree { files: walk.files }, walk.findings.into_vec())
    }
}

struct Walk<'a> {
    prefix: &'a str,
    budget: &'a mut Budget,
    files: Vec<File>,
    findings: Findings,
}

impl Walk<'_> {
    /// Reads what lies in a folder, in the order of names; `inner` is its path below the root.
    fn folder(&mut self, folder: &Path, inner: &str, depth: usize) {
        if depth > DEPTH {
            let message = format!("folders lie more than {DEPTH} deep in each other");
            return self.find(inner, "limit/depth", message, "move the files up");
        }
        let mut entries = match list(folder, self.budget.entries) {
            Ok(entries) => entries,
            Err(error) => {
                return self.find(
                    inner,
                    "content/unreadable",
                    why(&error),
                    "check the permissions of the folder",
                );
            }
        };
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            if self.budget.entries == 0 {
                return;
            }
            self.budget.entries -= 1;
            if self.budget.entries == 0 {
                let message = format!(
                    "the mod has more than {ENTRIES} files and folders, the rest is not read"
                );
                return self.find(
                    inner,
                    "limit/size",
                    message,
                    "remove what the mod does not need",
                );
            }
            self.entry(&entry, inner, depth);
        }
    }

    fn entry(&mut self, entry: &DirEntry, inner: &str, depth: usize) {
        let raw = entry.file_name();
        let name = raw.to_string_lossy();
        if is_leftover(&name) {
            return;
        }
        let path = if inner.is_empty() {
            name.to_string()
        } else {
            format!("{inner}/{name}")
        };
        if let Some(fault) =
            name_fault(&name, &path).or(raw.to_str().is_none().then_some("is no UTF-8"))
        {
            let message = format!("the name {:?} {fault}", super::node::shortened(&name));
            return self.find(
                &path,
                "content/path",
                message,
                "name it with a-z, A-Z, 0-9, _, - and a dot",
            );
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && is_named_like_file(&name) => self.find(
                &path,
                "content/path",
                "this is a folder, a file is expected",
                "name the folder without the ending, or put the file itself here",
            ),
            Ok(kind) if kind.is_dir() => self.folder(&entry.path(), &path, depth + 1),
            Ok(kind) if kind.is_file() => self.file(&entry.path(), path),
            Ok(kind) => self.find(
                &path,
                "content/path",
                kind_fault(kind),
                "put the file itself here",
            ),
            Err(error) => self.find(
                &path,
                "content/unreadable",
                why(&error),
                "check its permissions",
            ),
        }
    }

    fn file(&mut self, place: &Path, path: String) {
        if self.budget.spent {
            return;
        }
        if self.budget.files == 0 {
            self.budget.spent = true;
            let message = "the mod has more than 2,000 files, the rest is not read";
            return self.find(
                &path,
                "limit/size",
                message,
                "put several things into one file",
            );
        }
        self.budget.files -= 1;
        let bytes = match read_in_place(place) {
            Ok(bytes) => bytes,
            Err(fault) => return self.find(&path, fault.code, fault.message, fault.hint),
        };
        let length = bytes.len() as u64;
        if length > self.budget.bytes {
            self.budget.spent = true;
            let message = "the mod has more than 16 MiB, the rest is not read";
            return self.find(
                &path,
                "limit/size",
                message,
                "remove what the mod does not need",
            );
        }
        self.budget.bytes -= length;
        let (file, findings) = take(path.clone(), self.shown(&path), &bytes);
        self.files.extend(file);
        self.findings.extend(findings);
    }

    /// Finds paths that are one file on machines that do not tell upper from lower case.
    fn refuse_case_twins(&mut self) {
        let mut first: BTreeMap<String, String> = BTreeMap::new();
        let mut twins = Vec::new();
        for file in &self.files {
            if let Some(other) = first.insert(file.path.to_ascii_lowercase(), file.path.clone()) {
                twins.push((file.path.clone(), other));
            }
        }
        for (path, other) in twins {
            let message = format!("the path differs from {other} only in upper and lower case");
            self.find(
                &path,
                "content/path",
                message,
                "rename one: some machines take both for one file",
            );
        }
    }

    fn find(&mut self, path: &str, code: &'static str, message: impl Into<String>, hint: &str) {
        self.findings.push(about(
            &self.shown(path),
            Diagnostic::error(code, message).hint(hint),
        ));
    }

    fn shown(&self, path: &str) -> String {
        match (self.prefix.is_empty(), path.is_empty()) {
            (true, _) => path.to_owned(),
            (false, true) => self.prefix.to_owned(),
            (false, false) => format!("{}/{path}", self.prefix),
        }
    }
}

/// Returns the file of these bytes; a text with an error gives findings only.
fn take(path: String, shown: String, bytes: &[u8]) -> (Option<File>, Vec<Diagnostic>) {
    let (source, findings) = decode(&shown, bytes);
    let sound = !findings.iter().any(Diagnostic::is_error);
    let file = sound.then(|| File {
        path,
        source,
        hash: Sha256::digest(bytes).into(),
    });
    (file, findings)
}

/// Puts a finding at a path whose text is not known.
fn about(path: &str, finding: Diagnostic) -> Diagnostic {
    let shown: String = path
        .chars()
        .flat_map(|c| {
            // Names may hold anything; the finding shows control characters as escapes.
            if c.is_control() {
                c.escape_debug().collect::<Vec<_>>()
            } else {
                vec![c]
            }
        })
        .collect();
    finding.at(&Source::new(shown, ""), Span::default())
}

/// Why a file cannot be taken.
struct Fault {
    code: &'static str,
    message: String,
    hint: &'static str,
}

/// Reads a file of a mod through its handle and makes sure that it is the file at this very place.
fn read_in_place(place: &Path) -> Result<Vec<u8>, Fault> {
    let unreadable = |error: io::Error| Fault {
        code: "content/unreadable",
        message: why(&error),
        hint: "check its permissions",
    };
    let handle = fs::File::open(place).map_err(unreadable)?;
    let opened = handle.metadata().map_err(unreadable)?;
    let resolved = fs::canonicalize(place).map_err(unreadable)?;
    let there = fs::symlink_metadata(place).map_err(unreadable)?;
    if resolved != place || !there.is_file() || !is_same_file(&opened, &there) {
        let message = "the file leads out of its place through a link".to_owned();
        return Err(Fault {
            code: "content/path",
            message,
            hint: "put the file itself here",
        });
    }
    read_at_most(handle, FILE_BYTES)
        .map_err(unreadable)?
        .ok_or_else(|| too_long(FILE_BYTES))
}

fn too_long(most: u64) -> Fault {
    let message = format!("the file has more than {} KiB", most >> 10);
    Fault {
        code: "limit/size",
        message,
        hint: "split the file",
    }
}

/// Returns the bytes, or none when there are more than `most`.
fn read_at_most(handle: fs::File, most: u64) -> io::Result<Option<Vec<u8>>> {
    // With room for all that is expected a file is read in one go; it may still be shorter or longer.
    let expected = handle.metadata()?.len().min(most) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    handle.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    (a.len(), a.modified().ok()) == (b.len(), b.modified().ok())
}

/// Returns at most `most` entries of a folder; an entry that cannot be read is left out.
fn list(folder: &Path, most: usize) -> io::Result<Vec<DirEntry>> {
    Ok(fs::read_dir(folder)?
        .take(most)
        .filter_map(Result::ok)
        .collect())
}

/// Returns whether a name is that of a script or of content, which a folder does not have.
fn is_named_like_file(name: &str) -> bool {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["luau", "yaml"].contains(&ending))
}

fn kind_fault(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "a link lies here, and links are not followed"
    } else {
        "this is neither a file nor a folder"
    }
}

/// Returns the reason of the machine in words that are the same everywhere.
fn why(error: &io::Error) -> String {
    format!("it cannot be read: {}", error.kind())
}

/// Reads a data file that a person names, of at most 8 MiB; links are followed, the path is an ordinary one.
///
/// Findings: `content/missing-file` with the nearest names of its folder, `content/path` for a folder,
/// `content/unreadable`, `limit/size`, and those about its text.
pub fn read_data_file(path: &Path) -> (Option<File>, Vec<Diagnostic>) {
    let shown = path.to_string_lossy().into_owned();
    match read_named(path) {
        Ok(bytes) => {
            let name = path
                .file_name()
                .map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
            take(name, shown, &bytes)
        }
        Err(finding) => (None, vec![about(&shown, finding)]),
    }
}

fn read_named(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            Diagnostic::error("content/missing-file", "there is no such file")
                .hint(near_files(path))
        }
        _ => Diagnostic::error("content/unreadable", why(&error)).hint("check its permissions"),
    };
    // Asked before opening: opening a pipe would wait for its other end.
    let kind = fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        let names = near_files(&path.join("-"));
        return Err(Diagnostic::error("content/path", "this is a folder, not a file").hint(names));
    }
    if !kind.is_file() {
        return Err(Diagnostic::error(
            "content/path",
            "this is neither a file nor a folder",
        ));
    }
    let handle = fs::File::open(path).map_err(unreadable)?;
    let fault = too_long(DATA_BYTES);
    let too_long = || Diagnostic::error(fault.code, fault.message).hint(fault.hint);
    read_at_most(handle, DATA_BYTES)
        .map_err(unreadable)?
        .ok_or_else(too_long)
}

/// Returns a hint with the files of the folder of a path that are named like it, or with some of them.
fn near_files(path: &Path) -> String {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let Ok(entries) = list(parent, ENTRIES) else {
        return format!("there is no folder {}", parent.to_string_lossy());
    };
    let mut names: Vec<String> = entries
        .iter()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.retain(|name| !is_leftover(name));
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let near = near_hint(&wanted, names.iter().map(String::as_str));
    if !near.is_empty() || names.is_empty() {
        return near;
    }
    names.truncate(8);
    format!("files there are {}", names.join(", "))
}

/// A mod: a folder of scripts, a folder of content, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mod {
    /// Its name, an id.
    pub name: String,
    /// Its folder of scripts.
    pub scripts: Option<PathBuf>,
    /// Its folder of content.
    pub content: Option<PathBuf>,
}

impl Mod {
    /// Returns whether a file lies in its folder of scripts.
    pub fn has_script(&self, path: &str) -> bool {
        self.scripts
            .as_ref()
            .is_some_and(|folder| folder.join(path).is_file())
    }
}

/// Returns the nearest folder at or above `start` that has `scripts/` and `content/`.
pub fn find_home(start: &Path) -> Option<PathBuf> {
    let is_home =
        |folder: &&Path| folder.join("scripts").is_dir() && folder.join("content").is_dir();
    start.ancestors().find(is_home).map(Path::to_path_buf)
}

/// Finds the mods below `home` and below each folder of `mods`, in the order of names.
///
/// Findings: `content/missing-folder`, `content/mod-name`, `content/duplicate-mod` (the first one stays), and
/// a warning `content/stray-file` for a file that lies beside the mods.
pub fn discover(home: &Path, mods: &[PathBuf]) -> (Vec<Mod>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let mut found: BTreeMap<String, (Mod, &Path)> = BTreeMap::new();
    for place in std::iter::once(home).chain(mods.iter().map(PathBuf::as_path)) {
        for one in mods_of(place, &mut findings) {
            if let Some((_, first)) = found.get(&one.name) {
                let message = format!("the mod {} is in {} too", one.name, first.to_string_lossy());
                let finding = Diagnostic::error("content/duplicate-mod", message)
                    .hint("rename or remove one of the two");
                findings.push(about(&place.to_string_lossy(), finding));
            } else {
                found.insert(one.name.clone(), (one, place));
            }
        }
    }
    (
        found.into_values().map(|(one, _)| one).collect(),
        findings.into_vec(),
    )
}

/// Returns the mods of one folder, which holds `scripts/NAME/` and `content/NAME/`.
fn mods_of(place: &Path, findings: &mut Findings) -> Vec<Mod> {
    let mut found: BTreeMap<String, Mod> = BTreeMap::new();
    let mut any = false;
    for part in ["scripts", "content"] {
        let folder = place.join(part);
        let Ok(entries) = list(&folder, ENTRIES) else {
            continue;
        };
        any = true;
        let mut entries: Vec<(String, DirEntry)> = entries
            .into_iter()
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, entry) in entries {
            if !is_mod(&name, &entry, &folder, findings) {
                continue;
            }
            let one = found.entry(name.clone()).or_insert(Mod {
                name,
                scripts: None,
                content: None,
            });
            let folder = if part == "scripts" {
                &mut one.scripts
            } else {
                &mut one.content
            };
            *folder = Some(entry.path());
        }
    }
    if !any {
        let finding = Diagnostic::error(
            "content/missing-folder",
            "there is no folder scripts or content here",
        )
        .hint("a folder of mods holds scripts/NAME and content/NAME");
        findings.push(about(&place.to_string_lossy(), finding));
    }
    found.into_values().collect()
}

fn is_mod(name: &str, entry: &DirEntry, folder: &Path, findings: &mut Findings) -> bool {
    if is_leftover(name) {
        return false;
    }
    let shown = format!("{}/{name}", folder.to_string_lossy());
    let finding = match entry.file_type() {
        Ok(kind) if kind.is_dir() && is_id(name) => return true,
        Ok(kind) if kind.is_dir() => {
            let message = format!("the folder {name:?} has no name a mod can have");
            Diagnostic::error("content/mod-name", message)
                .hint("name it with 1 to 64 of a-z, 0-9, _ and -")
        }
        Ok(kind) if kind.is_file() && !path::is_loaded(name) => return false,
        Ok(kind) if kind.is_file() => Diagnostic::warning(
            "content/stray-file",
            "the file lies beside the mods and is never read",
        )
        .hint("move it into the folder of a mod"),
        Ok(kind) => Diagnostic::error("content/path", kind_fault(kind))
            .hint("name the folder with --mods instead"),
        Err(error) => {
            Diagnostic::error("content/unreadable", why(&error)).hint("check its permissions")
        }
    };
    findings.push(about(&shown, finding));
    false
}
