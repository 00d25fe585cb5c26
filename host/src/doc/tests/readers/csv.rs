//! Reads CSV after RFC 4180, and refuses cells that a spreadsheet would run.

use super::{Mark, Read, close_mark, open_mark};

/// Reads a file.
pub(in crate::doc) fn csv(text: &str) -> Read {
    let mut marks = Vec::new();
    for record in read_records(text)? {
        marks.push(open_mark("record"));
        for cell in record {
            let lines: Vec<String> = cell
                .split('\n')
                .map(line_without_quote)
                .collect::<Result<_, _>>()?;
            marks.extend([
                open_mark("cell"),
                Mark::Text(lines.join("\n")),
                close_mark("cell"),
            ]);
        }
        marks.push(close_mark("record"));
    }
    Ok(marks)
}

/// Returns the cells of each record.
pub(in crate::doc) fn read_records(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(inside) => read_quoted_cell(inside)?,
            None => {
                let end = rest
                    .find([',', '\r', '\n'])
                    .ok_or("a record without its end")?;
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        if cell.contains('"') && !rest.starts_with('"') {
            return Err(format!("a bare quote in {cell:?}"));
        }
        record.push(cell);
        if let Some(after) = after.strip_prefix(',') {
            rest = after;
            if rest.is_empty() {
                return Err("a record without its end".to_owned());
            }
        } else {
            rest = after
                .strip_prefix("\r\n")
                .ok_or_else(|| format!("{after:?} behind a cell"))?;
            records.push(std::mem::take(&mut record));
        }
    }
    Ok(records)
}

fn read_quoted_cell(text: &str) -> Result<(String, &str), String> {
    let mut cell = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"').ok_or("a cell without its end")?;
        cell.push_str(part);
        let Some(after) = after.strip_prefix('"') else {
            return Ok((cell, after));
        };
        cell.push('"');
        rest = after;
    }
}

/// Returns a line of a cell without the `'` that protects it. Errors: a spreadsheet would run the line.
fn line_without_quote(line: &str) -> Result<String, String> {
    let runs = |text: &str| {
        let start = text.trim_start_matches(|c: char| c.is_whitespace() || "\"'".contains(c));
        let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r'];
        start.starts_with(signs) && !is_number(text) && text != "-"
    };
    match line.strip_prefix('\'').filter(|inner| runs(inner)) {
        Some(inner) => Ok(inner.to_owned()),
        None if runs(line) && !line.starts_with('\'') => Err(format!("{line:?} would be run")),
        None => Ok(line.to_owned()),
    }
}

/// Returns whether a text is digits with one sign in front at most, and digits after a point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits.split('.').count() <= 2 && digits.split('.').all(is_part)
}
