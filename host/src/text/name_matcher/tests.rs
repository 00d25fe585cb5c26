//! Tests name matchers: their results and the cost.

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::text::{close_matches, similarity_ratio};

fn best<'a>(matcher: &'a Matcher, subject: &str) -> Option<(&'a str, Ratio)> {
    let free = |_| Ok::<(), Infallible>(());
    matcher.best_name(subject, free).unwrap()
}

fn work(matcher: &Matcher, subject: &str) -> u64 {
    let mut all = 0;
    let counted = |units| {
        all += units;
        Ok::<(), Infallible>(())
    };
    matcher.best_name(subject, counted).unwrap();
    all
}

#[test]
fn an_equal_name_wins_then_the_closest_then_the_alphabetically_last() {
    let names = [
        "difficulty_17_action",
        "difficulty_21_action",
        "simple_action",
    ];
    let matcher = Matcher::new(names, Ratio::new(6, 10));
    let cases = [
        (" Simple Action", Some(("simple_action", Ratio::new(1, 1)))),
        (
            "Simple action.",
            Some(("simple_action", Ratio::new(26, 27))),
        ),
        (
            "difficulty 12 action",
            Some(("difficulty_21_action", Ratio::new(38, 40))),
        ),
        ("none at all", None),
        ("", None),
        (" \t", None),
    ];
    for (subject, expected) in cases {
        assert_eq!(best(&matcher, subject), expected, "{subject:?}");
    }
}

#[test]
fn the_cutoff_itself_passes_and_an_empty_text_means_nothing() {
    let matcher = Matcher::new(["ketch", ""], Ratio::new(6, 10));
    let found = best(&matcher, "catch");
    assert_eq!(found, Some(("ketch", Ratio::new(3, 5))));
    let stricter = Matcher::new(["ketch"], Ratio::new(61, 100));
    assert_eq!(best(&stricter, "catch"), None);
    assert_eq!(best(&matcher, " "), None);
}

#[test]
fn long_texts_mean_only_what_they_equal() {
    let (long, longer) = ("a".repeat(201), "a".repeat(200));
    let matcher = Matcher::new([long.as_str(), longer.as_str()], Ratio::new(0, 1));
    assert_eq!(
        best(&matcher, &long),
        Some((long.as_str(), Ratio::new(1, 1)))
    );
    assert_eq!(best(&matcher, &"a".repeat(202)), None);
    let shorter = best(&matcher, &"a".repeat(199)).unwrap();
    assert_eq!(shorter.0, longer, "a long name is met by its equal alone");
}

#[test]
fn work_is_what_was_compared_and_its_end_is_the_end_of_the_search() {
    let names: Vec<String> = (0..320).map(|n| format!("name_{n:03}")).collect();
    let names = names.iter().map(String::as_str);
    let matcher = Matcher::new(names, Ratio::new(6, 10));
    assert_eq!(work(&matcher, "name 007"), 0, "an equal one is looked up");
    assert_eq!(work(&matcher, "quick brown"), 20, "no letters to compare");
    assert!(work(&matcher, "nema 0070") > 300);
    assert_eq!(matcher.best_name("nema 0070", Err), Err(20));
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-c_0äß]{0,9}|[a-z]{1,12}", 0..12)
}

proptest! {
    #[test]
    fn the_answer_is_the_first_close_match(
        names in names(),
        subject in "[a-cA-C_0 .äß]{0,9}|[a-z]{1,12}",
        part in 0u32..=10,
    ) {
        let cutoff = Ratio::new(part, 10);
        let all = names.iter().map(String::as_str);
        let matcher = Matcher::new(all.clone(), cutoff);
        let folded = fold_to_key(&subject);
        let expected = close_matches(&folded, all, 1, cutoff);
        let expected = expected.first().filter(|_| !folded.is_empty());
        let expected = expected.map(|name| (*name, similarity_ratio(name, &folded)));
        prop_assert_eq!(best(&matcher, &subject), expected);
    }
}
