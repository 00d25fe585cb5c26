//! Loads rules with hostile files: each file is one finding, and the other files are used.

use std::time::Duration;

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;
use host::script::{EngineOptions, Limits};

/// Starts a game with one more file and returns the game with the codes of its findings.
fn start_with_file(path: &str, bytes: impl AsRef<[u8]>) -> (Game, Vec<String>) {
    let home = Scratch::mini();
    home.write(path, bytes);
    start_with_findings(&home)
}

fn start_with_findings(home: &Scratch) -> (Game, Vec<String>) {
    let limits = Limits {
        fuel_callback: 400_000,
        time_callback: Some(Duration::from_secs(60)),
        time_command: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    let mut game = Game::mini_with_engine(
        home,
        EngineOptions {
            limits,
            ..EngineOptions::default()
        },
    );
    assert_eq!(game.text("mood ann"), "Ann feels 4.");
    assert!(
        !game.findings().contains("0x"),
        "an address: {}",
        game.findings()
    );
    let codes = game
        .solo
        .session
        .generations()
        .live()
        .findings()
        .iter()
        .map(|finding| finding.code.to_string())
        .collect();
    (game, codes)
}

const COMMAND_FILE: &str = "scripts/mini/commands/hostile.luau";

fn command_source(above: &str, keys: &str) -> String {
    format!(
        "{above}\nreturn command {{ source = \"x\", summary = \"x\", syntax = \"hostile\", run = function() end, {keys} }}"
    )
}

fn command_source_of_size(bytes: usize) -> String {
    let text = command_source("", "");
    let filler = bytes - text.len() - 1;
    format!("{text}\n{}", "-".repeat(filler))
}

#[test]
fn a_source_has_at_most_256_kib() {
    on_game_thread(|| {
        for (bytes, expected) in [
            (256 * 1024 - 1, vec![]),
            (256 * 1024, vec![]),
            (256 * 1024 + 1, vec!["limit/size"]),
        ] {
            assert_eq!(
                start_with_file(COMMAND_FILE, command_source_of_size(bytes)).1,
                expected,
                "{bytes} bytes"
            );
        }
    });
}

#[test]
fn texts_that_are_no_plain_text_are_refused() {
    on_game_thread(|| {
        let sources: [(&str, &[u8]); 7] = [
            ("a zero byte", b"-- \0\nreturn 1"),
            ("no UTF-8", b"-- \xff\xfe\nreturn 1"),
            ("UTF-16", b"\xff\xfer\0e\0t\0"),
            (
                "an override of the direction",
                "-- \u{202e}\nreturn 1".as_bytes(),
            ),
            (
                "an isolate of the direction",
                "local x = \"\u{2066}\"\nreturn 1".as_bytes(),
            ),
            ("bytecode", b"\x06\x03\x01\x04test"),
            (
                "bytecode of an old version",
                b"\x1bLua\x51\x00\x01\x04\x08\x04\x08\x00",
            ),
        ];
        for (what, bytes) in sources {
            let (_, codes) = start_with_file(COMMAND_FILE, bytes);
            assert!(!codes.is_empty(), "{what}");
            assert!(
                codes[0].starts_with("content/") || codes[0] == "script/syntax",
                "{what}: {codes:?}"
            );
        }
    });
}

#[test]
fn a_source_may_begin_with_a_mark_and_end_lines_as_it_likes() {
    on_game_thread(|| {
        let text = format!(
            "\u{feff}{}",
            command_source("-- one", "").replace('\n', "\r\n")
        );
        assert_eq!(start_with_file(COMMAND_FILE, text).1, Vec::<String>::new());
    });
}

/// Sources that nest, chain or repeat without end, by the repeated piece.
#[test]
fn sources_that_nest_or_go_on_without_an_end_are_one_finding() {
    on_game_thread(|| {
        let around = |open: &str, inner: &str, close: &str, times: usize| {
            format!(
                "local x = {}{inner}{}",
                open.repeat(times),
                close.repeat(times)
            )
        };
        let bombs = [
            ("parentheses", around("(", "1", ")", 50_000)),
            ("open parentheses", around("(", "", "", 50_000)),
            ("tables", around("{", "1", "}", 50_000)),
            ("open tables", around("{", "", "", 50_000)),
            (
                "functions",
                around("function() return ", "1", " end", 5_000),
            ),
            (
                "open functions",
                around("function() return ", "", "", 5_000),
            ),
            ("calls", around("f(", "1", ")", 50_000)),
            ("not", around("not ", "1", "", 50_000)),
            ("minus", around("- ", "1", "", 50_000)),
            ("length", around("#", "x", "", 50_000)),
            ("sums", around("1 + ", "1", "", 50_000)),
            ("powers", around("2 ^ ", "1", "", 50_000)),
            ("texts in a row", around("'a' .. ", "'a'", "", 30_000)),
            ("fields", format!("local x = x{}", ".y".repeat(50_000))),
            ("indexes", format!("local x = x{}", "[1]".repeat(50_000))),
            ("indexes inside each other", around("x[", "1", "]", 50_000)),
            ("methods", format!("local x = x{}", ":y()".repeat(30_000))),
            ("blocks", "do ".repeat(50_000)),
            ("loops", "while x do ".repeat(20_000)),
            ("ifs", "if x then ".repeat(20_000)),
            (
                "elseifs",
                format!("if x then {}end", "elseif x then ".repeat(15_000)),
            ),
            (
                "if expressions",
                around("if x then 1 else ", "1", "", 10_000),
            ),
            ("interpolation", around("`{", "1", "}`", 20_000)),
            ("types", format!("type X = {}", "{".repeat(50_000))),
            (
                "types of functions",
                format!("type X = {}number", "() -> ".repeat(30_000)),
            ),
            (
                "types or types",
                format!("type X = number{}", " | number".repeat(20_000)),
            ),
            ("generic types", format!("type X = {}", "A<".repeat(50_000))),
            ("casts", format!("local x = x{}", " :: any".repeat(30_000))),
            (
                "brackets of a text",
                format!("local x = [{}[", "=".repeat(100_000)),
            ),
            (
                "a comment without an end",
                format!("--[[{}", "x".repeat(200_000)),
            ),
            (
                "a text without an end",
                format!("local x = \"{}", "x".repeat(200_000)),
            ),
            (
                "locals",
                (0..5_000).map(|n| format!("local a{n} = f()\n")).collect(),
            ),
            (
                "a mistake, then parentheses",
                format!("local = 1\nlocal x = {}", "(".repeat(50_000)),
            ),
            (
                "a mistake and parentheses in one line",
                format!("local = {}", "(".repeat(50_000)),
            ),
        ];
        for (what, text) in bombs {
            let (_, codes) = start_with_file(COMMAND_FILE, text);
            assert_eq!(codes, ["script/syntax"], "{what}");
        }
    });
}

#[test]
fn nesting_that_the_compiler_takes_is_no_harm_when_a_finding_is_placed() {
    on_game_thread(|| {
        let nested = [
            ("(", ")", 320),
            ("{", "}", 150),
            ("- ", "", 900),
            ("not ", "", 900),
            ("tostring(", ")", 150),
        ];
        for (open, close, times) in nested {
            let deep = format!("local x = {}1{}", open.repeat(times), close.repeat(times));
            let (game, codes) = start_with_file(COMMAND_FILE, command_source(&deep, "sumary = 1"));
            assert_eq!(codes, ["schema/unknown-key"], "{open}: {}", game.findings());
            assert!(
                game.findings().contains("hostile.luau:2:"),
                "{open}: {}",
                game.findings()
            );
        }
    });
}

#[test]
fn tables_that_hold_too_much_are_one_finding() {
    on_game_thread(|| {
        let tables = [
            (
                "itself many times",
                "local t = {}\nfor i = 1, 20 do t[i] = t end",
            ),
            (
                "itself by many names",
                "local t = {}\nfor i = 1, 20 do t[`k{i}`] = t end",
            ),
            ("a million numbers", "local t = table.create(1000000, 1)"),
            (
                "a long text many times",
                "local t = table.create(40000, string.rep(\"x\", 1000000))",
            ),
            (
                "long keys",
                "local t = {}\nfor i = 1, 20 do t[string.rep(\"x\", 100000) .. i] = 1 end",
            ),
        ];
        for (what, above) in tables {
            let (game, codes) =
                start_with_file(COMMAND_FILE, command_source(above, "modifiers = t"));
            assert_eq!(codes, ["limit/size"], "{what}: {}", game.findings());
        }
    });
}

#[test]
fn tables_of_a_strange_form_are_findings_at_most() {
    on_game_thread(|| {
        let tables = [
            ("deep", "local t = {}\nfor _ = 1, 100000 do t = { t } end"),
            (
                "with things as keys",
                "local t = { [print] = 1, [{}] = 2, [1.5] = 3, [true] = 4 }",
            ),
            ("with bytes", "local t = { [\"\\xff\"] = \"\\xfe\" }"),
            ("frozen", "local t = table.freeze({ 1 })"),
            (
                "lying",
                "local t = setmetatable({}, { __index = error, __len = error, __iter = error, __tostring = error })",
            ),
            (
                "a decimal, a buffer, a vector, null",
                "local t = { decimal(1), buffer.create(1), vector.create(1, 2, 3), null }",
            ),
            ("of strange numbers", "local t = { 0 / 0, 1 / 0, 1e300 }"),
            (
                "long in its mistakes",
                "local t = {}\nfor i = 1, 5000 do t[`key{i}`] = i end",
            ),
        ];
        for (what, above) in tables {
            let (game, codes) =
                start_with_file(COMMAND_FILE, command_source(above, "modifiers = t"));
            assert_eq!(codes, ["schema/unknown-key"], "{what}: {}", game.findings());
            let mistakes =
                command_source(above, "").replace("command {", "command(t) or command {");
            let (_, codes) = start_with_file(COMMAND_FILE, mistakes);
            assert!(
                codes.iter().all(|code| ["schema", "content", "limit"]
                    .contains(&code.split('/').next().unwrap_or_default())),
                "{what}: {codes:?}"
            );
        }
    });
}

#[test]
fn a_module_of_any_depth_is_sealed() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.write(
            "scripts/mini/pipeline/deep.luau",
            "local t = {}\nfor _ = 1, 150000 do t = { t } end\nreturn { t = t }",
        );
        home.command(
            "deep",
            "local t = require(\"pipeline/deep\").t\nwhile t[1] do\n  t = t[1]\nend\nreturn tostring(pcall(rawset, t, 1, 1))",
        );
        let mut game = Game::of(&home);
        assert_eq!(game.findings(), "");
        assert_eq!(game.text("deep"), "false");
    });
}

#[test]
fn files_that_pass_a_limit_while_loading_leave_the_others_alone() {
    on_game_thread(|| {
        let bombs = [
            ("limit/fuel", "while true do end"),
            (
                "limit/fuel",
                "string.find(string.rep(\"a\", 60000), string.rep(\".-\", 50) .. \"b\")",
            ),
            (
                "limit/memory",
                "local t = {}\nwhile true do\n  table.insert(t, table.create(1000000, 1))\nend",
            ),
            ("limit/size", "string.rep(\"x\", 1e9)"),
            ("script/error", "local function f() return 1 + f() end\nf()"),
            ("script/global", "x = 1"),
            ("script/no-module", "require(\"../../../etc/passwd\")"),
            ("script/argument", "definitions.list(\"commands\")"),
        ];
        let home = Scratch::mini();
        for (index, (_, body)) in bombs.iter().enumerate() {
            home.write(&format!("scripts/mini/commands/bomb{index}.luau"), body);
        }
        let (game, codes) = start_with_findings(&home);
        let expected: Vec<&str> = bombs.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, expected, "{}", game.findings());
        for (index, finding) in game
            .solo
            .session
            .generations()
            .live()
            .findings()
            .iter()
            .enumerate()
        {
            let place = finding
                .place
                .as_ref()
                .map(|place| place.source.name().to_owned());
            assert_eq!(
                place,
                Some(format!("scripts/mini/commands/bomb{index}.luau")),
                "{}",
                finding.message
            );
        }
    });
}

#[test]
fn many_files_that_loop_end_together() {
    on_game_thread(|| {
        let home = Scratch::mini();
        for index in 0..200 {
            home.write(
                &format!("scripts/mini/commands/loop{index:03}.luau"),
                "while true do end",
            );
        }
        home.remove("content/mini/letters/come_soon");
        let (_, codes) = try_start(&home, 100_000);
        assert!(codes.len() >= 200, "{codes:?}");
        assert!(codes.iter().all(|code| code == "limit/fuel"), "{codes:?}");
    });
}

/// Starts a game that may fail; returns whether it started, and the codes of the findings.
fn try_start(home: &Scratch, fuel: u64) -> (bool, Vec<String>) {
    let limits = Limits {
        fuel_callback: fuel,
        fuel_command: 5 * fuel,
        ..Limits::default()
    };
    let codes = |findings: &[Diagnostic]| {
        findings
            .iter()
            .map(|finding| finding.code.to_string())
            .collect()
    };
    match Game::start(
        home,
        EngineOptions {
            limits,
            ..EngineOptions::default()
        },
    ) {
        Ok(game) => (
            true,
            codes(game.solo.session.generations().live().findings()),
        ),
        Err(findings) => (false, codes(&findings)),
    }
}

#[test]
fn a_setup_that_fails_starts_no_game() {
    on_game_thread(|| {
        for (code, body) in [
            ("limit/fuel", "while true do end"),
            (
                "limit/memory",
                "local t = {}\nwhile true do\n  table.insert(t, buffer.create(1000000))\nend",
            ),
            ("script/error", "error(\"no\")"),
            ("mini/no", "return act:fail(\"no\", \"not today\")"),
        ] {
            let home = Scratch::mini();
            let ruleset = format!(
                "return ruleset {{ source = \"x\", name = \"Mini\", summary = \"x\", setup = function(act)\n{body}\nend }}"
            );
            home.write("scripts/mini/ruleset.luau", ruleset);
            let (started, codes) = try_start(&home, 2_000_000);
            assert!(!started, "{code}");
            assert_eq!(codes.last().map(String::as_str), Some(code), "{codes:?}");
        }
    });
}

#[test]
fn templates_and_shapes_without_an_end_are_findings() {
    on_game_thread(|| {
        for syntax in [
            "string.rep(\"[\", 20000)",
            "string.rep(\"[a \", 5000) .. string.rep(\"]\", 5000)",
            "string.rep(\"(\", 20000)",
            "string.rep(\"{x: \", 5000)",
            "string.rep(\"a|\", 100000)",
            "string.rep(\"word \", 100000)",
            "table.create(20000, \"hostile\")",
            "\"\"",
            "\"{\"",
            "\"\\0\"",
        ] {
            let text = format!(
                "return command {{ source = \"x\", summary = \"x\", syntax = {syntax}, run = function() end }}"
            );
            let (game, codes) = start_with_file(COMMAND_FILE, text);
            let known = |code: &String| {
                ["phrase/", "limit/", "schema/"]
                    .iter()
                    .any(|area| code.starts_with(area))
            };
            assert!(codes.iter().all(known), "{syntax}: {}", game.findings());
        }
        for shape in [
            "string.rep(\"list of \", 50000) .. \"string\"",
            "string.rep(\"string or \", 50000) .. \"string\"",
            "t",
        ] {
            let text = format!(
                "local t = {{}}\nt.t = t\nreturn schema {{ source = \"x\", summary = \"x\", folder = \"things\", format = \"luau\", keys = {{ a = {shape} }} }}"
            );
            let (game, codes) = start_with_file("scripts/mini/schemas/thing.luau", text);
            assert!(
                codes
                    .iter()
                    .all(|code| code.starts_with("schema/") || code.starts_with("limit/")),
                "{shape}: {}",
                game.findings()
            );
            assert!(!codes.is_empty(), "{shape}");
        }
    });
}

#[test]
fn commands_inside_commands_end() {
    on_game_thread(|| {
        let text = "return command { source = \"x\", summary = \"x\", syntax = \"again {a: Command}\", run = function(act) return act:done(\"again\") end }";
        let (mut game, codes) = start_with_file(COMMAND_FILE, text);
        assert_eq!(codes, Vec::<String>::new());
        assert_eq!(game.text("again mood ann"), "again");
        for times in [10, 100, 1_000] {
            let reply = game.line(&format!("{}mood ann", "again ".repeat(times)));
            let code = reply.refusal.map(|finding| finding.code.to_string());
            assert!(
                code.is_none_or(|code| code.starts_with("phrase/") || code.starts_with("limit/"))
            );
        }
        assert!(
            game.refusal(&"again ".repeat(1_300))
                .code
                .starts_with("phrase/")
        );
    });
}

#[test]
fn content_without_an_end_is_one_finding() {
    on_game_thread(|| {
        let bombs = [
            ("lists", "[".repeat(100_000)),
            ("maps", "{a: ".repeat(50_000)),
            (
                "indents",
                (0..2_000)
                    .map(|depth| format!("{}a:\n", " ".repeat(depth)))
                    .collect(),
            ),
            ("dashes", "- ".repeat(50_000)),
            (
                "anchors",
                "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n".to_owned(),
            ),
            ("merges", "a: &a {x: 1}\nb:\n  <<: *a\n".to_owned()),
            ("tags", "a: !!binary aGVsbG8=\n".to_owned()),
            ("documents", "a: 1\n---\nb: 2\n".to_owned()),
            ("keys twice", "name: Ann\nname: Bo\n".to_owned()),
            ("many values", format!("likes: [{}]", "1,".repeat(60_000))),
            ("a long number", format!("mood: {}", "9".repeat(100_000))),
            ("a number without an end", "mood: .inf\n".to_owned()),
        ];
        for (what, text) in bombs {
            let (game, codes) =
                start_with_file("content/mini/people/cy.yaml", format!("source: x\n{text}"));
            assert!(!codes.is_empty(), "{what}");
            assert!(codes.len() <= 120, "{what}: {} findings", codes.len());
            assert!(
                game.solo.timeline().state().names().find("cy").is_none(),
                "{what}: nobody came of it"
            );
        }
    });
}

#[test]
fn names_that_a_ruleset_finds_cannot_hold_the_prompt() {
    on_game_thread(|| {
        for (body, code) in [
            ("while true do end", "limit/fuel"),
            ("error({})", "script/error"),
            ("return table.create(1000000, \"x\")", "script/names"),
            ("return act:set(\"ann\", \"mood\", 9)", "script/read-only"),
            ("return { 1, {}, print }", "script/names"),
            ("return nil", "script/names"),
        ] {
            let home = Scratch::mini();
            let ruleset = format!(
                "return ruleset {{ source = \"x\", name = \"Mini\", summary = \"x\",
  types = {{ Person = {{ kind = \"person\" }}, Friend = {{ kind = \"person\" }}, Charm = {{ collection = \"charms\" }}, Thing = {{ names = function(act)\n{body}\nend }} }},
  setup = function(act) act:create(\"person\", {{ name = \"Ann\", mood = 4 }}, \"ann\") end }}"
            );
            home.write("scripts/mini/ruleset.luau", ruleset);
            home.remove("scripts/mini/schemas/letter.luau");
            home.remove("scripts/mini/commands/letter.luau");
            home.remove("scripts/mini/commands/heed.luau");
            home.write(
                COMMAND_FILE,
                "return command { source = \"x\", summary = \"x\", syntax = \"take {thing: Thing}\", run = function() end }",
            );
            let (mut game, codes) = start_with_findings(&home);
            assert_eq!(codes, Vec::<String>::new(), "{body}");
            let hash = game.hash();
            let refusal = game.refusal("take that");
            assert_eq!(refusal.code, code, "{body}: {}", refusal.message);
            assert_eq!(game.hash(), hash, "{body}");
            assert_eq!(game.text("mood ann"), "Ann feels 4.", "{body}");
        }
    });
}
