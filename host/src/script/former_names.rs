//! Former names of the script API, of folders and of keys, with their present names. Rules that a game recorded use the
//! former names. These still work, without a warning.

use crate::content::FORMER_WORDS;
use crate::text::FORMER_TYPES;

/// Methods of `act`: the former name, and the present one.
pub(crate) const METHODS: [(&str, &str); 4] = [
    ("defer", "enqueue"),
    ("draw", "roll_faces"),
    ("during", "with_cause"),
    ("slot", "ruling_number"),
];

/// Tables and functions that every script sees: the former name, and the present one.
pub(crate) const GLOBALS: [(&str, &str); 2] = [("match", "fuzzy"), ("remember", "memoize")];

/// Options of `act:attach`, `act:create` and `poll.open`, and keys of modifiers.
const OPTIONS: [(&str, &str); 5] = [
    ("ends", "duration"),
    ("guard", "only_if"),
    ("over", "aura"),
    ("seen", "visible_to"),
    ("while", "only_if"),
];

/// Keys of the reports of checks.
const OF_REPORT: [(&str, &str); 3] = [
    ("kept", "still_loads"),
    ("mend", "typo"),
    ("whole", "fully_read"),
];

/// Folders of scripts: the former name, and the present one.
const FOLDERS: [(&str, &str); 1] = [("contracts", "schemas")];

/// Keys of schemas, rulesets, events and commands. The shape of each declares the former name: `now?, formerly old`.
const KEYS: [(&str, &str); 9] = [
    ("called", "name_keys"),
    ("element", "listener"),
    ("elements", "listeners"),
    ("fold", "stacking"),
    ("looks", "query"),
    ("phrase", "slot_type"),
    ("reads", "format"),
    ("seen", "visible_to"),
    ("laws", "--determinism"),
];

/// The function that files of a folder `contracts` call to return their table: `schema`.
pub(crate) const SCHEMA: &str = "contract";

/// Returns the present names of everything that scripts may still call by a former one. These are methods, globals,
/// options, shapes of keys, and slot types.
pub fn present_names(old: &str) -> Vec<&'static str> {
    let old = old.strip_prefix("act:").unwrap_or(old);
    let lists = [
        &METHODS[..],
        &GLOBALS,
        &[(SCHEMA, "schema")],
        &OPTIONS,
        &OF_REPORT,
        &KEYS,
        &FOLDERS,
        &FORMER_WORDS,
        &FORMER_TYPES,
    ];
    let mut found: Vec<&str> = lists
        .into_iter()
        .filter_map(|names| find_present_name(names, old))
        .collect();
    found.dedup();
    found
}

/// Returns the present name of an option of a method, or of a key of a modifier.
pub(crate) fn present_option(name: &str) -> &str {
    find_present_name(&OPTIONS, name).unwrap_or(name)
}

/// Returns the present name of a key of a report.
pub(crate) fn present_report_key(name: &str) -> &str {
    find_present_name(&OF_REPORT, name).unwrap_or(name)
}

/// Returns the present name of a folder of scripts.
pub(crate) fn present_folder(name: &str) -> &str {
    find_present_name(&FOLDERS, name).unwrap_or(name)
}

/// Returns the present name of a method of `act`, if it has another one now.
pub(crate) fn present_method(old: &str) -> Option<&'static str> {
    find_present_name(&METHODS, old)
}

/// Returns the present name of a table or function, if it has another one now.
pub(crate) fn present_global(old: &str) -> Option<&'static str> {
    match old {
        SCHEMA => Some("schema"),
        _ => find_present_name(&GLOBALS, old),
    }
}

fn find_present_name(names: &[(&str, &'static str)], old: &str) -> Option<&'static str> {
    names
        .iter()
        .find(|(name, _)| *name == old)
        .map(|(_, now)| *now)
}
