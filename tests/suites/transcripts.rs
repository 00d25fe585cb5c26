//! Runs the determinism checks over every transcript of the project, and shows that each check can
//! fail.

use std::fs;
use std::thread;

use arbiter_tests::{Game, Scratch, files_below, on_game_thread, project};
use host::game::{
    LawReport, Script, ScriptStep, Seed, check_laws_fully, check_state_round_trip, redo_all,
    undo_all, undo_and_redo_all,
};
use host::value::Value;

use crate::cause_trees::{SCENES, scenes_of_text};
use crate::program::arbiter_in_project;
use crate::why;

/// Returns the number of cases in the transcripts of the project.
fn count_project_cases() -> usize {
    let folders = ["scripts", "tests"].map(|folder| project().join(folder));
    let files = folders.iter().flat_map(|folder| files_below(folder));
    let transcripts = files.filter(|file| file.to_string_lossy().ends_with(".test.txt"));
    let cases = |text: String| text.lines().filter(|line| line.starts_with("--- ")).count();
    transcripts
        .map(|file| cases(fs::read_to_string(file).unwrap()))
        .sum()
}

/// Runs tests of the project and returns the numbers of passed cases and of lines run in new
/// sessions.
fn run_project_tests(flags: &[&str]) -> (usize, usize) {
    let jobs = thread::available_parallelism().unwrap().to_string();
    let ran = arbiter_in_project()
        .args(["test", "--mods", "tests/mini", "--jobs", &jobs])
        .args(flags)
        .output()
        .unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}", said(&ran.stdout));
    let summary = said(&ran.stderr);
    let numbers: Vec<usize> = summary
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    let [passed, 0, fresh] = numbers[..] else {
        panic!("{summary}");
    };
    (passed, fresh)
}

/// The only run of the transcripts in the commit check; their text is compared too.
#[test]
fn every_law_holds_over_every_transcript_of_the_project() {
    let (passed, fresh) = run_project_tests(&["--laws"]);
    assert!(
        passed >= count_project_cases() && count_project_cases() > 300,
        "{passed} of {}",
        count_project_cases()
    );
    assert!(fresh >= 80, "{fresh} lines in fresh sessions show little");
}

/// Parts are for several machines and nights: together they contain each case once.
#[test]
fn the_parts_of_the_laws_at_full_length_are_all_cases() {
    let folder = "tests/mini/scripts/mini/commands";
    let of_mini = |flags: &[&str]| run_project_tests(&[flags, &[folder]].concat());
    let whole = of_mini(&["--laws"]);
    let parts = ["1/3", "2/3", "3/3"].map(|part| of_mini(&["--laws=full", "--part", part]));
    let sum = |of: fn(&(usize, usize)) -> usize| parts.iter().map(of).sum::<usize>();
    assert_eq!((sum(|one| one.0), sum(|one| one.1)), whole);
    assert!(parts.iter().all(|(passed, _)| *passed > 0), "{parts:?}");
}

fn script_steps(lines: &[&str]) -> Vec<ScriptStep> {
    let one = |line: &&str| {
        let (by, line) = line.split_once(": ").unwrap_or(("gm", line));
        ScriptStep::line(by, line)
    };
    lines.iter().map(one).collect()
}

fn script_of_lines(lines: &[&str]) -> Script {
    Script {
        seed: Seed::from_text("the host's own tests"),
        settings: None,
        said: script_steps(lines),
    }
}

#[test]
fn every_law_holds_over_the_moments() {
    on_game_thread(|| {
        let mut game = Game::of_program(&Scratch::harbour(), "harbour");
        for (sentence, lines) in scenes_of_text(SCENES) {
            let before = lines.iter().take_while(|line| !line.starts_with('>'));
            let settings = before.filter_map(|line| line.split_once(": "));
            let lines = lines.iter().filter_map(|line| line.strip_prefix("> "));
            let lines: Vec<&str> = lines.collect();
            let script = Script {
                seed: Seed::from_text(sentence),
                settings: Some(Value::map(settings.map(|(key, value)| (key, value.into())))),
                said: script_steps(&lines),
            };
            let held = check_laws_fully(&mut game.solo, &script);
            assert!(held.broken.is_empty(), "{sentence}: {held:?}");
        }
    });
}

#[test]
fn every_law_holds_over_the_situations_that_are_explained() {
    on_game_thread(|| {
        let mut game = Game::of_program(&why::home_with_why_rules(), "mini");
        let lines = why::SITUATIONS.lines();
        let lines: Vec<&str> = lines
            .take_while(|line| !line.starts_with("! "))
            .filter_map(|line| line.strip_prefix("> "))
            .collect();
        let held = check_laws_fully(&mut game.solo, &script_of_lines(&lines));
        assert!(held.broken.is_empty(), "{held:?}");
        assert!(lines.len() > 60 && held.resumed > 0, "{held:?}");
    });
}

/// Rules that are not pure functions, with the checks that they break.
const IMPURE_RULES: [(&str, &str, &[&str], &str); 4] = [
    (
        "counts how often it ran",
        "count += 1 act:set('ann', 'mood', count)",
        &["try", "try"],
        "law/reload at Some(1), law/twice at Some(0)",
    ),
    (
        "keeps who came first",
        "first = first or act:by() return first",
        &["Ann: try", "Bo: try"],
        "law/reload at Some(1)",
    ),
    (
        "remembers that it asked",
        "if first then return 'again' end
         local yes = act:ask({ to = 'gm', key = 'sure', type = 'YesNo', text = 'Sure?' })
         first = true
         return tostring(yes)",
        &["try", "answer yes", "try"],
        "law/reload at Some(2), law/twice at Some(1)",
    ),
    (
        "numbers what it asks",
        "count += 1
         local yes = act:ask({ to = 'gm', key = 'sure', type = 'YesNo', text = 'Sure?' })
         return `{yes} {count}`",
        &["try", "answer yes"],
        "law/resume at Some(1), law/reload at Some(1), law/twice at Some(1)",
    ),
];

#[test]
fn what_a_rule_keeps_between_runs_breaks_laws() {
    on_game_thread(|| {
        for (does, body, lines, expected) in IMPURE_RULES {
            let home = Scratch::mini();
            home.command("try", body);
            home.edit(
                "scripts/mini/commands/try.luau",
                "local function body",
                "local first, count = nil, 0\nlocal function body",
            );
            let mut game = Game::of_program(&home, "mini");
            let held: LawReport = check_laws_fully(&mut game.solo, &script_of_lines(lines));
            let broken: Vec<String> = held
                .broken
                .iter()
                .map(|one| format!("{} at {:?}", one.finding.code, one.at))
                .collect();
            assert_eq!(broken.join(", "), expected, "a rule that {does}");
        }
    });
}

#[test]
fn a_history_that_does_not_lead_there_and_back_is_found() {
    let mut game = Game::mini();
    let first = game.solo.timeline().history().operations()[0].state;
    game.text("charm Ann with cheer");
    game.text("charm Bo with gloom");
    let (last, code) = (game.hash(), |found: Option<host::diag::Diagnostic>| {
        found.map(|finding| finding.code.to_string())
    });
    assert_eq!(code(undo_and_redo_all(&mut game.solo, first)), None);
    let undo = undo_and_redo_all(&mut game.solo, last);
    assert_eq!(code(undo).as_deref(), Some("law/undo"));
    assert_eq!(code(redo_all(&mut game.solo, 2, last)), None);
    for (missing, wrong) in [(1, last), (0, first)] {
        let undone = undo_all(&mut game.solo, first).unwrap();
        if missing > 0 {
            // A ruling in between clears the redo list.
            game.text("charm Ann with gloom");
        }
        let redo = redo_all(&mut game.solo, undone, wrong);
        assert_eq!(code(redo).as_deref(), Some("law/redo"));
    }
}

#[test]
fn bytes_that_are_not_those_of_the_state_are_found() {
    let mut game = Game::mini();
    let before = game.solo.timeline().state().to_bytes();
    game.text("charm Ann with cheer");
    let state = game.solo.timeline().state();
    let bytes = state.to_bytes();
    assert!(check_state_round_trip(state, &bytes).is_none());
    for wrong in [
        &before,
        &bytes[..bytes.len() - 1],
        &[bytes.as_slice(), b"x"].concat(),
    ] {
        let found = check_state_round_trip(state, wrong).expect("other bytes are no such state");
        assert_eq!(found.code, "law/bytes");
    }
}

#[test]
fn the_program_names_the_line_of_a_transcript_that_breaks_a_law() {
    let home = Scratch::mini();
    home.impure_command("try", "local kept", "kept = kept or act:by() return kept");
    let transcript =
        "--- whoever comes is told who came first\n> Ann: try\n| ...\n> Bo: try\n| ...\n";
    home.write("scripts/mini/commands/try.test.txt", transcript);
    let run = |laws: &[&str]| {
        let ran = arbiter_in_project()
            .args(["test", "--home"])
            .arg(home.path())
            .args(laws)
            .arg(home.path().join("scripts/mini/commands/try.test.txt"))
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (ran.status.code(), text(&ran.stdout) + &text(&ran.stderr))
    };
    let (code, said) = run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(&["--laws"]);
    assert_eq!(code, Some(1), "{said}");
    for part in [
        "try.test.txt:4: whoever comes",
        "> try",
        "error[law/reload]",
    ] {
        assert!(said.contains(part), "{part} is missing in:\n{said}");
    }
}

/// Runs the tests below a folder and returns the exit code and the output.
fn run_tests_below(home: &Scratch, flags: &[&str]) -> (i32, String) {
    let ran = arbiter_in_project()
        .current_dir(home.path())
        .arg("test")
        .args(flags)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let said = said + &String::from_utf8_lossy(&ran.stderr);
    (ran.status.code().unwrap(), said)
}

#[test]
fn expected_lines_are_written_anew_only_by_rules_that_load() {
    let home = Scratch::mini();
    let test = "scripts/mini/commands/try.test.txt";
    let wrong = "--- it answers\n> try\n| yes\n";
    home.command("try", "return \"no\"");
    home.write(test, wrong);
    let text = || fs::read_to_string(home.path().join(test)).unwrap();
    home.write("scripts/mini/commands/broken.luau", "return command {");
    let (exit, said) = run_tests_below(&home, &["--bless", test]);
    assert_eq!((exit, text().as_str()), (3, wrong), "{said}");
    for part in [
        "error[script/syntax]",
        "error[test/not-blessed]: no expected lines were written, because the rules of mini do not load",
    ] {
        assert!(said.contains(part), "{part} is missing in:\n{said}");
    }
    fs::remove_file(home.path().join("scripts/mini/commands/broken.luau")).unwrap();
    let (exit, said) = run_tests_below(&home, &["--bless", test]);
    assert_eq!((exit, text()), (0, wrong.replace("yes", "no")), "{said}");
}

#[test]
fn a_folder_of_mods_counts_once_however_often_it_is_named() {
    let home = Scratch::mini();
    let mods = home.path().join("tests/toy");
    for part in ["scripts", "content"] {
        fs::create_dir_all(mods.join(part)).unwrap();
        let (from, to) = (
            home.path().join(part).join("mini"),
            mods.join(part).join("mini"),
        );
        fs::rename(from, to).unwrap();
    }
    let test = "tests/toy/scripts/mini/commands/mood.test.txt";
    let before = fs::read_to_string(home.path().join(test)).unwrap();
    for mods in [
        &["--mods", "tests/toy"][..],
        &["--mods", "tests/toy", "--mods", "tests/../tests/toy"],
    ] {
        let flags = [&["--bless", "tests/toy"][..], mods].concat();
        let (exit, said) = run_tests_below(&home, &flags);
        assert_eq!(exit, 0, "{said}");
        assert!(said.contains(" passed, 0 failed, 0 blessed"), "{said}");
    }
    assert_eq!(fs::read_to_string(home.path().join(test)).unwrap(), before);
}

/// Returns a home with a command that asks, one that rolls, and one that is refused.
fn home_with_three_commands() -> Scratch {
    let home = Scratch::mini();
    home.command(
        "ask",
        "return act:done(tostring(act:ask({ to = \"gm\", key = \"sure\", type = \"YesNo\", text = \"Sure?\" })))",
    );
    home.command(
        "dice6",
        "return act:done(tostring(act:roll(\"1d6\", \"a try\")))",
    );
    home.command("never", "return act:fail(\"never\", \"it never works\")");
    home
}

#[test]
fn answers_dice_and_refusals_of_a_case_are_held_to_what_it_says() {
    let home = home_with_three_commands();
    let test = "scripts/mini/commands/ask.test.txt";
    let tried = |case: &str| {
        home.write(test, format!("--- it is so\n{case}"));
        run_tests_below(&home, &[test])
    };
    for right in [
        "> ask\n? * = yes\n| true\n",
        "answers: no\n> ask\n| false\n",
        "answers: no\n> ask\n? sure = yes\n| true\n",
        "dice: typed\n> dice next d6:4\n| ...\n> dice6\n| 4\n",
        "> never\n| refused\n",
        "> never\n| refused[mini/never]: it never works\n",
        "> dice6\n| ...\n",
    ] {
        let (exit, said) = tried(right);
        assert_eq!(exit, 0, "{right}{said}");
    }
    for (wrong, told) in [
        ("> dice6\n? * = yes\n| ...\n", "does not ask a question"),
        ("dice: typed\n> dice6\n| ...\n", "test/untyped-dice"),
        (
            "dice: typed\n> dice next d6:4 d6:5\n| ...\n> dice6\n| 4\n",
            "the command did not roll these typed dice: d6:5",
        ),
        ("> never\n| ...\n", "it never works"),
        ("> dice6\n| refused\n", "refused"),
    ] {
        let (exit, said) = tried(wrong);
        assert!(exit != 0 && said.contains(told), "{wrong}{told}: {said}");
    }
}

/// Cases in a file format of the ruleset become a transcript, and the name of the transcript shows
/// this.
#[test]
fn cases_of_a_file_of_another_form_are_those_that_the_ruleset_makes_of_it() {
    let home = Scratch::mini();
    let cases = r#"  cases = function(act, file)
    local lines = {}
    for _, block in file.blocks or {} do
      table.insert(lines, `--- {block.data.name}\n> mood {block.data.who}\n| {block.data.says}\n`)
    end
    if #lines == 0 then
      return act:fail("no-cases", "there are no cases in it")
    end
    return table.concat(lines, "\n")
  end,
}"#;
    let ruleset = "scripts/mini/ruleset.luau";
    let text = fs::read_to_string(home.path().join(ruleset)).unwrap();
    let (head, _) = text.rsplit_once('}').unwrap();
    home.write(ruleset, format!("{head}{cases}\n"));
    let block = |says: &str| {
        format!("# Moods\n\n```yaml\nname: Ann is well\nwho: Ann\nsays: {says}\n```\n")
    };
    let run = |text: &str| {
        home.write("moods.md", text);
        run_tests_below(&home, &["--ruleset", "mini", "moods.md"])
    };
    let (exit, said) = run(&block("Ann feels 4."));
    assert!(exit == 0 && said.contains("1 passed"), "{said}");
    let (exit, said) = run(&block("Ann feels 5."));
    assert!(
        exit == 1 && said.contains("moods.md, as a transcript:2: Ann is well"),
        "{said}"
    );
    let (exit, said) = run("nothing\n");
    assert!(
        exit != 0 && said.contains("there are no cases in it"),
        "{said}"
    );
    let (exit, said) = run("```json\n{\"a\": }\n```\n");
    assert!(exit != 0 && said.contains("moods.md:2"), "{said}");
}

/// The message of a broken script is not accepted as expected; an author who means it writes its
/// code first.
#[test]
fn an_error_of_a_script_is_shown_whole_and_not_written_as_expected() {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/commands/stumble.luau",
        "--!strict\nreturn command {\n  source = \"a test\", summary = \"breaks\", syntax = \"stumble\",\n  run = function(act)\n    local nobody = nil :: any\n    return act:done(nobody.name)\n  end,\n}\n",
    );
    let test = "scripts/mini/commands/stumble.test.txt";
    let place = home.path().join(test);
    let text = "--- it stumbles\n> stumble\n| a fall\n> mood Ann\n| Ann feels 9.\n";
    home.write(test, text);
    let (exit, said) = run_tests_below(&home, &[test]);
    assert_eq!(exit, 1, "{said}");
    let at = "--> scripts/mini/commands/stumble.luau:6:";
    assert!(
        said.contains("error[script/error]") && said.contains(at),
        "{said}"
    );
    let (exit, said) = run_tests_below(&home, &["--bless", test]);
    assert!(exit == 1 && said.contains("1 failed, 1 blessed"), "{said}");
    assert!(
        said.contains(at) && said.contains("write | error[script/error] below"),
        "{said}"
    );
    let kept = text.replace("9.", "4.");
    assert_eq!(fs::read_to_string(&place).unwrap(), kept);
    home.write(test, kept.replace("a fall", "error[script/error]"));
    let (exit, said) = run_tests_below(&home, &["--bless", test]);
    assert!(exit == 0 && said.contains("1 blessed"), "{said}");
    let written = fs::read_to_string(&place).unwrap();
    assert!(written.contains("\n| error[script/error]: "), "{written}");
}

/// The home already has the mod and uses its own; the output says this to people who test the other
/// one.
#[test]
fn a_mod_that_is_there_twice_is_told_where_no_tests_are_found() {
    let home = Scratch::mini();
    home.write("other/scripts/mini/ruleset.luau", "return {}\n");
    home.write(
        "other/scripts/mini/commands/try.test.txt",
        "--- it answers\n> try\n| yes\n",
    );
    let (exit, said) = run_tests_below(&home, &["--mods", "other", "other/scripts/mini"]);
    assert_eq!(exit, 2, "{said}");
    assert!(
        said.contains("content/duplicate-mod") && said.contains("test/none"),
        "{said}"
    );
    assert!(
        said.contains("--> other\n") && !said.contains(":1:1"),
        "{said}"
    );
}
