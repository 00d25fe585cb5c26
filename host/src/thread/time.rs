//! Times as pages of forums print them.
//!
//! In: a text and the forms that it may have. Out: seconds since 1970 in UTC. A time without a zone gets the zone of
//! the page. Words that depend on the reader's day, such as "Yesterday", are not times.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Timelike};

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

/// Reads a zone: `UTC`, `+2`, `+02:00`, `-0530`; unit: minutes east of UTC.
#[must_use]
pub fn parse_zone(text: &str) -> Option<i32> {
    let text = text.trim().to_uppercase();
    let text = text
        .strip_prefix("UTC")
        .or(text.strip_prefix("GMT"))
        .unwrap_or(&text)
        .trim();
    if text.is_empty() || text == "Z" {
        return Some(0);
    }
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-" | "−", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(hours) || !all_digits(minutes) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Returns a time in the form `2026-03-01 10:05 UTC`.
#[must_use]
pub fn date_text(seconds: i64) -> String {
    match DateTime::from_timestamp(seconds, 0) {
        Some(time) if time.second() == 0 => time.format("%Y-%m-%d %H:%M UTC").to_string(),
        Some(time) => time.format("%Y-%m-%d %H:%M:%S UTC").to_string(),
        None => NaiveDate::MAX.to_string(),
    }
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
        assert_eq!(date_text(same), "2026-03-01 10:05 UTC");
        assert_eq!(date_text(same + 1), "2026-03-01 10:05:01 UTC");
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

    #[test]
    fn zones_are_minutes_east_of_utc() {
        let cases = [
            ("UTC", Some(0)),
            ("+2", Some(120)),
            ("UTC+01:00", Some(60)),
            ("-0530", Some(-330)),
            ("+15", None),
            ("CET", None),
            ("+", None),
            ("+1:75", None),
        ];
        for (text, zone) in cases {
            assert_eq!(parse_zone(text), zone, "{text}");
        }
    }
}
