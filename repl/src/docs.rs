//! Writes the pages of the book that follow from the program and the rules, or checks that they are current.

mod api_pages;
mod command_line_page;
mod command_pages;
mod constructor_pages;
mod event_page;
mod generated_page;
mod markdown_text;
mod terminal_picture;

use std::path::{Path, PathBuf};

use host::diag::Diagnostic;

use crate::api::start_ruleset;
use crate::arguments::Common;
use crate::exit_code::Exit;
use crate::home_lookup;
use crate::io_error_words::io_error_words;
use crate::output::Output;
use crate::path_scope::README;
use crate::reply_output;
use generated_page::GeneratedPage;

/// Writes the generated pages into a folder, or reports those that are not current.
pub(crate) fn write_docs(
    common: &Common,
    folder: &Path,
    only_check: bool,
    output: &mut Output,
) -> Exit {
    let pages = match generated_pages(common) {
        Ok(pages) => pages,
        Err(findings) => {
            for finding in &findings {
                output.write_finding_to_stderr(finding);
            }
            return Exit::NotLoaded;
        }
    };
    let mut findings = Vec::new();
    for page in &pages {
        let file = folder.join(&page.path);
        if only_check {
            findings.extend(outdated_page_finding(&file, &page.text));
        } else if let Err(finding) = write_page(&file, &page.text) {
            findings.push(*finding);
        }
    }
    for finding in &findings {
        reply_output::write_refusal(output, finding);
    }
    if !findings.is_empty() {
        return Exit::Refused;
    }
    let done = if only_check { "current" } else { "written" };
    output.write_stderr_unless_quiet(&format!("{} pages {done}", pages.len()));
    Exit::Ok
}

/// Returns all generated pages: those of the host, and those of each ruleset of the home.
fn generated_pages(common: &Common) -> Result<Vec<GeneratedPage>, Vec<Diagnostic>> {
    let alone = |finding: Box<Diagnostic>| vec![*finding];
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder())
        .map_err(alone)?;
    let mut pages = api_pages::api_pages();
    pages.push(command_line_page::command_line_page());
    pages.push(event_page::event_page());
    let rulesets = home.rulesets();
    let Some(first) = rulesets.first() else {
        return Ok(pages);
    };
    let readme = std::fs::read_to_string(home.folder.join(README)).unwrap_or_default();
    let picture = terminal_picture::picture_of_first_transcript(&readme);
    pages.extend(picture.map(|text| GeneratedPage {
        path: "terminal.svg".to_owned(),
        text,
    }));
    let solo = start_ruleset(home.clone(), first)?;
    pages.push(command_pages::host_commands_page(&solo));
    pages.push(constructor_pages::host_page(&solo));
    for ruleset in &rulesets {
        let solo = start_ruleset(home.clone(), ruleset)?;
        pages.push(command_pages::ruleset_page(&solo, ruleset));
        pages.extend(constructor_pages::ruleset_page(&solo, ruleset));
    }
    Ok(pages)
}

fn write_page(file: &Path, text: &str) -> Result<(), Box<Diagnostic>> {
    let parent = file.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(file, text));
    written.map_err(|error| {
        let message = format!(
            "{} cannot be written: {}",
            file.display(),
            io_error_words(&error)
        );
        Box::new(Diagnostic::error("docs/not-written", message))
    })
}

/// Returns a finding if a page is missing or has another text, with the first line that differs.
fn outdated_page_finding(file: &Path, text: &str) -> Option<Diagnostic> {
    let hint = "`arbiter docs` with the same folder writes it";
    let Ok(found) = std::fs::read_to_string(file) else {
        let message = format!("the page {} is missing", file.display());
        return Some(Diagnostic::error("docs/outdated", message).hint(hint));
    };
    if found == text {
        return None;
    }
    let same = found
        .lines()
        .zip(text.lines())
        .take_while(|(one, other)| one == other);
    let line = same.count() + 1;
    let message = format!("{}:{line} differs from the program", file.display());
    let expected = text.lines().nth(line - 1).unwrap_or("the end of the page");
    Some(
        Diagnostic::error("docs/outdated", message)
            .hint(format!("expected: {expected}"))
            .hint(hint),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_current_if_it_is_written_again_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b.md");
        let page = GeneratedPage::new("a/b.md", "B", "One sentence.", "text\n\n");
        let missing = outdated_page_finding(&file, &page.text).unwrap();
        assert!(missing.message.ends_with("is missing"), "{missing:?}");
        write_page(&file, &page.text).unwrap();
        assert_eq!(outdated_page_finding(&file, &page.text), None);
        let other = GeneratedPage::new("a/b.md", "B", "One sentence.", "texts");
        let finding = outdated_page_finding(&file, &other.text).unwrap();
        assert!(
            finding.message.ends_with(":6 differs from the program"),
            "{finding:?}"
        );
        assert_eq!(finding.hints[0], "expected: texts");
    }
}
