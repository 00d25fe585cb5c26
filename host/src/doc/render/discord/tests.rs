//! Tests the form of messages. A common test for all formats checks that no text breaks out.

use super::*;
use crate::doc::build::{
    code, heading, item, line, list, muted, numbered_list, paragraph, quote, span, strong, text,
};
use crate::doc::{Block, Span};

fn discord_of_blocks(blocks: impl IntoIterator<Item = Block>) -> String {
    discord(&Document::new(blocks))
}

#[test]
fn signs_are_escaped_and_nobody_is_called() {
    let shown = |text: &str| discord_of_blocks([paragraph(text)]);
    assert_eq!(
        shown("*a* ||b|| __c__ [d](e)"),
        r"\*a\* \|\|b\|\| \_\_c\_\_ \[d\](e)"
    );
    assert_eq!(
        shown("<@1> <#2> <@&3> @Everyone @here Ann@x"),
        r"\<\@1\> \<\#2\> \<\@&3\> \@ Everyone \@ here Ann\@x"
    );
    assert_eq!(
        shown(":smile: at 10:30: 3.5 http://x.y"),
        r"\:smile: at 10\:30: 3.5 http\://x\.y"
    );
    assert_eq!(
        shown("# a\n-# b\n> c\n1. d"),
        "\\# a\n\\-\\# b\n\\> c\n1\\. d"
    );
}

#[test]
fn words_that_call_are_found_across_styles() {
    let spans: [Span; 2] = [text("@"), muted("everyone")];
    assert_eq!(discord_of_blocks([paragraph(line(spans))]), "\\@ everyone");
    let spans: [Span; 2] = [text("@"), span(Style::Code, "here``")];
    assert_eq!(
        discord_of_blocks([paragraph(line(spans))]),
        "\\@ here\\`\\`"
    );
    let spans: [Span; 2] = [text("@"), strong("here")];
    assert_eq!(discord_of_blocks([paragraph(line(spans))]), "\\@**here**");
}

#[test]
fn code_ends_where_it_should_and_calls_nobody() {
    let shown = |text: &str| discord_of_blocks([paragraph(span(Style::Code, text))]);
    assert_eq!(shown("a`b"), "``a`b``");
    assert_eq!(shown("a```b"), r"a\`\`\`b");
    assert_eq!(shown("@everyone <@1>"), "`@ everyone < @1>`");
    assert_eq!(
        discord_of_blocks([code("luau", "a ``` b\n@here")]),
        "```luau\na ``ˋ b\n@ here\n```"
    );
    assert_eq!(discord_of_blocks([code("", " ")]), "```\n─\n```");
}

#[test]
fn headings_and_quotations_count_where_the_dialect_knows_them() {
    let inner = || [heading(2, "b"), quote([paragraph("c")])];
    assert_eq!(discord_of_blocks([heading(4, "a")]), "**a**");
    assert_eq!(discord_of_blocks([quote(inner())]), "> ## b\n> \n> │ c");
    assert_eq!(
        discord_of_blocks([list([item("a", inner())])]),
        "- a\n  **b**\n\n  │ c"
    );
    assert_eq!(
        discord_of_blocks([numbered_list(["a"]), numbered_list(["b"])]),
        "1. a\n\n1. b"
    );
}
