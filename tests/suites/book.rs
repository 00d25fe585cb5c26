//! Tests the promises of the book (`docs/src`) and of the README: pages, links, blocks and sources.

mod blocks;
mod diagnostics;
mod links;
mod named_things;
mod plan;
mod sources;

use arbiter_tests::project;
use repl::markdown_page::Page;

use super::architecture::source_files::{File, files_with_endings};

/// The kinds of pages, as the first paragraph of a page begins.
const KINDS: [&str; 4] = ["*Tutorial.*", "*How-to.*", "*Reference.*", "*Explanation.*"];

/// The longest line of prose, in characters. Tables and blocks may be longer.
const LONGEST_LINE: usize = 120;

/// The file that lists the pages.
const SUMMARY: &str = "docs/src/SUMMARY.md";

/// Returns the pages of the book and the README, read.
fn pages() -> Vec<Page> {
    let files = files_with_endings("docs/src", &["md"]);
    let readme = files_with_endings("README.md", &["md"]);
    let read = |file: File| Page::read(&file.path, &file.text);
    files.into_iter().chain(readme).map(read).collect()
}

/// The mark of a page that `arbiter docs` writes. Its lines and blocks are those of the program.
const GENERATED: &str = "<!-- Written by `arbiter docs";

/// The beginning of the mark of a section that `arbiter docs` writes into a page of people.
const SECTION: &str = "<!-- begin ";

/// Returns the pages of the book and the README that people write.
fn written_pages() -> Vec<Page> {
    let mut pages = pages();
    pages.retain(|page| !page.text.contains(GENERATED));
    pages
}

/// Returns the pages with chapters of the book: neither the README nor the list of pages.
fn chapters() -> Vec<Page> {
    let mut pages = pages();
    pages.retain(|page| page.path.starts_with("docs/src/") && page.path != SUMMARY);
    pages
}

#[test]
fn each_page_is_listed_and_says_of_which_kind_it_is() {
    let listed: Vec<String> = pages()
        .into_iter()
        .filter(|page| page.path == SUMMARY)
        .flat_map(|page| page.links)
        .map(|link| format!("docs/src/{}", link.target))
        .collect();
    let mut wrong = Vec::new();
    for page in chapters() {
        if !listed.contains(&page.path) {
            wrong.push(format!("{}:1: it is missing in {SUMMARY}", page.path));
        }
        let mut lines = page.text.lines();
        let title = lines.next().unwrap_or_default();
        let opening = lines.find(|line| !line.is_empty() && !line.starts_with('<'));
        let opening = opening.unwrap_or_default();
        if !title.starts_with("# ") || !KINDS.iter().any(|kind| opening.starts_with(kind)) {
            let path = &page.path;
            wrong.push(format!(
                "{path}:1: it does not begin with a title and its kind"
            ));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let mut once = listed.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
}

/// Returns the number that a heading begins with: `7` of `7 Impact`.
fn chapter_number(heading: &str) -> Option<&str> {
    let number = heading.split(' ').next()?;
    number.parse::<u32>().is_ok().then_some(number)
}

#[test]
fn no_heading_says_the_title_of_its_rule_page_again() {
    let mut doubled = Vec::new();
    let of_rules = chapters()
        .into_iter()
        .filter(|page| page.path.contains("/rules/"));
    for page in of_rules {
        let mut headings = page.headings.iter();
        let Some((_, title)) = headings.next() else {
            continue;
        };
        for (line, heading) in headings {
            let is_chapter =
                chapter_number(title).is_some_and(|number| chapter_number(heading) == Some(number));
            if heading == title || is_chapter {
                doubled.push(format!("{}:{line}: {heading}", page.path));
            }
        }
    }
    assert_eq!(doubled, Vec::<String>::new());
    assert_eq!(chapter_number("7 Impact"), Some("7"));
    assert_eq!(chapter_number("7.1 Impact"), None);
}

#[test]
fn generated_sections_are_current() {
    let mut command = super::program::arbiter_in_project();
    let output = command
        .args(["docs", "docs/src", "--check"])
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{}", said.join(""));
    let marked = pages()
        .into_iter()
        .filter(|page| page.text.contains(SECTION));
    assert!(marked.count() >= 6);
}

#[test]
fn a_changed_section_is_found_with_its_page_and_line() {
    let book = tempfile::TempDir::new().unwrap();
    let mut command = super::program::arbiter_in_project();
    command.arg("docs").arg(book.path()).assert().success();
    let page = "reference/limits.md";
    let text = std::fs::read_to_string(project().join("docs/src").join(page)).unwrap();
    let changed = text.replace(
        "| polls at the same time | 200 |",
        "| polls at the same time | 300 |",
    );
    assert_ne!(changed, text);
    let at = text
        .lines()
        .position(|line| line.contains("| polls at the same time |"))
        .unwrap()
        + 1;
    std::fs::write(book.path().join(page), changed).unwrap();
    let mut check = super::program::arbiter_in_project();
    let output = check
        .arg("docs")
        .arg(book.path())
        .arg("--check")
        .output()
        .unwrap();
    let said =
        String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success());
    assert!(
        said.contains(&format!("limits.md:{at} differs from the program")),
        "{said}"
    );
    assert!(said.contains("| polls at the same time | 200 |"), "{said}");
}

#[test]
fn pages_with_the_mark_are_written_by_the_program() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = super::program::arbiter_in_project();
    command.arg("docs").arg(folder.path()).assert().success();
    let marked = pages()
        .into_iter()
        .filter(|page| page.text.contains(GENERATED));
    for page in marked {
        let inner = page.path.strip_prefix("docs/src/").unwrap();
        let text = std::fs::read_to_string(folder.path().join(inner)).unwrap_or_default();
        assert_eq!(text, page.text, "{} is not current", page.path);
    }
}

/// Returns the places of lines of prose that are too long.
fn long_lines(page: &Page) -> Vec<String> {
    let long = page.prose_lines().into_iter().filter(|(_, line)| {
        let is_row = line.trim_start().starts_with(['|', '<']);
        !is_row && line.chars().count() > LONGEST_LINE
    });
    long.map(|(number, _)| format!("{}:{number}", page.path))
        .collect()
}

#[test]
fn lines_of_prose_are_short() {
    let mut long = Vec::new();
    for page in written_pages() {
        long.extend(long_lines(&page));
    }
    assert_eq!(long, Vec::<String>::new());
    let planted = Page::read(
        "docs/src/a.md",
        &format!("# A\n\n{}\n", "so long ".repeat(20)),
    );
    assert_eq!(long_lines(&planted), ["docs/src/a.md:3"]);
}

#[test]
fn the_readme_is_read_in_ten_minutes() {
    let text = std::fs::read_to_string(project().join("README.md")).unwrap();
    let (lines, words) = (text.lines().count(), text.split_whitespace().count());
    assert!(lines <= 200, "README.md:201: {lines} lines");
    assert!(words <= 1800, "README.md: {words} words");
}
