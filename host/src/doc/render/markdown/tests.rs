//! Tests that no text breaks out of its place in Markdown.

use proptest::prelude::*;

use super::*;
use crate::doc::build::{
    code, emphasis, fields, heading, line, list, numbered_list, paragraph, quote, span, strike,
    strong, table, text,
};
use crate::doc::hidden_character_gate::gate;
use crate::doc::{Block, Span};

fn markdown_of_blocks(blocks: impl IntoIterator<Item = Block>) -> String {
    markdown(&Document::new(blocks))
}

#[test]
fn signs_are_escaped() {
    let shown = |text: &str| markdown_of_blocks([paragraph(text)]);
    assert_eq!(shown("*a* _b_ `c` ~~d~~"), r"\*a\* \_b\_ \`c\` \~\~d\~\~");
    assert_eq!(shown("[a](b) <i> &amp;"), r"\[a\](b) &lt;i&gt; &amp;amp;");
    assert_eq!(
        shown("# a\n> b\n- c\n12. d"),
        "\\# a\\\n&gt; b\\\n\\- c\\\n12\\. d"
    );
    assert_eq!(shown("http://x www.y.z 3.5"), r"http\://x www\.y.z 3.5");
    assert_eq!(shown("    four blanks  \n\n\nnext"), "four blanks\n\nnext");
}

#[test]
fn marks_keep_their_neighbours_apart() {
    let shown = |spans: &[Span]| markdown_of_blocks([paragraph(line(spans.to_vec()))]);
    assert_eq!(shown(&[text("a"), strike(" b "), text("c")]), "a ~~b~~ c");
    assert_eq!(shown(&[text("a"), strong("b")]), "a**b**");
    assert_eq!(shown(&[text("a"), strong("(b)"), text("c")]), "a **(b)** c");
    assert_eq!(shown(&[strong("a"), emphasis("b")]), "**a** *b*");
    assert_eq!(shown(&[strong("a"), strike("b")]), "**a**~~b~~");
    assert_eq!(shown(&[strong("  "), text("a")]), "a");
}

#[test]
fn code_spans_hold_backticks() {
    let shown = |text: &str| markdown_of_blocks([paragraph(span(Style::Code, text))]);
    assert_eq!(shown("a"), "`a`");
    assert_eq!(shown("`a``"), "``` `a`` ```");
    let cell = table([span(Style::Code, "a|b")]).row(["x\ny"]);
    assert_eq!(
        markdown_of_blocks([cell.into()]),
        "| a\\|b |\n| --- |\n| x<br>y |"
    );
}

#[test]
fn code_blocks_end_where_they_should() {
    let shown = markdown_of_blocks([code("luau x`\n", "```\n# a")]);
    assert_eq!(shown, "````luaux\n```\n# a\n````");
}

#[test]
fn lists_in_a_row_stay_two_lists() {
    let shown = markdown_of_blocks([
        list(["a"]),
        list(["b"]),
        fields([("c", "d")]),
        numbered_list(["e"]),
    ]);
    assert_eq!(shown, "- a\n\n* b\n\n- **c:** d\n\n1. e");
}

/// Removes escapes; `None` if an unescaped sign remains that Markdown would read.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let next = rest.chars().next().filter(char::is_ascii_punctuation)?;
                out.push(next);
                rest = &rest[1..];
            }
            '&' => {
                let (name, after) = rest.split_once(';')?;
                let names = [("amp", '&'), ("lt", '<'), ("gt", '>')];
                out.push(names.iter().find(|(known, _)| *known == name)?.1);
                rest = after;
            }
            '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '$' | '{' | '}' => {
                return None;
            }
            _ => out.push(c),
        }
    }
    Some(out)
}

fn starts_a_block(line: &str) -> bool {
    let after_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = after_digits.len() < line.len() && after_digits.starts_with(['.', ')']);
    numbered
        || line.starts_with([
            '-', '+', '=', ':', '#', '>', ' ', '\t', '|', '~', '`', '*', '_',
        ])
}

fn any_hostile_text() -> impl Strategy<Value = String> {
    let signs = "\\`*_{}[]()#+-.!|<>~&$=:;/w1 a\n"
        .chars()
        .collect::<Vec<char>>();
    let sign = prop::sample::select(signs);
    prop_oneof![
        any::<String>(),
        prop::collection::vec(sign, 0..30).prop_map(|all| all.into_iter().collect()),
    ]
}

fn lines_of(text: &str) -> Vec<String> {
    let gated = gate(text).into_owned();
    let lines = gated.split('\n').map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

proptest! {
    #[test]
    fn a_paragraph_is_its_text_and_nothing_else(text in any_hostile_text()) {
        let shown = markdown_of_blocks([paragraph(text.as_str())]);
        let lines: Vec<&str> = shown.split('\n').filter(|line| !line.is_empty()).collect();
        let mut read = Vec::new();
        for line in lines {
            prop_assert!(!starts_a_block(line), "{line:?}");
            let escapes = line.chars().rev().take_while(|c| *c == '\\').count();
            let line = if escapes % 2 == 1 { &line[..line.len() - 1] } else { line };
            let back = unescaped(line);
            prop_assert!(back.is_some(), "{line:?}");
            read.extend(back);
        }
        prop_assert_eq!(read, lines_of(&text));
    }

    #[test]
    fn a_heading_an_item_and_a_cell_stay_one_line(text in any_hostile_text()) {
        let shown = markdown_of_blocks([heading(2, format!("x{text}"))]);
        prop_assert_eq!(shown.lines().count(), 1);
        prop_assert!(unescaped(&shown[3..]).is_some());
        let cells = markdown_of_blocks([table(["a", "b"]).row([text.as_str(), text.as_str()]).into()]);
        prop_assert_eq!(cells.lines().count(), 3);
        let row = cells.lines().last().unwrap_or_default().replace("<br>", "");
        let bars = row.replace("\\\\", "").replace("\\|", "").matches('|').count();
        prop_assert_eq!(bars, 3, "{}", row);
        let quoted = markdown_of_blocks([quote([paragraph(text.as_str())]), paragraph("end")]);
        let inside = quoted.strip_suffix("\n\nend").unwrap_or_default();
        prop_assert!(inside.lines().all(|line| line.starts_with('>')), "{quoted:?}");
    }

    #[test]
    fn a_code_block_ends_at_its_fence(text in any_hostile_text(), language in any_hostile_text()) {
        let shown = markdown_of_blocks([code(language.as_str(), text.as_str())]);
        let lines: Vec<&str> = shown.split('\n').collect();
        let ticks = lines[0].chars().take_while(|c| *c == '`').count();
        let inside = &lines[1..lines.len() - 1];
        prop_assert_eq!(lines[lines.len() - 1], "`".repeat(ticks));
        prop_assert!(inside.iter().all(|line| inline::longest_ticks(line) < ticks));
    }

    #[test]
    fn a_code_span_ends_at_its_ticks(text in "[` a|]{1,12}") {
        prop_assume!(!text.trim().is_empty());
        let shown = markdown_of_blocks([paragraph(span(Style::Code, text.as_str()))]);
        let ticks = shown.chars().take_while(|c| *c == '`').count();
        let inside = &shown[ticks..shown.len() - ticks];
        prop_assert!(inline::longest_ticks(inside) < ticks);
    }
}
