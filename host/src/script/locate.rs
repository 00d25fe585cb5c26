//! This module finds where the keys of a script's table stand in its source.
//!
//! It is asked only when there is something to report: the machine that runs scripts keeps lines, not columns.

use std::collections::BTreeMap;

use full_moon::LuaVersion;
use full_moon::ast::{
    Ast, Call, Expression, Field, FunctionArgs, LastStmt, Suffix, TableConstructor,
};
use full_moon::tokenizer::TokenType;

use crate::diag::{Diagnostic, Source, Span};
use std::sync::Arc;

/// Places of keys and values by path, such as `keys.size` or `syntax[2]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The table itself.
    pub(crate) whole: Option<Span>,
    /// Key and value by path.
    pub(crate) entries: BTreeMap<String, (Span, Span)>,
}

/// Returns the places in the table that a script returns; a script that cannot be read has none.
pub(crate) fn places(source: &Source) -> Places {
    let mut places = Places::default();
    let parsed = full_moon::parse_fallible(source.text(), LuaVersion::luau());
    if let Some(table) = returned_table(parsed.ast()) {
        places.whole = span_of(table);
        walk(table, "", &mut places);
    }
    places
}

/// Returns the syntax errors of a script with their columns.
pub(crate) fn syntax_errors(source: &Arc<Source>) -> Vec<Diagnostic> {
    let result = full_moon::parse_fallible(source.text(), LuaVersion::luau());
    let errors = result.errors().iter().map(|error| {
        let (start, end) = error.range();
        Diagnostic::error("script/syntax", error.error_message().into_owned()).at(
            source,
            Span::new(start.bytes(), end.bytes().max(start.bytes() + 1)),
        )
    });
    errors.collect()
}

fn returned_table(ast: &Ast) -> Option<&TableConstructor> {
    let LastStmt::Return(returned) = ast.nodes().last_stmt()? else {
        return None;
    };
    match returned.returns().iter().next()? {
        Expression::TableConstructor(table) => Some(table),
        Expression::FunctionCall(call) => call.suffixes().find_map(called_with),
        _ => None,
    }
}

/// Returns the table that a function is called with.
fn called_with(suffix: &Suffix) -> Option<&TableConstructor> {
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

fn walk(table: &TableConstructor, path: &str, places: &mut Places) {
    let mut index = 0;
    for field in table.fields() {
        let (key, key_span, value) = match field {
            Field::NameKey { key, value, .. } => {
                let name = key.token().to_string();
                let start = key.token().start_position().bytes();
                (
                    joined(path, &name),
                    Some(Span::new(start, start + name.len())),
                    &**value,
                )
            }
            Field::ExpressionKey { key, value, .. } => {
                let Some(name) = text_of(key) else { continue };
                (joined(path, &name), span_of(&**key), &**value)
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
            walk(inner, &key, places);
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn text_of(expression: &Expression) -> Option<String> {
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
