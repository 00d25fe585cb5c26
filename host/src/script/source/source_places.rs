//! Finds the places of the keys of a script's table in its source.
//!
//! The places are looked up only for a report: the machine that runs scripts keeps lines, not columns.

use std::collections::BTreeMap;
use std::sync::Arc;

use full_moon::LuaVersion;
use full_moon::ast::{
    Ast, Call, Expression, Field, FunctionArgs, LastStmt, Suffix, TableConstructor,
};
use full_moon::tokenizer::TokenType;

use super::script_compiler::script_compiler;
use crate::diag::{Diagnostic, Position, Source, Span};

/// Bytes of a line with an error that are read for its column.
const LINE: usize = 1_000;

/// Places of keys and values by path, such as `keys.size` or `syntax[2]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The table itself.
    pub(crate) whole: Option<Span>,
    /// Key and value by path.
    pub(crate) entries: BTreeMap<String, (Span, Span)>,
}

/// Returns the places in the table that a script returns. A script that cannot be read has none.
pub(crate) fn table_places(source: &Source) -> Places {
    let mut places = Places::default();
    let parsed = full_moon::parse_fallible(parsable_text(source), LuaVersion::luau());
    if let Some(table) = returned_table(parsed.ast()) {
        places.whole = span_of(table);
        add_table_places(table, "", &mut places);
    }
    places
}

/// Returns the place where a script returns its definition: the `return` after all its functions.
///
/// The script is parsed only if several lines begin with `return`, or none.
pub(crate) fn return_position(source: &Source) -> Option<usize> {
    let text = source.text();
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let begins = |at: &usize| {
        let rest = text[*at..].strip_prefix("return");
        rest.is_some_and(|rest| {
            !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })
    };
    let first = starts.by_ref().find(begins);
    if first.is_some() && !starts.any(|at| begins(&at)) {
        return first;
    }
    let parsed = full_moon::parse_fallible(parsable_text(source), LuaVersion::luau());
    let LastStmt::Return(last) = parsed.ast().nodes().last_stmt()? else {
        return None;
    };
    Some(last.token().start_position().bytes())
}

/// Returns the syntax errors of a script with their columns.
pub(crate) fn syntax_errors(source: &Arc<Source>) -> Vec<Diagnostic> {
    let text = parsable_text(source);
    let result = full_moon::parse_fallible(text, LuaVersion::luau());
    let errors = result.errors().iter().map(|error| {
        let (start, end) = error.range();
        Diagnostic::error("script/syntax", error.error_message().into_owned()).at(
            source,
            Span::new(start.bytes(), end.bytes().max(start.bytes() + 1)),
        )
    });
    // If the text was cut short, its end is not a mistake of the author.
    let is_cut = text.len() < source.text().len();
    let end = text.trim_end().len();
    errors
        .filter(|error| {
            !is_cut
                || error
                    .place
                    .as_ref()
                    .is_none_or(|place| place.span.start < end)
        })
        .collect()
}

/// Returns the part of a script that the finding parser may read.
///
/// The parser calls itself for each level of nesting, without a limit of its own. The compiler has a limit, so the
/// parser gets only the accepted part. This is all of a script that compiles, otherwise the text up to the line of the
/// first error.
pub(crate) fn parsable_text(source: &Source) -> &str {
    let text = source.text();
    let Err(error) = script_compiler().compile(text) else {
        return text;
    };
    let error = error.to_string();
    let (line, message) = line_and_message(&error);
    let line = Position { line, column: 1 };
    let start = source.offset(line);
    if message.contains("recursion depth") {
        return &text[..start];
    }
    let rest = text[start..]
        .split_inclusive('\n')
        .next()
        .unwrap_or_default();
    if rest.len() <= LINE {
        &text[..start + rest.len()]
    } else {
        &text[..start]
    }
}

/// Splits `…12: message` of the compiler into line and message.
pub(crate) fn line_and_message(text: &str) -> (usize, &str) {
    let parts = text.match_indices(": ");
    let found = parts.filter_map(|(at, _)| {
        let head = &text[..at];
        let digits = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        Some((head[at - digits..].parse().ok()?, &text[at + 2..]))
    });
    found.into_iter().next().unwrap_or((1, text))
}

fn returned_table(ast: &Ast) -> Option<&TableConstructor> {
    let LastStmt::Return(returned) = ast.nodes().last_stmt()? else {
        return None;
    };
    match returned.returns().iter().next()? {
        Expression::TableConstructor(table) => Some(table),
        Expression::FunctionCall(call) => call.suffixes().find_map(call_table),
        _ => None,
    }
}

/// Returns the table that a function is called with.
fn call_table(suffix: &Suffix) -> Option<&TableConstructor> {
    let Suffix::Call(Call::AnonymousCall(arguments)) = suffix else {
        return None;
    };
    match &**arguments {
        FunctionArgs::TableConstructor(table) => Some(table),
        FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().next()? {
            Expression::TableConstructor(table) => Some(table),
            _ => None,
        },
        _ => None,
    }
}

fn add_table_places(table: &TableConstructor, path: &str, places: &mut Places) {
    let mut index = 0;
    for field in table.fields() {
        let (key, key_span, value) = match field {
            Field::NameKey { key, value, .. } => {
                let name = key.token().to_string();
                let start = key.token().start_position().bytes();
                (
                    join_path(path, &name),
                    Some(Span::new(start, start + name.len())),
                    &**value,
                )
            }
            Field::ExpressionKey { key, value, .. } => {
                let Some(name) = key_text(key) else { continue };
                (join_path(path, &name), span_of(&**key), &**value)
            }
            Field::NoKey(value) => {
                index += 1;
                (format!("{path}[{index}]"), None, value)
            }
            _ => continue,
        };
        let Some(value_span) = span_of(value) else {
            continue;
        };
        places
            .entries
            .insert(key.clone(), (key_span.unwrap_or(value_span), value_span));
        if let Expression::TableConstructor(inner) = value {
            add_table_places(inner, &key, places);
        }
    }
}

fn join_path(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn key_text(expression: &Expression) -> Option<String> {
    let Expression::String(token) = expression else {
        return None;
    };
    match token.token().token_type() {
        TokenType::StringLiteral { literal, .. } => Some(literal.to_string()),
        _ => None,
    }
}

fn span_of(node: &impl full_moon::node::Node) -> Option<Span> {
    let start = node.start_position()?.bytes();
    Some(Span::new(start, node.end_position()?.bytes().max(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_stands_where_the_file_returns_it() {
        for (text, line) in [
            ("return {}", 1),
            (
                "-- return\nlocal returned = 1\nreturn plan {\n  run = function()\n    return 1\n  end,\n}\n",
                3,
            ),
            (
                "local function f()\nreturn 1\nend\nreturn { f = f,\n  text = [[\nreturn 2\n]] }\n",
                4,
            ),
            ("local made = {}\n  return made -- return\n", 2),
        ] {
            let source = Source::new("x.luau", text);
            let at = return_position(&source).unwrap();
            assert_eq!(source.position(at).line, line, "{text}");
            assert!(text[at..].starts_with("return"), "{text}");
        }
        assert_eq!(
            return_position(&Source::new("x.luau", "local made = {}")),
            None
        );
    }
}
