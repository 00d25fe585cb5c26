//! Names of the script API that have other names now. Rules that a game recorded use the former ones: those still work, without a word.

/// Methods of `act`: the old name, and the one that it has now.
pub(crate) const METHODS: [(&str, &str); 4] = [
    ("defer", "enqueue"),
    ("draw", "roll_faces"),
    ("during", "with_cause"),
    ("slot", "ruling_number"),
];

/// Tables and functions that every script sees: the old name, and the one that it has now.
pub(crate) const GLOBALS: [(&str, &str); 2] = [("match", "fuzzy"), ("remember", "memoize")];

/// Options of `act:attach`, `act:create` and `poll.open`, and keys of modifiers.
const OPTIONS: [(&str, &str); 5] = [
    ("ends", "duration"),
    ("guard", "only_if"),
    ("over", "aura"),
    ("seen", "visible_to"),
    ("while", "only_if"),
];

/// Keys of what checks report.
const OF_REPORT: [(&str, &str); 3] = [
    ("kept", "still_loads"),
    ("mend", "typo"),
    ("whole", "fully_read"),
];

/// Folders of scripts: the old name, and the one that they have now.
const FOLDERS: [(&str, &str); 1] = [("contracts", "schemas")];

/// What files of a folder that is called `contracts` call to return what they are: `schema`.
pub(crate) const SCHEMA: &str = "contract";

/// Returns the present name of what scripts may still call by a former one: a method, a global, an option.
pub fn present_name(old: &str) -> Option<&'static str> {
    let names = [&METHODS[..], &GLOBALS, &OPTIONS, &OF_REPORT, &FOLDERS];
    let found = names.into_iter().find_map(|names| present(names, old));
    found.or_else(|| global(old))
}

/// Returns the present name of an option of a method, or of a key of a modifier.
pub(crate) fn option(name: &str) -> &str {
    present(&OPTIONS, name).unwrap_or(name)
}

/// Returns the present name of a key of a report.
pub(crate) fn of_report(name: &str) -> &str {
    present(&OF_REPORT, name).unwrap_or(name)
}

/// Returns the present name of a folder of scripts.
pub(crate) fn folder(name: &str) -> &str {
    present(&FOLDERS, name).unwrap_or(name)
}

/// Returns the present name of a method of `act`, if it has another one now.
pub(crate) fn method(old: &str) -> Option<&'static str> {
    present(&METHODS, old)
}

/// Returns the present name of a table or function, if it has another one now.
pub(crate) fn global(old: &str) -> Option<&'static str> {
    match old {
        SCHEMA => Some("schema"),
        _ => present(&GLOBALS, old),
    }
}

fn present(names: &[(&str, &'static str)], old: &str) -> Option<&'static str> {
    names
        .iter()
        .find(|(name, _)| *name == old)
        .map(|(_, now)| *now)
}
