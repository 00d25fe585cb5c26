//! This module asks what Tab offers for weapons and features: what whoever acts now has, and only to those who play it.

use arbiter_tests::{Game, Scratch, on_game_thread};
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
            let mut names = game::names_of(game.solo.timeline(), seat, slot_type).unwrap();
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
