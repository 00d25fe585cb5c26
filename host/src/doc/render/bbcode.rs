//! Writes a document as BBCode that can be pasted into a post of a forum.
//!
//! Only what boards know from their first day is used: `b i u s color quote code list *`. Tables and
//! charts are aligned text in `code`; code inside a line has a colour, for `code` is a block.
//!
//! BBCode has no escape character. Switches such as `noparse` are not known everywhere, where unknown they
//! are shown, and a text can hold their end; entities are shown as they stand on boards that
//! escape HTML; an empty pair of tags between bracket and name is removed by some boards, which forms the tag again;
//! signs without a shape do not pass the gate. So a bracket before a word that boards know as a tag gets a space behind
//! it: `[ b]`. No board reads that as a tag, and people hardly see it. Other words, as in `[Attack]`, and numbers, as
//! in `[4, 6]`, begin no tag and stand as they are.

use super::aligned::{aligned, aligned_chart};
use super::node::{Node, field_label, nodes, own_row, styled};
use crate::doc::shown::{Row, append, push};
use crate::doc::{Document, Style};

/// Columns of aligned text: what fits beside the avatars of a board.
const COLUMNS: usize = 80;

/// Returns the document as BBCode, without a final line end.
pub fn bbcode(document: &Document) -> String {
    write(&nodes(document))
}

/// Returns nodes as BBCode.
pub(super) fn write(nodes: &[Node]) -> String {
    blocks(nodes)
}

fn blocks<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> String {
    let blocks: Vec<String> = nodes.into_iter().map(block).collect();
    blocks.join("\n\n")
}

fn block(node: &Node) -> String {
    match node {
        Node::Heading { level, row } => heading(*level, row),
        Node::Paragraph(rows) => lines(rows.iter().map(inline)),
        Node::List { start, items } => {
            let mark = |at: usize| match start {
                Some(start) if *start > 1 => format!("[*]{}. ", start + at),
                Some(_) | None => "[*]".to_owned(),
            };
            let items = items.iter().enumerate();
            let items = items.map(|(at, item)| format!("{}{}", mark(at), self::item(item)));
            let open = if *start == Some(1) {
                "[list=1]"
            } else {
                "[list]"
            };
            format!("{open}\n{}\n[/list]", lines(items))
        }
        Node::Table(table) => captioned(&table.caption, code(&aligned(table, COLUMNS))),
        Node::Chart(chart) => captioned(&chart.caption, code(&aligned_chart(chart, COLUMNS))),
        Node::Code { lines, .. } => code(lines),
        Node::Quote { label, nodes } => {
            let label = label.as_ref().map(|label| {
                let label = own_row(&format!("({label})"), Style::Strong);
                format!("{}\n\n", inline(&label))
            });
            let label = label.unwrap_or_default();
            format!("[quote]\n{label}{}\n[/quote]", blocks(nodes))
        }
        Node::Fields(fields) => lines(fields.iter().map(field)),
        Node::Rule => "─".repeat(20),
    }
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

/// Sizes are percents on one board and steps on the next: only weight tells headings apart.
fn heading(level: u8, row: &Row) -> String {
    let text = inline(&styled(row, Style::Strong));
    match level {
        1 => format!("[u]{text}[/u]"),
        _ => text,
    }
}

/// A text and the blocks below it need no empty line between them.
fn item(item: &[Node]) -> String {
    match item {
        [text @ Node::Paragraph(_), below @ ..] if !below.is_empty() => {
            format!("{}\n{}", block(text), blocks(below))
        }
        all => blocks(all),
    }
}

fn field((label, value): &(Row, Row)) -> String {
    let mut row = field_label(label);
    push(&mut row, " ", Style::Plain);
    append(&mut row, value.clone());
    inline(&row).trim_end().to_owned()
}

fn captioned(caption: &Row, block: String) -> String {
    if caption.is_empty() {
        block
    } else {
        format!("{}\n{block}", inline(&styled(caption, Style::Strong)))
    }
}

/// Inside of `code` only the words `[code` and `[/code` count.
fn code<'a>(lines: impl IntoIterator<Item = &'a String>) -> String {
    let lines: Vec<&str> = lines.into_iter().map(String::as_str).collect();
    let begins = |rest: &str| {
        let name = rest.strip_prefix('/').unwrap_or(rest);
        name.get(..4)
            .is_some_and(|name| name.eq_ignore_ascii_case("code"))
    };
    format!("[code]\n{}\n[/code]", apart(&lines.join("\n"), begins))
}

fn inline(row: &Row) -> String {
    let mut out = String::new();
    for piece in row {
        let text = escape(&piece.text);
        let (open, close) = tags(piece.style);
        out.extend([open, &text, close]);
    }
    out
}

fn tags(style: Style) -> (&'static str, &'static str) {
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

/// The tags that boards know: those of phpBB, MyBB, SMF, vBulletin, XenForo and Invision, with their usual additions.
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

/// A bracket at the end of a text stands before one of our tags or a line end, and a word there may go on in the next
/// text: they are parted too.
fn escape(text: &str) -> String {
    apart(text, begins_tag)
}

/// Returns whether a board could read a tag behind a bracket: `b]`, `/B]`, `url=x`, `*]`.
fn begins_tag(rest: &str) -> bool {
    let inner = rest.strip_prefix('/').unwrap_or(rest);
    let end = inner.find(|c: char| !c.is_alphanumeric());
    let name = any_case(&inner[..end.unwrap_or(inner.len())]);
    match end {
        Some(_) => inner.starts_with('*') || TAGS.contains(&name.as_str()),
        None => TAGS.iter().any(|tag| tag.starts_with(&name)),
    }
}

/// Returns a word so that all that boards take for the same letter is the same: `ſ` is an s for some.
fn any_case(word: &str) -> String {
    word.to_lowercase().to_uppercase().to_lowercase()
}

/// Puts a space behind each bracket that would begin a tag.
fn apart(text: &str, begins_tag: impl Fn(&str) -> bool) -> String {
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
