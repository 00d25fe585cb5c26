//! Tests the screen: widths, colours, and hostile texts of authors.

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::doc::build::{
    bar, bar_chart, blocks_for, fields, line, list, muted, paragraph, rule_line, strike, strong,
    table, text,
};
use crate::doc::{Bar, Table};

fn narrow(blocks: impl IntoIterator<Item = Block>) -> String {
    let screen = Screen {
        width: 20,
        ..Screen::default()
    };
    terminal(&Document::new(blocks), &screen)
}

#[test]
fn paragraphs_wrap_between_words() {
    let shown = narrow([paragraph("The village sleeps and nobody is awake.")]);
    assert_eq!(shown, "The village sleeps\nand nobody is awake.");
}

#[test]
fn a_table_too_wide_becomes_records() {
    let wide = table(["Name", "Home", "Trade"])
        .row(["Ann-Margarete", "Waterfall", "fisherwoman of the lake"])
        .row(["Bo", "", "bakes"]);
    assert_eq!(
        narrow([wide.into()]),
        "Name: Ann-Margarete\nHome: Waterfall\nTrade: fisherwoman\nof the lake\n\nName: Bo\nTrade: bakes"
    );
}

#[test]
fn limited_blocks_name_their_audience_on_every_line() {
    let secret = blocks_for(Audience::Gm, [paragraph("The baker is the thief.")]);
    assert_eq!(narrow([secret]), "[gm] The baker is the\n[gm] thief.");
    let screen = Screen {
        label: true,
        ..Screen::default()
    };
    let private = Document::new([paragraph("a"), paragraph("b")])
        .limit_to_audience(Audience::Seat("Ann".into()));
    assert_eq!(terminal(&private, &screen), "[Ann] a\n[Ann] b");
}

#[test]
fn strikes_show_without_colour() {
    let struck = paragraph([text("5 "), strike("no more")]);
    assert_eq!(narrow([struck]), "5 ~~no more~~");
}

#[test]
fn an_empty_chart_and_an_empty_table_are_nothing() {
    let none: [Bar; 0] = [];
    let shown = narrow([bar_chart(none), Table::default().into(), list::<&str>([])]);
    assert_eq!(shown, "");
}

#[test]
fn hostile_nesting_cannot_make_endless_output() {
    let mut block = paragraph("word ".repeat(200));
    for _ in 0..10 {
        block = blocks_for(Audience::Seat("x".repeat(90)), [block]);
    }
    let left = Cell::new(5000);
    let canvas = Canvas {
        columns: 20,
        indent: 0,
        depth: 1,
        color: false,
        left: &left,
    };
    let items = list(vec!["word"; 100]);
    let rows = canvas.rows_of_blocks(&[block, items, rule_line(), rule_line()]);
    let columns: usize = rows.iter().map(row_width).sum();
    assert!((3000..7000).contains(&columns), "{columns}");
    let text = |row: &Row| row.iter().map(|piece| piece.text.as_str()).collect();
    let texts: Vec<String> = rows.iter().map(text).collect();
    let marks = texts.iter().filter(|text| text.contains("…[+"));
    assert_eq!(marks.count(), 3, "{texts:?}");
}

fn without_colour(text: &str) -> String {
    let parts = text.split('\x1b').enumerate();
    let rest = |(at, part): (usize, &str)| {
        if at == 0 {
            part.to_owned()
        } else {
            let (codes, rest) = part.split_once('m').expect("a sequence ends with m");
            assert!(codes.starts_with('['), "{codes}");
            let inner = &codes[1..];
            assert!(
                inner.chars().all(|c| c.is_ascii_digit() || c == ';'),
                "{codes}"
            );
            rest.to_owned()
        }
    };
    parts.map(rest).collect()
}

proptest! {
    #[test]
    fn colours_change_no_text(first: String, second in "\\PC{0,20}") {
        let spans = [muted(first.as_str()), strong(second.as_str()), text(first.as_str())];
        let document = Document::new([
            paragraph(spans.clone()),
            table(["a", "b"]).row([line(spans), second.as_str().into()]).into(),
        ]);
        let color = Screen { color: true, ..Screen::default() };
        let shown = terminal(&document, &color);
        prop_assert_eq!(without_colour(&shown), terminal(&document, &Screen::default()));
    }

    #[test]
    fn tables_and_prose_keep_the_width(
        texts in prop::collection::vec("[a-h漢]{1,9}( [a-h漢]{1,9}){0,9}", 4),
        width in 20usize..80,
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let document = Document::new([
            paragraph(texts[0]),
            table([texts[1], texts[2]]).row([texts[3], texts[0]]).into(),
            fields([(texts[1], texts[2])]),
            bar_chart([bar(texts[3], 3.into(), texts[2])]),
        ]);
        let shown = terminal(&document, &Screen { width, ..Screen::default() });
        for row in shown.lines() {
            prop_assert!(row.width() <= width, "{width}: {row:?}");
        }
    }
}
