//! Writes posts as files, and keeps a list of them in their folder: a file whose reader has no such post now is removed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use host::diag::Diagnostic;
use host::store::archive::sha256;

use crate::export;

/// The list in a folder of posts: hash, name and reader of each written file, one a line.
const LIST: &str = ".arbiter-posts";

/// One post for a file.
pub(crate) struct PostFile {
    /// The name of the file.
    pub(crate) name: String,
    /// The reader, as the text of an audience.
    pub(crate) to: String,
    /// The post, in words.
    pub(crate) what: String,
    /// The content of the file.
    pub(crate) text: String,
}

/// Writes one file for each post, and removes earlier files of readers who get new ones. With posts for each reader, these
/// are all readers but groups and the game master. A file that somebody changed stays. Out: reports.
///
/// Errors: a file is not ours, and then none is written; a file cannot be written.
pub(crate) fn write_post_files(
    folder: &Path,
    posts: &[PostFile],
    is_for_each: bool,
) -> Result<Vec<String>, Box<Diagnostic>> {
    for post in posts {
        export::check_file_is_ours(&folder.join(&post.name), false)?;
    }
    let mut told = Vec::new();
    for post in posts {
        let report = export::write_export_file(&folder.join(&post.name), &post.text, false)?;
        told.push(format!("{}: {report}", post.what));
    }
    let place = folder.join(LIST);
    let mut listed = Listed::parse_list(&fs::read_to_string(&place).unwrap_or_default());
    let gets_new = |to: &str| match is_for_each {
        true => to != "gm" && !to.starts_with("group:"),
        false => posts
            .iter()
            .any(|post| post.to.escape_debug().eq(to.chars())),
    };
    listed.retain(|name, earlier| {
        if posts.iter().any(|post| post.name == *name) || !gets_new(&earlier.to) {
            return true;
        }
        told.extend(earlier.remove_unchanged_in(folder, name));
        false
    });
    listed.extend(posts.iter().map(Listed::of_post));
    export::write_whole_file(&place, &Listed::list_text(&listed))?;
    Ok(told)
}

/// A written file: a line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    /// The hash of the written text.
    hash: String,
    /// The reader, in one line.
    to: String,
}

impl Listed {
    fn of_post(post: &PostFile) -> (String, Listed) {
        let listed = Listed {
            hash: sha256(post.text.as_bytes()),
            to: post.to.escape_debug().to_string(),
        };
        (post.name.clone(), listed)
    }

    /// Reads a list: the files by name. A line that names a file elsewhere is left out.
    fn parse_list(text: &str) -> BTreeMap<String, Listed> {
        let lines = text.lines().filter_map(|line| {
            let mut parts = line.splitn(3, ' ');
            let (hash, name, to) = (parts.next()?, parts.next()?, parts.next()?);
            let is_name = !name.contains(['/', '\\', ':']) && !name.starts_with('.');
            let (hash, to) = (hash.to_owned(), to.to_owned());
            is_name.then(|| (name.to_owned(), Listed { hash, to }))
        });
        lines.collect()
    }

    fn list_text(listed: &BTreeMap<String, Listed>) -> String {
        let lines = listed
            .iter()
            .map(|(name, one)| format!("{} {name} {}\n", one.hash, one.to));
        lines.collect()
    }

    /// Removes the file if it still has the written text. Out: a report, if there is a file.
    fn remove_unchanged_in(&self, folder: &Path, name: &str) -> Option<String> {
        let path = folder.join(name);
        let found = fs::symlink_metadata(&path).ok()?;
        let is_same = || fs::read(&path).is_ok_and(|text| sha256(&text) == self.hash);
        let is_removed = found.is_file() && is_same() && fs::remove_file(&path).is_ok();
        let path = path.display();
        Some(match is_removed {
            true => format!("removed {path}: an earlier post"),
            false => {
                format!("{path} stays: it is an earlier post that was changed or cannot be removed")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_files_of_its_folder_alone() {
        let text = "aa Ann.md Ann\nbb ../Bo.md Bo\ncc .hidden Bo\ndd\nee a-b.md group:red fox\n";
        let listed = Listed::parse_list(text);
        let names: Vec<&str> = listed.keys().map(String::as_str).collect();
        assert_eq!(names, ["Ann.md", "a-b.md"]);
        assert_eq!(listed["a-b.md"].to, "group:red fox");
        assert_eq!(Listed::parse_list(&Listed::list_text(&listed)), listed);
    }
}
