//! Tests that the fingerprint of the transcripts is always the same, and that differences are
//! named.

use arbiter_tests::fingerprint::{case_texts, differing_lines};

#[test]
fn a_case_gives_the_same_text_each_time_with_all_that_came_of_it() {
    let cases = || case_texts(|name| name.contains("harbour/commands/let.test.txt"));
    let first = cases();
    assert_eq!(first, cases());
    let all: Vec<&str> = first.values().map(String::as_str).collect();
    let all = all.join("\n");
    for part in [
        "> line: let ",
        "# operation: ",
        "documents: ",
        "change: ",
        "state: ",
    ] {
        assert!(all.contains(part), "{part} is missing in:\n{all}");
    }
}

#[test]
fn fingerprint_differences_name_their_side() {
    let now = ["case 1 a", "case 3 b"].map(str::to_owned);
    assert_eq!(
        differing_lines("case 1 a\ncase 2 b\n", &now),
        ["- case 2 b", "+ case 3 b"]
    );
    assert_eq!(
        differing_lines("case 1 a\ncase 3 b\n", &now),
        Vec::<String>::new()
    );
}
