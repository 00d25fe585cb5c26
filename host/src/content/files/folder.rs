//! Opens files and folders. It reads no more than a limit and follows no link inside a mod.

use std::fs::{self, DirEntry, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::FILE_BYTES;

/// The message about a link.
pub(super) const LINK: &str = "this is a link, and links are not followed";

/// The reason why a file cannot be read.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

/// A folder of a mod. Its entries are opened by their names in it: a link is not followed, and a path that is changed
/// meanwhile to lead to another place has no effect.
pub(super) struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

impl Folder {
    /// Opens the folder of a mod; links to it are followed.
    pub(super) fn open_root(path: &Path) -> io::Result<Folder> {
        let path = fs::canonicalize(path)?;
        #[cfg(unix)]
        let handle = fs::File::open(&path)?.into();
        Ok(Folder {
            path,
            #[cfg(unix)]
            handle,
        })
    }

    /// Opens a folder in this one. Errors: [`is_link_error`] recognises the error of a link.
    pub(super) fn open_inner(&self, name: &str) -> io::Result<Folder> {
        let path = self.path.join(name);
        #[cfg(unix)]
        let handle = self.open_entry(name, rustix::fs::OFlags::DIRECTORY)?.into();
        #[cfg(not(unix))]
        if !metadata_unless_link(&path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Folder {
            path,
            #[cfg(unix)]
            handle,
        })
    }

    /// Returns at most `most` entries; one that cannot be read is left out.
    pub(super) fn list(&self, most: usize) -> io::Result<Vec<DirEntry>> {
        list_folder(&self.path, most)
    }

    /// Reads a file in this folder.
    pub(super) fn read_file(&self, name: &str) -> Result<Vec<u8>, Fault> {
        let handle = self
            .open_file(name)
            .map_err(|error| fault_of_error(&error))?;
        let metadata = handle.metadata().map_err(|error| fault_of_error(&error))?;
        if !metadata.is_file() {
            let message = not_file_or_folder_message(metadata.file_type());
            return Err(link_fault(message));
        }
        read_at_most(handle, FILE_BYTES)
            .map_err(|error| fault_of_error(&error))?
            .ok_or_else(|| too_long_fault(FILE_BYTES))
    }

    #[cfg(unix)]
    fn open_file(&self, name: &str) -> io::Result<fs::File> {
        self.open_entry(name, rustix::fs::OFlags::empty())
    }

    /// Opens an entry by its name here, but not a link, and not a pipe, which would wait for its other end.
    #[cfg(unix)]
    fn open_entry(&self, name: &str, flags: rustix::fs::OFlags) -> io::Result<fs::File> {
        use rustix::fs::{Mode, OFlags, openat};
        let own = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(&self.handle, name, own | flags, Mode::empty())?.into())
    }

    #[cfg(not(unix))]
    fn open_file(&self, name: &str) -> io::Result<fs::File> {
        let place = self.path.join(name);
        metadata_unless_link(&place)?;
        fs::File::open(&place)
    }
}

/// The error kind for a link if the system has no number for it.
#[cfg(not(unix))]
const IS_LINK: io::ErrorKind = io::ErrorKind::InvalidInput;

/// Returns the metadata of the entry at this very place. Errors: the entry is a link.
#[cfg(not(unix))]
fn metadata_unless_link(place: &Path) -> io::Result<fs::Metadata> {
    match fs::canonicalize(place)? == place {
        true => fs::metadata(place),
        false => Err(IS_LINK.into()),
    }
}

/// Returns whether an entry was not opened because it is a link.
pub(super) fn is_link_error(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    return error.kind() == IS_LINK;
}

fn fault_of_error(error: &io::Error) -> Fault {
    if is_link_error(error) {
        return link_fault(LINK);
    }
    Fault {
        code: "content/unreadable",
        message: unreadable_message(error),
        hint: "check its permissions",
    }
}

fn link_fault(message: &str) -> Fault {
    Fault {
        code: "content/path",
        message: message.to_owned(),
        hint: "put the file itself here",
    }
}

pub(super) fn too_long_fault(most: u64) -> Fault {
    let message = format!("the file has more than {} KiB", most >> 10);
    Fault {
        code: "limit/size",
        message,
        hint: "split the file",
    }
}

/// Returns the bytes, or nothing if there are more than `most`.
pub(super) fn read_at_most(handle: fs::File, most: u64) -> io::Result<Option<Vec<u8>>> {
    // With memory for all expected bytes a file is read in one go; it may still be shorter or longer.
    let expected = handle.metadata()?.len().min(most) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    handle.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Returns at most `most` entries of a folder; an entry that cannot be read is left out.
pub(super) fn list_folder(folder: &Path, most: usize) -> io::Result<Vec<DirEntry>> {
    Ok(fs::read_dir(folder)?
        .take(most)
        .filter_map(Result::ok)
        .collect())
}

pub(super) fn not_file_or_folder_message(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        LINK
    } else {
        "this is neither a file nor a folder"
    }
}

/// Returns the reason of the system in words that are the same on every machine.
pub(super) fn unreadable_message(error: &io::Error) -> String {
    format!("it cannot be read: {}", error.kind())
}
