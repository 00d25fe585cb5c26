//! The marks and words of a language, and the typing mistakes in a line that follow from them.
//!
//! `slips` of `texts` declares them: `bullets`, `marks` that follow words, `signs` that precede words, `quotes`, and
//! `words` that no template has. `written` maps common wrong texts to the right texts. Other quotes, brackets and the
//! words of templates are known from the grammar. An edit is only a guess: the caller reads the line that the edit
//! makes.

use std::ops::Range;

use edits::Edits;
pub(super) use edits::Kind;

use crate::diag::Fix;
use crate::text::Grammar;
use crate::value::Value;

/// Longer lines have more errors than one slip.
/// unit: bytes
const LONGEST: usize = 400;

/// The marks and words of a language.
#[derive(Clone, Debug, Default)]
pub(super) struct Slips {
    quotes: Vec<char>,
    brackets: Vec<(char, char)>,
    bullets: Vec<char>,
    /// Characters that join several words into one.
    joints: Vec<char>,
    marks: Vec<String>,
    signs: Vec<String>,
    written: Vec<(String, String)>,
    words: Vec<String>,
}

impl Slips {
    /// Returns the declarations in `slips` of a ruleset, with the marks and words of its grammar.
    pub(super) fn of(declared: &Value, grammar: &Grammar) -> Slips {
        let texts = |key: &str| declared.get(key).items().iter().filter_map(Value::as_str);
        let known = grammar.table();
        // Quotes of two characters get lost as brackets do.
        let quotes = known.quotes.iter().copied();
        let (alike, pairs): (Vec<_>, Vec<_>) = quotes.partition(|(open, close)| open == close);
        let quotes = alike.into_iter().map(|(quote, _)| quote);
        let own = texts("quotes").filter_map(|quote| quote.chars().next());
        let words = texts("words").chain(grammar.literal_words());
        let bullets = declared.get("bullets").as_str().unwrap_or_default();
        Slips {
            quotes: quotes.chain(own).collect(),
            brackets: known.brackets.iter().copied().chain(pairs).collect(),
            bullets: bullets.chars().collect(),
            joints: known.inner_chars.clone(),
            marks: texts("marks").map(str::to_owned).collect(),
            signs: texts("signs").map(str::to_owned).collect(),
            written: read_written_slips(declared.get("written")),
            words: words.map(str::to_owned).collect(),
        }
    }

    /// Returns edits of a line of a text, the likeliest first and of those the nearest to a range of its bytes.
    /// `expected` are words if one of them is missing at the range.
    pub(super) fn edits_of_line(
        &self,
        text: &str,
        line: &str,
        focus: Range<usize>,
        expected: &[String],
    ) -> Vec<(Kind, Fix)> {
        if line.len() > LONGEST || line.trim().is_empty() {
            return Vec::new();
        }
        Edits::of(self, line, focus, self.usual_bullet(text, line)).sorted_edits(expected)
    }

    /// Counts the brackets and signs of a text.
    pub(super) fn count_marks(&self, text: &str) -> usize {
        let is_bracket = |c: char| self.brackets.iter().any(|(open, _)| *open == c);
        let signs = self
            .signs
            .iter()
            .map(|sign| text.matches(sign.as_str()).count());
        text.chars().filter(|c| is_bracket(*c)).count() + signs.sum::<usize>()
    }

    /// Returns the bullet of the lines of a text with the same number of leading spaces.
    fn usual_bullet(&self, text: &str, line: &str) -> Option<char> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = indent(line);
        let mut same = text.lines().filter(|line| indent(line) == own);
        same.find_map(|line| {
            line[own..]
                .chars()
                .next()
                .filter(|c| self.bullets.contains(c))
        })
    }
}

/// Returns the common wrong texts, each with the right text.
fn read_written_slips(declared: &Value) -> Vec<(String, String)> {
    let all = declared.as_map().into_iter().flatten();
    let pairs = all.flat_map(|(written, meant)| {
        let meant = match meant {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let meant = meant.iter().filter_map(Value::as_str);
        meant.map(|meant| (written.to_string(), meant.to_owned()))
    });
    pairs.collect()
}

mod edits;
mod pieces;
#[cfg(test)]
mod tests;
