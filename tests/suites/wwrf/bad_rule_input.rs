//! Gives the shipped village handlers, filters and ends that are wrong, more attributes than a game
//! holds, and attributes that vanish at their turn. They are told, or refused with rule and place.
//! State, undo and replays stay correct. Roles without an end are in `endless_roles`, reloads in
//! `broken_rules`.

use arbiter_tests::{Game, Scratch};
use host::diag::Diagnostic;
use host::game;

const HANDLERS_FILE: &str = "scripts/wwrf/pipeline/events/trigger_handlers.luau";
const KNOWS_FAULTY: &str = "  local is_faulty = definitions.get(";
const BREAKER_FILE: &str = "content/wwrf/roles/townsfolk/breaker";

const GAME_SETUP: &str = "source: the host's own tests
name: Breakers
summary: A breaker among villagers.
players: { Wanda: Wolf, Ann: Breaker, Bo: Villager, Cy: Villager, Dee: Villager }
";

const CRACKED: &str = "**Cracked** | Attribute\n__Basics__\nBreaks.\n\n__Formalized__\nPassive Start Day: Announce `A crack`\n";

/// Returns a home with a role of these lines and an attribute that announces a crack each day.
fn home_with_breaker(lines: &str) -> Scratch {
    let home = Scratch::shipped("wwrf");
    let title = "**Breaker** | Townsfolk Investigative\n__Basics__\nBreaks.\n__Formalized__\n";
    home.write(BREAKER_FILE, format!("{title}{lines}\n"));
    home.write("content/wwrf/attributes/cracked", CRACKED);
    home.write("content/wwrf/setups/breakers.yaml", GAME_SETUP);
    home
}

fn game_of_breakers(home: &Scratch) -> Game {
    let mut game = Game::untimed(home, "wwrf");
    game.text("new game Breakers");
    game
}

/// Plays a line, and returns its text in one line. Undo restores the state, redo plays it again,
/// and replays are equal.
fn play_undo_and_redo(game: &mut Game, line: &str) -> String {
    let before = game.hash();
    let told = game.text(line).replace('\n', " ");
    let after = game.hash();
    game.assert_replays_same();
    game.undo();
    assert_eq!(game.hash(), before, "{line}");
    game.redo();
    assert_eq!(game.hash(), after, "{line}");
    told
}

fn refusal_without_change(game: &mut Game, line: &str) -> Diagnostic {
    let before = game.hash();
    let refusal = game.refusal(line);
    assert_eq!(game.hash(), before, "{line}");
    game.assert_replays_same();
    refusal
}

#[test]
fn a_text_whose_handlers_break_or_never_end_acts_on_nothing_until_they_are_mended() {
    for (code, why) in [
        ("error(\"boom\")", "boom"),
        (
            "while true do end",
            "the script ran more steps than its limit",
        ),
    ] {
        let home = home_with_breaker("Passive Start Day: Announce `A cup`");
        let broken =
            format!("  if definition.id == \"breaker\" then\n    {code}\n  end\n{KNOWS_FAULTY}");
        home.edit(HANDLERS_FILE, KNOWS_FAULTY, &broken);
        let mut game = game_of_breakers(&home);
        let findings = game.findings().replace('\n', " ");
        let found =
            format!("`handlers` of the role \"breaker\" fails at {HANDLERS_FILE}:83: {why}");
        assert_eq!(findings.matches(&found).count(), 1, "{findings}");
        assert!(
            findings.contains(&format!("{BREAKER_FILE}:1:1")),
            "{findings}"
        );
        game.text("next");
        let day = play_undo_and_redo(&mut game, "next anyway");
        assert!(
            day.contains("Lynch is open") && !day.contains("A cup"),
            "{day}"
        );
        home.edit(HANDLERS_FILE, &broken, KNOWS_FAULTY);
        game.text("reload");
        game.text("next anyway");
        let day = play_undo_and_redo(&mut game, "next anyway");
        assert!(day.contains("A cup"), "{day}");
    }
}

#[test]
fn a_filter_on_what_no_event_has_never_passes_and_is_found_at_the_text() {
    let of_no_fields = "handler 1 has a `where` for `nobody` that looks at \"nobody\", which the event \"passive_start_day\" does not have";
    for (filter, found, hint) in [
        (
            "{ nobody = \"@bearer\" }",
            of_no_fields,
            "this event has no fields",
        ),
        (
            "{ who = \"@owner\" }",
            "handler 1 has a `where` for `who` that has the unknown word \"@owner\"",
            "write { on = EVENT",
        ),
    ] {
        let home = home_with_breaker("Passive Start Day: Announce `A cup`");
        home.edit(
            HANDLERS_FILE,
            "round = rule.round, data = rule }",
            &format!(
                "round = rule.round, data = rule, where = if definition.id == \"breaker\" then {filter} else nil }}"
            ),
        );
        let mut game = game_of_breakers(&home);
        let findings = game.findings().replace('\n', " ");
        for part in [found, hint, &format!("{BREAKER_FILE}:1:1")] {
            assert_eq!(findings.matches(part).count(), 1, "{findings}");
        }
        game.text("next");
        let day = play_undo_and_redo(&mut game, "next anyway");
        assert!(
            day.contains("Lynch is open") && !day.contains("A cup"),
            "{day}"
        );
    }
}

/// A command that puts many attributes on a player.
const HOARD_COMMAND: &str = r#"return command {
  source = "the host's own tests",
  summary = "gives a player many attributes",
  syntax = "hoard {person: Person} {count: Integer}",
  run = function(act, args)
    for _ = 1, args.count do
      act:attach(args.person, "custom", { attribute = "cracked" })
    end
    return act:done("hoarded")
  end,
}
"#;

#[test]
fn ten_thousand_attributes_of_a_player_are_refused_and_all_that_fit_act() {
    let home = home_with_breaker("Passive Start Day: Announce `A cup`");
    home.write("scripts/wwrf/commands/hoard.luau", HOARD_COMMAND);
    let mut game = game_of_breakers(&home);
    let refusal = refusal_without_change(&mut game, "hoard Ann 10000");
    assert_eq!(refusal.code, "limit/size");
    let place = refusal.place.unwrap().to_string();
    assert_eq!(place, "scripts/wwrf/commands/hoard.luau:7");
    game.text("hoard Ann 2000");
    game.text("next");
    let day = play_undo_and_redo(&mut game, "next anyway");
    assert_eq!(day.matches("A crack.").count(), 2000);
}

/// Wrong ends of a duration, and the error.
const WRONG_ENDS: [(&str, &str, &str); 5] = [
    (
        "{ when = \"counter >= nonsense(\" }",
        "store/bad-ends",
        "in the \"when\" of an end, \"counter >= nonsense(\": a bracket is inside the expression",
    ),
    (
        "{ when = \"nobody.counter >= 1\" }",
        "store/bad-ends",
        "in the \"when\" of an end, \"nobody.counter >= 1\": unknown name \"nobody\"",
    ),
    (
        "{ event = \"changed_ovr\", where = { who = \"@bearer\" } }",
        "script/unknown-event",
        "unknown event \"changed_ovr\"",
    ),
    (
        "{ event = \"changed_over\", where = { whom = \"@bearer\" } }",
        "store/bad-ends",
        "the \"where\" of an end for \"whom\" looks at \"whom\", which the event \"changed_over\" does not have",
    ),
    (
        "{ event = \"passive_start_day\", where = { whom = \"@bearer\" } }",
        "store/bad-ends",
        "the \"where\" of an end for \"whom\" looks at \"whom\", which the event \"passive_start_day\" does not have",
    ),
];

fn open_rule_question(game: &Game) -> Option<game::OpenQuestion> {
    let mut open = game::open_questions(game.solo.timeline()).into_iter();
    open.find(|one| one.question.text.contains("Go on without it"))
}

#[test]
fn a_line_whose_duration_has_a_wrong_end_is_left_out_or_stops_the_night() {
    for (end, code, message) in WRONG_ENDS {
        let home = home_with_breaker("Passive Start Night: Apply `Cracked` to @Self (~Permanent)");
        home.edit(
            "scripts/wwrf/durations/permanent.luau",
            "{ event = \"changed_over\", where = { who = \"@bearer\" } }",
            end,
        );
        let mut game = game_of_breakers(&home);
        let before = game.hash();
        game.line("next");
        let asked = open_rule_question(&game).unwrap_or_else(|| panic!("{end} does not break"));
        let text = asked.question.text.replace('\n', " ");
        for part in [
            "the rule roles/breaker:1 (Ann as Breaker: Passive Start Night (trigger 1)) breaks at scripts/wwrf/pipeline/execution/attributes.luau:59",
            message,
        ] {
            assert!(text.contains(part), "{text}");
        }
        let stopped = game.line(&format!("answer {} stop", asked.number));
        assert_eq!(stopped.refusal.unwrap().code, code, "{end}");
        assert_eq!(game.hash(), before, "{end}");
        game.line("next");
        let asked = open_rule_question(&game).unwrap();
        game.text(&format!("answer {} skip", asked.number));
        assert!(game.phase_and_place().contains("night"), "{end}");
        assert_eq!(
            game.text("= #act:find({ kind = 'custom' })").trim_end(),
            "0",
            "{end}"
        );
        game.assert_replays_same();
        game.solo.session.responders_mut().attended = false;
        game.undo();
        game.undo();
        assert_eq!(game.hash(), before, "{end}");
        let refusal = refusal_without_change(&mut game, "next");
        let hints = refusal.hints.join(" ");
        assert!(
            hints.contains("Ann as Breaker: Passive Start Night (trigger 1)"),
            "{hints}"
        );
    }
}

/// Roles act before attributes.
#[test]
fn an_attribute_that_vanishes_at_its_turn_does_not_act_and_why_says_so() {
    let home = home_with_breaker(
        "Passive Start Night: Apply `Cracked` to @Self (~Permanent)\nPassive Start Day: Remove `Cracked` from @Self",
    );
    let mut game = game_of_breakers(&home);
    game.text("next");
    let day = play_undo_and_redo(&mut game, "next anyway");
    assert!(
        day.contains("Lynch is open") && !day.contains("A crack"),
        "{day}"
    );
    let ruling = *game.live_ruling_numbers().last().unwrap();
    let why = game.text(&format!("why {ruling}")).replace('\n', " ");
    let gone = "passed over: attributes/cracked of custom#";
    assert_eq!(why.matches(gone).count(), 1, "{why}");
    assert!(
        why.contains("it no longer listens when its turn comes"),
        "{why}"
    );
}
