//! Tests the shards of a simulation, their merge in any order, and complete reports.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use crate::diag::Diagnostic;
use crate::doc::Format;
use crate::game::simulation::shards::{Shard, SimulationResult, merge_shards};
use crate::game::simulation::simulator::PlayedGame;
use crate::game::simulation::tally::Tally;
use crate::script::{Ending, Tries};
use crate::store::StateHash;
use crate::value::{Number, Text};

/// Every fifth game fails, every third is won by Ann.
fn played(number: u64) -> PlayedGame {
    let winners = number.is_multiple_of(3).then(|| Text::from("Ann"));
    let length = Number::from_str(&format!("{}.5", number % 4)).unwrap();
    let ending = Ending {
        winners: BTreeSet::from_iter(winners),
        lengths: BTreeMap::from([(Text::from("days"), length)]),
    };
    let failed = number.is_multiple_of(5);
    PlayedGame {
        ended: match failed {
            true => Err(Diagnostic::error("script/error", format!("in {number}"))),
            false => Ok(ending),
        },
        tried: BTreeMap::from([(
            Text::from("Ann"),
            BTreeMap::from([(
                Text::from("sings"),
                Tries {
                    times: number,
                    failures: 1,
                },
            )]),
        )]),
        state: StateHash::default(),
    }
}

fn gathered(shard: Option<Shard>) -> SimulationResult {
    let games = 40;
    let mut tally = Tally::default();
    for number in shard.unwrap_or(Shard::WHOLE).games(games) {
        tally.count_game(number, &played(number));
    }
    SimulationResult {
        ruleset: "toy".to_owned(),
        rules: "0123456789abcdef".to_owned(),
        setup: "six".to_owned(),
        seed: "s".to_owned(),
        games,
        is_verified: true,
        shard,
        tally,
    }
}

fn shares(numbers: &[u64]) -> Vec<(String, SimulationResult)> {
    let share = |number: &u64| {
        let shard = Shard {
            number: *number,
            of: 3,
        };
        let json = gathered(Some(shard)).to_json();
        (
            format!("f{number}"),
            SimulationResult::from_json(&json).unwrap(),
        )
    };
    numbers.iter().map(share).collect()
}

#[test]
fn a_share_is_every_game_with_one_rest() {
    let second = Shard::from_str("2/4").unwrap();
    assert_eq!(second.games(10).collect::<Vec<_>>(), [1, 5, 9]);
    let first = Shard::from_str("1/4").unwrap();
    assert_eq!(first.games(10).collect::<Vec<_>>(), [4, 8]);
    for wrong in ["", "2", "0/4", "5/4", "1/0", "a/b", "1/2/3", "1/10001"] {
        assert!(
            Shard::from_str(wrong).unwrap_err().contains("write 2/4"),
            "{wrong}"
        );
    }
}

#[test]
fn shares_in_any_order_make_the_whole() {
    assert_eq!(merge_shards(shares(&[3, 1, 2])).unwrap(), gathered(None));
    let whole = vec![("all".to_owned(), gathered(None))];
    assert_eq!(merge_shards(whole).unwrap(), gathered(None));
}

#[test]
fn shares_that_are_missing_double_or_foreign_are_refused() {
    let refused = |shares| merge_shards(shares).unwrap_err();
    let missing = refused(shares(&[2]));
    assert_eq!(missing.code, "simulate/missing-shard");
    assert!(
        missing.message.ends_with("are missing: 1/3, 3/3"),
        "{}",
        missing.message
    );
    let double = refused(shares(&[1, 2, 1]));
    assert_eq!(double.message, "f1 and f1 are both shard 1/3");
    let changes: [fn(&mut SimulationResult); 6] = [
        |one| one.seed.push('t'),
        |one| one.setup.push('t'),
        |one| one.rules.push('t'),
        |one| one.games += 1,
        |one| one.is_verified = false,
        |one| one.shard = Some(Shard { number: 2, of: 4 }),
    ];
    for change in changes {
        let mut shares = shares(&[1, 2, 3]);
        change(&mut shares[1].1);
        assert_eq!(refused(shares).code, "simulate/foreign-shard");
    }
    let mut short = shares(&[1, 2, 3]);
    short[2].1.tally.games -= 1;
    assert_eq!(refused(short).code, "simulate/no-shard");
    assert_eq!(refused(Vec::new()).code, "simulate/missing-shard");
}

#[test]
fn what_is_no_share_is_refused() {
    for text in ["{}", "[]", "{\"simulation\":2}", "3"] {
        let json = serde_json::from_str(text).unwrap();
        assert_eq!(
            SimulationResult::from_json(&json).unwrap_err().code,
            "simulate/no-shard"
        );
    }
    let mut json = gathered(None).to_json();
    json["winners"]["Ann"] = serde_json::json!("many");
    assert!(SimulationResult::from_json(&json).is_err());
}

#[test]
fn a_report_tells_rates_lengths_and_errors() {
    let report = gathered(None).report();
    let text = Format::Markdown.render(&report, None, &crate::doc::Screen::default());
    // Of 40 games 8 fail; of the others 11 are won.
    for part in [
        "six: 40 games",
        "Ann",
        "34.4 %",
        "nobody",
        "65.6 %",
        "days",
        "script/error",
        "in 5",
        "all 40 games replay to the same hash",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let data = report.data.unwrap();
    assert_eq!(data.get("ended").as_i64(), Some(32));
    assert_eq!(
        data.get("winners").items()[0].get("games").as_i64(),
        Some(11)
    );
    let errors = data.get("errors").items();
    assert_eq!(
        (
            errors[0].get("games").as_i64(),
            errors[0].get("first").as_i64()
        ),
        (Some(8), Some(5))
    );
    let lengths = &data.get("lengths").items()[0];
    assert_eq!(lengths.get("values").items().len(), 4);
}

#[test]
fn many_values_share_bars_and_none_is_lost() {
    let mut whole = gathered(None);
    let values = (0..500).map(|value| (Number::from_u128(value).unwrap(), 2));
    whole.tally.lengths.insert("steps".into(), values.collect());
    let report = whole.report();
    let text = Format::Markdown.render(&report, None, &crate::doc::Screen::default());
    assert!(
        text.contains("0 to 8") && text.contains("495 to 499"),
        "{text}"
    );
    let data = report.data.unwrap();
    let steps = data
        .get("lengths")
        .items()
        .iter()
        .find(|one| one.get("length").as_str() == Some("steps"));
    assert_eq!(steps.unwrap().get("values").items().len(), 500);
}

#[test]
fn a_game_that_differs_is_named() {
    let mut whole = gathered(None);
    whole.tally.note_difference(7, "the last state".to_owned());
    let text = Format::Markdown.render(&whole.report(), None, &crate::doc::Screen::default());
    assert!(
        text.contains("1 of 40 games replay to something else: game 7: the last state"),
        "{text}"
    );
}
