//! Reports the outcome of a reload in a few lines.

use host::diag::Diagnostic;
use host::doc::gate;
use host::game::ReloadResult;

use crate::finding_format;
use crate::found_codes::{self, FoundCodes};

/// Findings that are shown in full; the others are counted.
const SHOWN: usize = 3;

/// Returns the news about a reload for the REPL; `None` if there is no news.
pub(crate) fn reload_news(reloaded: &ReloadResult, is_colored: bool) -> Option<String> {
    match reloaded {
        ReloadResult::Unchanged => None,
        ReloadResult::Mended => Some("rules: errors fixed; nothing changed".to_owned()),
        ReloadResult::Swapped { diff, findings } => {
            let lines = diff.to_string();
            let what = if lines.is_empty() {
                "changed".to_owned()
            } else {
                lines.replace('\n', "\nrules: ")
            };
            let shown = findings_text(findings, is_colored);
            let news = format!("{shown}rules: {}", gate(&what));
            Some(news + &help_text(findings))
        }
        ReloadResult::Kept { findings } => {
            let errors: Vec<Diagnostic> = findings
                .iter()
                .filter(|found| found.is_error())
                .cloned()
                .collect();
            let shown = findings_text(&errors, is_colored);
            let news = format!(
                "{shown}rules: not reloaded; the last working version stays active until you fix the errors above"
            );
            Some(news + &help_text(&errors))
        }
    }
}

fn findings_text(findings: &[Diagnostic], is_colored: bool) -> String {
    let shown = findings
        .iter()
        .take(SHOWN)
        .map(|found| finding_format::finding_text(found, is_colored) + "\n");
    let mut text: String = shown.collect();
    if findings.len() > SHOWN {
        text += &format!("{} more; `check` lists them\n", findings.len() - SHOWN);
    }
    text
}

/// Returns a line of its own that says how to have the codes of the shown findings explained; else an empty text.
fn help_text(findings: &[Diagnostic]) -> String {
    let codes = FoundCodes::of(findings.iter().take(SHOWN));
    let line = codes.help_line(found_codes::IN_GAME);
    line.map_or_else(String::new, |line| format!("\n{line}"))
}

#[cfg(test)]
mod tests {
    use host::content::{CollectionDiff, Diff};

    use super::*;

    #[test]
    fn a_swap_tells_the_difference_and_a_broken_file_its_findings() {
        let commands = CollectionDiff {
            collection: "commands".into(),
            added: vec!["dig".into()],
            ..Default::default()
        };
        let diff = Diff {
            collections: vec![commands],
            ..Diff::default()
        };
        let swapped = ReloadResult::Swapped {
            diff,
            findings: Vec::new(),
        };
        assert_eq!(
            reload_news(&swapped, false).unwrap(),
            "rules: commands: 1 added (dig)"
        );
        let findings: Vec<Diagnostic> = (1..=5)
            .map(|number| Diagnostic::error("a/b", number.to_string()))
            .collect();
        let kept = reload_news(&ReloadResult::Kept { findings }, false).unwrap();
        let lines: Vec<&str> = kept.lines().collect();
        assert_eq!(lines[2], "error[a/b]: 3");
        assert_eq!(lines[3], "2 more; `check` lists them");
        assert_eq!(
            lines[4],
            "rules: not reloaded; the last working version stays active until you fix the errors above"
        );
        assert_eq!(lines.len(), 5);
        let findings = vec![Diagnostic::error("script/syntax", "x")];
        let kept = reload_news(&ReloadResult::Kept { findings }, false).unwrap();
        assert!(
            kept.ends_with("errors above\n`help script/syntax` explains this code"),
            "{kept}"
        );
        assert_eq!(reload_news(&ReloadResult::Unchanged, false), None);
        let mended = reload_news(&ReloadResult::Mended, false).unwrap();
        assert_eq!(mended, "rules: errors fixed; nothing changed");
    }
}
