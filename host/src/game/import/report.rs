//! Report of an import: inconsistencies, and the given lines.

use crate::doc::build::{heading, paragraph, right_column, table};
use crate::doc::{Audience, Block, Document};
use crate::game::import::file_import::Importing;
use crate::script::{GM, ImportFinding, ImportStep};
use crate::value::Value;

/// Maximum number of findings and of lines that are shown; the others are counted.
const TOLD: usize = 2_000;
/// Maximum number of characters of a line that are shown.
const LINE: usize = 500;

/// Results of an import.
#[derive(Default)]
pub(super) struct ImportReport {
    pub(super) file: String,
    pub(super) steps: usize,
    pub(super) how: Option<Importing>,
    findings: Vec<(Option<i64>, String, String)>,
    lines: Vec<(GivenLine, Fate)>,
}

/// A line that was given.
pub(super) struct GivenLine {
    n: Option<i64>,
    by: String,
    line: String,
    dice: String,
    note: String,
}

/// Outcome of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It was ruled on.
    Ruled,
    /// Its ruling waits for an answer.
    Waits,
    /// It was refused, with this code.
    Refused(String),
}

impl GivenLine {
    pub(super) fn of(step: &ImportStep, by: &str, line: &str) -> GivenLine {
        GivenLine {
            n: step.n,
            by: by.to_owned(),
            line: line.chars().take(LINE).collect(),
            dice: step.dice.join(" "),
            note: step.note.clone(),
        }
    }

    /// Returns a line of the game master that fixes the results of a step.
    pub(super) fn correcting_line(step: &ImportStep, line: &str) -> GivenLine {
        GivenLine {
            dice: String::new(),
            note: "corrects it".to_owned(),
            ..GivenLine::of(step, GM, line)
        }
    }
}

impl ImportReport {
    /// Adds an inconsistency.
    pub(super) fn add_finding(&mut self, n: Option<i64>, code: &str, message: String) {
        self.findings.push((n, code.to_owned(), message));
    }

    /// Adds the findings of the ruleset.
    pub(super) fn add_ruleset_findings(&mut self, n: Option<i64>, findings: &[ImportFinding]) {
        for one in findings {
            self.add_finding(n, &one.code, one.message.clone());
        }
    }

    /// Adds a line that was given.
    pub(super) fn add_given_line(&mut self, line: GivenLine, fate: Fate) {
        self.lines.push((line, fate));
    }

    /// Returns the whole report, for the game master: findings in the order of the comments.
    pub(super) fn report_document(&mut self) -> Document {
        self.findings.sort_by_key(|(n, ..)| *n);
        let mut blocks = vec![paragraph(self.summary_line())];
        if !self.findings.is_empty() {
            blocks.push(heading(2, "Findings"));
            blocks.extend(self.findings_table());
        }
        if !self.lines.is_empty() {
            blocks.push(heading(2, "Lines"));
            blocks.extend(self.lines_table());
        }
        blocks.push(paragraph(self.closing_line()));
        Document::new(blocks)
            .limit_to_audience(Audience::Gm)
            .data(self.report_data())
    }

    fn refused_count(&self) -> usize {
        let fates = self.lines.iter().map(|(_, fate)| fate);
        fates
            .filter(|fate| matches!(fate, Fate::Refused(_)))
            .count()
    }

    fn summary_line(&self) -> String {
        let refused = match self.refused_count() {
            0 => String::new(),
            many => format!(" ({many} refused)"),
        };
        let file = &self.file;
        let steps = counted_noun(self.steps, "step", "steps");
        let lines = counted_noun(self.lines.len(), "line", "lines");
        let findings = counted_noun(self.findings.len(), "finding", "findings");
        format!("{file}: {steps}, {lines}{refused}, {findings}.")
    }

    fn closing_line(&self) -> String {
        let text = match self.how {
            Some(Importing::Applied) => {
                "Each line is a ruling of its own in the log. `undo` takes back the last one, `revert` any of them."
            }
            Some(Importing::Previewed) | None => {
                "Nothing was changed. Type `import FILE apply` to give the lines to the game."
            }
        };
        text.to_owned()
    }

    fn findings_table(&self) -> Vec<Block> {
        let mut rows = table([right_column("no.")]);
        rows.columns.extend(["finding".into(), "problem".into()]);
        for (n, code, message) in self.findings.iter().take(TOLD) {
            rows = rows.row([number_or_dash(*n), code.clone(), message.clone()]);
        }
        table_with_rest(rows.into(), self.findings.len())
    }

    fn lines_table(&self) -> Vec<Block> {
        let mut rows = table([right_column("no.")]);
        let titles = ["who", "dice", "line", "result"];
        rows.columns.extend(titles.map(Into::into));
        for (given, fate) in self.lines.iter().take(TOLD) {
            let GivenLine {
                n,
                by,
                line,
                dice,
                note,
            } = given;
            let became = match fate {
                Fate::Ruled => note.clone(),
                Fate::Waits => "waits".to_owned(),
                Fate::Refused(code) => format!("refused: {code}"),
            };
            rows = rows.row([
                number_or_dash(*n),
                by.clone(),
                dice.clone(),
                line.clone(),
                became,
            ]);
        }
        table_with_rest(rows.into(), self.lines.len())
    }

    /// Returns `{ file, steps, is_applied, refused, findings = { { n, code, message } }, lines = { { n, by, dice, line,
    /// refused } } }`.
    fn report_data(&self) -> Value {
        let n = |n: Option<i64>| n.map_or(Value::Nil, Value::from);
        let whole = |count: usize| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
        let findings = self.findings.iter().take(TOLD).map(|(of, code, message)| {
            let (code, message) = (code.as_str().into(), message.as_str().into());
            Value::map([("n", n(*of)), ("code", code), ("message", message)])
        });
        let lines = self.lines.iter().take(TOLD).map(|(given, fate)| {
            let refused = match fate {
                Fate::Refused(code) => Value::from(code.as_str()),
                Fate::Ruled | Fate::Waits => Value::Nil,
            };
            Value::map([
                ("n", n(given.n)),
                ("by", given.by.as_str().into()),
                ("dice", given.dice.as_str().into()),
                ("line", given.line.as_str().into()),
                ("refused", refused),
            ])
        });
        Value::map([
            ("file", self.file.as_str().into()),
            ("steps", whole(self.steps)),
            (
                "is_applied",
                Value::Bool(self.how == Some(Importing::Applied)),
            ),
            ("refused", whole(self.refused_count())),
            ("findings", Value::list(findings)),
            ("lines", Value::list(lines)),
        ])
    }
}

fn number_or_dash(n: Option<i64>) -> String {
    n.map_or_else(|| "-".to_owned(), |n| n.to_string())
}

fn counted_noun(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns a table, with the number of missing rows below it.
fn table_with_rest(rows: Block, all: usize) -> Vec<Block> {
    match all.saturating_sub(TOLD) {
        0 => vec![rows],
        more => vec![rows, paragraph(format!("and {more} more"))],
    }
}
