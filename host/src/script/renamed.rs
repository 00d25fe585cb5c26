//! Names of the script API that have other names now. Rules that a game recorded use the old ones: they still work, without a word.

/// Methods of `act`: the old name, and the one that it has now.
const METHODS: [(&str, &str); 4] = [
    ("defer", "enqueue"),
    ("draw", "roll_faces"),
    ("during", "with_cause"),
    ("slot", "ruling_number"),
];

/// Tables and functions that every script sees: the old name, and the one that it has now.
const GLOBALS: [(&str, &str); 2] = [("match", "fuzzy"), ("remember", "memoize")];

/// Returns the methods of `act` that have another name now, the old name first.
pub(crate) fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    METHODS.into_iter()
}

/// Returns the tables and functions that have another name now, the old name first.
pub(crate) fn globals() -> impl Iterator<Item = (&'static str, &'static str)> {
    GLOBALS.into_iter()
}

/// Returns the present name of a method of `act`, if it has another one now.
pub(crate) fn method(old: &str) -> Option<&'static str> {
    present(&METHODS, old)
}

/// Returns the present name of a table or function, if it has another one now.
pub(crate) fn global(old: &str) -> Option<&'static str> {
    present(&GLOBALS, old)
}

fn present(names: &[(&str, &'static str)], old: &str) -> Option<&'static str> {
    names
        .iter()
        .find(|(name, _)| *name == old)
        .map(|(_, now)| *now)
}
