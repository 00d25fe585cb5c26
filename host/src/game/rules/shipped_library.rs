//! The standard library of scripts that is built into the program.
//!
//! If a home has its own folder `scripts/library/`, its rules use that folder instead, and it is reloaded like all
//! rules. A saved game contains the library with which it was played, from either source.

use crate::content::File;
use crate::script::{LIBRARY, ModFiles};

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Returns the library of the program, as if it had been read from a home.
pub(super) fn shipped_library() -> ModFiles {
    let read = |(path, text): &(&str, &str)| {
        File::of_bytes(path, &format!("scripts/{LIBRARY}/{path}"), text.as_bytes())
    };
    ModFiles {
        name: LIBRARY.to_owned(),
        scripts: FILES.iter().filter_map(read).collect(),
        content: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_library_travels_with_the_program_but_its_tests() {
        let library = shipped_library();
        assert_eq!(library.scripts.len(), FILES.len());
        let has = |path: &str| library.scripts.iter().any(|file| file.path == path);
        assert!(has("schemas/command.luau") && has("reason.luau"));
        assert!(
            !library
                .scripts
                .iter()
                .any(|file| file.path.contains(".test."))
        );
    }
}
