//! Writes a document as BBCode that can be pasted into a post of a forum.
//!
//! Only tags that all boards know are used: `b i u s color quote code list *`. Tables and charts are aligned text in
//! `code`. Code inside a line is coloured, because `code` is a block.
//!
//! BBCode has no escape character, and these substitutes fail:
//! - switches such as `noparse`: some boards do not know them and show them, and a text can contain their end;
//! - entities: boards that escape HTML show them unchanged;
//! - an empty pair of tags between bracket and name: some boards remove it, which forms the tag again;
//! - signs without a shape: they do not pass the gate.
//!
//! So a bracket before a word that boards know as a tag gets a space after it: `[ b]`. No board reads that as a tag,
//! and people hardly see it. Other words, as in `[Attack]`, and numbers, as in `[4, 6]`, do not begin a tag and stay
//! unchanged.

use super::aligned_table::{aligned_chart, aligned_table};
use super::node::{Node, document_nodes, field_label, host_row, style_plain_pieces};
use crate::doc::gated_rows::{Row, append_row, push_text};
use crate::doc::{Document, Style};

/// Columns of aligned text: the width beside the avatars of a board.
const COLUMNS: usize = 80;

/// Returns the document as BBCode, without a final line end.
pub fn bbcode(document: &Document) -> String {
    write_nodes(&document_nodes(document))
}

/// Returns nodes as BBCode.
pub(super) fn write_nodes(nodes: &[Node]) -> String {
    blocks_markup(nodes)
}

fn blocks_markup<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> String {
    let blocks: Vec<String> = nodes.into_iter().map(block_markup).collect();
    blocks.join("\n\n")
}

fn block_markup(node: &Node) -> String {
    match node {
        Node::Heading { level, row } => heading_markup(*level, row),
        Node::Paragraph(rows) => join_lines(rows.iter().map(row_markup)),
        Node::List { start, items } => {
            let mark = |at: usize| match start {
                Some(start) if *start > 1 => format!("[*]{}. ", start + at),
                Some(_) | None => "[*]".to_owned(),
            };
            let items = items.iter().enumerate();
            let items = items.map(|(at, item)| format!("{}{}", mark(at), item_markup(item)));
            let open = if *start == Some(1) {
                "[list=1]"
            } else {
                "[list]"
            };
            format!("{open}\n{}\n[/list]", join_lines(items))
        }
        Node::Table(table) => {
            with_caption(&table.caption, code_markup(&aligned_table(table, COLUMNS)))
        }
        Node::Chart(chart) => {
            with_caption(&chart.caption, code_markup(&aligned_chart(chart, COLUMNS)))
        }
        Node::Code { lines, .. } => code_markup(lines),
        Node::Quote { label, nodes } => {
            let label = label.as_ref().map(|label| {
                let label = host_row(&format!("({label})"), Style::Strong);
                format!("{}\n\n", row_markup(&label))
            });
            let label = label.unwrap_or_default();
            format!("[quote]\n{label}{}\n[/quote]", blocks_markup(nodes))
        }
        Node::Fields(fields) => join_lines(fields.iter().map(field_markup)),
        Node::Rule => "─".repeat(20),
    }
}

fn join_lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

/// Writes a heading. Sizes are percents on one board and steps on another: only weight separates headings.
fn heading_markup(level: u8, row: &Row) -> String {
    let text = row_markup(&style_plain_pieces(row, Style::Strong));
    match level {
        1 => format!("[u]{text}[/u]"),
        _ => text,
    }
}

/// Writes an item. A text and the blocks below it need no empty line between them.
fn item_markup(item: &[Node]) -> String {
    match item {
        [text @ Node::Paragraph(_), below @ ..] if !below.is_empty() => {
            format!("{}\n{}", block_markup(text), blocks_markup(below))
        }
        all => blocks_markup(all),
    }
}

fn field_markup((label, value): &(Row, Row)) -> String {
    let mut row = field_label(label);
    push_text(&mut row, " ", Style::Plain);
    append_row(&mut row, value.clone());
    row_markup(&row).trim_end().to_owned()
}

fn with_caption(caption: &Row, block: String) -> String {
    if caption.is_empty() {
        block
    } else {
        format!(
            "{}\n{block}",
            row_markup(&style_plain_pieces(caption, Style::Strong))
        )
    }
}

/// Writes a code block. Inside of `code` only the words `[code` and `[/code` count.
fn code_markup<'a>(lines: impl IntoIterator<Item = &'a String>) -> String {
    let lines: Vec<&str> = lines.into_iter().map(String::as_str).collect();
    let begins = |rest: &str| {
        let name = rest.strip_prefix('/').unwrap_or(rest);
        name.get(..4)
            .is_some_and(|name| name.eq_ignore_ascii_case("code"))
    };
    format!(
        "[code]\n{}\n[/code]",
        space_after_brackets(&lines.join("\n"), begins)
    )
}

fn row_markup(row: &Row) -> String {
    let mut out = String::new();
    for piece in row {
        let text = escape_text(&piece.text);
        let (open, close) = style_tags(piece.style);
        out.extend([open, &text, close]);
    }
    out
}

fn style_tags(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Plain | Style::LogLine => ("", ""),
        Style::Strong => ("[b]", "[/b]"),
        Style::Emphasis => ("[i]", "[/i]"),
        Style::Strike => ("[s]", "[/s]"),
        Style::Code => ("[color=teal]", "[/color]"),
        Style::Muted => ("[color=gray]", "[/color]"),
        Style::Good => ("[color=green]", "[/color]"),
        Style::Warn => ("[color=orange]", "[/color]"),
        Style::Bad => ("[color=red]", "[/color]"),
    }
}

/// The tags of boards: phpBB, MyBB, SMF, vBulletin, XenForo and Invision, with their usual additions.
const TAGS: [&str; 104] = [
    "abbr",
    "acronym",
    "align",
    "anchor",
    "attach",
    "attachment",
    "background",
    "bdo",
    "bgcolor",
    "big",
    "black",
    "blue",
    "blur",
    "br",
    "b",
    "center",
    "centre",
    "code",
    "color",
    "colour",
    "dd",
    "del",
    "dl",
    "dt",
    "dfn",
    "email",
    "embed",
    "fieldset",
    "flash",
    "float",
    "font",
    "ftp",
    "gallery",
    "glow",
    "green",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hide",
    "highlight",
    "hr",
    "html",
    "i",
    "icode",
    "image",
    "img",
    "indent",
    "inlinecode",
    "ins",
    "iurl",
    "ispoiler",
    "justify",
    "left",
    "legend",
    "li",
    "list",
    "ltr",
    "mail",
    "marquee",
    "me",
    "media",
    "move",
    "nobbc",
    "node",
    "noparse",
    "ol",
    "php",
    "plain",
    "post",
    "pre",
    "quote",
    "red",
    "right",
    "rtl",
    "s",
    "shadow",
    "sigpic",
    "size",
    "spoiler",
    "strike",
    "style",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tex",
    "th",
    "thead",
    "thread",
    "time",
    "topic",
    "tr",
    "tt",
    "u",
    "ul",
    "url",
    "user",
    "video",
    "white",
    "youtube",
];

/// Escapes a text, also a bracket at its end. Such a bracket is before a tag of the host or a line end, and a word
/// there may continue in the next text.
fn escape_text(text: &str) -> String {
    space_after_brackets(text, begins_tag)
}

/// Returns whether a board could read a tag after a bracket: `b]`, `/B]`, `url=x`, `*]`.
fn begins_tag(rest: &str) -> bool {
    let inner = rest.strip_prefix('/').unwrap_or(rest);
    let end = inner.find(|c: char| !c.is_alphanumeric());
    let name = fold_letters(&inner[..end.unwrap_or(inner.len())]);
    match end {
        Some(_) => inner.starts_with('*') || TAGS.contains(&name.as_str()),
        None => TAGS.iter().any(|tag| tag.starts_with(&name)),
    }
}

/// Folds a word: all characters that boards read as the same letter become equal. For example `ſ` is an s for some
/// boards.
fn fold_letters(word: &str) -> String {
    word.to_lowercase().to_uppercase().to_lowercase()
}

/// Puts a space after each bracket that would begin a tag.
fn space_after_brackets(text: &str, begins_tag: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        out.push(c);
        if c == '[' && begins_tag(&text[at + 1..]) {
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests;
