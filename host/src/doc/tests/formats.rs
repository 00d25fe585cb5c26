//! Tests that no text breaks out of its place, in any format. A document with hostile texts must read back like the
//! same document with harmless texts.

use proptest::prelude::*;

use super::any::any_document;
use super::hostile::{any_hostile_text, harmless, with_changed_texts};
use super::readers::{self, Read, seen_marks};
use crate::doc::build::{heading, paragraph, quote, table};
use crate::doc::*;

type WriterAndReader = (fn(&Document) -> String, fn(&str) -> Read);

const FORMATS: [WriterAndReader; 6] = [
    (bbcode, readers::bbcode),
    (discord, readers::discord),
    (html, readers::html),
    (rst, readers::rst),
    (csv, readers::csv),
    (markdown, readers::markdown),
];

/// Returns a document of any shape with hostile texts, and the same document with harmless texts.
fn hostile_and_harmless_documents() -> impl Strategy<Value = (Document, Document)> {
    let texts = prop::collection::vec(any_hostile_text(), 1..12);
    (any_document(), texts).prop_map(|(shape, texts)| {
        let mut next = texts.iter().cycle();
        let bad = with_changed_texts(&shape, &mut |_| next.next().cloned().unwrap_or_default());
        let good = with_changed_texts(&bad, &mut harmless);
        (bad, good)
    })
}

fn check_read_alike(
    (bad, good): &(Document, Document),
    write: fn(&Document) -> String,
    read: fn(&str) -> Read,
) -> Result<(), TestCaseError> {
    let (bad, good) = (write(bad), write(good));
    let expected = seen_marks(read(&good), harmless);
    prop_assert!(expected.is_ok(), "{expected:?} in\n{good}");
    let found = seen_marks(read(&bad), harmless);
    prop_assert_eq!(found, expected, "\n{}\n---\n{}", bad, good);
    Ok(())
}

/// Checks in every format that blocks read back like the same blocks with harmless texts.
fn assert_no_text_breaks_out(blocks: impl IntoIterator<Item = Block>) {
    let bad = Document::new(blocks);
    let good = with_changed_texts(&bad, &mut harmless);
    for (write, read) in FORMATS {
        check_read_alike(&(bad.clone(), good.clone()), write, read).unwrap();
    }
}

/// Returns a map of two rows: the first has the label and the mark, the second is harmless.
fn map_of(label: &str, mark: &str, below: &str) -> Block {
    let row = |label: &str, mark: &str| GridRow {
        label: label.to_owned(),
        cells: vec![GridCell {
            mark: mark.to_owned(),
            ..GridCell::default()
        }],
    };
    Block::Grid(GridMap {
        rows: vec![row(label, mark), row("b", ".")],
        below: below.to_owned(),
        ..GridMap::default()
    })
}

#[test]
fn the_texts_of_a_map_stay_in_their_cells() {
    for text in [
        "\r",
        "a\r",
        "\n",
        "\r\n",
        "\u{301}",
        "⚔\n\u{301}",
        "\u{fe0f}",
        "[/code]",
        "```",
        "=1",
    ] {
        assert_no_text_breaks_out([
            map_of("a", text, "~ water"),
            map_of(text, ".", "~ water"),
            quote([map_of(text, "[", text)]),
        ]);
    }
}

#[test]
fn a_text_that_is_nearly_a_number_is_not_run() {
    for text in [
        "-----2",
        "----0",
        "+-1",
        "-1.",
        "-.5",
        "-1.2.3",
        "'----0",
        "＝1",
        "\u{2003}=1",
    ] {
        assert_no_text_breaks_out([
            paragraph(text),
            quote([heading(1, text), map_of(text, ".", text)]),
            table([text]).row([text]).into(),
        ]);
    }
}

proptest! {
    #[test]
    fn no_text_breaks_out_of_bbcode(twins in hostile_and_harmless_documents()) {
        check_read_alike(&twins, bbcode, readers::bbcode)?;
    }

    #[test]
    fn no_text_breaks_out_of_discord(twins in hostile_and_harmless_documents()) {
        check_read_alike(&twins, discord, readers::discord)?;
    }

    #[test]
    fn no_text_breaks_out_of_html(twins in hostile_and_harmless_documents()) {
        check_read_alike(&twins, html, readers::html)?;
    }

    #[test]
    fn no_text_breaks_out_of_rst(twins in hostile_and_harmless_documents()) {
        check_read_alike(&twins, rst, readers::rst)?;
    }

    #[test]
    fn no_text_breaks_out_of_csv(twins in hostile_and_harmless_documents()) {
        check_read_alike(&twins, csv, readers::csv)?;
    }

    #[test]
    fn no_text_breaks_out_of_markdown(twins in hostile_and_harmless_documents()) {
        check_read_alike(&twins, markdown, readers::markdown)?;
    }
}
