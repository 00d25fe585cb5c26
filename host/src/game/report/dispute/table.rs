//! Table of disputes, and marks at the disputed lines of a log.

use std::collections::BTreeMap;

use crate::doc::Table;
use crate::doc::build::{right_column, table};
use crate::game::report::dispute::Dispute;
use crate::value::Value;
use crate::words::Words;

/// Returns disputes as a table, and as data: a list of `{line, about, by, why, ruling}`. The columns for the disputed
/// line and for the ruling are present only if a dispute has a value for them.
pub fn disputes_table(all: &[Dispute], words: &Words) -> (Table, Value) {
    let knows_line = all.iter().any(|one| one.about.is_some());
    let is_ruled = all.iter().any(|one| one.ruling.is_some());
    let mut rows = table([right_column(words.text("column.number"))]);
    rows.columns
        .extend(knows_line.then(|| right_column(words.text("column.about"))));
    let ruling = is_ruled.then_some("column.ruling");
    for title in ["column.who", "column.why"].into_iter().chain(ruling) {
        rows.columns.push(words.text(title).as_str().into());
    }
    let shown = |line: Option<u64>| line.map_or_else(String::new, |line| line.to_string());
    for one in all {
        let mut cells = vec![shown(one.line)];
        cells.extend(knows_line.then(|| shown(one.about)));
        cells.extend([one.by.clone(), one.why.clone()]);
        cells.extend(is_ruled.then(|| ruling_text(one, words)));
        rows = rows.row(cells);
    }
    (rows, Value::list(all.iter().map(dispute_data)))
}

/// Returns the ruling on a dispute in words: `open`, `taken back: …`, `gm: …`.
fn ruling_text(dispute: &Dispute, words: &Words) -> String {
    match &dispute.ruling {
        None => words.text("dispute.open"),
        Some(ruling) if dispute.is_taken_back() => {
            words.fill("dispute.withdrawn", &[("text", &ruling.text)])
        }
        Some(ruling) => format!("{}: {}", ruling.by, ruling.text),
    }
}

/// Returns the marks about disputes for the lines of a log, by line number.
pub fn dispute_marks(all: &[Dispute], words: &Words) -> BTreeMap<u64, String> {
    let mut marks: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for one in all {
        let mark = |key: &str, key_in: &str, line: Option<u64>| match line {
            Some(line) => words.fill(key_in, &[("line", &line)]),
            None => words.text(key),
        };
        let fate = one.ruling.as_ref().map(|ruling| match one.is_taken_back() {
            true => mark(
                "dispute.mark_withdrawn",
                "dispute.mark_withdrawn_in",
                ruling.line,
            ),
            false => mark(
                "dispute.mark_settled",
                "dispute.mark_settled_in",
                ruling.line,
            ),
        });
        if let Some(about) = one.about {
            let fate = fate
                .as_ref()
                .map_or_else(String::new, |fate| format!(", {fate}"));
            let disputed = mark("dispute.mark", "dispute.mark_in", one.line) + &fate;
            marks.entry(about).or_default().push(disputed);
        }
        if let Some(own) = one.line {
            let about = one.about.map(|about| {
                let about = words.fill("dispute.mark_about", &[("line", &about)]);
                format!("{about}, ")
            });
            let fate = fate.unwrap_or_else(|| words.text("dispute.open"));
            let text = about.unwrap_or_default() + &fate;
            marks.entry(own).or_default().push(text);
        }
    }
    let joined = marks
        .into_iter()
        .map(|(line, marks)| (line, marks.join(", ")));
    joined.collect()
}

fn dispute_data(one: &Dispute) -> Value {
    let count = |line: Option<u64>| line.map_or(Value::Nil, number_value);
    let ruling = one.ruling.as_ref().map_or(Value::Nil, |ruling| {
        Value::map([
            ("line", count(ruling.line)),
            ("by", ruling.by.as_str().into()),
            ("text", ruling.text.as_str().into()),
        ])
    });
    Value::map([
        ("line", count(one.line)),
        ("about", count(one.about)),
        ("by", one.by.as_str().into()),
        ("why", one.why.as_str().into()),
        ("ruling", ruling),
    ])
}

fn number_value(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::DisputeRuling;
    use super::*;

    fn dispute(line: u64, about: Option<u64>, ruling: Option<(u64, &str)>) -> Dispute {
        Dispute {
            line: Some(line),
            about,
            by: "Ann".to_owned(),
            why: "it fell".to_owned(),
            ruling: ruling.map(|(line, by)| DisputeRuling {
                line: Some(line),
                by: by.to_owned(),
                text: "so be it".to_owned(),
            }),
        }
    }

    #[test]
    fn both_lines_say_what_became_of_a_dispute() {
        let all = [
            dispute(5, Some(3), Some((7, "gm"))),
            dispute(6, Some(3), Some((8, "Ann"))),
            dispute(9, None, None),
            dispute(11, Some(10), None),
        ];
        let marks: Vec<(u64, String)> =
            dispute_marks(&all, &Words::english()).into_iter().collect();
        let told = [
            (
                3,
                "disputed in 5, settled in 7, disputed in 6, taken back in 8",
            ),
            (5, "about 3, settled in 7"),
            (6, "about 3, taken back in 8"),
            (9, "open"),
            (10, "disputed in 11"),
            (11, "about 10, open"),
        ];
        assert_eq!(marks, told.map(|(line, text)| (line, text.to_owned())));
    }
}
