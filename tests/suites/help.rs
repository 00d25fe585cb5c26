//! Tests `help`: commands of several words and their families, and definitions by all of their
//! names.

use arbiter_tests::{Game, Scratch, on_game_thread, project};
use host::diag::Diagnostic;
use host::game;
use repl::markdown_page::Page;

use crate::program::arbiter_in_project;

const RULESET_FILE: &str = "scripts/mini/ruleset.luau";

/// Adds a command with these syntax lines that answers its arguments.
fn add_echo_command(home: &Scratch, id: &str, summary: &str, syntax: &str) {
    let text = format!(
        "return command {{ source = 'x', summary = '{summary}', query = true, syntax = {syntax},
  run = function(act, args) return act:done(`said {{args.said}}`) end }}"
    );
    home.write(&format!("scripts/mini/commands/{id}.luau"), text);
}

/// Returns a home with a family of commands, and tools that have a class name and one definition
/// that explains the class.
fn home_with_command_family() -> Scratch {
    let home = Scratch::mini();
    add_echo_command(
        &home,
        "chart_set",
        "draws a part",
        "'chart set {said: Rest}'",
    );
    add_echo_command(
        &home,
        "chart_tool",
        "all of a tool",
        "'chart tool {said: Rest}'",
    );
    add_echo_command(&home, "take", "takes a tool", "'take {said: Tool}'");
    home.edit(
        RULESET_FILE,
        "types = {",
        "types = {\n    Tool = { collection = \"tools\" },",
    );
    home.write("scripts/mini/schemas/tool.luau", TOOL_SCHEMA);
    home.write(
        "scripts/mini/tools/mallet.luau",
        "return tool { source = 'x', summary = 'beats', class = \"Smith's Hammer\", examples = { 'beat the drum' } }",
    );
    home
}

const TOOL_SCHEMA: &str = "return schema {
  source = 'x', summary = 'What work is done with.', folder = 'tools', format = 'luau',
  name_keys = 'class', page = 'chart tool {class}',
  keys = { source = 'string', summary = 'string', class = 'string', examples = 'list of string?' },
}";

fn joined_hints(refusal: &Diagnostic) -> String {
    refusal.hints.join(" | ")
}

#[test]
fn a_command_is_listed_with_the_words_that_tell_it_apart() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_command_family(), "mini");
        let list = game.text("help");
        for word in ["chart set", "chart tool", "take", "lately"] {
            let is_word = |line: &str| line.trim_start().starts_with(&format!("{word}:"));
            assert!(list.lines().any(is_word), "{word} in {list}");
        }
        let words = game::help_words_for_user(game.solo.timeline(), "gm");
        let has = |word: &str| words.iter().any(|known| known == word);
        assert!(has("chart") && has("chart set") && has("Smith's Hammer"));
        assert!(!has("chart_set") && !has("lately of"));
    });
}

#[test]
fn the_first_words_of_commands_name_their_family_and_all_of_them_one() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_command_family(), "mini");
        let family = game.text("help chart");
        assert!(family.contains("chart set") && family.contains("all of a tool"));
        assert!(!family.contains("defined in"), "{family}");
        assert_eq!(game.text("chart?"), family);
        let page = game.text("help chart set");
        assert!(page.contains("chart set {said: Rest}") && page.contains("chart_set.luau"));
        for line in ["chart set?", "Chart  SET ?", "help chart_set", "chart_set?"] {
            assert_eq!(game.text(line), page, "{line}");
        }
        assert_eq!(game.text("chart set a?"), "said a?");
        let refusal = game.refusal("chrat?");
        assert!(joined_hints(&refusal).contains("\"chart\""), "{refusal:?}");
        assert!(!joined_hints(&refusal).contains('_'), "{refusal:?}");
    });
}

#[test]
fn a_definition_is_found_by_what_its_schema_says_it_is_called() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_command_family(), "mini");
        let page = game.text("help mallet");
        let parts = [
            "Smith's Hammer",
            "beats",
            "beat the drum",
            "take",
            "mallet.luau",
        ];
        for part in parts {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(
            page.trim_end()
                .ends_with("for more, type `chart tool Smith's Hammer`")
        );
        for line in ["Smith's Hammer?", "smith’s hammer?", "help Smith's  hammer"] {
            assert_eq!(game.text(line), page, "{line}");
        }
        let refusal = game.refusal("help Smiths Hamer");
        assert!(
            joined_hints(&refusal).contains("Smith's Hammer"),
            "{refusal:?}"
        );
    });
}

#[test]
fn a_collection_tells_what_its_definitions_are_called_and_what_they_are() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_command_family(), "mini");
        let page = game.text("help tools");
        assert!(page.contains("What work is done with."), "{page}");
        assert!(page.contains("Smith's Hammer:  beats"), "{page}");
        assert_eq!(game.text("Tools?"), page);
        let words = game::help_words_for_user(game.solo.timeline(), "gm");
        assert!(words.iter().any(|word| word == "tools"), "{words:?}");
    });
}

#[test]
fn a_collection_is_listed_by_the_word_for_one_of_it_and_says_that_it_is_empty() {
    on_game_thread(|| {
        let home = home_with_command_family();
        home.write(
            "scripts/mini/schemas/wood_carving.luau",
            "return schema { source = 'x', summary = 'What stands around.', folder = 'wood_carvings', \
             format = 'luau', keys = { source = 'string' } }",
        );
        let mut game = Game::of_program(&home, "mini");
        assert_eq!(game.text("help tool"), game.text("help tools"));
        assert_eq!(game.text("help command"), game.text("help"));
        assert_eq!(game.text("help commands"), game.text("help"));
        let empty = game.text("help wood carvings");
        let parts = ["What stands around.", "The collection is empty."];
        assert!(parts.iter().all(|part| empty.contains(part)), "{empty}");
        assert_eq!(game.text("Wood Carvings?"), empty);
        for id in ["bear", "owl"] {
            home.write(
                &format!("scripts/mini/wood_carvings/{id}.luau"),
                "return wood_carving { source = 'x' }",
            );
        }
        let page = Game::of_program(&home, "mini").text("help wood_carvings");
        let shown: Vec<&str> = page.lines().map(str::trim).collect();
        assert!(shown.ends_with(&["- bear", "- owl"]), "{page}");
    });
}

#[test]
fn below_the_command_of_the_same_word_stands_the_collection() {
    on_game_thread(|| {
        let home = home_with_command_family();
        let mut game = Game::of_program(&home, "mini");
        let alone = game.text("help tools");
        add_echo_command(&home, "tools", "counts tools", "'tools {said: Rest}'");
        add_echo_command(&home, "tool", "makes a tool", "'tool {said: Rest}'");
        let mut game = Game::of_program(&home, "mini");
        let page = game.text("help tools");
        assert!(page.contains("counts tools"), "{page}");
        assert!(page.trim_end().ends_with(alone.trim()), "{page}");
        let one = game.text("help tool");
        assert!(one.contains("makes a tool"), "{one}");
        let more = "`help tools` lists the collection.";
        assert!(one.trim_end().ends_with(more), "{one}");
    });
}

#[test]
fn a_seat_reads_of_collections_what_the_game_master_reads_and_of_commands_its_own() {
    on_game_thread(|| {
        let home = home_with_command_family();
        home.edit(
            "scripts/mini/commands/take.luau",
            "query = true",
            "by = 'gm', query = true",
        );
        let mut game = Game::of_program(&home, "mini");
        let told = |game: &Game, by: &str, word: &str| {
            let reply = game::help_for_words(game.solo.timeline(), by, word);
            format!("{:?}", reply.documents[0].blocks)
        };
        assert_eq!(told(&game, "Ann", "tools"), told(&game, "gm", "tools"));
        assert!(told(&game, "gm", "commands").contains("takes a tool"));
        assert!(!told(&game, "Ann", "commands").contains("takes a tool"));
        assert!(game.text("help").contains("takes a tool"));
    });
}

#[test]
fn what_no_definition_has_cannot_be_what_it_is_called() {
    on_game_thread(|| {
        let cases = [
            (
                "name_keys = 'class'",
                "name_keys = 'clas'",
                "schema/name_keys",
            ),
            ("tool {class}", "tool {kind}", "schema/page"),
            (
                "name_keys = 'class'",
                "joins = 'add {kind}', name_keys = 'class'",
                "schema/joins",
            ),
        ];
        for (old, new, code) in cases {
            let home = home_with_command_family();
            home.edit("scripts/mini/schemas/tool.luau", old, new);
            let found = Game::of(&home).findings();
            assert!(found.contains(code), "{code} in {found}");
        }
    });
}

/// The shipped rulesets, and the toy ruleset.
const RULESETS: [&str; 6] = ["mini", "dungeon", "features", "fortune", "opend6", "wwrf"];

/// The four primitives of the project are found by their own words, in any number and spacing.
#[test]
fn the_four_words_of_the_script_api_are_explained() {
    on_game_thread(|| {
        for ruleset in RULESETS {
            let mut game = Game::of_program(&home_of(ruleset), ruleset);
            for (word, part) in [
                ("dice", "act:roll"),
                ("chance", "act:roll"),
                ("stat store", "act:get"),
                ("Stat  Stores", "act:get"),
                ("attribute duration", "act:attach"),
                ("attribute durations", "act:attach"),
                ("killing queue", "act:drain"),
            ] {
                let said = game.text(&format!("help {word}"));
                assert!(said.contains(part), "{ruleset}: {word}: {said}");
            }
        }
    });
}

fn home_of(ruleset: &str) -> Scratch {
    match ruleset {
        "mini" => Scratch::mini(),
        _ => Scratch::shipped(ruleset),
    }
}

/// Returns a text without the marks of code, with one space between its words.
fn words_without_marks(text: &str) -> String {
    let text = text.replace('`', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each term of the glossary has its meaning in `help`, also beside a definition of that name.
#[test]
fn all_things_with_one_word_are_explained() {
    let (_, said, _) = run_program(&["help", "poll", "--ruleset", "fortune"]);
    for part in ["opens a poll", "Scripts have a table `poll`", "poll.open"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (_, said, _) = run_program(&["help", "dice", "--ruleset", "fortune"]);
    for part in [
        "uses dice from a real table",
        "is a:        item",
        "Scripts have a table `dice`",
        "chance` lists all 5 functions",
        "Glossary: ",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (_, said, _) = run_program(&[
        "help",
        "mood",
        "--ruleset",
        "harbour",
        "--mods",
        "tests/mini",
    ]);
    for part in ["mood of {person: Person}", "is a:       stat"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_terms_of_the_glossary_are_explained() {
    let page = std::fs::read_to_string(project().join("docs/src/reference/glossary.md"));
    let page = page.expect("there is a glossary");
    let page = Page::read("glossary.md", &page);
    let rows = page.rows.iter().filter(|row| !row.is_head);
    let terms: Vec<(Vec<String>, String)> = rows
        .map(|row| {
            let names = row.cells[0].split(", ").map(str::to_owned).collect();
            (names, words_without_marks(&row.cells[1]))
        })
        .collect();
    assert!(terms.len() > 40, "{}", terms.len());
    on_game_thread(move || {
        for ruleset in RULESETS {
            let mut game = Game::of_program(&home_of(ruleset), ruleset);
            for (names, meaning) in &terms {
                for name in names {
                    let said = words_without_marks(&game.text(&format!("help {name}")));
                    assert!(said.contains(meaning), "{ruleset}: {name}: {said}");
                }
            }
        }
    });
}

#[test]
fn a_word_that_the_glossary_replaced_leads_to_its_term() {
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::shipped("fortune"), "fortune");
        let said = game.text("help contract");
        assert!(
            said.contains("What the definitions of one collection must contain"),
            "{said}"
        );
        assert!(
            said.contains("Other words, not used here: \"contract\""),
            "{said}"
        );
    });
}

/// Returns the exit code, the output and the error output of the program in the project folder.
fn run_program(arguments: &[&str]) -> (i32, String, String) {
    let output = arbiter_in_project().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let exit = output.status.code().unwrap();
    (exit, text(output.stdout), text(output.stderr))
}

#[test]
fn the_program_explains_its_verbs_as_they_explain_themselves() {
    let (exit, page, _) = run_program(&["help", "simulate"]);
    let (_, own, _) = run_program(&["simulate", "--help"]);
    let body = |text: &str| text.replace("arbiter-under-test", "arbiter");
    assert_eq!((exit, body(&page)), (0, body(&own)));
    let (exit, page, _) = run_program(&["help"]);
    let (_, own, _) = run_program(&["--help"]);
    assert_eq!((exit, body(&page)), (0, body(&own)));
}

#[test]
fn the_program_explains_codes_and_words_of_every_game() {
    for (words, said) in [
        ("store/bad-name", "store.md#storebad-name"),
        ("STORE/bad-name", "store.md#storebad-name"),
        ("act:get", "Returns the shown value"),
        ("stat store", "act:get"),
        ("undo", "takes the last ruling back"),
        ("2d6", "odds 2d6"),
    ] {
        let arguments: Vec<&str> = ["help"].into_iter().chain(words.split(' ')).collect();
        let (exit, text, talk) = run_program(&arguments);
        assert_eq!(exit, 0, "{words:?}: {talk}");
        assert!(text.contains(said), "{words:?}: {text}");
    }
    let (_, json, _) = run_program(&["help", "store/bad-name", "--format", "json"]);
    assert!(json.starts_with('{'), "{json}");
}

#[test]
fn the_program_explains_words_of_a_ruleset_that_is_named() {
    let of_mini = |word| run_program(&["help", word, "--ruleset", "mini", "--mods", "tests/mini"]);
    let (exit, page, talk) = of_mini("mood");
    assert!(
        exit == 0 && page.contains("shows how somebody feels"),
        "{page} {talk}"
    );
    let (exit, _, talk) = run_program(&["help", "mooood"]);
    assert!(
        exit == 2 && talk.contains("--ruleset NAME"),
        "{exit}: {talk}"
    );
    let home = Scratch::mini();
    home.write("scripts/mini/commands/bad.luau", "return command {");
    let path = home.path().display().to_string();
    let broken = |word| run_program(&["help", word, "--ruleset", "mini", "--home", &path]);
    let (exit, page, _) = broken("script/syntax");
    assert!(exit == 0 && page.contains("Fix:"), "{page}");
}

#[test]
fn unknown_words_get_near_ones_and_codes_without_their_area_get_it() {
    for (word, said) in [
        ("chekc", "did you mean \"check\""),
        ("store/bad-nam", "\"store/bad-name\""),
        ("bad-name", "\"store/bad-name\""),
    ] {
        let (exit, _, talk) = run_program(&["help", word]);
        assert!(exit == 2 && talk.contains(said), "{word}: {talk}");
    }
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::mini(), "mini");
        let refusal = game.refusal("help bad-name");
        let hints = joined_hints(&refusal);
        assert!(hints.contains("\"store/bad-name\""), "{hints}");
    });
}

#[test]
fn a_check_says_how_to_have_its_codes_explained() {
    let home = Scratch::mini();
    let path = home.path().display().to_string();
    let check = |flags: &[&str]| run_program(&[&["check", "--home", &path][..], flags].concat());
    assert!(!check(&[]).2.contains("arbiter help"));
    home.write("scripts/mini/commands/bad.luau", "return command {");
    let (exit, _, talk) = check(&[]);
    let lines: Vec<&str> = talk.lines().collect();
    assert_eq!(exit, 1);
    assert_eq!(
        lines[0], "`arbiter help script/syntax` explains this code",
        "{talk}"
    );
    assert!(lines[1].starts_with("1 error, "), "{talk}");
    let worse = "return command { source = 'x' }\n";
    home.write("scripts/mini/commands/worse.luau", worse);
    let (_, _, talk) = check(&[]);
    assert!(
        talk.starts_with("`arbiter help CODE` explains a code: "),
        "{talk}"
    );
    for silent in [&["--format", "json"][..], &["--quiet"]] {
        let (_, _, talk) = check(silent);
        assert!(!talk.contains("arbiter help"), "{talk}");
    }
}
