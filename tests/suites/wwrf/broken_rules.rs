//! Breaks rules of the shipped village: an ability of a role, an attribute, a group, a team or a
//! poll, and the checks before it: a restriction, a condition, a selector, a scaling, an event
//! match. The game master may continue the night without the broken rule.

use arbiter_tests::{Game, Scratch};
use host::game;

/// An ability that breaks on its ninth line.
const BREAKING_ABILITY: &str = r#"return ability {
  source = "the host's own tests",
  summary = "Breaks.",
  name = "Breaking",
  forms = { { syntax = "Break {what: Text}" } },
  run = function(work)
    local act = work.act
    act:set("game", "half", "done")
    error("boom")
  end,
}
"#;

const ABILITY_FILE: &str = "scripts/wwrf/abilities/breaking.luau";

/// Places of the ability: the file, the text, the name of the rule, and its owner.
const PLACES_OF_ABILITY: [(&str, &str, &str, &str); 5] = [
    (
        "content/wwrf/roles/townsfolk/breaker",
        "**Breaker** | Townsfolk Investigative\n__Basics__\nBreaks.\n__Formalized__\nPassive Start Day: Break `a cup` [Temporal: Day 1+]\nPassive Start Day: Announce `A cup stands on the table` [Temporal: Day 1+]\n",
        "roles/breaker:1",
        "Ann as Breaker",
    ),
    (
        "content/wwrf/attributes/cracked",
        "**Cracked** | Attribute\n__Basics__\nBreaks.\n\n__Formalized__\nPassive Start Day: Break `a cup` [Temporal: Day 1+]\n",
        "attributes/cracked:1",
        "attribute Cracked on Bo",
    ),
    (
        "content/wwrf/groups/wreckers",
        "**Wreckers** | Townsfolk Team Group\n__Basics__\nBreaks.\n__Members__\nAnybody.\n\n__Formalized__\nUnique Group\nPassive Start Day: Break `a cup` [Temporal: Day 1+]\n",
        "groups/wreckers:1",
        "group Wreckers",
    ),
    (
        "content/wwrf/teams/townsfolk",
        "Passive Start Day: Break `a cup` [Temporal: Day 1+]\n",
        "teams/townsfolk:",
        "team Townsfolk",
    ),
    (
        "content/wwrf/polls/storm",
        "Passive Start Day: Break `a cup` [Temporal: Day 1+]\n",
        "polls/storm:",
        "poll Storm",
    ),
];

const GAME_SETUP: &str = "source: the host's own tests
name: Breakers
summary: A breaker among villagers.
players: { Wanda: Wolf, Ann: Breaker, Bo: Villager, Cy: Villager, Dee: Villager }
";

/// Returns a home in which one of the texts uses the ability.
fn home_with_ability_at(place: usize) -> Scratch {
    let home = Scratch::shipped("wwrf");
    home.write(ABILITY_FILE, BREAKING_ABILITY);
    home.write(PLACES_OF_ABILITY[0].0, PLACES_OF_ABILITY[0].1);
    home.write("content/wwrf/setups/breakers.yaml", GAME_SETUP);
    let (file, text, ..) = PLACES_OF_ABILITY[place];
    let before = match place {
        0..=2 => String::new(),
        _ => {
            std::fs::read_to_string(home.path().join(file))
                .unwrap()
                .trim_end()
                .to_owned()
                + "\n"
        }
    };
    home.write(file, format!("{before}{text}"));
    if place > 0 {
        // The role itself does not break then.
        let quiet = PLACES_OF_ABILITY[0]
            .1
            .replace("Passive Start Day: Break `a cup` [Temporal: Day 1+]\n", "");
        home.write(PLACES_OF_ABILITY[0].0, &quiet);
    }
    home
}

/// Returns a game in its first night, with everything that the texts need.
fn first_night_at(home: &Scratch, place: usize) -> Game {
    let mut game = Game::of_program(home, "wwrf");
    game.text("new game Breakers");
    game.text("next");
    match place {
        1 => drop(game.text("let Ann Apply `Cracked` to Bo")),
        2 => drop(game.text("let Ann Add @Self to #Wreckers")),
        _ => {}
    }
    game
}

fn open_rule_questions(game: &Game) -> Vec<String> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    let open = open.filter(|one| one.question.text.contains("Go on without it"));
    open.map(|one| one.question.text.replace('\n', " "))
        .collect()
}

#[test]
fn the_night_goes_on_without_an_ability_that_breaks() {
    for (place, (.., rule, element)) in PLACES_OF_ABILITY.into_iter().enumerate() {
        let home = home_with_ability_at(place);
        let mut game = first_night_at(&home, place);
        let before = game.hash();
        game.line("next anyway");
        let all = open_rule_questions(&game);
        let text = all
            .first()
            .unwrap_or_else(|| panic!("{rule} does not break"));
        assert!(text.starts_with(&format!("the rule {rule}")), "{text}");
        assert!(text.contains(element), "{text}");
        assert!(
            text.contains(&format!(" breaks at {ABILITY_FILE}:9: boom.")),
            "{text}"
        );
        // Questions of other rules have their own keys.
        let key = format!("answer {} skip", number_of_rule_question(&game));
        let said = game.line(&key);
        assert_eq!(said.refusal, None, "{rule}");
        assert_eq!(open_rule_questions(&game), [""; 0], "{rule}");
        assert!(
            game.phase_and_place().contains("day"),
            "{rule}: {}",
            game.phase_and_place()
        );
        assert_eq!(game.text("= act:get('game', 'half')"), "nil", "{rule}");
        game.assert_replays_same();
        game.undo();
        game.undo();
        assert_eq!(game.hash(), before, "{rule}");
    }
}

fn number_of_rule_question(game: &Game) -> String {
    let mut open = game::open_questions(game.solo.timeline()).into_iter();
    let open = open.find(|one| one.question.text.contains("Go on without it"));
    open.expect("a rule broke").number
}

#[test]
fn what_stands_behind_an_ability_that_breaks_is_carried_out() {
    let home = home_with_ability_at(0);
    let mut game = first_night_at(&home, 0);
    game.line("next anyway");
    let said = game.line(&format!("answer {} skip", number_of_rule_question(&game)));
    let said: String = said.documents.iter().map(host::doc::plain).collect();
    assert!(said.contains("A cup stands on the table"), "{said}");
}

#[test]
fn the_whole_change_of_phase_is_taken_back_if_the_game_master_says_so() {
    for place in 0..PLACES_OF_ABILITY.len() {
        let home = home_with_ability_at(place);
        let mut game = first_night_at(&home, place);
        let before = game.hash();
        game.line("next anyway");
        let refused = game.line(&format!("answer {} stop", number_of_rule_question(&game)));
        assert_eq!(refused.refusal.unwrap().message, "boom");
        assert_eq!(game.hash(), before);
        assert_eq!(open_rule_questions(&game), [""; 0]);
        game.assert_replays_same();
    }
}

#[test]
fn where_nobody_is_there_the_change_of_phase_is_refused_and_names_the_rule() {
    for (place, (.., element)) in PLACES_OF_ABILITY.into_iter().enumerate() {
        let home = home_with_ability_at(place);
        let mut game = first_night_at(&home, place);
        game.solo.session.responders_mut().attended = false;
        let before = game.hash();
        let refusal = game.refusal("next anyway");
        assert_eq!(refusal.message, "boom");
        assert_eq!(refusal.place.as_ref().unwrap().source.name(), ABILITY_FILE);
        assert!(
            refusal.hints.iter().any(|hint| hint.contains(element)),
            "{:?}",
            refusal.hints
        );
        assert_eq!(game.hash(), before);
    }
}

/// Checks before a line of a role: the file, the text before which it breaks, and the line.
const BROKEN_CONDITIONS: [(&str, &str, &str); 5] = [
    (
        "scripts/wwrf/restrictions/temporal.luau",
        "    local now = ",
        "Passive Start Day: Announce `A cup` [Temporal: Day 1+]",
    ),
    (
        "scripts/wwrf/conditions/exists.luau",
        "    return #operands",
        "Passive Start Day: Announce `A cup` [Condition: @Self exists]",
    ),
    (
        "scripts/wwrf/selectors/dead.luau",
        "    return values",
        "Passive Start Day: Announce `A cup` [Condition: not (@Dead exists)]",
    ),
    (
        "scripts/wwrf/scalings/dynamic.luau",
        "    local of = ",
        "Passive Start Day: Announce `A cup` ⟨$living/2⟩",
    ),
    (
        "scripts/wwrf/pipeline/events/event_match.luau",
        "    local told = scope.event[field]",
        "Passive Start Day: Emit `Cup`\nOn `Cup` Emitted: Announce `A cup`",
    ),
];

/// Returns the text of a file that breaks before a given text, and the place of the error.
fn broken_file_and_place(home: &Scratch, file: &str, before: &str) -> (String, String) {
    let text = std::fs::read_to_string(home.path().join(file)).unwrap();
    let line = text[..text.find(before).unwrap()].lines().count() + 1;
    let broken = text.replacen(before, &format!("    error(\"boom\")\n{before}"), 1);
    (broken, format!("{file}:{line}"))
}

/// Answers all questions about broken rules, and returns the questions.
fn answer_rule_questions(game: &mut Game, answer: &str) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(one) = open_rule_questions(game).first().cloned() {
        all.push(one);
        let said = game.line(&format!(
            "answer {} {answer}",
            number_of_rule_question(game)
        ));
        if answer == "stop" {
            assert_eq!(said.refusal.unwrap().message, "boom");
            break;
        }
        assert_eq!(said.refusal, None, "{all:?}");
        assert!(all.len() < 20, "{all:?}");
    }
    all
}

#[test]
fn what_breaks_while_it_is_asked_whether_a_line_is_carried_out_is_left_out_or_stops_the_night() {
    for (file, before, line) in BROKEN_CONDITIONS {
        let home = home_with_ability_at(0);
        let title = "**Breaker** | Townsfolk Investigative\n__Basics__\nBreaks.\n__Formalized__\n";
        home.write(PLACES_OF_ABILITY[0].0, format!("{title}{line}\n"));
        let (broken, place) = broken_file_and_place(&home, file, before);
        let mut game = first_night_at(&home, 0);
        home.write(file, broken);
        game.text("reload");
        let hash = game.hash();
        game.line("next anyway");
        let all = answer_rule_questions(&mut game, "stop");
        assert_eq!(game.hash(), hash, "{line}");
        game.line("next anyway");
        let again = answer_rule_questions(&mut game, "skip");
        assert_eq!(again.first(), all.first(), "{line}");
        let own = |one: &&String| {
            one.starts_with("the rule roles/breaker:") && one.contains("Ann as Breaker")
        };
        let own: Vec<&String> = again.iter().filter(own).collect();
        assert!(!own.is_empty(), "{line}: {again:?}");
        let said = format!(" breaks at {place}: boom.");
        assert!(own.iter().all(|one| one.contains(&said)), "{said}: {own:?}");
        assert!(game.phase_and_place().contains("day"), "{line}");
        game.assert_replays_same();
    }
}

/// A part of a text outside of triggers, which breaks.
struct BrokenTextPart {
    file: &'static str,
    /// The text before which it breaks.
    before: &'static str,
    /// The line of the role.
    line: &'static str,
    command: &'static str,
    rule: &'static str,
}

const BROKEN_TEXT_PARTS: [BrokenTextPart; 4] = [
    BrokenTextPart {
        file: "scripts/wwrf/filters/alignment.luau",
        before: "    -- A team is its own",
        line: "Passive Start Day: Announce `A cup`",
        command: "next anyway",
        rule: "the rule teams/townsfolk:win condition (team Townsfolk: Win Condition)",
    },
    BrokenTextPart {
        file: "scripts/wwrf/filters/group.luau",
        before: "    return record_holders.set_of_record_owners",
        line: "Passive Start Day: Announce `A cup`",
        command: "next anyway",
        rule: "the rule polls/hunt:allowed voters (poll Hunt: Allowed Voters)",
    },
    BrokenTextPart {
        file: "scripts/wwrf/restrictions/succession.luau",
        before: "    local known",
        line: "Immediate Night: Reveal `A cup` to @Selection[player] [Succession: No Target Succession] {Forced}",
        command: "next anyway without answers",
        rule: "the rule roles/breaker:1 (Ann as Breaker: Immediate Night (trigger 1))",
    },
    BrokenTextPart {
        file: "scripts/wwrf/conditions/is_not.luau",
        before: "    return not value_equality",
        line: "Immediate Night: Reveal `A cup` to @Selection[player] [Condition: @Selection is not @Self]",
        command: "for Ann: answer Bo",
        rule: "the rule roles/breaker:1 (Ann as Breaker: Immediate Night (trigger 1))",
    },
];

/// Returns the night with one of these parts after its file broke, and the beginning of the
/// question about it.
fn night_with_broken_part(home: &Scratch, one: &BrokenTextPart) -> (Game, String) {
    let title = "**Breaker** | Townsfolk Investigative\n__Basics__\nBreaks.\n__Formalized__\n";
    home.write(PLACES_OF_ABILITY[0].0, format!("{title}{}\n", one.line));
    let (broken, place) = broken_file_and_place(home, one.file, one.before);
    let mut game = first_night_at(home, 0);
    home.write(one.file, broken);
    game.text("reload");
    (game, format!("{} breaks at {place}: boom.", one.rule))
}

#[test]
fn what_breaks_beside_the_triggers_of_a_text_is_left_out_or_stops_the_night() {
    for one in &BROKEN_TEXT_PARTS[..3] {
        let home = home_with_ability_at(0);
        let (mut game, said) = night_with_broken_part(&home, one);
        let (hash, command) = (game.hash(), one.command);
        game.line(command);
        let all = answer_rule_questions(&mut game, "stop");
        assert!(all[0].starts_with(&said), "{said}: {all:?}");
        assert_eq!(game.hash(), hash, "{said}");
        game.line(command);
        let again = answer_rule_questions(&mut game, "skip");
        assert_eq!(again.first(), all.first(), "{said}");
        assert!(game.phase_and_place().contains("day"), "{said}");
        game.assert_replays_same();
    }
}

#[test]
fn an_answer_is_refused_where_what_says_whether_it_will_do_breaks() {
    let home = home_with_ability_at(0);
    let (mut game, said) = night_with_broken_part(&home, &BROKEN_TEXT_PARTS[3]);
    game.line(BROKEN_TEXT_PARTS[3].command);
    let all = answer_rule_questions(&mut game, "stop");
    assert!(all[0].starts_with(&said), "{said}: {all:?}");
    game.line(BROKEN_TEXT_PARTS[3].command);
    let reply = game.line(&format!("answer {} skip", number_of_rule_question(&game)));
    assert_eq!(reply.refusal.unwrap().code, "wwrf/answer-restricted");
    assert_eq!(open_rule_questions(&game), [""; 0]);
    assert!(game.phase_and_place().contains("night"));
    game.assert_replays_same();
}

/// The rules are fixed while the question about the broken rule of the night is open.
#[test]
fn a_reload_while_the_night_waits_takes_nothing_and_leaves_the_choice() {
    for (choice, half) in [("restart", "done"), ("finish", "nil"), ("drop", "nil")] {
        let home = home_with_ability_at(0);
        let mut game = first_night_at(&home, 0);
        let before = game.hash();
        game.line("next anyway");
        let waiting = game.hash();
        home.edit(
            ABILITY_FILE,
            "error(\"boom\")",
            "return require(\"pipeline/execution/ability_run\").success_result()",
        );
        game.text("reload");
        assert_eq!(game.hash(), waiting);
        let number = number_of_rule_question(&game);
        let refusal = game.refusal(&format!("answer {number} skip"));
        assert_eq!(refusal.code, "ask/stale");
        let told = refusal.hints.join(" ");
        assert!(told.contains(choice), "{told}");
        assert_eq!(game.hash(), waiting);
        let slot = number.split('.').next().unwrap();
        game.text(&format!("{choice} {slot}"));
        // Under the recorded rules it breaks as before.
        if choice == "finish" {
            game.text(&format!("answer {} skip", number_of_rule_question(&game)));
        }
        assert_eq!(open_rule_questions(&game), [""; 0], "{choice}");
        assert_eq!(game.text("= act:get('game', 'half')"), half, "{choice}");
        let is_day = game.phase_and_place().contains("day");
        assert_eq!(is_day, choice != "drop", "{choice}");
        assert_eq!(game.hash() == before, choice == "drop");
        game.assert_replays_same();
    }
}

/// The answer of a player waits until it is carried out; a broken rule is then skipped as well.
#[test]
fn an_answer_whose_ability_breaks_is_left_out() {
    let home = home_with_ability_at(1);
    home.write(
        PLACES_OF_ABILITY[0].0,
        "**Breaker** | Townsfolk Investigative\n__Basics__\nBreaks.\n__Formalized__\nImmediate Night: Break `@Selection`\n",
    );
    let mut game = first_night_at(&home, 4);
    let reply = game.line("for Ann: answer yes");
    assert_eq!(reply.refusal, None);
    assert!(
        open_rule_questions(&game)[0].starts_with("the rule roles/breaker:1 (Ann as Breaker"),
        "{:?}",
        open_rule_questions(&game)
    );
    let said = game.line(&format!("answer {} skip", number_of_rule_question(&game)));
    assert_eq!(said.refusal, None);
    game.assert_replays_same();
}

#[test]
fn an_endless_ability_ends_the_change_of_phase_with_its_place() {
    let home = home_with_ability_at(0);
    home.edit(ABILITY_FILE, "error(\"boom\")", "while true do end");
    let mut game = first_night_at(&home, 0);
    let before = game.hash();
    let refusal = game.refusal("next anyway");
    assert_eq!(refusal.code, "limit/fuel");
    assert_eq!(refusal.place.unwrap().source.name(), ABILITY_FILE);
    assert_eq!(game.hash(), before);
}
