//! Tests that rulings under earlier rules are explained by those rules, in memory or on disk.

use std::fs;
use std::path::Path;

use arbiter_tests::{Game, Scratch, files_below, on_game_thread, save_options};
use host::game::{GameLocation, ReplayComparison, RulesChoice, Solo};
use host::script::{Compiled, EngineOptions};

use super::{SITUATIONS, answer_to_line, commands_without_clashes, home_with_why_rules};

/// Returns the lines of the situations that explain the past, without refusals at present.
fn questions_about_past() -> Vec<&'static str> {
    let lines = SITUATIONS
        .lines()
        .take_while(|line| !line.starts_with("! "));
    let lines = lines.filter_map(|line| line.strip_prefix("> "));
    // The number of operations is not part of the past.
    let is_of_now = |line: &&str| line.starts_with("why not ") || *line == "why 99";
    let asked = lines.filter(|line| line.starts_with("why ") && !is_of_now(line));
    asked.collect()
}

/// Plays the situations up to the change of the rules.
fn play_until_rules_change(home: &Scratch) -> Game {
    let mut game = Game::with_commands(home, "mini", commands_without_clashes());
    let lines = SITUATIONS
        .lines()
        .take_while(|line| !line.starts_with("! "));
    for line in lines.filter_map(|line| line.strip_prefix("> ")) {
        answer_to_line(&mut game, line);
    }
    game
}

fn answers_about_past(game: &mut Game) -> Vec<(&'static str, String)> {
    let asked = questions_about_past().into_iter();
    asked
        .map(|line| (line, answer_to_line(game, line)))
        .collect()
}

/// Adds a comment to every script. In the file with the stats it comes last, because explanations
/// of stats use the present rules.
fn add_remark_to_scripts(home: &Scratch) {
    let scripts = home.path().join("scripts/mini");
    for file in files_below(&scripts) {
        let text = fs::read_to_string(&file).unwrap();
        let changed = match file.ends_with("ruleset.luau") {
            true => format!("{text}-- a remark\n"),
            false => format!("-- a remark\n{text}"),
        };
        fs::write(&file, changed).unwrap();
    }
}

fn reopen_saved_game(folder: &Path, home: &Scratch) -> Game {
    let place = GameLocation {
        folder,
        home: home.home(),
        engine: EngineOptions::default(),
        under: RulesChoice::Now,
        read_only: false,
    };
    let opened = Solo::reopen(place, save_options(), commands_without_clashes());
    let (solo, _) = opened.unwrap_or_else(|findings| panic!("no game: {findings:?}"));
    Game { solo }
}

#[test]
fn a_remark_in_a_script_takes_no_answer_of_what_happened_before() {
    let home = home_with_why_rules();
    let mut game = play_until_rules_change(&home);
    let before = answers_about_past(&mut game);
    assert!(before.len() >= 20, "{}", before.len());
    let shown = |text: &str| before.iter().any(|(_, answer)| answer.contains(text));
    assert!(shown(" at mini/commands/") && shown("fails: ") && shown("rolled "));
    let rules = game
        .solo
        .timeline()
        .history()
        .operation(1)
        .unwrap()
        .rules
        .clone();
    add_remark_to_scripts(&home);
    game.solo.session.reload(Compiled::default());
    // A ruling under the present rules is explained too.
    game.text("hum");
    let last = game.solo.timeline().history().operations().len();
    let now = game
        .solo
        .timeline()
        .history()
        .operation(last as u64)
        .unwrap();
    assert_ne!(now.rules, rules);
    for _ in 0..2 {
        assert_eq!(answers_about_past(&mut game), before);
        let said = answer_to_line(&mut game, &format!("why {last}"));
        assert!(
            said.contains("hum is emitted at mini/commands/hum.luau:9"),
            "{said}"
        );
    }
    assert_eq!(game.solo.verify_operation(5), ReplayComparison::Same);
}

#[test]
fn a_game_that_is_opened_again_explains_what_happened_by_the_rules_of_its_folder() {
    on_game_thread(|| {
        let home = home_with_why_rules();
        let place = home.path().join("game");
        let mut game = play_until_rules_change(&home);
        let before = answers_about_past(&mut game);
        game.solo.save_in_folder(&place, save_options()).unwrap();
        drop(game);
        add_remark_to_scripts(&home);
        let mut game = reopen_saved_game(&place, &home);
        assert_eq!(answers_about_past(&mut game), before);
    });
}

#[test]
fn where_the_rules_of_then_are_gone_what_was_kept_is_shown_with_the_rule_that_began_it() {
    on_game_thread(|| {
        let home = home_with_why_rules();
        let place = home.path().join("game");
        let mut game = Game::of(&home);
        for line in [
            "whim bo polite",
            "whim ann polite",
            "whim bo watchful",
            "kind",
        ] {
            game.text(line);
        }
        game.solo.save_in_folder(&place, save_options()).unwrap();
        drop(game);
        add_remark_to_scripts(&home);
        fs::remove_dir_all(place.join("rules")).unwrap();
        let mut game = reopen_saved_game(&place, &home);
        let said = answer_to_line(&mut game, "why 5");
        let first = "It changed bo. Its rules are no longer stored, so only its recorded changes are shown.";
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(first), "{said}");
        assert!(
            said.contains("- commands/kind - customs/bells handles greet"),
            "{said}"
        );
        let said = answer_to_line(&mut game, "why bo.rung");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        // The queue that wrote it has no rule; the command above it has one.
        assert!(
            said.contains("by gm, commands/kind (under rules that are no longer stored)"),
            "{said}"
        );
        assert!(!said.contains("the host"), "{said}");
        assert_eq!(game.solo.verify_operation(5), ReplayComparison::NotRun);
    });
}
