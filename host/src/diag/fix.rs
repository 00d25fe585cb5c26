//! The certain fixes of findings: a range of a text and its replacement.

use super::source::{Source, Span};

/// A replacement for a range of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// The range that is replaced.
    pub span: Span,
    /// The new text of the range.
    pub replacement: String,
}

impl Fix {
    /// Returns the fix that writes a text over a range.
    pub fn new(span: Span, replacement: impl Into<String>) -> Fix {
        Fix {
            span,
            replacement: replacement.into(),
        }
    }

    /// Returns the fix that replaces one word by another and keeps quotes around it.
    ///
    /// Returns `None` if the source does not contain the word itself there: escapes, several lines.
    pub fn word_replacement(source: &Source, span: Span, word: &str, instead: &str) -> Option<Fix> {
        let written = source.slice(span);
        if written == word {
            return Some(Fix::new(span, instead));
        }
        let quote = written.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        (written == format!("{quote}{word}{quote}"))
            .then(|| Fix::new(span, format!("{quote}{instead}{quote}")))
    }

    /// Returns the fix that writes a word without quotes over one with or without them.
    pub fn replacement_without_quotes(
        source: &Source,
        span: Span,
        word: &str,
        instead: &str,
    ) -> Option<Fix> {
        Fix::word_replacement(source, span, word, instead).map(|_| Fix::new(span, instead))
    }
}

/// Returns the text with the fixes applied, and the numbers of the applied fixes in order.
///
/// The fixes are applied from the end of the text on. A fix that touches the range of another is left for the next
/// time.
pub fn apply_fixes(text: &str, fixes: &[Fix]) -> (String, Vec<usize>) {
    let mut order: Vec<usize> = (0..fixes.len()).collect();
    order.sort_by_key(|number| std::cmp::Reverse(&fixes[*number]));
    let mut out = text.to_owned();
    let mut taken = Vec::new();
    let mut free_before = usize::MAX;
    for number in order {
        let Fix { span, replacement } = &fixes[number];
        if span.end < free_before && out.get(span.start..span.end).is_some() {
            out.replace_range(span.start..span.end, replacement);
            free_before = span.start;
            taken.push(number);
        }
    }
    taken.sort_unstable();
    (out, taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixes_are_applied_from_the_end_and_never_over_each_other() {
        let fixes = [
            Fix::new(Span::new(0, 3), "eins"),
            Fix::new(Span::new(8, 13), "3"),
            Fix::new(Span::new(4, 7), "two"),
            Fix::new(Span::new(9, 10), "x"),
            Fix::new(Span::new(90, 99), "y"),
        ];
        let (text, taken) = apply_fixes("one zwo three", &fixes);
        assert_eq!(text, "eins two txree");
        assert_eq!(taken, [0, 2, 3]);
    }

    #[test]
    fn a_word_keeps_its_quotes_and_only_the_word_itself_is_respelled() {
        let source = Source::new("a", "mod: 'jo' \"b\\x6f\"");
        let fix = |from, to| Fix::word_replacement(&source, Span::new(from, to), "jo", "joy");
        assert_eq!(fix(5, 9), Some(Fix::new(Span::new(5, 9), "'joy'")));
        assert_eq!(fix(6, 8), Some(Fix::new(Span::new(6, 8), "joy")));
        assert_eq!(fix(10, 17), None);
    }
}
