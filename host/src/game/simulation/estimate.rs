//! Estimates from a sample: a rate and a mean, each with the interval that contains it in 95 of 100 samples.

/// The number of standard deviations of the normal distribution, to each side, that include 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Returns the rate of `count` in `all` with Wilson's interval; if `all` is 0, every rate is possible.
pub(super) fn rate_estimate(count: u64, all: u64) -> Estimate {
    if all == 0 {
        return Estimate {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (n, share) = (all as f64, count as f64 / all as f64);
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At rates 0 and 1 the interval begins or ends exactly there, apart from rounding.
    Estimate {
        value: share,
        low: if count == 0 { 0.0 } else { middle - half },
        high: if count == all { 1.0 } else { middle + half },
    }
}

/// Returns the mean of values, given in order with their counts, and its interval by the normal distribution. For a
/// single value, nothing but the value itself is known.
pub(super) fn mean_estimate(values: &[(f64, u64)]) -> Estimate {
    let all: u64 = values.iter().map(|(_, count)| count).sum();
    let n = all as f64;
    let sum: f64 = values
        .iter()
        .map(|(value, count)| value * *count as f64)
        .sum();
    let mean = if all == 0 { 0.0 } else { sum / n };
    let squares = values
        .iter()
        .map(|(value, count)| (value - mean).powi(2) * *count as f64);
    let squares: f64 = squares.sum();
    let half = match all {
        0 | 1 => 0.0,
        _ => Z * (squares / (n - 1.0) / n).sqrt(),
    };
    // A mean of values that are never negative is not negative either.
    let least = match values.iter().all(|(value, _)| *value >= 0.0) {
        true => 0.0,
        false => f64::NEG_INFINITY,
    };
    Estimate {
        value: mean,
        low: (mean - half).max(least),
        high: mean + half,
    }
}

/// Returns the median of values, given in order with their counts; between two of them, halfway.
pub(super) fn median(values: &[(f64, u64)]) -> f64 {
    let all: u64 = values.iter().map(|(_, count)| count).sum();
    let at = |wanted: u64| {
        let mut before = 0;
        let found = values.iter().find(|(_, count)| {
            before += count;
            wanted < before
        });
        found.map_or(0.0, |(value, _)| *value)
    };
    (at(all.saturating_sub(1) / 2) + at(all / 2)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(one: f64, other: f64) -> bool {
        (one - other).abs() < 5e-5
    }

    /// The values of Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn a_rate_has_the_interval_of_wilson() {
        for (count, all, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (29, 29, 0.8830, 1.0),
        ] {
            let found = rate_estimate(count, all);
            assert!(
                is_near(found.low, low) && is_near(found.high, high),
                "{count} of {all}: {found:?}"
            );
        }
        assert_eq!(
            (rate_estimate(0, 0).low, rate_estimate(0, 0).high),
            (0.0, 1.0)
        );
    }

    #[test]
    fn a_mean_has_an_interval_that_narrows_with_the_root_of_the_count() {
        let one = mean_estimate(&[(2.0, 2), (4.0, 2)]);
        assert!(
            is_near(one.value, 3.0) && is_near(one.high, 3.0 + Z * (4.0f64 / 3.0 / 4.0).sqrt())
        );
        let many = mean_estimate(&[(2.0, 200), (4.0, 200)]);
        assert!((many.high - many.low) * 9.0 < one.high - one.low);
        assert_eq!(
            mean_estimate(&[(7.0, 1)]),
            Estimate {
                value: 7.0,
                low: 7.0,
                high: 7.0
            }
        );
    }

    #[test]
    fn the_mean_of_values_from_0_on_has_an_interval_from_0_on() {
        let of = |lowest: f64| mean_estimate(&[(lowest, 3), (9.0, 1)]).low;
        assert!(is_near(of(0.0), 0.0) && of(-1.0) < -1.0);
    }

    #[test]
    fn a_median_lies_in_the_middle_or_between_two() {
        assert!(is_near(median(&[(1.0, 2), (5.0, 1)]), 1.0));
        assert!(is_near(median(&[(1.0, 2), (5.0, 2)]), 3.0));
        assert!(is_near(median(&[(1.0, 1), (2.0, 1), (9.0, 1)]), 2.0));
    }
}
