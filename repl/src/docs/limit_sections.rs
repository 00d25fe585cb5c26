//! The sections with all limits, each with its number.

use host::game::{
    LimitRow, LimitSection, limit_sections as host_limit_sections, number_text, size_text,
};

use super::diagnostic_index::with_linked_codes;
use super::generated_section::GeneratedSection;
use super::markdown_text::table;
use crate::commands::dice::MOST as TYPED_DICE;
use crate::editor::HISTORY;
use crate::line_reader::{GIVEN_UP, LONGEST};
use crate::pager::MOST as SCREEN_LINES;

/// Returns the tables of the limits of the host, with those of this program.
pub(super) fn limit_sections() -> Vec<GeneratedSection> {
    let mut sections = host_limit_sections();
    for (name, limits) in limits_of_program() {
        match sections.iter_mut().find(|section| section.name == name) {
            Some(section) => section.limits.extend(limits),
            None => sections.push(LimitSection { name, limits }),
        }
    }
    let pages = sections.into_iter().map(|section| {
        let rows = section.limits.into_iter();
        let rows = rows.map(|one| {
            vec![
                one.what.to_owned(),
                one.number,
                with_linked_codes(one.beyond),
            ]
        });
        let text = table(&["limit", "number", "beyond"], rows);
        GeneratedSection::new("reference/limits.md", section.name, &text)
    });
    pages.collect()
}

/// Returns the limits of this program, each with the section of the host that it belongs to.
fn limits_of_program() -> [(&'static str, Vec<LimitRow>); 3] {
    let screen = LimitRow::new(
        "lines on the screen without a stop",
        number_text(SCREEN_LINES),
        "the text is shown in pages",
    );
    let dice = LimitRow::new(
        "typed dice that wait",
        number_text(TYPED_DICE),
        "limit/dice",
    );
    let lines = vec![
        LimitRow::new(
            "a line of a file or pipe that is looked at",
            size_text(LONGEST),
            "limit/size; the line is skipped",
        ),
        LimitRow::new(
            "a skipped line, after its first 1 MiB",
            size_text(GIVEN_UP),
            "limit/size; nothing after it is read",
        ),
        LimitRow::new(
            "lines that the REPL remembers",
            number_text(HISTORY),
            "the oldest are forgotten",
        ),
    ];
    [
        ("output", vec![screen]),
        ("dice", vec![dice]),
        ("typed lines", lines),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_the_program_are_in_sections_of_the_host() {
        let sections = host_limit_sections();
        for (name, _) in limits_of_program() {
            assert!(
                sections.iter().any(|section| section.name == name),
                "{name}"
            );
        }
        let typed = limit_sections()
            .into_iter()
            .find(|one| one.name == "typed lines");
        let text = typed.unwrap().text;
        assert!(
            text.contains("| 8 KiB | [`limit/size`](diagnostics/limit.md#limitsize) |"),
            "{text}"
        );
        assert!(
            text.contains("| 2,000 | the oldest are forgotten |"),
            "{text}"
        );
    }
}
