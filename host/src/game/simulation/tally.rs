//! Counts how games ended. Counts of different games can be added in any order.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::game::simulation::simulator::PlayedGame;
use crate::script::{Ending, TryCounts, add_tries};
use crate::value::{Number, Text};

/// The number of games for each kind of end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games that were played.
    pub games: u64,
    /// The number of games by winner; one game may have several winners.
    pub winners: BTreeMap<Text, u64>,
    /// The number of games that came to an end without a winner.
    pub nobody: u64,
    /// The number of games by length, for each name of a counted length.
    pub lengths: BTreeMap<Text, BTreeMap<Number, u64>>,
    /// The actions that the rules tried, in all games.
    pub tried: TryCounts,
    /// Games without an end, by the code of the error that stopped them.
    pub errors: BTreeMap<String, Failure>,
    /// Games with a different result when they were run again, by number.
    pub differing: BTreeMap<u64, String>,
}

/// Games that an error stopped before their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number of such games.
    pub games: u64,
    /// The number of the first one.
    pub first: u64,
    /// The message in the first game.
    pub message: String,
    /// The place in the first game, if it is known: file, line and column.
    pub place: Option<String>,
}

impl Tally {
    /// Counts a game.
    pub fn count_game(&mut self, number: u64, played: &PlayedGame) {
        self.games += 1;
        add_tries(&mut self.tried, played.tried.clone());
        match &played.ended {
            Ok(ending) => self.count_ending(ending),
            Err(finding) => {
                self.count_failure(finding.code.to_string(), Failure::of(number, finding));
            }
        }
    }

    /// Notes that a game had a different result when it was run again.
    pub fn note_difference(&mut self, number: u64, what: String) {
        self.differing.insert(number, what);
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: Tally) {
        self.games += other.games;
        self.nobody += other.nobody;
        add_tries(&mut self.tried, other.tried);
        for (winner, games) in other.winners {
            *self.winners.entry(winner).or_default() += games;
        }
        for (name, values) in other.lengths {
            let own = self.lengths.entry(name).or_default();
            for (value, games) in values {
                *own.entry(value).or_default() += games;
            }
        }
        for (code, failure) in other.errors {
            self.count_failure(code, failure);
        }
        self.differing.extend(other.differing);
    }

    /// Returns how many games had no end.
    pub fn failed_count(&self) -> u64 {
        self.errors.values().map(|failure| failure.games).sum()
    }

    /// Returns how many games came to an end.
    pub fn ended_count(&self) -> u64 {
        self.games.saturating_sub(self.failed_count())
    }

    fn count_ending(&mut self, ending: &Ending) {
        self.nobody += u64::from(ending.winners.is_empty());
        for winner in &ending.winners {
            *self.winners.entry(Text::clone(winner)).or_default() += 1;
        }
        for (name, value) in &ending.lengths {
            let values = self.lengths.entry(Text::clone(name)).or_default();
            *values.entry(*value).or_default() += 1;
        }
    }

    fn count_failure(&mut self, code: String, failure: Failure) {
        let Some(own) = self.errors.get_mut(&code) else {
            self.errors.insert(code, failure);
            return;
        };
        let games = own.games + failure.games;
        if failure.first < own.first {
            *own = failure;
        }
        own.games = games;
    }
}

impl Failure {
    fn of(number: u64, finding: &Diagnostic) -> Failure {
        let place = finding.place.as_ref().map(|place| {
            let at = place.source.position(place.span.start);
            format!("{}:{}:{}", place.source.name(), at.line, at.column)
        });
        Failure {
            games: 1,
            first: number,
            message: finding.message.clone(),
            place,
        }
    }
}
