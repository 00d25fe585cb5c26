//! Tables over a whole game: every line with its messages, every roll, and all disputes. The game master also gets the
//! fiats and every number that changed.

use crate::doc::build::{right_column, table};
use crate::doc::{Document, Viewer, plain};
use crate::game::command::lines_for_seats::giver_in_words;
use crate::game::past::changes_in_words::changed_value_in_words;
use crate::game::report::chronicle::{Chronicle, Corrections};
use crate::game::report::dispute::{disputes_for_viewer, disputes_table};
use crate::game::report::rolls::{Fate, rolls_for_viewer, rolls_table};
use crate::game::ruling::last_query::merged_document;
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::Fiat;
use crate::store::is_host_name;
use crate::value::Value;

/// Returns the ledgers that a viewer may see.
pub(super) fn ledger_documents(
    timeline: &Timeline,
    viewer: &Viewer,
    corrections: Corrections,
) -> Vec<(String, Document)> {
    let mut rolls = rolls_for_viewer(timeline, viewer);
    rolls.retain(|roll| corrections == Corrections::Told || roll.fate == Fate::Counts);
    let rolls = (!rolls.is_empty()).then(|| {
        let (rows, data) = rolls_table(&rolls);
        ("Rolls".to_owned(), Document::new([rows.into()]).data(data))
    });
    let disputes = disputes_for_viewer(timeline, viewer);
    let disputes = (!disputes.is_empty()).then(|| {
        let (rows, data) = disputes_table(&disputes);
        (
            "Disputes".to_owned(),
            Document::new([rows.into()]).data(data),
        )
    });
    let fiats = fiats_table(timeline).filter(|_| *viewer == Viewer::Gm);
    let fiats = fiats.map(|fiats| ("Fiats".to_owned(), fiats));
    let changes = (*viewer == Viewer::Gm).then(|| ("Changes".to_owned(), changes_table(timeline)));
    [rolls, fiats, disputes, changes]
        .into_iter()
        .flatten()
        .collect()
}

/// Lists the fiats with their reasons; nothing if there is none.
fn fiats_table(timeline: &Timeline) -> Option<Document> {
    let mut rows = table([right_column("no.")]);
    for title in ["who", "command", "reason"] {
        rows.columns.push(title.into());
    }
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
        let who = giver_in_words(operation);
        rows = rows.row([operation.seq.to_string(), who, command, reason]);
    }
    (!data.is_empty()).then(|| Document::new([rows.into()]).data(Value::list(data)))
}

/// Lists every cell that an operation changed.
fn changes_table(timeline: &Timeline) -> Document {
    let mut rows = table([right_column("no.")]);
    for title in ["what", "was", "is"] {
        rows.columns.push(title.into());
    }
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
        let mut rows = table([right_column("no.")]).caption(self.title.as_str());
        for title in ["chapter", "who", "command", "result", "said"] {
            rows.columns.push(title.into());
        }
        for chapter in &self.chapters {
            for event in &chapter.events {
                rows = rows.row([
                    event.number.to_string(),
                    chapter.title.clone(),
                    event.given_by().unwrap_or_default(),
                    event.command.clone().unwrap_or_default(),
                    event.fate.clone(),
                    plain(&merged_document(&event.documents)),
                ]);
            }
        }
        let ledgers = self.ledgers.iter();
        let ledgers = ledgers.flat_map(|(_, ledger)| ledger.blocks.iter().cloned());
        Document::new(std::iter::once(rows.into()).chain(ledgers))
    }
}

fn operation_number_value(seq: u64) -> Value {
    Value::from(i64::try_from(seq).unwrap_or(i64::MAX))
}
