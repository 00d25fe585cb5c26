//! Adds words to the format, one file each: a damage type, a roll class, a light, a terrain, a
//! creature type, a movement mode, a material, a skill, a speed, a condition and an action. One
//! encounter uses all of them.

use arbiter_tests::{Game, Scratch, on_game_thread};

/// Content, by its path below `content/features/`.
const WORD_FILES: [(&str, &str); 9] = [
    ("damage_types/sonic.yaml", "name: sonic\n"),
    ("roll_classes/taunt.yaml", "name: taunt\nalso: taunts\n"),
    (
        "lights/twilight.yaml",
        "name: twilight\ncontains: dim light\n",
    ),
    (
        "terrains/mud.yaml",
        "name: mud\nmark: \"-\"\nrank: 9\ndifficult: true\n",
    ),
    ("creature_types/spirit.yaml", "name: spirit\n"),
    ("ways/ride_smoke.yaml", "name: ride smoke\n"),
    (
        "materials/silver.yaml",
        "name: silvery metal\nproperty: METAL\nmade_of: [silver]\n",
    ),
    (
        "properties/brewing.yaml",
        "name: BREWING\ndefault: \"(WIS)\"\nwrites: never\nability: wisdom\n",
    ),
    (
        "properties/glidespeed.yaml",
        "name: GLIDESPEED\nwrites: over\nunit: feet\nleast: 0\nspeed: glide\n",
    ),
];

const DAZED_CONDITION: &str = r#"--!strict
-- Dazed: no faster than 15 feet.
return condition {
  source = "the host's own tests",
  summary = "it is no faster than 15 feet",
  name = "DAZED",
  modifiers = { { stat = "MOVESPEED", op = "at_most", value = 15, layer = "limit" } },
}
"#;

const BOW_ACTION: &str = r#"--!strict
-- Bow: somebody bows.
local entities = require("pipeline/creatures/entities")
local playing = require("pipeline/play/command_context")

return action {
  source = "the host's own tests",
  summary = "it bows",
  name = "bow",
  run = function(act, who)
    playing.add_story_line(act, `{entities.name_of_row(act, who)} bows.`)
  end,
}
"#;

const MIRE_ENCOUNTER: &str = r#"name: The Mire
map: ["...m"]
legend: {m: mud}
lighting: twilight
features:
  wail:
    name: wail
    text: "The {NAME} wails."
    subfeatures:
      - trigger: [action]
        conditions: ["(creature.TYPE,spirit,==,!)", "(self.LIGHTING,dim light,==)"]
        effects:
          - {target: creature, effect: [[Deal X damage, 3, sonic], [Set N = N, creature.DAZED, self]], duration: 1 min}
          - {target: self, effect: [Take action ACTION, bow]}
          - {target: self, effect: [Know distance/direction to creature/object within X distance, silvery metal, 30]}
          - {target: self, effect: [[Increase movement speed by X, 20, glide], [Special movement, ride smoke]], duration: 1 min}
          - {target: self, effect: [[Advantage on rolls ROLL_CLASS, taunt], [Bonus X to rolls ROLL_CLASS, 5, brewing]], duration: 1 min}
objects:
  - {name: spoon, at: [10, 0], metal: 1, material: silver}
  - {name: nail, at: [10, 0], metal: 1}
creatures:
  - {name: Banshee, at: [0, 0], HP: 20, type: spirit, speeds: {glide: 10}, skills: {brewing: 4}, features: [wail]}
  - {name: Ann, at: [5, 0], HP: 20, resist: [sonic], condition_immunities: []}
  - {name: Rock, at: [0, 0], HP: 20, condition_immunities: [dazed]}
"#;

fn add_word_files(home: &Scratch) {
    for (path, said) in WORD_FILES {
        let told = "source: the host's own tests\nsummary: a word of our own\n";
        home.write(&format!("content/features/{path}"), format!("{said}{told}"));
    }
    home.write("scripts/features/conditions/dazed.luau", DAZED_CONDITION);
    home.write("scripts/features/actions/bow.luau", BOW_ACTION);
}

fn new_encounter_line(home: &Scratch) -> String {
    format!("encounter new {}", home.path().join("mire.yaml").display())
}

#[test]
fn a_new_word_is_a_file_and_an_encounter_uses_it() {
    on_game_thread(|| {
        let home = Scratch::shipped("features");
        let mut game = Game::of_program(&home, "features");
        home.write("mire.yaml", MIRE_ENCOUNTER);
        let finding = game.refusal(&new_encounter_line(&home));
        let refused = format!("{} {}", finding.message, finding.hints.join(" "));
        for part in [
            "unknown damage type \"sonic\"",
            "unknown light \"twilight\"",
            "unknown way to move \"glide\"",
            "unknown special way to move \"ride smoke\"",
            "unknown skill \"brewing\"",
            "creature.DAZED",
        ] {
            assert!(refused.contains(part), "{part}: {refused}");
        }
        add_word_files(&home);
        game.text("reload");
        let told = game.text(&new_encounter_line(&home));
        assert!(!told.contains("E_"), "{told}");
        game.text("turn Banshee");
        let told = game.text("use wail on Ann").replace('\n', " ");
        for part in [
            "Ann takes 1 sonic damage",
            "Ann is dazed (by Banshee)",
            "Banshee bows.",
            "Banshee senses spoon: 10 feet east.",
            "Banshee: ride smoke.",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        assert_eq!(game.text("read Ann.MOVESPEED"), "Ann.MOVESPEED = 15");
        assert_eq!(
            game.text("read Banshee.GLIDESPEED"),
            "Banshee.GLIDESPEED = 30"
        );
        let brewed = game.text("try brewing by Banshee");
        assert!(brewed.contains("+ 9"), "{brewed}");
        let map = game.text("map");
        assert!(map.contains("- mud"), "{map}");
        game.text("turn Ann");
        game.text("move to 15,0");
        assert_eq!(game.text("read Ann.MOVEREMAIN"), "Ann.MOVEREMAIN = 0");
    });
}
