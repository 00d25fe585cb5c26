//! Describes in words why the machine refuses a file.

use std::io;

/// Returns the reason why the machine refuses a file, in words for a person.
pub(crate) fn io_error_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "the file or folder does not exist".to_owned(),
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "a file of this name is in the way".to_owned()
        }
        kind => kind.to_string(),
    }
}
