//! Tests the edits of mistyped lines, without a language that reads them.

use proptest::prelude::*;

use super::edits::MOST;
use super::*;
use crate::diag::apply_fixes;
use crate::text::{GrammarBuilder, TokenTable};

fn slips() -> Slips {
    let mut table = TokenTable::default();
    table.quotes.push(('`', '`'));
    table.quotes.push(('«', '»'));
    let mut builder = GrammarBuilder::new(table);
    builder.add_whole_templates("Line", [("grant", "Grant {what: Piece} to {who: Piece}")]);
    let (grammar, findings) = builder.build();
    assert!(findings.is_empty(), "{findings:?}");
    let list = |texts: &[&str]| Value::list(texts.iter().map(|text| Value::from(*text)));
    let written = [
        ("=>", list(&["->", "⇒"])),
        ("İ", Value::from("x")),
        ("two", Value::from("2")),
        ("isn't", Value::from("is not")),
    ];
    let declared = Value::map([
        ("bullets", Value::from("•‣")),
        ("marks", list(&[":"])),
        ("signs", list(&["@"])),
        ("words", list(&["Otherwise"])),
        ("written", Value::map(written)),
    ]);
    Slips::of(&declared, &grammar)
}

/// Returns the lines that the edits of a line make of it, in their order.
fn lines(line: &str, focus: Range<usize>, expected: &[&str]) -> Vec<String> {
    let expected: Vec<String> = expected.iter().map(|&word| word.to_owned()).collect();
    let edits = slips().edits_of_line("  ‣ well\n", line, focus, &expected);
    let made = edits
        .iter()
        .map(|(_, edit)| apply_fixes(line, std::slice::from_ref(edit)).0);
    made.collect()
}

fn is_among(line: &str, meant: &str) -> bool {
    let made = lines(line, 0..line.len(), &[]);
    made.iter().any(|one| one == meant)
}

#[test]
fn the_usual_slips_have_an_edit_that_puts_them_right() {
    for (typed, meant) in [
        ("Grnat `x` to Ann", "Grant `x` to Ann"),
        ("Grant `x to Ann", "Grant `x` to Ann"),
        ("Grant x` to Ann", "Grant `x` to Ann"),
        ("Grant “x” to Ann", "Grant `x` to Ann"),
        ("Grant 'x' to Ann", "Grant `x` to Ann"),
        ("Grant `x`to Ann", "Grant `x` to Ann"),
        ("Grant `x` to to Ann", "Grant `x` to Ann"),
        ("Grant to `x` Ann", "Grant to `x` Ann."),
        ("Grant (x to Ann", "Grant (x) to Ann"),
        ("Grant x) to Ann", "Grant (x) to Ann"),
        ("Grant (x] to Ann", "Grant (x) to Ann"),
        ("Grant [x] to Ann", "Grant (x) to Ann"),
        ("a=>b", "a->b"),
        ("a=>b", "a⇒b"),
        ("x isn't two", "x is not two"),
        ("x isn't two", "x isn't 2"),
        ("Otherwise Grant x", "Otherwise: Grant x"),
        ("Grant x to Self", "Grant x to @Self"),
        ("- Otherwise", "• Otherwise"),
        ("Otherwise", "• Otherwise"),
        ("• Otherwise", "‣ Otherwise"),
        ("• Otherwise", "Otherwise"),
        ("Othrewise:", "Otherwise:"),
        ("Grаnt x", "Grant x"),
        ("Grant： x", "Grant: x"),
        ("GrantRole", "Grant Role"),
        ("Sea Cave", "Sea-Cave"),
        ("to Grant", "Grant to"),
    ] {
        let is_right = is_among(typed, meant);
        assert_eq!(is_right, !meant.ends_with('.'), "{typed}: {meant}");
    }
}

#[test]
fn what_is_expected_stands_where_the_reading_ended() {
    assert_eq!(
        lines("Grant `x` Ann", 10..13, &["to"])[..2],
        ["Grant `x` to Ann", "Grant `x` to"]
    );
    assert_eq!(lines("Grant `x`", 9..9, &["to"])[0], "Grant `x` to");
    // The first word of a line is not a joining word.
    assert_eq!(lines("`x`", 0..1, &["Grant"])[0], "Grant `x`");
    assert!(!lines("Give x", 0..4, &["Grant"]).contains(&"Grant x".to_owned()));
}

#[test]
fn a_bullet_is_that_of_lines_with_as_many_blanks() {
    assert_eq!(lines("  - well", 2..3, &[])[0], "  ‣ well");
    assert_eq!(lines("- well", 0..1, &[])[0], "• well");
}

#[test]
fn words_in_quotes_are_whatever_they_are() {
    let made = lines("Grant `two Grnat` to Ann", 0..24, &[]);
    assert!(!made.iter().any(|line| line.contains("`2 ")));
    assert!(!made.iter().any(|line| line.contains("two Grant`")));
}

proptest! {
    #[test]
    fn any_line_has_edits_that_change_it_and_are_not_too_many(
        line in r#"[ \tGrant«»i\u{307}é`"'()\[\]{}:,@•‣“”а：İßto12.>=|~-]{0,60}"#,
        from in 0usize..70, length in 0usize..20,
        word in "[a-z)]{1,4}",
    ) {
        let edits = slips().edits_of_line(&line, &line, from..from + length, &[word]);
        prop_assert!(edits.len() <= MOST);
        for (_, edit) in &edits {
            let (made, taken) = apply_fixes(&line, std::slice::from_ref(edit));
            prop_assert_eq!(taken, vec![0]);
            prop_assert_ne!(&made, &line);
        }
        prop_assert!(edits.is_sorted_by_key(|(kind, _)| *kind));
    }
}
