//! Plays a werewolf evening as people do: a night with a question to the wrong person, and missing
//! answers when the game should continue.

use std::fs;

use arbiter_tests::Scratch;
use rexpect::session::PtySession;

use super::{start_mini, start_ruleset};

/// Types a line and a sum, and returns the output before the answer of the sum.
fn type_and_read(session: &mut PtySession, line: &str) -> String {
    session.send_line(line).unwrap();
    session.send_line("= 70000 + 77").unwrap();
    session.exp_string("70077").unwrap()
}

#[test]
fn who_should_not_have_been_asked_is_told_and_the_answers_of_others_stay() {
    let home = Scratch::shipped("wwrf");
    let mut session = start_ruleset(home.path(), "wwrf");
    for line in [
        "new game of Wolf, Villager, Villager, Villager, Villager with Ann, Bo, Cy, Eve, Gus",
        "correct Ann role Wolf",
        "correct Eve role Seer",
        "correct Gus role Seer",
        "next",
        "for Eve: answer Bo",
        "for Gus: answer Cy",
    ] {
        type_and_read(&mut session, line);
    }
    let dawn = type_and_read(&mut session, "next");
    assert!(dawn.contains("Night 1 is over"), "{dawn}");
    let preview = type_and_read(&mut session, "revert 5");
    assert!(preview.contains("Gus is not asked any more"), "{preview}");
    assert!(!preview.contains("player-5.role"), "{preview}");
    assert!(preview.contains("Nothing was changed"), "{preview}");
    let details = type_and_read(&mut session, "revert 5 details");
    assert!(details.contains("seer -> villager"), "{details}");
    let done = type_and_read(&mut session, "revert 5 yes");
    assert!(done.contains("Gus is not asked any more"), "{done}");
    assert!(!done.contains("Eve is not asked"), "{done}");
    let undone = type_and_read(&mut session, "undo");
    assert!(undone.contains("undone"), "{undone}");
}

#[test]
fn what_a_day_said_that_was_taken_back_is_in_no_export_for_others() {
    let home = Scratch::shipped("wwrf");
    let mut session = start_ruleset(home.path(), "wwrf");
    type_and_read(
        &mut session,
        "new game of Wolf, Seer, Villager, Villager, Villager with Ann, Bo, Cy, Eve, Gus",
    );
    type_and_read(&mut session, "next");
    let owed = type_and_read(&mut session, "next");
    assert!(
        owed.contains("1 answer is still missing: Cy look"),
        "{owed}"
    );
    type_and_read(&mut session, "next without answers");
    for option in ["Eve", "Gus"] {
        for voter in ["Ann", "Bo"] {
            type_and_read(
                &mut session,
                &format!("for {voter}: vote {option} in Lynch"),
            );
        }
        let lynched = type_and_read(&mut session, "next");
        assert!(
            lynched.contains(&format!("{option} was lynched")),
            "{lynched}"
        );
        if option == "Eve" {
            type_and_read(&mut session, "undo");
        }
    }
    for place in ["a/../../public.md", "CON", "-rf"] {
        let refused = type_and_read(&mut session, &format!("export to {place}"));
        assert!(refused.contains("error["), "{refused}");
    }
    type_and_read(&mut session, "export to public.md");
    type_and_read(&mut session, "export with corrections to all.md");
    let read = |name: &str| fs::read_to_string(home.path().join(name)).unwrap();
    let (public, all) = (read("public.md"), read("all.md"));
    assert!(public.contains("Gus was lynched"), "{public}");
    assert!(!public.contains("Eve was lynched"), "{public}");
    assert!(all.contains("Eve was lynched"), "{all}");
}

#[test]
fn the_game_goes_on_without_answers_only_where_somebody_says_so() {
    let home = Scratch::mini();
    home.command(
        "tolls",
        "act:prompt({ to = 'bo', key = 'toll', type = 'YesNo', text = 'Pay?', run = 'commands/paid' })
         return 'asked'",
    );
    home.command("paid", "return 'paid'");
    let mut session = start_mini(home.path());
    type_and_read(&mut session, "tolls");
    for line in ["next", "next anyway"] {
        let refused = type_and_read(&mut session, line);
        assert!(
            refused.contains("1 answer is still missing: Bo toll"),
            "{refused}"
        );
        assert!(refused.contains("without answers"), "{refused}");
    }
    session.send_line("next without answers").unwrap();
    session.exp_regex("mini day[^\n]*> ").unwrap();
    session.send_line("undo").unwrap();
    session.exp_regex("mini night 1[^\n]*> ").unwrap();
}
