//! This module runs what the declarations of the script API say: every example, every wrong argument.

use std::collections::BTreeSet;

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;
use host::script::{EngineOptions, Function, Group, declarations, host_definitions};

/// A game in which `mara` lives, whom the examples speak of.
fn game(raw: bool) -> Game {
    let home = Scratch::mini();
    home.write(
        "content/mini/people/mara.yaml",
        "source: the host's own tests\nname: Mara\n",
    );
    let options = EngineOptions {
        raw,
        ..EngineOptions::default()
    };
    Game::with(&home, options)
}

fn functions() -> Vec<(Group, Function)> {
    let groups = declarations().into_iter();
    groups
        .flat_map(|group| {
            group
                .functions
                .clone()
                .into_iter()
                .map(move |function| (group.clone(), function))
        })
        .collect()
}

/// Returns how a function is called, without its arguments.
/// A language of expressions.
const LANGUAGE: &str = "expr.language({ mean = tostring, value = tostring }):";

fn called(group: &Group, function: &Function) -> String {
    match (group.name.as_str(), group.name == function.name) {
        (_, true) => function.name.clone(),
        ("Decimal", _) => format!("decimal(1):{}", function.name),
        ("Language", _) => format!("{LANGUAGE}{}", function.name),
        ("Matcher", _) => format!("match.names({{ 'a' }}, 1):{}", function.name),
        ("Reader", _) => format!("outline.reader({{}}):{}", function.name),
        (_, _) if group.is_type => format!("{}:{}", group.name.to_lowercase(), function.name),
        (name, _) => format!("{name}.{}", function.name),
    }
}

#[test]
fn every_example_is_true() {
    on_game_thread(|| {
        for raw in [true, false] {
            let mut game = game(raw);
            let hash = game.hash();
            let mut count = 0;
            for (group, function) in functions() {
                for example in &function.examples {
                    let line = format!("= (function() {example} end)()");
                    let answer = game.text(&line);
                    let last = answer.lines().last();
                    assert_eq!(
                        last,
                        Some("true"),
                        "{}.{} (raw {raw}): {example}",
                        group.name,
                        function.name
                    );
                    assert_eq!(
                        game.hash(),
                        hash,
                        "what is evaluated is taken back: {example}"
                    );
                    count += 1;
                }
            }
            assert!(count > 50, "{count} examples");
        }
    });
}

#[test]
fn a_wrong_argument_is_named_with_function_position_expected_and_found() {
    on_game_thread(|| {
        let mut checked = BTreeSet::new();
        for raw in [true, false] {
            let mut game = game(raw);
            for (group, function) in functions() {
                let required = required(&function);
                if required == 0 || function.name == "print" {
                    continue;
                }
                // A thread, a function or a buffer is an argument of no function but a callback.
                let call = called(&group, &function);
                let finding = game.refusal(&format!("= {call}(buffer.create(1))"));
                assert_eq!(
                    finding.code, "script/argument",
                    "{call}: {}",
                    finding.message
                );
                let message = &finding.message;
                let name = call.replace("decimal(1):", "decimal:");
                let name = name.replace("match.names({ 'a' }, 1):", "matcher:");
                let name = name.replace(LANGUAGE, "language:");
                let name = name.replace("outline.reader({}):", "reader:");
                assert!(message.contains(&name), "{name} is named: {message}");
                assert!(
                    message.contains("argument 1"),
                    "{name}: the position: {message}"
                );
                assert!(
                    message.contains("expects"),
                    "{name}: what it expects: {message}"
                );
                assert!(
                    message.contains("found"),
                    "{name}: what was found: {message}"
                );
                checked.insert(name);
            }
        }
        assert!(checked.len() > 40, "{checked:?}");
    });
}

/// Returns how many arguments a function cannot do without.
fn required(function: &Function) -> usize {
    let is_optional = |name: &&String| {
        function
            .signature
            .split(&format!("{name}: "))
            .nth(1)
            .is_none_or(|rest| argument_type(rest).ends_with('?'))
    };
    let takes_anything = |name: &&String| {
        function
            .signature
            .split(&format!("{name}: "))
            .nth(1)
            .is_some_and(|rest| argument_type(rest) == "any")
    };
    function
        .parameters
        .iter()
        .filter(|name| !name.starts_with("..."))
        .take_while(|name| !is_optional(name) && !takes_anything(name))
        .count()
}

fn argument_type(rest: &str) -> String {
    let mut depth = 0;
    let end = rest.char_indices().find(|(_, letter)| {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => return true,
            _ => {}
        }
        false
    });
    rest[..end.map_or(rest.len(), |(at, _)| at)]
        .trim()
        .to_owned()
}

fn refusal(game: &mut Game, line: &str) -> Diagnostic {
    let finding = game.refusal(line);
    assert!(
        !finding.message.contains("mlua") && !finding.message.contains("Rust"),
        "{}",
        finding.message
    );
    finding
}

#[test]
fn messages_name_the_parameter_and_show_the_declaration() {
    on_game_thread(|| {
        for raw in [true, false] {
            let mut game = game(raw);
            let cases = [
                (
                    "act:get('ann')",
                    "argument 2 `field` of `act:get` expects a text, found nothing",
                ),
                (
                    "act:get(1, 'x')",
                    "argument 1 `row` of `act:get` expects a text, found a number",
                ),
                (
                    "act:get({}, 'x')",
                    "argument 1 `row` of `act:get` expects a text, found a table",
                ),
                (
                    "act:set('ann', 'x', print)",
                    "argument 3 `value` of `act:set` expects plain data, found a function: a function is no plain data",
                ),
                (
                    "act:set('ann', 'x', 0/0)",
                    "argument 3 `value` of `act:set` expects plain data, found a number: a number must be finite, not NaN or infinite",
                ),
                (
                    "act:draw('6')",
                    "argument 1 `sides` of `act:draw` expects a list of numbers, found a text",
                ),
                (
                    "act:pick({ 1 }, 'x')",
                    "argument 1 `candidates` of `act:pick` expects a list of texts, found a table",
                ),
                (
                    "act:pick({ a = 'b' }, 'x')",
                    "argument 1 `candidates` of `act:pick` expects a list of texts, found a table",
                ),
                (
                    "decimal('x')",
                    "argument 1 `value` of `decimal` expects a decimal, found a text: this is no decimal number",
                ),
                (
                    "match.names({ 'a' }, 1):best({})",
                    "argument 1 `subject` of `matcher:best` expects a text, found a table",
                ),
                (
                    "match.names({ 'a' }, 1).best('a')",
                    "argument 0 of `matcher:best` expects a matcher, found a text",
                ),
                (
                    "match.names({ 'a' }, 1).best(decimal(1), 'a')",
                    "argument 0 of `matcher:best` expects a matcher, found something else",
                ),
                (
                    "match.names({ 'a', 1 }, 1)",
                    "argument 1 `names` of `match.names` expects a list of texts, found a table",
                ),
                (
                    "text.count('x', 'die')",
                    "argument 1 `number` of `text.count` expects a number, found a text",
                ),
                (
                    "dice.fold({ 6 }, 0)",
                    "argument 3 `step` of `dice.fold` expects a function, found nothing",
                ),
                (
                    "definitions.get('commands')",
                    "argument 2 `id` of `definitions.get` expects a text, found nothing",
                ),
            ];
            for (call, message) in cases {
                let finding = refusal(&mut game, &format!("= {call}"));
                assert_eq!(finding.message, message, "raw {raw}");
                assert!(
                    finding
                        .hints
                        .iter()
                        .any(|hint| hint.contains("declared as")),
                    "{call}: {:?}",
                    finding.hints
                );
            }
            for cutoff in ["1.01", "-0.1", "0/0", "1/0"] {
                for call in ["match.names({}, N)", "match.close('a', {}, 1, N)"] {
                    let line = format!("= {}", call.replace('N', cutoff));
                    let found = game.line(&line).refusal;
                    let finding = found.unwrap_or_else(|| panic!("{line} is refused"));
                    assert_eq!(finding.code, "script/argument");
                    assert!(finding.message.ends_with("expects a cutoff from 0 to 1"));
                }
            }
            let hints = refusal(&mut game, "= act.get('ann', 'mood')").hints;
            assert!(hints.iter().any(|hint| hint.contains("colon")), "{hints:?}");
        }
    });
}

#[test]
fn the_definitions_for_editors_hold_every_declaration() {
    let text = host_definitions();
    for (group, function) in functions() {
        assert!(
            text.contains(&format!("{}{}", function.name, function.signature))
                || text.contains(&format!("{}: {}", function.name, function.signature)),
            "{}.{}",
            group.name,
            function.name
        );
    }
    let opened = text.matches('{').count();
    assert_eq!(opened, text.matches('}').count(), "braces are in pairs");
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
    {
        let line = line.trim();
        let known = line.is_empty()
            || line == "}"
            || line.starts_with("declare ")
            || line.starts_with("export type ")
            || line.ends_with(',');
        assert!(known, "no declaration: {line}");
    }
}

#[test]
fn help_shows_every_function_with_its_declaration() {
    on_game_thread(|| {
        let mut game = game(true);
        for (group, function) in functions()
            .into_iter()
            .filter(|(group, function)| group.name != function.name)
        {
            let sign = if group.is_type { ':' } else { '.' };
            let word = format!("{}{sign}{}", group.name.to_lowercase(), function.name);
            let shown = game.text(&format!("{word}?"));
            assert!(
                shown.contains(&function.text[..20.min(function.text.len())]),
                "{word}: {shown}"
            );
        }
    });
}
