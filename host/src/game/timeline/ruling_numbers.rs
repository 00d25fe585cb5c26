//! Writes the log lines of rulings into documents for people.
//!
//! Stored documents name a ruling by its ruling number. This number stays the same when a line is given again, and
//! games saved earlier are verified with it. People name a ruling by the log line at which it began.

use crate::doc::{Audience, Block, Document};
use crate::game::timeline::Timeline;
use crate::store::Operation;
use crate::value::Value;

/// The key for the number of a question in data.
pub(in crate::game) const NUMBER: &str = "question";
/// The start of the host's message about a dropped ruling.
pub(in crate::game) const DROPPED: &str = "dropped: ";

/// Returns the ruling number of the ruling that asks a question, from the game master's document; nothing for any other
/// document.
pub(in crate::game) fn ruling_number_in_question_document(document: &Document) -> Option<u64> {
    let (ruling_number, place) =
        question_number_for_gm(document.data.as_ref()?)?.split_once('.')?;
    place.parse::<u64>().ok()?;
    ruling_number.parse().ok()
}

/// Returns the document of a question with the log line of its ruling in place of the ruling number.
#[must_use]
pub(in crate::game) fn with_log_line_of_ruling(
    mut document: Document,
    (ruling_number, number): (u64, u64),
) -> Document {
    let Some(old) = document
        .data
        .as_ref()
        .and_then(question_number_for_gm)
        .map(str::to_owned)
    else {
        return document;
    };
    let Some(place) = old.strip_prefix(&format!("{ruling_number}.")) else {
        return document;
    };
    let new = format!("{number}.{place}");
    document.data = document
        .data
        .map(|data| data_with_question_number(&data, &new));
    replace_first_in_paragraphs(&mut document.blocks, &format!(" {old}"), &format!(" {new}"));
    document
}

/// Returns the game master's message about a dropped ruling, with the ruling's log line in place of the ruling number.
#[must_use]
pub(in crate::game) fn drop_notice_with_log_line(
    mut document: Document,
    number: impl Fn(u64) -> u64,
) -> Document {
    let Some(Block::Paragraph(line)) = document.blocks.first_mut() else {
        return document;
    };
    let named = line.0.first_mut().and_then(|span| {
        let (ruling_number, command) = span.text.strip_prefix(DROPPED)?.split_once(' ')?;
        let number = number(ruling_number.parse().ok()?);
        span.text = format!("{DROPPED}{number} {command}");
        Some(())
    });
    debug_assert!(named.is_none() || document.audience == Audience::Gm);
    document
}

/// Returns a stored document of an operation, with log lines in place of ruling numbers.
#[must_use]
pub(in crate::game) fn with_numbers_for_people(
    timeline: &Timeline,
    operation: &Operation,
    document: Document,
) -> Document {
    match ruling_number_in_question_document(&document) {
        Some(number) => {
            with_log_line_of_ruling(document, (number, timeline.log_line_of_ruling(number)))
        }
        // Only the host itself emits documents without a rule.
        None if operation.causes.is_empty() => {
            drop_notice_with_log_line(document, |number| timeline.log_line_of_ruling(number))
        }
        None => document,
    }
}

/// Returns the question number for the game master in the data of a question: the game master's own number, else the
/// common number.
fn question_number_for_gm(data: &Value) -> Option<&str> {
    let own = data.get(&gm_data_key()).get(NUMBER).as_str();
    own.or_else(|| data.get(NUMBER).as_str())
}

fn data_with_question_number(data: &Value, number: &str) -> Value {
    let mut entries = data.as_map().cloned().unwrap_or_default();
    let number = Value::from(number);
    match entries.contains_key(&*gm_data_key()) {
        true => entries.insert(
            gm_data_key().as_str().into(),
            Value::map([(NUMBER, number)]),
        ),
        false => entries.insert(NUMBER.into(), number),
    };
    Value::map(entries)
}

fn gm_data_key() -> String {
    format!("@{}", Audience::Gm)
}

/// Replaces the first match of a text in paragraphs.
fn replace_first_in_paragraphs(blocks: &mut [Block], old: &str, new: &str) {
    let lines = blocks.iter_mut().filter_map(|block| match block {
        Block::Paragraph(line) => Some(line),
        _ => None,
    });
    let mut spans = lines.flat_map(|line| &mut line.0);
    if let Some(span) = spans.find(|span| span.text.contains(old)) {
        span.text = span.text.replacen(old, new, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::build::{line, paragraph, text};
    use crate::doc::plain;

    fn asked(data: Value) -> Document {
        let number = text(" 5.2").for_audience(Audience::Gm);
        let spans = [
            text("question 1"),
            number,
            text(": pay 5.2 or 5.2? (yes or no)"),
        ];
        Document::new([paragraph(line(spans))]).data(data)
    }

    #[test]
    fn a_question_is_renumbered_where_its_number_stands() {
        let own = Value::map([(NUMBER, Value::from("5.2"))]);
        let of_seat = Value::map([(NUMBER, Value::from("1")), ("@gm", own.clone())]);
        for data in [own, of_seat] {
            let shown = with_log_line_of_ruling(asked(data), (5, 17));
            assert_eq!(ruling_number_in_question_document(&shown), Some(17));
            let told = plain(&shown);
            assert!(told.contains("17.2"), "{told}");
            assert!(told.ends_with("pay 5.2 or 5.2? (yes or no)"), "{told}");
        }
    }

    #[test]
    fn what_is_no_question_of_that_ruling_stays() {
        let data = |number: &str| Value::map([(NUMBER, Value::from(number))]);
        for number in ["1", "15.2", "x.2", ""] {
            let document = asked(data(number));
            assert_eq!(
                with_log_line_of_ruling(document.clone(), (5, 17)),
                document,
                "{number}"
            );
        }
        let other = Document::new([paragraph("question 5.2: how?")]);
        assert_eq!(ruling_number_in_question_document(&other), None);
        assert_eq!(with_log_line_of_ruling(other.clone(), (5, 17)), other);
    }

    #[test]
    fn what_is_given_up_is_named_by_its_number() {
        for (told, shown) in [
            ("dropped: 5 duel 5 times", "dropped: 17 duel 5 times"),
            ("dropped: prompt#5", "dropped: prompt#5"),
            ("dropped: 6 or 7", "dropped: 6 or 7"),
        ] {
            let told = Document::new([paragraph(told)]).limit_to_audience(Audience::Gm);
            let line = |number| if number == 5 { 17 } else { number };
            let named = drop_notice_with_log_line(told, line);
            assert_eq!(plain(&named).trim_end(), shown);
        }
    }
}
