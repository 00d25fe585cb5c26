//! Draws a finding in the form that compilers use: code, message, place, source line, carets, hints.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use unicode_width::UnicodeWidthChar;

use super::diagnostic::{Diagnostic, Severity};
use super::error_text::shorten_error_text;

/// Frames of a trace that are shown.
pub(crate) const FRAMES: usize = 20;

/// Bytes of a place that are drawn: the reader looks for its beginning.
const DRAWN: usize = 400;

/// Marks in a row that are drawn over one letter. A line is cut by its width, and marks have no width.
const MARKS: usize = 8;

/// The ending of the files of scripts.
const SCRIPT: &str = ".luau";

/// Returns the finding as text without a final line end; with `color` it holds ANSI sequences.
///
/// The caller sends it through the output gate: texts of authors are not escaped here.
pub fn render(diagnostic: &Diagnostic, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let message = shorten_error_text(&diagnostic.message);
    let title = level.primary_title(&message).id(diagnostic.code.as_ref());
    let mut group = match &diagnostic.place {
        // A folder, and a file whose text is unknown or empty, has no line to draw. A script has a first line.
        Some(place) if place.source.text().is_empty() => {
            let origin = Origin::path(place.source.name());
            Group::with_title(title).element(match place.source.name().ends_with(SCRIPT) {
                true => origin.line(1),
                false => origin,
            })
        }
        Some(place) => {
            let text = place.source.text();
            let start = place.span.start.min(text.len());
            let drawn = text.floor_char_boundary(start + DRAWN);
            let end = place.span.end.clamp(start, drawn);
            let snippet = Snippet::source(text)
                .path(place.source.name())
                .annotation(AnnotationKind::Primary.span(start..end));
            Group::with_title(title).element(snippet)
        }
        None => Group::with_title(title),
    };
    let hints: Vec<String> = diagnostic
        .hints
        .iter()
        .map(|hint| shorten_error_text(hint))
        .collect();
    for hint in &hints {
        group = group.element(Level::HELP.with_name("hint").message(hint.as_str()));
    }
    for frame in diagnostic.trace.iter().take(FRAMES) {
        group = group.element(Level::NOTE.with_name("in").message(frame.as_str()));
    }
    with_few_combining_marks(&renderer.render(&[group]))
}

/// Returns a text without those marks of no width that follow many others.
fn with_few_combining_marks(text: &str) -> String {
    let mut row = 0;
    let kept = text.chars().filter(|letter| {
        row = if letter.width() == Some(0) {
            row + 1
        } else {
            0
        };
        row <= MARKS
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Source, Span};
    use super::*;

    #[test]
    fn an_empty_script_has_a_first_line_and_a_folder_has_none() {
        for (name, shown) in [("a/b.luau", "--> a/b.luau:1"), ("a/b", "--> a/b")] {
            let finding =
                Diagnostic::error("x/y", "no").at(&Source::new(name, ""), Span::new(0, 0));
            let drawn = render(&finding, false);
            assert_eq!(drawn.lines().nth(1).map(str::trim), Some(shown), "{drawn}");
        }
    }

    #[test]
    fn a_note_is_called_so() {
        let mut note = Diagnostic::warning("roles/quiet", "nobody hears it");
        note.severity = Severity::Note;
        assert_eq!(render(&note, false), "note[roles/quiet]: nobody hears it");
    }

    #[test]
    fn a_place_without_a_text_is_named_alone() {
        let source = Source::new("mods/fox", "");
        let finding = Diagnostic::error("content/duplicate-mod", "the mod fox is in home too")
            .at(&source, Span::default())
            .hint("rename or remove one of the two");
        assert_eq!(
            render(&finding, false),
            "error[content/duplicate-mod]: the mod fox is in home too\n\
             --> mods/fox\n = hint: rename or remove one of the two"
        );
    }

    #[test]
    fn a_long_place_is_drawn_from_its_beginning() {
        let source = Source::new("roles/fox.txt", "x".repeat(50_000));
        let finding = Diagnostic::error("limit/size", "too long").at(&source, Span::new(0, 50_000));
        let text = render(&finding, false);
        assert!(text.len() < 2_000, "{}", text.len());
    }

    #[test]
    fn letters_under_many_marks_are_drawn_with_few() {
        let marks = |count: usize| "\u{301}".repeat(count);
        let line = format!("a{} b{} c", marks(40_000), marks(3));
        let source = Source::new("roles/fox.txt", line.clone());
        let finding = Diagnostic::error("limit/size", "too long");
        let text = render(
            &finding.at(&source, Span::new(line.len() - 1, line.len())),
            false,
        );
        assert!(
            text.contains(&format!("a{} b{} c", marks(8), marks(3))),
            "{text}"
        );
        assert!(text.ends_with("|     ^"), "{text}");
    }

    #[test]
    fn a_finding_shows_code_place_carets_and_hint() {
        let source = Source::new("roles/fox.txt", "Strongly Gadren Bo\n");
        let finding = Diagnostic::error("phrase/no-match", "unknown ability \"Gadren\"")
            .at(&source, Span::new(9, 15))
            .hint("did you mean \"Garden\"?");
        let text = render(&finding, false);
        assert_eq!(
            text,
            "error[phrase/no-match]: unknown ability \"Gadren\"\n \
             --> roles/fox.txt:1:10\n  |\n1 | Strongly Gadren Bo\n  |          ^^^^^^\n  |\n  = hint: did you mean \"Garden\"?"
        );
    }
}
