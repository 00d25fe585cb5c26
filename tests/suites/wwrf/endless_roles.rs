//! Plays roles with texts that trigger each other without end, under the shipped limits: the events
//! are cut off, the game master is informed, and the game continues.

use arbiter_tests::{Game, Scratch};
use host::doc::plain;

/// Lines of a role, and the message to the game master.
const ENDLESS_ROLES: [(&str, &str); 3] = [
    (
        "Passive: Role Change @Self to `Restless Twin`",
        "Passive ran 100 times and still changes something",
    ),
    (
        "Passive Start Night: Emit `Ping`\nOn `Ping` Emitted: Emit `Ping`",
        "\"Ping\" is emitted without end, because it causes itself; it was stopped after 50 times.",
    ),
    (
        "Passive Start Night: Emit `Ping`\nOn `Ping` Emitted: Emit `Pong`\nOn `Pong` Emitted: Emit `Ping`",
        "is emitted without end, because it causes itself; it was stopped after 50 times.",
    ),
];

const GAME_SETUP: &str = "source: the host's own tests
name: Endless
summary: Somebody who never rests, among villagers.
players: { Wanda: Wolf, Ann: Restless, Bo: Villager, Cy: Villager, Dee: Villager }
";

fn answer_in_one_line(game: &mut Game, line: &str) -> String {
    let reply = game.line(line);
    assert_eq!(reply.refusal, None, "{line}");
    let said: String = reply.documents.iter().map(plain).collect();
    said.replace('\n', " ")
}

#[test]
fn a_role_that_never_comes_to_rest_is_cut_off_and_told_and_the_game_goes_on() {
    for (lines, said) in ENDLESS_ROLES {
        let home = Scratch::shipped("wwrf");
        home.write("content/wwrf/setups/endless.yaml", GAME_SETUP);
        let title =
            "**Restless** | Townsfolk Investigative\n__Basics__\nNever rests.\n__Formalized__";
        home.write(
            "content/wwrf/roles/townsfolk/restless",
            format!("{title}\n{lines}\n"),
        );
        let twin = title.replace("**Restless**", "**Restless Twin**");
        home.write(
            "content/wwrf/roles/townsfolk/restless_twin",
            format!("{twin}\nPassive: Role Change @Self to `Restless`\n"),
        );
        let mut game = Game::of_program(&home, "wwrf");
        let begun = answer_in_one_line(&mut game, "new game Endless");
        let before = game.hash();
        let night = answer_in_one_line(&mut game, "next");
        assert!(
            format!("{begun} {night}").contains(said),
            "{lines}: {night}"
        );
        assert!(game.phase_and_place().contains("night"), "{lines}");
        game.assert_replays_same();
        game.undo();
        assert_eq!(game.hash(), before, "{lines}");
    }
}
