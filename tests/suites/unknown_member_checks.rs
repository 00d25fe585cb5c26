//! Tests that unknown names are found before their line runs: by a check, and by a reload, which
//! rejects rules with these errors.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::{Diagnostic, apply_fixes};
use host::game::{ReloadResult, check_ruleset};
use host::script::Compiled;

fn finding_as_text(finding: &Diagnostic) -> String {
    let place = finding.place.as_ref().expect("it has a place");
    let at = place.source.slice(place.span);
    let hints = finding.hints.join(" / ");
    format!("{} at {at}: {} ({hints})", finding.code, finding.message)
}

/// Commands that load but fail the check, with the findings.
const BROKEN_COMMANDS: [(&str, &str); 7] = [
    (
        "act:sey('public', 'x')",
        "script/no-member at sey: `act` has no method `sey` (did you mean \"say\" or \"set\"?)",
    ),
    (
        "local of = { act = act }; of.act:sey('public', 'x')",
        "script/no-member at sey: `act` has no method `sey` (did you mean \"say\" or \"set\"?)",
    ),
    (
        "return math.random(6)",
        "script/no-member at random: `math` has no function `random` (use act:roll, act:pick or act:shuffle for random results)",
    ),
    (
        "return list.mapp({}, tostring)",
        "script/no-member at mapp: `list` has no function `mapp` (did you mean \"map\"?)",
    ),
    (
        "local letters = require(\"pipeline/letters\"); return letters.haed",
        "script/no-member at haed: `letters` has no `haed` (did you mean \"head\" or \"read\"?)",
    ),
    (
        "return poll.opne(act, {})",
        "script/no-member at opne: `poll` has no function `opne` (did you mean \"open\"?)",
    ),
    (
        "return letters.head",
        "script/undeclared at letters: there is no `letters` (did you mean \"letter\"?)",
    ),
];

#[test]
fn a_check_finds_what_a_table_has_not() {
    for (body, expected) in BROKEN_COMMANDS {
        let home = Scratch::mini();
        home.command("go", body);
        let checked = check_ruleset(&home.home(), "mini", &[]).expect("it can be checked");
        let found: Vec<String> = checked.findings.iter().map(finding_as_text).collect();
        assert_eq!(found, [expected], "{body}");
    }
}

#[test]
fn a_reload_takes_no_rules_that_a_check_calls_broken() {
    on_game_thread(|| {
        for (body, expected) in BROKEN_COMMANDS {
            let home = Scratch::mini();
            home.command("go", "act:say('public', 'as before')");
            let mut game = Game::of(&home);
            home.command("go", body);
            let ReloadResult::Kept { findings } = game.solo.session.reload(Compiled::default())
            else {
                panic!("taken: {body}");
            };
            let found: Vec<String> = findings.iter().map(finding_as_text).collect();
            assert_eq!(found, [expected], "{body}");
            assert_eq!(game.text("go"), "as before");
            home.command("go", "act:say('public', 'mended')");
            let reloaded = game.solo.session.reload(Compiled::default());
            assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
            assert_eq!(game.text("go"), "mended");
        }
    });
}

#[test]
fn a_function_that_leaves_its_module_breaks_those_that_require_it() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let module = "scripts/mini/pipeline/harm.luau";
        home.write(module, "return { hurt = function() return 'ouch' end }\n");
        home.command(
            "go",
            "local harm = require('pipeline/harm'); return harm.hurt()",
        );
        let mut game = Game::of(&home);
        home.write(module, "return { heal = function() return 'ah' end }\n");
        let ReloadResult::Kept { findings } = game.solo.session.reload(Compiled::default()) else {
            panic!("taken");
        };
        let found: Vec<String> = findings.iter().map(finding_as_text).collect();
        assert_eq!(
            found,
            ["script/no-member at hurt: `harm` has no function `hurt` ()"]
        );
        assert_eq!(game.text("go"), "ouch");
    });
}

/// Renamed members, with the name that a check writes.
const RENAMED_MEMBERS: [(&str, &str); 6] = [
    (
        "act:during(nil, 'line 1', print)",
        "act:with_cause(nil, 'line 1', print)",
    ),
    ("act:defer('bells', {})", "act:enqueue('bells', {})"),
    ("act:draw({ 6 })", "act:roll_faces({ 6 })"),
    ("act:slot()", "act:ruling_number()"),
    (
        "return match.near('a', { 'b' })[1]",
        "return fuzzy.near('a', { 'b' })[1]",
    ),
    ("remember(tostring)", "memoize(tostring)"),
];

/// Recorded rules with old names work without a warning; a check of live scripts reports and writes
/// the new names.
#[test]
fn old_names_work_and_a_check_writes_the_new_ones() {
    on_game_thread(|| {
        for (old, now) in RENAMED_MEMBERS {
            let home = Scratch::mini();
            home.command("go", old);
            let mut game = Game::of(&home);
            assert!(game.line("go").refusal.is_none(), "{old}");
            let checked = check_ruleset(&home.home(), "mini", &[]).expect("it can be checked");
            let [finding] = &checked.findings[..] else {
                panic!("{old}: {:?}", checked.findings);
            };
            assert_eq!(finding.code, "script/renamed", "{old}");
            let place = finding.place.as_ref().expect("it has a place");
            let fix = finding.fix.clone().expect("it can be written");
            let (text, _) = apply_fixes(place.source.text(), &[fix]);
            assert!(text.contains(now), "{old}: {text}");
        }
    });
}
