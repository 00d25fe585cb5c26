//! Tests the scanning of items among other words.

use std::collections::BTreeMap;

use super::super::{Context, GrammarBuilder, NameTable, TokenTable};

fn scan(text: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
    let mut labels = NameTable::default();
    labels.insert("Drive One", 1);
    labels.insert("Drive Two", 2);
    let given = BTreeMap::from([(String::from("Label"), labels)]);
    let mut builder = GrammarBuilder::new(TokenTable {
        separators: vec![',', '+'],
        ..TokenTable::default()
    });
    builder
        .declare_names("Label", NameTable::default())
        .add_whole_templates(
            "Item",
            [
                ("dice", "[+][{count: Integer}]d{size: Integer}"),
                ("dice", "[+]{count: Integer} d{size: Integer}"),
                ("bonus", "{by: Signed}"),
                ("impact", "{by: Signed} impact"),
                ("impact", "impact {by: Signed}"),
                (
                    "keyword",
                    "[{no: no|without}] {word: advantage|disadvantage}",
                ),
                ("stress", "stress {what: Label}"),
                ("comment", "# {text: Rest}"),
            ],
        );
    let (grammar, findings) = builder.build();
    assert!(findings.is_empty(), "{findings:?}");
    let mut context = Context::new("request item").with_names(&given);
    let scan = grammar.scan("Item", text, &mut context).unwrap();
    let items = scan.items.iter().map(|item| item.to_value().to_string());
    let left = scan
        .leftovers
        .iter()
        .map(|one| format!("{} {:?}", one.text, one.near));
    let misses = scan.misses.iter().map(|miss| miss.finding.message.clone());
    (items.collect(), left.collect(), misses.collect())
}

#[test]
fn items_stand_in_any_order_and_the_longest_wins() {
    let (items, left, _) = scan("3d8+1d6, +3, d6 -1 impact +2 + 3 d10 # with no advantage");
    assert_eq!(
        items,
        [
            "{count: 3, size: 8, template: dice}",
            "{count: 1, size: 6, template: dice}",
            "{by: 3, template: bonus}",
            "{size: 6, template: dice}",
            "{by: -1, template: impact}",
            "{by: 2, template: bonus}",
            "{count: 3, size: 10, template: dice}",
            "{template: comment, text: with no advantage}",
        ]
    );
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn words_are_whole_and_what_is_no_item_is_left_over_with_near_words() {
    let (items, left, _) = scan("please disadvantage advantge (no advantage) d8x advantage2");
    let words = [
        "{template: keyword, word: disadvantage}",
        "{no: no, template: keyword, word: advantage}",
    ];
    assert_eq!(items, words);
    assert_eq!(
        left,
        [
            "please []",
            "advantge [\"advantage\"]",
            "( []",
            ") []",
            "d8x []",
            "advantage2 [\"advantage\"]"
        ]
    );
}

#[test]
fn an_ambiguous_item_is_a_miss() {
    let (items, left, misses) = scan("stress drive d6");
    assert_eq!((items.len(), left.len()), (1, 0));
    assert_eq!(
        misses,
        ["\"drive\" may mean \"Drive One\" or \"Drive Two\""]
    );
}
