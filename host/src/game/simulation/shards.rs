//! The result of a simulation, whole or one shard, and the merge of shards into the whole.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::diag::Diagnostic;
use crate::game::simulation::tally::Tally;

/// A share of the games. Of four shards, the first has the game numbers with remainder 0 modulo 4, the second those
/// with remainder 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// The number of the shard, from 1.
    pub number: u64,
    /// The number of shards.
    pub of: u64,
}

/// The maximum number of shards in one simulation.
pub(crate) const MOST: u64 = 10_000;

impl Shard {
    /// The only shard of a simulation that is not divided.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Returns the numbers of its games among the numbers from 1 to `games`.
    pub fn games(self, games: u64) -> impl Iterator<Item = u64> {
        (1..=games).filter(move |game| game % self.of == self.number - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = parts.map(|(number, of)| Shard { number, of });
        let fits = |one: &Shard| (1..=MOST).contains(&one.of) && (1..=one.of).contains(&one.number);
        let wanted = || format!("\"{text}\" is not a shard; write 2/4 for the second of four");
        shard.filter(fits).ok_or_else(wanted)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

/// The result of a simulation: the games that were played, and how they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationResult {
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its files.
    pub rules: String,
    /// The setup of every game.
    pub setup: String,
    /// The text from which all dice are computed.
    pub seed: String,
    /// The number of games in all shards.
    pub games: u64,
    /// Whether each game was run again.
    pub is_verified: bool,
    /// The shard of this result; nothing for the whole simulation.
    pub shard: Option<Shard>,
    /// How its games ended.
    pub tally: Tally,
}

/// Returns the whole simulation from its shards, each with a name for messages.
///
/// Errors: a shard of another simulation, a shard that occurs twice, a missing shard.
pub fn merge_shards(
    shares: Vec<(String, SimulationResult)>,
) -> Result<SimulationResult, Diagnostic> {
    let mut shares = shares.into_iter();
    let Some((first_name, first)) = shares.next() else {
        return Err(missing_shards_refusal(&[Shard::WHOLE]));
    };
    let of = shard_or_whole(&first).of;
    let mut whole = SimulationResult {
        shard: None,
        tally: Tally::default(),
        ..first.clone()
    };
    let mut seen: BTreeMap<Shard, String> = BTreeMap::new();
    for (name, share) in std::iter::once((first_name.clone(), first.clone())).chain(shares) {
        if let Some((what, own, others)) = first_differing_property(&share, &first) {
            let message = format!("{name} and {first_name} are shards of different simulations");
            return Err(Diagnostic::error("simulate/foreign-shard", message)
                .hint(format!("{what} is {own} here, and {others} there")));
        }
        let number = shard_or_whole(&share);
        if let Some(other) = seen.insert(number, name.clone()) {
            let message = format!("{name} and {other} are both shard {number}");
            return Err(
                Diagnostic::error("simulate/double-shard", message).hint("name each shard once")
            );
        }
        let played = number.games(share.games).count() as u64;
        if share.tally.games != played {
            let message = format!(
                "{name} contains {} games, but shard {number} has {played}",
                share.tally.games
            );
            return Err(
                Diagnostic::error("simulate/no-shard", message).hint("play the shard again")
            );
        }
        whole.tally.merge(share.tally);
    }
    let all = (1..=of).map(|number| Shard { number, of });
    let absent: Vec<Shard> = all.filter(|one| !seen.contains_key(one)).collect();
    match absent.is_empty() {
        true => Ok(whole),
        false => Err(missing_shards_refusal(&absent)),
    }
}

fn shard_or_whole(share: &SimulationResult) -> Shard {
    share.shard.unwrap_or(Shard::WHOLE)
}

/// Returns the first property in which two shards differ, and the value of each.
fn first_differing_property(
    share: &SimulationResult,
    first: &SimulationResult,
) -> Option<(&'static str, String, String)> {
    let said = |one: &SimulationResult| {
        let quoted = |text: &str| format!("\"{text}\"");
        [
            ("the ruleset", quoted(&one.ruleset)),
            ("the setup", quoted(&one.setup)),
            ("the seed", quoted(&one.seed)),
            ("the hash of the rules", one.rules.clone()),
            ("the number of games", one.games.to_string()),
            ("the number of shards", shard_or_whole(one).of.to_string()),
            ("whether games are verified", one.is_verified.to_string()),
        ]
    };
    let pairs = said(share).into_iter().zip(said(first));
    let mut differing = pairs.filter(|((_, own), (_, other))| own != other);
    differing
        .next()
        .map(|((what, own), (_, other))| (what, own, other))
}

/// The maximum number of shards that are named one by one.
const NAMED: usize = 10;

fn missing_shards_refusal(absent: &[Shard]) -> Diagnostic {
    let named: Vec<String> = absent.iter().take(NAMED).map(Shard::to_string).collect();
    let more = absent.len().saturating_sub(NAMED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let message = format!(
        "shards of the simulation are missing: {}{more}",
        named.join(", ")
    );
    Diagnostic::error("simulate/missing-shard", message)
        .hint("play them with --shard, with the same setup, seed and games, and name all files")
}
