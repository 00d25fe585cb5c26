//! Summarizes the findings of a start in a few lines. `check` lists all errors of a large book.
//!
//! In: all findings. Out: few findings in full; of many, the first errors, then the count of each kind.

use std::collections::BTreeMap;

use host::diag::Diagnostic;
use host::doc::{gate, gate_single_line};

use crate::counted_noun::counted_noun;
use crate::output::Output;

/// Maximum number of findings that are shown in full.
const FEW: usize = 8;

/// Number of errors that are shown in full if there are many findings.
const ERRORS: usize = 3;

/// Number of kinds with a count of their own; the other kinds are counted together.
const KINDS: usize = 8;

/// One line of a summary, or one finding in full.
#[derive(Debug)]
enum Line<'a> {
    /// A finding in full.
    Finding(&'a Diagnostic),
    /// A line of the summary.
    Talk(String),
}

/// Reports the findings of a start.
pub(crate) fn report_findings(findings: &[Diagnostic], output: &mut Output) {
    for line in summary_lines(findings) {
        match line {
            Line::Finding(found) => output.write_finding_to_stderr(found),
            Line::Talk(said) => output.write_stderr_unless_quiet(&said),
        }
    }
}

/// Returns the lines for some findings, in order. Notes about a place are left out: only the command that lists notes
/// counts them. Notes that files are not read are shown.
fn summary_lines(findings: &[Diagnostic]) -> Vec<Line<'_>> {
    let told = findings.iter().filter(|one| !one.is_optional_note());
    let (notes, told): (Vec<&Diagnostic>, Vec<&Diagnostic>) = told.partition(|one| one.is_note());
    let notes = notes.into_iter().map(Line::Finding);
    if told.len() <= FEW {
        return told.into_iter().map(Line::Finding).chain(notes).collect();
    }
    let errors = told.iter().copied().filter(|one| one.is_error());
    let errors = errors.take(ERRORS).map(Line::Finding);
    let counts = counts_by_kind(&told).into_iter().map(Line::Talk);
    errors.chain(counts).chain(notes).collect()
}

/// Returns the count of each kind, the most frequent first, errors before all else.
fn counts_by_kind(told: &[&Diagnostic]) -> Vec<String> {
    let mut by_kind: BTreeMap<(bool, &str), Vec<&Diagnostic>> = BTreeMap::new();
    for one in told {
        let kind = (!one.is_error(), &*one.code);
        by_kind.entry(kind).or_default().push(one);
    }
    let mut kinds: Vec<_> = by_kind.into_iter().collect();
    kinds.sort_by_key(|((is_mild, _), all)| (*is_mild, usize::MAX - all.len()));
    let errors = told.iter().filter(|one| one.is_error()).count();
    let mut lines = vec![format!(
        "{} and {} found in the loaded files; `check` lists them:",
        counted_noun(errors, "error"),
        counted_noun(told.len() - errors, "warning"),
    )];
    let left = kinds.split_off(kinds.len().min(KINDS));
    for ((_, code), all) in kinds {
        let first = all[0];
        let message = gate(&first.message);
        let how_often = match all.len() {
            1 => format!("once: {message}"),
            count => format!("{count} times, for example: {message}"),
        };
        let severity = first.severity.as_str();
        lines.push(format!(
            "  {severity}[{}] {how_often}",
            gate_single_line(code)
        ));
    }
    if !left.is_empty() {
        let count: usize = left.iter().map(|(_, all)| all.len()).sum();
        let kinds = counted_noun(left.len(), "other kind");
        lines.push(format!("  and {count} more, of {kinds}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use host::diag::Severity;

    use super::*;

    fn warnings(code: &'static str, count: usize) -> Vec<Diagnostic> {
        let one = |number| Diagnostic::warning(code, format!("{code} {number}"));
        (1..=count).map(one).collect()
    }

    fn printed_summary(findings: &[Diagnostic]) -> Vec<String> {
        let lines = summary_lines(findings).into_iter();
        lines
            .map(|line| match line {
                Line::Finding(found) => format!("= {}", found.message),
                Line::Talk(said) => said,
            })
            .collect()
    }

    #[test]
    fn few_findings_are_told_as_they_are() {
        let mut all = warnings("a/b", 3);
        all.push(Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::warning("content/prose", "2 files are not read")
        });
        assert_eq!(
            printed_summary(&all),
            ["= a/b 1", "= a/b 2", "= a/b 3", "= 2 files are not read"]
        );
        assert_eq!(printed_summary(&[]), [""; 0]);
    }

    #[test]
    fn many_are_counted_by_kind_the_errors_first() {
        let mut all = warnings("a/many", 1700);
        all.extend(warnings("a/few", 2));
        all.extend((1..=5).map(|number| Diagnostic::error("z/bad", format!("bad {number}"))));
        all.push(Diagnostic::error("z/worse", "worse"));
        assert_eq!(
            printed_summary(&all),
            [
                "= bad 1",
                "= bad 2",
                "= bad 3",
                "6 errors and 1702 warnings found in the loaded files; `check` lists them:",
                "  error[z/bad] 5 times, for example: bad 1",
                "  error[z/worse] once: worse",
                "  warning[a/many] 1700 times, for example: a/many 1",
                "  warning[a/few] 2 times, for example: a/few 1",
            ]
        );
    }

    #[test]
    fn kinds_that_are_too_many_are_counted_together() {
        let codes = [
            "a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "a/9", "b/1",
        ];
        let all: Vec<Diagnostic> = codes
            .into_iter()
            .flat_map(|code| warnings(code, 2))
            .collect();
        let told = printed_summary(&all);
        assert_eq!(told.len(), 10);
        assert_eq!(told[9], "  and 4 more, of 2 other kinds");
    }
}
