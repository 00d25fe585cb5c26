//! Tests the check functions of schemas: their findings, the places, and the fate of the
//! definitions.

use std::sync::Arc;

use arbiter_tests::{Game, Scratch};
use host::diag::Diagnostic;
use host::game::ReloadResult;
use host::script::Compiled;
use serde_json::Value as Json;

use super::program::arbiter_in_project;

const SCHEMA_FILE: &str = "scripts/mini/schemas/person.luau";
const PERSON_FILE: &str = "content/mini/people/cy.yaml";
const CY_CONTENT: &str = "source: x\nname: Cy\nmood: 4\nlikes: [cheer, 'gloom']\n";

/// Returns the toy ruleset with Cy and a schema with this check of people.
fn home_with_schema_check(check: &str) -> Scratch {
    let home = Scratch::mini();
    home.write(
        SCHEMA_FILE,
        format!(
            "return schema {{ source = \"x\", summary = \"x\", folder = \"people\", format = \"yaml\",
  keys = {{ source = \"string\", name = \"name\", mood = \"integer 0..10?\", likes = \"list of ref of charms?\" }},
  check = function(person, report)
{check}
  end }}\n"
        ),
    );
    home.write(PERSON_FILE, CY_CONTENT);
    home
}

/// Returns the same home with a check of Cy alone.
fn home_with_check_of_cy(check: &str) -> Scratch {
    home_with_schema_check(&format!("if person.id == 'cy' then {check} end"))
}

fn run_check(home: &Scratch, flags: &[&str]) -> (i32, String) {
    let mut command = arbiter_in_project();
    let command = command.arg("check").args(flags).arg("--home");
    let output = command.arg(home.path()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

/// Returns the findings with their places: `code line:column-end "text at the place": message`.
fn checked_findings(home: &Scratch) -> Vec<String> {
    let game = Game::start(home, host::script::EngineOptions::default());
    match game {
        Ok(game) => findings_as_text(game.solo.session.generations().live().findings()),
        Err(findings) => findings_as_text(&findings),
    }
}

fn findings_as_text(findings: &[Diagnostic]) -> Vec<String> {
    let show = |one: &Diagnostic| {
        let place = one.place.as_ref().unwrap();
        let at = place.source.position(place.span.start);
        let what = place.source.slice(place.span);
        let (file, code) = (place.source.name(), &one.code);
        let file = file.rsplit('/').next().unwrap();
        format!(
            "{file}:{}:{} {code} {what:?}: {}",
            at.line, at.column, one.message
        )
    };
    findings.iter().map(show).collect()
}

#[test]
fn a_finding_is_shown_at_its_place_with_its_hints() {
    let home = home_with_check_of_cy(
        "report { at = { 'likes', 2 }, code = 'too-sad', message = 'Cy is too sad', hint = { 'cheer Cy', 'or not' } }",
    );
    let (exit, text) = run_check(&home, &[]);
    assert_eq!(exit, 1, "{text}");
    let expected = "error[mini/too-sad]: Cy is too sad";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("content/mini/people/cy.yaml:4:16"), "{text}");
    assert!(text.contains("4 | likes: [cheer, 'gloom']"), "{text}");
    assert!(text.contains("                ^^^^^^^"), "{text}");
    assert!(
        text.contains("cheer Cy") && text.contains("or not"),
        "{text}"
    );
}

#[test]
fn a_finding_is_told_to_programs_with_its_place() {
    let home = home_with_check_of_cy(
        "report { at = { 'mood' }, key = true, code = 'a/b', message = 'm', severity = 'warning', hint = 'h' }",
    );
    let (exit, text) = run_check(&home, &["--format", "json"]);
    assert_eq!(exit, 0, "{text}");
    let told = text.lines().find(|line| line.contains("a/b")).unwrap();
    let told: Json = serde_json::from_str(told).unwrap();
    let keys = [
        "path",
        "line",
        "column",
        "end_line",
        "end_column",
        "severity",
        "code",
        "message",
        "hints",
    ];
    let values = keys.map(|key| told[key].to_string()).join(" ");
    let expected = r#""content/mini/people/cy.yaml" 3 1 3 5 "warning" "a/b" "m" ["h"]"#;
    assert_eq!(values, expected);
    assert_eq!(run_check(&home, &["--deny-warnings"]).0, 1);
}

#[test]
fn notes_are_told_to_whoever_asks_for_them() {
    let home = home_with_check_of_cy(
        "report { code = 'a/b', message = 'worth knowing', severity = 'note' }",
    );
    let (exit, text) = run_check(&home, &["--deny-warnings"]);
    assert_eq!(exit, 0, "{text}");
    assert!(!text.contains("a/b"), "{text}");
    assert!(text.contains("0 errors, 0 warnings in "), "{text}");
    let (exit, text) = run_check(&home, &["--deny-warnings", "--notes"]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("note[a/b]: worth knowing"), "{text}");
    assert!(text.contains("0 errors, 0 warnings, 1 note in "), "{text}");
    let (_, text) = run_check(&home, &["--notes", "--format", "json"]);
    assert!(text.contains(r#""severity":"note""#), "{text}");
}

#[test]
fn a_game_tells_no_notes_and_uses_what_they_are_about() {
    let home = home_with_check_of_cy(
        "report { code = 'a/b', message = 'worth knowing', severity = 'note' }",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.solo.session.generations().live().findings(), []);
    assert!(
        game.solo
            .timeline()
            .rules()
            .registry
            .get("people", "cy")
            .is_some()
    );
    home.write(PERSON_FILE, CY_CONTENT.replace("mood: 4", "mood: 3"));
    match game.solo.session.reload(Compiled::default()) {
        ReloadResult::Swapped { findings, .. } => assert_eq!(findings, []),
        other => panic!("{other:?}"),
    }
}

#[test]
fn places_are_nodes_keys_and_pieces_of_texts() {
    let cases = [
        ("", r#"1:1 mini/c "source: x""#),
        ("at = {}", r#"1:1 mini/c "source: x""#),
        ("at = { 'name' }", r#"2:7 mini/c "Cy""#),
        ("at = { 'name' }, key = true", r#"2:1 mini/c "name""#),
        ("at = { 'likes', 1 }", r#"4:9 mini/c "cheer""#),
        (
            "at = { 'likes', 1 }, from = 2, to = 3",
            r#"4:10 mini/c "he""#,
        ),
        ("at = { 'likes', 2 }, from = 4", r#"4:20 mini/c "om""#),
        ("at = { 'likes', 2 }, text = 'loo'", r#"4:18 mini/c "loo""#),
        (
            "at = { 'likes', 2 }, text = 'o'",
            r#"4:16 mini/c "'gloom'""#,
        ),
        (
            "at = { 'likes', 9, 'x' }, from = 1",
            r#"4:8 mini/c "[cheer, 'gloom']""#,
        ),
        ("at = { 'wealth' }", r#"1:1 mini/c "source: x""#),
        ("at = { 'mood' }, from = 1, to = 1", r#"3:7 mini/c "4""#),
    ];
    for (place, expected) in cases {
        let comma = if place.is_empty() { "" } else { "," };
        let home = home_with_check_of_cy(&format!(
            "report {{ {place}{comma} code = 'c', message = 'm' }}"
        ));
        assert_eq!(
            checked_findings(&home),
            [format!("cy.yaml:{expected}: m")],
            "{place}"
        );
    }
}

#[test]
fn a_check_sees_the_other_definitions_and_reads_phrases() {
    let home = home_with_schema_check(
        "for _, other in definitions.all('people') do
           if other.id < person.id and other.mood == person.mood then
             report { at = { 'mood' }, code = 'same', message = `{person.name} is like {other.name}`, severity = 'warning' }
           end
         end
         if not phrase.read('Integer', '12') or phrase.read('Whole', person.name) then error('no grammar') end",
    );
    assert_eq!(
        checked_findings(&home),
        [r#"cy.yaml:3:7 mini/same "4": Cy is like Ann"#]
    );
}

#[test]
fn scripts_are_checked_too_and_leave_the_generation_with_all_that_they_say() {
    let home = Scratch::mini();
    home.edit(
        "scripts/mini/schemas/charm.luau",
        "  keys = {",
        "  check = function(charm, report)
    if charm.id == \"gloom\" then report { at = { \"summary\" }, code = \"c\", message = \"m\" } end
  end,\n  keys = {",
    );
    let expected = [r#"gloom.luau:5:13 mini/c "\"a mood thrown for once\"": m"#];
    let text = std::fs::read_to_string(home.path().join("scripts/mini/charms/gloom.luau")).unwrap();
    let (exit, told) = run_check(&home, &["--structure", "--format", "json"]);
    assert_eq!(exit, 1, "{told}");
    let structure = told.lines().find(|line| line.contains("rulesets")).unwrap();
    let structure: Json = serde_json::from_str(structure).unwrap();
    let charms = &structure["rulesets"][0]["collections"]["charms"]["definitions"];
    let ids: Vec<&Json> = charms
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, ["cheer"], "{told}");
    assert_eq!(checked_findings(&home), expected, "{text}");
}

#[test]
fn a_definition_whose_errors_are_kept_is_used_when_a_game_begins_but_replaces_no_good_one() {
    let says = |kept: bool| {
        format!(
            "if person.mood == 4 then report {{ at = {{ 'mood' }}, code = 'four', message = 'm', still_loads = {kept} }} end"
        )
    };
    for kept in [false, true] {
        let home = home_with_check_of_cy(&says(kept));
        assert_eq!(checked_findings(&home), [r#"cy.yaml:3:7 mini/four "4": m"#]);
        assert_eq!(run_check(&home, &[]).0, 1);
        let mut game = Game::of(&home);
        let cy = |game: &Game| {
            game.solo
                .timeline()
                .rules()
                .registry
                .get("people", "cy")
                .cloned()
        };
        assert_eq!(cy(&game).is_some(), kept);
        home.write(PERSON_FILE, CY_CONTENT.replace("mood: 4", "mood: 5"));
        let reloaded = game.solo.session.reload(Compiled::default());
        assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
        let good = cy(&game).unwrap();
        home.write(PERSON_FILE, CY_CONTENT);
        let reloaded = game.solo.session.reload(Compiled::default());
        assert!(matches!(reloaded, ReloadResult::Kept { .. }));
        assert!(Arc::ptr_eq(&cy(&game).unwrap(), &good));
    }
}

#[test]
fn what_breaks_in_a_check_is_a_finding_and_hides_no_other() {
    let cases = [
        (
            "local x = nil + 1",
            "script/error",
            "attempt to perform arithmetic",
        ),
        ("error('no idea')", "script/error", "no idea"),
        (
            "while true do end",
            "limit/fuel",
            "more steps than its limit",
        ),
        (
            "pcall(function() while true do end end)",
            "limit/fuel",
            "more steps than its limit",
        ),
        ("report(3)", "script/argument", "found a number"),
        (
            "report { message = 'm' }",
            "script/argument",
            "`code` is not a text",
        ),
        (
            "report { code = 'c', message = 'm', wehre = {} }",
            "script/argument",
            "has no key `wehre`",
        ),
        (
            "report { code = 'c', message = 'm', at = 'mood' }",
            "script/argument",
            "`at` is a text",
        ),
        (
            "report { code = 'c', message = 'm', at = { 0.5 } }",
            "script/argument",
            "neither a key nor",
        ),
        (
            "report { code = 'c', message = 'm', still_loads = 1 }",
            "script/argument",
            "`still_loads`",
        ),
        (
            "report { code = 'c', message = 'm', severity = 'bad' }",
            "script/argument",
            "`severity`",
        ),
        ("person.mood = 3", "script/error", "readonly"),
    ];
    for (broken, code, words) in cases {
        let home = home_with_check_of_cy(&format!(
            "report {{ at = {{ 'mood' }}, code = 'first', message = 'm' }}\n{broken}"
        ));
        let found = checked_findings(&home);
        assert_eq!(found.len(), 2, "{broken}: {found:?}");
        let (failed, first) = (&found[0], &found[1]);
        assert!(first.contains("mini/first \"4\""), "{broken}: {found:?}");
        assert!(
            failed.starts_with(&format!("cy.yaml:1:1 {code} ")),
            "{failed}"
        );
        let place = "the check of the person \"cy\" fails at scripts/mini/schemas/person.luau:5: ";
        let place = match code {
            "limit/fuel" => &place[..place.len() - 3],
            _ => place,
        };
        assert!(failed.contains(place) && failed.contains(words), "{failed}");
    }
}

#[test]
fn checks_that_never_end_are_given_up_and_what_is_reported_is_bounded() {
    let endless = home_with_schema_check("while true do end");
    for name in ["da", "de", "di"] {
        endless.write(
            &format!("content/mini/people/{name}.yaml"),
            format!("source: x\nname: {name}\n"),
        );
    }
    let found_of_all = checked_findings(&endless);
    assert_eq!(found_of_all.len(), 4, "{found_of_all:?}");
    let last = &found_of_all[3];
    assert!(last.contains("person.luau:1:1 schema/unchecked"), "{last}");
    assert!(last.contains("3 more definitions of people"), "{last}");
    let chatty =
        home_with_check_of_cy("for n = 1, 101 do report { code = 'c', message = `{n}` } end");
    let found = checked_findings(&chatty);
    assert_eq!(found.len(), 101);
    assert!(
        found
            .iter()
            .any(|one| one.contains("1 more finding here is not shown, only the first 100")),
        "{found:?}"
    );
}

#[test]
fn a_reload_shows_what_checks_find_of_files_that_did_not_change() {
    let home = home_with_check_of_cy("");
    let mut game = Game::of(&home);
    assert_eq!(game.findings(), "");
    let reload = |game: &mut Game| game.solo.session.reload(Compiled::default());
    home.write(
        "content/mini/people/bo.yaml",
        "source: x\nname: Bo\nmood: 9\n",
    );
    assert!(matches!(reload(&mut game), ReloadResult::Swapped { .. }));
    home.edit(
        SCHEMA_FILE,
        "if person.id",
        "if person.mood == 4 then report { code = 'four', message = 'm', severity = 'warning' } end if person.id",
    );
    let ReloadResult::Swapped { findings, .. } = reload(&mut game) else {
        panic!("warnings keep no rules away");
    };
    assert_eq!(findings_as_text(&findings).len(), 2, "{findings:?}");
    home.write(
        "content/mini/people/bo.yaml",
        "source: x\nname: Bo\nmood: 8\n",
    );
    let ReloadResult::Swapped { findings, .. } = reload(&mut game) else {
        panic!("warnings keep no rules away");
    };
    assert_eq!(
        findings_as_text(&findings).len(),
        2,
        "Ann and Cy are as they were"
    );
    home.edit(SCHEMA_FILE, "'warning'", "'error'");
    let ReloadResult::Kept { findings } = reload(&mut game) else {
        panic!("an error keeps the old rules");
    };
    assert_eq!(
        findings_as_text(&findings)[1],
        r#"cy.yaml:1:1 mini/four "source: x": m"#
    );
    assert!(
        game.solo
            .timeline()
            .rules()
            .registry
            .get("people", "cy")
            .is_some()
    );
}

#[test]
fn the_schemas_of_the_small_rulesets_check_what_no_shape_says() {
    let home = Scratch::mini();
    home.write(
        PERSON_FILE,
        "source: x\nname: Cy\nlikes: [cheer, gloom, cheer]\n",
    );
    assert_eq!(
        checked_findings(&home),
        [r#"cy.yaml:3:23 mini/liked-twice "cheer": Cy likes cheer already"#]
    );
    let home = Scratch::harbour();
    home.edit(
        "scripts/harbour/deeds/hide.luau",
        "visits = \"whom\"",
        "visits = \"who\"",
    );
    let (exit, text) = run_check(&home, &["--ruleset", "harbour"]);
    assert_eq!(exit, 1, "{text}");
    let message = "error[harbour/no-slot]: the deed visits \"who\", and \"hide at {whom: Person}\" has no such slot";
    assert!(text.contains(message), "{text}");
    assert!(
        text.contains("scripts/harbour/deeds/hide.luau:12:12"),
        "{text}"
    );
    assert!(text.contains("write {who: Person}"), "{text}");
}

#[test]
fn the_keys_of_a_definition_come_in_the_order_in_which_they_are_written() {
    let home = home_with_check_of_cy("");
    home.edit(SCHEMA_FILE, "mood =", "[\"more?\"] = \"any\", mood =");
    home.write(
        PERSON_FILE,
        "name: Cy\nsource: x\nmore: [{z: 1, y: {}, 'b': [c]}]\n",
    );
    let mut game = Game::of(&home);
    let mut keys = |asked: &str| {
        let line = format!("= table.concat(definitions.keys({asked}) or {{ \"nil\" }}, \" \")");
        game.text(&line)
            .lines()
            .last()
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned()
    };
    let cases = [
        ("'people', 'cy'", "name source more"),
        ("'people', 'cy', { 'more', 1 }", "z y b"),
        ("'people', 'cy', { 'more', 1, 'y' }", ""),
        ("'people', 'cy', { 'more', 2 }", "nil"),
        ("'people', 'cy', { 'more' }", "nil"),
        ("'people', 'nobody'", "nil"),
        ("'charms', 'gloom'", "run source summary"),
    ];
    for (asked, expected) in cases {
        assert_eq!(keys(asked), expected, "{asked}");
    }
}
