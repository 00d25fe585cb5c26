//! Adds happenings to the shipped dungeon that break, never end, or have wrong filters, and statuses
//! without number. They are told, or refused with rule and place. State, undo and replays stay
//! correct.

use arbiter_tests::{Game, Scratch};
use host::diag::Diagnostic;
use host::game;

const ECHO_FILE: &str = "scripts/dungeon/happenings/echo.luau";
const ATTACK: &str = "for Pim: attack hill orc #1";
const ECHO_BREAKS: &str = "the rule happenings/echo of happenings/echo breaks at scripts/dungeon/happenings/echo.luau:6: boom.";

/// Returns a home with a happening that runs this code when a blow is struck.
fn home_with_echo(settings: &str, code: &str) -> Scratch {
    let home = Scratch::shipped("dungeon");
    home.write(
        ECHO_FILE,
        format!(
            "return happening {{\n  source = \"the host's own tests\",\n  summary = \"echoes\",\n  on = {{ struck = {{ {settings}run = function(act, event)\n    {code}\n  end }} }},\n}}\n"
        ),
    );
    home
}

fn game_at_the_gate(home: &Scratch) -> Game {
    let mut game = Game::untimed(home, "dungeon");
    game.text("new dungeon The Orc Gate");
    // Four dice of damage, and one for what the orc drops.
    game.text("dice next d6:3 d6:4 d6:1 d6:6 d100:4");
    game
}

fn refusal_without_change(game: &mut Game, line: &str) -> Diagnostic {
    let before = game.hash();
    let refusal = game.refusal(line);
    assert_eq!(game.hash(), before, "{line}");
    game.assert_replays_same();
    refusal
}

/// Returns the number of the question about a rule, whose text begins like this.
fn number_of_rule_question(game: &Game, begin: &str) -> String {
    let mut open = game::open_questions(game.solo.timeline()).into_iter();
    let one = open.next().expect("a rule broke");
    let text = one.question.text.replace('\n', " ");
    assert!(text.starts_with(begin), "{text}");
    one.number
}

#[test]
fn happenings_that_cause_each_other_or_never_end_stop_the_attack_at_their_place() {
    let emits = "act:emit(\"struck\", { by = event.who, who = event.by, weapon = event.weapon })";
    let chain = "chain of events: struck (happenings/echo of happenings/echo) -> struck (happenings/echo of happenings/echo) ->";
    for (code, limit, hint) in [
        (emits, "limit/depth", chain),
        (
            "while true do end",
            "limit/fuel",
            "look for an endless loop",
        ),
    ] {
        let mut game = game_at_the_gate(&home_with_echo("", code));
        let refusal = refusal_without_change(&mut game, ATTACK);
        assert_eq!(refusal.code, limit);
        assert_eq!(refusal.place.unwrap().to_string(), format!("{ECHO_FILE}:5"));
        let hints = refusal.hints.join(" ");
        assert!(hints.contains(hint), "{hints}");
    }
}

#[test]
fn the_attack_goes_on_without_a_happening_that_breaks_or_is_taken_back() {
    let mut game = game_at_the_gate(&home_with_echo(
        "",
        "act:set(event.who, \"xp\", 99)\n    error(\"boom\")",
    ));
    let before = game.hash();
    game.line(ATTACK);
    let number = number_of_rule_question(&game, ECHO_BREAKS);
    let stopped = game.line(&format!("answer {number} stop"));
    assert_eq!(stopped.refusal.unwrap().message, "boom");
    assert_eq!(game.hash(), before);
    game.line(ATTACK);
    let number = number_of_rule_question(&game, ECHO_BREAKS);
    let told = game.text(&format!("answer {number} skip"));
    assert!(told.contains("XP 16: Pim 16."), "{told}");
    game.assert_replays_same();
    game.undo();
    game.undo();
    assert_eq!(game.hash(), before);
    game.solo.session.responders_mut().attended = false;
    let refusal = refusal_without_change(&mut game, ATTACK);
    let hints = refusal.hints.join(" ");
    assert!(
        hints.contains("struck (happenings/echo of happenings/echo)"),
        "{hints}"
    );
}

#[test]
fn a_happening_with_a_wrong_filter_or_event_is_found_at_its_place_and_does_nothing() {
    let unknown_path =
        "the `where` for `whom` looks at \"whom\", which the event \"struck\" does not have";
    for (settings, found, column) in [
        ("where = { whom = \"x\" }, ", unknown_path, 31),
        (
            "priority = \"high\", ",
            "`on.struck.priority` of the happening \"echo\" expects a whole number -1000..1000, found the text \"high\"",
            32,
        ),
    ] {
        let home = home_with_echo(settings, "act:set(event.who, \"xp\", 99)");
        let mut game = game_at_the_gate(&home);
        let findings = game.findings().replace('\n', " ");
        for part in [found, &format!("{ECHO_FILE}:4:{column}")] {
            assert_eq!(findings.matches(part).count(), 1, "{findings}");
        }
        let told = game.text(ATTACK);
        assert!(told.contains("XP 16: Pim 16."), "{told}");
        game.assert_replays_same();
    }
    let home = home_with_echo("", "");
    home.edit(ECHO_FILE, "struck = {", "strukc = {");
    let findings = game_at_the_gate(&home).findings().replace('\n', " ");
    for part in [
        "unknown event \"strukc\"",
        "did you mean \"struck\"?",
        &format!("{ECHO_FILE}:4:10"),
    ] {
        assert_eq!(findings.matches(part).count(), 1, "{findings}");
    }
}

/// A command that gives a character many statuses that last an hour.
const AFFLICT_COMMAND: &str = r#"return command {
  source = "the host's own tests",
  summary = "gives a character many statuses",
  syntax = "afflict {who: Character} {count: Integer}",
  run = function(act, args)
    for _ = 1, args.count do
      act:attach(args.who, "status", { status = "slimed", since = 0 }, { duration = { time = 3600 } })
    end
    return act:done("afflicted")
  end,
}
"#;

/// A reload while the question is open changes nothing.
#[test]
fn what_breaks_when_the_time_of_a_status_is_over_is_left_out_and_ten_thousand_are_refused() {
    const SLIMED_FILE: &str = "scripts/dungeon/statuses/slimed.luau";
    const KILLS: &str = "    return deaths.kill_character(act, who)\n";
    let home = Scratch::shipped("dungeon");
    home.write("scripts/dungeon/commands/afflict.luau", AFFLICT_COMMAND);
    let broken = format!("    error(\"boom\")\n{KILLS}");
    home.edit(SLIMED_FILE, KILLS, &broken);
    let mut game = game_at_the_gate(&home);
    let refusal = refusal_without_change(&mut game, "afflict Pim 10000");
    assert_eq!(refusal.code, "limit/size");
    let place = refusal.place.unwrap().to_string();
    assert_eq!(place, "scripts/dungeon/commands/afflict.luau:7");
    game.text("afflict Pim 1");
    let before = game.hash();
    game.line("wait 2h");
    let begin = "the rule happenings/status_over of happenings/status_over breaks at scripts/dungeon/statuses/slimed.luau:";
    let number = number_of_rule_question(&game, begin);
    let waiting = game.hash();
    home.edit(SLIMED_FILE, &broken, KILLS);
    game.text("reload");
    let stale = game.refusal(&format!("answer {number} skip"));
    assert_eq!((&*stale.code, game.hash()), ("ask/stale", waiting));
    let ruling = number.split('.').next().unwrap().to_owned();
    // Under the rules of the reload the status kills.
    let told = game.text(&format!("restart {ruling}"));
    assert!(told.contains("Slimed is over:"), "{told}");
    game.assert_replays_same();
    while game.hash() != before {
        game.undo();
    }
    home.edit(SLIMED_FILE, KILLS, &broken);
    game.text("reload");
    game.line("wait 2h");
    let number = number_of_rule_question(&game, begin);
    let told = game.text(&format!("answer {number} skip"));
    assert!(!told.contains("Slimed is over:"), "{told}");
    game.assert_replays_same();
}
