//! The part of a report about actions of the rules that were never tried, and about actions that always failed.

use crate::doc::Block;
use crate::doc::build::{heading, paragraph, right_column, table};
use crate::script::{Tries, TryCounts};
use crate::value::{Text, Value};

/// The maximum number of names without part in any game that are listed.
const NAMED: usize = 1000;

/// Returns the actions that were never tried in any game, the actions that always failed, and the names that took no
/// part. Returns nothing if nothing is counted.
pub(super) fn never_done_blocks(tried: &TryCounts) -> Vec<Block> {
    let mut blocks = Vec::new();
    let never = |tries: &Tries| tries.times == 0;
    let always_failed = |tries: &Tries| tries.times > 0 && tries.failures == tries.times;
    blocks.extend(tries_table("what never happened", tried, never, false));
    blocks.extend(tries_table(
        "what always failed",
        tried,
        always_failed,
        true,
    ));
    let absent: Vec<&str> = tried
        .iter()
        .filter(|(_, names)| names.is_empty())
        .map(|(of, _)| &**of)
        .collect();
    if !absent.is_empty() {
        let more = absent.len().saturating_sub(NAMED);
        let named = absent[..absent.len() - more].join(", ");
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        blocks.push(heading(2, "took part in no game"));
        blocks.push(paragraph(format!("{named}{more}")));
    }
    blocks
}

/// Returns a table of the tries that a condition selects, if there are any.
fn tries_table(
    title: &str,
    tried: &TryCounts,
    is_told: impl Fn(&Tries) -> bool,
    counts: bool,
) -> Vec<Block> {
    let all = tried
        .iter()
        .flat_map(|(of, names)| names.iter().map(move |(name, tries)| (of, name, tries)));
    let told: Vec<(&Text, &Text, &Tries)> = all.filter(|(_, _, tries)| is_told(tries)).collect();
    if told.is_empty() {
        return Vec::new();
    }
    let shown = if counts {
        told.iter().fold(
            table(["of".into(), "what".into(), right_column("times")]),
            |shown, (of, name, tries)| {
                shown.row([of.to_string(), name.to_string(), tries.times.to_string()])
            },
        )
    } else {
        told.iter()
            .fold(table(["of", "what"]), |shown, (of, name, _)| {
                shown.row([of.to_string(), name.to_string()])
            })
    };
    vec![heading(2, title), shown.into()]
}

/// Returns all tries as data.
pub(super) fn tried_data(tried: &TryCounts) -> Value {
    let count = |times: u64| Value::from(i64::try_from(times).unwrap_or(i64::MAX));
    let rows = tried.iter().map(|(of, names)| {
        let names = names.iter().map(|(name, tries)| {
            Value::map([
                ("what", Value::Text(Text::clone(name))),
                ("times", count(tries.times)),
                ("failures", count(tries.failures)),
            ])
        });
        Value::map([
            ("of", Value::Text(Text::clone(of))),
            ("tried", Value::list(names)),
        ])
    });
    Value::list(rows)
}
