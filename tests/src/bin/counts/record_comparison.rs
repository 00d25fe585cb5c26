//! Compares figures with the record and reports the result.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::count_conditions::Conditions;
use crate::count_record::Record;

/// Percentage by which a path may be more expensive than before; a path that is cheaper by more should be recorded
/// again.
const MAY_DIFFER: f64 = 3.0;

/// The report on the figures, and its verdict.
pub(crate) struct ComparisonReport {
    /// The table and its conclusions.
    pub(crate) text: String,
    /// Whether no path is much more expensive than recorded, or the record has other conditions.
    pub(crate) holds: bool,
}

/// Compares the present figures with the record; `is_whole` means figures of all paths, so that none may be missing.
pub(crate) fn compare_with_record(
    recorded: &Record,
    (counts, is_whole): (&BTreeMap<String, u64>, bool),
    now: &Conditions,
) -> ComparisonReport {
    let mut told = ComparisonReport {
        text: String::new(),
        holds: true,
    };
    for (path, count) in counts {
        let (said, fits) = difference_from_record(*count, recorded.counts.get(path).copied());
        writeln!(told.text, "{count:>14}  {said:<24} {path}").expect("a text grows");
        told.holds &= fits;
    }
    if is_whole {
        for path in recorded
            .counts
            .keys()
            .filter(|path| !counts.contains_key(*path))
        {
            writeln!(told.text, "{:>14}  {:<24} {path}", "", "GONE: bless").expect("a text grows");
            told.holds = false;
        }
    }
    if recorded.conditions != *now {
        let of = &recorded.conditions;
        write!(
            told.text,
            "nothing is compared: the record is of {of:?}, these figures are of {now:?}"
        )
        .expect("a text grows");
        told.holds = true;
    } else if !told.holds {
        told.text.push_str(
            "paths cost more than 3 % more than recorded, are not recorded, or are gone: fix the code that made them more expensive, or record intended costs with `counts --bless SENTENCE`",
        );
    }
    told
}

/// Describes the difference of a figure from the recorded one, and returns whether it is allowed.
fn difference_from_record(count: u64, recorded: Option<u64>) -> (String, bool) {
    let Some(recorded) = recorded else {
        return ("not recorded: bless".to_owned(), false);
    };
    let differs = (count as f64 / recorded.max(1) as f64 - 1.0) * 100.0;
    if differs > MAY_DIFFER {
        return (format!("{differs:+.1} % WORSE"), false);
    }
    match differs < -MAY_DIFFER {
        true => (format!("{differs:+.1} % better: bless"), true),
        false => (format!("{differs:+.1} %"), true),
    }
}
