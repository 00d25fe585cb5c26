//! Tests valid notations and the refusals of others.

use proptest::prelude::*;

use super::parse_notation;
use crate::dice::Notation;

/// Returns code, message, first hint and the text pointed at, for each finding.
fn finding_parts(text: &str) -> Vec<(String, String, String, String)> {
    let Err(findings) = Notation::parse(text) else {
        panic!("{text} was read");
    };
    let found = findings.into_iter().map(|finding| {
        let place = finding.place.as_ref().expect("a place");
        let at = place.source.slice(place.span).to_owned();
        let hint = finding.hints.first().cloned().expect("a hint");
        (finding.code.to_string(), finding.message, hint, at)
    });
    found.collect()
}

fn finding_codes(text: &str) -> Vec<String> {
    let Err(findings) = Notation::parse(text) else {
        return Vec::new();
    };
    findings
        .iter()
        .map(|finding| finding.code.to_string())
        .collect()
}

#[test]
fn everything_of_the_table_is_read() {
    for text in [
        "4d6",
        "d20",
        "D20",
        "(2+1)d8",
        "0d6",
        "d%",
        "dF",
        "4df",
        "1+2-3*4/5",
        "-(2d6)",
        "2*-3",
        "{d8, d6, d10}kh2",
        "{4d6+3d8}kh4",
        "{2d6[a] + d8!}dl",
        "2d6[fire]",
        "(1d4+1)[bless]+3[x]",
        "2d6 # to the door",
        "d6r",
        "d6r1",
        "d6r<3",
        "d6rr<3",
        "d6ro",
        "d6 ro<3",
        "d6!",
        "d6!>=5",
        "d6!5",
        "d6!!",
        "d6!!>=5",
        "d6min2max5",
        "4d6kh3",
        "4d6k3",
        "4d6KL1",
        "4d6dh",
        "4d6dlr1",
        "5d10>=8",
        "5d10 >= 8",
        "5d10>=8f1dbl10",
        "5d10f<=2>=8",
        "4dF=-1",
        "d6r<2!min2kh1>=5",
        "3 d6 + 2",
        "2−1×3÷2",
    ] {
        let codes = finding_codes(text);
        assert!(codes.is_empty(), "{text}: {codes:?}");
    }
}

#[test]
fn text_comment_and_dice_are_kept_apart() {
    let notation = parse_notation("  2d6+d8[ice] #  for # the door ");
    assert_eq!(notation.text(), "2d6+d8[ice]");
    assert_eq!(notation.comment(), Some("for # the door"));
    assert_eq!(notation.dice_count(), 3);
    assert_eq!(parse_notation("1 #").comment(), None);
}

#[test]
fn refusals_say_what_to_write_instead() {
    let cases = [
        (
            "4d6hk3",
            "dice/unknown-modifier",
            "hk",
            "did you mean \"k\" or \"kh\"?",
        ),
        (
            "4d6d1",
            "dice/unknown-modifier",
            "d",
            "write \"+d1\" to add dice, \"dl1\" or \"dh1\" to drop some",
        ),
        (
            "d0",
            "dice/bad-size",
            "0",
            "write a size, as in \"d6\", or \"d%\" or \"dF\"",
        ),
        (
            "2d",
            "dice/bad-size",
            "",
            "write a size, as in \"d6\", or \"d%\" or \"dF\"",
        ),
        (
            "d1000001",
            "dice/bad-size",
            "1000001",
            "write a size, as in \"d6\", or \"d%\" or \"dF\"",
        ),
        ("1001d6", "dice/too-many", "1001", "roll fewer dice at once"),
        (
            "600d6+600d6",
            "dice/too-many",
            "600",
            "roll fewer dice at once",
        ),
        ("(1-2)d6", "dice/bad-count", "(1-2)", "write 0 or more dice"),
        (
            "(d4)d6",
            "dice/random-count",
            "(d4)",
            "roll the number first, then the dice",
        ),
        (
            "2d6kh1dl1",
            "dice/second-modifier",
            "dl1",
            "remove one of them",
        ),
        (
            "d6r<=6",
            "dice/endless",
            "d6r<=6",
            "leave at least one face that is neither rerolled nor explodes",
        ),
        (
            "d6r<3!>=3",
            "dice/endless",
            "d6r<3!>=3",
            "leave at least one face that is neither rerolled nor explodes",
        ),
        (
            "d1!",
            "dice/endless",
            "d1!",
            "leave at least one face that is neither rerolled nor explodes",
        ),
        (
            "dF!",
            "dice/misplaced-modifier",
            "!",
            "remove \"!\", or write \"d3\"",
        ),
        (
            "d6min7",
            "dice/bad-bound",
            "min7",
            "write a number from 1 to 6",
        ),
        (
            "5d10f1",
            "dice/no-success-count",
            "f1",
            "say what a success is, as in \"5d10>=8f1\"",
        ),
        ("(2d6", "dice/not-closed", "(", "write \")\" at its end"),
        ("{2d6)", "dice/not-closed", "{", "write \"}\" before \")\""),
        ("2d6[x", "dice/not-closed", "[", "write \"]\" at its end"),
        (
            "2d6[]",
            "dice/bad-label",
            "[]",
            "write 1 to 64 characters of one line, as in \"2d6[fire]\"",
        ),
        (
            "{2d6+1}kh1",
            "dice/lone-item",
            "{2d6+1}kh1",
            "separate items by commas; a pool is dice added together, as in \"{4d6+2d8}kh3\"",
        ),
        ("", "dice/empty", "", "write dice, as in \"2d6+3\""),
        (
            "2.5",
            "dice/unexpected",
            ".",
            "dice notation has only whole numbers",
        ),
        (
            "2d6 +",
            "dice/unexpected",
            "",
            "write for example \"4d6kh3+2\"",
        ),
        ("2(3)", "dice/unexpected", "(", "write \"*\" to multiply"),
        (
            "99999999999999999999",
            "dice/bad-number",
            "99999999999999999999",
            "write a smaller number",
        ),
        (
            "(9223372036854775807+1)d6",
            "dice/overflow",
            "9223372036854775807+1",
            "use smaller numbers",
        ),
    ];
    for (text, code, at, hint) in cases {
        let found = finding_parts(text);
        let (found_code, _, found_hint, found_at) = &found[0];
        assert_eq!(
            (&**found_code, &**found_at, &**found_hint),
            (code, at, hint),
            "{text}: {found:?}"
        );
    }
    assert_eq!(finding_codes("(2d6)kh1"), ["dice/misplaced-modifier"]);
    assert_eq!(finding_codes("{d6,d8}r1"), ["dice/misplaced-modifier"]);
    assert_eq!(finding_codes("{d6,d8}!"), ["dice/misplaced-modifier"]);
}

#[test]
fn all_wrong_modifiers_and_sizes_are_found_at_once() {
    assert_eq!(
        finding_codes("d0 + 4d6hk3 + 2d6kh1kh1"),
        [
            "dice/bad-size",
            "dice/unknown-modifier",
            "dice/second-modifier"
        ]
    );
}

#[test]
fn size_and_depth_have_limits() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Notation::parse(&nested(32)).is_ok());
    assert_eq!(finding_codes(&nested(33)), ["limit/depth"]);
    assert_eq!(
        finding_codes(&format!("{}1", "-".repeat(33))),
        ["limit/depth"]
    );
    let sum = |bytes: usize| format!("1{}", "+1".repeat((bytes - 1) / 2));
    assert!(Notation::parse(&format!("{} ", sum(2047))).is_ok());
    assert_eq!(finding_codes(&format!("{}  ", sum(2047))), ["limit/size"]);
    assert_eq!(parse_notation("1000d1000000").dice_count(), 1000);
}

#[test]
fn a_notation_can_cross_threads() {
    fn crosses<T: Clone + std::fmt::Debug + Send + Sync>() {}
    crosses::<Notation>();
}

proptest! {
    #[test]
    fn arbitrary_text_is_read_or_refused(text in "\\PC{0,40}") {
        check_refusal(&text)?;
    }

    #[test]
    fn text_made_of_pieces_is_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "d", "6", "2", "kh", "dl", "!", "!!", ">=", "<", "r", "ro", "min", "f1", "dbl", "(", ")",
            "{", "}", ",", "+", "-", "*", "/", "[a]", "#", " ", "F", "%", "ö", "[", "]", "0",
        ]), 0..24),
    ) {
        check_refusal(&pieces.concat())?;
    }
}

fn check_refusal(text: &str) -> Result<(), TestCaseError> {
    if let Err(findings) = Notation::parse(text) {
        prop_assert!(!findings.is_empty());
        for finding in findings {
            prop_assert!(finding.code.starts_with("dice/") || finding.code.starts_with("limit/"));
            let place = finding.place.expect("a place");
            prop_assert!(place.span.start <= place.span.end && place.span.end <= text.len());
            prop_assert!(
                text.is_char_boundary(place.span.start) && text.is_char_boundary(place.span.end)
            );
        }
    }
    Ok(())
}
