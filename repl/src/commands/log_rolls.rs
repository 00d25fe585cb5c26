//! The command `log rolls`: lists the rolls of the game and their results.

use host::diag::{Diagnostic, near_hint};
use host::doc::build::paragraph;
use host::doc::{Document, Viewer};
use host::game;
use host::game::{Fate, Reply, Roll, Timeline, rolls_table};
use host::value::Value;
use host::words::Words;

/// The number of rolls that are listed if the line names no number.
const LAST: usize = 20;
/// The words of a filter.
const WORDS: [&str; 7] = ["by", "for", "of", "from", "to", "typed", "seen"];

/// The conditions for a roll.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    count: Option<usize>,
    by: Option<String>,
    purpose: Option<String>,
    from: Option<u64>,
    to: Option<u64>,
    typed: bool,
    seen: bool,
}

/// Returns the text after `log rolls`, if the line begins with these words.
pub(super) fn words_after_log_rolls(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    for word in ["log", "rolls"] {
        let (head, later) = rest.split_at_checked(word.len())?;
        let ends = later.is_empty() || later.starts_with(char::is_whitespace);
        if !(head.eq_ignore_ascii_case(word) && ends) {
            return None;
        }
        rest = later.trim_start();
    }
    Some(rest)
}

/// Lists the rolls that the viewer may see and the filter selects.
pub(super) fn run(timeline: &Timeline, viewer: &Viewer, words: &str) -> Reply {
    let filter = match Filter::parse(words) {
        Ok(filter) => filter,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let mut rolls = game::rolls_for_viewer(timeline, viewer);
    rolls.retain(|roll| filter.matches_roll(roll));
    let left_out = rolls.len().saturating_sub(filter.count.unwrap_or(LAST));
    Reply::document(rolls_document(&rolls[left_out..], left_out, &filter))
}

impl Filter {
    fn parse(text: &str) -> Result<Filter, Box<Diagnostic>> {
        let mut filter = Filter::default();
        let mut rest = text.trim();
        while let Some((word, later)) = split_first_word(rest) {
            rest = later;
            let mut value = |what: &str| match split_first_word(rest) {
                Some((value, later)) => {
                    rest = later;
                    Ok(value)
                }
                None => Err(filter_refusal(format!("`{word}` needs {what}"))),
            };
            match word.to_lowercase().as_str() {
                "by" => filter.by = Some(value("a name")?.to_lowercase()),
                "of" => {
                    let line = parse_line_number(value("the number of a line")?)?;
                    (filter.from, filter.to) = (Some(line), Some(line));
                }
                "from" => filter.from = Some(parse_line_number(value("the number of a line")?)?),
                "to" => filter.to = Some(parse_line_number(value("the number of a line")?)?),
                "typed" => filter.typed = true,
                "seen" => filter.seen = true,
                "for" if rest.is_empty() => {
                    return Err(filter_refusal("`for` needs a purpose".to_owned()));
                }
                "for" => {
                    filter.purpose = Some(rest.to_lowercase());
                    rest = "";
                }
                other => match other.parse() {
                    Ok(count) if count > 0 => filter.count = Some(count),
                    _ => return Err(unknown_word_refusal(word)),
                },
            }
        }
        Ok(filter)
    }

    fn matches_roll(&self, roll: &Roll) -> bool {
        let is_by = |by: &String| {
            let given = roll.by.as_deref().unwrap_or_default().to_lowercase();
            let rolled = [&roll.who, &roll.name].into_iter().flatten();
            let mut rolled = rolled.map(|one| one.to_lowercase());
            *by == given || rolled.any(|one| *by == one)
        };
        let is_typed = || roll.faces.iter().any(|die| die.typed);
        let is_for = |purpose: &String| roll.purpose.to_lowercase().contains(purpose);
        let is_from = |from: u64| roll.line.is_some_and(|line| line >= from);
        let is_to = |to: u64| roll.line.is_some_and(|line| line <= to);
        self.by.as_ref().is_none_or(is_by)
            && self.purpose.as_ref().is_none_or(is_for)
            && self.from.is_none_or(is_from)
            && self.to.is_none_or(is_to)
            && (!self.typed || is_typed())
            && (!self.seen || roll.fate == Fate::Seen || roll.was_seen)
    }

    /// Returns the words of the filter without the number.
    fn filter_words(&self) -> String {
        let pair = |word: &str, value: &Option<String>| {
            let value = value.as_ref();
            value.map(|value| format!(" {word} {value}"))
        };
        let line = |line: &Option<u64>| line.map(|line| line.to_string());
        let flag = |word: &str, is_set: bool| is_set.then(|| format!(" {word}"));
        let words = [
            pair("by", &self.by),
            pair("from", &line(&self.from)),
            pair("to", &line(&self.to)),
            flag("typed", self.typed),
            flag("seen", self.seen),
        ];
        words.into_iter().flatten().collect()
    }
}

/// Returns the first word and the text after it.
fn split_first_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

fn parse_line_number(word: &str) -> Result<u64, Box<Diagnostic>> {
    let number = word.parse();
    number.map_err(|_| filter_refusal(format!("\"{word}\" is not a line number")))
}

fn filter_refusal(message: String) -> Box<Diagnostic> {
    let hint = "after `log rolls` you can type 50, by NAME, of LINE, from LINE, to LINE, typed, seen, for PURPOSE";
    Box::new(Diagnostic::error("log/filter", message).hint(hint))
}

fn unknown_word_refusal(word: &str) -> Box<Diagnostic> {
    let shown: String = word.chars().take(40).collect();
    let near = near_hint(&shown, WORDS);
    let mut refusal = filter_refusal(format!("unknown word \"{shown}\" in `log rolls`"));
    if !near.is_empty() {
        refusal.hints.insert(0, near);
    }
    refusal
}

fn rolls_document(rolls: &[Roll], left_out: usize, filter: &Filter) -> Document {
    if rolls.is_empty() {
        let text = match *filter == Filter::default() {
            true => "there are no rolls",
            false => "no matching rolls",
        };
        return Document::new([paragraph(text)]).data(Value::list([]));
    }
    let (rows, data) = rolls_table(rolls, &Words::english());
    let more = (left_out > 0).then(|| {
        let (all, words) = (left_out + rolls.len(), filter.filter_words());
        let purpose = filter.purpose.as_ref();
        let purpose = purpose.map_or_else(String::new, |purpose| format!(" for {purpose}"));
        paragraph(format!(
            "{left_out} earlier; `log rolls{words} {all}{purpose}` lists them"
        ))
    });
    Document::new(std::iter::once(rows.into()).chain(more)).data(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_filter_stand_in_any_order_and_the_purpose_last() {
        let filter = Filter::parse("5 by Ann from 3 typed for The Lock of gold").unwrap();
        assert_eq!(filter.count, Some(5));
        assert_eq!(filter.by.as_deref(), Some("ann"));
        assert_eq!((filter.from, filter.to), (Some(3), None));
        assert_eq!(filter.purpose.as_deref(), Some("the lock of gold"));
        let one = Filter::parse("OF 7").unwrap();
        assert_eq!((one.from, one.to), (Some(7), Some(7)));
        assert_eq!(Filter::parse(" ").unwrap(), Filter::default());
    }

    #[test]
    fn a_wrong_word_is_named_with_the_near_ones() {
        let message = |text: &str| Filter::parse(text).unwrap_err().message;
        assert_eq!(message("by"), "`by` needs a name");
        assert_eq!(message("for"), "`for` needs a purpose");
        assert_eq!(message("of x"), "\"x\" is not a line number");
        assert_eq!(message("0"), "unknown word \"0\" in `log rolls`");
        let refusal = Filter::parse("tyepd").unwrap_err();
        assert!(refusal.hints[0].contains("typed"), "{:?}", refusal.hints);
    }

    #[test]
    fn only_the_word_rolls_leads_here() {
        assert_eq!(words_after_log_rolls("log  ROLLS by x"), Some("by x"));
        assert_eq!(words_after_log_rolls("log rolls"), Some(""));
        for line in ["log rollsx", "log by rolls", "log", "logs rolls"] {
            assert_eq!(words_after_log_rolls(line), None, "{line}");
        }
    }
}
