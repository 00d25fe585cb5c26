//! This module finds names in a script that nobody declares: the machine would only say so when the line runs.
//!
//! In: the text of a file, and the names that every file of its ruleset sees. Out: a finding for each other name, with
//! near ones: locals that are in force there, and those names.

use std::collections::BTreeSet;
use std::sync::Arc;

use full_moon::LuaVersion;
use full_moon::ast::{
    Block, FunctionBody, FunctionDeclaration, GenericFor, LocalAssignment, LocalFunction,
    NumericFor, Parameter, Prefix, Repeat, Var,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::Visitor;

use super::locate::readable;
use crate::diag::{Diagnostic, Source, Span, near_hint};

/// Returns a finding for each name that is neither declared in the text nor `known` to every file.
pub fn undeclared(source: &Arc<Source>, known: &BTreeSet<String>) -> Vec<Diagnostic> {
    let parsed = full_moon::parse_fallible(readable(source), LuaVersion::luau());
    // A text that cannot be read has that finding, and half a tree has no scopes.
    if !parsed.errors().is_empty() {
        return Vec::new();
    }
    let mut search = Search {
        source,
        known,
        scopes: Vec::new(),
        found: Vec::new(),
    };
    search.visit_ast(parsed.ast());
    search.found
}

struct Search<'a> {
    source: &'a Arc<Source>,
    known: &'a BTreeSet<String>,
    /// The names that each open block declares so far, the innermost last.
    scopes: Vec<Scope>,
    found: Vec<Diagnostic>,
}

#[derive(Default)]
struct Scope {
    names: BTreeSet<String>,
    /// Whether the names of the block in it hold behind its end too: the condition of a `repeat` sees them.
    keeps_inner: bool,
}

impl Search<'_> {
    fn open<'t>(&mut self, names: impl IntoIterator<Item = &'t TokenReference>) {
        self.scopes.push(Scope::default());
        self.declare(names);
    }

    fn close(&mut self) {
        let closed = self.scopes.pop().unwrap_or_default();
        if let Some(outer) = self.scopes.last_mut().filter(|outer| outer.keeps_inner) {
            outer.names.extend(closed.names);
        }
    }

    fn declare<'t>(&mut self, names: impl IntoIterator<Item = &'t TokenReference>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.extend(names.into_iter().map(name_of));
        }
    }

    fn used(&mut self, token: &TokenReference) {
        let name = name_of(token);
        let is_declared = self.scopes.iter().any(|scope| scope.names.contains(&name));
        if is_declared || self.known.contains(&name) || name == "self" {
            return;
        }
        let start = token.token().start_position().bytes();
        let span = Span::new(start, start + name.len());
        let local = self.scopes.iter().flat_map(|scope| &scope.names);
        let near: BTreeSet<&str> = local.chain(self.known).map(String::as_str).collect();
        let finding = Diagnostic::error("script/undeclared", format!("there is no `{name}`"))
            .hint(near_hint(&name, near));
        self.found.push(finding.at(self.source, span));
    }
}

impl Visitor for Search<'_> {
    fn visit_block(&mut self, _: &Block) {
        self.open([]);
    }

    fn visit_block_end(&mut self, _: &Block) {
        self.close();
    }

    fn visit_repeat(&mut self, _: &Repeat) {
        self.scopes.push(Scope {
            keeps_inner: true,
            ..Scope::default()
        });
    }

    fn visit_repeat_end(&mut self, _: &Repeat) {
        self.close();
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        let parameters = body.parameters().iter();
        self.open(parameters.filter_map(|parameter| match parameter {
            Parameter::Name(name) => Some(name),
            _ => None,
        }));
    }

    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.close();
    }

    fn visit_generic_for(&mut self, generic: &GenericFor) {
        self.open(generic.names());
    }

    fn visit_generic_for_end(&mut self, _: &GenericFor) {
        self.close();
    }

    fn visit_numeric_for(&mut self, numeric: &NumericFor) {
        self.open([numeric.index_variable()]);
    }

    fn visit_numeric_for_end(&mut self, _: &NumericFor) {
        self.close();
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        self.declare([function.name()]);
    }

    // A global function is a finding when the file runs; its name is no second one.
    fn visit_function_declaration(&mut self, function: &FunctionDeclaration) {
        if function.name().names().len() == 1 {
            self.declare(function.name().names());
        }
    }

    // Behind the whole statement: its values do not see the names yet.
    fn visit_local_assignment_end(&mut self, local: &LocalAssignment) {
        self.declare(local.names());
    }

    fn visit_var(&mut self, var: &Var) {
        if let Var::Name(name) = var {
            self.used(name);
        }
    }

    fn visit_prefix(&mut self, prefix: &Prefix) {
        if let Prefix::Name(name) = prefix {
            self.used(name);
        }
    }
}

fn name_of(token: &TokenReference) -> String {
    token.token().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let known = ["act", "list", "charm"].map(str::to_owned).into();
        let found = undeclared(&Source::new("x.luau", text), &known);
        let told = |finding: Diagnostic| {
            let place = finding.place.expect("it has a place");
            let name = place.source.slice(place.span).to_owned();
            format!("{name} {} {}", place.span.start, finding.hints.join(" "))
        };
        found.into_iter().map(told).collect()
    }

    #[test]
    fn a_name_that_nobody_declares_is_found_with_near_ones() {
        let cases = [
            (
                "local count = 1\nreturn cuont",
                "cuont 23 did you mean \"count\"?",
            ),
            ("return lst.map({})", "lst 7 did you mean \"list\"?"),
            ("local x = x", "x 10 "),
            ("do local inner = 1 end\nreturn inner", "inner 30 "),
            ("for i = 1, 2 do end\nreturn i", "i 27 "),
            ("local f = function() return f() end", "f 28 "),
            ("return `{nobody} is here`", "nobody 9 "),
            (
                "return { a = function(b) return b + other end }",
                "other 36 ",
            ),
            ("stray = 1", "stray 0 "),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), [expected], "{text}");
        }
    }

    #[test]
    fn declared_names_and_keys_are_fine() {
        for text in [
            "local a, b = 1, 2\nlocal function f(c, ...) return a + b + c + f(...) end\nreturn f",
            "repeat local done = true until done",
            "for key, value in list.x({}) do local z = key .. value end",
            "local t = {}\nfunction t.go(x) return x end\nfunction t:to() return self.id end\nreturn t",
            "return charm { id = 1, run = function(act) return act:get(\"id\", \"x\").field end }",
            "type Kind = { any }\nlocal x: Kind = ({} :: Kind)\nreturn x",
            "local x = if list then 1 else 2\nx += 1\nreturn x",
            "return (",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
