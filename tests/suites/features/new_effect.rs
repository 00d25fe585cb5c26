//! Adds an effect, a function and a duration to a running encounter: one file each, and features
//! use them.

use arbiter_tests::{Game, Scratch, on_game_thread};

/// The file of the added effect.
const SHRINK_EFFECT: &str = r#"--!strict
-- Shrink to X feet: the target is smaller as long as it lasts.
return effect {
  source = "the host's own tests",
  summary = "the target is as small as that as long as it lasts",
  name = "Shrink to X feet",
  operands = { "feet: value" },
  lasts = "must",
  run = function(_, target, args, lasting)
    lasting.attach(target, "effect", { property = "SIZE", value = args.feet }, {
      modifiers = { { stat = "SIZE", op = "set", value = args.feet, layer = "over" } },
    })
  end,
}
"#;

/// The function: the number of creatures here.
const CROWD_FUNCTION: &str = r#"--!strict
-- Crowd: how many creatures are here.
local entities = require("pipeline/creatures/entities")

return expression_function {
  source = "the host's own tests",
  summary = "how many creatures are here",
  syntax = "(crowd)",
  operands = 0,
  run = function(frame)
    return #entities.all_creatures(frame.act)
  end,
}
"#;

/// The duration: until the turn of another creature begins.
const ONE_BREATH_DURATION: &str = r#"--!strict
-- One breath: over after six seconds of the clock.
return duration {
  source = "the host's own tests",
  summary = "over after six seconds of the clock",
  name = "One breath",
  read = function(said)
    return if text.lower(said) == "one breath" then {} else nil
  end,
  begin = function()
    return { end_conditions = { { time = 6 } } }
  end,
}
"#;

/// A feature that uses all of them.
const GAZE_FEATURE: &str = "name: dwindling gaze
source: the host's own tests
text: Whoever the {NAME} looks at is small for a breath, while at least {V0} are there to see it.
subfeatures:
  - trigger: [action]
    conditions: [\"(crowd,V0,>=)\", \"(creature,self,distance,30,<=)\"]
    effects:
      - {target: creature, effect: [Shrink to X feet, 2.5], duration: One breath}
";

fn add_effect_files(home: &Scratch) {
    home.write("scripts/features/effects/shrink.luau", SHRINK_EFFECT);
    home.write("scripts/features/functions/crowd.luau", CROWD_FUNCTION);
    home.write(
        "scripts/features/durations/one_breath.luau",
        ONE_BREATH_DURATION,
    );
    home.write(
        "content/features/features/dwindling_gaze.yaml",
        GAZE_FEATURE,
    );
}

#[test]
fn a_new_effect_function_and_duration_are_a_file_each_and_work_in_a_feature() {
    on_game_thread(|| {
        let home = Scratch::shipped("features");
        let mut game = Game::of_program(&home, "features");
        let unknown = game.refusal("add Eye at 0,0 on B: feature dwindling gaze (2)");
        assert_eq!(unknown.code, "features/no-feature");
        add_effect_files(&home);
        let told = game.text("reload");
        for part in ["shrink", "crowd", "one_breath", "dwindling_gaze"] {
            assert!(told.contains(part), "{told}");
        }
        game.text("add Eye at 0,0 on B: feature dwindling gaze (2)");
        game.text("add Bo at 10,0 on A: Large");
        game.text("turn Eye");
        game.text("use dwindling gaze on Bo");
        assert_eq!(game.text("read Bo.SIZE"), "Bo.SIZE = 2.5");
        let sheet = game.text("sheet Bo");
        assert!(
            sheet.contains("SIZE = 2.5 (dwindling gaze of Eye, one breath)"),
            "{sheet}"
        );
        game.text("wait 6s");
        assert_eq!(game.text("read Bo.SIZE"), "Bo.SIZE = 10");
        game.undo();
        assert_eq!(game.text("read Bo.SIZE"), "Bo.SIZE = 2.5");
    });
}

/// A misspelled word in a feature is found, and the new names are among the suggestions.
#[test]
fn near_names_of_new_files_are_offered() {
    on_game_thread(|| {
        let home = Scratch::shipped("features");
        add_effect_files(&home);
        let feature = GAZE_FEATURE
            .replace("Shrink to X", "Shink to X")
            .replace("crowd,", "crowds,");
        home.write("content/features/features/dwindling_gaze.yaml", feature);
        let game = Game::of_program(&home, "features");
        let findings = game.findings();
        assert!(
            findings.contains("did you mean \"Shrink to X feet\"?"),
            "{findings}"
        );
        assert!(findings.contains("did you mean crowd?"), "{findings}");
    });
}
