//! Compares distributions with all outcomes, one by one, and with known results.

use num_bigint::BigUint;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Script, Stream, parse_notation};
use crate::dice::{Budget, Distribution, Notation};

/// A common multiple of the sizes used here to the power of the draws: its part for each way is whole.
const UNIT: u32 = 120;

/// Returns the share of each total in `UNIT^draws`. Outcomes with more draws are left out.
fn enumerate_outcomes(notation: &Notation, draws: usize) -> BTreeMap<i64, BigUint> {
    let mut parts = BTreeMap::new();
    let whole = BigUint::from(UNIT).pow(u32::try_from(draws).unwrap());
    let mut open = vec![(Vec::new(), whole)];
    while let Some((faces, part)) = open.pop() {
        let mut script = Script::new(&faces);
        match notation.roll_total(&mut script, &mut Budget::default()) {
            Ok(total) => *parts.entry(total).or_default() += part,
            Err(refusal) => {
                let sides = script.wanted.unwrap_or_else(|| panic!("{refusal:?}"));
                assert_eq!(UNIT % sides, 0);
                if faces.len() == draws {
                    continue;
                }
                for face in 1..=sides {
                    let mut longer = faces.clone();
                    longer.push(face);
                    open.push((longer, &part / sides));
                }
            }
        }
    }
    parts
}

fn distribution_of(text: &str) -> Distribution {
    parse_notation(text)
        .distribution()
        .unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"))
}

fn ways_table(text: &str) -> Vec<(i64, BigUint)> {
    distribution_of(text).iter().collect()
}

/// Asserts that two tables have the same chances.
fn assert_same_chances(text: &str, exact: &Distribution, parts: &BTreeMap<i64, BigUint>) {
    let whole: BigUint = parts.values().sum();
    let outcomes = exact.outcome_count();
    let left: Vec<_> = exact
        .iter()
        .map(|(total, ways)| (total, ways * &whole))
        .collect();
    let right: Vec<_> = parts
        .iter()
        .map(|(total, part)| (*total, part * &outcomes))
        .collect();
    assert_eq!(left, right, "{text}");
}

#[test]
fn every_kind_of_notation_agrees_with_all_its_outcomes() {
    for (text, draws) in [
        ("7", 0),
        ("0d6", 0),
        ("d6", 1),
        ("3d6-d4+2", 4),
        ("2d6*d4", 3),
        ("(d6-d4)/2", 2),
        ("d6*d6/d4", 3),
        ("-(2d4)*3", 2),
        ("4dF", 4),
        ("4dF>=1f-1", 4),
        ("4d6kh3", 4),
        ("4d6kl1", 4),
        ("4d6dh1", 4),
        ("4d6dl3", 4),
        ("3d6kh0", 3),
        ("3d6kh9", 3),
        ("3d6dl9", 3),
        ("2d6ro1", 4),
        ("2d6ro<3kh1", 4),
        ("3d6min2max5", 3),
        ("3d6min3kh2", 3),
        ("3d10>=8", 3),
        ("3d10>=8f1dbl10", 3),
        ("3d10kh2>=8f1", 3),
        ("3d6kl2<=2", 3),
        ("{d8,d6,d10}kh2", 3),
        ("{d8,d6,d6}dl1", 3),
        ("{2d4,d6,3}kl2", 3),
        ("{2d6+d8}kh2", 3),
        ("{d4,{d6,d8}kh1}kh1+d4", 4),
        ("{d6,d8}", 2),
        ("{d6-3,d4*2,-1}dh1", 2),
        ("d%-d20", 2),
        ("{2d4[a]+d6[b]}kh1[c]", 3),
        ("3d6dbl6>5", 3),
        ("5d4kh3-5d2kl3", 10),
    ] {
        let text = text.replace("f-1", "f=-1").replace("d%", "d60");
        assert_same_chances(
            &text,
            &distribution_of(&text),
            &enumerate_outcomes(&parse_notation(&text), draws),
        );
    }
}

#[test]
fn exploding_dice_agree_with_what_few_draws_show() {
    for (text, draws) in [
        ("d4!", 7),
        ("d4!>=3", 7),
        ("2d3!", 8),
        ("2d3!!", 8),
        ("2d3!kh1", 8),
        ("2d4!dl1", 7),
        ("2d4!>2kl1", 8),
        ("2d3!kh3", 8),
        ("3d3!dh1", 9),
        ("2d4!!kh1", 7),
        ("2d4!>=4f1>=3dbl4", 7),
        ("d4!1>=3f1", 8),
        ("2d4!1f1>=3", 7),
        ("d6!!max5", 5),
        ("d6!max5", 5),
        ("2d3!!min2kh1", 8),
        ("d6!ro1", 6),
        ("d3!!>=3", 8),
        ("{2d3!,d4}kh1", 8),
        ("2d4!!>=3<=4", 8),
        ("2d6!>=5kh1", 6),
    ] {
        let exact = distribution_of(text);
        let parts = enumerate_outcomes(&parse_notation(text), draws);
        let whole = BigUint::from(UNIT).pow(u32::try_from(draws).unwrap());
        let shown: BigUint = parts.values().sum();
        let missing = exact.chance_of_ways(&exact.outcome_count()) - plain_ratio(&shown, &whole);
        assert!(missing < 0.1, "{text} needs more draws: {missing}");
        for (total, part) in &parts {
            let (low, chance) = (
                plain_ratio(part, &whole),
                exact.chance_of_ways(&exact.ways_to_total(*total)),
            );
            let fits = low - 1e-9 <= chance && chance <= low + missing + 1e-9;
            assert!(fits, "{text} = {total}: {low} {chance} {missing}");
        }
    }
}

fn plain_ratio(part: &BigUint, whole: &BigUint) -> f64 {
    let digits = |number: &BigUint| number.to_string().parse::<f64>().unwrap();
    digits(part) / digits(whole)
}

#[test]
fn explosions_are_exact_to_the_last() {
    let exact = distribution_of("d6!");
    let six = |power| BigUint::from(6u8).pow(power);
    assert_eq!(exact.outcome_count(), six(101) - 1u8);
    assert_eq!(
        (
            exact.ways_to_total(5),
            exact.ways_to_total(6),
            exact.ways_to_total(7)
        ),
        (six(100), BigUint::ZERO, six(99))
    );
    assert_eq!(
        (exact.highest_total(), exact.ways_to_total(605)),
        (605, BigUint::from(1u8))
    );
    assert_eq!(ways_table("d6!!"), ways_table("d6!"));
    assert_eq!(ways_table("3d6!"), ways_table("d6!+d6!+d6!"));
    assert_eq!(ways_table("2d10!>=8"), ways_table("d10!>=8+d10!>=8"));
    assert_eq!(ways_table("2d6!kh1000"), ways_table("2d6!"));
    assert_eq!(ways_table("2d6!dl0"), ways_table("2d6!"));
    assert_eq!(
        ways_table("2d8!>6dh999"),
        vec![(0, distribution_of("2d8!>6").outcome_count())]
    );
}

#[test]
fn rerolls_until_done_leave_the_other_faces() {
    assert_eq!(ways_table("2d6r1"), ways_table("2d5+2"));
    assert_eq!(ways_table("3d6r<3kh2"), ways_table("3d4kh2+4"));
    assert_eq!(ways_table("d6r1!!"), odds_of_five_faces());
}

/// Returns the chances of faces 2 to 6, the last exploding, from the definition.
fn odds_of_five_faces() -> Vec<(i64, BigUint)> {
    let mut ways = BTreeMap::new();
    for explosions in 0..=100u32 {
        for face in 2..=5 {
            let part: &mut BigUint = ways.entry(i64::from(explosions) * 6 + face).or_default();
            *part += BigUint::from(5u8).pow(100 - explosions);
        }
    }
    ways.into_iter().collect()
}

#[test]
fn large_pools_are_exact() {
    let exact = distribution_of("1000d6");
    assert_eq!(exact.outcome_count(), BigUint::from(6u8).pow(1000));
    assert_eq!(exact.mean().to_string(), "3500");
    assert_eq!(exact.variance().to_string(), "8750/3");
    assert_eq!(exact.ways_to_total(1001), BigUint::from(1000u32));
    let exact = distribution_of("10d6!");
    assert!((exact.mean().to_f64() - 42.0).abs() < 1e-9);
    assert_eq!(distribution_of("10d6!kh3").highest_total(), 18);
    assert_eq!(distribution_of("d6!+d8!+d10!").lowest_total(), 3);
    assert_eq!(ways_table("{0d6}kh1+d2"), ways_table("d2"));
    let exact = distribution_of("40d10kh20");
    assert_eq!(exact.outcome_count(), BigUint::from(10u8).pow(40));
    assert_eq!(
        distribution_of("d1000000").outcome_count(),
        BigUint::from(1_000_000u32)
    );
}

#[test]
fn questions_about_a_table() {
    let exact = distribution_of("4d6kh3");
    assert_eq!(exact.outcome_count(), BigUint::from(1296u32));
    assert_eq!(exact.ways_at_least(16), BigUint::from(169u32));
    assert_eq!(exact.ways_at_most(15), BigUint::from(1127u32));
    assert_eq!(exact.mean().to_string(), "15869/1296");
    assert!((exact.standard_deviation() - 2.846_844_445_311_518).abs() < 1e-12);
    assert!((exact.chance_of_ways(&exact.ways_at_least(18)) - 21.0 / 1296.0).abs() < 1e-15);
    assert_eq!(
        (exact.lowest_total(), exact.highest_total(), exact.len()),
        (3, 18, 16)
    );
    let quantiles = [0.0, 0.5, 1.0, 1.0 / 1296.0, -0.1, f64::NAN].map(|p| exact.quantile(p));
    assert_eq!(quantiles[..3], [Some(3), Some(12), Some(18)]);
    assert!(matches!(quantiles[3], Some(3 | 4)));
    assert_eq!(quantiles[4..], [None, None]);
    let coin = distribution_of("d2");
    assert_eq!(
        [0.5, 0.5 + 1e-12].map(|p| coin.quantile(p)),
        [Some(1), Some(2)]
    );
}

#[test]
fn a_divisor_that_is_always_0_is_told_from_one_that_can_be_0() {
    for (text, expected) in [
        ("d6/(d4-1)", "the divisor can be 0"),
        ("d6/0", "division by 0"),
        ("1/(2-2)", "division by 0"),
    ] {
        let refusal = parse_notation(text).distribution().unwrap_err();
        assert_eq!(refusal.message, expected, "{text}");
    }
}

#[test]
fn what_has_no_table_is_refused() {
    for (text, code) in [
        ("d6/(d4-1)", "dice/zero-divisor"),
        ("9223372036854775807+d4", "dice/overflow"),
        ("{9223372036854775807,d4}", "dice/overflow"),
        ("2d1000000", "dice/distribution-too-large"),
        ("1000d1000", "dice/distribution-too-large"),
        ("1000d20kh500", "dice/distribution-too-large"),
        ("300d6!kh200", "dice/distribution-too-large"),
        ("1000d6!kh3", "dice/distribution-too-large"),
        ("1000d1000000!!>5", "dice/distribution-too-large"),
        ("{d6*1000000000,d8}kh1", "dice/distribution-too-large"),
        ("d1000*d1000*d1000", "dice/distribution-too-large"),
        (
            "{d4,d6,d8,d10,d12,d20,d3,d5,d7,d9,d11,d13,d14,d15,d16,d17,d18,d19,d21,d22,d23,d24}kh2",
            "dice/distribution-too-large",
        ),
    ] {
        let refusal = parse_notation(text).distribution().unwrap_err();
        assert_eq!(refusal.code, code, "{text}");
        assert!(
            refusal.place.is_some() && !refusal.hints.is_empty(),
            "{text}"
        );
    }
}

/// Returns notations that are quick to look through.
fn small_notation() -> impl Strategy<Value = String> {
    let modifiers = prop::sample::select(vec![
        "", "kh1", "kl2", "dh1", "dl1", "ro1", "min2", "max2", ">=3", ">=3f1", "<=2dbl1",
        "ro<3kh1", "min2dl1",
    ]);
    let dice = (0..3u32, prop::sample::select(vec![2, 3, 4, 6]), modifiers)
        .prop_map(|(count, sides, modifiers)| format!("{count}d{sides}{modifiers}"));
    let number = (0..5u32).prop_map(|number| number.to_string());
    let leaf = prop_oneof![3 => dice, 1 => number];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), prop::sample::select(vec!["+", "-", "*"]))
                .prop_map(|((left, right), sign)| format!("({left}){sign}({right})")),
            (pair, prop::sample::select(vec!["", "kh1", "kl1", "dl1"]))
                .prop_map(|((left, right), keep)| format!("{{{left},{right}}}{keep}")),
            inner.prop_map(|inner| format!("-({inner})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn small_notations_agree_with_all_their_outcomes(text in small_notation()) {
        let notation = parse_notation(&text);
        prop_assume!(notation.dice_count() <= 5);
        let draws = usize::try_from(notation.dice_count()).unwrap() * 2;
        prop_assume!(!text.contains("ro") || notation.dice_count() <= 3);
        assert_same_chances(&text, &distribution_of(&text), &enumerate_outcomes(&notation, draws));
    }
}

proptest! {
    #[test]
    fn a_total_lies_within_the_support(text in small_notation(), seed: u64) {
        let exact = distribution_of(&text);
        let total = parse_notation(&text).roll_total(&mut Stream(seed), &mut Budget::default()).unwrap();
        prop_assert!(exact.ways_to_total(total) > BigUint::ZERO);
        prop_assert_eq!(exact.iter().map(|(_, ways)| ways).sum::<BigUint>(), exact.outcome_count());
        let totals: Vec<i64> = exact.iter().map(|(total, _)| total).collect();
        prop_assert!(totals.is_sorted() && totals.len() == exact.len());
    }
}
