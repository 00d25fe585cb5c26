//! Reads a message of Discord after the rules of its client and of its servers.

use super::{Mark, Read, close_mark, open_mark, push_sign};

/// Reads a message.
pub(in crate::doc) fn discord(text: &str) -> Read {
    refuse_mentions(text)?;
    let mut marks = Vec::new();
    read_blocks(text, false, &mut marks)?;
    Ok(marks)
}

/// Refuses mentions. Servers find them in the sent text, also inside of other marks.
fn refuse_mentions(text: &str) -> Result<(), String> {
    let lower = text.to_lowercase();
    let calls = [
        "@everyone",
        "@here",
        "<@",
        "<#",
        "<:",
        "<a:",
        "<t:",
        "</",
        "discord.gg/",
        "://",
    ];
    match calls.iter().find(|call| lower.contains(**call)) {
        // Addresses in code are not links.
        Some(call) if !(*call == "://" || call.starts_with('<') || call.starts_with('d')) => {
            Err(format!("{call} in {text:?}"))
        }
        Some(call @ &("<@" | "<#")) => Err(format!("{call} in {text:?}")),
        Some(_) | None => Ok(()),
    }
}

/// Reads code blocks first, then lines.
fn read_blocks(text: &str, quoted: bool, marks: &mut Vec<Mark>) -> Result<(), String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if !quoted && line.starts_with("> ") {
            let count = lines[at..]
                .iter()
                .take_while(|line| line.starts_with("> "))
                .count();
            let inner: Vec<&str> = lines[at..at + count]
                .iter()
                .map(|line| &line[2..])
                .collect();
            marks.push(open_mark("quote"));
            read_blocks(&inner.join("\n"), true, marks)?;
            marks.push(close_mark("quote"));
            at += count;
            continue;
        }
        let rest = note_list_items(line, marks);
        if let Some(fence) = rest.strip_prefix("```") {
            if fence.contains('`') {
                return Err(format!("a fence {rest:?}"));
            }
            let end = lines[at + 1..].iter().position(|line| line.contains("```"));
            let end = at + 1 + end.ok_or("a code block without its end")?;
            if lines[end].trim_start_matches([' ', '│']) != "```" {
                return Err(format!("a code block ends in {:?}", lines[end]));
            }
            marks.push(open_mark("code"));
            let inside = lines[at + 1..end].join("\n");
            if inside.trim_matches([' ', '│', '\n']).is_empty() {
                return Err("an empty code block".to_owned());
            }
            inside.chars().for_each(|c| push_sign(marks, c));
            marks.push(close_mark("code"));
            at = end + 1;
            continue;
        }
        read_line(rest, marks)?;
        at += 1;
    }
    Ok(())
}

/// Notes the items that a line begins, and returns the rest of it.
fn note_list_items<'a>(line: &'a str, marks: &mut Vec<Mark>) -> &'a str {
    let mut rest = line.trim_start_matches([' ', '│']);
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (name, skip) =
            if rest.starts_with("- ") || rest.starts_with("* ") || rest == "-" || rest == "*" {
                ("-", 1)
            } else if digits > 0 && (rest[digits..].starts_with(". ") || &rest[digits..] == ".") {
                ("1", digits + 1)
            } else {
                return rest;
            };
        marks.push(open_mark(name));
        rest = rest[skip..].trim_start_matches([' ', '│']);
    }
}

fn read_line(rest: &str, marks: &mut Vec<Mark>) -> Result<(), String> {
    if let Some(title) = ["# ", "## ", "### "]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
    {
        marks.push(open_mark("#"));
        read_inline(title, marks)?;
        marks.push(close_mark("#"));
    } else if rest.starts_with("> ") || rest.starts_with(">>> ") || rest.starts_with("-# ") {
        return Err(format!("{rest:?} begins a block"));
    } else {
        read_inline(rest, marks)?;
        push_sign(marks, '\n');
    }
    Ok(())
}

fn read_inline(text: &str, marks: &mut Vec<Mark>) -> Result<(), String> {
    let mut stack: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let inside = &rest[c.len_utf8()..];
        let next = inside.chars().next();
        if c == '\\' {
            let next = next
                .filter(char::is_ascii_punctuation)
                .ok_or("a bare backslash")?;
            push_sign(marks, next);
            rest = &inside[1..];
            continue;
        }
        if c == '`' {
            let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
            let body = &rest[ticks..];
            let end = code_end(body, ticks)
                .filter(|_| ticks < 3)
                .ok_or_else(|| format!("ticks in {text:?}"))?;
            marks.push(open_mark("`"));
            body[..end].chars().for_each(|c| push_sign(marks, c));
            marks.push(close_mark("`"));
            rest = &body[end + ticks..];
            continue;
        }
        let mark = ["**", "*", "~~"]
            .into_iter()
            .find(|mark| rest.starts_with(mark));
        if let Some(mark) = mark {
            rest = &rest[mark.len()..];
            if stack.last() == Some(&mark) {
                stack.pop();
                marks.push(close_mark(mark));
            } else if stack.is_empty() && rest.starts_with(|c: char| !c.is_whitespace()) {
                stack.push(mark);
                marks.push(open_mark(mark));
            } else {
                return Err(format!("{mark} in {text:?}"));
            }
            continue;
        }
        let is_read = match c {
            '_' | '|' | '[' | ']' | '<' | '>' | '#' | '@' => true,
            ':' => next.is_some_and(|next| next.is_alphanumeric() || next == '/'),
            '.' => next.is_some_and(|next| next.is_ascii_alphabetic()),
            _ => false,
        };
        if is_read {
            return Err(format!("a bare {c} in {text:?}"));
        }
        push_sign(marks, c);
        rest = inside;
    }
    if stack.is_empty() {
        Ok(())
    } else {
        Err(format!("{stack:?} is open in {text:?}"))
    }
}

/// Returns the start of a run with exactly this number of ticks.
fn code_end(body: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = body[at..].find('`').map(|start| at + start) {
        let run = body[start..]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        if run == ticks && start > 0 {
            return Some(start);
        }
        at = start + run;
    }
    None
}
