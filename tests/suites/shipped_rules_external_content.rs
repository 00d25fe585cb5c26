//! Plays two shipped rulesets with a content folder beside the game. Content of the rules stays,
//! other content comes from the folder, and a file of the same name replaces the shipped one.

use std::fs;

use arbiter_tests::Scratch;

use super::game_transfer::{arbiter_in_home, run_and_collect_answers};

const HUM_FEATURE: &str = "name: hum
source: the host's own tests
text: \"The {NAME} glows as long as it hums.\"
subfeatures:
  - trigger: [passive]
    effects:
      - {target: self, effect: [Set N = N, GLOW, 3]}
";

const GLOW_SPELL: &str = "name: GLOW
source: the host's own tests
summary: \"how it glows\"
writes: over
whole: true
";

fn check_external_folder(home: &Scratch, ruleset: &str) -> (i32, String) {
    let mut command = arbiter_in_home(home, &["check", "--ruleset", ruleset, "mine"]);
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let told = text(output.stdout) + &text(output.stderr);
    (output.status.code().unwrap(), told)
}

#[test]
fn own_features_are_added_to_the_shipped_ones() {
    let home = Scratch::shipped("features");
    home.write("mine/features/hum.yaml", HUM_FEATURE)
        .write("mine/properties/glow.yaml", GLOW_SPELL)
        .write(
            "mine/damage_types/acid.yaml",
            "name: acid\nsource: the host's own tests\nsummary: sour\n",
        );
    let with = ["--ruleset", "features", "--seed", "x", "--content", "mine"];
    let lines = "add Ann at 0,0 on A: HP 9; feature hum; feature stench (10, 5)\nread Ann.GLOW; Ann.AC\nadd Ghast at 20,0 on B\nhelp damage types\n";
    let (exit, texts, talk) = run_and_collect_answers(&home, &with, lines);
    assert_eq!(exit, 0, "{texts:?} {talk}");
    let all = texts.join("\n");
    for part in [
        "Ann.GLOW = 3",
        "Ann.AC = 10",
        "Ghast is at 20,0.",
        "sour",
        "frost",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert!(!all.contains("what dissolves"), "{all}");
    let without = ["--ruleset", "features", "--seed", "x"];
    let (exit, texts, _) =
        run_and_collect_answers(&home, &without, "add Ann at 0,0 on A: HP 9; feature hum\n");
    assert_eq!(exit, 1, "{texts:?}");
}

#[test]
fn tables_of_the_rules_stay_and_spells_are_those_of_the_folder() {
    let home = Scratch::shipped("opend6");
    let spell = "spells/tides_and_lamps/banked_fire.yaml";
    let shipped = fs::read(home.path().join("content/opend6").join(spell)).unwrap();
    home.write(&format!("mine/{spell}"), shipped);
    let with = ["--ruleset", "opend6", "--seed", "x", "--content", "mine"];
    let (exit, texts, talk) = run_and_collect_answers(&home, &with, "help tables\nhelp spells\n");
    assert_eq!(exit, 0, "{texts:?} {talk}");
    assert!(texts.join("\n").contains("ChargesType"), "{texts:?}");
    let own = ["--ruleset", "opend6", "--seed", "x"];
    let (_, shipped, _) = run_and_collect_answers(&home, &own, "help tables\nhelp spells\n");
    assert_eq!(texts[0], shipped[0], "the tables are the same");
    assert!(texts[1].len() < shipped[1].len(), "{texts:?}");
}

/// Only the content of the folder is checked and written, even if shipped content of the same
/// collection stays.
#[test]
fn a_check_of_the_folder_tells_of_it_alone() {
    let home = Scratch::shipped("features");
    home.write(
        "mine/features/hum.yaml",
        HUM_FEATURE.replace("GLOW", "GLOOW"),
    );
    home.write(
        "mine/properties/glow.yaml",
        GLOW_SPELL
            .replace("whole", "whole ")
            .replace(": true", ": true  "),
    );
    let (exit, told) = check_external_folder(&home, "features");
    assert_eq!(exit, 1, "{told}");
    assert!(told.contains("mine/features/hum.yaml"), "{told}");
    assert!(told.contains("did you mean GLOW?"), "{told}");
    assert!(told.contains("in 2 files"), "{told}");
    let ac = home.path().join("content/features/properties/ac.yaml");
    let untidy = fs::read_to_string(&ac).unwrap() + "  \n";
    fs::write(&ac, &untidy).unwrap();
    let output = arbiter_in_home(&home, &["fmt", "--ruleset", "features", "mine"])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("1 file formatted"), "{told}");
    assert_eq!(
        fs::read_to_string(&ac).unwrap(),
        untidy,
        "it is not in the folder"
    );
    assert!(!home.path().join("mine/properties/ac.yaml").exists());
}
