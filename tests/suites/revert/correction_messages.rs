//! Tests the messages of corrections. A correction compares with the result of the earlier one, and
//! readers of a text that no longer holds are informed.

use arbiter_tests::{Game, Scratch};
use host::doc::{Viewer, for_viewer, plain};
use host::game::{Corrections, Reply, chronicle_for_viewer};

fn text_seen_by(reply: &Reply, viewer: &Viewer) -> String {
    let seen = reply.documents.iter();
    let seen = seen.filter_map(|document| for_viewer(document, viewer));
    seen.map(|document| plain(&document)).collect()
}

/// Returns a game in which one command opens a door; others go through it and report it to Ann and
/// to the game master.
fn game_with_doors() -> Game {
    let home = Scratch::mini();
    home.command("unlock", "act:set('ann', 'door', true) return 'unlocked'");
    home.command(
        "enter",
        "if not act:get('ann', 'door') then return act:fail('shut', 'the door is shut') end
         act:say('Ann', 'You stand in the hall.')
         return act:done('Ann goes in.')",
    );
    Game::of_program(&home, "mini")
}

#[test]
fn whoever_was_told_by_a_ruling_that_is_refused_now_is_told() {
    let mut game = game_with_doors();
    for line in ["unlock", "enter", "mood Bo"] {
        game.text(line);
    }
    let done = game.line("revert 2 yes");
    let [ann, bo] = ["Ann", "Bo"].map(|name| text_seen_by(&done, &Viewer::seat(name, [])));
    let taken_back = "Ruled again: what it said does not hold any more.";
    // Once to all, who saw Ann enter, and once to Ann, who was told her place.
    assert_eq!(ann.matches(taken_back).count(), 2, "{ann}");
    assert_eq!(bo.matches(taken_back).count(), 1, "{bo}");
    game.assert_replays_same();
}

#[test]
fn a_replacement_lists_no_line_that_it_says_too() {
    let mut game = Game::of_program(&Scratch::mini(), "mini");
    game.text("charm Bo with cheer");
    let same = game.text("replace 2 with charm bo with cheer");
    assert!(!same.contains("no longer says"), "{same}");
    let other = game.text("replace 2 with charm Bo with gloom");
    assert!(other.contains("2 no longer says: Bo feels"), "{other}");
    game.text("replace 2 yes with charm bo with cheer");
    game.assert_replays_same();
}

#[test]
fn what_an_earlier_correction_let_fall_away_is_no_news_of_the_next_one() {
    let mut game = game_with_doors();
    for line in ["unlock", "charm Bo with cheer", "enter"] {
        game.text(line);
    }
    let first = game.text("revert 2 yes");
    assert!(first.contains("4 no longer says"), "{first}");
    let next = game.text("revert 3");
    assert!(next.contains("3 no longer says"), "{next}");
    assert!(!next.contains("4 no longer says"), "{next}");
    assert!(!next.contains("enter"), "{next}");
    // The same for a correction that omits a line which was already refused.
    let itself = game.text("revert 4");
    assert!(!itself.contains("no longer says"), "{itself}");
    game.assert_replays_same();
}

#[test]
fn chapters_are_named_for_the_phases_at_which_their_rulings_stand() {
    let home = Scratch::shipped("wwrf");
    let mut game = Game::of_program(&home, "wwrf");
    for line in [
        "new game of Wolf, Seer, Villager, Villager with Ann, Bo, Cy, Dee anyway",
        "next",
        "next without answers",
        "next",
        "next without answers",
        "revert 3 yes",
    ] {
        game.text(line);
    }
    for viewer in [Viewer::Public, Viewer::seat("Bo", [])] {
        let told =
            chronicle_for_viewer(game.solo.timeline(), &viewer, Corrections::LeftOut).unwrap();
        let mut named = 0;
        for chapter in &told.chapters {
            for document in chapter.events.iter().flat_map(|event| &event.documents) {
                let text = plain(document);
                let mut lines = text.lines().map(str::trim);
                let begun = lines.find(|line| {
                    ["Night ", "Day "].iter().any(|word| {
                        line.strip_prefix(word)
                            .is_some_and(|rest| rest.parse::<u32>().is_ok())
                    })
                });
                if let Some(begun) = begun {
                    assert_eq!(begun.to_lowercase(), chapter.title, "{text}");
                    named += 1;
                }
            }
        }
        assert_eq!(named, 3, "three phases began, and stand");
    }
}
