//! This module explains one operation: what it did, and how one thing led to the other.

use super::super::again::{Again, Never, is_same};
use super::super::session::Session;
use super::Answer;
use super::deciding::{Deciding, deciding};
use super::tree::{began, shown, tree};
use crate::diag::Diagnostic;
use crate::doc::build::{item, list, paragraph};
use crate::doc::{Block, Document, Item, Viewer};
use crate::store::{Change, Operation, What};
use crate::value::{Names, Value};

impl Session {
    /// Explains an operation by its number in the log.
    pub(super) fn why_operation(&mut self, viewer: &Viewer, number: u64) -> Answer {
        if *viewer != Viewer::Gm {
            return self.told_operation(viewer, number);
        }
        let found = self.history.operation(number).cloned();
        let operation = found.ok_or_else(|| Box::new(no_operation(self, number)))?;
        let again = self.again(&operation);
        let names = self.state.names();
        let first = sentence(self, &operation);
        let blocks = match &again {
            Ok(again) => ran(first, again, &operation, names),
            Err(Never::NoRule) => kept(first, &operation, names),
            Err(Never::OtherRules) => {
                let now = format!(
                    "{first} The rules have changed since, so this is what was kept of it."
                );
                kept(now, &operation, names)
            }
        };
        let data = [
            (
                "op",
                i64::try_from(operation.seq).unwrap_or(i64::MAX).into(),
            ),
            ("by", Value::Text(operation.by.clone())),
            ("command", Value::Text(operation.command.clone())),
            ("traced", Value::Bool(again.is_ok())),
        ];
        Ok(Document::new(blocks).data(Value::map(data)))
    }
}

/// Says in short what an operation was.
fn sentence(session: &Session, operation: &Operation) -> String {
    let Operation {
        seq, by, command, ..
    } = operation;
    let of = |of: &u64| {
        let command = session.history.operation(*of).map(|one| &*one.command);
        format!("operation {of} `{}`", command.unwrap_or_default())
    };
    let mut rows: Vec<_> = operation.changes.iter().map(|change| change.row).collect();
    rows.dedup();
    let changed = match (operation.changes.len(), rows.len()) {
        (0, _) => "It changed nothing.".to_owned(),
        (1, _) => "It changed 1 value.".to_owned(),
        (many, 1) => format!("It changed {many} values of 1 row."),
        (many, rows) => format!("It changed {many} values of {rows} rows."),
    };
    let is_live = session.history.live().any(|one| one.seq == *seq);
    match &operation.what {
        What::Ruling if is_live => format!("Operation {seq} is `{command}` by {by}. {changed}"),
        What::Ruling => {
            format!("Operation {seq} is `{command}` by {by}, and was taken back. {changed}")
        }
        What::Undo { of: one } => format!("Operation {seq}: {by} took back {}.", of(one)),
        What::Redo { of: one } => format!("Operation {seq}: {by} did {} again.", of(one)),
        What::Refused { code } => {
            format!("Operation {seq} is `{command}` by {by}, and was refused ({code}).")
        }
    }
}

fn ran(first: String, again: &Again, operation: &Operation, names: &Names) -> Vec<Block> {
    let mut blocks = vec![paragraph(first)];
    if let Err(refusal) = &again.result {
        blocks.extend(refused(again, refusal));
    }
    if !is_same(again, operation) {
        let text = "Run again it does something else, so a rule keeps something between runs.";
        blocks.push(paragraph(text));
    }
    blocks.push(tree(&again.lines, names));
    blocks
}

/// Says which rule refused, where, and what failed before.
pub(super) fn refused(again: &Again, refusal: &Diagnostic) -> Vec<Block> {
    let Deciding {
        rule,
        place,
        condition,
    } = deciding(&again.lines, &again.rule, refusal);
    let place = match place.as_str() {
        "" => String::new(),
        place => format!(" at {place}"),
    };
    let by = format!(
        "{rule} refuses it{place}: {} ({})",
        refusal.message, refusal.code
    );
    let failed = condition.map(|(text, place)| {
        paragraph(format!(
            "The first condition that fails on the way there is \"{text}\" at {place}."
        ))
    });
    std::iter::once(paragraph(by)).chain(failed).collect()
}

/// Shows the causes that an operation kept, with what each of them changed.
fn kept(first: String, operation: &Operation, names: &Names) -> Vec<Block> {
    let mut left: Vec<&Change> = operation.changes.iter().collect();
    let mut items = below(operation, &Value::from(0), &mut left, names);
    items.extend(left.iter().map(|change| item(changed(change, names), [])));
    let items = (!items.is_empty()).then(|| list(items));
    std::iter::once(paragraph(first)).chain(items).collect()
}

/// Returns the causes below another one; the command is its own parent.
fn below(
    operation: &Operation,
    parent: &Value,
    left: &mut Vec<&Change>,
    names: &Names,
) -> Vec<Item> {
    let mut items = Vec::new();
    for cause in &operation.causes {
        let number = cause.get("n");
        let is_root = number == cause.get("parent");
        if is_root || cause.get("parent") != parent {
            continue;
        }
        items.push(one_cause(operation, cause, left, names));
    }
    if parent.as_i64() != Some(0) {
        return items;
    }
    let root = operation
        .causes
        .iter()
        .find(|one| one.get("n") == one.get("parent"));
    match root {
        Some(root) => {
            let mut inner = written(root, left, names);
            inner.extend(items);
            vec![item(began(root), (!inner.is_empty()).then(|| list(inner)))]
        }
        None => items,
    }
}

fn one_cause(operation: &Operation, cause: &Value, left: &mut Vec<&Change>, names: &Names) -> Item {
    let mut inner = written(cause, left, names);
    inner.extend(below(operation, cause.get("n"), left, names));
    item(began(cause), (!inner.is_empty()).then(|| list(inner)))
}

/// Takes the changes of a cause out of those that are left.
fn written(cause: &Value, left: &mut Vec<&Change>, names: &Names) -> Vec<Item> {
    let mut items = Vec::new();
    for cell in cause.get("cells").items().iter().filter_map(Value::as_str) {
        let is_of = |change: &&Change| {
            let (row, field) = change.cell(names);
            *cell == *row || *cell == format!("{row}.{field}")
        };
        let (of, others): (Vec<_>, Vec<_>) = left.iter().copied().partition(|one| is_of(&one));
        *left = others;
        items.extend(of.iter().map(|change| item(changed(change, names), [])));
    }
    items
}

/// Returns a change in words.
pub(super) fn changed(change: &Change, names: &Names) -> String {
    let (row, field) = change.cell(names);
    format!(
        "{row}.{field}: {} -> {}",
        shown(&change.old),
        shown(&change.new)
    )
}

pub(super) fn no_operation(session: &Session, number: u64) -> Diagnostic {
    let last = session.history.operations().len();
    Diagnostic::error(
        "store/unknown-operation",
        format!("there is no operation {number}"),
    )
    .hint(format!("the last one is {last}; log lists them"))
}
