//! Writes the pages of the book that follow from the program and the rules, or checks that they are current.

mod api_pages;
mod block_sections;
mod command_line_page;
mod command_pages;
mod constructor_pages;
mod diagnostic_index;
mod duration_section;
mod event_page;
mod expression_sections;
mod generated_page;
mod generated_section;
mod host_text_page;
mod limit_sections;
mod markdown_text;
mod played_examples;
mod slot_type_sections;
mod terminal_picture;
mod test_line_section;

use std::collections::BTreeSet;
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
use generated_section::{GeneratedSection, page_with_sections};
use played_examples::PlayedExamples;

/// Writes the generated pages into a folder, or reports those that are not current.
pub(crate) fn write_docs(
    common: &Common,
    folder: &Path,
    only_check: bool,
    output: &mut Output,
) -> Exit {
    let (mut pages, sections) = match generated_pages_and_sections(common) {
        Ok(generated) => generated,
        Err(findings) => {
            for finding in &findings {
                output.write_finding_to_stderr(finding);
            }
            return Exit::NotLoaded;
        }
    };
    let (with_sections, mut findings) = pages_with_sections(folder, &sections, only_check);
    pages.extend(with_sections);
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

/// Returns the pages of a folder that people write, each with the present text of its sections.
///
/// Errors: a page without the marks of a section. A page that is not there is an error only for a check, because the
/// program does not write the rest of it.
fn pages_with_sections(
    folder: &Path,
    sections: &[GeneratedSection],
    only_check: bool,
) -> (Vec<GeneratedPage>, Vec<Diagnostic>) {
    let (mut pages, mut findings) = (Vec::new(), Vec::new());
    let paths: BTreeSet<&str> = sections.iter().map(|section| section.page).collect();
    for path in paths {
        let file = folder.join(path);
        let Ok(text) = std::fs::read_to_string(&file) else {
            findings.extend(only_check.then(|| missing_page_finding(&file)));
            continue;
        };
        let own: Vec<&GeneratedSection> = sections.iter().filter(|one| one.page == path).collect();
        match page_with_sections(&text, &own) {
            Ok(text) => pages.push(GeneratedPage {
                path: path.to_owned(),
                text,
            }),
            Err(errors) => findings.extend(errors.into_iter().map(|(line, message)| {
                let line = line.map_or_else(String::new, |line| format!(":{line}"));
                Diagnostic::error("docs/marks", format!("{}{line}: {message}", file.display()))
                    .hint("a section is between the lines <!-- begin NAME: … --> and <!-- end NAME -->")
            })),
        }
    }
    (pages, findings)
}

/// What the program writes into a book.
type Generated = (Vec<GeneratedPage>, Vec<GeneratedSection>);

/// Returns all generated pages and sections: those of the host, and those of each ruleset of the home.
fn generated_pages_and_sections(common: &Common) -> Result<Generated, Vec<Diagnostic>> {
    let alone = |finding: Box<Diagnostic>| vec![*finding];
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder())
        .map_err(alone)?;
    let mut pages = api_pages::api_pages();
    pages.push(command_line_page::command_line_page());
    pages.push(event_page::event_page());
    pages.push(host_text_page::host_text_page());
    pages.push(diagnostic_index::diagnostic_index());
    let rulesets = home.rulesets();
    let Some(first) = rulesets.first() else {
        return Ok((pages, Vec::new()));
    };
    let readme = std::fs::read_to_string(home.folder.join(README)).unwrap_or_default();
    let picture = terminal_picture::picture_of_first_transcript(&readme);
    pages.extend(picture.map(|text| GeneratedPage {
        path: "terminal.svg".to_owned(),
        text,
    }));
    let mut solo = start_ruleset(home.clone(), first)?;
    pages.push(command_pages::host_commands_page(&solo));
    pages.push(constructor_pages::host_page(&solo));
    let mut examples = PlayedExamples::new(&mut solo, first);
    let mut sections = slot_type_sections::host_sections(&mut examples);
    sections.extend(block_sections::block_sections(&mut examples));
    sections.extend(expression_sections::expression_sections(&mut examples));
    sections.push(duration_section::duration_section());
    sections.extend(limit_sections::limit_sections());
    sections.push(test_line_section::test_line_section());
    let mut types = String::new();
    for ruleset in &rulesets {
        let solo = start_ruleset(home.clone(), ruleset)?;
        pages.push(command_pages::ruleset_page(&solo, ruleset));
        pages.extend(constructor_pages::ruleset_page(&solo, ruleset));
        types.push_str(&slot_type_sections::types_of_ruleset(&solo, ruleset));
    }
    sections.push(slot_type_sections::ruleset_section(&types));
    Ok((pages, sections))
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

/// What to do about a page that is not current.
const HINT: &str = "`arbiter docs` with the same folder writes it";

/// Returns a finding if a page is missing or has another text, with the first line that differs.
fn outdated_page_finding(file: &Path, text: &str) -> Option<Diagnostic> {
    let Ok(found) = std::fs::read_to_string(file) else {
        return Some(missing_page_finding(file));
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
            .hint(HINT),
    )
}

fn missing_page_finding(file: &Path) -> Diagnostic {
    let message = format!("the page {} is missing", file.display());
    Diagnostic::error("docs/outdated", message).hint(HINT)
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
