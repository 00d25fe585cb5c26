//! Adds an ability to a running game: one file, usable everywhere.

use host::game;
use host::game::host_phrases;
use std::fs;

use arbiter_tests::{Game, Scratch, files_below};
use host::game::check_ruleset;
use repl::COMMANDS;

use super::super::program::project;

const ABILITY_FILE: &str = "scripts/wwrf/abilities/bewitching.luau";

/// The file of the added ability: its source, its name, and its line.
const BEWITCHING_ABILITY: &str = r#"return ability {
  source = "the host's own tests",
  summary = "Hangs charms on a player.",
  name = "Bewitching",
  forms = { { syntax = "Bewitch {target: Player} with {power: Number} charms" } },
}
"#;

const ROLE_FILE: &str = "content/wwrf/roles/coven/charm_hanger";

/// A role that uses the ability and listens for it.
const CHARM_HANGER_ROLE: &str = "**Charm Hanger** | Solo Miscellaneous - Coven Team
__Basics__
Hangs charms.
__Formalized__
On Visited [Bewitching]: `Something jingles.`
Immediate Night: Bewitch @Selection with 3 charms [Quantity: 1]
";

/// Returns a game in which the file was added during play.
fn game_with_added_ability(home: &Scratch) -> Game {
    let mut game = Game::of_program(home, "wwrf");
    let unknown = game.refusal("explain Bewitch @Selection with 3 charms");
    assert_eq!(unknown.code, "wwrf/ability-unknown");
    home.write(ABILITY_FILE, BEWITCHING_ABILITY);
    assert_eq!(game.text("reload"), "abilities: 1 added (bewitching)");
    game
}

#[test]
fn a_new_ability_is_read_in_a_role_and_shown_in_its_words() {
    let home = Scratch::shipped("wwrf");
    let mut game = game_with_added_ability(&home);
    home.write(ROLE_FILE, CHARM_HANGER_ROLE);
    assert_eq!(game.text("reload"), "roles: 1 added (charm_hanger)");
    let told = game.text("role Charm Hanger");
    assert!(told.contains("with 3 charms"), "{told}");
    assert!(
        told.contains("Bewitch @Selection with 3 charms"),
        "the formal text: {told}"
    );
    let told = game.text("explain Bewitch @Selection with 3 charms");
    assert_eq!(told, "Bewitch @Selection with 3 charms");
    let checked = check_ruleset(&home.home(), "wwrf", &host_phrases(&COMMANDS)).unwrap();
    assert_eq!(checked.findings, []);
}

#[test]
fn a_new_ability_is_completed_and_explained_by_help() {
    let home = Scratch::shipped("wwrf");
    let mut game = game_with_added_ability(&home);
    let offered = |game: &Game, line: &str| -> Vec<String> {
        let offered = game::texts_offered_for_last_slot(game.solo.timeline(), "gm", line);
        offered.expect("a line goes on").1
    };
    let words = offered(&game, "explain B");
    assert!(words.iter().any(|word| word == "Bewitch"), "{words:?}");
    let words = offered(&game, "explain Bewitch @Selection ");
    let with = "Bewitch @Selection with";
    assert!(words.iter().any(|word| word == with), "{words:?}");
    let help = game.text("help bewitching");
    for part in ["Hangs charms on a player.", "ability", ABILITY_FILE] {
        assert!(help.contains(part), "{part}: {help}");
    }
}

#[test]
fn no_other_file_names_a_new_ability() {
    let home = Scratch::shipped("wwrf");
    let mut game = game_with_added_ability(&home);
    for folder in ["host", "repl", "scripts", "content"] {
        for file in files_below(&project().join(folder)) {
            let text = fs::read(&file).unwrap();
            let text = String::from_utf8_lossy(&text).to_lowercase();
            assert!(!text.contains("bewitch"), "{}", file.display());
        }
    }
    fs::remove_file(home.path().join(ABILITY_FILE)).unwrap();
    assert_eq!(game.text("reload"), "abilities: 1 removed (bewitching)");
    let gone = game.refusal("explain Bewitch @Selection with 3 charms");
    assert_eq!(gone.code, "wwrf/ability-unknown");
}

#[test]
fn a_new_ability_may_have_a_subtype_and_own_words() {
    let home = Scratch::shipped("wwrf");
    let mut game = game_with_added_ability(&home);
    home.edit(
        ABILITY_FILE,
        "charms\" }",
        "charms\", subtype = \"charm\", says = \"bewitches {target} with {power} charms\" }",
    );
    assert_eq!(game.text("reload"), "abilities: 1 changed (bewitching)");
    let told = game.text("explain On Visited [Charm Bewitching]: Bewitch @Target with 2 charms");
    assert!(
        told.contains("bewitches the target with 2 charms"),
        "{told}"
    );
}

#[test]
fn mistakes_in_lines_of_a_new_ability_are_found_with_a_fix() {
    let home = Scratch::shipped("wwrf");
    let mut game = game_with_added_ability(&home);
    let slip = game.refusal("explain Bewich @Selection with 3 charms");
    assert_eq!(slip.code, "wwrf/ability-unknown");
    assert!(format!("{:?}", slip.hints).contains("Bewitch"), "{slip:?}");
    let slip = CHARM_HANGER_ROLE.replace("[Bewitching]", "[Bewiching]");
    home.write(ROLE_FILE, slip);
    let reply = game.line("reload");
    let found = &reply.findings[0];
    assert_eq!(found.code, "wwrf/ability-filter-unknown", "{found:?}");
    assert!(
        format!("{:?}", found.hints).contains("Bewitching"),
        "{found:?}"
    );
}

/// The function of the ability: charms stay on a player until the phase ends, and the player learns
/// their number.
const ABILITY_RUN: &str = "target = \"target\", takes = \"player\", visits = { \"power\" } } },
  run = function(work, player)
    local power = works.first_slot_item(work, \"power\", \"number\")
    work.act:attach(player, \"charms\", { power = power }, { duration = { { phase = \"this\" } }, visible_to = \"gm\" })
    return works.success_result(`{power} charms hang on {work.act:get(player, \"name\")}.`)
  end,";

#[test]
fn a_new_ability_runs_in_a_game() {
    let home = Scratch::shipped("wwrf");
    let mut game = game_with_added_ability(&home);
    let does = BEWITCHING_ABILITY.replace("charms\" } },", &format!("charms\", {ABILITY_RUN}"));
    home.write(
        ABILITY_FILE,
        format!("local works = require(\"pipeline/execution/ability_run\")\n{does}"),
    );
    assert_eq!(game.text("reload"), "abilities: 1 changed (bewitching)");
    home.write(ROLE_FILE, CHARM_HANGER_ROLE);
    assert_eq!(game.text("reload"), "roles: 1 added (charm_hanger)");
    game.text(
        "new game of Charm Hanger, Wolf, Villager, Villager, Seer with Ann, Bo, Cy, Dee, Eve",
    );
    game.text("next");
    let hanger = "act:find { kind = \"player\", where = { role = \"charm_hanger\" } }[1]";
    let name = game.text(&format!("= act:get({hanger}, \"name\")"));
    let other = if name.contains("Bo") { "Cy" } else { "Bo" };
    let reply = game.solo.submit(name.trim(), &format!("answer {other}"));
    assert!(reply.refusal.is_none(), "{reply:?}");
    let told = format!("{:?}", reply.documents);
    assert!(
        told.contains(&format!("3 charms hang on {other}.")),
        "{told}"
    );
    let hanging = "= #act:find { kind = \"charms\" }";
    assert_eq!(game.text(hanging), "1");
    game.text("next");
    assert_eq!(game.text(hanging), "0");
}
