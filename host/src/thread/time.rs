//! Times as pages of forums print them.
//!
//! In: a text and the forms that it may have. Out: seconds since 1970 in UTC. A time without a zone gets the zone of
//! the page. Words that depend on the reader's day, such as "Yesterday", are not times.

use chrono::{DateTime, NaiveDateTime, Timelike};

/// Most characters of a printed time.
const LONGEST: usize = 64;

/// Fewest digits of a time.
const DIGITS: usize = 4;

/// Forms with their own zone.
const ZONED: [&str; 5] = [
    "%Y-%m-%dT%H:%M:%S%.f%#z",
    "%Y-%m-%d %H:%M:%S%.f %#z",
    "%Y-%m-%dT%H:%M%#z",
    "%Y-%m-%d %H:%M %#z",
    "%a, %d %b %Y %H:%M:%S %#z",
];

/// Forms without a zone that every forum may use.
const LOCAL: [&str; 16] = [
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%a %b %d, %Y %I:%M %p",
    "%b %d, %Y at %I:%M %p",
    "%b %d, %Y, %I:%M %p",
    "%b %d, %Y %I:%M %p",
    "%A, %B %d, %Y %I:%M %p",
    "%b %d, %Y %H:%M",
    "%a %b %d, %Y %H:%M",
    "%d %b %Y, %H:%M",
    "%d %b %Y %H:%M",
    "%a %d %b %Y %H:%M",
    "%d %B %Y at %H:%M",
    "%d.%m.%Y, %H:%M",
    "%d.%m.%Y %H:%M",
];

/// Reads a time. `forms` are the forms of the forum, tried first; `zone` is the zone of the page; unit: minutes east of
/// UTC.
#[must_use]
pub fn parse_time(text: &str, forms: &[String], zone: i32) -> Option<i64> {
    let text = plain_time_text(text)?;
    for form in forms {
        if let Some(time) = parse_zoned_time(&text, form) {
            return Some(time);
        }
        if let Some(time) = parse_local_time(&text, form) {
            return Some(time - i64::from(zone) * 60);
        }
    }
    if let Some(time) = ZONED.iter().find_map(|form| parse_zoned_time(&text, form)) {
        return Some(time);
    }
    // A zone as the letter Z.
    if let Some(front) = text.strip_suffix(['Z', 'z']) {
        let front = front.trim_end().trim_end_matches("UTC").trim_end();
        return first_local_time(front);
    }
    if let Some(front) = text.strip_suffix("UTC").or(text.strip_suffix("GMT")) {
        return first_local_time(front.trim_end());
    }
    Some(first_local_time(&text)? - i64::from(zone) * 60)
}

fn first_local_time(text: &str) -> Option<i64> {
    LOCAL.iter().find_map(|form| parse_local_time(text, form))
}

fn parse_zoned_time(text: &str, form: &str) -> Option<i64> {
    let time = DateTime::parse_from_str(text, form).ok()?;
    Some(time.timestamp())
}

fn parse_local_time(text: &str, form: &str) -> Option<i64> {
    let time = NaiveDateTime::parse_from_str(text, form).ok()?;
    // A leap second is the second before it.
    let time = time.with_nanosecond(0).unwrap_or(time);
    Some(time.and_utc().timestamp())
}

/// Returns a time with single spaces and without the marks that forums print around it.
fn plain_time_text(text: &str) -> Option<String> {
    let digits = text.bytes().filter(u8::is_ascii_digit).take(DIGITS).count();
    if text.len() > 4 * LONGEST || digits < DIGITS {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let whole = words.join(" ");
    let around = |c: char| matches!(c, '»' | '·' | '•' | '|' | ':' | '↑') || c == ' ';
    let mut bare = whole.trim_matches(around);
    for front in ["Posted:", "Posted on", "Posted", "on"] {
        bare = bare
            .strip_prefix(front)
            .map_or(bare, |rest| rest.trim_start());
    }
    (!bare.is_empty() && bare.chars().count() <= LONGEST).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_moment_in_many_forms() {
        let same = 1_772_359_500; // 2026-03-01 10:05 UTC
        let texts = [
            ("2026-03-01T10:05:00.000Z", 0),
            ("2026-03-01T10:05:00+00:00", 600),
            ("2026-03-01T11:05:00+0100", 0),
            ("Sun Mar 01, 2026 10:05 am", 0),
            ("» Sun Mar 01, 2026 12:05 pm", 120),
            ("Mar 1, 2026 at 10:05 AM", 0),
            ("Mar 1, 2026, 10:05 AM", 0),
            ("01.03.2026, 10:05", 0),
            ("Posted on 2026-03-01 05:05", -300),
            ("2026-03-01 10:05 UTC", 90),
            ("2026-03-01 10:05 +0000", 90),
        ];
        for (text, zone) in texts {
            assert_eq!(parse_time(text, &[], zone), Some(same), "{text}");
        }
        let forms = ["%d/%m/%Y kl. %H.%M".to_owned()];
        assert_eq!(parse_time("01/03/2026 kl. 10.05", &forms, 0), Some(same));
    }

    #[test]
    fn words_of_the_readers_day_are_no_times() {
        for text in [
            "Yesterday, 10:05",
            "Today",
            "",
            "12",
            "vote Bo",
            "a".repeat(10_000).as_str(),
        ] {
            assert_eq!(parse_time(text, &[], 0), None, "{text}");
        }
    }
}
