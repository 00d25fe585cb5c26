//! Tests Tab for weapons and features: it offers those of the acting creature, only to its players.
//! All offers of `features` can be used.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::doc::{Screen, terminal};
use host::game;

#[test]
fn weapons_and_features_of_whoever_acts_are_offered_to_those_who_play_it() {
    on_game_thread(|| {
        let home = Scratch::shipped("features");
        let mut game = Game::of_program(&home, "features");
        for line in [
            "encounter new The Frozen Ford",
            "set Ilsabet seat Pia",
            "set Fenn seat Tom",
        ] {
            game.text(line);
        }
        let offered = |game: &Game, seat: &str, slot_type: &str| {
            let names = game::names_for_slot_type(game.solo.timeline(), seat, slot_type);
            let mut names = names.unwrap();
            names.sort_unstable();
            names
        };
        let own = ["javelin", "longsword"];
        assert_eq!(offered(&game, "Pia", "Weapon"), own, "nobody's turn runs");
        assert!(offered(&game, "gm", "Weapon").len() > own.len());
        game.text("turn Ilsabet");
        assert_eq!(offered(&game, "gm", "Weapon"), own);
        assert_eq!(offered(&game, "gm", "Usable"), ["ring the bell"]);
        assert_eq!(offered(&game, "Pia", "Usable"), ["ring the bell"]);
        let others = offered(&game, "Tom", "Weapon");
        assert!(!others.contains(&"longsword".to_owned()), "{others:?}");
    });
}

/// Returns the features that the feature table of a creature offers now.
fn features_offered_now(game: &mut Game, who: &str) -> Vec<String> {
    let wide = Screen {
        width: 1000,
        ..Screen::default()
    };
    let reply = game.line(&format!("features of {who}"));
    let documents = reply.documents.iter().map(|one| terminal(one, &wide));
    let shown: Vec<String> = documents.collect();
    shown
        .join("\n")
        .lines()
        .filter(|row| row.trim_end().ends_with("yes"))
        .filter_map(|row| row.split("  ").next())
        .map(|name| name.split(" (of ").next().unwrap_or(name).to_owned())
        .collect()
}

/// Answers every open question with yes.
fn answer_all_questions_yes(game: &mut Game) {
    let is_number = |word: &&str| {
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|one| one.is_ascii_digit());
        word.contains('.') && word.split('.').all(is_part)
    };
    loop {
        let waiting = game.text("questions");
        let mut firsts = waiting
            .lines()
            .filter_map(|row| row.split_whitespace().next());
        let Some(number) = firsts.find(is_number) else {
            return;
        };
        game.text(&format!("answer {number} yes"));
    }
}

/// Returns whether a creature can use a feature in some way; the use is taken back.
fn can_use_feature(game: &mut Game, feature: &str, who: &str) -> bool {
    let targets = game::names_for_slot_type(game.solo.timeline(), "gm", "Target").unwrap();
    let mut ways = vec![String::new(), " at 0,0".to_owned(), " at 50,50".to_owned()];
    ways.extend(targets.iter().map(|name| format!(" on {name}")));
    for way in ways {
        let reply = game.line(&format!("use {feature}{way} by {who}"));
        if reply.refusal.is_none() {
            game.undo();
            return true;
        }
    }
    false
}

/// All offers to a creature of the books, in its own turn or at the end of another turn, can be
/// used on a creature here.
#[test]
fn what_is_offered_can_be_used() {
    on_game_thread(|| {
        let home = Scratch::shipped("features");
        let mut game = Game::of_program(&home, "features");
        let mut offered = 0;
        for encounter in game::names_for_slot_type(game.solo.timeline(), "gm", "Encounter").unwrap()
        {
            game.text(&format!("encounter new {encounter}"));
            let creatures =
                game::names_for_slot_type(game.solo.timeline(), "gm", "Creature").unwrap();
            for (place, who) in creatures.iter().enumerate() {
                let other = &creatures[(place + 1) % creatures.len()];
                let own_turn = vec![format!("turn {who}")];
                let turn_of_another = vec![format!("turn {other}"), "end turn".to_owned()];
                for lines in [own_turn, turn_of_another] {
                    game.text(&format!("encounter new {encounter}"));
                    for line in &lines {
                        game.text(line);
                        answer_all_questions_yes(&mut game);
                    }
                    for feature in features_offered_now(&mut game, who) {
                        offered += 1;
                        let can = can_use_feature(&mut game, &feature, who);
                        assert!(can, "{encounter}: {lines:?}, {feature} of {who}");
                    }
                }
            }
        }
        assert!(offered > 15, "{offered}");
    });
}
