//! Table of disputes, and marks at the disputed lines of a log.

use std::collections::BTreeMap;

use crate::doc::Table;
use crate::doc::build::{right_column, table};
use crate::game::report::dispute::Dispute;
use crate::value::Value;

/// Returns disputes as a table, and as data: a list of `{line, about, by, why, ruling}`. The columns for the disputed
/// line and for the ruling are present only if a dispute has a value for them.
pub fn disputes_table(all: &[Dispute]) -> (Table, Value) {
    let knows_line = all.iter().any(|one| one.about.is_some());
    let is_ruled = all.iter().any(|one| one.ruling.is_some());
    let mut rows = table([right_column("no.")]);
    rows.columns
        .extend(knows_line.then(|| right_column("about")));
    let ruling = is_ruled.then_some("ruling");
    for title in ["who", "why"].into_iter().chain(ruling) {
        rows.columns.push(title.into());
    }
    let shown = |line: Option<u64>| line.map_or_else(String::new, |line| line.to_string());
    for one in all {
        let mut cells = vec![shown(one.line)];
        cells.extend(knows_line.then(|| shown(one.about)));
        cells.extend([one.by.clone(), one.why.clone()]);
        cells.extend(is_ruled.then(|| ruling_text(one)));
        rows = rows.row(cells);
    }
    (rows, Value::list(all.iter().map(dispute_data)))
}

/// Returns the ruling on a dispute in words: `open`, `taken back: …`, `gm: …`.
fn ruling_text(dispute: &Dispute) -> String {
    match &dispute.ruling {
        None => "open".to_owned(),
        Some(ruling) if dispute.is_taken_back() => format!("taken back: {}", ruling.text),
        Some(ruling) => format!("{}: {}", ruling.by, ruling.text),
    }
}

/// Returns the marks about disputes for the lines of a log, by line number.
pub fn dispute_marks(all: &[Dispute]) -> BTreeMap<u64, String> {
    let mut marks: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for one in all {
        let line = |line: Option<u64>| line.map_or_else(String::new, |line| format!(" in {line}"));
        let fate = one.ruling.as_ref().map(|ruling| match one.is_taken_back() {
            true => format!("taken back{}", line(ruling.line)),
            false => format!("settled{}", line(ruling.line)),
        });
        if let Some(about) = one.about {
            let fate = fate
                .as_ref()
                .map_or_else(String::new, |fate| format!(", {fate}"));
            let disputed = format!("disputed{}{fate}", line(one.line));
            marks.entry(about).or_default().push(disputed);
        }
        if let Some(own) = one.line {
            let about = one.about.map(|about| format!("about {about}, "));
            let text = about.unwrap_or_default() + fate.as_deref().unwrap_or("open");
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
        let marks: Vec<(u64, String)> = dispute_marks(&all).into_iter().collect();
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
