//! This module looks for the one edit that makes a mistyped line right, by reading what each of several would make of the text.
//!
//! It is asked for findings that say `mend`. What it finds has been read: with the edit nothing is wrong where something was,
//! and nothing else is wrong that was not before. Readings for it share what `begin(true)` returns and need no advice.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use mlua::{Table, Value as LuaValue};
use strsim::damerau_levenshtein;

use super::slips::{Kind, Slips};
use super::{Open, file_table};
use crate::diag::{Fix, Source, Span, applied};
use crate::script::load::calls::Calls;
use crate::script::load::report::Report;
use crate::script::rules::Rules;

/// Readings of one load that look for edits.
const TRIES: usize = 2_000;

/// Readings that share what they read, and the memory for it.
const SHARED: usize = 200;

/// What is longer is no text that somebody types.
/// unit: bytes
const LONGEST: usize = 8_192;

/// Edits that are tried for one finding.
const OF_ONE: usize = 600;

/// Findings of one text that are mended.
const MENDED: usize = 4;

/// A text in which more is wrong is not finished, or is another text.
const FAULTY: usize = 8;

/// Letters of a line that a hint shows.
const SHOWN: usize = 60;

/// The search of one load.
pub(super) struct Mending<'a> {
    /// What is reported to these is not told.
    calls: Calls<'a>,
    slips: OnceCell<Slips>,
    shared: RefCell<Option<LuaValue>>,
    tries: Cell<usize>,
}

impl<'a> Mending<'a> {
    pub(super) fn new(calls: Calls<'a>) -> Mending<'a> {
        Mending {
            calls,
            slips: OnceCell::new(),
            shared: RefCell::new(None),
            tries: Cell::new(0),
        }
    }
}

/// What is wrong with a text: code and message, in order.
type Wrong = Vec<(String, String)>;

/// A text that is mended.
struct Text<'a> {
    path: &'a str,
    source: &'a Arc<Source>,
    head: &'a Table,
}

/// Adds to what is wrong with the first line of a text what to write instead, where `read` reads it with one edit.
pub(super) fn mend_head(
    rules: &Rules,
    source: &Arc<Source>,
    report: &mut Report,
    read: impl Fn(&str) -> Option<Table>,
) {
    let Some(expected) = report.slip() else {
        return;
    };
    let slips = Slips::of(rules.ruleset.get("texts").get("slips"), &rules.grammar);
    let Span { start, end } = source.line_span(1);
    let span = report.span(source);
    let focus = span.start.clamp(start, end) - start..span.end.clamp(start, end) - start;
    let edits = slips.edits(source.text(), &source.text()[start..end], focus, expected);
    let edits = edits.into_iter().map(|(_, edit)| edit);
    let right = edits.take(OF_ONE).find(|edit| {
        let (after, _) = applied(source.text(), std::slice::from_ref(edit));
        read(&after).is_some()
    });
    if let Some(edit) = right {
        let hint = hint(source.text(), &edit);
        report.mend(source, edit, Some(hint));
    }
}

impl Open<'_> {
    /// Adds to reports of a text what to write instead, where one edit makes it right.
    pub(super) fn mend(
        &self,
        path: &str,
        source: &Arc<Source>,
        head: &Table,
        reports: &mut [Report],
    ) {
        let worst = reports.iter().filter(|one| one.is_error()).count();
        let is_long = source.text().len() > LONGEST;
        if is_long || worst > FAULTY || !reports.iter().any(|one| one.slip().is_some()) {
            return;
        }
        let text = Text { path, source, head };
        let Some(before) = self.wrong(&text, source.text()) else {
            return;
        };
        let wanting = reports.iter_mut().filter(|one| one.slip().is_some());
        for report in wanting.take(MENDED) {
            if self.is_said(&text, report, &before) {
                continue;
            }
            match self.tried(&text, report, &before) {
                Some(edit) => {
                    let hint = hint(source.text(), &edit);
                    report.mend(source, edit, Some(hint));
                }
                // What was not read to its end is not known to be wrong.
                None if self.mending.tries.get() < TRIES => report.withdraw(),
                None => {}
            }
        }
    }

    /// Keeps of what a report says to write that which makes the text right, the nearest of several; returns whether it says so.
    fn is_said(&self, text: &Text<'_>, report: &mut Report, before: &Wrong) -> bool {
        let source = text.source;
        let mut said = report.meant(source);
        said.sort_by_key(|edit| damerau_levenshtein(source.slice(edit.span), &edit.replacement));
        // A name that is near says nothing of the brackets and signs that it would take the place of.
        let slips = self.mending.slips.get_or_init(|| self.slips());
        said.retain(|edit| {
            slips.marks_in(&edit.replacement) >= slips.marks_in(source.slice(edit.span))
        });
        let certain = report.certain(source).into_iter();
        let right = certain
            .chain(said)
            .find(|edit| self.is_right(text, report, edit, before));
        let is_said = right.is_some();
        if let Some(edit) = right
            && report.certain(source).is_none()
        {
            report.mend(source, edit, None);
        }
        is_said
    }

    /// Returns the first edit of the line of a report, or of those beside it, that makes the text right.
    fn tried(&self, text: &Text<'_>, report: &Report, before: &Wrong) -> Option<Fix> {
        let source = text.source;
        let span = report.span(source);
        let slips = self.mending.slips.get_or_init(|| self.slips());
        let lines = lines(source.text());
        let own = lines
            .iter()
            .position(|line| span.start < line.end || line.end == source.text().len())?;
        let beside = [Some(own), own.checked_add(1), own.checked_sub(1)];
        let beside = beside.into_iter().flatten();
        let mut edits: Vec<(Kind, Fix)> = Vec::new();
        for line in beside.filter_map(|at| lines.get(at)) {
            let inside = |at: usize| at.clamp(line.start, line.end) - line.start;
            let focus = inside(span.start)..inside(span.end);
            let said = source.text()[line.clone()].trim_end_matches('\n');
            let expected = report.slip().unwrap_or_default();
            let found = slips
                .edits(source.text(), said, focus, expected)
                .into_iter();
            edits.extend(found.map(|(kind, edit)| {
                let Span { start, end } = edit.span;
                let span = Span::new(start + line.start, end + line.start);
                (kind, Fix::new(span, edit.replacement))
            }));
        }
        // Of one kind those of the line itself come first.
        edits.sort_by_key(|(kind, _)| *kind);
        let mut tried = edits.into_iter().map(|(_, edit)| edit).take(OF_ONE);
        tried.find(|edit| self.is_right(text, report, edit, before))
    }

    fn slips(&self) -> Slips {
        let declared = self.rules.ruleset.get("texts").get("slips");
        Slips::of(declared, &self.rules.grammar)
    }

    /// Returns whether by an edit a text has less wrong with it, what a report tells among it, and nothing else.
    fn is_right(&self, text: &Text<'_>, report: &Report, edit: &Fix, before: &Wrong) -> bool {
        let (after, _) = applied(text.source.text(), std::slice::from_ref(edit));
        let told = report.told();
        let count = |wrong: &Wrong| wrong.iter().filter(|one| **one == told).count();
        self.wrong(text, &after).is_some_and(|after| {
            let is_less = count(before) == 0 || count(&after) < count(before);
            is_less && after.len() < before.len() && is_part(&after, before)
        })
    }

    /// Returns what the next readings share, made anew after so many.
    fn trial(&self) -> Option<LuaValue> {
        let Mending {
            calls,
            shared,
            tries,
            ..
        } = &self.mending;
        let mut shared = shared.borrow_mut();
        if shared.is_none() || tries.get() % SHARED == 0 {
            *shared = None;
            *shared = calls.call(&self.functions.begin, true).0.ok();
        }
        shared.clone()
    }

    /// Returns what is wrong with a text; nothing if that cannot be told, or too much was tried.
    fn wrong(&self, text: &Text<'_>, said: &str) -> Option<Wrong> {
        let Mending { calls, tries, .. } = &self.mending;
        if tries.get() >= TRIES {
            return None;
        }
        tries.set(tries.get() + 1);
        calls.renew();
        let shared = self.trial()?;
        let file = file_table(&self.engine.lua, text.path, &Source::new(text.path, said)).ok()?;
        let first = |text: &str| text.lines().next().map(str::to_owned);
        let head = if first(said) == first(text.source.text()) {
            text.head.clone()
        } else {
            let called = calls.call::<Option<Table>>(&self.functions.head, &file);
            called.0.ok()??
        };
        let given = (shared, file, head, &calls.report);
        let (read, reports) = calls.call::<LuaValue>(&self.functions.read, given);
        if let Err(failed) = read {
            // What passes a limit once does so again.
            let left = if failed.limit.is_some() { TRIES } else { 0 };
            tries.set(tries.get().max(left));
            return None;
        }
        let told = reports.iter().filter(|one| !one.is_note());
        let mut told: Wrong = told.map(Report::told).collect();
        told.sort();
        Some(told)
    }
}

/// Returns where the lines of a text stand, with their ends.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        at - line.len()..at
    });
    lines.collect()
}

/// Returns whether all of a sorted list is in another one.
fn is_part(some: &Wrong, all: &Wrong) -> bool {
    let mut left = all.iter();
    some.iter().all(|one| left.any(|other| other == one))
}

/// Returns advice in words: what to write, with the words around it.
fn hint(text: &str, edit: &Fix) -> String {
    let is_blank = |c: char| c.is_whitespace();
    let Span { start, end } = edit.span;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let from = text[line..start]
        .rfind(is_blank)
        .map_or(line, |at| line + at + 1);
    let to = text[end..].find(is_blank).map_or(text.len(), |at| end + at);
    let before = text[from..to].trim();
    let after = format!(
        "{}{}{}",
        &text[from..start],
        edit.replacement,
        &text[end..to]
    );
    let after = after.trim();
    match (before.is_empty(), after.is_empty()) {
        (true, _) => format!("write {after}"),
        (_, true) => format!("leave {before} out"),
        _ if before.len() + after.len() > 2 * SHOWN => {
            format!("write {} there", edit.replacement.trim())
        }
        _ => format!("write {after} for {before}"),
    }
}
