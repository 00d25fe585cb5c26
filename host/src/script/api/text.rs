//! Texts as people read them: characters instead of bytes, lists in words.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table};

use super::{Library, refusal_error};
use crate::content::{NAME, Skeleton, check_name};
use crate::diag::{Diagnostic, near_hint};
use crate::script::border::argument_values::Texts;
use crate::script::border::stack_value::Argument;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::text::{fold_to_key as fold, lowercase_letters};
use crate::value::Value;
use crate::words::Hole;

/// Returns the table `text`.
pub(super) fn text_module_table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let library = Library::new(lua, host, "text")?
        .add("trim", trim)?
        .add("words", words)?
        .add("split", split)?
        .add("length", count_characters)?
        .add("lower", lower)?
        .add("upper", upper)?
        .add("capital", capitalize)?
        .add("listed", join_list)?
        .add("count", counted_word)?
        .add("in_language", text_in_language)?
        .add("name_fault", name_fault)?
        .add("alike", looks_alike)?
        .add("folded", fold_letters)?
        .add("letters", plain_letters)?
        .add("forum_name", forum_name)?
        .add("selector_fault", selector_fault)?;
    Ok(library.into_table())
}

/// Most bytes of a text.
pub(crate) const LONGEST: usize = 1 << 20;
/// Most parts of a text that is split.
pub(crate) const PARTS: usize = 100_000;

/// Bytes for a unit of fuel if a text is searched.
const LOOKED: usize = 24;
/// Bytes for a unit of fuel if a text is split.
const TAKEN_APART: usize = 16;
/// Bytes for a unit of fuel if each letter is replaced.
const LETTERS: usize = 4;
/// Bytes for a unit of fuel if each letter is compared with tables of letters.
const TABLES: usize = 1;
/// Fuel for a part of a text.
const PART: u64 = 15;

/// Charges for searching a text. Errors: it is too long.
pub(super) fn charge_text(host: &Host, text: &str) -> mlua::Result<()> {
    charge_text_by(host, text, LOOKED)
}

/// Charges a unit of fuel for each given number of bytes of a text. Errors: it is too long.
pub(super) fn charge_text_by(host: &Host, text: &str, bytes: usize) -> mlua::Result<()> {
    match text.len() {
        short if short < bytes => Ok(()),
        long if long <= LONGEST => host.charge((long / bytes) as u64),
        longer => Err(refusal_error(
            "limit/size",
            format!("a text may have {LONGEST} bytes at most, this one has {longer}"),
        )),
    }
}

fn trim(_: &Lua, host: &Host, subject: String) -> mlua::Result<String> {
    charge_text(host, &subject)?;
    Ok(subject.trim().to_owned())
}

fn words(_: &Lua, host: &Host, subject: String) -> mlua::Result<Vec<String>> {
    charge_text_by(host, &subject, TAKEN_APART)?;
    bounded_parts(host, subject.split_whitespace())
}

fn split(
    _: &Lua,
    host: &Host,
    (subject, separator): (String, String),
) -> mlua::Result<Vec<String>> {
    charge_text_by(host, &subject, TAKEN_APART)?;
    if separator.is_empty() {
        return Err(refusal_error(
            "script/argument",
            "`text.split` expects a separator that is not empty",
        ));
    }
    bounded_parts(host, subject.split(&separator))
}

/// Returns parts of a text as a list. Errors: `limit/size` for more than 100,000.
fn bounded_parts<'a>(
    host: &Host,
    parts: impl Iterator<Item = &'a str>,
) -> mlua::Result<Vec<String>> {
    let list: Vec<String> = parts.take(PARTS + 1).map(str::to_owned).collect();
    if list.len() > PARTS {
        let message = format!("a text may have {PARTS} parts at most");
        return Err(refusal_error("limit/size", message));
    }
    host.charge(PART * list.len() as u64)?;
    Ok(list)
}

fn count_characters(_: &Lua, host: &Host, subject: String) -> mlua::Result<usize> {
    charge_text(host, &subject)?;
    Ok(subject.chars().count())
}

fn lower(_: &Lua, host: &Host, subject: String) -> mlua::Result<String> {
    charge_text_by(host, &subject, LETTERS)?;
    Ok(subject.to_lowercase())
}

fn upper(_: &Lua, host: &Host, subject: String) -> mlua::Result<String> {
    charge_text_by(host, &subject, LETTERS)?;
    Ok(subject.to_uppercase())
}

fn capitalize(_: &Lua, host: &Host, subject: String) -> mlua::Result<String> {
    charge_text_by(host, &subject, TAKEN_APART)?;
    let mut letters = subject.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    Ok(first + letters.as_str())
}

fn join_list(
    _: &Lua,
    host: &Host,
    (Texts(items), last): (Texts, Option<String>),
) -> mlua::Result<String> {
    host.charge(PART / 2 * items.len() as u64)?;
    let last_word = last.unwrap_or_else(|| "and".to_owned());
    Ok(match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} {last_word} {last}", rest.join(", ")),
    })
}

/// Returns a text of the host in the language of the ruleset. Errors: the key is unknown; a hole has no value.
fn text_in_language(
    _: &Lua,
    host: &Host,
    (key, values): (String, Option<Argument>),
) -> mlua::Result<String> {
    charge_text(host, &key)?;
    let words = Arc::clone(&host.rules.borrow().words);
    let values = values.map_or(Value::Nil, |values| values.0);
    let wrong = |message: String, hint: String| {
        let finding = Diagnostic::error("script/argument", message).hint(hint);
        Err(HostError::error_of_finding(finding))
    };
    let Some(wanted) = words.holes(&key) else {
        let message = format!("the host has no text with the key \"{key}\"");
        return wrong(message, near_hint(&key, words.keys()));
    };
    let mut filled: Vec<(&str, String)> = Vec::new();
    for hole in wanted {
        match values.get(hole) {
            Value::Text(text) => filled.push((hole, text.to_string())),
            Value::Number(number) => filled.push((hole, number.to_string())),
            Value::Nil | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
                let message = format!("the text \"{key}\" needs a text or a number for {{{hole}}}");
                let hint = format!("write text.in_language(\"{key}\", {{ {hole} = … }})");
                return wrong(message, hint);
            }
        }
    }
    let holes: Vec<Hole<'_>> = filled
        .iter()
        .map(|(hole, value)| (*hole, value as &dyn std::fmt::Display))
        .collect();
    let text = words.fill(&key, &holes);
    charge_text(host, &text)?;
    Ok(text)
}

fn counted_word(
    _: &Lua,
    host: &Host,
    (number, one, many): (f64, String, Option<String>),
) -> mlua::Result<String> {
    host.charge(PART)?;
    let word = if number == 1.0 {
        one
    } else {
        many.unwrap_or_else(|| one + "s")
    };
    Ok(format!("{number} {word}"))
}

fn name_fault(
    _: &Lua,
    host: &Host,
    (name, most): (String, Option<f64>),
) -> mlua::Result<Option<String>> {
    charge_text_by(host, &name, LETTERS)?;
    let most = match most {
        None => NAME,
        Some(most) if most >= 1.0 && most.fract() == 0.0 => most.min(LONGEST as f64) as usize,
        Some(most) => {
            let message = format!("a name has a whole number of characters at most, not {most}");
            return Err(refusal_error("script/argument", message));
        }
    };
    Ok(check_name(&name, most).err().map(|fault| fault.to_string()))
}

fn looks_alike(_: &Lua, host: &Host, (one, other): (String, String)) -> mlua::Result<bool> {
    charge_text_by(host, &one, TABLES)?;
    charge_text_by(host, &other, TABLES)?;
    Ok(Skeleton::of_name(&one).looks_like(&Skeleton::of_name(&other)))
}

fn plain_letters(_: &Lua, host: &Host, subject: mlua::BorrowedStr) -> mlua::Result<String> {
    charge_text_by(host, &subject, TABLES)?;
    Ok(lowercase_letters(&subject))
}

fn forum_name(_: &Lua, host: &Host, subject: mlua::BorrowedStr) -> mlua::Result<String> {
    charge_text_by(host, &subject, TABLES)?;
    Ok(crate::thread::fold_name(&subject))
}

fn selector_fault(_: &Lua, host: &Host, selector: String) -> mlua::Result<Option<String>> {
    charge_text_by(host, &selector, LETTERS)?;
    Ok(crate::thread::selector_fault(&selector))
}

fn fold_letters(_: &Lua, host: &Host, subject: String) -> mlua::Result<String> {
    charge_text_by(host, &subject, TABLES)?;
    Ok(fold(&subject))
}
