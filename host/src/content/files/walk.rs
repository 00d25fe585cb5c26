//! Walks through a folder of a mod: each entry is a file, a finding, or ignored.

use std::collections::BTreeMap;
use std::fs::DirEntry;
use std::io;
use std::path::Path;

use super::super::findings::Findings;
use super::binary::{Counted, has_binary_ending, has_binary_start};
use super::folder::{Folder, LINK, is_link_error, not_file_or_folder_message, unreadable_message};
use super::path::{Naming, is_hidden_or_leftover, name_fault};
use super::{ENTRIES, File, finding_at_path, read_bytes};
use crate::content::node::shortened;
use crate::diag::Diagnostic;

/// Folders inside each other.
pub(crate) const DEPTH: usize = 16;

/// The unused part of the limits of one mod. Both folders of a mod share these limits.
#[derive(Clone, Debug)]
pub struct Budget {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    pub(crate) entries: usize,
    /// Whether a limit was passed, which is reported once.
    pub(super) spent: bool,
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
    /// Reads a folder of a mod; `prefix` is put before each path in findings: `scripts/demo`.
    ///
    /// Hidden files and left-over files of editors are ignored without a finding.
    pub fn read_mod_folder(
        root: &Path,
        prefix: &str,
        budget: &mut Budget,
    ) -> (Tree, Vec<Diagnostic>) {
        Tree::walk_files(root, Naming::Mod, prefix, budget)
    }

    /// Reads a folder that is not a mod: names may contain spaces and apostrophes too. Everything else is as in `read`.
    pub fn read_data_folder(
        root: &Path,
        prefix: &str,
        budget: &mut Budget,
    ) -> (Tree, Vec<Diagnostic>) {
        Tree::walk_files(root, Naming::Folder, prefix, budget)
    }

    /// Reads some of the folders in a folder of a mod, as in `read`. Missing folders count as empty.
    pub fn read_subfolders(
        root: &Path,
        parts: &[String],
        prefix: &str,
        budget: &mut Budget,
    ) -> (Tree, Vec<Diagnostic>) {
        let mut walk = Walk {
            naming: Naming::Mod,
            prefix,
            budget,
            files: Vec::new(),
            binary: Counted::default(),
            findings: Findings::default(),
        };
        let Ok(root) = Folder::open_root(root) else {
            return walk.finish();
        };
        for part in parts {
            match root.open_inner(part) {
                Ok(folder) => walk.walk_folder(&folder, part, 1),
                Err(error) if is_link_error(&error) => {}
                Err(error) => match error.kind() {
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {}
                    _ => walk.report_closed_folder(part, &error),
                },
            }
        }
        walk.finish()
    }

    fn walk_files(
        root: &Path,
        naming: Naming,
        prefix: &str,
        budget: &mut Budget,
    ) -> (Tree, Vec<Diagnostic>) {
        let mut walk = Walk {
            naming,
            prefix,
            budget,
            files: Vec::new(),
            binary: Counted::default(),
            findings: Findings::default(),
        };
        match Folder::open_root(root) {
            Ok(root) => walk.walk_folder(&root, "", 0),
            Err(error) => walk.add_finding(
                "",
                "content/unreadable",
                unreadable_message(&error),
                "check the folder and its permissions",
            ),
        }
        walk.finish()
    }
}

struct Walk<'a> {
    naming: Naming,
    prefix: &'a str,
    budget: &'a mut Budget,
    files: Vec<File>,
    /// Files that are not texts.
    binary: Counted,
    findings: Findings,
}

impl Walk<'_> {
    /// Returns the files and findings, in the order of paths.
    fn finish(mut self) -> (Tree, Vec<Diagnostic>) {
        self.refuse_case_twins();
        let binary = self.binary.to_finding();
        let binary = binary.map(|told| finding_at_path(&self.shown_path(""), told));
        self.findings.extend(binary);
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        (Tree { files: self.files }, self.findings.into_vec())
    }

    /// Reads the contents of a folder, in the order of names; `inner` is its path below the root.
    fn walk_folder(&mut self, folder: &Folder, inner: &str, depth: usize) {
        if depth > DEPTH {
            let message = format!("folders are nested more than {DEPTH} levels deep");
            return self.add_finding(
                inner,
                "limit/depth",
                message,
                "move the files to a higher folder",
            );
        }
        let mut entries = match folder.list(self.budget.entries) {
            Ok(entries) => entries,
            Err(error) => return self.report_closed_folder(inner, &error),
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
                return self.add_finding(
                    inner,
                    "limit/size",
                    message,
                    &format!("remove what {} does not need", self.naming.noun()),
                );
            }
            self.read_entry(folder, &entry, inner, depth);
        }
    }

    /// Reports a folder that cannot be opened.
    fn report_closed_folder(&mut self, inner: &str, error: &io::Error) {
        let hint = "check the permissions of the folder";
        self.add_finding(inner, "content/unreadable", unreadable_message(error), hint);
    }

    fn read_entry(&mut self, folder: &Folder, entry: &DirEntry, inner: &str, depth: usize) {
        let raw = entry.file_name();
        let name = raw.to_string_lossy();
        if is_hidden_or_leftover(&name) {
            return;
        }
        let path = if inner.is_empty() {
            name.to_string()
        } else {
            format!("{inner}/{name}")
        };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && has_binary_ending(&name) {
            return self.binary.count_file(&path);
        }
        if let Some(fault) = name_fault(self.naming, &name, &path)
            .or(raw.to_str().is_none().then_some("is not valid UTF-8"))
        {
            let message = format!("the name {:?} {fault}", shortened(&name));
            return self.add_finding(&path, "content/path", message, self.naming.hint());
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && is_named_like_file(&name) => self.add_finding(
                &path,
                "content/path",
                "expected a file, found a folder",
                "remove the ending from the name of the folder, or put the file itself here",
            ),
            Ok(kind) if kind.is_dir() => match folder.open_inner(&name) {
                Ok(folder) => self.walk_folder(&folder, &path, depth + 1),
                Err(error) if is_link_error(&error) => {
                    self.add_finding(&path, "content/path", LINK, "put the file itself here");
                }
                Err(error) => self.report_closed_folder(&path, &error),
            },
            Ok(kind) if kind.is_file() => self.read_file(folder, &name, path),
            Ok(kind) => self.add_finding(
                &path,
                "content/path",
                not_file_or_folder_message(kind),
                "put the file itself here",
            ),
            Err(error) => self.add_finding(
                &path,
                "content/unreadable",
                unreadable_message(&error),
                "check its permissions",
            ),
        }
    }

    fn read_file(&mut self, folder: &Folder, name: &str, path: String) {
        if self.budget.spent {
            return;
        }
        if self.budget.files == 0 {
            self.budget.spent = true;
            let message = format!(
                "{} has more than 2,000 files, the rest is not read",
                self.naming.noun()
            );
            return self.add_finding(
                &path,
                "limit/size",
                message,
                "put several definitions into one file",
            );
        }
        self.budget.files -= 1;
        let bytes = match folder.read_file(name) {
            Ok(bytes) => bytes,
            Err(fault) => return self.add_finding(&path, fault.code, fault.message, fault.hint),
        };
        if has_binary_start(&path, &bytes) {
            return self.binary.count_file(&path);
        }
        let length = bytes.len() as u64;
        if length > self.budget.bytes {
            self.budget.spent = true;
            let message = format!(
                "{} has more than 16 MiB, the rest is not read",
                self.naming.noun()
            );
            return self.add_finding(
                &path,
                "limit/size",
                message,
                &format!("remove what {} does not need", self.naming.noun()),
            );
        }
        self.budget.bytes -= length;
        let (file, findings) = read_bytes(&path, self.shown_path(&path), &bytes);
        self.files.extend(file);
        self.findings.extend(findings);
    }

    /// Refuses paths that are one file on machines that do not distinguish upper from lower case.
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
            self.add_finding(
                &path,
                "content/path",
                message,
                "rename one: some systems treat both as the same file",
            );
        }
    }

    fn add_finding(
        &mut self,
        path: &str,
        code: &'static str,
        message: impl Into<String>,
        hint: &str,
    ) {
        self.findings.push(finding_at_path(
            &self.shown_path(path),
            Diagnostic::error(code, message).hint(hint),
        ));
    }

    fn shown_path(&self, path: &str) -> String {
        match (self.prefix.is_empty(), path.is_empty()) {
            (true, _) => path.to_owned(),
            (false, true) => self.prefix.to_owned(),
            (false, false) => format!("{}/{path}", self.prefix),
        }
    }
}

/// Returns whether a name is a name of a script or of content, which a folder must not have.
fn is_named_like_file(name: &str) -> bool {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["luau", "yaml"].contains(&ending))
}
