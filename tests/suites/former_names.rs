//! Tests that a mod with former names works, that a check reports the present names, and that
//! `check --fix` writes them.

use arbiter_tests::{Game, Scratch, on_game_thread, project};

use super::program::arbiter_in_project;

/// The schema of a mod in former names.
const TIDE_SCHEMA: &str = r#"--!strict
-- Tides: how high the water stands.
return contract {
  source = "a test",
  summary = "A tide.",
  folder = "tides",
  reads = "yaml",
  called = { "name", "names" },
  keys = { source = "text", name = "name", ["names?"] = "list of text", height = "whole 0..9", ["spring?"] = "bool" },
  check = function(tide, report)
    if tide.height == 9 then
      report { at = { "height" }, code = "flood", message = "that is a flood", kept = true }
    end
  end,
}
"#;

const TIDE_CONTENT: &str = "source: a test\nname: Ebb\nheight: 2\n";

const WADE_COMMAND: &str = r#"--!strict
-- Wade: somebody walks into the water.
return command {
  source = "a test",
  summary = "somebody walks into the water",
  syntax = { "wade {depth: Whole}", "depth" },
  looks = "depth",
  run = function(act, args)
    if args.depth == nil then
      return act:done(`{act:get("ann", "wet")}`)
    end
    local only = { stat = "wet", op = "add", value = args.depth, guard = "(owner.mood, 99, <)", over = { kind = "person" } }
    act:attach("ann", "water", {}, { modifiers = { only }, ends = { time = 60 }, seen = "gm" })
    return act:done(`{definitions.get("tides", "ebb").height}`)
  end,
}
"#;

fn home_in_former_names() -> Scratch {
    let home = Scratch::mini();
    home.write("scripts/mini/contracts/tide.luau", TIDE_SCHEMA);
    home.write("content/mini/tides/ebb.yaml", TIDE_CONTENT);
    home.write("scripts/mini/commands/wade.luau", WADE_COMMAND);
    home.edit(
        "scripts/mini/ruleset.luau",
        "  stats = {",
        "  stats = {\n    wet = { base = 0, fold = \"in_order\", seen = \"owner\", summary = \"how wet somebody is\" },",
    );
    home
}

fn run_check(home: &Scratch, flags: &[&str]) -> String {
    let mut command = arbiter_in_project();
    let command = command.arg("check").args(flags).arg("--home");
    let output = command.arg(home.path()).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

fn read_file(home: &Scratch, path: &str) -> String {
    std::fs::read_to_string(home.path().join(path)).unwrap()
}

#[test]
fn a_mod_in_former_names_works() {
    on_game_thread(|| {
        let mut game = Game::of(&home_in_former_names());
        assert_eq!(game.text("wade 3"), "2");
        assert_eq!(game.text("depth"), "3");
        let findings = game.solo.session.generations().live().findings();
        assert!(
            findings.iter().all(|one| one.code == "script/renamed"),
            "{findings:?}"
        );
    });
}

#[test]
fn a_check_says_the_present_names_and_writes_them() {
    let home = home_in_former_names();
    let told = run_check(&home, &[]);
    for name in [
        "the folder `contracts` is called `schemas` now",
        "`contract` is called `schema` now",
        "`reads` is called `format` now",
        "`called` is called `name_keys` now",
        "`text` is called `string` now",
        "`whole` is called `integer` now",
        "`bool` is called `boolean` now",
        "`kept` is called `still_loads` now",
        "`looks` is called `query` now",
        "`Whole` is called `Integer` now",
        "`guard` is called `only_if` now",
        "`over` is called `aura` now",
        "`ends` is called `duration` now",
        "`seen` is called `visible_to` now",
        "`fold` is called `stacking` now",
    ] {
        assert!(told.contains(name), "{name}\n{told}");
    }
    run_check(&home, &["--fix"]);
    let schema = read_file(&home, "scripts/mini/contracts/tide.luau");
    let command = read_file(&home, "scripts/mini/commands/wade.luau");
    for (text, part) in [
        (&schema, "return schema {"),
        (&schema, "format = \"yaml\",\n  name_keys = {"),
        (
            &schema,
            "[\"names?\"] = \"list of string\", height = \"integer 0..9\", [\"spring?\"] = \"boolean\"",
        ),
        (&schema, "still_loads = true"),
        (
            &command,
            "syntax = { \"wade {depth: Integer}\", \"depth\" },\n  query = \"depth\",",
        ),
        (&command, "only_if = \"(owner.mood, 99, <)\", aura = { kind"),
        (&command, "duration = { time = 60 }, visible_to = \"gm\""),
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let left = run_check(&home, &[]);
    assert_eq!(left.matches("[script/renamed]").count(), 1, "{left}");
    home.write("scripts/mini/schemas/tide.luau", schema);
    home.remove("scripts/mini/contracts/tide.luau");
    let left = run_check(&home, &[]);
    assert!(!left.contains("script/renamed"), "{left}");
    on_game_thread(|| assert_eq!(Game::of(&home).text("wade 3"), "2"));
}

/// Writes the rules of a saved game as the files of a home, and returns it.
fn home_with_recorded_rules(ruleset: &str) -> Scratch {
    let home = Scratch::empty();
    let saved = project().join("tests/saves").join(ruleset);
    let journal = std::fs::read_to_string(saved.join("journal.jsonl")).expect("a journal");
    let (_, list) = journal
        .split_once("\"rules\":\"")
        .expect("a ruling names its rules");
    let (list, _) = list.split_once('"').expect("a text ends");
    let stored = |hash: &str| std::fs::read(saved.join("rules").join(hash)).expect("a kept file");
    let list = String::from_utf8(stored(list)).expect("a list of files");
    for line in list.lines() {
        let (hash, path) = line.split_once("  ").expect("a hash and a path");
        home.write(path, stored(hash));
    }
    home
}

/// The number of errors that a check reports in its last line.
fn error_count(report: &str) -> u32 {
    let last = report.lines().last().unwrap_or_default();
    let count = last.split(' ').next().and_then(|word| word.parse().ok());
    count.unwrap_or_else(|| panic!("no count in {last}"))
}

/// The rules of games that were saved before the renames are mods in former names, and real ones.
#[test]
fn fixes_of_former_names_make_no_error_in_recorded_rules() {
    for ruleset in ["dungeon", "features", "fortune", "opend6", "wwrf"] {
        let home = home_with_recorded_rules(ruleset);
        let before = run_check(&home, &[]);
        assert!(before.matches("script/renamed").count() > 90, "{before}");
        run_check(&home, &["--fix"]);
        let after = run_check(&home, &[]);
        assert_eq!(error_count(&after), error_count(&before), "{after}");
        assert!(!after.contains("--fix can fix"), "{after}");
        assert!(
            !after.contains("let `arbiter check --fix` write it"),
            "{after}"
        );
    }
}

const DUSK_COMMAND: &str = r#"--!strict
-- Dusk: the evening of a date.
local calendar = require("library/calendar")
return command {
  source = "a test",
  summary = "the evening of a date",
  syntax = "dusk",
  run = function(act)
    act["defer"]("evenings", { at = calendar.read("2010-07-05 10:00") })
    return act:done("dusk")
  end,
}
"#;

#[test]
fn former_names_of_the_shared_library_are_answered_with_the_present_ones() {
    let home = Scratch::mini();
    home.write("scripts/mini/commands/dusk.luau", DUSK_COMMAND);
    let told = run_check(&home, &[]);
    for now in [
        "`calendar.read` is called `calendar.parse_date` now",
        "`defer` is called `enqueue` now",
    ] {
        assert!(told.contains(now), "{now}\n{told}");
    }
    run_check(&home, &["--fix"]);
    let fixed = read_file(&home, "scripts/mini/commands/dusk.luau");
    let present = r#"act["enqueue"]("evenings", { at = calendar.parse_date("#;
    assert!(fixed.contains(present), "{fixed}");
    let moved = DUSK_COMMAND.replace("library/calendar", "library/polling");
    home.write("scripts/mini/commands/dusk.luau", moved);
    let told = run_check(&home, &[]);
    assert!(told.contains("it is \"library/poll_lookup\" now"), "{told}");
}

/// A former name is only a warning beside an error.
#[test]
fn a_former_name_beside_a_mistake_is_only_a_warning() {
    let home = home_in_former_names();
    home.edit(
        "scripts/mini/ruleset.luau",
        "  stats = {",
        "  bogus = true,\n  stats = {",
    );
    let told = run_check(&home, &[]);
    assert_eq!(told.matches("[schema/unknown-key]").count(), 1, "{told}");
    for name in [
        "`fold` is called `stacking` now",
        "`seen` is called `visible_to` now",
    ] {
        assert!(told.contains(name), "{name}\n{told}");
    }
}

/// Lines of saved games begin with former words: they are understood, and the answer names the
/// present word.
#[test]
fn a_former_word_of_a_command_is_understood_and_the_present_one_is_said() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = Game::of_program(&home, "mini");
        for (line, now) in [
            ("prompts", "`prompts` is called `questions` now"),
            ("orders", "`orders` is called `always` now"),
            ("Goto 1", "`goto` is called `view` now"),
            ("goto", "`goto` is called `view` now"),
            ("auto show", "`auto` is called `plan mode` now"),
        ] {
            let said = game.text(line);
            assert!(said.contains(now), "{line}: {said}");
        }
        assert!(game.text("plan mode").contains("what each step changed"));
        for (word, now) in [
            ("goto", "view"),
            ("defer", "enqueue"),
            ("act:defer", "enqueue"),
            ("fold", "stacking"),
            ("looks", "query"),
            ("element", "listener"),
            ("seen", "visible_to"),
            ("laws", "--determinism"),
            ("Whole", "Integer"),
            ("whole", "fully_read` or `integer"),
        ] {
            let refusal = game.refusal(&format!("help {word}"));
            let hint = format!("`{word}` is called `{now}` now");
            assert_eq!(refusal.hints, [hint], "{word}");
        }
    });
}

/// A ruleset with a command of that word keeps its own command.
#[test]
fn a_command_of_a_ruleset_goes_before_a_former_word() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("goto", "return act:done('gone')");
        let mut game = Game::of_program(&home, "mini");
        assert_eq!(game.text("goto"), "gone");
    });
}

/// People type former names as they stand in scripts, in a shell or at the start of a line.
#[test]
fn help_knows_former_names_with_the_marks_around_them() {
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::mini(), "mini");
        for (words, old, now) in [
            ("goto 3", "goto", "view"),
            ("auto show", "auto", "plan mode"),
            ("act:slot()", "act:slot()", "ruling_number"),
            ("act.slot", "act.slot", "ruling_number"),
            ("--laws", "--laws", "--determinism"),
        ] {
            let refusal = game.refusal(&format!("help {words}"));
            let hint = format!("`{old}` is called `{now}` now");
            assert_eq!(refusal.hints, [hint], "{words}");
        }
        let refusal = game.refusal("why not goto 1");
        assert!(
            refusal.message.contains("\"view 1\" is built in"),
            "{refusal:?}"
        );
        let hint = "`goto` is called `view` now";
        assert!(refusal.hints.iter().any(|one| one == hint), "{refusal:?}");
    });
}
