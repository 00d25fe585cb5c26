//! Reads BBCode as boards do. Each text that begins like a tag of a board must be one of our tags and be closed in
//! order. Other words in brackets are text.

use super::{Mark, Read, close_mark, open_mark, push_sign};

const KNOWN: [&str; 8] = ["b", "i", "u", "s", "color", "quote", "list", "code"];

/// Words that a board may read as a tag, in any case.
const BOARDS: &str = "b i u s url img image quote code list color colour size font center centre left right justify align \
    email mail spoiler youtube media video table tr td th li ul ol noparse nobbc plain attachment attach flash hr sub sup \
    strike del ins h1 h2 h3 h4 h5 h6 pre php html icode indent anchor user post thread topic me hide highlight background \
    glow shadow move tt br ltr rtl bdo time abbr acronym ftp iurl float gallery";

/// Returns whether a board reads a bracket and the text after it as a tag.
fn is_tag(inside: &str) -> bool {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let word: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
    let word = word.replace('\u{17f}', "s").to_lowercase();
    name.starts_with('*') || BOARDS.split_whitespace().any(|tag| tag == word)
}

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
        let begins = is_tag(inside);
        if c != '[' || !begins || (in_code && !code_tag) {
            push_sign(&mut marks, c);
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
                marks.push(open_mark("*"));
            }
            Some(name) if stack.last().is_some_and(|top| top == name) => {
                stack.pop();
                marks.push(close_mark(name));
            }
            None if KNOWN.contains(&word) && !in_code => {
                stack.push(word.to_owned());
                marks.push(open_mark(word));
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
