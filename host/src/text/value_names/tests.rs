//! Tests the readings of short texts that name an entry of a table.

use std::convert::Infallible;

use super::*;

fn table(names: &[&str], cutoff: Ratio, form: ValueForm) -> ValueNames {
    let entry = |line: &&str| {
        let mut words = line.split(' ').map(str::to_owned);
        ValueEntry {
            name: words.next().unwrap_or_default(),
            also: words.collect(),
        }
    };
    ValueNames::new(names.iter().map(entry).collect(), cutoff, form)
}

fn weights(base: Option<usize>) -> ValueNames {
    let names = ["g gram grams", "pinch", "sack_of_flour"];
    table(&names, Ratio::new(6, 10), ValueForm::Amount { base })
}

fn cuts() -> ValueNames {
    let names = ["fine", "coarse", "thin_slices slices"];
    let cutoff = Ratio::new(1, 2);
    table(&names, Ratio::new(8, 10), ValueForm::Detail { cutoff })
}

/// Returns the canonical text with a mark if the name is misspelled; otherwise the reason.
fn shown(names: &ValueNames, text: &str) -> String {
    let reading = names.read_text(text, &mut |_| Ok::<(), Infallible>(()));
    match reading.unwrap() {
        ValueReading::Value(value) => {
            let mark = value.ratio.map_or("", |_| "~");
            format!("{mark}{}", value.text)
        }
        ValueReading::Nothing => "nothing".to_owned(),
        ValueReading::NotANumber { written, entry } => format!("not a number {written} {entry:?}"),
        ValueReading::NoName(count) => format!("no name {count}"),
    }
}

fn assert_shown(names: &ValueNames, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&shown(names, text), expected, "{text:?}");
    }
}

#[test]
fn an_amount_is_a_number_and_a_name_or_one_of_them() {
    assert_shown(
        &weights(Some(0)),
        &[
            ("200 g", "200 g"),
            ("200g", "200 g"),
            (" 1,000 Grams", "1000 g"),
            ("1.50 gram", "1.50 g"),
            ("pinch", "1 pinch"),
            ("5", "5 g"),
            ("2 pinch (or more)", "2 pinch"),
            ("2 Sack of Flour", "2 sack_of_flour"),
            ("2 pinnch", "~2 pinch"),
            ("2 cups", "nothing"),
            ("  5 gram", "~1 g"),
            ("", "nothing"),
            ("(2 g)", "nothing"),
            ("5 ", "5 g"),
            ("1-2 g", "not a number 1-2 Some(0)"),
            ("1-2", "not a number 1-2 None"),
        ],
    );
    assert_shown(&weights(None), &[("5", "no name 5"), ("5 g", "5 g")]);
}

#[test]
fn a_number_of_a_script_is_an_amount_of_the_base() {
    let text = |reading: ValueReading<'_, '_>| match reading {
        ValueReading::Value(value) => value.text.into_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(text(weights(Some(1)).read_number(2.5)), "2.5 pinch");
    assert_eq!(text(weights(None).read_number(2.0)), "NoName(Plain(2.0))");
    assert_eq!(text(cuts().read_number(2.0)), "Nothing");
    let too_large = weights(Some(0));
    let too_large = too_large.read_number(1e300);
    assert!(matches!(too_large, ValueReading::NotANumber { .. }));
}

#[test]
fn a_detail_follows_in_brackets_or_behind_a_colon() {
    assert_shown(
        &cuts(),
        &[
            ("Fine", "fine"),
            ("fine (By Hand)", "fine (by hand)"),
            ("fin (by hand) or so", "~fine (by hand)"),
            ("fnee (by hand)", "~fine (by hand)"),
            ("fnee", "nothing"),
            ("fine: by hand", "fine: by hand"),
            ("Thin Slices: slices", "thin_slices"),
            ("thin: slices", "thin_slices"),
            ("fine: a: b", "nothing"),
            ("raw: a", "nothing"),
            ("fine (by hand", "nothing"),
            ("whole (by hand): fine", "nothing"),
        ],
    );
}

#[test]
fn a_name_alone_has_neither_number_nor_detail() {
    let names = table(&["very_hot", "hot"], Ratio::new(6, 10), ValueForm::Name);
    assert_shown(
        &names,
        &[
            ("very hot", "very_hot"),
            ("Very Hott", "~very_hot"),
            ("hot", "hot"),
            ("cold", "nothing"),
            ("", "nothing"),
        ],
    );
}
