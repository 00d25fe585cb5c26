//! Tests the token reader.

use proptest::prelude::*;

use super::super::token_tree::Tree;
use super::*;

fn shown(table: &TokenTable, text: &str) -> Vec<String> {
    let tokens = Tokens::read(table, text);
    let show = |token: &Token| {
        let gap = match token.gap {
            Gap::None => "",
            Gap::Blank => " ",
            Gap::Line => "/",
        };
        format!("{gap}{}", tokens.text_of(token))
    };
    tokens.list.iter().map(show).collect()
}

fn codes(text: &str) -> Vec<(&'static str, usize)> {
    let tokens = Tokens::read(&TokenTable::default(), text);
    let findings = tokens.findings.iter();
    findings.map(|one| (one.code, one.span.start)).collect()
}

#[test]
fn digits_and_letters_part_and_long_marks_stay_whole() {
    let table = TokenTable::default();
    assert_eq!(
        shown(&table, "3d8 d10+1"),
        ["/3", "d", "8", " d", "10", "+", "1"]
    );
    assert_eq!(
        shown(&table, "Ann->Bo 1.5.2"),
        ["/Ann", "->", "Bo", " 1.5", ".", "2"]
    );
    assert_eq!(
        shown(&table, "half-orc's -x-"),
        ["/half-orc's", " -", "x", "-"]
    );
    let whole = TokenTable {
        split_digits: false,
        ..table
    };
    assert_eq!(
        shown(&whole, "d8 3d8 12 1.5"),
        ["/d8", " 3d8", " 12", " 1.5"]
    );
}

#[test]
fn brackets_nest_and_quotes_keep_them_literal() {
    let tokens = Tokens::read(&TokenTable::default(), "a (b \"c) d\" [e])");
    assert!(tokens.findings.is_empty());
    let trees = tokens.trees();
    let Tree::Group { inner, .. } = &trees[1] else {
        panic!("{trees:?}")
    };
    assert_eq!(inner.len(), 3);
    assert!(matches!(&inner[1], Tree::Group { inner, open, .. }
        if inner.len() == 3 && open.kind == Kind::QuoteOpen));
}

#[test]
fn unmatched_ends_are_findings_and_plain_marks() {
    assert_eq!(codes("(a [b) c"), [("phrase/unmatched-bracket", 3)]);
    assert_eq!(
        codes("a) (b"),
        [
            ("phrase/unmatched-bracket", 1),
            ("phrase/unmatched-bracket", 3)
        ]
    );
    assert_eq!(
        codes("\"a\nb\""),
        [("phrase/unclosed-quote", 0), ("phrase/unclosed-quote", 4)]
    );
}

#[test]
fn depth_and_size_have_limits() {
    let deep = |n: usize| format!("{}{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(codes(&deep(16)), []);
    assert_eq!(codes(&deep(17)), [("limit/depth", 16)]);
    assert_eq!(codes(&"a".repeat(64 * 1024)), []);
    assert_eq!(
        codes(&"ä".repeat(32 * 1024 + 1)),
        [("limit/size", 64 * 1024)]
    );
}

#[test]
fn bullets_count_only_at_the_begin_of_a_line() {
    let table = TokenTable {
        bullets: vec!['•', '-'],
        ..TokenTable::default()
    };
    let tokens = Tokens::read(&table, "• a - b\n  - c");
    let bullets = tokens
        .list
        .iter()
        .filter(|token| token.kind == Kind::Bullet);
    assert_eq!(
        bullets.map(|token| token.span.start).collect::<Vec<_>>(),
        [0, 12]
    );
}

fn trees_cover_tokens(text: &str, trees: &[Tree], mut at: usize, end: usize) -> bool {
    for tree in trees {
        let span = tree.span();
        if span.start < at || span.end > end || !text[at..span.start].trim().is_empty() {
            return false;
        }
        if let Tree::Group { open, inner, close } = tree
            && !trees_cover_tokens(text, inner, open.span.end, close.span.start)
        {
            return false;
        }
        at = span.end;
    }
    text[at..end].trim().is_empty()
}

proptest! {
    #[test]
    fn spans_cover_the_text_and_nest(text in "[\\PC\n()\\[\\]{}\" a-c0-9.•-]{0,60}") {
        let table = TokenTable { bullets: vec!['•'], max_depth: 3, ..TokenTable::default() };
        let tokens = Tokens::read(&table, &text);
        prop_assert!(trees_cover_tokens(&text, &tokens.trees(), 0, text.len()), "{:?}", tokens.list);
    }
}
