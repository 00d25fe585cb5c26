//! Replaces the texts of a document by hostile texts, or by harmless texts of the same form. The shape stays.

use proptest::prelude::*;
use unicode_width::UnicodeWidthChar;

use crate::doc::hidden_character_gate::escape_hidden;
use crate::doc::*;

/// Parts of texts with a meaning in at least one format.
const NASTY: [&str; 72] = [
    "[b]",
    "[/b]",
    "[/quote]",
    "[/code]",
    "[CODE]",
    "[*]",
    "[url=http://x]",
    "[",
    "]",
    "[[",
    "[/",
    "`",
    "``",
    "```",
    "````",
    "*",
    "**",
    "_",
    "__",
    "~~",
    "||",
    "|",
    "\\",
    "\\\\",
    "<b>",
    "</p>",
    "<!--",
    "-->",
    "&amp;",
    "&",
    "<",
    ">",
    ">>>",
    "\"",
    "'",
    "@everyone",
    "@here",
    "@",
    "<@1>",
    "<@&1>",
    "<#1>",
    "#general",
    "# ",
    "-# ",
    "- ",
    "+ ",
    "1. ",
    "a) ",
    "iv. ",
    ":smile:",
    "<:a:1>",
    ":",
    "::",
    "http://x.y",
    "www.x.y",
    "discord.gg/x",
    "====",
    "----",
    ".. note::",
    ".. ",
    ":role:`x`",
    "x_",
    "=1+1",
    "-2",
    "\t=x",
    " @x",
    ",",
    ";",
    "\u{202e}",
    "\x1b[2J",
    "\r",
    "\u{301}",
];

/// Returns a short text that tries to break out of its place.
pub(super) fn any_hostile_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => prop::sample::select(NASTY.to_vec()).prop_map(str::to_owned),
        2 => "[a-cA-C0-9 ]{1,3}",
        1 => Just("\n".to_owned()),
        1 => Just("漢".to_owned()),
        1 => any::<char>().prop_map(String::from),
    ];
    // The gate treats a combining mark at the start by the text before it. A letter in front avoids that.
    let started = |text: String| match text.chars().next() {
        Some(first) if first.width() == Some(0) => format!("a{text}"),
        Some(_) | None => text,
    };
    prop::collection::vec(part, 0..5).prop_map(move |parts| started(parts.concat()))
}

/// Returns the text as it passes the gate, each of its signs a letter of the same width; spaces and line ends stay.
pub(super) fn harmless(text: &str) -> String {
    let letter = |c: char| match c.width() {
        _ if c.is_whitespace() => c,
        Some(0) | None => c,
        Some(2) => '漢',
        Some(_) => 'x',
    };
    escape_hidden(text).chars().map(letter).collect()
}

/// Changes every text of a document, names of audiences included.
pub(super) fn with_changed_texts(
    document: &Document,
    change: &mut dyn FnMut(&str) -> String,
) -> Document {
    let mut document = document.clone();
    change_blocks(&mut document.blocks, change);
    document
}

type Change<'a> = &'a mut dyn FnMut(&str) -> String;

fn change_blocks(all: &mut [Block], change: Change<'_>) {
    for one in all {
        change_block(one, change);
    }
}

fn change_block(block: &mut Block, change: Change<'_>) {
    match block {
        Block::Heading { line, .. } | Block::Paragraph(line) => change_line(line, change),
        Block::List { items, .. } => {
            for item in items {
                change_line(&mut item.line, change);
                change_blocks(&mut item.blocks, change);
            }
        }
        Block::Table(table) => {
            change_line(&mut table.caption, change);
            for column in &mut table.columns {
                change_line(&mut column.title, change);
            }
            for cell in table.rows.iter_mut().flatten() {
                change_line(cell, change);
            }
        }
        Block::Bars(chart) => {
            change_line(&mut chart.caption, change);
            for bar in &mut chart.bars {
                change_line(&mut bar.label, change);
                change_line(&mut bar.text, change);
            }
        }
        Block::Grid(map) => {
            for text in [&mut map.title, &mut map.below]
                .into_iter()
                .chain(&mut map.columns)
            {
                *text = change(text);
            }
            for row in &mut map.rows {
                row.label = change(&row.label);
                for cell in &mut row.cells {
                    for text in [&mut cell.mark, &mut cell.kind, &mut cell.label] {
                        *text = change(text);
                    }
                }
            }
        }
        Block::Code { language, text } => {
            *language = change(language);
            *text = change(text);
        }
        Block::Quote(inner) => change_blocks(inner, change),
        Block::Fields(fields) => {
            for field in fields {
                change_line(&mut field.label, change);
                change_line(&mut field.value, change);
            }
        }
        Block::Rule => {}
        Block::For { audience, blocks } => {
            change_audience(audience, change);
            change_blocks(blocks, change);
        }
    }
}

fn change_line(line: &mut Line, change: Change<'_>) {
    for span in &mut line.0 {
        span.text = change(&span.text);
        if let Some(audience) = &mut span.audience {
            change_audience(audience, change);
        }
    }
}

fn change_audience(audience: &mut Audience, change: Change<'_>) {
    match audience {
        Audience::Public | Audience::Gm => {}
        Audience::Seat(name) | Audience::Group(name) => {
            let changed = change(name).replace(['\n', '\r'], " ");
            if !changed.is_empty() {
                *name = changed;
            }
        }
    }
}
