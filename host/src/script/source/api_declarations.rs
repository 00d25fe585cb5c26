//! Reads the declarations of the script API: the `.d.luau` files beside the code.
//!
//! Form: `declare NAME: {`, `export type NAME = {` or `declare function NAME(…): …`, members as `name: (parameters) ->
//! result,`, and before each of them `---` lines. These are first the text, then lines that begin with `key:`, `shape:`,
//! `unit:`, `errors:`, `example:` or `source:`.

use std::sync::LazyLock;

use super::parameter_kinds::allowed_kinds;
use crate::doc::Block;
use crate::doc::build::{code, fields, paragraph};
use crate::script::border::argument_kinds::Kinds;

/// One declared function or method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Name without its table.
    pub name: String,
    /// Text of the declaration after the name, such as `(sides: number) -> number`.
    pub signature: String,
    /// Names of the parameters, without `self`.
    pub parameters: Vec<String>,
    /// The kinds that its arguments may have.
    pub(crate) allowed: Kinds,
    /// Its description.
    pub text: String,
    /// `shape`, `unit`, `errors`, `source` lines with their word.
    pub notes: Vec<(String, String)>,
    /// The keys of its table of options, each with its meaning.
    pub keys: Vec<(String, String)>,
    /// Examples: Luau that returns true.
    pub examples: Vec<String>,
}

impl Function {
    /// Returns the text of help and the reference below its name: text, signature, keys, notes, examples.
    pub fn blocks(&self) -> Vec<Block> {
        let signature = format!("{}: {}", self.name, self.signature);
        let notes = (!self.notes.is_empty()).then(|| fields(self.notes.iter().cloned()));
        let keys = (!self.keys.is_empty()).then(|| fields(self.keys.iter().cloned()));
        let examples = self.examples.iter();
        let examples = examples.map(|example| code("luau", example.clone()));
        let head = [paragraph(self.text.clone()), code("luau", signature)];
        let lists = keys.into_iter().chain(notes);
        head.into_iter().chain(lists).chain(examples).collect()
    }
}

/// One declared table, type or function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Name of the global, or of the type. A lone function is a group of its own name.
    pub name: String,
    /// Whether it is a type of values that scripts get, not a global.
    pub is_type: bool,
    /// Its purpose.
    pub text: String,
    /// Its functions in order.
    pub functions: Vec<Function>,
    /// The headings above its functions, in order; none for a short one.
    pub sections: Vec<Section>,
}

impl Group {
    /// Returns the functions of a section, by its number.
    pub fn functions_of(&self, number: usize) -> &[Function] {
        let from = self.sections.get(number).map_or(0, |one| one.first);
        let next = self.sections.get(number + 1);
        let to = next.map_or(self.functions.len(), |one| one.first);
        self.functions.get(from..to).unwrap_or_default()
    }
}

/// A heading of the reference: the functions from its first one to the next heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// The words by which help finds it.
    pub words: Vec<String>,
    /// Its subject.
    pub text: String,
    /// The number of its first function in the group, from 0.
    pub first: usize,
}

const FILES: [(&str, &str); 13] = [
    ("act", include_str!("../api/act.d.luau")),
    ("decimal", include_str!("../api/decimal.d.luau")),
    ("definitions", include_str!("../api/definitions.d.luau")),
    ("dice", include_str!("../api/dice.d.luau")),
    ("expr", include_str!("../api/expr.d.luau")),
    ("list", include_str!("../api/list.d.luau")),
    ("fuzzy", include_str!("../api/fuzzy.d.luau")),
    ("outline", include_str!("../api/outline.d.luau")),
    ("phrase", include_str!("../api/phrase.d.luau")),
    ("poll", include_str!("../api/poll.d.luau")),
    ("print", include_str!("../api/print.d.luau")),
    ("memoize", include_str!("../api/memoize.d.luau")),
    ("text", include_str!("../api/text.d.luau")),
];

static DECLARED: LazyLock<Vec<Group>> = LazyLock::new(|| {
    FILES
        .iter()
        .flat_map(|(_, text)| read_declarations(text))
        .collect()
});

/// Returns all declarations of the API, in order of file and line.
pub fn declarations() -> Vec<Group> {
    DECLARED.clone()
}

/// Returns all declarations of the API, without a copy.
pub(crate) fn declared_groups() -> &'static [Group] {
    &DECLARED
}

/// Returns the declaration of a table, type or function.
pub(crate) fn declared_group(name: &str) -> Option<&'static Group> {
    DECLARED.iter().find(|group| group.name == name)
}

/// Returns the declaration of a function. A lone one is a group of its own name.
pub(crate) fn declared_function(group: &str, name: &str) -> Option<&'static Function> {
    let mut functions = declared_group(group)?.functions.iter();
    functions.find(|function| function.name == name)
}

/// Returns the text of `host.d.luau`: every declaration, for editors and type checkers.
pub fn host_definitions() -> String {
    let head = "-- The API of the host for rule scripts. Printed by `arbiter api`; do not edit.\n";
    FILES
        .iter()
        .fold(head.to_owned(), |text, (_, file)| text + "\n" + file)
}

/// Reads one file of declarations.
fn read_declarations(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("---") {
            comment.push(words.trim());
        } else if let Some((name, is_type)) = parse_opening(line) {
            inside = !line.ends_with('}');
            let text = split_comment(&comment).text;
            groups.push(Group {
                name,
                is_type,
                text,
                functions: Vec::new(),
                sections: Vec::new(),
            });
            comment.clear();
        } else if line.is_empty() && comment.first().is_some_and(|line| line.starts_with(TITLE)) {
            if let Some(group) = groups.last_mut() {
                group
                    .sections
                    .push(read_section(&comment, group.functions.len()));
            }
            comment.clear();
        } else if let Some(rest) = line.strip_prefix("declare function ") {
            let at = rest.find('(').unwrap_or(rest.len());
            let function = read_member(&rest[..at], &rest[at..], &comment);
            let (name, text) = (function.name.clone(), function.text.clone());
            groups.push(Group {
                name,
                is_type: false,
                text,
                functions: vec![function],
                sections: Vec::new(),
            });
            comment.clear();
        } else if line == "}" {
            inside = false;
        } else if inside
            && let Some((name, signature)) = line.split_once(": ")
            && let Some(group) = groups.last_mut()
        {
            group
                .functions
                .push(read_member(name, signature.trim_end_matches(','), &comment));
            comment.clear();
        }
    }
    groups
}

/// The beginning of the comment of a section.
const TITLE: &str = "# ";

/// Reads the comment above an empty line that begins a section: `# TITLE`, `words: WORD, WORD`, and its subject.
fn read_section(comment: &[&str], first: usize) -> Section {
    let mut section = Section {
        first,
        ..Section::default()
    };
    for line in comment {
        if let Some(title) = line.strip_prefix(TITLE) {
            section.title = title.to_owned();
        } else if let Some(words) = line.strip_prefix("words: ") {
            section.words = words.split(", ").map(str::to_owned).collect();
        } else {
            section.text.push_str(line);
        }
    }
    section
}

fn parse_opening(line: &str) -> Option<(String, bool)> {
    let (head, is_type) = match line.strip_prefix("export type ") {
        Some(rest) => (rest.split_once(" = {")?.0, true),
        None => (line.strip_prefix("declare ")?.split_once(": {")?.0, false),
    };
    Some((head.to_owned(), is_type))
}

fn read_member(name: &str, signature: &str, comment: &[&str]) -> Function {
    Function {
        name: name.to_owned(),
        signature: signature.to_owned(),
        parameters: parameter_names(signature),
        allowed: allowed_kinds(signature),
        ..split_comment(comment)
    }
}

/// Sorts comment lines into text, keys, notes and examples.
fn split_comment(comment: &[&str]) -> Function {
    let mut function = Function::default();
    for line in comment {
        match line.split_once(": ") {
            Some(("example", code)) => function.examples.push(code.to_owned()),
            Some(("key", rest)) => {
                let (key, meaning) = rest.split_once(": ").unwrap_or((rest, ""));
                function.keys.push((key.to_owned(), meaning.to_owned()));
            }
            Some((word @ ("shape" | "unit" | "errors" | "source"), rest)) => {
                function.notes.push((word.to_owned(), rest.to_owned()));
            }
            _ if function.text.is_empty() => function.text = (*line).to_owned(),
            _ => function.text = format!("{} {line}", function.text),
        }
    }
    function
}

/// Returns the names of the parameters of `(self: T, a: X, b: Y?) -> R`, without `self`.
fn parameter_names(signature: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0usize, 1);
    for (at, letter) in signature.char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if (depth == 1 && letter == ',') || depth == 0 {
            let name = signature
                .get(start..at)
                .unwrap_or_default()
                .split(':')
                .next();
            names.extend(
                name.map(str::trim)
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
            );
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| name != "self");
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn described_keys_are_those_of_the_declared_table() {
        let mut described = 0;
        for function in declarations().iter().flat_map(|group| &group.functions) {
            if function.keys.is_empty() {
                continue;
            }
            // The names before a colon at the outermost level of the table.
            let table = function.signature.split_once('{').unwrap().1;
            let (mut depth, mut start, mut declared) = (0usize, 0, Vec::new());
            for (at, letter) in table.char_indices() {
                match letter {
                    '(' | '{' => depth += 1,
                    '}' if depth == 0 => break,
                    ')' | '}' => depth -= 1,
                    ',' if depth == 0 => start = at + 1,
                    ':' if depth == 0 => declared.push(table[start..at].trim()),
                    _ => {}
                }
            }
            let keys: Vec<&str> = function.keys.iter().map(|(key, _)| &**key).collect();
            assert_eq!(keys, declared, "{}", function.name);
            for (key, meaning) in &function.keys {
                assert!(!meaning.is_empty(), "{}: {key}", function.name);
            }
            described += 1;
        }
        assert!(described > 0);
    }

    #[test]
    fn every_declaration_has_a_text_and_an_example() {
        let groups = declarations();
        let act = groups.iter().find(|group| group.name == "Act").unwrap();
        let attach = act
            .functions
            .iter()
            .find(|function| function.name == "attach")
            .unwrap();
        assert_eq!(attach.parameters, ["owner", "kind", "values", "options"]);
        let sections = act.sections.iter().enumerate();
        let listed = sections.map(|(number, _)| act.functions_of(number).len());
        assert_eq!(listed.sum::<usize>(), act.functions.len());
        let titles: Vec<&str> = act.sections.iter().map(|one| &*one.title).collect();
        for title in [
            "The stat store",
            "Attributes and their durations",
            "Dice and chance",
            "Queues, for example a killing queue",
        ] {
            assert!(titles.contains(&title), "{titles:?}");
        }
        for group in groups
            .iter()
            .filter(|group| !["Result", "Clock"].contains(&group.name.as_str()))
        {
            for function in &group.functions {
                assert!(
                    !function.text.is_empty(),
                    "{}.{} has no text",
                    group.name,
                    function.name
                );
                assert!(
                    !function.examples.is_empty(),
                    "{}.{}",
                    group.name,
                    function.name
                );
            }
        }
    }
}
