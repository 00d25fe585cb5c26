//! Breaks texts during a game: a text with an open question disappears, changes, or becomes
//! unreadable.

use arbiter_tests::{Game, Scratch};
use host::game;

use super::super::program::arbiter_in_project;

const ROLE_FILE: &str = "content/wwrf/roles/townsfolk/tide_oracle";

/// A role that no other text names.
const ORACLE_ROLE: &str = "**Tide Oracle** | Townsfolk Investigative
__Basics__
Asks the tide.

__Formalized__
Immediate Night: Role Investigate @Selection
";

const PIER_SETUP: &str = "source: the host's own tests
name: Pier
summary: An oracle among villagers.
players: { Wanda: Wolf, Ann: Tide Oracle, Bo: Villager, Cy: Villager }
";

/// Returns a home with the role, and a setup in which a player has it.
fn home_with_pier() -> Scratch {
    let home = Scratch::shipped("wwrf");
    home.write(ROLE_FILE, ORACLE_ROLE);
    home.write("content/wwrf/setups/pier.yaml", PIER_SETUP);
    home
}

/// Returns a game in its first night, with a question to the oracle.
fn first_night_of_pier(home: &Scratch) -> Game {
    let mut game = Game::of_program(home, "wwrf");
    game.text("new game Pier");
    game.text("next");
    assert!(game.text("questions").contains("Ann"));
    game
}

/// Checks that an answer is refused because of the text, without any change.
fn assert_answer_refused(game: &mut Game) {
    let before = game.hash();
    let refused = game.refusal("for Ann: answer Wanda");
    assert_eq!(refused.code, "wwrf/gone");
    assert_eq!(game.hash(), before);
}

#[test]
fn a_role_that_is_gone_does_nothing_and_the_game_goes_on() {
    let home = home_with_pier();
    let mut game = first_night_of_pier(&home);
    home.remove(ROLE_FILE);
    assert_eq!(game.text("reload"), "roles: 1 removed (tide_oracle)");
    assert_answer_refused(&mut game);
    let told = game.text("players");
    assert!(told.contains("tide_oracle (its text is gone)"), "{told}");
    assert_eq!(game.refusal("card Ann").code, "wwrf/no-role");
    game.text("next");
    assert_eq!(
        game.refusal("for Ann: answer Wanda").code,
        "answer/no-question"
    );
    game.text("let Bo Role Investigate Ann");
    assert_eq!(
        game.refusal("let Ann Role Investigate Bo").code,
        "wwrf/gone"
    );
    game.text("end game Townsfolk");
}

#[test]
fn a_role_that_asks_at_another_time_now_does_not_take_the_old_answer() {
    let home = home_with_pier();
    let mut game = first_night_of_pier(&home);
    home.edit(ROLE_FILE, "Immediate Night", "End Night");
    game.text("reload");
    assert_answer_refused(&mut game);
}

#[test]
fn an_answer_that_waits_is_dropped_when_its_text_is_gone() {
    let home = home_with_pier();
    home.edit(ROLE_FILE, "Immediate Night", "End Night");
    let mut game = first_night_of_pier(&home);
    game.text("for Ann: answer Wanda");
    assert!(game.text("answers").contains("Wanda"));
    home.remove(ROLE_FILE);
    game.text("reload");
    assert!(game.text("answers").contains("Wanda"));
    assert_eq!(game.refusal("for Ann: amend 1: Bo").code, "wwrf/gone");
    let told = game.text("next");
    assert!(
        told.contains("has no effect: its question is out of date"),
        "{told}"
    );
    assert!(!told.contains("Wolf"), "{told}");
}

#[test]
fn a_text_that_cannot_be_read_leaves_the_old_one_in_force() {
    let home = home_with_pier();
    let mut game = first_night_of_pier(&home);
    home.edit(ROLE_FILE, "Role Investigate", "Roll Investigate");
    let reply = game.line("reload");
    assert_eq!(reply.findings[0].code, "wwrf/ability-unknown");
    let told = game.text("for Ann: answer Wanda");
    assert!(told.contains("Wanda is Wolf"), "{told}");
}

#[test]
fn an_ability_that_was_mended_is_what_an_answer_does() {
    let home = home_with_pier();
    let mut game = first_night_of_pier(&home);
    home.edit(ROLE_FILE, "Role Investigate", "Alignment Investigate");
    game.text("reload");
    let told = game.text("for Ann: answer Wanda");
    assert!(told.contains("Werewolf"), "{told}");
}

#[test]
fn a_role_that_is_not_finished_is_not_dealt() {
    let home = home_with_pier();
    let mut game = first_night_of_pier(&home);
    let body = "Immediate Night: Role Investigate @Selection";
    home.edit(ROLE_FILE, body, "TBD");
    game.text("reload");
    assert_answer_refused(&mut game);
    let refused = game.refusal("new game Pier anyway");
    assert_eq!(refused.code, "wwrf/set-up");
    assert_eq!(refused.message, "the role Tide Oracle is not finished");
    assert!(game.text("players").contains("Tide Oracle"));
}

#[test]
fn a_role_that_could_not_be_read_when_the_game_began_is_not_dealt() {
    let home = home_with_pier();
    home.edit(ROLE_FILE, "Role Investigate", "Roll Investigate");
    let mut game = Game::of_program(&home, "wwrf");
    let refused = game.refusal("new game Pier");
    assert_eq!(
        refused.message,
        "the text of the role Tide Oracle has an error: line 6: \"Roll Investigate @Selection\" is not an ability: no ability begins with \"Roll\""
    );
    assert_eq!(
        refused.hints,
        [
            "`role Tide Oracle` shows all errors; fix them, or add `anyway` at the end of the line to play the parts that could be read"
        ]
    );
}

/// A role with one readable trigger and further unreadable text.
const HALF_READ_ROLE: &str = "**Tide Oracle** | Townsfolk Investigative
__Basics__
Asks the tide.

__Formalized__
Inherit: `Nothing Such`
Starting:
  • Learn `The tide turns`
  • @Self bee @All: Learn `It never does`
Immediate Night: Role Investigate @Selection
End Night: Roll Investigate @Selection
Passive Start Night: Learn `x` [Temporal: Nite 1] ⟨xx3⟩
On @Frob Death: Learn `d`
Include: @Selv
";

/// A poll with readable triggers and without options.
const POLL_WITHOUT_OPTIONS: &str = "**Regatta** | Poll
Available Options: @Al, Abstain
Allowd Voters: @All
Passive Start Day: Create Poll in #Voting-Booth
";

/// Returns a home with both texts.
fn home_with_half_read_texts() -> Scratch {
    let home = home_with_pier();
    home.write(ROLE_FILE, HALF_READ_ROLE);
    home.write("content/wwrf/polls/regatta", POLL_WITHOUT_OPTIONS);
    home
}

#[test]
fn a_text_with_errors_is_known_by_its_name_and_told_with_them() {
    let mut game = Game::of_program(&home_with_half_read_texts(), "wwrf");
    let told = game.text("role Tide Oracle");
    for part in [
        "as soon as the answer comes: finds out the role",
        "error[wwrf/ability-unknown]: line 11:",
        "`new game … anyway` plays the parts that could be",
    ] {
        assert!(told.contains(part), "{part} is missing in:\n{told}");
    }
    assert!(game.text("role Regatta").contains("line 2: "));
    assert!(game.text("book").contains(
        "2 texts with errors, which are left out of all games: the role Tide Oracle and the poll Regatta"
    ));
    let told = game.text("new game of Wolf, Villager, Villager with Ann, Bo, Cy");
    assert!(
        told.contains("Some texts have errors, and are not in this game:"),
        "{told}"
    );
}

#[test]
fn a_text_with_errors_has_help_with_them_and_is_offered() {
    let mut game = Game::of_program(&home_with_half_read_texts(), "wwrf");
    let page = game.text("help Tide Oracle");
    for part in [
        "is a:",
        "tide_oracle:1",
        "Its text has errors",
        "error[wwrf/ability-unknown]: line 11:",
        "for more, type `role Tide Oracle`",
    ] {
        assert!(page.contains(part), "{part} is missing in:\n{page}");
    }
    assert_eq!(game.text("tide oracle?"), page);
    assert!(game.text("help Regatta").contains("line 2: "));
    assert!(
        game.text("help roles")
            .contains("With errors: Tide Oracle.")
    );
    let refusal = game.refusal("help Tide Orakle");
    assert!(refusal.hints[0].contains("Tide Oracle"), "{refusal:?}");
    for line in [
        "new game of Tide",
        "new game of Wolf, Tide",
        "new game of Tide Oracle, Tide",
    ] {
        let (_, offers) =
            game::texts_offered_for_last_slot(game.solo.timeline(), "gm", line).unwrap();
        let begin = line.strip_suffix("Tide").unwrap();
        let behind = begin.strip_prefix("new game of ").unwrap();
        let offer = format!("{behind}Tide Oracle");
        assert!(offers.contains(&offer), "{offer} is no offer of {line}");
    }
}

#[test]
fn what_could_be_read_is_played_anyway_and_marked() {
    let home = home_with_half_read_texts();
    let mut game = Game::of_program(&home, "wwrf");
    let told = game.text("new game Pier anyway");
    for part in [
        "Some texts have errors: a trigger with an error does nothing, unless fmt can fix the error.",
        "the poll Regatta (it is not in this game), line 2:",
    ] {
        assert!(told.contains(part), "{part} is missing in:\n{told}");
    }
    assert!(!told.contains("The tide turns"), "{told}");
    let card = game.text("for Ann: card");
    assert!(card.contains("The text of this role has errors"), "{card}");
    let told = game.text("let Ann Reveal `The tide is out` to Bo");
    assert!(told.contains("The tide is out"), "{told}");
    let told = game.text("next");
    assert!(
        !told.contains("does something that cannot be read"),
        "{told}"
    );
    let told = game.text("for Ann: answer Wanda");
    assert!(told.contains("Wanda is Wolf"), "{told}");
    let told = game.text("next");
    assert!(!told.contains("Regatta"), "{told}");
    home.write(ROLE_FILE, ORACLE_ROLE);
    home.remove("content/wwrf/polls/regatta");
    game.text("reload");
    let card = game.text("for Ann: card");
    assert!(!card.contains("errors"), "{card}");
}

#[test]
fn a_game_of_what_could_be_read_is_the_same_when_it_is_run_again() {
    let home = home_with_half_read_texts();
    home.write(
        "lines.txt",
        "new game Pier anyway\nnext\nfor Ann: answer Wanda\nnext\n",
    );
    let run = |words: &[&str]| {
        let output = arbiter_in_project()
            .args(words)
            .current_dir(home.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), format!("{told}{talk}"))
    };
    let (_, told) = run(&[
        "run",
        "lines.txt",
        "--home",
        ".",
        "--ruleset",
        "wwrf",
        "--game",
        "kept",
    ]);
    assert!(told.contains("Wanda is Wolf"), "{told}");
    home.remove(ROLE_FILE);
    let (is_same, told) = run(&["verify", "kept", "--home", "."]);
    assert!(is_same && told.contains("0 differ"), "{told}");
}
