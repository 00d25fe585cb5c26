//! Tests that unreachable syntax lines and unused words are found before play: by a check and by a
//! reload, which still accepts the rules.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;
use host::game::{ReloadResult, check_ruleset};
use host::script::{Compiled, HostPhrase};

fn finding_as_text(finding: &Diagnostic) -> String {
    let place = finding.place.as_ref().expect("it has a place");
    let at = place.source.slice(place.span);
    let file = place.source.name().rsplit('/').next().unwrap_or_default();
    format!("{} in {file} at {at}: {}", finding.code, finding.message)
}

/// Writes a command with one syntax line.
fn write_command_with_syntax(home: &Scratch, name: &str, syntax: &str) {
    let text = format!(
        "return command {{\n source = \"a test\",\n summary = \"a test\",\n syntax = \"{syntax}\",\n run = function(act) return act:done(\"{name}\") end,\n}}\n"
    );
    home.write(&format!("scripts/mini/commands/{name}.luau"), text);
}

/// Two commands, and the finding in the second one.
const SYNTAX_CLASHES: [(&str, &str, &str); 5] = [
    (
        "amble {x: Word}",
        "amble {y: Word} [{how: now}]",
        "phrase/same-line in zone.luau at amble {y: Word} [{how: now}]: \"amble something\" fits this line and also \"amble {x: Word}\" of the command \"area\", which is used",
    ),
    (
        "amble {x: Person}",
        "amble {y: Person}",
        "phrase/same-line in zone.luau at amble {y: Person}: \"amble Bo\" fits this line and also \"amble {x: Person}\" of the command \"area\", which is used",
    ),
    (
        "amble {x: Word} home",
        "amble far {y: Word}",
        "phrase/same-line in zone.luau at amble far {y: Word}: \"amble far home\" fits this line and also \"amble {x: Word} home\" of the command \"area\", which is used",
    ),
    (
        "amble",
        "walk [softly]",
        "phrase/unseen-word in zone.luau at [softly]: no slot holds [softly]: the script cannot see whether it was typed",
    ),
    ("amble {x: Word}", "amble home [softly|]", ""),
];

#[test]
fn a_check_finds_lines_that_another_reads_as_well_and_words_that_no_script_sees() {
    for (first, second, expected) in SYNTAX_CLASHES {
        let home = Scratch::mini();
        write_command_with_syntax(&home, "area", first);
        write_command_with_syntax(&home, "zone", second);
        let checked = check_ruleset(&home.home(), "mini", &[]).expect("it can be checked");
        let found: Vec<String> = checked.findings.iter().map(finding_as_text).collect();
        assert_eq!(found.join("\n"), expected, "{first} | {second}");
        let is_warning = |one: &Diagnostic| !one.is_error() && !one.hints.is_empty();
        assert!(checked.findings.iter().all(is_warning));
    }
}

#[test]
fn a_reload_tells_them_and_takes_the_rules() {
    on_game_thread(|| {
        for (first, second, expected) in SYNTAX_CLASHES {
            let home = Scratch::mini();
            write_command_with_syntax(&home, "area", first);
            let mut game = Game::of(&home);
            write_command_with_syntax(&home, "zone", second);
            let ReloadResult::Swapped { findings, .. } =
                game.solo.session.reload(Compiled::default())
            else {
                panic!("not taken: {second}");
            };
            let found: Vec<String> = findings.iter().map(finding_as_text).collect();
            assert_eq!(found.join("\n"), expected, "{first} | {second}");
            // A swap of the two files changes nothing: both lines exist as before.
            home.write("scripts/mini/pipeline/other.luau", "return {}\n");
            game.solo.session.reload(Compiled::default());
        }
    });
}

#[test]
fn a_line_that_a_command_of_the_host_reads_is_found_too() {
    let home = Scratch::mini();
    write_command_with_syntax(&home, "zone", "leap {y: Word}");
    let host = HostPhrase {
        id: "jump".to_owned(),
        syntax: vec!["leap {where: Rest}".to_owned()],
    };
    let checked = check_ruleset(&home.home(), "mini", &[host]).expect("it can be checked");
    let found: Vec<String> = checked.findings.iter().map(finding_as_text).collect();
    assert_eq!(
        found,
        [
            "phrase/same-line in zone.luau at leap {y: Word}: \"leap something\" fits this line and also \"leap {where: Rest}\", a built-in command, which is used"
        ]
    );
}

#[test]
fn a_field_of_the_rules_with_the_name_kind_is_shown_beside_the_kind_of_the_row() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command(
            "go",
            "act:create('person', { kind = 'sword', name = 'Zed' }, 'zed') act:attach('ann', 'charm', { kind = 'sword' })",
        );
        let mut game = Game::of(&home);
        game.text("go");
        let shown = game.text("show zed");
        assert!(shown.contains("Zed person zed"), "{shown}");
        assert!(
            shown.contains("kind:") && shown.contains("sword"),
            "{shown}"
        );
        let shown = game.text("show ann");
        assert!(shown.contains("charm#1 kind sword"), "{shown}");
        assert!(!game.text("show bo").contains("kind:"));
    });
}

#[test]
fn a_field_that_records_have_from_the_host_is_shown_where_rules_give_it_to_an_entity() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command(
            "go",
            "for _, name in { 'number', 'source', 'as', 'cause' } do act:set('ann', name, 7) end",
        );
        let mut game = Game::of(&home);
        game.text("go");
        let shown = game.text("show ann");
        for name in ["number", "source", "as", "cause"] {
            assert!(shown.contains(&format!("{name}:")), "{name}: {shown}");
        }
        game.text("charm ann with cheer");
        let record = game.text("show record charm#1");
        assert!(
            !record.contains("number:") && !record.contains("owner:"),
            "{record}"
        );
    });
}
