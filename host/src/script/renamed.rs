//! Names of the script API that have other names now. Rules that a game recorded use the old ones: they still work, without a word.

/// Methods of `act`: the old name, and the one that it has now.
pub(crate) const METHODS: [(&str, &str); 4] = [
    ("defer", "enqueue"),
    ("draw", "roll_faces"),
    ("during", "with_cause"),
    ("slot", "ruling_number"),
];

/// Tables and functions that every script sees: the old name, and the one that it has now.
pub(crate) const GLOBALS: [(&str, &str); 2] = [("match", "fuzzy"), ("remember", "memoize")];

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
