//! Adds a potion, which needs a look file; a missing look is a finding, and the game still starts.

use arbiter_tests::{Game, Scratch, on_game_thread};

const POTION_FILE: &str = r#"--!strict
-- Tar: it sticks.
return potion {
  source = "the host's own tests",
  summary = "Does nothing, slowly.",
  name = "Tar",
  drink = function()
    return "chews"
  end,
}
"#;

const LOOK_FILE: &str = "name: green
source: the host's own tests
summary: A potion that nobody has drunk may look green.
";

fn secret_count(game: &mut Game) -> usize {
    let count = game.text("= #act:find({ kind = \"secret\" })");
    count.trim().parse().unwrap()
}

#[test]
fn a_potion_without_a_look_is_a_finding_and_the_game_begins() {
    on_game_thread(|| {
        let home = Scratch::shipped("dungeon");
        home.write("scripts/dungeon/potions/tar.luau", POTION_FILE);
        let mut game = Game::of_program(&home, "dungeon");
        let findings = game.findings();
        assert!(
            findings.contains("there are 8 potions and 7 looks"),
            "{findings}"
        );
        assert!(
            findings.contains("content/dungeon/looks/green.yaml"),
            "{findings}"
        );
        assert_eq!(secret_count(&mut game), 7);
    });
}

#[test]
fn a_look_is_a_file_and_every_potion_has_one() {
    on_game_thread(|| {
        let home = Scratch::shipped("dungeon");
        home.write("scripts/dungeon/potions/tar.luau", POTION_FILE);
        home.write("content/dungeon/looks/green.yaml", LOOK_FILE);
        let mut game = Game::of_program(&home, "dungeon");
        assert_eq!(game.findings(), "");
        assert_eq!(secret_count(&mut game), 8);
    });
}

/// If there are more looks than potions, chance selects as many as there are potions.
#[test]
fn looks_that_no_potion_has_are_left_out() {
    on_game_thread(|| {
        let home = Scratch::shipped("dungeon");
        home.write("content/dungeon/looks/green.yaml", LOOK_FILE);
        let mut game = Game::of_program(&home, "dungeon");
        assert_eq!(game.findings(), "");
        assert_eq!(secret_count(&mut game), 7);
    });
}
