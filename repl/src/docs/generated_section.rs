//! Parts of the pages that people write: the program writes the lines between two marks.

/// The lines of a page between its marks. The rest of the page is written by people.
pub(super) struct GeneratedSection {
    /// The path of the page in the folder of the book.
    pub(super) page: &'static str,
    /// Its name in the marks. It is different from those of all other sections of the page.
    pub(super) name: String,
    pub(super) text: String,
}

impl GeneratedSection {
    pub(super) fn new(page: &'static str, name: &str, text: &str) -> GeneratedSection {
        GeneratedSection {
            page,
            name: name.to_owned(),
            text: text.trim().to_owned(),
        }
    }
}

/// The line above a section, without its name.
const BEGIN: &str = "<!-- begin ";

/// The line above a section, behind its name.
const BEGIN_END: &str = ": written by `arbiter docs docs/src` -->";

fn begin_mark(name: &str) -> String {
    format!("{BEGIN}{name}{BEGIN_END}")
}

fn end_mark(name: &str) -> String {
    format!("<!-- end {name} -->")
}

/// Returns a page with the present text of its sections.
///
/// Errors: a section without its two marks, and a mark without a section, each with the number of a line if it has one.
pub(super) fn page_with_sections(
    page: &str,
    sections: &[&GeneratedSection],
) -> Result<String, Vec<(Option<usize>, String)>> {
    let mut errors = Vec::new();
    let mut text = String::new();
    let mut found: Vec<&str> = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let name = line
            .strip_prefix(BEGIN)
            .and_then(|rest| rest.strip_suffix(BEGIN_END));
        let Some(name) = name else {
            continue;
        };
        let Some(section) = sections.iter().find(|section| section.name == name) else {
            errors.push((
                Some(index + 1),
                format!("no section has the name \"{name}\""),
            ));
            continue;
        };
        let end = end_mark(name);
        if !lines.by_ref().any(|(_, line)| line == end) {
            errors.push((Some(index + 1), format!("the line {end} is missing below")));
        }
        found.push(name);
        text.push_str(&format!("\n{}\n\n{end}\n", section.text));
    }
    for section in sections {
        if !found.contains(&section.name.as_str()) {
            let message = format!("the line {} is missing", begin_mark(&section.name));
            errors.push((None, message));
        }
    }
    if errors.is_empty() {
        Ok(text)
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(inside: &str) -> String {
        format!(
            "# A\n\nProse.\n\n{}\n{inside}{}\n\nMore.\n",
            begin_mark("colors"),
            end_mark("colors")
        )
    }

    #[test]
    fn only_the_lines_between_the_marks_are_written() {
        let section = GeneratedSection::new("a.md", "colors", "| red |\n\n");
        let written = page_with_sections(&page("\nold\n"), &[&section]).unwrap();
        assert_eq!(written, page("\n| red |\n\n"));
        assert_eq!(page_with_sections(&written, &[&section]).unwrap(), written);
    }

    #[test]
    fn a_missing_or_strange_mark_is_an_error_with_its_line() {
        let section = GeneratedSection::new("a.md", "shapes", "round");
        let errors = page_with_sections(&page(""), &[&section]).unwrap_err();
        assert_eq!(errors[0].0, Some(5));
        assert!(errors[0].1.contains("\"colors\""), "{errors:?}");
        assert!(errors[1].1.contains("begin shapes"), "{errors:?}");
        let open = page("").replace("<!-- end", "<!-- ending");
        let section = GeneratedSection::new("a.md", "colors", "red");
        let errors = page_with_sections(&open, &[&section]).unwrap_err();
        assert!(errors[0].1.contains("<!-- end colors -->"), "{errors:?}");
    }
}
