//! Finds the literals about records in the text of a script. These are tables of modifiers and of ends, names of kinds,
//! queues and stats, and audiences.

use std::sync::Arc;

use full_moon::LuaVersion;
use full_moon::ast::{
    Call, Expression, Field, FunctionArgs, FunctionCall, LastStmt, Prefix, Return, Suffix,
    TableConstructor, UnOp,
};
use full_moon::tokenizer::{TokenReference, TokenType};
use full_moon::visitors::Visitor;

use crate::diag::{Source, Span};
use crate::script::former_names;
use crate::script::source::source_places::parsable_text;
use crate::value::{Number, Value};

/// The key of the duration of a record.
const DURATION: &str = "duration";

/// The use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A kind of a row that is created.
    Made,
    /// A kind that is looked for.
    Sought,
    /// A queue that gets an entry.
    Filled,
    /// A queue that is emptied, or looked at.
    Drained,
    /// A stat that a modifier changes.
    Stat,
}

/// A key of a table literal, with the value if it is known.
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_at: Span,
    pub(crate) at: Span,
    pub(crate) value: Option<Value>,
}

/// One table of a list of modifiers or ends.
pub(crate) struct Item {
    pub(crate) source: Arc<Source>,
    pub(crate) span: Span,
    pub(crate) entries: Vec<Entry>,
    /// Whether it is an option of `act:attach`: elsewhere the word may be the ruleset's own.
    pub(crate) is_option: bool,
}

/// The literals of a script.
pub(crate) struct Script {
    source: Arc<Source>,
    /// The places of functions that return ends.
    returning: Vec<Span>,
    pub(crate) modifiers: Vec<Item>,
    pub(crate) ends: Vec<Item>,
    pub(crate) names: Vec<(Role, String, Arc<Source>, Span)>,
    /// Texts in the place of an audience.
    pub(crate) audiences: Vec<(String, Arc<Source>, Span)>,
}

impl Script {
    /// Reads a script. One that does not compile has other findings.
    pub(crate) fn read(source: &Arc<Source>) -> Script {
        let mut script = Script {
            source: Arc::clone(source),
            returning: Vec::new(),
            modifiers: Vec::new(),
            ends: Vec::new(),
            names: Vec::new(),
            audiences: Vec::new(),
        };
        let parsed = full_moon::parse_fallible(parsable_text(source), LuaVersion::luau());
        if parsed.errors().is_empty() {
            script.visit_ast(parsed.ast());
        }
        script
    }

    fn note_name(&mut self, role: Role, expression: Option<&Expression>) {
        let text = expression.and_then(|one| Some((literal_value(one)?, span_of(one)?)));
        if let Some((Value::Text(name), span)) = text {
            let source = Arc::clone(&self.source);
            self.names.push((role, name.to_string(), source, span));
        }
    }

    fn note_audience(&mut self, expression: Option<&Expression>) {
        let text = expression.and_then(|one| Some((literal_value(one)?, span_of(one)?)));
        if let Some((Value::Text(name), span)) = text {
            let source = Arc::clone(&self.source);
            self.audiences.push((name.to_string(), source, span));
        }
    }

    /// Takes the value of a key `modifiers` or `duration`.
    fn take_listed_value(&mut self, key: &str, value: &Expression, is_option: bool) {
        match value {
            Expression::TableConstructor(table) => {
                let source = Arc::clone(&self.source);
                self.keep_new_items(key, items_of_table(&source, table, is_option));
            }
            Expression::Function(function) if key == DURATION => {
                self.returning.extend(span_of(function.body().block()));
            }
            _ => {}
        }
    }

    /// Keeps tables that are not known yet: options are visited before the tables in them.
    fn keep_new_items(&mut self, key: &str, mut items: Vec<Item>) {
        let kept = match key {
            "modifiers" => &mut self.modifiers,
            _ => &mut self.ends,
        };
        items.retain(|item| kept.iter().all(|one| one.span != item.span));
        kept.extend(items);
    }

    fn read_options(&mut self, options: Option<&Expression>) {
        if let Some(Expression::TableConstructor(table)) = options {
            for (key, _, value) in named_entries(table) {
                let key = former_names::present_option(&key);
                if key == "modifiers" || key == DURATION {
                    self.take_listed_value(key, value, true);
                }
            }
        }
    }
}

impl Visitor for Script {
    fn visit_return(&mut self, last: &Return) {
        let Some(Expression::TableConstructor(table)) = last.returns().iter().next() else {
            return;
        };
        let source = Arc::clone(&self.source);
        let at = last.token().token().start_position().bytes();
        let mut functions = self.returning.iter();
        if functions.any(|body| (body.start..=body.end).contains(&at)) {
            self.keep_new_items(DURATION, items_of_table(&source, table, false));
        }
    }

    fn visit_table_constructor(&mut self, table: &TableConstructor) {
        for (key, _, value) in named_entries(table) {
            match (former_names::present_option(&key), value) {
                (key @ ("modifiers" | DURATION), value) => {
                    self.take_listed_value(key, value, false);
                }
                ("aura", Expression::TableConstructor(over)) => {
                    let kind = named_entries(over)
                        .into_iter()
                        .find(|(key, ..)| key == "kind");
                    self.note_name(Role::Sought, kind.map(|(_, _, kind)| kind));
                }
                ("stat", value) => self.note_name(Role::Stat, Some(value)),
                ("visible_to" | "audience", value) => self.note_audience(Some(value)),
                _ => {}
            }
        }
    }

    fn visit_function_call(&mut self, call: &FunctionCall) {
        let of_act = |name: &TokenReference| token_text(name) == "act";
        if !matches!(call.prefix(), Prefix::Name(name) if of_act(name)) {
            return;
        }
        for suffix in call.suffixes() {
            let Suffix::Call(Call::MethodCall(method)) = suffix else {
                continue;
            };
            let name = method.name().token().to_string();
            let name = former_names::present_method(&name).map_or(name, str::to_owned);
            if let ("find", FunctionArgs::TableConstructor(table)) = (&*name, method.args()) {
                self.note_sought_kind(table);
            }
            let FunctionArgs::Parentheses { arguments, .. } = method.args() else {
                continue;
            };
            let argument = |at: usize| arguments.iter().nth(at);
            match &*name {
                "attach" => {
                    self.note_name(Role::Made, argument(1));
                    self.read_options(argument(3));
                }
                "create" => self.note_name(Role::Made, argument(0)),
                "say" => self.note_audience(argument(0)),
                "done" | "may_see" => self.note_audience(argument(2)),
                "roll" | "roll_tree" | "roll_faces" => self.note_audience(argument(3)),
                "enqueue" => self.note_name(Role::Filled, argument(0)),
                "drain" | "queued" => self.note_name(Role::Drained, argument(0)),
                "find" => {
                    if let Some(Expression::TableConstructor(table)) = argument(0) {
                        self.note_sought_kind(table);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Script {
    fn note_sought_kind(&mut self, filter: &TableConstructor) {
        let kind = named_entries(filter)
            .into_iter()
            .find(|(key, ..)| key == "kind");
        self.note_name(Role::Sought, kind.map(|(_, _, kind)| kind));
    }
}

/// Returns the literals in the table that a script returns, or that it passes to a function to return the result. These
/// are the keys with known values. A text with an error has none.
pub(super) fn returned_literals(source: &Source) -> Vec<(String, Value)> {
    let parsed = full_moon::parse_fallible(parsable_text(source), LuaVersion::luau());
    let last = match parsed.ast().nodes().last_stmt() {
        Some(LastStmt::Return(last)) if parsed.errors().is_empty() => last,
        _ => return Vec::new(),
    };
    let table = last
        .returns()
        .iter()
        .next()
        .and_then(table_or_call_argument);
    let entries = table.into_iter().flat_map(named_entries);
    entries
        .filter_map(|(key, _, value)| Some((key, literal_value(value)?)))
        .collect()
}

/// Returns the table that an expression is, or the table argument of its call.
fn table_or_call_argument(expression: &Expression) -> Option<&TableConstructor> {
    let call = match expression {
        Expression::TableConstructor(table) => return Some(table),
        Expression::FunctionCall(call) => call,
        _ => return None,
    };
    call.suffixes().find_map(|suffix| match suffix {
        Suffix::Call(Call::AnonymousCall(arguments)) => match &**arguments {
            FunctionArgs::TableConstructor(table) => Some(&**table),
            FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().next() {
                Some(Expression::TableConstructor(table)) => Some(&**table),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// Returns the tables of a list, or the one table if there is no list.
fn items_of_table(source: &Arc<Source>, table: &TableConstructor, is_option: bool) -> Vec<Item> {
    let mut inner = table.fields().iter().filter_map(|field| match field {
        Field::NoKey(Expression::TableConstructor(inner)) => Some(&**inner),
        _ => None,
    });
    let one = |table: &TableConstructor| {
        let entries = named_entries(table).into_iter();
        let entries = entries.map(|(key, key_at, value)| Entry {
            key,
            key_at,
            at: span_of(value).unwrap_or(key_at),
            value: literal_value(value),
        });
        Some(Item {
            source: Arc::clone(source),
            span: span_of(table)?,
            entries: entries.collect(),
            is_option,
        })
    };
    match inner.next() {
        Some(first) => std::iter::once(first)
            .chain(inner)
            .filter_map(one)
            .collect(),
        None => one(table)
            .into_iter()
            .filter(|one| !one.entries.is_empty())
            .collect(),
    }
}

/// Returns the entries of a table that have a name for a key.
fn named_entries(table: &TableConstructor) -> Vec<(String, Span, &Expression)> {
    let entries = table.fields().iter().filter_map(|field| match field {
        Field::NameKey { key, value, .. } => Some((token_text(key), span_of(key)?, &**value)),
        Field::ExpressionKey { key, value, .. } => match literal_value(key)? {
            Value::Text(name) => Some((name.to_string(), span_of(&**key)?, &**value)),
            _ => None,
        },
        _ => None,
    });
    entries.collect()
}

fn token_text(token: &TokenReference) -> String {
    token.token().to_string()
}

/// Returns the value of a literal expression. Returns nothing if the value is computed.
fn literal_value(expression: &Expression) -> Option<Value> {
    match expression {
        Expression::String(token) => match token.token().token_type() {
            TokenType::StringLiteral { literal, .. } if !literal.contains('\\') => {
                Some(Value::from(literal.as_str()))
            }
            _ => None,
        },
        Expression::Number(token) => parse_number(&token_text(token)),
        Expression::UnaryOperator {
            unop: UnOp::Minus(_),
            expression,
        } => match &**expression {
            Expression::Number(token) => parse_number(&format!("-{}", token_text(token))),
            _ => None,
        },
        Expression::Symbol(token) => match &*token_text(token) {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Expression::TableConstructor(table) => {
            let entries = named_entries(table);
            let is_map = entries.len() == table.fields().len();
            let known = entries.into_iter();
            let known = known.map(|(key, _, value)| Some((key, literal_value(value)?)));
            let known: Option<Vec<(String, Value)>> = known.collect();
            let known = known.filter(|_| is_map)?.into_iter();
            Some(Value::map(
                known
                    .map(|(key, value)| (key.as_str().into(), value))
                    .collect::<Vec<(crate::value::Text, Value)>>(),
            ))
        }
        Expression::TypeAssertion { expression, .. } => literal_value(expression),
        _ => None,
    }
}

fn parse_number(text: &str) -> Option<Value> {
    text.parse::<Number>().ok().map(Value::Number)
}

fn span_of(node: &impl full_moon::node::Node) -> Option<Span> {
    let start = node.start_position()?.bytes();
    Some(Span::new(start, node.end_position()?.bytes().max(start)))
}
