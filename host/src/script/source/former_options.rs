//! Finds options and keys that a script writes by their former names: of `act:attach`, `act:create` and `poll.open`, of
//! modifiers, and of reports.
//!
//! Table literals are checked in calls, in lists, and where a name of the file is given as options. Options from
//! elsewhere, for example from a function, work too, without a warning.

use std::collections::BTreeMap;
use std::sync::Arc;

use full_moon::ast::{
    Assignment, Ast, Call, Expression, Field, FunctionArgs, FunctionCall, Index, LocalAssignment,
    Prefix, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;

use crate::diag::{Diagnostic, Source, Span};
use crate::script::former_names;

/// Methods of `act` that take options as their fourth argument.
const METHODS: [&str; 2] = ["attach", "create"];

/// Returns a warning for each key that has another name now.
pub(super) fn former_option_findings(source: &Arc<Source>, ast: &Ast) -> Vec<Diagnostic> {
    let mut search = Search {
        source,
        found: Vec::new(),
        options: BTreeMap::new(),
    };
    search.visit_ast(ast);
    let mut tables = NamedTables(std::mem::take(&mut search.options));
    if !tables.0.is_empty() {
        tables.visit_ast(ast);
    }
    for keys in tables.0.values() {
        search.warn_about_former_names(keys, former_names::present_option);
    }
    search.found
}

/// The keys that a file writes into the tables of some names, in literals and by assignments; by the name.
type KeysByName = BTreeMap<String, Vec<(String, Span)>>;

struct Search<'a> {
    source: &'a Arc<Source>,
    found: Vec<Diagnostic>,
    /// The names that calls give as options; without keys.
    options: KeysByName,
}

impl Search<'_> {
    fn warn_about_former_keys(&mut self, table: &TableConstructor, present: fn(&str) -> &str) {
        self.warn_about_former_names(&written_keys(table), present);
    }

    fn warn_about_former_names(&mut self, keys: &[(String, Span)], present: fn(&str) -> &str) {
        for (key, span) in keys {
            let now = present(key);
            // If a table has both names, no warning is given: a fix would make two equal keys.
            if now != key && keys.iter().all(|(other, _)| other != now) {
                let finding = Diagnostic::renamed_word_warning(self.source, *span, key, now);
                self.found.push(finding);
            }
        }
    }

    /// Checks an argument of a call, counted from 0, if it is a table literal or a name.
    fn warn_about_former_keys_of_argument(&mut self, given: &FunctionArgs, at: usize) {
        let FunctionArgs::Parentheses { arguments, .. } = given else {
            return;
        };
        match arguments.iter().nth(at) {
            Some(Expression::TableConstructor(options)) => {
                self.warn_about_former_keys(options, former_names::present_option);
            }
            Some(Expression::Var(Var::Name(name))) => {
                self.options.entry(token_text(name)).or_default();
            }
            _ => {}
        }
    }
}

impl Visitor for Search<'_> {
    fn visit_function_call(&mut self, call: &FunctionCall) {
        let suffixes: Vec<&Suffix> = call.suffixes().collect();
        let owner = match call.prefix() {
            Prefix::Name(name) => token_text(name),
            _ => String::new(),
        };
        match suffixes[..] {
            [Suffix::Call(Call::AnonymousCall(given))] if owner == "report" => {
                if let FunctionArgs::TableConstructor(said) = &**given {
                    self.warn_about_former_keys(said, former_names::present_report_key);
                }
            }
            [
                Suffix::Index(Index::Dot { name, .. }),
                Suffix::Call(Call::AnonymousCall(given)),
            ] if owner == "poll" && token_text(name) == "open" => {
                self.warn_about_former_keys_of_argument(given, 1);
            }
            [.., Suffix::Call(Call::MethodCall(method))] => {
                let before = suffixes.len().checked_sub(2).map(|at| suffixes[at]);
                let is_act = match before {
                    None => owner == "act",
                    Some(Suffix::Index(Index::Dot { name, .. })) => token_text(name) == "act",
                    Some(_) => false,
                };
                if is_act && METHODS.contains(&&*token_text(method.name())) {
                    self.warn_about_former_keys_of_argument(method.args(), 3);
                }
            }
            _ => {}
        }
    }

    /// A table with a `stat` and an `op` is a modifier.
    fn visit_table_constructor(&mut self, table: &TableConstructor) {
        let keys = written_keys(table);
        let has = |wanted: &str| keys.iter().any(|(key, _)| key == wanted);
        if has("stat") && has("op") {
            self.warn_about_former_keys(table, former_names::present_option);
        }
    }
}

/// Collects the keys of the tables of some names.
struct NamedTables(KeysByName);

impl NamedTables {
    /// Notes the keys of a table literal that a name stands for.
    fn note_table(&mut self, name: &TokenReference, value: &Expression) {
        if let Expression::TableConstructor(table) = value
            && let Some(keys) = self.0.get_mut(&token_text(name))
        {
            keys.extend(written_keys(table));
        }
    }
}

impl Visitor for NamedTables {
    fn visit_local_assignment(&mut self, assignment: &LocalAssignment) {
        let names = assignment.names().iter();
        for (name, value) in names.zip(assignment.expressions()) {
            self.note_table(name, value);
        }
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        for (place, value) in assignment.variables().iter().zip(assignment.expressions()) {
            match place {
                Var::Name(name) => self.note_table(name, value),
                Var::Expression(place) => {
                    let suffixes: Vec<&Suffix> = place.suffixes().collect();
                    if let (Prefix::Name(name), [Suffix::Index(index)]) =
                        (place.prefix(), &suffixes[..])
                        && let Some(keys) = self.0.get_mut(&token_text(name))
                    {
                        keys.extend(written_index(index));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the keys of a table literal, and their places.
fn written_keys(table: &TableConstructor) -> Vec<(String, Span)> {
    let keys = table.fields().iter().filter_map(|field| {
        let token = match field {
            Field::NameKey { key, .. } => key,
            Field::ExpressionKey { key, .. } => match &**key {
                Expression::String(text) => text,
                _ => return None,
            },
            _ => return None,
        };
        Some(key_of_token(token))
    });
    keys.collect()
}

/// Returns the key that an index writes as a name or as a text, and its place.
pub(super) fn written_index(index: &Index) -> Option<(String, Span)> {
    match index {
        Index::Dot { name, .. } => Some(key_of_token(name)),
        Index::Brackets { expression, .. } => match &**expression {
            Expression::String(text) => Some(key_of_token(text)),
            _ => None,
        },
        _ => None,
    }
}

fn key_of_token(token: &TokenReference) -> (String, Span) {
    let written = token_text(token);
    let start = token.token().start_position().bytes();
    let key = written.trim_matches(['"', '\'']).to_owned();
    (key, Span::new(start, start + written.len()))
}

fn token_text(token: &TokenReference) -> String {
    token.token().to_string()
}

#[cfg(test)]
mod tests {
    use full_moon::LuaVersion;

    use super::*;
    use crate::diag::apply_fixes;

    /// Returns a text with the present names in it.
    fn fixed(text: &str) -> String {
        let parsed = full_moon::parse_fallible(text, LuaVersion::luau());
        let found = former_option_findings(&Source::new("x.luau", text), parsed.ast());
        let fixes: Vec<_> = found.into_iter().filter_map(|one| one.fix).collect();
        apply_fixes(text, &fixes).0
    }

    #[test]
    fn each_former_name_is_written_as_the_present_one() {
        for (old, now) in [
            (
                "act:attach(a, 'b', {}, { ends = {}, seen = 'gm', guard = '1' })",
                "act:attach(a, 'b', {}, { duration = {}, visible_to = 'gm', only_if = '1' })",
            ),
            (
                "work.act:create('b', { ends = 1 }, nil, { seen = 'gm' })",
                "work.act:create('b', { ends = 1 }, nil, { visible_to = 'gm' })",
            ),
            (
                "poll.open(act, { key = 'k', seen = 'gm' })",
                "poll.open(act, { key = 'k', visible_to = 'gm' })",
            ),
            (
                "local m = { stat = 's', op = 'add', ['while'] = '1', over = {} }",
                "local m = { stat = 's', op = 'add', ['only_if'] = '1', aura = {} }",
            ),
            (
                "local o = { ends = {} } o.seen = 'gm' act:attach(a, 'b', {}, o)",
                "local o = { duration = {} } o.visible_to = 'gm' act:attach(a, 'b', {}, o)",
            ),
            (
                "local o = {} o['guard'] = '1' work.act:create('b', {}, nil, o)",
                "local o = {} o['only_if'] = '1' work.act:create('b', {}, nil, o)",
            ),
            (
                "report { code = 'c', kept = true, mend = true, whole = true }",
                "report { code = 'c', still_loads = true, typo = true, fully_read = true }",
            ),
        ] {
            assert_eq!(fixed(old), now);
        }
    }

    #[test]
    fn other_tables_and_keys_that_are_there_twice_stay() {
        for text in [
            "act:say('public', { seen = 1 })",
            "act:attach(a, 'b', { seen = 1 })",
            "other:attach(a, 'b', {}, { ends = 1 })",
            "act:attach(a, 'b', {}, { ends = 1, duration = 2 })",
            "local t = { stat = 's', over = 1 }",
            "local o = { ends = 1 } o.seen = 2 other:attach(a, 'b', {}, o)",
            "local o = { ends = 1 } o.duration = 2 act:attach(a, 'b', {}, o)",
        ] {
            assert_eq!(fixed(text), text);
        }
    }
}
