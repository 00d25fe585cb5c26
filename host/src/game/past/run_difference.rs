//! Names the parts in which two runs of one line differ.

use crate::game::past::former_sentences::is_same_messages;
use crate::store::Operation;

/// Name of an operation part: its causes.
pub(in crate::game) const CAUSES: &str = "the causes";

/// Name of an operation part: its end, which is a ruling, a correction or a refusal.
pub(in crate::game) const END: &str = "how it ends";

/// Returns for each part whether two operations differ there, except in their numbers and changes.
pub(in crate::game) fn differing_parts(
    one: &Operation,
    other: &Operation,
) -> Vec<(&'static str, bool)> {
    let given = |of: &Operation| {
        let Operation {
            by,
            through,
            command,
            rules,
            ..
        } = of.clone();
        (by, through, command, rules)
    };
    vec![
        ("who gave which command", given(one) != given(other)),
        ("the ruling number", one.slot != other.slot),
        (END, one.what != other.what),
        ("the inputs", one.inputs != other.inputs),
        (CAUSES, one.causes != other.causes),
        (
            "the recorded messages",
            !is_same_messages(&one.documents, &other.documents),
        ),
        ("the state", one.state != other.state),
    ]
}

/// Returns the names of the parts that differ; nothing if there are none.
pub(in crate::game) fn differing_parts_in_words(parts: &[(&str, bool)]) -> Option<String> {
    let differ: Vec<&str> = parts
        .iter()
        .filter(|(_, differs)| *differs)
        .map(|(name, _)| *name)
        .collect();
    let (last, others) = differ.split_last()?;
    Some(match others {
        [] => (*last).to_owned(),
        _ => format!("{} and {last}", others.join(", ")),
    })
}
