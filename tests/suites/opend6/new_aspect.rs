//! Adds an aspect to a running game: one file, usable everywhere.

use arbiter_tests::{Game, Scratch};
use host::diag::Diagnostic;
use host::value::to_json;
use serde_json::Value as Json;

const ASPECT_FILE: &str = "scripts/opend6/aspects/moonlight.luau";

/// The file of the added aspect; it reads a table that other aspects use too.
const MOONLIGHT_ASPECT: &str = r#"--!strict
-- Moonlight: the moon must shine on it first.
local readings = require("pipeline/reading/readings")
local steps = require("pipeline/solving/steps")

return aspect {
  source = "the host's own tests",
  summary = "how long the moon must shine on it first",
  class = "MoonlightAspect",
  names = { "moonlight" },
  sign = "lowers",
  examples = { 'MoonlightAspect("1 hr")' },
  reads = { "Time" },
  difficulty = readings.sum_of_all_difficulties,
  description = function(reading)
    return `moonlight for {readings.joined_detail_texts(reading)}`
  end,
  steps = function(craft, reading)
    return steps.measure_steps(craft, reading, "Time")
  end,
}
"#;

/// A spell that has the added aspect.
const SPELL_WITH_ASPECT: &str = "name: Silver Path
source: the host's own tests
book: Moon
effect: { SkillEffect: [search, +6D] }
duration: 1 min
moonlight: 1 min
";

fn opend6_game(home: &Scratch) -> Game {
    Game::of_program(home, "opend6")
}

/// Returns a game in which the file was added during play.
fn game_with_added_aspect(home: &Scratch) -> Game {
    let mut game = opend6_game(home);
    let unknown = game.refusal("aspect MoonlightAspect(\"1 hr\")");
    assert_eq!(unknown.code, "opend6/unknown-class");
    home.write(ASPECT_FILE, MOONLIGHT_ASPECT);
    assert_eq!(game.text("reload"), "aspects: 1 added (moonlight)");
    game
}

/// Begins a spell that has the new aspect: (18 + 9 - 9) / 2.
fn begin_moonlight_spell(game: &mut Game) {
    game.text("spell new Glow: SkillEffect(\"search\", \"+6D\")");
    game.text("spell set Glow duration: 1 min");
    let said = game.text("spell set Glow moonlight: 1 min");
    assert!(said.contains("difficulty 14 -> 9"), "{said}");
}

/// Returns the data of the answer to a line.
fn data_of_line(game: &mut Game, line: &str) -> Json {
    let reply = game.line(line);
    assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    let told = reply.documents.iter().find_map(|one| one.data.as_ref());
    to_json(told.unwrap())
}

#[test]
fn a_new_aspect_computes_alone_and_in_made_or_shipped_spells() {
    let home = Scratch::shipped("opend6");
    let mut game = game_with_added_aspect(&home);
    let alone = game.text("aspect MoonlightAspect(\"1 hr\")");
    assert_eq!(alone, "MoonlightAspect lowers by 18: moonlight for 1 hr");
    begin_moonlight_spell(&mut game);
    let shown = game.text("spell show Glow");
    assert!(shown.contains("moonlight for 1 min"), "{shown}");
    home.write(
        "content/opend6/spells/moon/silver_path.yaml",
        SPELL_WITH_ASPECT,
    );
    assert_eq!(game.text("reload"), "spells: 1 added (silver_path)");
    let shown = game.text("spell show Silver Path");
    assert!(shown.contains("Difficulty 9"), "{shown}");
    let source = game.text("spell source Silver Path");
    assert!(
        source.contains("moonlight=MoonlightAspect('1 min')"),
        "{source}"
    );
}

#[test]
fn help_explains_a_new_aspect_and_near_names_find_it() {
    let home = Scratch::shipped("opend6");
    let mut game = game_with_added_aspect(&home);
    let help = game.text("help moonlight");
    for part in [
        "how long the moon must shine",
        "is a:        aspect",
        ASPECT_FILE,
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    let all = data_of_line(&mut game, "aspects");
    let classes = all["classes"].as_array().unwrap();
    assert!(
        classes.iter().any(|one| one["class"] == "MoonlightAspect"),
        "{all}"
    );
    let slip = game.refusal("aspect MonlightAspect(\"1 hr\")");
    assert_eq!(slip.hints, ["did you mean MoonlightAspect?"]);
    home.write(
        "content/opend6/spells/moon/silver_path.yaml",
        SPELL_WITH_ASPECT,
    );
    game.text("reload");
    let examples = game.text("examples of MoonlightAspect");
    assert!(examples.contains("Silver Path"), "{examples}");
}

#[test]
fn solve_takes_the_steps_of_a_new_aspect() {
    let home = Scratch::shipped("opend6");
    let mut game = game_with_added_aspect(&home);
    begin_moonlight_spell(&mut game);
    let line = "solve Glow to 11 by single changes keeping effect, duration";
    let told = data_of_line(&mut game, line);
    let solutions = told["solutions"].as_array().unwrap();
    assert!(!solutions.is_empty(), "{told}");
    for solution in solutions {
        let change = &solution["changes"][0];
        assert_eq!(change["part"], "moonlight", "{solution}");
        assert_eq!(change["before"], "moonlight for 1 min", "{solution}");
        assert_eq!(solution["difficulty"], 11, "{solution}");
    }
    // The proposal leads to the requested value.
    let to = solutions[0]["changes"][0]["after"].as_str().unwrap();
    let to = to.trim_start_matches("moonlight for ");
    let said = game.text(&format!("spell set Glow moonlight: {to}"));
    assert!(said.contains("difficulty 9 -> 11"), "{said}");
}

fn has_finding(findings: &[Diagnostic], code: &str, path: &str, part: &str) -> bool {
    findings.iter().any(|finding| {
        let whole = format!("{} {:?}", finding.message, finding.hints);
        let place = finding.place.as_ref().map(|place| place.source.name());
        finding.code == code && place == Some(path) && whole.contains(part)
    })
}

#[test]
fn check_finds_mistakes_in_a_new_aspect_and_in_its_users() {
    let home = Scratch::shipped("opend6");
    let mut game = game_with_added_aspect(&home);
    let content = "content/opend6/spells/moon/silver_path.yaml";
    home.write(
        content,
        SPELL_WITH_ASPECT.replace("moonlight: 1 min", "moonlight: 1 fathom"),
    );
    let reply = game.line("reload");
    assert!(
        has_finding(&reply.findings, "opend6/incomplete", content, "1 fathom"),
        "{:?}",
        reply.findings
    );
    home.remove(content);
    home.write(
        ASPECT_FILE,
        MOONLIGHT_ASPECT.replace("\"lowers\"", "\"lower\""),
    );
    let reply = game.line("reload");
    let found = has_finding(
        &reply.findings,
        "schema/unknown-choice",
        ASPECT_FILE,
        "lowers",
    );
    assert!(found, "{:?}", reply.findings);
    home.write(
        ASPECT_FILE,
        MOONLIGHT_ASPECT.replace("{ \"Time\" }", "{ \"Tiem\" }"),
    );
    let reply = game.line("reload");
    let found = has_finding(&reply.findings, "opend6/unknown-table", ASPECT_FILE, "Tiem");
    assert!(found, "{:?}", reply.findings);
    // The rules stay as before.
    let alone = game.text("aspect MoonlightAspect(\"1 hr\")");
    assert!(alone.contains("lowers by 18"), "{alone}");
    let findings = game.text("findings MoonlightAspect(\"1 hr\", \"under the oak\")");
    assert!(
        findings.contains("unread-note") && findings.contains("under the oak"),
        "{findings}"
    );
}
