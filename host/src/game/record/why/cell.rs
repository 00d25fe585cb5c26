//! This module explains what a field of a row shows: where it begins, and what each modifier makes of it.

use super::Answer;
use super::origin::Runs;
use super::tree::shown;
use crate::diag::Diagnostic;
use crate::doc::build::{item, list, paragraph};
use crate::doc::{Document, Item, Viewer};
use crate::game::caller::Caller;
use crate::game::timeline::Timeline;
use crate::script::Sight;
use crate::store::{Explanation, Off};
use crate::value::{Name, Value};

impl Timeline {
    /// Explains what a field shows.
    pub(super) fn why_cell(
        &self,
        caller: &Caller<'_>,
        viewer: &Viewer,
        row: Name,
        field: Name,
    ) -> Answer {
        if !Sight::new(&self.state, viewer).cell(row, field) {
            return Err(Box::new(self.not_known(viewer, (row, field))));
        }
        let explained = self.explained(row, field)?;
        if *viewer != Viewer::Gm {
            return Ok(self.told_cell(viewer, (row, field), &explained));
        }
        let mut runs = Runs::of(caller);
        let mut items = vec![self.base(&mut runs, row, field, &explained)];
        for step in &explained.steps {
            let what = format!(
                "{} {} -> {}",
                step.operator.as_str(),
                shown(&step.operand),
                shown(&step.result)
            );
            let bearer = step.bearer.map(|row| self.called(&Viewer::Gm, row));
            let bearer = bearer.map_or_else(String::new, |row| format!(", carried by {row}"));
            let about = self.about_record(step.record);
            items.push(self.by_record(&mut runs, step.record, format!("{what}: {about}{bearer}")));
        }
        items.extend(self.sleepers(&mut runs, &explained));
        let first = self.first_sentence(row, field, &explained);
        let blocks = [paragraph(first), list(items)];
        Ok(Document::new(blocks).data(self.cell_data(row, field, &explained)))
    }

    /// Returns how a field comes to show what it shows. Errors: a modifier that cannot work.
    pub(super) fn explained(&self, row: Name, field: Name) -> Result<Explanation, Box<Diagnostic>> {
        let explained = self.generation().machine().explain(&self.state, row, field);
        explained.map_err(Box::new)
    }

    pub(super) fn not_known(&self, viewer: &Viewer, cell: (Name, Name)) -> Diagnostic {
        let message = format!("{} is not yours to know", self.called_cell(viewer, cell));
        Diagnostic::error("why/not-known", message)
    }

    fn first_sentence(&self, row: Name, field: Name, explained: &Explanation) -> String {
        let cell = self.called_cell(&Viewer::Gm, (row, field));
        let now = shown(&explained.shown);
        let begin = shown(&explained.base);
        let origin = if explained.is_declared {
            "declared"
        } else {
            "stored"
        };
        match explained.steps.len() {
            0 if explained.base.is_nil() => format!("{cell} shows nothing: nothing is stored."),
            0 => format!("{cell} shows {now}, as {origin}; nothing modifies it."),
            1 => format!("{cell} shows {now}: {begin} is {origin}, and 1 modifier changes it."),
            many => {
                format!("{cell} shows {now}: {begin} is {origin}, and {many} modifiers change it.")
            }
        }
    }

    /// Says where the fold begins.
    pub(super) fn base(
        &self,
        runs: &mut Runs<'_>,
        row: Name,
        field: Name,
        explained: &Explanation,
    ) -> Item {
        let begin = shown(&explained.base);
        if explained.is_declared {
            let stat = self.state.names().text(field);
            let place = self.rules().place_of_stat(&stat);
            let place = place.map(|one| format!(" at {}:{}", one.chunk, one.line));
            let formula = explained.formula.as_ref();
            let formula = formula.map(|text| format!(" by the formula `{text}`"));
            let (place, formula) = (place.unwrap_or_default(), formula.unwrap_or_default());
            return item(format!("{begin} declared{formula}{place}"), []);
        }
        match self.origin(runs, row, field) {
            Some(origin) => item(format!("{begin} stored by {}", origin.shown()), []),
            None => item(format!("{begin} stored"), []),
        }
    }

    /// Says what a record does, and below it who attached it.
    fn by_record(&self, runs: &mut Runs<'_>, record: Name, what: String) -> Item {
        let kind = self.state.reserved().kind;
        let origin = self.origin(runs, record, kind);
        let origin = origin.map(|origin| item(format!("attached by {}", origin.shown()), []));
        let below = origin.map(|origin| list([origin]));
        item(what, below)
    }

    /// Returns a record in a few words: its id, its values, its source.
    pub(super) fn about_record(&self, record: Name) -> String {
        let (state, names) = (&self.state, self.state.names());
        let own = state.fields(record).into_iter();
        let own = own.filter(|field| !names.text(*field).starts_with('@'));
        let own = own.map(|field| {
            let value = shown(state.get(record, field));
            format!("{} {value}", names.text(field))
        });
        let own: Vec<String> = own.collect();
        let text = |key: Name, word: &str| match state.get(record, key) {
            Value::Nil => String::new(),
            value => format!(", {word} {}", shown(value)),
        };
        let reserved = state.reserved();
        let id = names.text(record);
        let own = match own.join(", ") {
            none if none.is_empty() => String::new(),
            own => format!(" ({own})"),
        };
        let source = state.get(record, reserved.source).as_str();
        let source = source.map_or_else(String::new, |id| {
            let row = names.find(id).filter(|row| state.exists(*row));
            let maker = row.map_or_else(|| id.to_owned(), |row| self.called(&Viewer::Gm, row));
            format!(", from {maker}")
        });
        format!("{id}{own}{source}{}", text(reserved.acting, "as"))
    }

    /// Lists what could change the field and does not.
    pub(super) fn sleepers(&self, runs: &mut Runs<'_>, explained: &Explanation) -> Vec<Item> {
        let why = "sleeps: the stat has no such layer";
        let asleep = explained
            .asleep
            .iter()
            .map(|record| (*record, why.to_owned()));
        let off = explained.off.iter().map(|off| (off.record, off_text(off)));
        let all: Vec<(Name, String)> = asleep.chain(off).collect();
        let mut items = Vec::new();
        for (record, why) in all {
            let about = self.about_record(record);
            items.push(self.by_record(runs, record, format!("{about} {why}")));
        }
        items
    }

    fn cell_data(&self, row: Name, field: Name, explained: &Explanation) -> Value {
        let names = self.state.names();
        let steps = explained.steps.iter().map(|step| {
            Value::map([
                ("record", Value::Text(names.text(step.record))),
                ("op", step.operator.as_str().into()),
                ("value", step.operand.clone()),
                ("result", step.result.clone()),
            ])
        });
        Value::map([
            ("row", Value::Text(names.text(row))),
            ("field", Value::Text(names.text(field))),
            ("shown", explained.shown.clone()),
            ("base", explained.base.clone()),
            ("steps", Value::list(steps)),
        ])
    }
}

/// Says why a modifier is off: the expression that does not hold, and the values in it.
fn off_text(off: &Off) -> String {
    let what = if off.is_place {
        "is not for this row"
    } else {
        "is off"
    };
    let values = off.values.iter();
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} is {value}"))
        .collect();
    let reason = match (&off.broken, values.join(", ")) {
        (Some(broken), _) => format!("cannot be read ({broken})"),
        (None, none) if none.is_empty() => "does not hold".to_owned(),
        (None, values) => format!("does not hold ({values})"),
    };
    format!("{what}: `{}` {reason}", off.expression)
}
