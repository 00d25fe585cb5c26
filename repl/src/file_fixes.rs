//! Writes the certain fixes of findings into their files.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use host::diag::{Diagnostic, Fix, Source, apply_fixes};

use crate::file_replacement::replace_file;
use crate::path_scope::Scope;

/// Outcomes of the fixes of some findings.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// One line for each written fix.
    pub(crate) fixed: Vec<String>,
    /// The files that could not be written.
    pub(crate) refusals: Vec<Diagnostic>,
}

/// Writes the fixes of findings; fixes that touch each other wait for the next round.
pub(crate) fn write_fixes_to_files(scope: &Scope, findings: &[Diagnostic]) -> Round {
    let mut by_file: BTreeMap<&str, (&Arc<Source>, Vec<Fix>)> = BTreeMap::new();
    for found in findings {
        if let (Some(place), Some(fix)) = (&found.place, &found.fix) {
            let file = by_file.entry(place.source.name());
            let (_, fixes) = file.or_insert_with(|| (&place.source, Vec::new()));
            fixes.push(fix.clone());
        }
    }
    let mut round = Round::default();
    for (name, (source, mut fixes)) in by_file {
        fixes.sort();
        fixes.dedup();
        let (text, taken) = apply_fixes(source.text(), &fixes);
        match replace_file(scope, source, &text) {
            Ok(()) => {
                let lines = taken
                    .iter()
                    .map(|number| fix_summary(source, &fixes[*number]));
                round.fixed.extend(lines);
            }
            Err(why) => round.refusals.push(not_written_finding(name, &why)),
        }
    }
    round
}

/// Returns a one-line description of a fix.
fn fix_summary(source: &Source, fix: &Fix) -> String {
    let place = source.position(fix.span.start);
    let place = format!("{}:{}:{}", source.name(), place.line, place.column);
    let (old, new) = (source.slice(fix.span), &fix.replacement);
    if old.contains('\n') {
        format!("fixed {place}: spaces instead of tabs")
    } else if new.is_empty() {
        format!("fixed {place}: spaces removed")
    } else if old.is_empty() {
        format!("fixed {place}: {new:?} added")
    } else {
        format!("fixed {place}: {old} is now {new}")
    }
}

fn not_written_finding(name: &str, why: &io::Error) -> Diagnostic {
    let message = format!("{name} cannot be fixed: {why}");
    Diagnostic::error("content/not-fixed", message).hint("the file was not changed")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use host::diag::Span;

    use super::*;
    use crate::toy_game::Toy;

    fn finding(name: &str, text: &str, fixes: &[(usize, usize, &str)]) -> Vec<Diagnostic> {
        let source = Source::new(name, text);
        let found = fixes.iter().map(|(from, to, new)| {
            let span = Span::new(*from, *to);
            Diagnostic::error("a/b", "x")
                .at(&source, span)
                .with_fix(Some(Fix::new(span, *new)))
        });
        found.collect()
    }

    #[test]
    fn line_ends_and_byte_order_mark_stay() {
        let toy = Toy::new();
        let name = "content/mini/people/cy.yaml";
        toy.write(name, "\u{feff}naem: Cy\r\nsource: x \r\n");
        let scope = Scope::of_paths(&toy.home(), &[], None).unwrap();
        let found = finding(
            name,
            "naem: Cy\nsource: x \n",
            &[(0, 4, "name"), (18, 19, "")],
        );
        let round = write_fixes_to_files(&scope, &found);
        assert_eq!(
            round.fixed,
            [
                "fixed content/mini/people/cy.yaml:1:1: naem is now name",
                "fixed content/mini/people/cy.yaml:2:10: spaces removed"
            ]
        );
        let text = fs::read_to_string(toy.path(name)).unwrap();
        assert_eq!(text, "\u{feff}name: Cy\r\nsource: x\r\n");
        let left = fs::read_dir(toy.path("content/mini/people")).unwrap();
        let beside = left.filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with('.')
        });
        assert_eq!(beside.count(), 0);
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let toy = Toy::new();
        let name = "content/mini/people/cy.yaml";
        toy.write(name, "name: Di\n");
        let scope = Scope::of_paths(&toy.home(), &[], None).unwrap();
        let round = write_fixes_to_files(&scope, &finding(name, "naem: Cy\n", &[(0, 4, "name")]));
        assert!(round.fixed.is_empty());
        assert_eq!(round.refusals[0].code, "content/not-fixed");
        assert_eq!(fs::read_to_string(toy.path(name)).unwrap(), "name: Di\n");
    }
}
