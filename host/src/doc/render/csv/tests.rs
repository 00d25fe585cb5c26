//! Tests records. A common test for all formats checks that no text breaks out.

use super::*;
use crate::doc::Block;
use crate::doc::build::{item, list, numbered_list, paragraph, quote, rule_line, table};

fn csv_of_blocks(blocks: impl IntoIterator<Item = Block>) -> String {
    csv(&Document::new(blocks)).replace("\r\n", "|")
}

#[test]
fn cells_are_quoted_as_the_standard_says() {
    let rows = table(["a,b", "c\"d"]).row(["e\nf", " g"]).row(["x"]);
    assert_eq!(
        csv_of_blocks([rows.into()]),
        "\"a,b\",\"c\"\"d\"|\"e\nf\",g|x,|"
    );
}

#[test]
fn what_a_spreadsheet_would_run_gets_a_quote() {
    let cell = |text: &str| csv_of_blocks([paragraph(text)]);
    assert_eq!(cell("=1+1"), "'=1+1|");
    assert_eq!(cell("a\n =b"), "a|'=b|");
    assert_eq!(cell("-3"), "-3|");
    assert_eq!(cell("+4.5"), "+4.5|");
    assert_eq!(cell("-3 apples"), "'-3 apples|");
    assert_eq!(cell("@SUM(1)"), "'@SUM(1)|");
    assert_eq!(cell("'=1"), "''=1|");
    assert_eq!(cell("\"=1\""), "\"'\"\"=1\"\"\"|");
    assert_eq!(cell("＝1"), "'＝1|");
    let rows = table(["x"]).row(["a\n =b\n-1"]);
    assert_eq!(csv_of_blocks([rows.into()]), "x|\"a\n'=b\n-1\"|");
}

#[test]
fn tables_follow_each_other_and_lists_are_indented() {
    let one = || table(["a"]).row(["1"]).caption("One").into();
    assert_eq!(
        csv_of_blocks([one(), rule_line(), one()]),
        "One|a|1||One|a|1|"
    );
    let below = item("b", [numbered_list(["c", "d"]), quote([paragraph("e")])]);
    assert_eq!(
        csv_of_blocks([list(["a".into(), below])]),
        "a|b|,1,c|,2,d|,e|"
    );
    assert_eq!(csv_of_blocks([]), "");
}
