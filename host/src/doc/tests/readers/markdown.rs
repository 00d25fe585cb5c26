//! Reads Markdown with the reader of another crate.

use pulldown_cmark::{Event, Options, Parser, TagEnd};

use super::{Read, close_mark, open_mark, push_sign};

/// Reads a post: CommonMark with tables and strikes.
pub(in crate::doc) fn markdown(text: &str) -> Read {
    let mut marks = Vec::new();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag) => marks.push(open_mark(tag_name(&tag.to_end())?)),
            Event::End(tag) => marks.push(close_mark(tag_name(&tag)?)),
            Event::Text(text) => text.chars().for_each(|c| push_sign(&mut marks, c)),
            Event::Code(text) => {
                marks.push(open_mark("`"));
                text.chars().for_each(|c| push_sign(&mut marks, c));
                marks.push(close_mark("`"));
            }
            Event::InlineHtml(tag) if &*tag == "<br>" => marks.push(open_mark("br")),
            Event::SoftBreak => push_sign(&mut marks, ' '),
            Event::HardBreak => marks.push(open_mark("br")),
            Event::Rule => marks.push(open_mark("rule")),
            other => return Err(format!("{other:?}")),
        }
    }
    Ok(marks)
}

fn tag_name(tag: &TagEnd) -> Result<&'static str, String> {
    Ok(match tag {
        TagEnd::Paragraph => "p",
        TagEnd::Heading(_) => "h",
        TagEnd::BlockQuote(_) => "quote",
        TagEnd::CodeBlock => "code",
        TagEnd::List(true) => "ol",
        TagEnd::List(false) => "ul",
        TagEnd::Item => "item",
        TagEnd::Table => "table",
        TagEnd::TableHead => "head",
        TagEnd::TableRow => "row",
        TagEnd::TableCell => "cell",
        TagEnd::Emphasis => "i",
        TagEnd::Strong => "b",
        TagEnd::Strikethrough => "s",
        other => return Err(format!("{other:?}")),
    })
}
