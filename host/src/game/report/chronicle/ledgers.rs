//! Tables over a whole game: every line with its messages, every roll, and all disputes. The game master also gets the
//! fiats and every number that changed.

use crate::doc::build::{right_column, table};
use crate::doc::{Document, Table, Viewer, plain};
use crate::game::command::lines_for_seats::giver_in_language;
use crate::game::past::changes_in_words::changed_value_in_words;
use crate::game::report::chronicle::{Chronicle, Corrections, Ledger};
use crate::game::report::dispute::{disputes_for_viewer, disputes_table};
use crate::game::report::rolls::{Fate, rolls_for_viewer, rolls_table};
use crate::game::ruling::last_query::merged_document;
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::Fiat;
use crate::store::is_host_name;
use crate::value::Value;
use crate::words::Words;

/// Returns the ledgers that a viewer may see.
pub(super) fn ledger_documents(
    timeline: &Timeline,
    viewer: &Viewer,
    corrections: Corrections,
) -> Vec<Ledger> {
    let words = timeline.words();
    let mut rolls = rolls_for_viewer(timeline, viewer);
    rolls.retain(|roll| corrections == Corrections::Told || roll.fate == Fate::Counts);
    let rolls = (!rolls.is_empty()).then(|| {
        let (rows, data) = rolls_table(&rolls, &words);
        Document::new([rows.into()]).data(data)
    });
    let disputes = disputes_for_viewer(timeline, viewer);
    let disputes = (!disputes.is_empty()).then(|| {
        let (rows, data) = disputes_table(&disputes, &words);
        Document::new([rows.into()]).data(data)
    });
    let fiats = fiats_table(timeline).filter(|_| *viewer == Viewer::Gm);
    let changes = (*viewer == Viewer::Gm).then(|| changes_table(timeline));
    let all = [
        ("rolls", "log.rolls", rolls),
        ("fiats", "log.fiats", fiats),
        ("disputes", "log.disputes", disputes),
        ("changes", "log.changes", changes),
    ];
    let told = all.into_iter().filter_map(|(id, title, table)| {
        let (title, table) = (words.text(title), table?);
        Some(Ledger { id, title, table })
    });
    told.collect()
}

/// Returns an empty table: a column for numbers, and columns with these titles.
fn table_with_titles(words: &Words, titles: &[&str]) -> Table {
    let mut rows = table([right_column(words.text("column.number"))]);
    let titles = titles.iter().map(|title| words.text(title).as_str().into());
    rows.columns.extend(titles);
    rows
}

/// Lists the fiats with their reasons; nothing if there is none.
fn fiats_table(timeline: &Timeline) -> Option<Document> {
    let words = timeline.words();
    let titles = ["column.who", "column.command", "column.reason"];
    let mut rows = table_with_titles(&words, &titles);
    let mut data = Vec::new();
    for operation in timeline.history.operations() {
        let Some(fiat) = Fiat::of(operation) else {
            continue;
        };
        let reason = fiat.reason.unwrap_or_default();
        data.push(Value::map([
            ("line", operation_number_value(operation.seq)),
            ("by", Value::Text(operation.by.clone())),
            ("command", Value::Text(operation.command.clone())),
            ("reason", Value::from(reason.as_str())),
        ]));
        let command = operation.command.to_string();
        let who = giver_in_language(operation, &words);
        rows = rows.row([operation.seq.to_string(), who, command, reason]);
    }
    (!data.is_empty()).then(|| Document::new([rows.into()]).data(Value::list(data)))
}

/// Lists every cell that an operation changed.
fn changes_table(timeline: &Timeline) -> Document {
    let titles = ["column.what", "column.was", "column.is"];
    let mut rows = table_with_titles(&timeline.words(), &titles);
    let mut data = Vec::new();
    for operation in timeline.history.operations() {
        for change in &operation.changes {
            let (row, field) = change.row_and_field_texts(timeline.state.names());
            if is_host_name(&row) || field.starts_with('@') {
                continue;
            }
            let what = format!("{row}.{field}");
            data.push(Value::map([
                ("line", operation_number_value(operation.seq)),
                ("what", Value::from(what.as_str())),
                ("was", change.old.clone()),
                ("is", change.new.clone()),
            ]));
            let [was, is] = [&change.old, &change.new]
                .map(|value| changed_value_in_words(value, change, &timeline.state));
            rows = rows.row([operation.seq.to_string(), what, was, is]);
        }
    }
    Document::new([rows.into()]).data(Value::list(data))
}

impl Chronicle {
    /// Returns the whole chronicle as tables. The course is one table, with a row for each event.
    pub fn ledger_tables(&self) -> Document {
        let titles = [
            "column.chapter",
            "column.who",
            "column.command",
            "column.result",
            "column.said",
        ];
        let mut rows = table_with_titles(&self.words, &titles).caption(self.title.as_str());
        for chapter in &self.chapters {
            for event in &chapter.events {
                rows = rows.row([
                    event.number.to_string(),
                    chapter.title.clone(),
                    event.given_by(&self.words).unwrap_or_default(),
                    event.command.clone().unwrap_or_default(),
                    event.fate.clone(),
                    plain(&merged_document(&event.documents)),
                ]);
            }
        }
        let ledgers = self.ledgers.iter();
        let ledgers = ledgers.flat_map(|ledger| ledger.table.blocks.iter().cloned());
        Document::new(std::iter::once(rows.into()).chain(ledgers))
    }
}

fn operation_number_value(seq: u64) -> Value {
    Value::from(i64::try_from(seq).unwrap_or(i64::MAX))
}
