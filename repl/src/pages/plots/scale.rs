//! Scales of a plot: round steps for their lines, and numbers as text.

/// The most lines of a scale above its zero.
const LINES: f64 = 5.0;

/// A scale from zero upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// The value at its end.
    pub(super) end: f64,
    /// The distance from one line to the next.
    step: f64,
    is_percent: bool,
}

impl Scale {
    /// Returns a scale on which all values have a place.
    pub(super) fn up_to(largest: f64, is_percent: bool) -> Scale {
        let largest = match largest.is_finite() && largest > 0.0 {
            true => largest,
            false => 1.0,
        };
        let step = round_step(largest / LINES);
        Scale {
            end: (largest / step - 1e-9).ceil() * step,
            step,
            is_percent,
        }
    }

    /// Returns the share of the scale below a value.
    pub(super) fn share(self, value: f64) -> f64 {
        let share = value / self.end;
        match share.is_finite() {
            true => share.clamp(0.0, 1.0),
            false => 0.0,
        }
    }

    /// Returns the lines, each with its value as text.
    pub(super) fn lines(self) -> Vec<(f64, String)> {
        let count = (self.end / self.step).round() as usize;
        let line = |at: usize| {
            let value = self.step * at as f64;
            (value, self.text(value))
        };
        (0..=count).map(line).collect()
    }

    fn text(self, value: f64) -> String {
        match self.is_percent {
            true => format!("{} %", number_text(value * 100.0)),
            false => number_text(value),
        }
    }
}

/// Returns the next larger step of the row 1, 2, 5, 10, 20, …
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let fits = factors
        .iter()
        .find(|factor| **factor * power >= least * (1.0 - 1e-9));
    fits.unwrap_or(&10.0) * power
}

/// Returns a number with at most 4 digits behind the point.
pub(super) fn number_text(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" | "" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// Returns a share in percent; a value that is not a number is 0.
pub(super) fn percent_text(share: f64) -> String {
    let share = if share.is_finite() { share } else { 0.0 };
    format!("{:.1} %", share * 100.0)
}

/// Returns a coordinate; a value that is not a number is 0.
pub(super) fn coordinate(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_round_and_the_largest_value_is_below_the_last() {
        let texts = |largest, is_percent| {
            let lines = Scale::up_to(largest, is_percent).lines();
            Vec::from_iter(lines.into_iter().map(|(_, text)| text)).join(" ")
        };
        assert_eq!(texts(0.17, true), "0 % 5 % 10 % 15 % 20 %");
        assert_eq!(texts(1.0, true), "0 % 20 % 40 % 60 % 80 % 100 %");
        assert_eq!(texts(7.0, false), "0 2 4 6 8");
        assert_eq!(texts(0.0, false), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(texts(f64::NAN, false), texts(1.0, false));
    }

    #[test]
    fn numbers_have_no_needless_digits() {
        for (value, text) in [(2.50, "2.5"), (-0.0, "0"), (1e6, "1000000"), (10.0, "10")] {
            assert_eq!(number_text(value), text);
        }
    }
}
