//! Writes the result of a shard as one JSON object and reads it again.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::{Map, Value as Json, json};

use crate::diag::Diagnostic;
use crate::game::simulation::shards::{Shard, SimulationResult};
use crate::game::simulation::tally::{Failure, Tally};
use crate::script::{Tries, TryCounts};
use crate::value::{Number, Text, to_json};

/// The version of the object's form.
const FORM: u64 = 1;

impl SimulationResult {
    /// Returns it as JSON, in one form.
    pub fn to_json(&self) -> Json {
        let tally = &self.tally;
        let lengths = tally.lengths.iter().map(|(name, values)| {
            let values = values
                .iter()
                .map(|(value, games)| json!([to_json(&(*value).into()), games]));
            (name.to_string(), values.collect::<Json>())
        });
        let tried = tally.tried.iter().map(|(of, names)| {
            let names = names
                .iter()
                .map(|(name, tries)| (name.to_string(), json!([tries.times, tries.failures])));
            (of.to_string(), names.collect::<Json>())
        });
        let errors = tally.errors.iter().map(|(code, one)| {
            let said = json!({ "games": one.games, "first": one.first, "message": one.message, "place": one.place });
            (code.clone(), said)
        });
        let differing = tally
            .differing
            .iter()
            .map(|(game, what)| json!([game, what]));
        json!({
            "simulation": FORM,
            "ruleset": self.ruleset,
            "rules": self.rules,
            "setup": self.setup,
            "seed": self.seed,
            "games": self.games,
            "verified": self.is_verified,
            "shard": self.shard.map(|shard| shard.to_string()),
            "played": tally.games,
            "winners": tally.winners.iter().map(|(name, games)| (name.to_string(), json!(games))).collect::<Map<_, _>>(),
            "nobody": tally.nobody,
            "lengths": lengths.collect::<Map<_, _>>(),
            "tried": tried.collect::<Map<_, _>>(),
            "errors": errors.collect::<Map<_, _>>(),
            "differing": differing.collect::<Json>(),
        })
    }

    /// Reads the output of [`SimulationResult::to_json`]. Errors: `simulate/no-shard` if the text is something else.
    pub fn from_json(json: &Json) -> Result<SimulationResult, Diagnostic> {
        result_from_json(json).ok_or_else(|| {
            Diagnostic::error("simulate/no-shard", "this is not a simulation shard")
                .hint("write shards with `arbiter simulate SETUP --shard 1/4 --out FILE`")
        })
    }
}

fn result_from_json(json: &Json) -> Option<SimulationResult> {
    let text = |key: &str| json[key].as_str().map(str::to_owned);
    if json["simulation"].as_u64() != Some(FORM) {
        return None;
    }
    let shard = match &json["shard"] {
        Json::Null => None,
        said => Some(Shard::from_str(said.as_str()?).ok()?),
    };
    Some(SimulationResult {
        ruleset: text("ruleset")?,
        rules: text("rules")?,
        setup: text("setup")?,
        seed: text("seed")?,
        games: json["games"].as_u64()?,
        is_verified: json["verified"].as_bool()?,
        shard,
        tally: read_tally(json)?,
    })
}

fn read_tally(json: &Json) -> Option<Tally> {
    let entries = |key: &str| json[key].as_object().map(Map::iter);
    let winners =
        entries("winners")?.map(|(name, games)| Some((Text::from(name.as_str()), games.as_u64()?)));
    let lengths = entries("lengths")?
        .map(|(name, values)| Some((Text::from(name.as_str()), read_lengths(values)?)));
    let errors = entries("errors")?.map(|(code, one)| Some((code.clone(), read_failure(one)?)));
    let differing = json["differing"].as_array()?.iter();
    let differing = differing.map(|one| Some((one[0].as_u64()?, one[1].as_str()?.to_owned())));
    Some(Tally {
        games: json["played"].as_u64()?,
        winners: winners.collect::<Option<_>>()?,
        nobody: json["nobody"].as_u64()?,
        lengths: lengths.collect::<Option<_>>()?,
        tried: read_tried(&json["tried"])?,
        errors: errors.collect::<Option<_>>()?,
        differing: differing.collect::<Option<_>>()?,
    })
}

fn read_lengths(values: &Json) -> Option<BTreeMap<Number, u64>> {
    let value = |one: &Json| match &one[0] {
        Json::Number(number) => Number::from_str(&number.to_string()).ok(),
        _ => None,
    };
    let values = values.as_array()?.iter();
    values
        .map(|one| Some((value(one)?, one[1].as_u64()?)))
        .collect()
}

/// Returns the counts of tried actions. A shard written before they were counted has none.
fn read_tried(json: &Json) -> Option<TryCounts> {
    let tries = |one: &Json| {
        Some(Tries {
            times: one[0].as_u64()?,
            failures: one[1].as_u64()?,
        })
    };
    let names = |names: &Json| -> Option<BTreeMap<Text, Tries>> {
        let names = names.as_object()?.iter();
        names
            .map(|(name, one)| Some((Text::from(name.as_str()), tries(one)?)))
            .collect()
    };
    if json.is_null() {
        return Some(TryCounts::new());
    }
    let all = json.as_object()?.iter();
    all.map(|(of, one)| Some((Text::from(of.as_str()), names(one)?)))
        .collect()
}

fn read_failure(one: &Json) -> Option<Failure> {
    Some(Failure {
        games: one["games"].as_u64()?,
        first: one["first"].as_u64()?,
        message: one["message"].as_str()?.to_owned(),
        place: one["place"].as_str().map(str::to_owned),
    })
}
