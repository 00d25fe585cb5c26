//! Copies folders of content, so that tests may change them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::files_below;

/// Returns a copy of a folder; it is removed when this value is dropped.
pub fn copy_folder(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().expect("there is room for a folder");
    for (path, text) in files_by_path(folder) {
        write_file(copy.path(), &path, text);
    }
    copy
}

/// Returns the files of a folder by their paths in it.
pub fn files_by_path(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = files_below(folder).into_iter();
    let named = |file: PathBuf| {
        let path = file.strip_prefix(folder).expect("it was found below");
        let path = path.to_str().expect("paths are UTF-8").to_owned();
        (path, fs::read(&file).expect("a file can be read"))
    };
    files.map(named).collect()
}

/// Writes a file of a folder, and the folders above it.
pub fn write_file(folder: &Path, path: &str, text: impl AsRef<[u8]>) {
    let place = folder.join(path);
    let parent = place.parent().expect("a file lies in a folder");
    fs::create_dir_all(parent).expect("folders can be made");
    fs::write(place, text).expect("a file can be written");
}
