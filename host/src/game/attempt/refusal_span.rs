//! Finds the words of a line that a refusal points at.

use crate::diag::{Diagnostic, Source};
use crate::dice::NOTATION_SOURCE;
use crate::game::attempt::line_parser::parse_command_line;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::script::SAID;

/// Gives a refusal that names words their position in the line; without these words in the line, no position.
pub(super) fn point_to_words(
    timeline: &Timeline,
    mut finding: Diagnostic,
    ruling: &Ruling<'_>,
) -> Diagnostic {
    let said = finding.place.take_if(|place| place.source.name() == SAID);
    let Some(said) = said else {
        return finding;
    };
    match position_of_words(timeline, said.source.text(), ruling) {
        Some(at) => finding.at(&Source::new("line", ruling.line), said.span.shifted(at)),
        None => finding,
    }
}

/// Points a refusal of dice notation to the line and removes its trace, if the line contains the notation: then the
/// giver wrote it, and not a rule.
pub(super) fn point_notation_refusal_to_line(
    timeline: &Timeline,
    finding: Diagnostic,
    ruling: &Ruling<'_>,
) -> Diagnostic {
    let place = finding.place.as_ref();
    let of_notation = place.filter(|place| place.source.name() == NOTATION_SOURCE);
    let found = of_notation.and_then(|place| {
        let at = position_of_words(timeline, place.source.text(), ruling)?;
        Some(place.span.shifted(at))
    });
    match found {
        Some(span) => Diagnostic {
            trace: Vec::new(),
            ..finding.at(&Source::new("line", ruling.line), span)
        },
        None => finding,
    }
}

/// Returns the position of words in a line: the first argument equal to them, else their first match as whole words.
fn position_of_words(timeline: &Timeline, words: &str, ruling: &Ruling<'_>) -> Option<usize> {
    let mut whole = whole_word_positions(ruling.line, words);
    let first = whole.next()?;
    whole.next().map_or(Some(first), |_| {
        let read = parse_command_line(timeline, ruling.by(), ruling.line).ok();
        let slots = read.iter().flat_map(|(phrase, _)| &phrase.slots);
        let text = |start, end| ruling.line.get(start..end);
        let own = slots.filter(|slot| text(slot.span.start, slot.span.end) == Some(words));
        Some(own.map(|slot| slot.span.start).min().unwrap_or(first))
    })
}

/// Returns the positions of words in a line that do not begin or end within another word.
fn whole_word_positions<'l>(line: &'l str, words: &'l str) -> impl Iterator<Item = usize> + 'l {
    let goes_on = |one: Option<char>, other: Option<char>| {
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        one.is_some_and(is_letter) && other.is_some_and(is_letter)
    };
    let places = line.char_indices().map(|(at, _)| at);
    places.filter(move |at| {
        let (before, rest) = line.split_at(*at);
        let behind = rest.strip_prefix(words).filter(|_| !words.is_empty());
        behind.is_some_and(|behind| {
            !goes_on(before.chars().next_back(), words.chars().next())
                && !goes_on(words.chars().next_back(), behind.chars().next())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_are_whole() {
        let cases: [(&str, &str, &[usize]); 8] = [
            ("point Ann", "Ann", &[6]),
            ("Anna Ann Ann's Joann", "Ann", &[5, 9]),
            ("ba a a", "a a", &[3]),
            ("x_a a", "a", &[4]),
            ("say `a`b", "`a`", &[4]),
            ("Äa a", "a", &[4]),
            ("point", "", &[]),
            ("point", "Ann", &[]),
        ];
        for (line, words, places) in cases {
            let found: Vec<usize> = whole_word_positions(line, words).collect();
            assert_eq!(found, places, "{words:?} in {line:?}");
        }
    }
}
