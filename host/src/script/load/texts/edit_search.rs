//! Finds the one edit that makes a mistyped line right: reads the text with each of several edits.
//!
//! The search runs for findings that contain `typo`. Each edit that it returns was read: with the edit the reported
//! error is gone, and there is no new error. If several words make the line right, all are reported and none is
//! preferred.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use mlua::Table;
use strsim::damerau_levenshtein;

use super::Open;
use super::edit_trials::{Budget, Spent, Text, Wrong};
use super::slips::{Kind, Slips};
use crate::diag::{Fix, Source, Span, apply_fixes, did_you_mean_hint};
use crate::script::load::script_report::Report;
use crate::script::rules::Rules;

/// A longer text is not one that a person types.
/// unit: bytes
const LONGEST: usize = 8_192;

/// Edits that are tried for one finding.
const OF_ONE: usize = 600;

/// Findings of one text that are fixed.
const MENDED: usize = 4;

/// A text with more errors is not finished, or is another text.
const FAULTY: usize = 8;

/// The number of changed letters in a typo. With more changes, another edit is more likely.
const SLIP: usize = 2;

/// Letters of a beginning that identify the word.
const BEGINNING: usize = 3;

/// Letters of a line that a hint shows.
const SHOWN: usize = 60;

/// The result of the search for a finding.
enum Found {
    Nothing,
    /// The right edit.
    One(Fix),
    /// Edits that are as likely.
    Several(Vec<Fix>),
}

/// Adds a suggestion to the errors in the first line of a text, if `read` reads the line with one edit.
pub(super) fn suggest_head_edit(
    rules: &Rules,
    budget: &Budget,
    source: &Arc<Source>,
    report: &mut Report,
    read: impl Fn(&str) -> Option<Table>,
) {
    let Some(expected) = report.missing_words_of_typo() else {
        return;
    };
    if source.text().len() > LONGEST {
        return;
    }
    budget.begin_text();
    let slips = slips_of_rules(rules);
    let Span { start, end } = source.line_span(1);
    let span = report.span_in_text(source);
    let focus = span.start.clamp(start, end) - start..span.end.clamp(start, end) - start;
    let edits = slips.edits_of_line(source.text(), &source.text()[start..end], focus, expected);
    for (_, edit) in edits.into_iter().take(OF_ONE) {
        let (after, _) = apply_fixes(source.text(), std::slice::from_ref(&edit));
        if budget.take_reading(&after).is_err() {
            return;
        }
        if read(&after).is_some() {
            let hint = replacement_hint(source.text(), &edit);
            return report.suggest_edit(source, edit, Some(hint));
        }
    }
}

fn slips_of_rules(rules: &Rules) -> Slips {
    Slips::of(rules.ruleset.get("texts").get("slips"), &rules.grammar)
}

/// The search in the texts of one load.
#[derive(Default)]
pub(super) struct EditSearch {
    slips: OnceCell<Slips>,
}

impl Open<'_> {
    /// Adds suggestions to reports of a text, if one edit makes the text right.
    pub(super) fn suggest_text_edits(
        &self,
        path: &str,
        source: &Arc<Source>,
        head: &Table,
        reports: &mut [Report],
    ) {
        let worst = reports.iter().filter(|one| one.is_error()).count();
        let is_long = source.text().len() > LONGEST;
        if is_long
            || worst > FAULTY
            || !reports
                .iter()
                .any(|one| one.missing_words_of_typo().is_some())
        {
            return;
        }
        self.trials.budget.begin_text();
        let text = Text { path, source, head };
        let Ok(Some(before)) = self.text_faults(&text, source.text()) else {
            return;
        };
        let wanting = reports
            .iter_mut()
            .filter(|one| one.missing_words_of_typo().is_some());
        for report in wanting.take(MENDED) {
            // A text that was not read to its end is not known to be wrong.
            if self
                .suggest_edit_for_report(&text, report, &before)
                .is_err()
            {
                return;
            }
        }
    }

    fn suggest_edit_for_report(
        &self,
        text: &Text<'_>,
        report: &mut Report,
        before: &Wrong,
    ) -> Result<(), Spent> {
        let source = text.source;
        if let Some(certain) = report.certain_fix(source)
            && self.is_right_edit(text, report, &certain, before)?
        {
            return Ok(());
        }
        let said = self.right_suggestion(text, report, before)?;
        let most = said
            .as_ref()
            .map_or(usize::MAX, |edit| edit_size(source, edit));
        let tried = match most {
            0..=SLIP => Found::Nothing,
            _ => self.right_edit(text, report, before, most)?,
        };
        match (tried, said) {
            (Found::One(edit), _) => {
                let hint = replacement_hint(source.text(), &edit);
                report.suggest_edit(source, edit, Some(hint));
            }
            (Found::Several(edits), None) => {
                let lines: Vec<String> = edits
                    .iter()
                    .map(|edit| words_around_edit(source.text(), edit).1)
                    .collect();
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                report.withdraw_edits();
                report.replace_hints(did_you_mean_hint(&lines));
            }
            (_, Some(edit)) => report.suggest_edit(source, edit, None),
            (Found::Nothing, None) => report.withdraw_edits(),
        }
        Ok(())
    }

    /// Returns the suggestion of a report that makes the text right, the nearest of several.
    fn right_suggestion(
        &self,
        text: &Text<'_>,
        report: &Report,
        before: &Wrong,
    ) -> Result<Option<Fix>, Spent> {
        let source = text.source;
        let slips = self
            .mending
            .slips
            .get_or_init(|| slips_of_rules(self.rules));
        let mut said = report.suggested_edits(source);
        // A near name does not justify replacing brackets, signs and words.
        said.retain(|edit| {
            let (before, after) = (source.slice(edit.span), edit.replacement.as_str());
            let has_fewer = slips.count_marks(after) < slips.count_marks(before);
            !has_fewer && !is_without_last_words(before, after)
        });
        let letters = |edit: &Fix| damerau_levenshtein(source.slice(edit.span), &edit.replacement);
        said.sort_by_key(|edit| (edit_size(source, edit), letters(edit)));
        for edit in said {
            if self.is_right_edit(text, report, &edit, before)? {
                return Ok(Some(edit));
            }
        }
        Ok(None)
    }

    /// Returns the first edit that makes the text right and is smaller than another one. The edit is in the line of a
    /// report, or in a line beside it. If several words do so, returns all of these edits.
    fn right_edit(
        &self,
        text: &Text<'_>,
        report: &Report,
        before: &Wrong,
        most: usize,
    ) -> Result<Found, Spent> {
        let source = text.source;
        let mut edits = self.edits_near_report(source, report);
        edits.retain(|(_, edit)| edit_size(source, edit) < most);
        let mut edits = edits.into_iter().take(OF_ONE);
        let Some((kind, first)) = self.next_right_edit(text, report, before, &mut edits)? else {
            return Ok(Found::Nothing);
        };
        if !kind.replaces_word() {
            return Ok(Found::One(first));
        }
        let is_alike = |(other, edit): &(Kind, Fix)| {
            *other == kind
                && edit.span == first.span
                && edit_size(source, edit) == edit_size(source, &first)
        };
        let mut alike = edits.filter(is_alike);
        let mut right = vec![first.clone()];
        while let Some((_, edit)) = self.next_right_edit(text, report, before, &mut alike)? {
            right.push(edit);
        }
        Ok(match right.len() {
            1 => Found::One(first),
            _ => Found::Several(right),
        })
    }

    fn next_right_edit(
        &self,
        text: &Text<'_>,
        report: &Report,
        before: &Wrong,
        edits: &mut dyn Iterator<Item = (Kind, Fix)>,
    ) -> Result<Option<(Kind, Fix)>, Spent> {
        for (kind, edit) in edits {
            if self.is_right_edit(text, report, &edit, before)? {
                return Ok(Some((kind, edit)));
            }
        }
        Ok(None)
    }

    /// Returns edits of the line of a report and of those beside it, the likeliest first.
    fn edits_near_report(&self, source: &Source, report: &Report) -> Vec<(Kind, Fix)> {
        let slips = self
            .mending
            .slips
            .get_or_init(|| slips_of_rules(self.rules));
        let span = report.span_in_text(source);
        let lines = line_ranges(source.text());
        let own = lines.iter().position(|line| span.start < line.end);
        let own = own.unwrap_or(lines.len().saturating_sub(1));
        let beside = [Some(own), own.checked_add(1), own.checked_sub(1)];
        let mut edits: Vec<(Kind, Fix)> = Vec::new();
        for at in beside.into_iter().flatten() {
            let Some(line) = lines.get(at) else { continue };
            let inside = |at: usize| at.clamp(line.start, line.end) - line.start;
            let focus = inside(span.start)..inside(span.end);
            let said = source.text()[line.clone()].trim_end_matches('\n');
            let expected = report.missing_words_of_typo().unwrap_or_default();
            let mut found = slips.edits_of_line(source.text(), said, focus, expected);
            // In a line beside it only a missing mark is considered.
            found.retain(|(kind, _)| at == own || kind.adds_missing_mark());
            edits.extend(found.into_iter().map(|(kind, edit)| {
                let Span { start, end } = edit.span;
                let span = Span::new(start + line.start, end + line.start);
                (kind, Fix::new(span, edit.replacement))
            }));
        }
        // Within a kind, edits of the line itself come first.
        edits.sort_by_key(|(kind, _)| *kind);
        edits
    }
}

/// Returns whether a text equals another one without its last words.
fn is_without_last_words(before: &str, after: &str) -> bool {
    let begins = before
        .get(..after.len())
        .is_some_and(|one| one.eq_ignore_ascii_case(after));
    begins && before[after.len()..].starts_with(char::is_whitespace)
}

/// Returns the size of an edit, in letters. A completed word counts as one letter.
fn edit_size(source: &Source, edit: &Fix) -> usize {
    let (before, after) = (source.slice(edit.span), &edit.replacement);
    let begins = after
        .get(..before.len())
        .is_some_and(|one| one.eq_ignore_ascii_case(before));
    if begins && before.chars().count() >= BEGINNING {
        return 1;
    }
    damerau_levenshtein(before, after)
}

/// Returns the ranges of the lines of a text, with their ends.
fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        at - line.len()..at
    });
    lines.collect()
}

/// Returns advice in words: the text to write, with the words around it.
fn replacement_hint(text: &str, edit: &Fix) -> String {
    match words_around_edit(text, edit) {
        (before, after) if before.is_empty() => format!("write {after}"),
        (before, after) if after.is_empty() => format!("leave {before} out"),
        (before, after) if before.len() + after.len() > 2 * SHOWN => {
            format!("write {} there", edit.replacement.trim())
        }
        (before, after) => format!("write {after} for {before}"),
    }
}

/// Returns the text around an edit, before and after it is applied, as whole words.
fn words_around_edit(text: &str, edit: &Fix) -> (String, String) {
    let is_blank = |c: char| c.is_whitespace();
    let Span { start, end } = edit.span;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let from = text[line..start]
        .char_indices()
        .rfind(|(_, c)| is_blank(*c))
        .map_or(line, |(at, c)| line + at + c.len_utf8());
    let to = text[end..].find(is_blank).map_or(text.len(), |at| end + at);
    let after = format!(
        "{}{}{}",
        &text[from..start],
        edit.replacement,
        &text[end..to]
    );
    (text[from..to].trim().to_owned(), after.trim().to_owned())
}
