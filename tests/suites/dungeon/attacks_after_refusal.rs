//! Tests that a refused attack does not use the daily action: the attacker can attack on the same
//! day.

use arbiter_tests::{Game, on_game_thread};
use host::game;
use host::game::Seed;
use host::value::Value;

use super::refusals::home_with_dungeon;
use super::transcript::seat_and_line;

/// A refused attack, and an accepted attack by the same attacker on the same day, with the lines
/// before and between them.
const REFUSED_THEN_ALLOWED: [(&str, &str, &[&str], &str); 9] = [
    (
        "E_IDLE",
        "players: A idle|encounter: 2 newt HP 9 damage 1 on 1 melee",
        &[
            "! A: attack newt #1",
            "set A idle false because asked to be back",
        ],
        "A: attack newt #1",
    ),
    (
        "E_TARGET",
        "players: A|encounter: 2 newt HP 9 damage 1 on 1 melee",
        &["! A: attack newt #3"],
        "A: attack newt #2",
    ),
    (
        "E_SELF",
        "players: A|encounter: newt HP 9 damage 1 on 1 melee",
        &["! A: attack A"],
        "A: attack newt",
    ),
    (
        "E_LEVEL",
        "players: A @2, B|encounter: newt HP 9 damage 1 on 1 melee",
        &[
            "! A: attack newt",
            "move A to level 1 because it was miscounted",
        ],
        "A: attack newt",
    ),
    (
        "E_RANGE_RANGED",
        "players: A|items: A dart|encounter: newt HP 9 damage 1 on 1 ranged",
        &["! A: attack newt", "A: wield dart"],
        "A: attack newt",
    ),
    (
        "E_RANGE_MELEE",
        "players: A|items: A dart wielded|encounter: newt HP 9 damage 1 on 1 melee",
        &["! A: attack newt", "A: wield nothing"],
        "A: attack newt",
    ),
    (
        "E_POST",
        "players: A, B",
        &["! A: attack B", "A: new attack post on level 1"],
        "A: attack B",
    ),
    (
        "E_POST_INACTIVE",
        "players: A, B|post: 1 inactive",
        &["! A: attack B", "B: new attack post on level 1"],
        "A: attack B",
    ),
    (
        "E_STATUS",
        "players: A|items: A potion of Sleeping|encounter: newt HP 9 damage 1 on 1 melee",
        &[
            "dice next 1 1 1 1",
            "A: quaff potion of Sleeping",
            "! A: attack newt",
            "wait 4h",
        ],
        "A: attack newt",
    ),
];

#[test]
fn whoever_was_refused_attacks_on_the_same_day() {
    on_game_thread(|| {
        let mut game = Game::of_program(&home_with_dungeon(), "dungeon");
        for (code, settings, lines, attack) in REFUSED_THEN_ALLOWED {
            let solo = &mut game.solo;
            solo.restart(Seed::from_text(code));
            let settings = settings.split('|').filter_map(|one| one.split_once(": "));
            let settings = settings.map(|(key, value)| (key, Value::from(value)));
            let reply = game::set_up_test(solo, &Value::map(settings));
            assert!(reply.refusal.is_none(), "{code}: {reply:?}");
            let mut code_of = |line: &str| {
                let (by, line) = seat_and_line(line);
                let refusal = solo.submit(by, line).refusal;
                refusal.map(|one| one.code.to_string())
            };
            for line in lines {
                let expected = line.strip_prefix("! ").map(|_| code.to_owned());
                let line = line.trim_start_matches("! ");
                assert_eq!(code_of(line), expected, "{code}: {line}");
            }
            assert_eq!(code_of(attack), None, "{code}: {attack}");
            let again = code_of(attack);
            assert_eq!(
                again.as_deref(),
                Some("E_ACTION_USED"),
                "{code}: that one counts"
            );
        }
    });
}
