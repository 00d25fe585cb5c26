//! This module reads BBCode: whatever begins like a tag must be one of ours and be closed in order.

use super::{Mark, Read, close, open, push};

const KNOWN: [&str; 8] = ["b", "i", "u", "s", "color", "quote", "list", "code"];

/// Reads a post.
pub(in crate::doc) fn bbcode(text: &str) -> Read {
    let mut marks: Vec<Mark> = Vec::new();
    let mut stack: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let in_code = stack.last().is_some_and(|name| name == "code");
        let inside = &rest[c.len_utf8()..];
        let name_at = inside.strip_prefix('/').unwrap_or(inside);
        let code_tag = name_at.to_lowercase().starts_with("code");
        let begins =
            inside.starts_with(|c: char| c == '/' || c == '*' || c == '_' || c.is_alphabetic());
        if c != '[' || !begins || (in_code && !code_tag) {
            push(&mut marks, c);
            rest = inside;
            continue;
        }
        let (tag, after) = inside.split_once(']').ok_or("a tag without its end")?;
        rest = after;
        let (word, value) = tag.split_once('=').unwrap_or((tag, ""));
        if !value.chars().all(char::is_alphanumeric) {
            return Err(format!("the tag [{tag}]"));
        }
        match word.strip_prefix('/') {
            _ if word == "*" && stack.last().is_some_and(|top| top == "list") => {
                marks.push(open("*"));
            }
            Some(name) if stack.last().is_some_and(|top| top == name) => {
                stack.pop();
                marks.push(close(name));
            }
            None if KNOWN.contains(&word) && !in_code => {
                stack.push(word.to_owned());
                marks.push(open(word));
            }
            Some(_) | None => return Err(format!("the tag [{tag}] in {stack:?}")),
        }
    }
    if stack.is_empty() {
        Ok(marks)
    } else {
        Err(format!("{stack:?} is open"))
    }
}
