//! Classifies the files of a mod by their names: modules, schemas, the ruleset, texts.

use crate::script::former_names;

/// Folders with files that `require` finds, besides the whole of the library.
pub(crate) const MODULE_FOLDERS: [&str; 3] = [SCHEMAS, "pipeline", "views"];

/// The folder of schemas.
const SCHEMAS: &str = "schemas";

/// Returns whether files of a folder of a mod are modules, and not definitions.
pub(crate) fn is_module_folder(folder: &str) -> bool {
    MODULE_FOLDERS.contains(&former_names::present_folder(folder))
}

/// Returns whether a file is a schema, or a test beside one.
pub(crate) fn is_schema(path: &str) -> bool {
    let folder = path.split_once('/').map(|(folder, _)| folder);
    folder.is_some_and(|folder| former_names::present_folder(folder) == SCHEMAS)
}

/// The file that makes a mod a ruleset.
pub(crate) const RULESET: &str = "ruleset.luau";

/// The mod with the modules that every other mod may require.
pub const LIBRARY: &str = "library";

/// Returns whether a file is a script of the game: tests and declarations are not.
pub(crate) fn is_script(path: &str) -> bool {
    path.ends_with(".luau") && !path.ends_with(".test.luau") && !path.ends_with(".d.luau")
}

/// Endings of content files that are not texts of a ruleset: trees, and files that only accompany the content.
const NO_TEXTS: [&str; 5] = [".yaml", ".yml", ".json", ".txt", ".md"];

/// Returns whether a content file is a text in the language of a ruleset.
pub fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.contains(".test.") && !NO_TEXTS.iter().any(|ending| name.ends_with(ending))
}
