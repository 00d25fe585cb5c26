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

/// Modules of the shared library: the former path, and the present one.
const LIBRARY_MODULES: [(&str, &str); 2] = [
    ("library/called", "library/display_name"),
    ("library/polling", "library/poll_lookup"),
];

/// Functions of modules of the shared library, by the path of the module: the former name, and the present one.
const LIBRARY_FUNCTIONS: [(&str, &[(&str, &str)]); 11] = [
    (
        "library/calendar",
        &[("read", "parse_date"), ("text", "date_text")],
    ),
    ("library/die_spans", &[("line", "roll_tree_spans")]),
    ("library/display_name", &[("of", "name_or_id")]),
    (
        "library/duration",
        &[("read", "parse_duration"), ("of", "duration_text")],
    ),
    ("library/edit_distance", &[("within", "is_within")]),
    ("library/ends_text", &[("of", "text_of_ends")]),
    (
        "library/new_value",
        &[
            ("refuse_fixed", "refuse_fixed_field"),
            ("has_rule", "has_rule_for_value"),
            ("read", "parse_value_for_field"),
            ("amount", "parse_added_amount"),
            ("refuse_adding", "refuse_adding_to_non_number"),
        ],
    ),
    (
        "library/odds_question",
        &[
            ("read", "parse_question"),
            ("vain", "condition_met_by_none_or_all"),
            ("chance", "chance_of_total"),
            ("holds", "how_often_total_holds"),
        ],
    ),
    (
        "library/poll_lookup",
        &[
            ("keys", "open_poll_keys"),
            ("poll", "find_open_poll"),
            ("offering", "polls_offering_option"),
            ("voter", "find_voter"),
            ("votes_for", "find_allowed_voter"),
            ("parts", "split_vote"),
            ("tell", "say_to_poll_audience"),
        ],
    ),
    (
        "library/reason",
        &[
            ("split", "split_off_reason"),
            ("refuse_missing", "refuse_empty_reason"),
            ("said", "because_text"),
        ],
    ),
    (
        "library/value_text",
        &[
            ("of", "text_of_value"),
            ("digits", "digits_of_number"),
            ("read", "parse_value"),
        ],
    ),
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

/// Returns the present path of a module of the shared library, if it has another one now.
pub(crate) fn present_library_module(path: &str) -> Option<&'static str> {
    find_present_name(&LIBRARY_MODULES, path)
}

/// Returns the present name of a function of a module of the shared library, if it has another one now.
pub(crate) fn present_library_function(path: &str, old: &str) -> Option<&'static str> {
    let mut modules = LIBRARY_FUNCTIONS.iter();
    let (_, functions) = modules.find(|(module, _)| *module == path)?;
    find_present_name(functions, old)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Each present name of the shared library is in the file of its module, and no former one is.
    #[test]
    fn the_present_names_of_the_library_are_there() {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts");
        for (_, now) in LIBRARY_MODULES {
            assert!(scripts.join(format!("{now}.luau")).is_file(), "{now}");
        }
        for (module, functions) in LIBRARY_FUNCTIONS {
            let text = std::fs::read_to_string(scripts.join(format!("{module}.luau")));
            let text = text.expect("the module is there");
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let words: BTreeSet<&str> = words.collect();
            for (old, now) in functions {
                assert!(words.contains(now), "{module}: {now}");
                let last = module.rsplit('/').next().expect("a path has an end");
                assert!(
                    !text.contains(&format!("function {last}.{old}(")),
                    "{module}: {old}"
                );
            }
        }
    }
}
