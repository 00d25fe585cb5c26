//! The numbers of a simulation that are drawn: rates of winners, and lengths.

use crate::game::simulation::estimate::{mean_estimate, median, rate_estimate};
use crate::game::simulation::shards::SimulationResult;

/// How often somebody wins.
#[derive(Clone, Debug, PartialEq)]
pub struct WinRate {
    /// The name of the winner.
    pub name: String,
    /// The rate, 0 to 1.
    pub rate: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

/// How long games take, by one way to count it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLengths {
    /// The name of the length.
    pub name: String,
    /// Each length with its number of games, ascending.
    pub values: Vec<(f64, u64)>,
    /// The mean of all games.
    pub mean: f64,
    /// The median of all games.
    pub median: f64,
}

impl SimulationResult {
    /// Returns the rate of each winner, and of games without one.
    pub fn win_rates(&self) -> Vec<WinRate> {
        let (tally, ended) = (&self.tally, self.tally.ended_count());
        let winners = tally
            .winners
            .iter()
            .map(|(name, games)| (name.to_string(), *games));
        let all = winners.chain([("nobody".to_owned(), tally.nobody)]);
        let rate = |(name, games): (String, u64)| {
            let estimate = rate_estimate(games, ended);
            WinRate {
                name,
                rate: estimate.value,
                low: estimate.low,
                high: estimate.high,
            }
        };
        all.map(rate).collect()
    }

    /// Returns the lengths of games, by name.
    pub fn game_lengths(&self) -> Vec<GameLengths> {
        let lengths = self.tally.lengths.iter().map(|(name, values)| {
            let values: Vec<(f64, u64)> = values
                .iter()
                .map(|(value, games)| (value.to_f64(), *games))
                .collect();
            GameLengths {
                name: name.to_string(),
                mean: mean_estimate(&values).value,
                median: median(&values),
                values,
            }
        });
        lengths.collect()
    }
}
