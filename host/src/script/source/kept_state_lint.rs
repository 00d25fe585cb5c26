//! Finds a forbidden use that still runs in a script: keeping state in file-level locals.

use std::collections::BTreeSet;
use std::sync::Arc;

use full_moon::LuaVersion;
use full_moon::ast::{
    Assignment, Ast, CompoundAssignment, FunctionBody, LocalAssignment, Prefix, Stmt, Var,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;

use super::source_places::parsable_text;
use crate::diag::{Diagnostic, Source, Span};

/// Returns a warning for each assignment inside a function to a local of the file.
pub fn kept_state_findings(source: &Arc<Source>) -> Vec<Diagnostic> {
    let parsed = full_moon::parse_fallible(parsable_text(source), LuaVersion::luau());
    let mut lint = Lint {
        source,
        file_locals: file_locals(parsed.ast()),
        shadows: Vec::new(),
        found: Vec::new(),
    };
    lint.visit_ast(parsed.ast());
    lint.found
}

/// Names that are local to the file and are not functions.
fn file_locals(ast: &Ast) -> BTreeSet<String> {
    let locals = ast.nodes().stmts().filter_map(|statement| match statement {
        Stmt::LocalAssignment(local) => {
            Some(local.names().iter().map(token_text).collect::<Vec<_>>())
        }
        _ => None,
    });
    locals.flatten().collect()
}

struct Lint<'a> {
    source: &'a Arc<Source>,
    file_locals: BTreeSet<String>,
    /// Names that each open function declares itself.
    shadows: Vec<BTreeSet<String>>,
    found: Vec<Diagnostic>,
}

impl Lint<'_> {
    fn check_assignment(&mut self, target: &Var) {
        let token = match target {
            Var::Name(name) => name,
            Var::Expression(expression) => match expression.prefix() {
                Prefix::Name(name) => name,
                _ => return,
            },
            _ => return,
        };
        let name = token_text(token);
        let is_kept = !self.shadows.is_empty()
            && self.file_locals.contains(&name)
            && !self.shadows.iter().any(|names| names.contains(&name));
        if is_kept {
            let start = token.token().start_position().bytes();
            let finding = Diagnostic::warning(
                "script/keeps-state",
                format!("`{name}` is local to the file, and a function changes it"),
            )
            .hint("put a value that must outlive the run into the store: act:set, act:attach");
            self.found
                .push(finding.at(self.source, Span::new(start, start + name.len())));
        }
    }
}

impl Visitor for Lint<'_> {
    fn visit_function_body(&mut self, body: &FunctionBody) {
        let parameters = body
            .parameters()
            .iter()
            .filter_map(|parameter| match parameter {
                full_moon::ast::Parameter::Name(name) => Some(token_text(name)),
                _ => None,
            });
        self.shadows.push(parameters.collect());
    }

    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.shadows.pop();
    }

    fn visit_local_assignment(&mut self, local: &LocalAssignment) {
        if let Some(names) = self.shadows.last_mut() {
            names.extend(local.names().iter().map(token_text));
        }
    }

    fn visit_numeric_for(&mut self, numeric: &full_moon::ast::NumericFor) {
        if let Some(names) = self.shadows.last_mut() {
            names.insert(token_text(numeric.index_variable()));
        }
    }

    fn visit_generic_for(&mut self, generic: &full_moon::ast::GenericFor) {
        if let Some(names) = self.shadows.last_mut() {
            names.extend(generic.names().iter().map(token_text));
        }
    }

    fn visit_assignment(&mut self, assignment: &Assignment) {
        for target in assignment.variables() {
            self.check_assignment(target);
        }
    }

    fn visit_compound_assignment(&mut self, assignment: &CompoundAssignment) {
        self.check_assignment(assignment.lhs());
    }
}

fn token_text(token: &TokenReference) -> String {
    token.token().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let found = kept_state_findings(&Source::new("x.luau", text));
        found
            .into_iter()
            .map(|finding| finding.message.split('`').nth(1).unwrap().to_owned())
            .collect()
    }

    #[test]
    fn an_assignment_in_a_function_to_a_file_local_is_found() {
        assert_eq!(
            names("local seen = 0\nreturn { run = function() seen += 1 end }"),
            ["seen"]
        );
        assert_eq!(
            names("local seen = {}\nlocal function f(a) seen[a] = true end\nreturn f"),
            ["seen"]
        );
    }

    #[test]
    fn building_a_module_and_own_locals_are_fine() {
        assert!(names("local module = {}\nfunction module.f(x) local y = x y = 2 return y end\nmodule.z = 1\nreturn module").is_empty());
        assert!(names("local a = 1\nreturn function(a) a = 2 return a end").is_empty());
    }
}
