//! This module opens files and folders: it reads no more than it may, and through no link inside a mod.

use std::fs::{self, DirEntry, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::FILE_BYTES;

/// Why a file cannot be taken.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

/// A folder of a mod, in which files and further folders are opened by their names: a link is none of them, whatever
/// becomes of the path meanwhile.
pub(super) struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

/// What a name in a folder is opened as.
#[derive(Clone, Copy)]
enum Wanted {
    File,
    Folder,
}

impl Folder {
    /// Opens the folder of a mod; links to it are followed.
    pub(super) fn root(path: &Path) -> io::Result<Folder> {
        let path = fs::canonicalize(path)?;
        #[cfg(unix)]
        let handle = fs::File::open(&path)?.into();
        Ok(Folder {
            path,
            #[cfg(unix)]
            handle,
        })
    }

    /// Opens a folder that lies in this one.
    pub(super) fn inner(&self, name: &str) -> io::Result<Folder> {
        let path = self.path.join(name);
        #[cfg(unix)]
        let handle = self.open(name, Wanted::Folder)?.into();
        Ok(Folder {
            path,
            #[cfg(unix)]
            handle,
        })
    }

    /// Returns at most `most` entries; one that cannot be read is left out.
    pub(super) fn list(&self, most: usize) -> io::Result<Vec<DirEntry>> {
        list(&self.path, most)
    }

    /// Reads a file that lies in this folder.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, Fault> {
        let unreadable = |error: io::Error| Fault {
            code: "content/unreadable",
            message: why(&error),
            hint: "check its permissions",
        };
        let handle = self.open(name, Wanted::File).map_err(unreadable)?;
        if !handle.metadata().map_err(unreadable)?.is_file() {
            return Err(Fault {
                code: "content/path",
                message: "the file leads out of its place through a link".to_owned(),
                hint: "put the file itself here",
            });
        }
        read_at_most(handle, FILE_BYTES)
            .map_err(unreadable)?
            .ok_or_else(|| too_long(FILE_BYTES))
    }

    /// Opens what has a name here: no link, and no pipe that would wait for its other end.
    #[cfg(unix)]
    fn open(&self, name: &str, wanted: Wanted) -> io::Result<fs::File> {
        use rustix::fs::{Mode, OFlags, openat};
        let own = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let flags = match wanted {
            Wanted::File => own,
            Wanted::Folder => own | OFlags::DIRECTORY,
        };
        Ok(openat(&self.handle, name, flags, Mode::empty())?.into())
    }

    /// Opens what has a name here, and makes sure that it is at this very place.
    #[cfg(not(unix))]
    fn open(&self, name: &str, _: Wanted) -> io::Result<fs::File> {
        let place = self.path.join(name);
        let handle = fs::File::open(&place)?;
        let (opened, there) = (handle.metadata()?, fs::symlink_metadata(&place)?);
        let is_same =
            (opened.len(), opened.modified().ok()) == (there.len(), there.modified().ok());
        match fs::canonicalize(&place)? == place && is_same {
            true => Ok(handle),
            false => Err(io::ErrorKind::InvalidInput.into()),
        }
    }
}

pub(super) fn too_long(most: u64) -> Fault {
    let message = format!("the file has more than {} KiB", most >> 10);
    Fault {
        code: "limit/size",
        message,
        hint: "split the file",
    }
}

/// Returns the bytes, or none when there are more than `most`.
pub(super) fn read_at_most(handle: fs::File, most: u64) -> io::Result<Option<Vec<u8>>> {
    // With room for all that is expected a file is read in one go; it may still be shorter or longer.
    let expected = handle.metadata()?.len().min(most) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    handle.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Returns at most `most` entries of a folder; an entry that cannot be read is left out.
pub(super) fn list(folder: &Path, most: usize) -> io::Result<Vec<DirEntry>> {
    Ok(fs::read_dir(folder)?
        .take(most)
        .filter_map(Result::ok)
        .collect())
}

pub(super) fn kind_fault(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "a link lies here, and links are not followed"
    } else {
        "this is neither a file nor a folder"
    }
}

/// Returns the reason of the machine in words that are the same everywhere.
pub(super) fn why(error: &io::Error) -> String {
    format!("it cannot be read: {}", error.kind())
}
