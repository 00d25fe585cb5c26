//! This module tests the host's commands in a toy game.

use host::game::{Reply, Session, Wish};

use super::COMMANDS;
use crate::completion::complete;
use crate::testing::{Toy, text};

fn given(session: &mut Session, lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .map(|line| text(&session.submit("gm", line)))
        .collect()
}

#[test]
fn every_command_has_help_and_is_found_by_its_word() {
    let mut session = Toy::new().session();
    for command in &COMMANDS {
        assert!(
            !command.summary.is_empty() && !command.help.is_empty(),
            "{}",
            command.id
        );
        let help = text(&session.submit("gm", &format!("{}?", command.id)));
        assert!(
            help.contains(command.summary) && help.contains(command.syntax[0]),
            "{help}"
        );
    }
    let all = text(&session.submit("gm", "help"));
    assert!(
        COMMANDS.iter().all(|command| all.contains(command.id)),
        "{all}"
    );
    assert_eq!(text(&session.submit("gm", "?")), all);
}

#[test]
fn undo_and_redo_move_through_the_rulings_and_the_log_tells() {
    let mut session = Toy::new().session();
    let said = given(
        &mut session,
        &[
            "cheer ann",
            "undo",
            "undo",
            "redo",
            "mood ann",
            "cheer ann by 9",
            "log",
        ],
    );
    assert_eq!(said[1], "undone: 2 cheer ann");
    assert_eq!(said[2], "store/nothing-to-undo: there is nothing to undo");
    assert_eq!(said[4], "Ann feels 4.");
    let words: Vec<Vec<&str>> = said[6]
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(
        words.contains(&vec!["3", "gm", "undo", "took", "back", "2"]),
        "{}",
        said[6]
    );
    assert!(
        words.contains(&vec![
            "5",
            "gm",
            "cheer",
            "ann",
            "by",
            "9",
            "refused:",
            "mini/too-much"
        ]),
        "{}",
        said[6]
    );
    assert_eq!(
        text(&session.submit("gm", "log 1")).lines().last(),
        Some("4 earlier: log 5 lists them")
    );
}

#[test]
fn a_seat_sees_its_own_commands_in_the_log() {
    let mut session = Toy::new().session();
    session.submit("gm", "cheer hill-guard");
    session.submit("Ann", "cheer ann");
    let log = text(&session.submit("Ann", "log"));
    assert!(
        log.contains("cheer ann") && !log.contains("hill-guard"),
        "{log}"
    );
}

#[test]
fn typed_dice_are_used_in_order_and_come_back_with_undo() {
    let mut session = Toy::new().session();
    let said = given(
        &mut session,
        &[
            "dice next 20 1",
            "dice next d6:5",
            "dice",
            "throw 1d20",
            "dice",
            "undo",
            "dice",
            "dice clear",
            "dice clear",
        ],
    );
    assert_eq!(said[1], "typed dice that wait: 20 1 d6:5");
    assert_eq!(said[2], said[1]);
    assert!(said[3].contains("20"), "{}", said[3]);
    assert_eq!(said[4], "typed dice that wait: 1 d6:5");
    assert_eq!(said[6], said[1]);
    assert_eq!(
        (said[7].as_str(), said[8].as_str()),
        ("no typed dice wait", "no typed dice wait")
    );
    assert!(text(&session.submit("gm", "dice next d6:7")).starts_with("dice/hand: "));
    assert_eq!(
        text(&session.submit("gm", "dice next 3")),
        "a typed die waits: 3"
    );
    assert!(text(&session.submit("gm", "throw 2d6")).starts_with("dice/too-few: "));
    assert!(text(&session.submit("gm", "log")).contains("refused: dice/too-few"));
}

#[test]
fn wishes_reach_the_terminal() {
    let mut session = Toy::new().session();
    let mut wish = |line: &str| session.submit("gm", line).wish;
    assert_eq!(wish("quit"), Some(Wish::Quit));
    assert_eq!(wish("exit"), Some(Wish::Quit));
    assert_eq!(wish("as ann"), Some(Wish::As("Ann".to_owned())));
    assert_eq!(wish("as Hill"), Some(Wish::As("Hill Guard".to_owned())));
    for back in ["as", "as gm", "as GM"] {
        assert_eq!(wish(back), Some(Wish::As("gm".to_owned())), "{back}");
    }
    assert_eq!(wish("format json"), Some(Wish::Format("json".to_owned())));
    assert_eq!(wish("format jsn"), None);
}

#[test]
fn the_last_value_is_there_in_the_next_text() {
    let mut session = Toy::new().session();
    let said = given(
        &mut session,
        &[
            "= 20 + 1",
            "= _ * 2",
            "eval { a = _ }",
            "= _.a",
            "= act:add('ann', 'mood', 5)",
            "mood ann",
        ],
    );
    assert_eq!(said, ["21", "42", "{a: 42}", "42", "8", "Ann feels 3."]);
}

#[test]
fn numbers_are_shown_as_they_cross_the_border() {
    let mut session = Toy::new().session();
    let shown = [
        ("0.1 + 0.2", "0.3"),
        ("{ 0.1 + 0.2 }", "[0.3]"),
        ("1 / 3, 2 / 3", "0.333333333333333, 0.666666666666667"),
        ("-7 / 7", "-1"),
        ("2 ^ 60", "1152921504606846976"),
        ("1 / 0", "inf"),
    ];
    for (text, expected) in shown {
        assert_eq!(given(&mut session, &[&format!("= {text}")]), [expected]);
    }
    let reply = session.submit("gm", "= print(0.1 + 0.2)");
    assert_eq!(reply.printed.lines, ["0.3"]);
}

#[test]
fn reload_takes_good_rules_and_keeps_the_old_ones_over_broken_ones() {
    let toy = Toy::new();
    let mut session = toy.session();
    let codes = |reply: &Reply| {
        reply
            .findings
            .iter()
            .map(|found| found.code.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        text(&session.submit("gm", "reload")),
        "the rules are as the files say"
    );
    assert_eq!(
        text(&session.submit("gm", "check")),
        "nothing is wrong with the rules"
    );
    toy.write("scripts/mini/commands/dig.luau", "return command {");
    let reply = session.submit("gm", "reload");
    assert_eq!(
        text(&reply),
        "content/not-reloaded: the new rules are broken; the old ones stay"
    );
    assert_eq!(codes(&reply), ["script/syntax"]);
    assert_eq!(codes(&session.submit("gm", "check")), ["script/syntax"]);
    let whole =
        "return command { source = 'x', summary = 'digs', syntax = 'dig', run = function() end }";
    toy.write("scripts/mini/commands/dig.luau", whole);
    assert_eq!(
        text(&session.submit("gm", "reload")),
        "commands: 1 added (dig)"
    );
}

#[test]
fn only_seats_of_the_game_are_taken() {
    let mut session = Toy::new().session();
    let refusal = |session: &mut Session, line: &str| {
        let refusal = session.submit("gm", line).refusal.expect("it is refused");
        (refusal.message, refusal.hints)
    };
    let (message, hints) = refusal(&mut session, "as Anm");
    assert_eq!(message, "there is no seat \"Anm\"");
    assert_eq!(
        hints,
        [
            "did you mean \"Ann\"?",
            "there are the seats gm, Ann, Bo, Hill Guard",
            "a seat is the name of a person"
        ]
    );
    for name in ["zork", "public", "group:red", "\"\""] {
        let (message, _) = refusal(&mut session, &format!("as {name}"));
        assert!(message.starts_with("there is no seat"), "{message}");
    }
    let shown = complete(&session, "gm", "as h", 4).list;
    assert_eq!(shown[0].text, "Hill Guard ");
    assert!(
        complete(&session, "gm", "as ", 3)
            .list
            .iter()
            .any(|one| one.shown == "gm")
    );
}

#[test]
fn a_command_for_a_seat_is_completed_as_that_seat_would_type_it() {
    let session = Toy::new().session();
    for (line, start, text) in [
        ("for h", 4, "Hill Guard"),
        ("for Ann: che", 9, "cheer "),
        ("for hill guard: cheer A", 22, "Ann"),
    ] {
        let found = complete(&session, "gm", line, line.len());
        let listed: Vec<&str> = found.list.iter().map(|one| one.text.trim_end()).collect();
        assert!(listed.contains(&text.trim_end()), "{line}: {listed:?}");
        assert_eq!(found.start, start, "{line}");
    }
    let of_nobody = complete(&session, "gm", "for zork: che", 13).list;
    assert!(of_nobody.iter().all(|one| one.text.trim_end() != "cheer"));
    let by_a_seat = complete(&session, "Ann", "for Hill Guard: che", 19).list;
    assert!(by_a_seat.iter().all(|one| one.text.trim_end() != "cheer"));
    let rest = crate::hint::hint(&session, "gm", "for Ann: cheer ");
    assert_eq!(rest, crate::hint::hint(&session, "gm", "cheer "));
    assert!(rest.is_some());
}

#[test]
fn where_the_ruleset_does_not_say_who_plays_anybody_does() {
    let toy = Toy::new();
    let rules = std::fs::read_to_string(toy.path("scripts/mini/ruleset.luau")).unwrap();
    let without: Vec<&str> = rules
        .lines()
        .filter(|line| !line.contains("seats = "))
        .collect();
    toy.write("scripts/mini/ruleset.luau", &without.join("\n"));
    let wish = toy.session().submit("gm", "as Zork").wish;
    assert!(
        matches!(&wish, Some(Wish::As(name)) if name == "Zork"),
        "{wish:?}"
    );
}

#[test]
fn only_the_game_master_evaluates() {
    let mut session = Toy::new().session();
    for line in ["= act:get('ann', 'mood')", "eval 1 + 1"] {
        let refusal = session.submit("Ann", line).refusal.expect("it is refused");
        assert_eq!(refusal.code, "host/gm-only");
        assert_eq!(refusal.hints, ["as gm goes back to the game master's seat"]);
    }
}

#[test]
fn an_unknown_name_in_luau_is_named_with_near_ones_and_its_place() {
    let mut session = Toy::new().session();
    let mut found = |line: &str| {
        let refusal = session.submit("gm", line).refusal.expect("it is refused");
        let place = refusal.place.as_ref().expect("it has a place");
        let at = place.source.slice(place.span).to_owned();
        assert_eq!(place.source.text(), line);
        format!("{at}: {} | {}", refusal.message, refusal.hints.join(" "))
    };
    let expected = [
        (
            "= act:rol('1d6')",
            "rol: `act` has no method `rol` | did you mean \"roll\",",
        ),
        (
            "= 1 + act:gte('ann', 'mood')",
            "gte: `act` has no method `gte` | did you mean \"get\"?",
        ),
        (
            "= dice.parze('d6')",
            "parze: `dice` has no function `parze` | did you mean \"parse\"?",
        ),
        (
            "eval dice.parze('d6')",
            "parze: `dice` has no function `parze` | did you mean \"parse\"?",
        ),
        (
            "= dise.parse('d6')",
            "dise: there is no `dise` | did you mean \"dice\"",
        ),
        (
            "= string.uper('x')",
            "uper: `string` has no function `uper` | did you mean \"upper\"?",
        ),
        (
            "= ('x'):uper()",
            "uper: a text has no method `uper` | did you mean \"upper\"?",
        ),
        (
            "= deimal('1')",
            "deimal: there is no function `deimal` | did you mean \"decimal\"?",
        ),
        (
            "= decimal('1.5'):runs()",
            "runs: this has no method `runs` | did you mean",
        ),
    ];
    for (line, expected) in expected {
        let found = found(line);
        assert!(found.starts_with(expected), "{line}\n{found}");
    }
    let local = found("= (function() local f = nil return f(1) end)()");
    assert!(local.contains("attempt to call a nil value"), "{local}");
}

#[test]
fn a_typed_die_that_does_not_fit_is_named_with_its_place_and_how_to_drop_it() {
    let mut session = Toy::new().session();
    session.submit("gm", "dice next 3 999 2");
    let refusal = session.submit("gm", "throw 3d20").refusal.unwrap();
    assert_eq!(
        refusal.message,
        "the typed die 999, number 2 of 3, cannot be used: a d20 is rolled"
    );
    assert_eq!(
        refusal.hints,
        [
            "a d20 shows 1 to 20",
            "dice clear drops all typed dice that wait, undo the last that were typed"
        ]
    );
    let place = refusal.place.unwrap();
    assert_eq!(place.source.slice(place.span), "throw 3d20");
    assert!(refusal.trace.is_empty());
    given(&mut session, &["dice clear", "dice next 4"]);
    let refusal = session.submit("gm", "throw 2d6").refusal.unwrap();
    assert_eq!(
        (refusal.message.as_str(), refusal.hints[0].as_str()),
        (
            "a d6 is rolled, and no typed die is left for it",
            "1 die was typed and is used up: type the others too, with dice next"
        )
    );
}

#[test]
fn a_function_that_fails_to_find_names_is_shown() {
    let toy = Toy::new();
    let rules = std::fs::read_to_string(toy.path("scripts/mini/ruleset.luau")).unwrap();
    let broken = rules.replace("run = seats", "run = function(act) return act:rol() end");
    toy.write("scripts/mini/ruleset.luau", &broken);
    let mut session = toy.session();
    let refusal = session.submit("gm", "as Ann").refusal.unwrap();
    assert_eq!(refusal.message, "`act` has no method `rol`");
    assert_eq!(
        refusal.place.unwrap().source.name(),
        "scripts/mini/ruleset.luau"
    );
    assert!(
        refusal.hints.iter().any(|hint| hint.contains("who plays")),
        "{:?}",
        refusal.hints
    );
    assert_eq!(session.submit("gm", "as gm").findings.len(), 1);
    assert_eq!(text(&session.submit("gm", "mood ann")), "Ann feels 3.");
}

#[test]
fn the_log_is_filtered_by_who_by_what_and_by_what_became_of_it() {
    let mut session = Toy::new().session();
    given(
        &mut session,
        &["cheer ann", "cheer hill-guard", "undo", "cheer ann by 9"],
    );
    session.submit("Bo", "cheer ann by 2");
    let mut numbers = |filter: &str| -> Vec<String> {
        let log = text(&session.submit("gm", &format!("log {filter}")));
        let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
        let first = log.lines().filter_map(first);
        first.filter(|word| word.parse::<u32>().is_ok()).collect()
    };
    assert_eq!(numbers("ann"), ["1", "2", "5", "6"]);
    assert_eq!(numbers("by bo"), ["6"]);
    assert_eq!(numbers("refused"), ["5"]);
    assert_eq!(numbers("undone"), ["3"]);
    assert_eq!(numbers("cheer 2")[..2], ["5", "6"]);
    assert_eq!(numbers("hill-guard by gm"), ["1", "3", "4"]);
    assert!(numbers("nothing-like-that").is_empty());
    assert_eq!(numbers("3")[..3], ["4", "5", "6"]);
    assert_eq!(numbers("by ann"), [""; 0], "Ann gave no command yet");
}

#[test]
fn a_filter_of_the_log_that_is_not_whole_is_refused_with_what_to_write() {
    let mut session = Toy::new().session();
    session.submit("Bo", "cheer ann");
    let mut refused = |by: &str, line: &str| {
        let refusal = session.submit(by, line).refusal.expect("it is refused");
        assert_eq!(refusal.code, "log/filter");
        format!("{} | {}", refusal.message, refusal.hints.join(" | "))
    };
    let needs = "`by` needs a name: whose commands are listed";
    for line in ["log by", "log cheer by", "log 3 BY"] {
        assert_eq!(
            refused("gm", line),
            format!("{needs} | write log by Bo, log by gm")
        );
    }
    assert_eq!(
        refused("gm", "log by Boo"),
        "nobody called \"Boo\" gave a command | did you mean \"Bo\"? | write log by Bo, log by gm"
    );
    assert_eq!(
        refused("gm", "log 0"),
        "no lines are asked for | write log and how many of the last lines: log 5"
    );
    assert_eq!(
        refused("Bo", "log by"),
        format!("{needs} | write log by Bo")
    );
    assert_eq!(
        refused("Ann", "log by"),
        format!("{needs} | write log by NAME"),
        "a seat is not told who gave commands"
    );
    for by in ["gm", "Zork"] {
        let none = text(&session.submit("Ann", &format!("log by {by}")));
        assert_eq!(none, "nothing in the log fits");
    }
}

#[test]
fn a_seat_counts_its_log_for_itself_and_is_told_no_more_than_it_may_know() {
    let mut session = Toy::new().session();
    given(&mut session, &["cheer hill-guard", "throw 1d6"]);
    session.submit("Ann", "cheer ann");
    let log = text(&session.submit("Ann", "log"));
    let own = log.lines().last().unwrap_or_default();
    assert!(
        own.contains("cheer ann") && own.contains("cheered by Ann"),
        "{log}"
    );
    let why = text(&session.submit("Ann", "why 3"));
    assert!(
        why.starts_with("Line 3 of your log is your command `cheer ann`.")
            && why.contains("ann.mood"),
        "{why}"
    );
    assert!(!why.contains(".luau"), "{why}");
}

#[test]
fn why_is_read_in_all_its_forms() {
    let mut session = Toy::new().session();
    session.submit("gm", "cheer ann");
    let mut begins = |line: &str, with: &str| {
        let said = text(&session.submit("gm", line));
        assert!(said.starts_with(with), "{line}: {said}");
    };
    begins("why 2", "Operation 2 is `cheer ann` by gm.");
    begins("why ann.mood", "ann.mood shows 4");
    begins("why ann mood", "ann.mood shows 4");
    begins("why Hill Guard", "hill-guard is a person.");
    begins("why hill guard mood", "hill-guard.mood shows");
    begins(
        "why not cheer ann by 9",
        "commands/cheer refuses it at mini/commands/cheer.luau:7",
    );
    begins("why not cheer ann", "Nothing stands in the way");
    begins("why not ann.mood", "Nothing modifies ann.mood");
    begins("why not log", "why/no-rule: ");
    begins("why nothing", "why/unknown: ");
}

#[test]
fn near_names_come_from_what_is_there_and_the_one_who_asks_may_see() {
    let toy = Toy::new();
    toy.write(
        "scripts/mini/commands/hide.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"hide\", run = function(act)\n\
         act:create(\"person\", { name = \"Zelda\" }, \"zelda\", { seen = \"gm\" })\nend }\n",
    );
    let mut session = toy.session();
    given(&mut session, &["hide", "charm ann with cheer"]);
    let mut near = |by: &str, line: &str| {
        let refusal = session.submit(by, line).refusal.expect("it is refused");
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

/// What Tab lists for somebody at the end of a line.
fn listed(session: &Session, by: &str, line: &str) -> Vec<String> {
    let found = complete(session, by, line, line.len()).list;
    found.into_iter().map(|one| one.text).collect()
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
    let mut session = toy.session();
    assert_eq!(listed(&session, "gm", "plan begin d"), ["dusk"]);
    assert_eq!(listed(&session, "Ann", "plan begin d"), [""; 0]);
    assert_eq!(listed(&session, "gm", "vote "), [""; 0]);
    session.submit("gm", "ballots Bo");
    assert_eq!(listed(&session, "Bo", "vote "), ["abstain", "soup", "tea"]);
    assert_eq!(listed(&session, "Bo", "Vote  T"), ["tea"]);
    assert_eq!(listed(&session, "Ann", "vote "), [""; 0]);
    session.submit("gm", "ballots public");
    assert_eq!(listed(&session, "Ann", "vote s"), ["soup"]);
    assert_eq!(
        listed(&session, "Bo", "vote s"),
        ["soup in Bo", "soup in public"]
    );
    session.submit("gm", "inquire");
    let number = session.questions_for("Ann")[0].number.clone();
    for line in [
        "answer hill g".to_owned(),
        format!("answer {number}  hill g"),
        "answer guest HILL g".to_owned(),
    ] {
        assert_eq!(listed(&session, "Ann", &line), ["Hill Guard"], "{line}");
        assert_eq!(listed(&session, "Bo", &line), [""; 0], "{line}");
    }
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
    let session = toy.session();
    let all = ["red", "deep red", "ann blue"];
    assert_eq!(listed(&session, "gm", "tint Ann "), all);
    assert_eq!(listed(&session, "gm", "tint Ann de"), ["deep red"]);
    assert_eq!(listed(&session, "gm", "tint Ann deep r"), ["deep red"]);
    assert_eq!(listed(&session, "Ann", "tint Ann "), ["grey"]);
    assert_eq!(listed(&session, "gm", "tint Hill Guard "), [""; 0]);
    let found = complete(&session, "gm", "tint Ann deep r", 15);
    assert_eq!(found.start, 9);
}

#[test]
fn a_word_is_explained_as_a_field_of_what_may_be_seen_and_as_dice() {
    let toy = Toy::new();
    toy.write(
        "scripts/mini/commands/hide.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"hide\", run = function(act)\n\
         act:create(\"person\", { name = \"Zelda\", drive = \"d8\" }, \"zelda\", { seen = \"gm\" })\nend }\n",
    );
    let mut session = toy.session();
    given(&mut session, &["hide"]);
    let mut help = |by: &str, line: &str| text(&session.submit(by, line));
    let told = help("gm", "Drive?");
    assert!(
        told.starts_with("drive") && told.contains("Zelda:  d8"),
        "{told}"
    );
    assert!(help("gm", "help drive").contains("Zelda"));
    let unknown = "help/unknown-word: nothing here is called \"drive\"";
    assert_eq!(help("Ann", "drive?"), unknown);
    assert!(help("Ann", "4d6kh3?").contains("roll 4d6kh3 rolls them"));
    assert!(help("Ann", "d?").starts_with("help/unknown-word"));
    assert_eq!(listed(&session, "gm", "help dri"), ["drive"]);
    assert_eq!(listed(&session, "Ann", "help dri"), [""; 0]);
}

#[test]
fn the_texts_of_luau_are_completed_with_ids_for_the_game_master_alone() {
    let session = Toy::new().session();
    assert_eq!(listed(&session, "gm", "= act:get(\"an"), ["ann"]);
    assert_eq!(listed(&session, "Ann", "= act:get(\"an"), [""; 0]);
}

#[test]
fn what_somebody_may_not_give_is_neither_listed_nor_completed_for_them() {
    let mut session = Toy::new().session();
    let offered = |session: &Session, by: &str, typed: &str| {
        let expected = session.expected(by, typed).into_iter();
        expected.map(|one| one.text).collect::<Vec<String>>()
    };
    for (typed, text) in [("tu", "turn"), ("set ", "Ann"), ("sec", "secret")] {
        let text = text.to_owned();
        assert!(offered(&session, "gm", typed).contains(&text), "{typed}");
        assert!(!offered(&session, "Ann", typed).contains(&text), "{typed}");
    }
    assert!(offered(&session, "Ann", "mo").contains(&"mood".to_owned()));
    let mut help = |by: &str| format!("{:?}", session.submit(by, "help").documents);
    let (gm, ann) = (help("gm"), help("Ann"));
    assert!(gm.contains("ends the turn") && !ann.contains("ends the turn"));
    assert!(gm.contains("tells how somebody feels") && ann.contains("tells how somebody feels"));
    let about = format!("{:?}", session.submit("Ann", "turn?").documents);
    assert!(
        about.contains("given by") && about.contains("the game master"),
        "{about}"
    );
}
