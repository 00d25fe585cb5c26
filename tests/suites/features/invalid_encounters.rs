//! Loads invalid encounters: each is refused with all places of errors, and the running encounter
//! stays unchanged.

use arbiter_tests::{Game, Scratch, on_game_thread, project};

fn test_file_path(name: &str) -> String {
    project()
        .join("tests/features/files")
        .join(name)
        .display()
        .to_string()
}

fn features_game() -> (Scratch, Game) {
    let home = Scratch::shipped("features");
    let game = Game::of_program(&home, "features");
    (home, game)
}

#[test]
fn a_broken_encounter_is_refused_with_all_that_is_wrong_and_nothing_changes() {
    on_game_thread(|| {
        let (_home, mut game) = features_game();
        game.text("encounter new The Frozen Ford");
        let hash = game.hash();
        let finding = game.refusal(&format!("encounter new {}", test_file_path("broken.json")));
        assert_eq!(finding.code, "features/encounter");
        let all = format!("{} {}", finding.message, finding.hints.join(" "));
        for part in [
            "subfeatures > 1 > trigger > 1: E_TRIGGER: unknown trigger \"touchs\" (did you mean touches?)",
            "effects > 1 > effect > 2: E_PROPERTY: \"creature.GRAPLED\"",
            "subfeatures > 2 > conditions > 1: E_LEFTOVER",
            "E_EFFECT: unknown effect \"Pushed X feet\" (did you mean \"Pushed X feet in DIRECTION direction\"?)",
            "recharge: E_RECHARGE",
            "nothing binds \"creature\"",
            "unknown feature \"stiky\" (did you mean sticky?)",
            "creatures > 2 (Bo): it needs a place",
            "two creatures are named Bo",
            "unknown creature \"gast\" (did you mean ghast?)",
        ] {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert_eq!(game.hash(), hash);
        assert!(game.text("map").contains("Ilsabet"));
    });
}

/// A feature with errors does not stop the game: it does nothing, its text stays, and all errors
/// are reported.
#[test]
fn a_feature_with_faults_is_text_only_until_it_is_mended() {
    on_game_thread(|| {
        let (home, mut game) = features_game();
        let said = |trigger: &str| {
            format!(
                "creatures:
  - {{name: Ann, at: [0, 0], HP: 9, features: [[mire, 3]]}}
  - {{name: Bo, at: [5, 0], HP: 9}}
features:
  mire:
    name: mire
    text: \"{{V0}} feet of mire.\"
    subfeatures:
      - trigger: [{trigger}, creature]
        effects: [{{target: creature, effect: [Set N = N, creature.HP, V0]}}]
"
            )
        };
        home.write("mire.yaml", said("turnstrat"));
        let line = format!("encounter new {}", home.path().join("mire.yaml").display());
        let told = game.text(&line).replace('\n', " ");
        for part in [
            "(9:19: features > mire > subfeatures > 1 > trigger > 1: E_TRIGGER: unknown trigger \"turnstrat\" (did you mean turnstart?))",
            "(5:3: features > mire: it is text only until these errors are fixed)",
            "2 creatures",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        let sheet = game.text("sheet Ann");
        let mire = "Mire (text only: its rules have errors): 3 feet of mire.";
        assert!(sheet.contains(mire), "{sheet}");
        game.text("turn Bo");
        assert_eq!(game.text("read Bo.HP"), "Bo.HP = 9");
        home.write("mire.yaml", said("turnstart"));
        assert!(!game.text(&line).contains("mire"));
        game.text("turn Bo");
        assert_eq!(game.text("read Bo.HP"), "Bo.HP = 3");
    });
}

#[test]
fn files_that_are_no_encounters_are_refused() {
    on_game_thread(|| {
        let (home, mut game) = features_game();
        for (name, text, code) in [
            ("torn.json", "{\"name\": ", "content/syntax"),
            ("empty.json", "{}", "features/encounter"),
            ("list.yaml", "[1, 2]", "features/encounter"),
            ("prose.md", "# nothing\n", "features/no-encounter"),
            ("plain.txt", "hello\n", "features/no-encounter"),
        ] {
            home.write(name, text);
            let line = format!("encounter new {}", home.path().join(name).display());
            let hash = game.hash();
            let finding = game.refusal(&line);
            assert!(
                finding.code == code || code.starts_with("content/"),
                "{name}: {}: {}",
                finding.code,
                finding.message
            );
            assert_eq!(game.hash(), hash, "{name}");
        }
    });
}

/// Features that trigger each other end and name themselves; a failing computation is reported
/// once.
#[test]
fn features_that_set_each_other_off_are_cut_off_and_told() {
    on_game_thread(|| {
        let (_home, mut game) = features_game();
        game.text(&format!("encounter new {}", test_file_path("chain.json")));
        let told = game.text("damage Bo 1 fire");
        assert_eq!(
            told.matches("trigger each other without end").count(),
            1,
            "{told}"
        );
        assert!(told.contains("echo of Ann -> echo of Ann"), "{told}");
        assert!(told.contains("in a row"), "{told}");
        assert_eq!(told.matches("E_DIV0").count(), 1, "{told}");
        assert_eq!(game.text("read Bo.HP"), "Bo.HP = 800");
        game.text("turn Bo");
        let told = game.text("move to 5,5");
        assert!(told.contains("shove of Cy -> shove of Cy"), "{told}");
        game.undo();
        assert_eq!(game.text("read Bo.pos"), "Bo.pos = 5,0");
    });
}

/// A branching loop does not end at the depth limit: it ends the command, at the rule that was
/// running.
#[test]
fn a_loop_that_branches_is_refused_with_the_feature_at_work() {
    on_game_thread(|| {
        let (home, _) = features_game();
        let push =
            "{target: creature, effect: [\"Pushed X feet in DIRECTION direction\", 5, east]}";
        home.write(
            "content/features/features/shove.yaml",
            format!("name: shove\nsource: x\ntext: \"The {{NAME}} pushes.\"\nsubfeatures:\n  - trigger: [moves, creature]\n    effects: [{push}, {push}]\n"),
        );
        home.write(
            "crowd.yaml",
            "name: Crowd\ncreatures:\n  - {name: Ann, at: [0, 0], HP: 9, features: [shove]}\n  - {name: Bo, at: [5, 0], HP: 9}\n",
        );
        let mut game = Game::of_program(&home, "features");
        game.text(&format!(
            "encounter new {}",
            home.path().join("crowd.yaml").display()
        ));
        game.text("turn Bo");
        let hash = game.hash();
        let finding = game.refusal("move to 5,5");
        assert_eq!(finding.code, "limit/fuel", "{}", finding.message);
        let [_, chain, rule] = &*finding.hints else {
            panic!("{:?}", finding.hints);
        };
        assert!(chain.contains("shove of Ann"), "{chain}");
        let place = "the running rule is at content/features/features/shove.yaml:1";
        assert_eq!(rule, place);
        assert!(!finding.trace.is_empty());
        assert_eq!(game.hash(), hash);
    });
}
