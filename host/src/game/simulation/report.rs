//! The report of a simulation: how often each winner wins, how long games take, and the errors.

use std::collections::BTreeMap;

use crate::doc::build::{bar, bar_chart, fields, heading, paragraph, right_column, table};
use crate::doc::{Bar, Block, Column, Document};
use crate::game::simulation::estimate::{Estimate, mean_estimate, median, rate_estimate};
use crate::game::simulation::shards::SimulationResult;
use crate::game::simulation::tally::{Failure, Tally};
use crate::game::simulation::unused_rules::{never_done_blocks, tried_data};
use crate::value::{Number, Text, Value};

/// The maximum number of bars in one chart; if there are more values, neighbours share one.
const BARS: usize = 60;
/// The number of digits of a hash in the report.
const SHOWN: usize = 12;
/// The maximum number of games that are named one by one.
const NAMED: usize = 10;

impl SimulationResult {
    /// Returns the report, for people and as data.
    pub fn report(&self) -> Document {
        let tally = &self.tally;
        let mut blocks = vec![
            heading(1, format!("{}: {}", self.setup, counted_games(tally.games))),
            self.head_fields(),
        ];
        blocks.push(winners_table(tally));
        for (name, values) in &tally.lengths {
            blocks.extend(length_blocks(name, values));
        }
        blocks.extend(never_done_blocks(&tally.tried));
        if !tally.errors.is_empty() {
            blocks.push(heading(2, "errors"));
            blocks.push(errors_table(&tally.errors));
        }
        if self.is_verified {
            blocks.push(paragraph(verified_sentence(tally)));
        }
        Document::new(blocks).data(self.report_data())
    }

    fn head_fields(&self) -> Block {
        let tally = &self.tally;
        let errors = match tally.failed_count() {
            0 => "none".to_owned(),
            failed => counted_games(failed),
        };
        let rules = self.rules.get(..SHOWN).unwrap_or(&self.rules);
        fields([
            ("ruleset", format!("{}, {rules}", self.ruleset)),
            ("seed", self.seed.clone()),
            ("came to an end", counted_games(tally.ended_count())),
            ("errors", errors),
        ])
    }

    fn report_data(&self) -> Value {
        let (tally, ended) = (&self.tally, self.tally.ended_count());
        let winners = tally.winners.iter().map(|(name, games)| {
            let mut said = rate_data(*games, ended);
            said.push(("winner", Value::Text(Text::clone(name))));
            Value::map(said)
        });
        let errors = tally.errors.iter().map(|(code, one)| {
            Value::map([
                ("code", code.as_str().into()),
                ("games", count_value(one.games)),
                ("first", count_value(one.first)),
                ("message", one.message.as_str().into()),
                (
                    "place",
                    one.place.as_deref().map_or(Value::Nil, Value::from),
                ),
            ])
        });
        let differing = tally.differing.iter().map(|(game, what)| {
            Value::map([("game", count_value(*game)), ("what", what.as_str().into())])
        });
        let differing = self.is_verified.then(|| Value::list(differing));
        Value::map([
            ("ruleset", self.ruleset.as_str().into()),
            ("rules", self.rules.as_str().into()),
            ("setup", self.setup.as_str().into()),
            ("seed", self.seed.as_str().into()),
            ("games", count_value(tally.games)),
            ("ended", count_value(ended)),
            ("winners", Value::list(winners)),
            ("nobody", Value::map(rate_data(tally.nobody, ended))),
            (
                "lengths",
                Value::list(
                    tally
                        .lengths
                        .iter()
                        .map(|(name, values)| length_data(name, values)),
                ),
            ),
            ("tried", tried_data(&tally.tried)),
            ("errors", Value::list(errors)),
            ("verified", Value::from(self.is_verified)),
            ("differing", differing.unwrap_or_default()),
        ])
    }
}

fn winners_table(tally: &Tally) -> Block {
    let columns: [Column; 4] = [
        "winner".into(),
        right_column("games"),
        right_column("rate"),
        right_column("95 % interval"),
    ];
    let ended = tally.ended_count();
    let row = |name: &str, games: u64| {
        let rate = rate_estimate(games, ended);
        let between = format!("{} to {}", percent_text(rate.low), percent_text(rate.high));
        [
            name.to_owned(),
            games.to_string(),
            percent_text(rate.value),
            between,
        ]
    };
    let shown = tally
        .winners
        .iter()
        .fold(table(columns), |shown, (name, games)| {
            shown.row(row(name, *games))
        });
    shown.row(row("nobody", tally.nobody)).into()
}

/// Returns the lengths of games as blocks.
fn length_blocks(name: &str, values: &BTreeMap<Number, u64>) -> [Block; 3] {
    let plain = float_values(values);
    let Estimate { value, low, high } = mean_estimate(&plain);
    let (least, most) = least_and_most(values);
    let facts = [
        (
            "mean",
            format!("{value:.3}, 95 % interval {low:.3} to {high:.3}"),
        ),
        ("median", number_from_float(median(&plain)).to_string()),
        ("least, most", format!("{least}, {most}")),
    ];
    [
        heading(2, name),
        fields(facts),
        bar_chart(histogram_bars(values)),
    ]
}

fn histogram_bars(values: &BTreeMap<Number, u64>) -> Vec<Bar> {
    let all: u64 = values.values().sum();
    let values: Vec<(&Number, &u64)> = values.iter().collect();
    let shared = values.chunks(values.len().div_ceil(BARS).max(1));
    let bar = |shared: &[(&Number, &u64)]| {
        let games: u64 = shared.iter().map(|(_, games)| **games).sum();
        let label = match shared {
            [(one, _)] => one.to_string(),
            [(first, _), .., (last, _)] => format!("{first} to {last}"),
            [] => String::new(),
        };
        let text = format!(
            "{} ({games})",
            percent_text(rate_estimate(games, all).value),
        );
        bar(label, whole_number(games), text)
    };
    shared.map(bar).collect()
}

fn errors_table(errors: &BTreeMap<String, Failure>) -> Block {
    let columns: [Column; 4] = [
        "code".into(),
        right_column("games"),
        right_column("first game"),
        "message in that game".into(),
    ];
    let shown = errors.iter().fold(table(columns), |shown, (code, one)| {
        let place = one
            .place
            .as_ref()
            .map(|place| format!("{place}: "))
            .unwrap_or_default();
        let what = format!("{place}{}", one.message);
        shown.row([
            code.clone(),
            one.games.to_string(),
            one.first.to_string(),
            what,
        ])
    });
    shown.into()
}

fn verified_sentence(tally: &Tally) -> String {
    if tally.differing.is_empty() {
        return format!("all {} replay to the same hash", counted_games(tally.games));
    }
    let named: Vec<String> = tally
        .differing
        .iter()
        .take(NAMED)
        .map(|(game, what)| format!("game {game}: {what}"))
        .collect();
    let differing = tally.differing.len();
    format!(
        "{differing} of {} replay to something else: {}",
        counted_games(tally.games),
        named.join("; ")
    )
}

fn length_data(name: &Text, values: &BTreeMap<Number, u64>) -> Value {
    let plain = float_values(values);
    let Estimate { value, low, high } = mean_estimate(&plain);
    let (least, most) = least_and_most(values);
    let rows = values.iter().map(|(value, games)| {
        Value::map([
            ("value", Value::Number(*value)),
            ("games", count_value(*games)),
        ])
    });
    Value::map([
        ("length", Value::Text(Text::clone(name))),
        ("games", count_value(values.values().sum())),
        ("mean", Value::Number(number_from_float(value))),
        ("low", Value::Number(number_from_float(low))),
        ("high", Value::Number(number_from_float(high))),
        ("median", Value::Number(number_from_float(median(&plain)))),
        ("least", Value::Number(least)),
        ("most", Value::Number(most)),
        ("values", Value::list(rows)),
    ])
}

fn rate_data(games: u64, all: u64) -> Vec<(&'static str, Value)> {
    let Estimate { value, low, high } = rate_estimate(games, all);
    vec![
        ("games", count_value(games)),
        ("rate", Value::Number(number_from_float(value))),
        ("low", Value::Number(number_from_float(low))),
        ("high", Value::Number(number_from_float(high))),
    ]
}

fn float_values(values: &BTreeMap<Number, u64>) -> Vec<(f64, u64)> {
    values
        .iter()
        .map(|(value, games)| (value.to_f64(), *games))
        .collect()
}

fn least_and_most(values: &BTreeMap<Number, u64>) -> (Number, Number) {
    let (mut keys, mut back) = (values.keys(), values.keys().rev());
    let ends = keys.next().zip(back.next());
    ends.map_or((Number::ZERO, Number::ZERO), |(least, most)| {
        (*least, *most)
    })
}

fn number_from_float(value: f64) -> Number {
    Number::from_f64(value).unwrap_or(Number::ZERO)
}

fn whole_number(games: u64) -> Number {
    Number::from_u128(games.into()).unwrap_or(Number::ZERO)
}

fn count_value(games: u64) -> Value {
    Value::Number(whole_number(games))
}

fn percent_text(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn counted_games(count: u64) -> String {
    match count {
        1 => "1 game".to_owned(),
        more => format!("{more} games"),
    }
}
