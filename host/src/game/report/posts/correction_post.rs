//! Corrections of published messages, for one reader.

use crate::diag::Diagnostic;
use crate::doc::build::{paragraph, quote};
use crate::doc::{Document, Viewer};
use crate::game::report::corrected_posts::{CorrectedPost, posts_to_correct};
use crate::game::report::posts::line_numbers::{line_ranges, numbers_in_posts};
use crate::game::ruling::last_query::{Post, merged_document, viewer_in_words};
use crate::game::timeline::Timeline;
use crate::words::Words;

/// Returns what a reader was shown and what holds instead, line by line.
///
/// Errors: `post/nothing-to-correct`.
pub(super) fn correction_post(
    timeline: &Timeline,
    own: &Viewer,
    to: &Viewer,
) -> Result<Post, Box<Diagnostic>> {
    let corrected = posts_to_correct(timeline, &to.audience())?;
    let for_reader = viewer_in_words(to);
    if corrected.is_empty() {
        let message = format!("nothing that was posted for {for_reader} was corrected since");
        let hint = "only posts that are noted are known: `post … done` notes one";
        return Err(Box::new(
            Diagnostic::error("post/nothing-to-correct", message).hint(hint),
        ));
    }
    let numbers = numbers_in_posts(timeline, own, to);
    let documents = corrected.iter().map(|one| {
        let number = numbers.get(&one.line).copied().unwrap_or(one.line);
        correction_document(one, number, &timeline.words())
    });
    Ok(Post {
        what: format!("corrections, for {for_reader}"),
        documents: documents.collect(),
        is_query: false,
        lines: line_ranges(corrected.iter().map(|one| one.line)),
    })
}

fn correction_document(corrected: &CorrectedPost, number: u64, words: &Words) -> Document {
    let blocks = |said: &[Document]| {
        let said: Vec<Document> = said
            .iter()
            .map(|one| one.clone().with_log_line_number(number))
            .collect();
        merged_document(&said).blocks
    };
    let (was, now) = (blocks(&corrected.was), blocks(&corrected.now));
    let key = match (was.is_empty(), now.is_empty()) {
        (_, true) => "correction.gone",
        (true, false) => "correction.back",
        (false, false) => "correction.changed",
    };
    let first = words.fill(key, &[("line", &number)]);
    let before = (!was.is_empty()).then(|| quote(was.clone()));
    let after =
        (!was.is_empty() && !now.is_empty()).then(|| paragraph(words.text("correction.now")));
    let blocks = std::iter::once(paragraph(first)).chain(before).chain(after);
    Document::new(blocks.chain(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{Audience, plain};

    #[test]
    fn a_correction_shows_what_was_read_and_what_holds() {
        let said = |text: &str| vec![Document::new([paragraph(text)])];
        let text = |was: Vec<Document>, now: Vec<Document>| {
            let corrected = CorrectedPost {
                line: 9,
                to: Audience::Public,
                note: 12,
                was,
                now,
            };
            plain(&correction_document(&corrected, 4, &Words::english()))
        };
        assert_eq!(
            text(said("Bo dies."), Vec::new()),
            "Correction of line 4: this no longer holds.\n\n│ Bo dies."
        );
        assert_eq!(
            text(said("Bo dies."), said("Cy dies.")),
            "Correction of line 4: this was ruled again.\n\n│ Bo dies.\n\nIt now reads:\nCy dies."
        );
        assert_eq!(
            text(Vec::new(), said("Bo dies.")),
            "Correction: line 4 holds again.\nBo dies."
        );
    }
}
