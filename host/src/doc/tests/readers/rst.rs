//! Reads the part of reStructuredText that the renderer writes. Refuses text that the language would read in another
//! way.

use unicode_width::UnicodeWidthStr;

use super::{Mark, Read, close_mark, open_mark, push_sign};

/// Reads a document.
pub(in crate::doc) fn rst(text: &str) -> Read {
    let mut marks = Vec::new();
    let lines: Vec<&str> = text.split('\n').collect();
    read_blocks(&lines, true, &mut marks)?;
    Ok(marks)
}

fn read_blocks(lines: &[&str], titled: bool, marks: &mut Vec<Mark>) -> Result<(), String> {
    let mut at = 0;
    let mut apart = true;
    while at < lines.len() {
        let line = lines[at];
        if line.trim().is_empty() {
            (at, apart) = (at + 1, true);
            continue;
        }
        let kind = Kind::of(line);
        if !apart && !matches!(kind, Kind::Item(_) | Kind::Row) {
            return Err(format!("{line:?} goes on from above"));
        }
        at += match kind {
            Kind::Item(width) => {
                let count = 1 + count_indented_lines(&lines[at + 1..], width);
                let body = unindented_lines(&lines[at..at + count], width);
                read_inside("item", &body, marks)?;
                count
            }
            Kind::Quote | Kind::Code => {
                let count = 1 + count_indented_lines(&lines[at + 1..], 3);
                let body = unindented_lines(&lines[at + 1..at + count], 3);
                if line == "::" {
                    let text = body.join("\n");
                    marks.push(open_mark("code"));
                    text.chars().for_each(|c| push_sign(marks, c));
                    marks.push(close_mark("code"));
                } else {
                    read_inside("quote", &body, marks)?;
                }
                count
            }
            Kind::Table => {
                let count = 1 + count_indented_lines(&lines[at + 1..], 3);
                read_inline(line[".. list-table::".len()..].trim_start(), marks)?;
                read_list_table(&unindented_lines(&lines[at + 1..at + count], 3), marks)?;
                count
            }
            Kind::Rubric => {
                marks.push(open_mark("rubric"));
                read_inline(&line[".. rubric:: ".len()..], marks)?;
                1
            }
            Kind::Row => {
                marks.push(open_mark("line"));
                read_inline(line[1..].trim_start(), marks)?;
                1
            }
            Kind::Text => {
                let below = lines.get(at + 1).copied().unwrap_or_default();
                if below.len() >= 4
                    && below
                        .bytes()
                        .all(|b| b == below.as_bytes()[0] && b.is_ascii_punctuation())
                {
                    if !titled || below.len() < line.width() {
                        return Err(format!("the title {line:?}"));
                    }
                    marks.push(open_mark("title"));
                    read_inline(line, marks)?;
                    2
                } else {
                    marks.push(open_mark("p"));
                    read_inline(line, marks)?;
                    1
                }
            }
            Kind::Other => return Err(format!("{line:?} begins a block")),
        };
        apart = lines[at - 1].trim().is_empty();
    }
    Ok(())
}

fn read_inside(name: &str, lines: &[&str], marks: &mut Vec<Mark>) -> Result<(), String> {
    marks.push(open_mark(name));
    read_blocks(lines, false, marks)?;
    marks.push(close_mark(name));
    Ok(())
}

enum Kind {
    Item(usize),
    Quote,
    Code,
    Table,
    Rubric,
    Row,
    Text,
    Other,
}

impl Kind {
    fn of(line: &str) -> Kind {
        let word = line.split(' ').next().unwrap_or_default();
        let number = word.strip_suffix(['.', ')']).unwrap_or_default();
        let roman = |c: char| "ivxlcdmIVXLCDM".contains(c);
        if line.bytes().all(|byte| byte == b'\\') {
            Kind::Other
        } else if line == ".." {
            Kind::Quote
        } else if line == "::" {
            Kind::Code
        } else if line.starts_with(".. list-table::") {
            Kind::Table
        } else if line.starts_with(".. rubric:: ") {
            Kind::Rubric
        } else if word == "-" || word == "*" {
            Kind::Item(2)
        } else if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            Kind::Item(word.len() + 1)
        } else if word == "|" {
            Kind::Row
        } else if !number.is_empty()
            && (number.chars().all(roman)
                || number.chars().all(char::is_alphanumeric) && number.len() == 1)
        {
            Kind::Other
        } else if line.starts_with(['\\', '*', '`'])
            || !line.starts_with(|c: char| c.is_ascii_punctuation() || "•‣⁃ ".contains(c))
        {
            Kind::Text
        } else {
            Kind::Other
        }
    }
}

/// Returns the number of lines of an indented block.
fn count_indented_lines(lines: &[&str], width: usize) -> usize {
    let indent = " ".repeat(width);
    lines
        .iter()
        .take_while(|line| line.trim().is_empty() || line.starts_with(&indent))
        .count()
}

fn unindented_lines<'a>(lines: &[&'a str], width: usize) -> Vec<&'a str> {
    lines
        .iter()
        .map(|line| line.get(width..).unwrap_or_default())
        .collect()
}

fn read_list_table(lines: &[&str], marks: &mut Vec<Mark>) -> Result<(), String> {
    let mut at = lines
        .iter()
        .take_while(|line| line.starts_with(':'))
        .count();
    marks.push(open_mark("table"));
    let mut cells = Vec::new();
    while at < lines.len() {
        let line = lines[at];
        if line.trim().is_empty() {
            at += 1;
            continue;
        }
        match line.get(..3) {
            Some("* -") => cells.push(0),
            Some("  -") => {}
            _ => return Err(format!("{line:?} in a table")),
        }
        *cells.last_mut().ok_or("a cell without a row")? += 1;
        let count = 1 + count_indented_lines(&lines[at + 1..], 4);
        read_inside("cell", &unindented_lines(&lines[at..at + count], 4), marks)?;
        at += count;
    }
    let uneven = cells.iter().any(|count| *count != cells[0]);
    marks.push(close_mark("table"));
    if cells.is_empty() || uneven {
        Err(format!("rows of {cells:?} cells"))
    } else {
        Ok(())
    }
}

fn read_inline(text: &str, marks: &mut Vec<Mark>) -> Result<(), String> {
    if text.trim() != text {
        return Err(format!("blanks around {text:?}"));
    }
    if text.ends_with("::") && !text.ends_with("\\::") {
        return Err(format!("{text:?} begins a literal block"));
    }
    let mut stack: Option<&str> = None;
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let inside = &rest[c.len_utf8()..];
        if c == '\\' {
            let next = inside.chars().next().ok_or("a bare backslash")?;
            if next != ' ' {
                push_sign(marks, next);
            }
            before = if next == ' ' { ' ' } else { next };
            rest = &inside[next.len_utf8()..];
            continue;
        }
        let mark = ["**", "*", "``"]
            .into_iter()
            .find(|mark| rest.starts_with(mark));
        if let Some(mark) = mark {
            let after = &rest[mark.len()..];
            if mark == "``" {
                let end = after
                    .find("``")
                    .filter(|end| *end > 0)
                    .ok_or("a literal without its end")?;
                after[..end].chars().for_each(|c| push_sign(marks, c));
                rest = &after[end + 2..];
            } else if stack == Some(mark) {
                (stack, rest) = (None, after);
                marks.push(close_mark(mark));
            } else if stack.is_none() && before == ' ' && after.starts_with(|c: char| c != ' ') {
                (stack, rest) = (Some(mark), after);
                marks.push(open_mark(mark));
                continue;
            } else {
                return Err(format!("{mark} in {text:?}"));
            }
            let parted = rest.is_empty() || rest.starts_with(' ') || rest.starts_with("\\ ");
            if stack.is_none() && !parted {
                return Err(format!("{mark} before {rest:?}"));
            }
            before = 'x';
            continue;
        }
        let next = inside.chars().next();
        let is_read = match c {
            ':' => next.is_some_and(|next| next.is_alphanumeric() || ":/`".contains(next)),
            _ => "`|_@<>[]".contains(c),
        };
        if is_read {
            return Err(format!("a bare {c} in {text:?}"));
        }
        push_sign(marks, c);
        (before, rest) = (c, inside);
    }
    if stack.is_none() {
        Ok(())
    } else {
        Err(format!("{stack:?} is open in {text:?}"))
    }
}
