//! Tests the suggestions of Tab for each actor.

use super::{COMMANDS, tab_suggestions};
use crate::completion::suggestions_at_cursor;
use crate::toy_game::Toy;
use host::game;
use host::game::Solo;

#[test]
fn a_command_for_a_seat_is_completed_as_that_seat_would_type_it() {
    let solo = Toy::new().solo();
    for (line, start, text) in [
        ("for h", 4, "Hill Guard"),
        ("for Ann: che", 9, "cheer "),
        ("for hill guard: cheer A", 22, "Ann"),
    ] {
        let found = suggestions_at_cursor(solo.timeline(), "gm", line, line.len());
        let listed: Vec<&str> = found.list.iter().map(|one| one.text.trim_end()).collect();
        assert!(listed.contains(&text.trim_end()), "{line}: {listed:?}");
        assert_eq!(found.start, start, "{line}");
    }
    let of_nobody = suggestions_at_cursor(solo.timeline(), "gm", "for zork: che", 13).list;
    assert!(of_nobody.iter().all(|one| one.text.trim_end() != "cheer"));
    let by_a_seat = suggestions_at_cursor(solo.timeline(), "Ann", "for Hill Guard: che", 19).list;
    assert!(by_a_seat.iter().all(|one| one.text.trim_end() != "cheer"));
    let rest = crate::syntax_hint::syntax_hint(solo.timeline(), "gm", "for Ann: cheer ");
    assert_eq!(
        rest,
        crate::syntax_hint::syntax_hint(solo.timeline(), "gm", "cheer ")
    );
    assert!(rest.is_some());
}

#[test]
fn plans_choices_and_answers_are_completed_for_those_who_may_know_them() {
    let toy = Toy::new();
    toy.write(
        "scripts/mini/plans/dusk.luau",
        "return plan { source = \"x\", summary = \"x\", steps = { { name = \"one\", run = function() end } } }\n",
    );
    toy.write(
        "scripts/mini/commands/ballots.luau",
        r#"return command { source = "x", summary = "x", syntax = "ballots {seen: Word}", run = function(act, args)
  poll.open(act, { key = args.seen, options = { "tea", "soup" }, voters = { "ann", "bo" }, abstain = true,
    seen = args.seen })
end }
"#,
    );
    toy.write(
        "scripts/mini/commands/inquire.luau",
        r#"return command { source = "x", summary = "x", syntax = "inquire", run = function(act)
  return act:done(act:ask({ to = "Ann", key = "guest", type = "Person", text = "Whom?" }))
end }
"#,
    );
    let mut solo = toy.solo();
    assert_eq!(tab_suggestions(&solo, "gm", "plan begin d"), ["dusk"]);
    assert_eq!(tab_suggestions(&solo, "Ann", "plan begin d"), [""; 0]);
    assert_eq!(tab_suggestions(&solo, "gm", "vote "), [""; 0]);
    solo.submit("gm", "ballots Bo");
    assert_eq!(
        tab_suggestions(&solo, "Bo", "vote "),
        ["abstain", "soup", "tea"]
    );
    assert_eq!(tab_suggestions(&solo, "Bo", "Vote  T"), ["tea"]);
    assert_eq!(tab_suggestions(&solo, "Ann", "vote "), [""; 0]);
    solo.submit("gm", "ballots public");
    assert_eq!(tab_suggestions(&solo, "Ann", "vote s"), ["soup"]);
    assert_eq!(
        tab_suggestions(&solo, "Bo", "vote s"),
        ["soup in Bo", "soup in public"]
    );
    assert_eq!(tab_suggestions(&solo, "gm", "close "), ["Bo", "public"]);
    assert_eq!(
        tab_suggestions(&solo, "Bo", "unvote "),
        ["in Bo", "in public"]
    );
    assert_eq!(tab_suggestions(&solo, "Ann", "unvote in p"), ["in public"]);
    solo.submit("gm", "inquire");
    let number = game::open_questions_for(solo.timeline(), "Ann")[0]
        .number
        .clone();
    for line in [
        "answer hill g".to_owned(),
        format!("answer {number}  hill g"),
        "answer guest HILL g".to_owned(),
    ] {
        assert_eq!(
            tab_suggestions(&solo, "Ann", &line),
            ["Hill Guard"],
            "{line}"
        );
        assert_eq!(tab_suggestions(&solo, "Bo", &line), [""; 0], "{line}");
    }
    assert_eq!(tab_suggestions(&solo, "Ann", "always g"), ["guest"]);
    assert_eq!(tab_suggestions(&solo, "Bo", "always g"), [""; 0]);
    assert_eq!(
        tab_suggestions(&solo, "Ann", "always guest hill"),
        ["Hill Guard"]
    );
    assert_eq!(tab_suggestions(&solo, "Ann", "always guest o"), [""; 0]);
    solo.submit("Ann", "always guest Bo");
    assert_eq!(tab_suggestions(&solo, "Ann", "always guest o"), ["off"]);
}

#[test]
fn a_command_inside_of_a_line_is_completed_as_its_giver_would_type_it() {
    let mut solo = Toy::new().solo();
    solo.submit("Ann", "cheer Hill Guard");
    assert_eq!(
        tab_suggestions(&solo, "gm", "replace 2 with chee"),
        ["cheer "]
    );
    assert_eq!(
        tab_suggestions(&solo, "gm", "replace 2 YES With cheer hi"),
        ["Hill Guard "]
    );
    assert_eq!(
        tab_suggestions(&solo, "gm", "replace 2 answer no, answer left with cheer A"),
        ["Ann "]
    );
    assert_eq!(
        tab_suggestions(&solo, "gm", "replace 2 with tur"),
        [""; 0],
        "Ann may not give it"
    );
    assert_eq!(
        tab_suggestions(&solo, "gm", "replace 99 with tur"),
        ["turn "]
    );
    assert_eq!(tab_suggestions(&solo, "gm", "why not cheer A"), ["Ann "]);
    assert_eq!(
        tab_suggestions(&solo, "gm", "why not for Ann: chee"),
        ["cheer "]
    );
    let found = suggestions_at_cursor(solo.timeline(), "gm", "replace 2 with cheer hi", 23);
    assert_eq!(found.start, 21);
}

#[test]
fn ids_are_offered_where_there_is_no_name_and_what_is_offered_is_described() {
    let mut solo = Toy::new().solo();
    let people = tab_suggestions(&solo, "gm", "cheer ");
    assert!(
        people.contains(&"Hill Guard ".to_owned()) && !people.contains(&"hill-guard ".to_owned())
    );
    assert_eq!(tab_suggestions(&solo, "gm", "cheer hill-"), ["hill-guard "]);
    let about = |solo: &Solo, line: &str, text: &str| {
        let list = suggestions_at_cursor(solo.timeline(), "gm", line, line.len()).list;
        let found = list.into_iter().find(|one| one.shown == text);
        found.map_or_else(|| "not offered".to_owned(), |one| one.about)
    };
    assert_eq!(about(&solo, "che", "cheer"), "makes somebody feel better");
    assert_eq!(
        about(&solo, "cheer Ann ", "by"),
        "",
        "a syntax says nothing"
    );
    solo.submit("gm", "cheer Ann");
    assert_eq!(about(&solo, "help ", "cheer"), "makes somebody feel better");
    assert_eq!(about(&solo, "plan begin ", "dusk"), "not offered");
    let topics = tab_suggestions(&solo, "gm", "help ");
    let words = game::help_words_for_user(solo.timeline(), "gm");
    assert!(
        topics.len() < words.len() && topics.contains(&"commands".to_owned()),
        "{topics:?}"
    );
    assert!(!topics.contains(&"mood_of".to_owned()));
}

#[test]
fn codes_and_functions_are_offered_after_a_part_of_them() {
    let solo = Toy::new().solo();
    let offered = |line: &str| tab_suggestions(&solo, "gm", line);
    assert!(offered("help ").iter().all(|word| !word.contains('/')));
    let begun = offered("help ex");
    assert!(begun.contains(&"expr/".to_owned()), "{begun:?}");
    assert!(begun.contains(&"expr".to_owned()), "{begun:?}");
    assert!(offered("help expr/un").contains(&"expr/unknown".to_owned()));
    assert_eq!(offered("help act:att"), ["act:attach"]);
    let tables = offered("help ac");
    assert!(!tables.contains(&"act:attach".to_owned()), "{tables:?}");
}

#[test]
fn a_command_offers_what_its_last_slot_may_hold() {
    let toy = Toy::new();
    toy.write(
        "scripts/mini/commands/tint.luau",
        r#"return command { source = "x", summary = "x", syntax = "tint {person: Person} {colour: Rest}",
  offers = function(act, args)
    if args.person == "hill-guard" then error("no colour") end
    return if act:by() == "gm" then { "red", "deep red", `{args.person} blue` } else { "grey" }
  end,
  run = function() end }
"#,
    );
    let solo = toy.solo();
    let all = ["red", "deep red", "ann blue"];
    assert_eq!(tab_suggestions(&solo, "gm", "tint Ann "), all);
    assert_eq!(tab_suggestions(&solo, "gm", "tint Ann de"), ["deep red"]);
    assert_eq!(
        tab_suggestions(&solo, "gm", "tint Ann deep r"),
        ["deep red"]
    );
    assert_eq!(tab_suggestions(&solo, "Ann", "tint Ann "), ["grey"]);
    assert_eq!(tab_suggestions(&solo, "gm", "tint Hill Guard "), [""; 0]);
    let found = suggestions_at_cursor(solo.timeline(), "gm", "tint Ann deep r", 15);
    assert_eq!(found.start, 9);
}

#[test]
fn the_texts_of_luau_are_completed_with_ids_for_the_game_master_alone() {
    let solo = Toy::new().solo();
    assert_eq!(tab_suggestions(&solo, "gm", "= act:get(\"an"), ["ann"]);
    assert_eq!(tab_suggestions(&solo, "Ann", "= act:get(\"an"), [""; 0]);
}

#[test]
fn what_somebody_may_not_give_is_neither_listed_nor_completed_for_them() {
    let mut solo = Toy::new().solo();
    let offered = |solo: &Solo, by: &str, typed: &str| {
        let expected = game::expected_next_words(solo.timeline(), by, typed).into_iter();
        expected.map(|one| one.text).collect::<Vec<String>>()
    };
    for (typed, text) in [("tu", "turn"), ("set ", "Ann"), ("sec", "secret")] {
        let text = text.to_owned();
        assert!(offered(&solo, "gm", typed).contains(&text), "{typed}");
        assert!(!offered(&solo, "Ann", typed).contains(&text), "{typed}");
    }
    assert!(offered(&solo, "Ann", "mo").contains(&"mood".to_owned()));
    let mut help = |by: &str| format!("{:?}", solo.submit(by, "help").documents);
    let (gm, ann) = (help("gm"), help("Ann"));
    assert!(gm.contains("ends the turn") && !ann.contains("ends the turn"));
    assert!(gm.contains("shows how somebody feels") && ann.contains("shows how somebody feels"));
    let about = format!("{:?}", solo.submit("Ann", "turn?").documents);
    assert!(
        about.contains("given by") && about.contains("the game master"),
        "{about}"
    );
}

/// The summary describes the first words of a command. The help has a clause for each of its other lines.
#[test]
fn each_line_of_a_command_of_the_host_is_explained_by_itself() {
    let solo = Toy::new().solo();
    for command in &COMMANDS {
        for line in command.syntax {
            let is_own = |word: &&str| word.bytes().all(|c| c.is_ascii_lowercase());
            let words: Vec<&str> = line.split(' ').take_while(is_own).collect();
            let [before @ .., last] = words.as_slice() else {
                continue;
            };
            if before.is_empty() {
                continue;
            }
            let before = format!("{} ", before.join(" "));
            let offers = suggestions_at_cursor(solo.timeline(), "gm", &before, before.len()).list;
            let about = offers.iter().find(|one| one.shown == *last);
            let about = about.map(|one| one.about.clone()).unwrap_or_default();
            let begin = about.split(" …").next().unwrap_or_default();
            assert!(
                !about.is_empty() && !command.summary.starts_with(begin),
                "{line}: {about:?}"
            );
            assert!(!about.contains(['{', '}']), "{line}: {about:?}");
        }
    }
}
