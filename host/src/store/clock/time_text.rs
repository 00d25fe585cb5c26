//! Writes game time for people: as the duration of the game, or as dates.

use crate::store::end_conditions::duration_text;

/// Seconds of a day.
const DAY: u64 = 86_400;
/// Days of 400 years, after which the leap years repeat.
const ERA: u64 = 146_097;
/// Days from the first of March of the year 0 to 1970-01-01.
const EPOCH: u64 = 719_468;

/// The first second that can be the date of a game; an earlier second is a clock that began at 0.
const FIRST: u64 = 365 * DAY;

/// The form of game time for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// An amount of time since the game began: `1d 2h`.
    #[default]
    Passed,
    /// A moment of UTC: second 0 is `1970-01-01 00:00`.
    Dates,
}

impl Times {
    /// Returns a game time as text. Unit: seconds.
    pub fn full_time_text(self, seconds: u64) -> String {
        match self {
            Times::Passed => duration_text(seconds),
            Times::Dates => date_text(seconds),
        }
    }

    /// Returns a game time for a view of the game. Until a date is set, the text is the duration of the game and not
    /// a date.
    pub fn view_time_text(self, seconds: u64) -> String {
        match self {
            Times::Dates if seconds < FIRST => duration_text(seconds),
            Times::Passed | Times::Dates => self.full_time_text(seconds),
        }
    }
}

/// Returns a moment as `2010-07-05 10:00`, with seconds only if they are not 0.
fn date_text(seconds: u64) -> String {
    let (year, month, day) = date_of_day(seconds / DAY);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}");
    match second {
        0 => text,
        second => format!("{text}:{second:02}"),
    }
}

/// Returns the date of a day since 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of its year.
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
fn date_of_day(days: u64) -> (u64, u64, u64) {
    let day = days + EPOCH;
    let (era, of_era) = (day / ERA, day % ERA);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = era * 400 + year + u64::from(month <= 2);
    (year, month, of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_nobody_set_shows_no_date() {
        assert_eq!(Times::Dates.view_time_text(0), "0s");
        assert_eq!(Times::Dates.view_time_text(DAY + 60), "1d 1m");
        assert_eq!(Times::Dates.view_time_text(FIRST), "1971-01-01 00:00");
        assert_eq!(Times::Dates.full_time_text(0), "1970-01-01 00:00");
        assert_eq!(
            Times::Passed.view_time_text(FIRST),
            Times::Passed.full_time_text(FIRST)
        );
    }

    #[test]
    fn moments_are_dates_of_utc() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00"),
            (59, "1970-01-01 00:00:59"),
            (951_782_400, "2000-02-29 00:00"),
            (1_278_324_000, "2010-07-05 10:00"),
            (4_107_542_399, "2100-02-28 23:59:59"),
            (4_107_542_400, "2100-03-01 00:00"),
            (253_402_300_799, "9999-12-31 23:59:59"),
            (253_402_300_800, "10000-01-01 00:00"),
        ] {
            assert_eq!(Times::Dates.full_time_text(seconds), text);
        }
        assert_eq!(Times::Passed.full_time_text(95_400), "1d 2h 30m");
        assert!(!Times::Dates.full_time_text(u64::MAX).is_empty());
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let every = |year: u64, many: u64| year.is_multiple_of(many);
        let is_leap = |year: u64| every(year, 4) && (!every(year, 100) || every(year, 400));
        let length = |year: u64, month: u64| match month {
            2 => 28 + u64::from(is_leap(year)),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..400 * 366 {
            assert_eq!(date_of_day(days), (year, month, day));
            day += 1;
            if day > length(year, month) {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }
}
