//! The table of results: measured numbers, their targets, and whether they are reached.

use std::fmt::{self, Write as _};

/// The unit of a number.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// Nanoseconds, printed as ns, µs or ms.
    Time,
    /// A multiple of another number or speed.
    Times,
    /// Hundredths in addition to another number.
    Percent,
    /// A number per second.
    PerSecond,
}

/// The target of a number.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// The number is at most this.
    AtMost(f64),
    /// The number is at least this.
    AtLeast(f64),
    /// No target; the number helps to read the others.
    None,
}

/// One line of the table.
pub(crate) struct Row {
    /// Its subject.
    pub(crate) name: String,
    /// The measured number.
    pub(crate) measured: f64,
    /// The unit of the number.
    pub(crate) unit: Unit,
    /// The target of the number.
    pub(crate) target: Target,
}

impl Row {
    /// Returns a row for a time without a target.
    pub(crate) fn time_without_target(name: impl Into<String>, nanoseconds: f64) -> Row {
        Row {
            name: name.into(),
            measured: nanoseconds,
            unit: Unit::Time,
            target: Target::None,
        }
    }

    /// Returns a row for a rate per second without a target, from the time of one operation.
    pub(crate) fn rate_without_target(name: impl Into<String>, nanoseconds: f64) -> Row {
        Row {
            unit: Unit::PerSecond,
            ..Row::time_without_target(name, 1e9 / nanoseconds)
        }
    }

    /// Returns a row for a time with a maximum.
    pub(crate) fn time_at_most(name: impl Into<String>, nanoseconds: f64, most: f64) -> Row {
        Row {
            target: Target::AtMost(most),
            ..Row::time_without_target(name, nanoseconds)
        }
    }

    /// Returns a row for a ratio with a target.
    pub(crate) fn ratio_with_target(name: impl Into<String>, measured: f64, target: Target) -> Row {
        Row {
            name: name.into(),
            measured,
            unit: Unit::Times,
            target,
        }
    }

    fn target_verdict(&self) -> &'static str {
        match self.target {
            Target::AtMost(most) if self.measured <= most => "ok",
            Target::AtLeast(least) if self.measured >= least => "ok",
            Target::AtMost(_) | Target::AtLeast(_) => "missed",
            Target::None => "",
        }
    }
}

/// A titled part of the table.
pub(crate) struct Section {
    /// The subject of its rows.
    pub(crate) title: &'static str,
    /// Its rows.
    pub(crate) rows: Vec<Row>,
}

impl fmt::Display for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.title)?;
        for row in &self.rows {
            let mut target = String::new();
            match row.target {
                Target::AtMost(most) => write!(target, "<= {}", Shown(most, row.unit))?,
                Target::AtLeast(least) => write!(target, ">= {}", Shown(least, row.unit))?,
                Target::None => {}
            }
            let measured = Shown(row.measured, row.unit).to_string();
            writeln!(
                out,
                "  {:<62} {measured:>10}  {target:<12} {}",
                row.name,
                row.target_verdict()
            )?;
        }
        Ok(())
    }
}

/// A number with its unit.
struct Shown(f64, Unit);

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(number, unit) = self;
        match unit {
            Unit::Times => write!(out, "{number:.2} x"),
            Unit::PerSecond => write!(out, "{number:.0} /s"),
            Unit::Percent => write!(out, "{number:.1} %"),
            Unit::Time if *number < 1e3 => write!(out, "{number:.1} ns"),
            Unit::Time if *number < 1e6 => write!(out, "{:.2} µs", number / 1e3),
            Unit::Time => write!(out, "{:.2} ms", number / 1e6),
        }
    }
}
