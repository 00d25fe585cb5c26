//! Tests the declarations of the script API: runs every example and passes every wrong argument.

use std::collections::BTreeSet;

use arbiter_tests::{Game, Scratch, on_game_thread, save_options};
use host::diag::Diagnostic;
use host::game::{GameLocation, RulesChoice, Solo, Verifier};
use host::script::{EngineOptions, Function, Group, declarations, host_definitions};
use repl::COMMANDS;

/// Returns a game with the person `mara`, whom the examples use.
fn game_with_mara(raw: bool) -> Game {
    let home = Scratch::mini();
    home.write(
        "content/mini/people/mara.yaml",
        "source: the host's own tests\nname: Mara\n",
    );
    let options = EngineOptions {
        raw,
        ..EngineOptions::default()
    };
    Game::mini_with_engine(&home, options)
}

fn declared_functions() -> Vec<(Group, Function)> {
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

/// A language of expressions, to call the methods of the type `Language`.
const SAMPLE_LANGUAGE: &str = "expr.language({ mean = tostring, value = tostring }):";

/// Returns the beginning of a call of a function, without its arguments.
fn call_prefix(group: &Group, function: &Function) -> String {
    match (group.name.as_str(), group.name == function.name) {
        (_, true) => function.name.clone(),
        ("Decimal", _) => format!("decimal(1):{}", function.name),
        ("Language", _) => format!("{SAMPLE_LANGUAGE}{}", function.name),
        ("Matcher", _) => format!("fuzzy.names({{ 'a' }}, 1):{}", function.name),
        ("Reader", _) => format!("outline.reader({{}}):{}", function.name),
        (_, _) if group.is_type => format!("{}:{}", group.name.to_lowercase(), function.name),
        (name, _) => format!("{name}.{}", function.name),
    }
}

#[test]
fn every_example_is_true() {
    on_game_thread(|| {
        for raw in [true, false] {
            let mut game = game_with_mara(raw);
            let hash = game.hash();
            let mut count = 0;
            for (group, function) in declared_functions() {
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
            let mut game = game_with_mara(raw);
            for (group, function) in declared_functions() {
                let required = required_argument_count(&function);
                if required == 0 || function.name == "print" {
                    continue;
                }
                // Only callbacks accept a thread, a function or a buffer.
                let call = call_prefix(&group, &function);
                let finding = game.refusal(&format!("= {call}(buffer.create(1))"));
                assert_eq!(
                    finding.code, "script/argument",
                    "{call}: {}",
                    finding.message
                );
                let message = &finding.message;
                let name = call.replace("decimal(1):", "decimal:");
                let name = name.replace("fuzzy.names({ 'a' }, 1):", "matcher:");
                let name = name.replace(SAMPLE_LANGUAGE, "language:");
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

/// Returns the number of required arguments of a function.
fn required_argument_count(function: &Function) -> usize {
    let is_optional = |name: &&String| {
        function
            .signature
            .split(&format!("{name}: "))
            .nth(1)
            .is_none_or(|rest| declared_type_at_start(rest).ends_with('?'))
    };
    let takes_anything = |name: &&String| {
        function
            .signature
            .split(&format!("{name}: "))
            .nth(1)
            .is_some_and(|rest| declared_type_at_start(rest) == "any")
    };
    function
        .parameters
        .iter()
        .filter(|name| !name.starts_with("..."))
        .take_while(|name| !is_optional(name) && !takes_anything(name))
        .count()
}

fn declared_type_at_start(rest: &str) -> String {
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

fn refusal_without_internals(game: &mut Game, line: &str) -> Diagnostic {
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
            let mut game = game_with_mara(raw);
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
                    "argument 3 `value` of `act:set` expects plain data, found a function: a function is not plain data",
                ),
                (
                    "act:set('ann', 'x', 0/0)",
                    "argument 3 `value` of `act:set` expects plain data, found a number: a number must be finite, not NaN or infinite",
                ),
                (
                    "act:roll_faces('6')",
                    "argument 1 `sides` of `act:roll_faces` expects a list of numbers, found a text",
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
                    "argument 1 `value` of `decimal` expects a decimal, found a text: this is not a decimal number",
                ),
                (
                    "fuzzy.names({ 'a' }, 1):best({})",
                    "argument 1 `subject` of `matcher:best` expects a text, found a table",
                ),
                (
                    "fuzzy.names({ 'a' }, 1).best('a')",
                    "argument 0 of `matcher:best` expects a matcher, found a text",
                ),
                (
                    "fuzzy.names({ 'a' }, 1).best(decimal(1), 'a')",
                    "argument 0 of `matcher:best` expects a matcher, found something else",
                ),
                (
                    "fuzzy.names({ 'a', 1 }, 1)",
                    "argument 1 `names` of `fuzzy.names` expects a list of texts, found a table",
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
                let finding = refusal_without_internals(&mut game, &format!("= {call}"));
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
                for call in ["fuzzy.names({}, N)", "fuzzy.close('a', {}, 1, N)"] {
                    let line = format!("= {}", call.replace('N', cutoff));
                    let found = game.line(&line).refusal;
                    let finding = found.unwrap_or_else(|| panic!("{line} is refused"));
                    assert_eq!(finding.code, "script/argument");
                    assert!(finding.message.ends_with("expects a cutoff from 0 to 1"));
                }
            }
            let hints = refusal_without_internals(&mut game, "= act.get('ann', 'mood')").hints;
            assert!(hints.iter().any(|hint| hint.contains("colon")), "{hints:?}");
        }
    });
}

#[test]
fn the_definitions_for_editors_hold_every_declaration() {
    let text = host_definitions();
    for (group, function) in declared_functions() {
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
        let mut game = game_with_mara(true);
        for (group, function) in declared_functions()
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

/// A value of each kind, with its name in declarations and its name in messages.
const VALUE_OF_EACH_KIND: [(&str, &str, &str); 7] = [
    ("boolean", "true", "a boolean"),
    ("number", "1", "a number"),
    ("string", "'mara'", "a text"),
    ("{", "{}", "a table"),
    ("->", "tostring", "a function"),
    ("?", "nil", "nothing"),
    ("Decimal", "buffer.create(1)", "a host object"),
];

/// Returns the declared types of the parameters, and whether the last one takes any number of
/// arguments.
fn parameter_types(function: &Function) -> (Vec<String>, bool) {
    let mut rest = function.signature.strip_prefix('(').unwrap_or_default();
    let mut types = Vec::new();
    for name in &function.parameters {
        let behind = rest.split_once(&format!("{name}: "));
        let Some((_, behind)) = behind.filter(|_| !name.starts_with("...")) else {
            return (types, true);
        };
        types.push(declared_type_at_start(behind));
        rest = &behind[declared_type_at_start(behind).len()..];
    }
    (types, false)
}

/// Returns whether a declared type accepts a kind of value.
fn type_accepts_kind(declared: &str, kind: &str) -> bool {
    let all = declared.trim_end_matches('?');
    let is_optional = all.len() < declared.len();
    let is_union = all.contains(" | ") && !all.starts_with('{');
    match kind {
        _ if all == "any" => true,
        "?" => is_optional,
        "->" => all.contains("->") && !all.starts_with('{'),
        "{" => all == "Act" || all.starts_with('{') || (is_union && all.contains('{')),
        kind if is_union => {
            let mut parts = all.trim_matches(['(', ')']).split(" | ");
            parts.any(|part| part.trim_matches(['(', ')']) == kind)
        }
        kind => all == kind,
    }
}

/// Returns a value that a declared type accepts.
fn value_of_type(declared: &str) -> &'static str {
    let fits = VALUE_OF_EACH_KIND
        .iter()
        .find(|(kind, _, _)| type_accepts_kind(declared, kind));
    match declared {
        "Act" => "act",
        optional if optional.ends_with('?') => "nil",
        _ => fits.map_or("nil", |(_, value, _)| value),
    }
}

/// Returns the refusal of a call if it does not name the argument, the expected type and the found
/// one.
fn wrong_argument_message(
    game: &mut Game,
    call: &str,
    (place, found): (usize, &str),
) -> Option<String> {
    let Some(Diagnostic { code, message, .. }) = game.line(&format!("= {call}")).refusal else {
        return Some(format!("{call} is accepted"));
    };
    // Values without a kind of their own in declarations are named as in scripts.
    let found = [found, "a buffer"];
    let is_told = code == "script/argument"
        && message.contains(&format!("argument {place}"))
        && message.contains("expects ")
        && found.iter().any(|found| message.contains(found));
    (!is_told).then(|| {
        format!(
            "{call}: argument {place} is {}: {code}: {message}",
            found[0]
        )
    })
}

#[test]
fn a_call_that_is_not_as_declared_is_refused_and_changes_nothing() {
    on_game_thread(|| {
        for raw in [true, false] {
            let mut game = game_with_mara(raw);
            let (hash, mut count, mut wrong) = (game.hash(), 0, Vec::new());
            let functions = declared_functions().into_iter();
            for (group, function) in functions.filter(|(_, one)| one.signature.starts_with('(')) {
                let (types, is_endless) = parameter_types(&function);
                let name = call_prefix(&group, &function);
                let fine: Vec<&str> = types.iter().map(|one| value_of_type(one)).collect();
                if !is_endless {
                    let call = format!("{name}({})", [&fine[..], &["1"]].concat().join(", "));
                    wrong.extend(wrong_argument_message(
                        &mut game,
                        &call,
                        (fine.len() + 1, "a number"),
                    ));
                    count += 1;
                }
                for (at, declared) in types.iter().enumerate() {
                    for (kind, value, found) in VALUE_OF_EACH_KIND {
                        let mut given = fine.clone();
                        given[at] = value;
                        let call = format!("{name}({})", given.join(", "));
                        if !type_accepts_kind(declared, kind) {
                            wrong.extend(wrong_argument_message(&mut game, &call, (at + 1, found)));
                            count += 1;
                        } else if kind != "Decimal" && declared != "Act" {
                            let refusal = game.line(&format!("= {call}")).refusal;
                            let place = format!("argument {} ", at + 1);
                            let of_kind = format!(", found {found}");
                            wrong.extend(
                                refusal.map(|refusal| refusal.message).filter(|said| {
                                    said.contains(&place) && said.ends_with(&of_kind)
                                }),
                            );
                        }
                    }
                }
            }
            assert!(wrong.is_empty(), "raw {raw}:\n{}", wrong.join("\n"));
            assert_eq!(game.hash(), hash);
            assert!(count > 600, "{count}");
        }
    });
}

#[test]
fn a_call_with_several_results_gives_all_of_them_and_a_callback_of_one_thing_takes_it_alone() {
    on_game_thread(|| {
        let mut game = game_with_mara(true);
        let finding = game.refusal("= text.trim(string.gsub(' a ', 'a', 'b'))");
        let message = "argument 2 of `text.trim` expects nothing, found a number";
        assert_eq!(finding.message, message);
        let hint = finding.hints.last().unwrap();
        assert!(hint.contains("put it in brackets"), "{hint}");
        for (call, text) in [
            ("text.trim((string.gsub(' a ', 'a', 'b')))", "b"),
            ("list.map({ ' a', 'b ' }, text.trim)[2]", "b"),
            ("#list.filter({ 'x' }, text.name_fault)", "0"),
            ("(list.first({ '2' }, decimal))", "2"),
        ] {
            assert_eq!(
                game.text(&format!("= {call}")).lines().last(),
                Some(text),
                "{call}"
            );
        }
    });
}

#[test]
fn what_a_metatable_says_runs_nothing_in_functions_over_lists() {
    on_game_thread(|| {
        let mut game = game_with_mara(true);
        let hostile = "setmetatable({ 3, 1, 2 }, { __iter = error, __len = error, __index = error, __call = error })";
        for (call, text) in [
            ("#list.keys(X)", "3"),
            ("list.map(X, tostring)[3]", "2"),
            ("#list.filter(X, tostring)", "3"),
            ("(list.first(X, tostring))", "3"),
            ("list.has(X, 2)", "true"),
            ("list.sum(X)", "6"),
            ("list.sorted(X)[1]", "1"),
            ("#list.sorted({ X, X }, function(one) return one end)", "2"),
            ("#list.group(X, tostring)['3']", "1"),
            ("#list.join(X, X)", "6"),
            ("#list.by_dependency({ 'a' }, function() return X end)", "1"),
            ("select(2, ordered.pairs(X)())", "3"),
        ] {
            let call = format!("= {}", call.replace('X', hostile));
            assert_eq!(game.text(&call).lines().last(), Some(text), "{call}");
        }
    });
}

/// A call that earlier versions accepted: a number in place of a declared text, and one argument
/// too many.
const CALL_ACCEPTED_EARLIER: &str = "act:add('ann', 'mood', act:roll('d6', 3, 'ann', 'gm', 5))";

#[test]
fn a_game_with_calls_that_were_accepted_once_opens_goes_on_and_verifies() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("go", CALL_ACCEPTED_EARLIER);
        let mut game = Game::of_program(&home, "mini");
        let before = game.hash();
        assert_eq!(
            game.refusal("go").message,
            "argument 2 `purpose` of `act:roll` expects a text, found a number"
        );
        assert_eq!(game.hash(), before);
        let folder = home.path().join("game");
        game.solo.save_in_folder(&folder, save_options()).unwrap();
        let then = game.solo.run_as_line(("gm", "go"), |timeline, ruling| {
            host::game::give_line_for_seat(timeline, &ruling.with_checks_of_the_past(), "ann", "go")
        });
        assert!(then.refusal.is_none());
        assert_eq!(game.solo.submit("gm", "charm Ann with cheer").refusal, None);
        let played = game.hash();
        drop(game);
        let report = Verifier::open(&folder, &COMMANDS).unwrap().finish();
        assert_eq!((report.findings, report.different), (Vec::new(), 0));
        for under in [RulesChoice::Recorded, RulesChoice::Now] {
            let place = GameLocation {
                folder: &folder,
                home: home.home(),
                engine: EngineOptions::default(),
                under,
                read_only: false,
            };
            let (mut solo, _) = Solo::reopen(place, save_options(), &COMMANDS).unwrap();
            assert_eq!(solo.timeline().state().hash(), played);
            // Recorded rules of a saved game still run; all checks apply to the present rules.
            let is_refused = solo.submit("ann", "go").refusal.is_some();
            assert_eq!(is_refused, under == RulesChoice::Now);
            let mut does = |word: &str| assert_eq!(solo.submit("gm", word).refusal, None);
            if !is_refused {
                does("undo");
            }
            for word in ["undo", "undo", "redo", "redo"] {
                does(word);
            }
            assert_eq!(solo.timeline().state().hash(), played);
        }
    });
}
