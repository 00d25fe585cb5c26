//! Offers to convert a game of an older format into a new folder; the old game stays.

use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::store::archive::{self, ArchiveError, VERSION};

use crate::editor;
use crate::game_folder;
use crate::output::{self, Output};
use crate::typed_path;

/// Functions of a conversion: the question to the person, and the conversion itself.
struct Way<'a> {
    /// Whether games of a version can be converted.
    is_carried: &'a dyn Fn(u32) -> bool,
    /// Asks a question; `None` if there is nobody to ask.
    ask: &'a dyn Fn(&str) -> Option<String>,
    /// Converts the game of one folder into another folder.
    migrate: &'a dyn Fn(&Path, &Path) -> Result<u64, ArchiveError>,
}

/// Returns a folder with a game of the present format: the named one, or the converted one.
///
/// Shape: `to` is the requested place. Errors: the game is older and nobody agreed; errors of the conversion.
pub(crate) fn convert_if_older(
    folder: PathBuf,
    to: Option<&Path>,
    output: &mut Output,
) -> Result<PathBuf, Box<Diagnostic>> {
    let Err(ArchiveError::Older(version)) = archive::read_first_line(&folder) else {
        return Ok(folder);
    };
    let ask = |question: &str| {
        let is_there = output::is_interactive();
        is_there.then(|| editor::ask_question(question)).flatten()
    };
    let way = Way {
        is_carried: &archive::can_migrate,
        ask: &ask,
        migrate: &archive::migrate_game,
    };
    let (new, told) = convert_to_new_format((&folder, version), to, &way)?;
    output.write_stderr_unless_quiet(&told);
    Ok(new)
}

/// Refuses a game of an older format and shows how to convert it, because there is nobody to ask.
pub(crate) fn refuse_older_format(folder: PathBuf) -> Result<PathBuf, Box<Diagnostic>> {
    match archive::read_first_line(&folder) {
        Err(ArchiveError::Older(version)) => {
            let is_carried = archive::can_migrate(version);
            Err(old_format_refusal((&folder, version), is_carried))
        }
        _ => Ok(folder),
    }
}

fn convert_to_new_format(
    (old, version): (&Path, u32),
    to: Option<&Path>,
    way: &Way<'_>,
) -> Result<(PathBuf, String), Box<Diagnostic>> {
    if !(way.is_carried)(version) {
        return Err(old_format_refusal((old, version), false));
    }
    let new = match to.filter(|to| *to != old) {
        Some(to) => {
            typed_path::check_new_path(to)?;
            to.to_owned()
        }
        None => {
            let new = free_path_beside(old);
            let (shown, to) = (old.display(), new.display());
            let question = format!(
                "{shown} has the older format {version}. Convert it into the new folder {to}? The old one is not \
                 changed. (yes/no) "
            );
            let answer = (way.ask)(&question).unwrap_or_default();
            if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
                return Err(old_format_refusal((old, version), true));
            }
            new
        }
    };
    game_folder::make_parent_folders(&new)?;
    let count = (way.migrate)(old, &new).map_err(|error| Box::new(error.to_diagnostic()))?;
    let (shown, to) = (old.display(), new.display());
    let told = format!("converted {count} log lines into {to}; {shown} was not changed");
    Ok((new, told))
}

/// Returns a free place beside a game for its converted copy.
fn free_path_beside(old: &Path) -> PathBuf {
    let name = old.file_name().unwrap_or_default().to_string_lossy();
    let named = |end: String| old.with_file_name(format!("{name}-v{VERSION}{end}"));
    let first = named(String::new());
    let more = (2u64..).map(|number| named(format!("-{number}")));
    let free = std::iter::once(first)
        .chain(more)
        .find(|path| !path.exists());
    free.expect("invariant: numbers do not end")
}

fn old_format_refusal((old, version): (&Path, u32), is_carried: bool) -> Box<Diagnostic> {
    let shown = old.display();
    let message = format!("the game in {shown} has the older format {version}");
    let finding = Diagnostic::error("save/older-version", message);
    Box::new(finding.hint(if is_carried {
        let word = game_folder::shell_word_of_path(old);
        format!("`arbiter play {word} --game NEW` converts it into the new folder NEW and continues there; the old \
                 one is not changed")
    } else {
        format!("this program cannot convert games of format {version}; open it with the program that wrote it")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert_with_answer(
        answer: Option<&str>,
        to: Option<&Path>,
        version: u32,
        old: &Path,
    ) -> Result<(PathBuf, String), Box<Diagnostic>> {
        let ask = |question: &str| {
            assert!(question.contains("older format 0"), "{question}");
            answer.map(str::to_owned)
        };
        let migrate = |old: &Path, new: &Path| {
            assert!(old.is_dir() && !new.exists());
            Ok(12)
        };
        let way = Way {
            is_carried: &|version| version == 0,
            ask: &ask,
            migrate: &migrate,
        };
        convert_to_new_format((old, version), to, &way)
    }

    #[test]
    fn an_older_game_is_carried_over_where_the_person_says_so() {
        let home = tempfile::tempdir().unwrap();
        let (old, new) = (home.path().join("old"), home.path().join("old-v1"));
        std::fs::create_dir(&old).unwrap();
        let (carried, told) = convert_with_answer(Some(" Yes "), None, 0, &old).unwrap();
        assert_eq!(carried, new);
        let expected = format!(
            "converted 12 log lines into {}; {} was not changed",
            new.display(),
            old.display()
        );
        assert_eq!(told, expected);
        std::fs::create_dir(&new).unwrap();
        assert_eq!(
            convert_with_answer(Some("y"), None, 0, &old).unwrap().0,
            home.path().join("old-v1-2")
        );
        let named = home.path().join("named");
        assert_eq!(
            convert_with_answer(None, Some(&named), 0, &old).unwrap().0,
            named
        );
        for answer in [None, Some("no"), Some("")] {
            let refusal = convert_with_answer(answer, None, 0, &old).unwrap_err();
            assert_eq!(refusal.code, "save/older-version");
            assert!(
                refusal.hints[0].contains("--game NEW"),
                "{:?}",
                refusal.hints
            );
        }
        let refusal = convert_with_answer(Some("yes"), None, 7, &old).unwrap_err();
        assert!(
            refusal.hints[0].contains("games of format 7"),
            "{:?}",
            refusal.hints
        );
    }
}
