//! Reads HTML: known elements with quoted attributes, closed in order; known entities; no other `<`, `>`, `&`.

use super::{Read, close_mark, open_mark, push_sign};

const EMPTY: [&str; 3] = ["br", "hr", "meta"];

const KNOWN: [&str; 40] = [
    "article",
    "aside",
    "a",
    "blockquote",
    "body",
    "br",
    "caption",
    "code",
    "dd",
    "dl",
    "dt",
    "em",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "meta",
    "meter",
    "nav",
    "ol",
    "p",
    "pre",
    "s",
    "section",
    "span",
    "strong",
    "style",
    "title",
    "ul",
    "table",
    "tbody",
];

const CELLS: [&str; 4] = ["thead", "tr", "th", "td"];

/// Reads a fragment.
pub(in crate::doc) fn html(text: &str) -> Read {
    let mut marks = Vec::new();
    let mut stack: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let inside = &rest[c.len_utf8()..];
        match c {
            '<' => {
                let (tag, after) = inside.split_once('>').ok_or("a tag without its end")?;
                rest = after;
                if let Some(name) = tag.strip_prefix('/') {
                    if stack.pop().as_deref() != Some(name) {
                        return Err(format!("</{name}> in {stack:?}"));
                    }
                    marks.push(close_mark(name));
                    continue;
                }
                let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
                if !KNOWN.contains(&name) && !CELLS.contains(&name) {
                    return Err(format!("the element <{name}>"));
                }
                check_attributes(attributes)?;
                marks.push(open_mark(name));
                if !EMPTY.contains(&name) {
                    stack.push(name.to_owned());
                }
            }
            '&' => {
                let (name, after) = inside.split_once(';').ok_or("a bare &")?;
                let names = [
                    ("amp", '&'),
                    ("lt", '<'),
                    ("gt", '>'),
                    ("quot", '"'),
                    ("#39", '\''),
                ];
                let known = names.iter().find(|(known, _)| *known == name);
                push_sign(
                    &mut marks,
                    known.ok_or_else(|| format!("the entity {name}"))?.1,
                );
                rest = after;
            }
            '>' | '"' | '\'' if !stack.contains(&"style".to_owned()) => {
                return Err(format!("a bare {c}"));
            }
            _ => {
                push_sign(&mut marks, c);
                rest = inside;
            }
        }
    }
    if stack.is_empty() {
        Ok(marks)
    } else {
        Err(format!("{stack:?} is open"))
    }
}

/// Checks attributes: each `name="value"`.
fn check_attributes(mut attributes: &str) -> Result<(), String> {
    const NAMES: [&str; 9] = [
        "class",
        "scope",
        "start",
        "value",
        "id",
        "href",
        "lang",
        "aria-current",
        "content",
    ];
    while !attributes.is_empty() {
        let (name, rest) = attributes
            .split_once("=\"")
            .ok_or_else(|| format!("attributes {attributes}"))?;
        let (value, rest) = rest.split_once('"').ok_or("a value without its end")?;
        let is_meta = ["charset", "name", "http-equiv"].contains(&name);
        if (!NAMES.contains(&name) && !is_meta) || value.contains('<') {
            return Err(format!("the attribute {name}={value}"));
        }
        attributes = rest.strip_prefix(' ').unwrap_or(rest);
    }
    Ok(())
}
