//! Reads source files for the invariants: without comments, as words, and by the modules that they
//! use.

use std::collections::BTreeSet;

use arbiter_tests::{files_below, project};

/// A source file.
pub(crate) struct File {
    /// Its path from the project's folder.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
    /// The text without comments.
    pub(crate) code: String,
}

/// Returns the files of a folder with some extensions; the path of a file gives that file.
pub(crate) fn files_with_endings(folder: &str, endings: &[&str]) -> Vec<File> {
    let root = project();
    let place = root.join(folder);
    let found = if place.is_file() {
        vec![place]
    } else {
        files_below(&place)
    };
    let fitting = found.into_iter().filter(|path| {
        path.extension()
            .is_some_and(|ending| endings.iter().any(|one| *one == ending))
    });
    let files: Vec<File> = fitting
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
            let path = path
                .strip_prefix(&root)
                .expect("found below")
                .to_string_lossy()
                .replace('\\', "/");
            File {
                path,
                code: without_comments(&text),
                text,
            }
        })
        .collect();
    assert!(!files.is_empty(), "{folder} has no files");
    files
}

/// Returns the Rust files of a folder.
pub(crate) fn rust_files(folder: &str) -> Vec<File> {
    files_with_endings(folder, &["rs"])
}

/// Removes line comments. The `//` in an address such as `https://` does not begin one.
fn without_comments(text: &str) -> String {
    let line = |line: &str| {
        let begins = line
            .match_indices("//")
            .find(|(at, _)| !line[..*at].ends_with(':'))
            .map_or(line.len(), |(at, _)| at);
        line[..begins].to_owned()
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}

impl File {
    /// Returns the host module of the file; nothing for the crate root.
    pub(crate) fn host_module(&self) -> Option<String> {
        let inner = self.path.strip_prefix("host/src/")?;
        let first = inner.split('/').next()?;
        (first != "lib.rs").then(|| first.trim_end_matches(".rs").to_owned())
    }

    /// Returns the code without a test module at its end; tests may create files and folders.
    pub(crate) fn code_without_tests(&self) -> &str {
        let at = self
            .code
            .find("#[cfg(test)]\nmod tests {")
            .unwrap_or(self.code.len());
        if self.path.ends_with("/tests.rs") || self.path.contains("/tests/") {
            ""
        } else {
            &self.code[..at]
        }
    }

    /// Returns the words of its code.
    pub(crate) fn code_words(&self) -> impl Iterator<Item = &str> {
        self.code.split(|c: char| !c.is_alphanumeric() && c != '_')
    }

    /// Returns the host modules that the file names, by `crate::` or by enough `super::` to reach
    /// the root.
    pub(crate) fn used_host_modules(&self) -> BTreeSet<String> {
        let inner = self.path.strip_prefix("host/src/").unwrap_or_default();
        let folders = inner.matches('/').count();
        let is_folder = inner.ends_with("/mod.rs");
        let to_the_root = "super::".repeat(if is_folder { folders } else { folders + 1 });
        let tests = self
            .code
            .find("#[cfg(test)]\nmod tests {")
            .unwrap_or(self.code.len());
        let (code, tests) = self.code.split_at(tests);
        let mut used: BTreeSet<String> = first_names_after_root(&self.code, "crate::")
            .into_iter()
            .collect();
        used.extend(first_names_after_root(code, &to_the_root));
        used.extend(first_names_after_root(
            tests,
            &format!("super::{to_the_root}"),
        ));
        used
    }

    /// Returns the bodies of the blocks that begin with this line.
    pub(crate) fn block_bodies(&self, opening: &str) -> Vec<&str> {
        let begins = self
            .code
            .match_indices(opening)
            .map(|(at, _)| at + opening.len());
        begins
            .map(|at| self.code[at..].split("\n}").next().unwrap_or_default())
            .collect()
    }

    /// Returns whether a field of a value is read or written, not a method called.
    pub(crate) fn reads_field(&self, value: &str, field: &str) -> bool {
        let access = format!("{value}.{field}");
        self.code.match_indices(&access).any(|(at, _)| {
            let next = self.code[at + access.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '(')
        })
    }
}

/// Returns the first names of the paths that follow a root.
fn first_names_after_root(code: &str, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(root) {
        let before = code[..at].chars().next_back();
        let rest = &code[at + root.len()..];
        if before.is_some_and(|c| c.is_alphanumeric() || c == ':' || c == '_') {
            continue;
        }
        match rest.strip_prefix('{') {
            Some(group) => found.extend(first_names_of_group(group)),
            None => found.push(leading_identifier(rest)),
        }
    }
    found.retain(|name| {
        name.chars().next().is_some_and(char::is_lowercase) && name != "super" && name != "self"
    });
    found
}

fn leading_identifier(path: &str) -> String {
    path.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// Returns the first names of `a::b, c::{d, e}}`.
fn first_names_of_group(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut heads) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(leading_identifier(group[start..at].trim()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(leading_identifier(group[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn what_a_file_uses_is_read_from_its_paths() {
    let text = "use crate::{diag::{A, B}, value::C};\n// use crate::game::X;\nuse super::super::dice::D;\nlet x = crate::doc::y();";
    let file = File {
        path: "host/src/store/apply/derived_data.rs".to_owned(),
        text: text.to_owned(),
        code: without_comments(text),
    };
    let used: Vec<String> = file.used_host_modules().into_iter().collect();
    assert_eq!(used, ["diag", "doc", "value"]);
    let file = File {
        path: "host/src/store/apply.rs".to_owned(),
        ..file
    };
    assert!(
        file.used_host_modules().contains("dice"),
        "so many supers lead to the root here"
    );
}
