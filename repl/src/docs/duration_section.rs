//! The section about end conditions.

use host::store::end_conditions::end_condition_texts;

use super::generated_section::GeneratedSection;
use super::markdown_text::{code, table};

/// Returns the table of all ways to write an end condition.
pub(super) fn duration_section() -> GeneratedSection {
    let rows = end_condition_texts().into_iter().map(|one| {
        vec![
            code(one.written),
            one.ends.to_owned(),
            code(one.how),
            code(&one.reason),
        ]
    });
    GeneratedSection::new(
        "reference/durations.md",
        "end conditions",
        &table(
            &["end condition", "the attribute ends", "`how`", "`reason`"],
            rows,
        ),
    )
}
