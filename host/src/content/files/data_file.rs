//! Reads a data file that a user names: links are followed, and the path is an ordinary one.

use std::fs;
use std::io;
use std::path::{Component, Path};

use super::folder::{list_folder, read_at_most, too_long_fault, unreadable_message};
use super::path::is_hidden_or_leftover;
use super::{DATA_BYTES, ENTRIES, File, finding_at_path, read_bytes};
use crate::diag::{Diagnostic, near_hint};

/// Reads a data file of at most 8 MiB.
///
/// Findings: `content/missing-file` with the nearest names of its folder, `content/path` for a folder,
/// `content/unreadable`, `limit/size`, and those about its text.
pub fn read_data_file(path: &Path) -> (Option<File>, Vec<Diagnostic>) {
    let shown = path.to_string_lossy().into_owned();
    match read_data_bytes(path) {
        Ok(bytes) => {
            let name = path
                .file_name()
                .map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
            read_bytes(&name, shown, &bytes)
        }
        Err(finding) => (None, vec![finding_at_path(&shown, finding)]),
    }
}

/// Refuses a link that leads out of its folder, or out of `folder` if the path is below that folder.
///
/// To use a linked file, the user names that file itself. So a folder packed by another person shows no file of this
/// machine. Findings: `content/link`.
pub fn outside_link_refusal(folder: &Path, path: &Path) -> Option<Diagnostic> {
    let whole = folder.join(path);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_below = path.components().all(is_plain);
    let base = if is_below { folder } else { whole.parent()? };
    let base = match base.as_os_str().is_empty() {
        true => Path::new("."),
        false => base,
    };
    let (base, target) = (base.canonicalize().ok()?, whole.canonicalize().ok()?);
    // A folder is not a file, and is reported as such.
    if target.starts_with(&base) || target.is_dir() {
        return None;
    }
    let message = "the link points outside the folder it is given in";
    let finding = Diagnostic::error("content/link", message);
    let finding = finding.hint(format!(
        "to use this file, name it directly: {}",
        target.display()
    ));
    Some(finding_at_path(&path.to_string_lossy(), finding))
}

fn read_data_bytes(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            Diagnostic::error("content/missing-file", missing_file_message(path))
                .hint(near_files_hint(path))
        }
        _ => Diagnostic::error("content/unreadable", unreadable_message(&error))
            .hint("check its permissions"),
    };
    // Checked before opening: opening a pipe would wait for its other end.
    let kind = fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        let names = near_files_hint(&path.join("-"));
        return Err(Diagnostic::error("content/path", "this is a folder, not a file").hint(names));
    }
    if !kind.is_file() {
        return Err(Diagnostic::error(
            "content/path",
            "this is neither a file nor a folder",
        ));
    }
    let handle = fs::File::open(path).map_err(unreadable)?;
    let fault = too_long_fault(DATA_BYTES);
    let too_long = || Diagnostic::error(fault.code, fault.message).hint(fault.hint);
    read_at_most(handle, DATA_BYTES)
        .map_err(unreadable)?
        .ok_or_else(too_long)
}

/// Returns `no file named x.txt`. The place of the finding is the whole path.
fn missing_file_message(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    format!("no file named {}", name.to_string_lossy())
}

/// Maximum number of names in the hint about a folder.
const NAMED: usize = 8;

/// Returns a hint with the files in the folder of a path that have similar names, or with some of its files.
fn near_files_hint(path: &Path) -> String {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let Ok(entries) = list_folder(parent, ENTRIES) else {
        return format!("there is no folder {}", parent.to_string_lossy());
    };
    let mut names: Vec<String> = entries
        .iter()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.retain(|name| !is_hidden_or_leftover(name));
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let near = near_hint(&wanted, names.iter().map(String::as_str));
    if !near.is_empty() || names.is_empty() {
        return near;
    }
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.truncate(NAMED);
    format!("in this folder: {}{more}", names.join(", "))
}
