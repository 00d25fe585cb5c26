//! Tests `why`, `help` and the similar names for unknown names.

use super::{replies_to_lines, tab_suggestions};
use crate::toy_game::{Toy, reply_text};

#[test]
fn a_function_that_fails_to_find_names_is_shown() {
    let toy = Toy::new();
    let rules = std::fs::read_to_string(toy.path("scripts/mini/ruleset.luau")).unwrap();
    let broken = rules.replace("run = seats", "run = function(act) return act:rol() end");
    toy.write("scripts/mini/ruleset.luau", &broken);
    let mut solo = toy.solo();
    let refusal = solo.submit("gm", "as Ann").refusal.unwrap();
    assert_eq!(refusal.message, "`act` has no method `rol`");
    assert_eq!(
        refusal.place.unwrap().source.name(),
        "scripts/mini/ruleset.luau"
    );
    assert!(
        refusal
            .hints
            .iter()
            .any(|hint| hint.contains("lists the players")),
        "{:?}",
        refusal.hints
    );
    assert_eq!(solo.submit("gm", "as gm").findings.len(), 1);
    assert_eq!(reply_text(&solo.submit("gm", "mood ann")), "Ann feels 3.");
}

#[test]
fn why_is_read_in_all_its_forms() {
    let mut solo = Toy::new().solo();
    solo.submit("gm", "cheer ann");
    let mut begins = |line: &str, with: &str| {
        let said = reply_text(&solo.submit("gm", line));
        assert!(said.starts_with(with), "{line}: {said}");
    };
    begins("why 2", "Log line 2 is `cheer ann` by gm.");
    begins("why ann.mood", "Ann.mood shows 4");
    begins("why ann mood", "Ann.mood shows 4");
    begins("why Hill Guard", "Hill Guard is a person.");
    begins("why hill guard mood", "Hill Guard.mood shows");
    begins(
        "why not cheer ann by 9",
        "commands/cheer refuses it at mini/commands/cheer.luau:7",
    );
    begins("why not cheer ann", "`cheer ann` is allowed");
    begins("why not ann.mood", "Ann.mood is ");
    begins("why not log", "why/no-rule: ");
    begins("why nothing", "why/unknown: ");
}

/// Returns a toy with a command that makes a person whom only the game master sees.
fn toy_with_hidden_person() -> Toy {
    let toy = Toy::new();
    toy.write(
        "scripts/mini/commands/hide.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"hide\", run = function(act)\n\
         act:create(\"person\", { name = \"Zelda\", drive = \"d8\" }, \"zelda\", { seen = \"gm\" })\nend }\n",
    );
    toy
}

#[test]
fn near_names_come_from_what_is_there_and_the_one_who_asks_may_see() {
    let mut solo = toy_with_hidden_person().solo();
    replies_to_lines(&mut solo, &["hide", "charm ann with cheer"]);
    let mut near = |by: &str, line: &str| {
        let refusal = solo.submit(by, line).refusal.expect("it is refused");
        let near = refusal.hints.iter().find(|hint| hint.starts_with("did"));
        near.cloned().unwrap_or_default()
    };
    let cases = [
        ("gm", "why charm#9", "did you mean \"charm#1\"?"),
        ("gm", "show charm#9", "did you mean \"charm#1\"?"),
        ("gm", "set charm#9 charm gloom", "did you mean \"charm#1\"?"),
        ("gm", "set ann1 mood 3", "did you mean \"Ann\"?"),
        ("gm", "why zelad", "did you mean \"Zelda\" or \"zelda\"?"),
        ("gm", "why ann nmae", "did you mean \"name\"?"),
        ("Ann", "why zelad", ""),
        ("Ann", "show zelad", ""),
        ("Ann", "show zelda2", ""),
        ("Ann", "why charm#9", ""),
        ("Ann", "show charm#9", ""),
        (
            "Ann",
            "why hill-gaurd",
            "did you mean \"hill-guard\" or \"Hill Guard\"?",
        ),
    ];
    for (by, line, expected) in cases {
        assert_eq!(near(by, line), expected, "{by}: {line}");
    }
}

#[test]
fn a_word_is_explained_as_a_field_of_what_may_be_seen_and_as_dice() {
    let mut solo = toy_with_hidden_person().solo();
    replies_to_lines(&mut solo, &["hide"]);
    let mut help = |by: &str, line: &str| reply_text(&solo.submit(by, line));
    let told = help("gm", "Drive?");
    assert!(
        told.starts_with("drive") && told.contains("Zelda:  d8"),
        "{told}"
    );
    assert!(help("gm", "help drive").contains("Zelda"));
    let unknown = "help/unknown-word: unknown word \"drive\"";
    assert_eq!(help("Ann", "drive?"), unknown);
    assert!(help("Ann", "4d6kh3?").contains("`roll 4d6kh3` rolls them"));
    assert!(help("Ann", "d?").starts_with("help/unknown-word"));
    assert_eq!(tab_suggestions(&solo, "gm", "help dri"), ["drive"]);
    assert_eq!(tab_suggestions(&solo, "Ann", "help dri"), [""; 0]);
}
