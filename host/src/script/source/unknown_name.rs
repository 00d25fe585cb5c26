//! Adds the unknown name to an error of the machine that a call or index had no value.
//!
//! In: an error of a script with its place. Out: the same error with the name, and with near names, if the line shows
//! the name; else the error as it was.

use mlua::{Table, Value};

use super::api_declarations::declared_group;
use crate::diag::{Diagnostic, Span, near_hint};
use crate::script::former_names::present_global;

/// Returns an error with the unknown name that caused it.
pub(crate) fn add_unknown_name(finding: Diagnostic, globals: &Table) -> Diagnostic {
    let found = match &*finding.code {
        "script/error" => find_unknown_name(&finding, globals),
        _ => None,
    };
    let Some(Unknown {
        message,
        near,
        span,
    }) = found
    else {
        return finding;
    };
    let source = finding.place.as_ref().map(|place| place.source.clone());
    let finding = Diagnostic { message, ..finding }.hint(near);
    match source {
        Some(source) => finding.at(&source, span),
        None => finding,
    }
}

struct Unknown {
    message: String,
    near: String,
    span: Span,
}

fn find_unknown_name(finding: &Diagnostic, globals: &Table) -> Option<Unknown> {
    let place = finding.place.as_ref()?;
    let line = place.source.slice(place.span);
    let quoted = finding.message.split('\'').nth(1);
    let found = if finding
        .message
        .starts_with("attempt to call missing method")
    {
        find_missing_method(line, quoted?, &finding.message, globals)
    } else if finding.message.starts_with("attempt to call a nil value") {
        calls_in_line(line)
            .find_map(|call| find_missing_function(&call, globals))
            .or_else(|| {
                calls_in_line(line)
                    .find_map(|call| find_unknown_global(&call, place.source.text(), globals))
            })
    } else if finding.message.starts_with("attempt to index nil with") {
        find_indexed_nil(line, quoted?, globals)
    } else {
        None
    }?;
    let start = place.span.start + found.at;
    Some(Unknown {
        span: Span::new(start, start + found.length),
        message: found.message,
        near: found.near,
    })
}

/// An unknown name in a line.
struct Found {
    at: usize,
    length: usize,
    message: String,
    near: String,
}

impl Found {
    /// Returns the finding about a name, with the near names.
    fn new(at: usize, name: &str, message: String, mut known: Vec<String>) -> Found {
        known.sort();
        known.dedup();
        Found {
            at,
            length: name.len(),
            message,
            near: near_hint(name, known.iter().map(String::as_str)),
        }
    }
}

/// Finds the method that does not exist.
fn find_missing_method(line: &str, name: &str, message: &str, globals: &Table) -> Option<Found> {
    let colon = line.match_indices(name).find(|(at, _)| {
        let before = line[..*at].trim_end();
        before.ends_with(':') && !begins_with_name(&line[at + name.len()..])
    });
    let (at, _) = colon?;
    let before = line[..at].trim_end().trim_end_matches(':').trim_end();
    let receiver = last_name(before).unwrap_or_default();
    let (whose, known) = if message.ends_with("of string") {
        let texts: Table = globals.raw_get("string").ok()?;
        ("a text".to_owned(), text_keys(&texts))
    } else if receiver == "act" {
        ("`act`".to_owned(), group_functions("Act"))
    } else {
        // A table may be anything: only values that the host makes are known by their type.
        let kind = message.rsplit(" of ").next().unwrap_or_default();
        (quote_receiver(receiver), group_functions(kind))
    };
    Some(Found::new(
        at,
        name,
        format!("{whose} has no method `{name}`"),
        known,
    ))
}

fn quote_receiver(receiver: &str) -> String {
    if receiver.is_empty() {
        "this".to_owned()
    } else {
        format!("`{receiver}`")
    }
}

/// Finds the function that its table does not have.
fn find_missing_function(call: &Call<'_>, globals: &Table) -> Option<Found> {
    let table = call.table?;
    let functions: Table = globals.raw_get(table).ok()?;
    if has_key(&functions, call.name) {
        return None;
    }
    let present = present_global(table).unwrap_or(table);
    let message = format!("`{present}` has no function `{}`", call.name);
    Some(Found::new(
        call.at,
        call.name,
        message,
        text_keys(&functions),
    ))
}

/// Finds the function that is not one of the globals, and that its text only calls: it is not a local.
fn find_unknown_global(call: &Call<'_>, text: &str, globals: &Table) -> Option<Found> {
    let is_call = |(at, name): (usize, &str)| {
        let is_part = begins_with_name(&text[at + name.len()..]) || text[..at].ends_with(is_name);
        let is_declared = last_word(text[..at].trim_end()) == "function";
        is_part || (!is_declared && text[at + name.len()..].starts_with('('))
    };
    let is_found = call.table.is_none()
        && !has_key(globals, call.name)
        && call.name != "require"
        && text.match_indices(call.name).all(is_call);
    let message = || format!("there is no function `{}`", call.name);
    is_found.then(|| Found::new(call.at, call.name, message(), text_keys(globals)))
}

/// Finds the name before a key that holds nothing.
fn find_indexed_nil(line: &str, key: &str, globals: &Table) -> Option<Found> {
    line.match_indices(key).find_map(|(at, _)| {
        let before = line[..at].trim_end();
        let owner = before.strip_suffix(['.', ':'])?.trim_end();
        let name = last_name(owner)?;
        let start = owner.len() - name.len();
        let is_alone = !owner[..start].trim_end().ends_with(['.', ':']);
        let near: Vec<String> = text_keys(globals)
            .into_iter()
            .chain(["act".to_owned()])
            .collect();
        let found = Found::new(start, name, format!("there is no `{name}`"), near);
        (is_alone && !has_key(globals, name) && !found.near.is_empty()).then_some(found)
    })
}

/// A call in a line: `table.name(` or `name(`.
struct Call<'a> {
    at: usize,
    table: Option<&'a str>,
    name: &'a str,
}

fn calls_in_line(line: &str) -> impl Iterator<Item = Call<'_>> {
    line.match_indices('(').filter_map(|(end, _)| {
        let before = line[..end].trim_end();
        let name = last_name(before)?;
        let at = before.len() - name.len();
        let front = line[..at].trim_end();
        let table = front
            .strip_suffix('.')
            .map(|front| last_name(front.trim_end()));
        match table {
            None if front.ends_with(':') => None,
            None => Some(Call {
                at,
                table: None,
                name,
            }),
            Some(table) => Some(Call {
                at,
                table: Some(table?),
                name,
            }),
        }
    })
}

/// Returns the name that a text ends with.
fn last_name(text: &str) -> Option<&str> {
    let name = last_word(text);
    let begins = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    (begins && !KEYWORDS.contains(&name)).then_some(name)
}

fn last_word(text: &str) -> &str {
    &text[text.trim_end_matches(is_name).len()..]
}

const KEYWORDS: [&str; 15] = [
    "and", "do", "else", "elseif", "end", "for", "function", "if", "in", "local", "not", "or",
    "return", "then", "while",
];

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn begins_with_name(rest: &str) -> bool {
    rest.starts_with(is_name)
}

fn has_key(table: &Table, name: &str) -> bool {
    table
        .raw_get::<Value>(name)
        .is_ok_and(|value| !value.is_nil())
}

pub(crate) fn text_keys(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    // Keys that are not texts are not names.
    let _ = table.for_each(|key: Value, _: Value| {
        names.extend(key.as_string().map(|text| text.to_string_lossy()));
        Ok(())
    });
    names
}

pub(crate) fn group_functions(name: &str) -> Vec<String> {
    declared_group(name)
        .into_iter()
        .flat_map(|group| group.functions.iter().map(|one| one.name.clone()))
        .collect()
}
