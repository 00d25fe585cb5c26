//! Finds names in a script that are not declared: the machine would only report them when the line runs.
//!
//! In: the text of a file, the names that every file of its ruleset sees, and the members of tables among these names.
//! Out: a finding for each other name, with near names. These are the locals in scope there, and the names that every
//! file sees. There is also a finding for each function or field that such a table, `act` or a required module does not
//! have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use full_moon::LuaVersion;
use full_moon::ast::{
    Assignment, Block, Call, Expression, FunctionArgs, FunctionBody, FunctionCall,
    FunctionDeclaration, GenericFor, Index, LocalAssignment, LocalFunction, NumericFor, Parameter,
    Prefix, Repeat, Suffix, Var, VarExpression,
};
use full_moon::tokenizer::{TokenReference, TokenType};
use full_moon::visitors::Visitor;

use super::former_options::{former_option_findings, written_index};
use super::source_places::parsable_text;
use crate::diag::{Diagnostic, Source, Span, near_hint};
use crate::script::former_names;

/// The names that every file of a ruleset sees.
#[derive(Default)]
pub struct Visible {
    /// The names that need no declaration.
    pub names: BTreeSet<String>,
    /// The members of the tables that some of these names stand for.
    pub tables: BTreeMap<String, BTreeSet<String>>,
    /// The methods of `act`.
    pub methods: BTreeSet<String>,
}

/// Returns a finding for each name that is neither declared in the text nor visible to every file. Also returns one for
/// each name that a table does not have. `module` returns the members of a module that the text requires, if they are
/// known.
pub(crate) fn undeclared_name_findings(
    source: &Arc<Source>,
    visible: &Visible,
    module: &dyn Fn(&str) -> Option<BTreeSet<String>>,
) -> Vec<Diagnostic> {
    let parsed = full_moon::parse_fallible(parsable_text(source), LuaVersion::luau());
    // A text that cannot be read has that finding, and half a tree has no scopes.
    if !parsed.errors().is_empty() {
        return Vec::new();
    }
    let mut search = Search {
        source,
        visible,
        module,
        scopes: Vec::new(),
        found: Vec::new(),
    };
    search.visit_ast(parsed.ast());
    search
        .found
        .extend(former_option_findings(source, parsed.ast()));
    search.found
}

/// The name that rules use for the running ruling.
const ACT: &str = "act";

/// Functions that a script may look for under another name: the table, the beginning of the name, and the replacement.
const ELSEWHERE: [(&str, &str, &str); 2] = [
    (
        "math",
        "random",
        "use act:roll, act:pick or act:shuffle for random results",
    ),
    (
        "math",
        "randomseed",
        "use act:roll, act:pick or act:shuffle for random results",
    ),
];

struct Search<'a> {
    source: &'a Arc<Source>,
    visible: &'a Visible,
    module: &'a dyn Fn(&str) -> Option<BTreeSet<String>>,
    /// The names that each open block declares so far, the innermost last.
    scopes: Vec<Scope>,
    found: Vec<Diagnostic>,
}

/// The meaning of a declared name.
#[derive(Clone)]
enum Bound {
    /// A parameter: one called `act` is the ruling that runs.
    Parameter,
    /// The module at a path.
    Module(String),
    /// Any other value.
    Local,
}

#[derive(Default)]
struct Scope {
    names: BTreeMap<String, Bound>,
    /// Whether the names of the block in it are valid after its end too: the condition of a `repeat` sees them.
    keeps_inner: bool,
}

impl Search<'_> {
    fn open_scope<'t>(
        &mut self,
        names: impl IntoIterator<Item = &'t TokenReference>,
        bound: &Bound,
    ) {
        let names = names
            .into_iter()
            .map(|name| (token_text(name), bound.clone()));
        self.scopes.push(Scope {
            names: names.collect(),
            keeps_inner: false,
        });
    }

    fn close_scope(&mut self) {
        let closed = self.scopes.pop().unwrap_or_default();
        if let Some(outer) = self.scopes.last_mut().filter(|outer| outer.keeps_inner) {
            outer.names.extend(closed.names);
        }
    }

    fn declare_locals<'t>(&mut self, names: impl IntoIterator<Item = &'t TokenReference>) {
        if let Some(scope) = self.scopes.last_mut() {
            let names = names
                .into_iter()
                .map(|name| (token_text(name), Bound::Local));
            scope.names.extend(names);
        }
    }

    fn check_name_use(&mut self, token: &TokenReference) {
        let name = token_text(token);
        let is_declared = self
            .scopes
            .iter()
            .any(|scope| scope.names.contains_key(&name));
        if is_declared || self.visible.names.contains(&name) || name == "self" {
            return;
        }
        let start = token.token().start_position().bytes();
        let span = Span::new(start, start + name.len());
        if let Some(now) = former_names::present_global(&name) {
            return self.report_former_name(span, &name, now);
        }
        let local = self.scopes.iter().flat_map(|scope| scope.names.keys());
        let near = local.chain(&self.visible.names).map(String::as_str);
        let near: BTreeSet<&str> = near.collect();
        let finding = Diagnostic::error("script/undeclared", format!("there is no `{name}`"))
            .hint(near_hint(&name, near));
        self.found.push(finding.at(self.source, span));
    }

    /// Adds a warning about a former name. It still works for recorded rules.
    fn report_former_name(&mut self, span: Span, name: &str, now: &str) {
        self.found.push(Diagnostic::renamed_word_warning(
            self.source,
            span,
            name,
            now,
        ));
    }

    /// Returns the members of the table that a name stands for, if they are known.
    fn members_of(&self, name: &str) -> Option<BTreeSet<String>> {
        let mut scopes = self.scopes.iter().rev();
        match scopes.find_map(|scope| scope.names.get(name)) {
            Some(Bound::Module(path)) => (self.module)(path),
            Some(Bound::Parameter) => (name == ACT).then(|| self.visible.methods.clone()),
            Some(Bound::Local) => None,
            None => self.visible.tables.get(name).cloned(),
        }
    }

    /// Checks the text after a name: `.field`, `:method(…)`, or `.act:method(…)` further on.
    fn check_member_access<'t>(
        &mut self,
        prefix: &Prefix,
        suffixes: impl Iterator<Item = &'t Suffix>,
    ) {
        let suffixes: Vec<&Suffix> = suffixes.collect();
        if let (Prefix::Name(name), Some(first)) = (prefix, suffixes.first()) {
            let owner = token_text(name);
            if let Some(known) = self.members_of(&owner) {
                let is_called = matches!(suffixes.get(1), Some(Suffix::Call(_)));
                self.check_member(&owner, first, &known, is_called);
            }
        }
        for pair in suffixes.windows(2) {
            if let [
                Suffix::Index(Index::Dot { name, .. }),
                method @ Suffix::Call(_),
            ] = pair
                && token_text(name) == ACT
            {
                let known = self.visible.methods.clone();
                self.check_member(ACT, method, &known, false);
            }
        }
    }

    /// Returns the present name of a function of the shared library, by a former name after the name of its module.
    fn present_library_function(&self, owner: &str, name: &str) -> Option<&'static str> {
        let mut scopes = self.scopes.iter().rev();
        match scopes.find_map(|scope| scope.names.get(owner))? {
            Bound::Module(path) => former_names::present_library_function(path, name),
            _ => None,
        }
    }

    /// Finds a field or method that its table does not have.
    fn check_member(
        &mut self,
        owner: &str,
        suffix: &Suffix,
        known: &BTreeSet<String>,
        is_called: bool,
    ) {
        if owner == ACT
            && let Suffix::Index(index) = suffix
            && let Some((name, span)) = written_index(index)
            && let Some(now) = former_names::present_method(&name)
        {
            return self.report_former_name(span, &name, now);
        }
        let (token, what) = match suffix {
            Suffix::Index(Index::Dot { name, .. }) if is_called => (name, "function "),
            Suffix::Index(Index::Dot { name, .. }) => (name, ""),
            Suffix::Call(Call::MethodCall(method)) => (method.name(), "method "),
            _ => return,
        };
        let name = token_text(token);
        if known.contains(&name) {
            return;
        }
        let start = token.token().start_position().bytes();
        let span = Span::new(start, start + name.len());
        if owner == ACT
            && let Some(now) = former_names::present_method(&name)
        {
            return self.report_former_name(span, &name, now);
        }
        if let Some(now) = self.present_library_function(owner, &name) {
            let message = format!("`{owner}.{name}` is called `{owner}.{now}` now");
            let finding = Diagnostic::error("script/no-member", message);
            let finding = finding.with_word_replacement(self.source, span, &name, now);
            return self.found.push(finding);
        }
        let elsewhere = ELSEWHERE
            .iter()
            .find(|(table, absent, _)| *table == owner && *absent == name);
        let message = format!("`{owner}` has no {what}`{name}`");
        let finding = Diagnostic::error("script/no-member", message);
        let finding = match elsewhere {
            Some((.., hint)) => finding.hint(*hint),
            None => finding.hint(near_hint(&name, known.iter().map(String::as_str))),
        };
        self.found.push(finding.at(self.source, span));
    }
}

/// Returns the path of the module that an expression requires.
fn required_path(expression: &Expression) -> Option<String> {
    let Expression::FunctionCall(call) = expression else {
        return None;
    };
    let Prefix::Name(name) = call.prefix() else {
        return None;
    };
    let mut suffixes = call.suffixes();
    let (Some(Suffix::Call(Call::AnonymousCall(given))), None) = (suffixes.next(), suffixes.next())
    else {
        return None;
    };
    let path = match &**given {
        FunctionArgs::String(path) => path,
        FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().next()? {
            Expression::String(path) => path,
            _ => return None,
        },
        _ => return None,
    };
    match path.token().token_type() {
        TokenType::StringLiteral { literal, .. } if token_text(name) == "require" => {
            Some(literal.to_string())
        }
        _ => None,
    }
}

impl Visitor for Search<'_> {
    fn visit_block(&mut self, _: &Block) {
        self.open_scope([], &Bound::Local);
    }

    fn visit_block_end(&mut self, _: &Block) {
        self.close_scope();
    }

    fn visit_repeat(&mut self, _: &Repeat) {
        self.scopes.push(Scope {
            keeps_inner: true,
            ..Scope::default()
        });
    }

    fn visit_repeat_end(&mut self, _: &Repeat) {
        self.close_scope();
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        let parameters = body.parameters().iter();
        let names = parameters.filter_map(|parameter| match parameter {
            Parameter::Name(name) => Some(name),
            _ => None,
        });
        self.open_scope(names, &Bound::Parameter);
    }

    fn visit_function_body_end(&mut self, _: &FunctionBody) {
        self.close_scope();
    }

    fn visit_generic_for(&mut self, generic: &GenericFor) {
        self.open_scope(generic.names(), &Bound::Local);
    }

    fn visit_generic_for_end(&mut self, _: &GenericFor) {
        self.close_scope();
    }

    fn visit_numeric_for(&mut self, numeric: &NumericFor) {
        self.open_scope([numeric.index_variable()], &Bound::Local);
    }

    fn visit_numeric_for_end(&mut self, _: &NumericFor) {
        self.close_scope();
    }

    fn visit_local_function(&mut self, function: &LocalFunction) {
        self.declare_locals([function.name()]);
    }

    // A global function is a finding when the file runs. Its name is not a second finding.
    fn visit_function_declaration(&mut self, function: &FunctionDeclaration) {
        if function.name().names().len() == 1 {
            self.declare_locals(function.name().names());
        }
    }

    // After the whole statement: its values do not see the names yet.
    fn visit_local_assignment_end(&mut self, local: &LocalAssignment) {
        let mut values = local.expressions().iter();
        if let Some(scope) = self.scopes.last_mut() {
            let names = local.names().iter().map(|name| {
                let path = values.next().and_then(required_path);
                (token_text(name), path.map_or(Bound::Local, Bound::Module))
            });
            scope.names.extend(names);
        }
    }

    // A name that gets another value is no longer the name of a module.
    fn visit_assignment(&mut self, assignment: &Assignment) {
        for target in assignment.variables() {
            if let Var::Name(name) = target {
                let name = token_text(name);
                let mut scopes = self.scopes.iter_mut().rev();
                if let Some(bound) = scopes.find_map(|scope| scope.names.get_mut(&name)) {
                    *bound = Bound::Local;
                }
            }
        }
    }

    fn visit_function_call(&mut self, call: &FunctionCall) {
        self.check_member_access(call.prefix(), call.suffixes());
    }

    fn visit_var_expression(&mut self, expression: &VarExpression) {
        self.check_member_access(expression.prefix(), expression.suffixes());
    }

    fn visit_var(&mut self, var: &Var) {
        if let Var::Name(name) = var {
            self.check_name_use(name);
        }
    }

    fn visit_prefix(&mut self, prefix: &Prefix) {
        if let Prefix::Name(name) = prefix {
            self.check_name_use(name);
        }
    }
}

fn token_text(token: &TokenReference) -> String {
    token.token().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let visible = Visible {
            names: set(&["act", "list", "charm", "math", "require", "pcall"]),
            tables: [("math".to_owned(), set(&["pi", "floor"]))].into(),
            methods: set(&["say", "get"]),
        };
        let module = |path: &str| (path == "pipeline/harm").then(|| set(&["hurt", "heal"]));
        let found = undeclared_name_findings(&Source::new("x.luau", text), &visible, &module);
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
    fn what_a_table_has_not_is_found_with_near_names() {
        for (text, expected) in [
            (
                "return function(act) act:sey(1) end",
                "sey 25 did you mean \"say\"?",
            ),
            (
                "return function(act) pcall(act.gett, act) end",
                "gett 31 did you mean \"get\"?",
            ),
            (
                "return function(of) of.act:sey(1) end",
                "sey 27 did you mean \"say\"?",
            ),
            ("return math.flor(1)", "flor 12 did you mean \"floor\"?"),
            ("return math.pie", "pie 12 did you mean \"pi\"?"),
            (
                "return math.random(6)",
                "random 12 use act:roll, act:pick or act:shuffle for random results",
            ),
            (
                "local harm = require(\"pipeline/harm\")\nreturn harm.hurtt(1)",
                "hurtt 50 did you mean \"hurt\"?",
            ),
            (
                "local harm = require \"pipeline/harm\"\nreturn { a = harm.heel }",
                "heel 55 did you mean \"heal\"?",
            ),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in [
            "local math = {}\nreturn math.random(6)",
            "local act = { sey = 1 }\nreturn act:sey(), act.x",
            "local harm = require(\"pipeline/harm\")\nharm = {}\nreturn harm.x",
            "local harm = require(\"pipeline/other\")\nreturn harm.x",
            "local harm = require(\"pipeline/harm\")\nreturn harm.hurt(math.floor(math.pi))",
            "return function(of) return of.act.sey, list.act(1) end",
            "return function(act) act:say(act:get(1)) end",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
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
