//! Tests the form of BBCode. A common test for all formats checks that no text breaks out.

use super::*;
use crate::doc::build::{
    code, emphasis, heading, item, line, list, numbered_list, paragraph, quote, strong, table, text,
};
use crate::doc::{Block, Span};

fn bbcode_of_blocks(blocks: impl IntoIterator<Item = Block>) -> String {
    bbcode(&Document::new(blocks))
}

#[test]
fn brackets_before_a_tag_get_a_blank_and_others_stand() {
    let shown = |text: &str| bbcode_of_blocks([paragraph(text)]);
    for (text, expected) in [
        ("[b]Ann[/b] [*]", "[ b]Ann[ /b] [ *]"),
        ("[4, 6] [ x] [[b] a[", "[4, 6] [ x] [[ b] a[ "),
        (
            "[Attack] Ann [/Attack] [Attack Post]",
            "[Attack] Ann [/Attack] [Attack Post]",
        ),
        (
            "[URL=x] [Img]x [quote \"a\"] [size:3]",
            "[ URL=x] [ Img]x [ quote \"a\"] [ size:3]",
        ),
        (
            "[\u{17f}] [/\u{212a}] [ä] [_x] [//] []",
            "[ \u{17f}] [/\u{212a}] [ä] [_x] [//] []",
        ),
        ("[i", "[ i"),
        ("[Encount", "[Encount"),
        ("[ur", "[ ur"),
    ] {
        assert_eq!(shown(text), expected);
    }
    let spans: [Span; 2] = [text("["), strong("b]")];
    assert_eq!(bbcode_of_blocks([paragraph(line(spans))]), "[ [b]b][/b]");
    let spans: [Span; 2] = [text("[/q"), strong("uote]")];
    assert_eq!(
        bbcode_of_blocks([paragraph(line(spans))]),
        "[ /q[b]uote][/b]"
    );
}

#[test]
fn each_tag_stands_once() {
    for (at, tag) in TAGS.iter().enumerate() {
        assert!(!TAGS[..at].contains(tag), "{tag}");
        assert_eq!(*tag, fold_letters(tag));
    }
}

#[test]
fn in_code_only_its_end_and_its_beginning_are_parted() {
    let shown = bbcode_of_blocks([code("x", "a[1] = [b]\n[/CODE][code=x]")]);
    assert_eq!(shown, "[code]\na[1] = [b]\n[ /CODE][ code=x]\n[/code]");
    let shown = bbcode_of_blocks([table(["[/code]"]).row(["x"]).into()]);
    assert!(shown.starts_with("[code]\n[ /code]\n"), "{shown}");
}

#[test]
fn styles_and_blocks_are_tags() {
    let shown = bbcode_of_blocks([
        heading(1, "One"),
        heading(3, line([text("Two "), emphasis("more")])),
        list([
            item("a", [numbered_list(["b"])]),
            item("", [quote([paragraph("c\nd")])]),
        ]),
    ]);
    assert_eq!(
        shown,
        "[u][b]One[/b][/u]\n\n[b]Two [/b][i]more[/i]\n\n[list]\n[*]a\n[list=1]\n[*]b\n[/list]\n\
         [*][quote]\nc\nd\n[/quote]\n[/list]"
    );
}
