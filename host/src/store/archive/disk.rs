//! Opens, reads and writes files of a game: only in their place, never through a link, completely or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use super::ArchiveError;

/// Returns a name or path in the form shown to people.
pub(super) fn shown_path(path: impl AsRef<Path>) -> String {
    let text = path.as_ref().to_string_lossy();
    text.chars().take(200).flat_map(escape_hidden).collect()
}

fn escape_hidden(letter: char) -> Vec<char> {
    let is_hidden = letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    if is_hidden {
        letter.escape_unicode().collect()
    } else {
        vec![letter]
    }
}

/// Returns the error for a file that cannot be read.
pub(super) fn unreadable_file_error(name: &str, error: &io::Error) -> ArchiveError {
    ArchiveError::Unreadable(shown_path(name), error.kind())
}

/// Returns the error for a file or folder that cannot be written.
pub(super) fn not_written_error(error: &io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::StorageFull
        | io::ErrorKind::QuotaExceeded
        | io::ErrorKind::FileTooLarge
        | io::ErrorKind::WriteZero => ArchiveError::Full,
        kind => ArchiveError::NotWritten(kind),
    }
}

/// Returns whether a file is in a folder. Errors: `Link`, `WrongKind`, `Unreadable`.
pub(super) fn file_exists(folder: &Path, name: &str) -> Result<bool, ArchiveError> {
    match fs::symlink_metadata(folder.join(name)) {
        Ok(there) if there.is_symlink() => Err(ArchiveError::Link(shown_path(name))),
        Ok(there) if there.is_file() => Ok(true),
        Ok(there) => {
            let what = match there.is_dir() {
                true => "is a folder, expected a file",
                false => "is neither a file nor a folder, expected a file",
            };
            Err(ArchiveError::WrongKind(shown_path(name), what))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unreadable_file_error(name, &error)),
    }
}

/// Opens the file with this name in a folder.
///
/// Errors: `Link`, `WrongKind`, `Unreadable`. Only a plain file is opened: a pipe would never end.
pub(super) fn open_file(
    folder: &Path,
    name: &str,
    options: &OpenOptions,
) -> Result<File, ArchiveError> {
    if !file_exists(folder, name)? {
        return Err(ArchiveError::Unreadable(
            shown_path(name),
            io::ErrorKind::NotFound,
        ));
    }
    let place = folder.join(name);
    let failed = |error: io::Error| unreadable_file_error(name, &error);
    let file = options.open(&place).map_err(failed)?;
    let (opened, there) = (
        file.metadata().map_err(failed)?,
        fs::symlink_metadata(&place).map_err(failed)?,
    );
    if there.is_symlink() || !is_same_file(&opened, &there) {
        return Err(ArchiveError::Link(shown_path(name)));
    }
    Ok(file)
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    (a.len(), a.created().ok()) == (b.len(), b.created().ok())
}

/// Reads a file of a folder. Errors: the errors of [`open_file`], `TooLong`.
pub(super) fn read_file(folder: &Path, name: &str, most: u64) -> Result<Vec<u8>, ArchiveError> {
    let file = open_file(folder, name, OpenOptions::new().read(true))?;
    let mut bytes = Vec::new();
    let done = file.take(most + 1).read_to_end(&mut bytes);
    done.map_err(|error| unreadable_file_error(name, &error))?;
    if bytes.len() as u64 > most {
        return Err(ArchiveError::TooLong(shown_path(name)));
    }
    Ok(bytes)
}

/// Reads a file of `N` bytes. Errors: the errors of [`open_file`], `WrongSize`.
pub(super) fn read_file_of_size<const N: usize>(
    folder: &Path,
    name: &str,
) -> Result<[u8; N], ArchiveError> {
    let failed = |error: io::Error| unreadable_file_error(name, &error);
    let file = open_file(folder, name, OpenOptions::new().read(true))?;
    let (found, expected) = (file.metadata().map_err(failed)?.len(), N as u64);
    let mut bytes = Vec::new();
    file.take(expected + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let wrong = |_| ArchiveError::WrongSize {
        name: shown_path(name),
        found,
        expected,
    };
    <[u8; N]>::try_from(bytes).map_err(wrong)
}

/// Writes a file completely or not at all, even if power is lost; an earlier file is replaced.
///
/// Shape: [`sync_folder`] makes its name safe. Errors: `Full`, `NotWritten`.
pub(super) fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
    write_file_with(folder, name, bytes, File::sync_all)
}

/// Writes a file completely or not at all while there is power. The reader of the file checks that it is complete.
///
/// Errors: `Full`, `NotWritten`.
pub(super) fn write_file_unsynced(
    folder: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<(), ArchiveError> {
    write_file_with(folder, name, bytes, |_| Ok(()))
}

fn write_file_with(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    sync: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), ArchiveError> {
    let beside = folder.join(format!(".new-{name}"));
    let _ = fs::remove_file(&beside);
    let written = || {
        let mut file =
            owner_only_options(OpenOptions::new().write(true).create_new(true)).open(&beside)?;
        file.write_all(bytes)?;
        sync(&file)?;
        fs::rename(&beside, folder.join(name))
    };
    written().map_err(|error| {
        let _ = fs::remove_file(&beside);
        not_written_error(&error)
    })
}

/// Returns options that make a new file accessible only to its owner.
pub(super) fn owner_only_options(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a folder accessible only to its owner, unless it exists. Errors: `Link`, `WrongKind`, `Full`, `NotWritten`.
pub(super) fn make_folder(parent: &Path, name: &str) -> Result<(), ArchiveError> {
    let place = parent.join(name);
    match fs::symlink_metadata(&place) {
        Ok(there) if there.is_symlink() => Err(ArchiveError::Link(shown_path(name))),
        Ok(there) if there.is_dir() => Ok(()),
        Ok(there) => Err(not_a_folder_error(name, &there)),
        Err(_) => make_owner_only_folder(&place).map_err(|error| not_written_error(&error)),
    }
}

fn not_a_folder_error(name: &str, there: &Metadata) -> ArchiveError {
    let what = match there.is_file() {
        true => "is a file, expected a folder",
        false => "is neither a file nor a folder, expected a folder",
    };
    ArchiveError::WrongKind(shown_path(name), what)
}

/// Makes a folder accessible only to its owner.
pub(super) fn make_owner_only_folder(place: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(place)
}

/// Returns the folder that contains a path.
pub(super) fn parent_folder(place: &Path) -> &Path {
    place
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Makes the names in a folder safe against loss of power. Errors: `NotWritten`.
pub(super) fn sync_folder(folder: &Path) -> Result<(), ArchiveError> {
    if cfg!(unix) {
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| not_written_error(&error))?;
    }
    Ok(())
}

/// Returns the names of the files in a folder, in order; none if the folder does not exist. Errors: `Link`,
/// `WrongKind`, `Unreadable`.
pub(super) fn file_names(parent: &Path, name: &str) -> Result<Vec<String>, ArchiveError> {
    let place = parent.join(name);
    match fs::symlink_metadata(&place) {
        Ok(there) if there.is_symlink() => return Err(ArchiveError::Link(shown_path(name))),
        Ok(there) if !there.is_dir() => return Err(not_a_folder_error(name, &there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        _ => {}
    }
    let entries = fs::read_dir(&place).map_err(|error| unreadable_file_error(name, &error))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}
