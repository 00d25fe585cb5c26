//! Finds options and keys that a script writes by their former names: of `act:attach`, `act:create` and `poll.open`, of
//! modifiers, and of reports.
//!
//! Only table literals in calls and lists are checked. Other tables work too, without a warning.

use std::sync::Arc;

use full_moon::ast::{
    Ast, Call, Expression, Field, FunctionArgs, FunctionCall, Index, Prefix, Suffix,
    TableConstructor,
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
    };
    search.visit_ast(ast);
    search.found
}

struct Search<'a> {
    source: &'a Arc<Source>,
    found: Vec<Diagnostic>,
}

impl Search<'_> {
    fn warn_about_former_keys(&mut self, table: &TableConstructor, present: fn(&str) -> &str) {
        let keys = written_keys(table);
        for (key, span) in &keys {
            let now = present(key);
            // If a table has both names, no warning is given: a fix would make two equal keys.
            if now != key && keys.iter().all(|(other, _)| other != now) {
                let finding = Diagnostic::renamed_word_warning(self.source, *span, key, now);
                self.found.push(finding);
            }
        }
    }

    /// Checks an argument of a call, counted from 0, if it is a table literal.
    fn warn_about_former_keys_of_argument(&mut self, given: &FunctionArgs, at: usize) {
        if let FunctionArgs::Parentheses { arguments, .. } = given
            && let Some(Expression::TableConstructor(options)) = arguments.iter().nth(at)
        {
            self.warn_about_former_keys(options, former_names::present_option);
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
                self.warn_about_former_keys_of_argument(given, 1)
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
        let written = token_text(token);
        let start = token.token().start_position().bytes();
        let key = written.trim_matches(['"', '\'']).to_owned();
        Some((key, Span::new(start, start + written.len())))
    });
    keys.collect()
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
        ] {
            assert_eq!(fixed(text), text);
        }
    }
}
