//! The table of results: what was measured, what is promised, and whether it holds.

use std::fmt::{self, Write as _};

/// What a number is.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    /// Nanoseconds, printed as ns, µs or ms.
    Time,
    /// How many times as much, or as fast, as something else.
    Times,
    /// Hundredths on top of something else.
    Percent,
    /// How many in a second.
    PerSecond,
}

/// What is promised of a number.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// It is not above this.
    AtMost(f64),
    /// It is not below this.
    AtLeast(f64),
    /// Nothing; the number helps to read the others.
    None,
}

/// One line of the table.
pub(crate) struct Row {
    /// What was measured.
    pub(crate) name: String,
    /// The number.
    pub(crate) measured: f64,
    /// What the number is.
    pub(crate) unit: Unit,
    /// What is promised of it.
    pub(crate) target: Target,
}

impl Row {
    /// Returns a time that is only told.
    pub(crate) fn time_without_target(name: impl Into<String>, nanoseconds: f64) -> Row {
        Row {
            name: name.into(),
            measured: nanoseconds,
            unit: Unit::Time,
            target: Target::None,
        }
    }

    /// Returns how many there are in a second of what takes a time, only told.
    pub(crate) fn rate_without_target(name: impl Into<String>, nanoseconds: f64) -> Row {
        Row {
            unit: Unit::PerSecond,
            ..Row::time_without_target(name, 1e9 / nanoseconds)
        }
    }

    /// Returns a time with a promise.
    pub(crate) fn time_at_most(name: impl Into<String>, nanoseconds: f64, most: f64) -> Row {
        Row {
            target: Target::AtMost(most),
            ..Row::time_without_target(name, nanoseconds)
        }
    }

    /// Returns a ratio with a promise.
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
    /// What its rows have in common.
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
