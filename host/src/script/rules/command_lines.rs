//! Declarations of commands about their lines: the lines that only look, and the people who may give them.

use super::Rules;
use crate::content::Definition;
use crate::diag::{Diagnostic, Span, near_hint};
use crate::script::border::{GM, GROUP};
use crate::script::declare::schema::{syntax_texts, texts_of_definition};
use crate::script::declare::template_owner::{
    COMMANDS, FILE, Owner, find_key_value, span_of_key_value,
};
use crate::text::FORMER_TYPES;
use crate::value::Value;

/// The key of a command that only looks, with every line.
const QUERY: &str = "query";
/// The key of the lines that only look, in commands of older games; scripts may write it for `query`.
const LOOKS: &str = "looks";
/// The key of the people who may give it.
const BY: &str = "by";

/// Returns whether a line only looks: its command does, or names that line of its `syntax`.
pub fn is_read_only_line(rules: &Rules, owner: &Owner) -> bool {
    let Some((command, line)) = rules.definition_and_line_number(owner) else {
        return false;
    };
    let Some(syntax) = syntax_texts(command).nth(line.saturating_sub(1)) else {
        return false;
    };
    let mut lines = [QUERY, LOOKS]
        .iter()
        .flat_map(|key| texts_of_definition(command, key));
    command.value.get(QUERY).as_bool() == Some(true) || lines.any(|line| is_same_line(line, syntax))
}

/// Returns whether two lines are the same, apart from former names of slot types.
fn is_same_line(one: &str, other: &str) -> bool {
    let has_former = |line: &str| FORMER_TYPES.iter().any(|(old, _)| line.contains(old));
    one == other
        || (has_former(one) || has_former(other))
            && with_present_types(one) == with_present_types(other)
}

/// Returns a line of a syntax with the present names of its slot types.
fn with_present_types(line: &str) -> String {
    let mut written = line.to_owned();
    for (old, now) in FORMER_TYPES {
        for at in former_type_places(line, old).into_iter().rev() {
            written.replace_range(at..at + old.len(), now);
        }
    }
    written
}

/// Returns the places in a line where slots have a type of this name: `{name: Type}`. Unit: bytes.
fn former_type_places(line: &str, old: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let places = line.match_indices(old).filter(|(at, _)| {
        let (before, after) = (&line[..*at], &line[at + old.len()..]);
        before.trim_end().ends_with(':') && !after.starts_with(is_part)
    });
    places.map(|(at, _)| at).collect()
}

/// Returns the slots of a line that name files: those that its `syntax` writes as `{name: File}`.
pub fn file_slots(rules: &Rules, owner: &Owner) -> Vec<String> {
    let Some((command, line)) = rules.definition_and_line_number(owner) else {
        return Vec::new();
    };
    let syntax = syntax_texts(command).nth(line.saturating_sub(1));
    let parts = syntax.iter().flat_map(|line| line.split('{').skip(1));
    let slots = parts.filter_map(|part| part.split('}').next()?.split_once(':'));
    let files = slots.filter(|(_, kind)| kind.trim() == FILE);
    files.map(|(slot, _)| slot.trim().to_owned()).collect()
}

/// Returns who may give a line of a command besides the game master, as its definition writes them: `gm`, or
/// `group:NAME`. The list is empty if everybody may. Unit: lines of `syntax` from 1.
pub fn allowed_givers(command: &Definition, line: usize) -> Vec<&str> {
    let by = command.value.get(BY);
    if by.as_map().is_none() {
        return texts_of_definition(command, BY)
            .map(AsRef::as_ref)
            .collect();
    }
    let Some(syntax) = syntax_texts(command).nth(line.saturating_sub(1)) else {
        return Vec::new();
    };
    let mut lines = by.as_map().into_iter().flatten();
    let of_line = lines.find(|(line, _)| is_same_line(line, syntax));
    of_line.map_or_else(Vec::new, |(_, givers)| texts_in(givers))
}

/// Returns how many lines the syntax of a command has.
pub fn syntax_line_count(command: &Definition) -> usize {
    syntax_texts(command).count()
}

/// Returns the texts of a value that is a text or a list of them.
fn texts_in(value: &Value) -> Vec<&str> {
    let all = std::iter::once(value).chain(value.items());
    all.filter_map(Value::as_str).collect()
}

/// Returns the word with which a command is typed, without the colon that may follow it.
pub fn command_word(command: &Definition) -> &str {
    let line = syntax_texts(command)
        .next()
        .map_or("", AsRef::<str>::as_ref);
    let word = line.split([' ', '[', '{']).next();
    let word = word.map(|word| word.trim_end_matches(':'));
    word.filter(|word| !word.is_empty()).unwrap_or(&command.id)
}

/// Returns the errors in the commands of the rules beyond their shape.
pub(crate) fn command_findings(rules: &Rules) -> Vec<Diagnostic> {
    let commands = rules.registry.of_collection(COMMANDS);
    commands
        .flat_map(|one| {
            let unknown = unknown_line_findings(one).chain(unknown_giver_findings(one));
            unknown.chain(former_type_warnings(rules, one))
        })
        .collect()
}

/// Returns the warnings about former names of slot types in the lines that `query` and `by` name, each with its fix.
fn former_type_warnings(rules: &Rules, command: &Definition) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let former = FORMER_TYPES
        .iter()
        .filter(|(old, _)| !rules.grammar.has_type(old));
    for (old, now) in former {
        for key in [QUERY, LOOKS, BY] {
            let texts = texts_of_definition(command, key).map(AsRef::<str>::as_ref);
            let lines = command.value.get(key).as_map().into_iter().flatten();
            for line in texts.chain(lines.map(|(line, _)| line.as_ref())) {
                let places = former_type_places(line, old);
                // Finding the value of the key reads the whole script.
                let span = (!places.is_empty()).then(|| span_of_lines(command, key));
                let start = span.and_then(|span| {
                    let within = command.source.slice(span).find(line)?;
                    Some(span.start + within)
                });
                let Some(start) = start else {
                    continue;
                };
                found.extend(places.into_iter().map(|at| {
                    let word = Span::new(start + at, start + at + old.len());
                    Diagnostic::renamed_word_warning(&command.source, word, old, now)
                }));
            }
        }
    }
    found
}

/// Returns the place of the lines under a key. A script may write the former key of `query`.
fn span_of_lines(command: &Definition, key: &str) -> Span {
    let former = || match key {
        QUERY => find_key_value(command, LOOKS),
        _ => None,
    };
    let span = find_key_value(command, key).or_else(former);
    span.unwrap_or(command.span)
}

/// Finds declared read-only lines, and lines with givers of their own, that are not lines of the command.
fn unknown_line_findings(command: &Definition) -> impl Iterator<Item = Diagnostic> {
    let known: Vec<&str> = syntax_texts(command).map(AsRef::as_ref).collect();
    let lines =
        |key: &'static str| texts_of_definition(command, key).map(move |line| (&**line, key));
    let looks = lines(QUERY).chain(lines(LOOKS));
    let given = command.value.get(BY).as_map().into_iter().flatten();
    let named = looks.chain(given.map(|(line, _)| (&**line, BY)));
    let is_known =
        |line: &str| known.contains(&line) || known.iter().any(|one| is_same_line(one, line));
    let unknown = named.filter(|(line, _)| !is_known(line));
    let found = unknown.map(|(line, key)| {
        let (what, hint) = match key {
            QUERY | LOOKS => (
                "that could be read-only",
                "write it exactly as in `syntax`; query = true makes every line read-only",
            ),
            _ => (
                "that somebody could type",
                "write it exactly as in `syntax`; without lines, `by` applies to all of them",
            ),
        };
        let message = format!(
            "the command \"{}\" has no line \"{line}\" {what}",
            command.id
        );
        Diagnostic::error(format!("schema/{key}"), message)
            .hint(near_hint(line, known.iter().copied()))
            .hint(hint)
            .at(&command.source, span_of_lines(command, key))
    });
    found.collect::<Vec<_>>().into_iter()
}

/// Finds givers that are neither the game master nor a group.
fn unknown_giver_findings(command: &Definition) -> impl Iterator<Item = Diagnostic> {
    let is_group = |one: &str| one.strip_prefix(GROUP).is_some_and(|name| !name.is_empty());
    let by = command.value.get(BY);
    let of_lines = by.as_map().into_iter().flatten();
    let of_lines = of_lines.flat_map(|(_, givers)| texts_in(givers));
    let named = texts_in(by).into_iter().chain(of_lines);
    let wrong = named.filter(move |one| *one != GM && !is_group(one));
    wrong.map(|one| {
        let message = format!(
            "`by` cannot name \"{one}\" as somebody who may give the command \"{}\"",
            command.id
        );
        Diagnostic::error("schema/by", message)
            .hint("write gm, or group:NAME for a group of `seats`; the game master may always give it")
            .at(&command.source, span_of_key_value(command, BY))
    })
}

#[cfg(test)]
mod tests {
    use crate::content::File;
    use crate::diag::{Diagnostic, Place, Source};
    use crate::script::engine::EngineOptions;
    use crate::script::load::{ModFiles, load_rules};
    use crate::script::rules::compile_cache::Compiled;

    const SCHEMA: &str = "return schema { source = 's', summary = 's', folder = 'commands', format = 'luau', slot_type = 'Command',
        keys = { source = 'string', syntax = 'string or list of string', ['query?, formerly looks'] = 'boolean or string or list of string', ['by?'] = { 'any of', 'string or list of string', { 'map of', 'string or list of string' } } } }";

    /// Loads a command with some keys beside its two lines.
    fn found(keys: &str) -> Vec<Diagnostic> {
        let file = |path: &str, text: String| File::new(path, Source::new(path, text));
        let ruleset = "return ruleset { source = 's', name = 'Toy', summary = 's' }";
        let command = format!(
            "return command {{\n source = 's',\n syntax = {{ 'go', 'go {{n: Integer}}' }},\n {keys}\n}}"
        );
        let files = ModFiles {
            name: "toy".to_owned(),
            scripts: vec![
                file("ruleset.luau", ruleset.to_owned()),
                file("schemas/command.luau", SCHEMA.to_owned()),
                file("commands/go.luau", command),
            ],
            content: Vec::new(),
        };
        let loaded = load_rules(
            &[files],
            &[],
            &EngineOptions::default(),
            Compiled::default(),
        );
        loaded.unwrap().1
    }

    #[test]
    fn lines_that_look_are_lines_of_the_command_and_givers_are_the_game_master_or_groups() {
        let cases = [
            ("query = 'go',", ""),
            ("query = { 'go {n: Integer}', 'go' },", ""),
            ("query = 'go {n: Number}',", "schema/query"),
            ("by = 'gm',", ""),
            ("by = { 'gm', 'group:guides' },", ""),
            ("by = 'guides',", "schema/by"),
            ("by = 'group:',", "schema/by"),
            ("by = { 'gm', 'GM' },", "schema/by"),
            (
                "by = { go = 'gm', ['go {n: Integer}'] = { 'gm', 'group:guides' } },",
                "",
            ),
            ("by = { ['go {n: Wole}'] = 'gm' },", "schema/by"),
            ("by = { go = 'guides' },", "schema/by"),
        ];
        for (keys, code) in cases {
            let found = found(keys);
            let codes: Vec<&str> = found.iter().map(|one| &*one.code).collect();
            assert_eq!(codes.join(" "), code, "{keys}");
            let lines = found.iter().filter_map(|one| one.place.as_ref());
            let mut lines = lines.map(Place::start_line);
            assert!(lines.all(|line| line == 4), "{keys}: {found:?}");
        }
    }

    #[test]
    fn an_unknown_line_under_the_former_key_is_marked_there() {
        let found = found("looks = 'go {n: Number}',");
        let unknown = found.iter().find(|one| one.code == "schema/query");
        let place = unknown.and_then(|one| one.place.as_ref()).unwrap();
        assert_eq!(place.source.slice(place.span), "'go {n: Number}'");
    }

    #[test]
    fn a_line_that_is_none_is_told_with_the_nearest_one() {
        let [found] = &found("query = 'go {n: Intger}',")[..] else {
            panic!("one finding")
        };
        assert!(
            found
                .hints
                .iter()
                .any(|hint| hint.contains("go {n: Integer}")),
            "{found:?}"
        );
    }
}
