//! Gives shipped encounters features without an end, more features than a game holds, handlers and
//! filters that are wrong, and features that vanish at their turn. They are cut off and told, or
//! refused with rule and place. State, undo and replays stay correct.

use arbiter_tests::{Game, Scratch};
use host::diag::Diagnostic;
use host::game;

const HANDLERS_FILE: &str = "scripts/features/pipeline/play/handlers.luau";
const READS_FEATURE: &str = "  local feature = features.read_memoized(definition)\n";
const WEAPON_DICE_FILE: &str = "scripts/features/effects/weapon_dice.luau";
const FINDS_ATTACK: &str = "    local attack = event and event.attack\n";

const ANN: &str =
    "add Ann at 0,0 on A: HP 3000; AC 12; club +9 1d4+2 bludgeoning; feature brute; feature brute";
const BO: &str = "add Bo at 5,0 on B: HP 6000; AC 5";

/// Returns a game in which Ann, with two features, has her turn beside Bo.
fn game_at_turn_of_ann(home: &Scratch) -> Game {
    let mut game = Game::untimed(home, "features");
    for line in [ANN, BO, "turn Ann"] {
        game.text(line);
    }
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

/// Returns the refusal of a line that must leave the state unchanged.
fn refusal_without_change(game: &mut Game, line: &str) -> Diagnostic {
    let before = game.hash();
    let refusal = game.refusal(line);
    assert_eq!(game.hash(), before, "{line}");
    game.assert_replays_same();
    refusal
}

fn open_question_texts(game: &Game) -> Vec<String> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    open.map(|one| one.question.text.replace('\n', " "))
        .collect()
}

fn feature_text(name: &str, subfeature: &str) -> String {
    format!(
        "name: {name}\nsource: \"the host's own tests\"\ntext: It never rests.\nsubfeatures:\n  - {subfeature}\n"
    )
}

/// Features without an end: the name, the subfeature, who has it, the line, and the message.
const ENDLESS_FEATURES: [(&str, &str, &[&str], &str, &str); 4] = [
    (
        "sore",
        "{ trigger: [damaged, self], effects: [{ target: self, effect: [\"Inflict XdX TYPE damage\", 1, 1, fire] }] }",
        &["Ann"],
        "damage Ann 3 fire",
        "(features trigger each other without end, and the rest is left out: sore of Ann -> sore of Ann ->",
    ),
    (
        "spite",
        "{ trigger: [damaged, self], effects: [{ target: creatures, condition: \"(creature,self,distance,5,<=)\", effect: [\"Inflict XdX TYPE damage\", 1, 1, fire] }] }",
        &["Ann", "Bo"],
        "damage Ann 3 fire",
        "(features trigger each other without end, and the rest is left out: spite of Ann -> spite of Bo ->",
    ),
    (
        "fury",
        "{ trigger: [attacks, self, creature], effects: [{ target: self, effect: [\"Take action ACTION\", attack, club] }] }",
        &["Ann"],
        "attack Bo",
        "(features trigger each other without end, and the rest is left out: fury of Ann -> fury of Ann ->",
    ),
    (
        "restless",
        "{ trigger: [passive], conditions: [\"(self.AC,12,==)\"], effects: [{ target: self, effect: [\"Set N = N\", self.AC, 13] }] }",
        &["Ann"],
        "damage Bo 3 fire",
        "(passive features turn each other on and off without end, and stay as they are now)",
    ),
];

#[test]
fn features_without_an_end_are_cut_off_and_told_and_the_encounter_goes_on() {
    for (name, subfeature, bearers, line, said) in ENDLESS_FEATURES {
        let home = Scratch::shipped("features");
        home.write(
            &format!("content/features/features/{name}.yaml"),
            feature_text(name, subfeature),
        );
        let mut game = Game::untimed(&home, "features");
        for (bearer, creature) in [("Ann", ANN), ("Bo", BO)] {
            let has = bearers.contains(&bearer);
            let feature = has.then(|| format!("; feature {name}"));
            let creature = creature.replace("; feature brute", "");
            game.text(&format!("{creature}{}", feature.unwrap_or_default()));
        }
        game.text("turn Ann");
        let told = play_undo_and_redo(&mut game, line);
        assert_eq!(told.matches(said).count(), 1, "{name}: {told}");
        game.text("end turn");
    }
}

#[test]
fn a_feature_whose_handlers_break_or_never_end_acts_on_nothing_until_it_is_mended() {
    for (code, found) in [
        (
            "error(\"boom\")",
            "`handlers` of the feature \"brute\" fails at scripts/features/pipeline/play/handlers.luau:42: boom",
        ),
        (
            "while true do end",
            "`handlers` of the feature \"brute\" fails at scripts/features/pipeline/play/handlers.luau:42: the script ran more steps than its limit",
        ),
    ] {
        let home = Scratch::shipped("features");
        let broken =
            format!("{READS_FEATURE}  if definition.id == \"brute\" then\n    {code}\n  end\n");
        home.edit(HANDLERS_FILE, READS_FEATURE, &broken);
        let mut game = game_at_turn_of_ann(&home);
        let findings = game.findings().replace('\n', " ");
        assert_eq!(findings.matches(found).count(), 1, "{findings}");
        assert!(
            findings.contains("content/features/features/brute.yaml:1:1"),
            "{findings}"
        );
        game.text("dice next d20:15 d4:2");
        let told = play_undo_and_redo(&mut game, "attack Bo");
        assert!(told.contains("Bo takes 4 bludgeoning damage."), "{told}");
        home.edit(HANDLERS_FILE, &broken, READS_FEATURE);
        game.text("reload");
        assert!(!game.findings().contains("brute"), "{}", game.findings());
        game.text("dice next d20:15 d4:2 d4:3 d4:4");
        let told = play_undo_and_redo(&mut game, "attack Bo free");
        assert!(told.contains("Bo takes 11 bludgeoning damage."), "{told}");
    }
}

#[test]
fn a_filter_on_what_no_event_has_never_passes_and_is_found_at_the_subfeature() {
    for (filter, found) in [
        (
            "{ nobody = \"@bearer\" }",
            "handler 1 has a `where` for `nobody` that looks at \"nobody\", which the event \"hits\" does not have",
        ),
        (
            "{ [\"participants.1\"] = \"@owner\" }",
            "handler 1 has a `where` for `participants.1` that has the unknown word \"@owner\"",
        ),
        ("{ [\"participants.9\"] = \"@bearer\" }", ""),
    ] {
        let home = Scratch::shipped("features");
        home.edit(
            HANDLERS_FILE,
            "  made.where = if place",
            &format!("  made.where = if id == \"brute\" then {filter} elseif place"),
        );
        let mut game = game_at_turn_of_ann(&home);
        let findings = game.findings().replace('\n', " ");
        assert!(findings.contains(found), "{findings}");
        let place = "content/features/features/brute.yaml:8:5";
        assert_eq!(findings.contains(place), !found.is_empty(), "{findings}");
        game.text("dice next d20:15 d4:2");
        let told = play_undo_and_redo(&mut game, "attack Bo");
        assert!(told.contains("Bo takes 4 bludgeoning damage."), "{told}");
    }
}

/// A command that gives a creature many features.
const HOARD_COMMAND: &str = r#"return command {
  source = "the host's own tests",
  summary = "gives a creature many features",
  syntax = "hoard {creature: Creature} {count: Integer} {feature: Feature}",
  run = function(act, args)
    for number = 1, args.count do
      act:attach(args.creature, "feature", { feature = args.feature, values = {}, place = number + 2 })
    end
    return act:done("hoarded")
  end,
}
"#;

#[test]
fn ten_thousand_features_of_a_creature_are_refused_and_those_that_fit_end_by_fuel_or_are_passed_over()
 {
    let home = Scratch::shipped("features");
    home.write("scripts/features/commands/hoard.luau", HOARD_COMMAND);
    let mut game = game_at_turn_of_ann(&home);
    let refusal = refusal_without_change(&mut game, "hoard Ann 10000 brute");
    assert_eq!(refusal.code, "limit/size");
    let place = refusal.place.unwrap().to_string();
    assert_eq!(place, "scripts/features/commands/hoard.luau:7");
    // Their handlers are filtered by the host: an attack against another creature costs nothing.
    game.text("hoard Bo 2400 brute");
    game.text("dice next d20:15 d4:2 d4:3 d4:4");
    let told = play_undo_and_redo(&mut game, "attack Bo");
    assert!(told.contains("Bo takes 11 bludgeoning damage."), "{told}");
    game.text("hoard Ann 2400 brute");
    let refusal = refusal_without_change(&mut game, "attack Bo free");
    assert_eq!(refusal.code, "limit/fuel");
    let hints = refusal.hints.join(" ");
    assert!(hints.contains("brute of Ann, subfeature 1"), "{hints}");
    assert!(
        hints.contains("content/features/features/brute.yaml:1"),
        "{hints}"
    );
    // Each passive feature adds a record.
    game.solo.session.responders_mut().attended = false;
    let refusal = refusal_without_change(&mut game, "hoard Ann 150 keen smell");
    assert_eq!(refusal.code, "limit/size");
    let hints = refusal.hints.join(" ");
    assert!(hints.contains("keen smell of Ann, subfeature 1"), "{hints}");
}

/// The bonus of Parry ends when the attack hits or misses.
#[test]
fn what_lasts_until_an_event_lasts_on_where_its_end_cannot_be_tested() {
    let home = Scratch::shipped("features");
    let line = "  local frame = frame_of_record(act, act:row(record), bound.nouns)\n";
    home.edit(
        "scripts/features/pipeline/play/durations.luau",
        line,
        &format!("  if event then\n    error(\"boom\")\n  end\n{line}"),
    );
    let mut game = Game::untimed(&home, "features");
    for line in [
        ANN,
        "add Bo at 5,0 on B: HP 60; AC 13; feature parry (5)",
        "turn Ann",
    ] {
        game.text(line);
    }
    let before = game.hash();
    game.text("dice next d20:8");
    game.line("attack Bo");
    let told = game.text("answer yes").replace('\n', " ");
    let said = "the end of effect#4 on creature-4 is inactive, because its event cannot be tested: boom, at \
                scripts/features/pipeline/play/durations.luau:141;";
    assert_eq!(told.matches(said).count(), 1, "{told}");
    assert!(told.contains("against AC 18: a miss."), "{told}");
    assert_eq!(game.text("read Bo.AC"), "Bo.AC = 18");
    game.assert_replays_same();
    for _ in 0..3 {
        game.undo();
    }
    assert_eq!(game.hash(), before);
}

#[test]
fn a_feature_that_vanishes_at_its_turn_does_not_act_and_why_says_so() {
    let home = Scratch::shipped("features");
    home.edit(
        WEAPON_DICE_FILE,
        FINDS_ATTACK,
        &format!(
            "    for _, one in _frame.act:find({{ owner = _frame.self, kind = \"feature\" }}) do\n      \
             _frame.act:detach(one, \"it vanishes\")\n    end\n{FINDS_ATTACK}"
        ),
    );
    let mut game = game_at_turn_of_ann(&home);
    game.text("dice next d20:15 d4:2 d4:3");
    let told = play_undo_and_redo(&mut game, "attack Bo");
    assert!(told.contains("Bo takes 7 bludgeoning damage."), "{told}");
    let attack = *game.live_ruling_numbers().last().unwrap();
    let why = game.text(&format!("why {attack}")).replace('\n', " ");
    let gone = "passed over: features/brute of feature#2: it no longer listens when its turn comes";
    assert_eq!(why.matches(gone).count(), 1, "{why}");
    assert_eq!(
        game.text("= #act:find({ kind = 'feature' })").trim_end(),
        "0"
    );
}

/// The choice after a reload, what the attack does then, and whether it asks about the rule again.
const CHOICES_AFTER_RELOAD: [(&str, &str, bool); 3] = [
    ("restart", "Bo takes 11 bludgeoning damage.", false),
    ("finish", "Bo takes 4 bludgeoning damage.", true),
    ("drop", "", false),
];

#[test]
fn a_reload_while_an_attack_waits_changes_nothing_and_leaves_the_choice() {
    for (choice, said, asks) in CHOICES_AFTER_RELOAD {
        let home = Scratch::shipped("features");
        let broken = format!("    error(\"boom\")\n{FINDS_ATTACK}");
        home.edit(WEAPON_DICE_FILE, FINDS_ATTACK, &broken);
        let mut game = game_at_turn_of_ann(&home);
        let before = game.hash();
        game.text("dice next d20:15 d4:2 d4:3 d4:4");
        let typed = game.hash();
        game.line("attack Bo");
        let waiting = game.hash();
        let open = game::open_questions(game.solo.timeline())
            .into_iter()
            .next();
        let number = open.unwrap().number;
        home.edit(WEAPON_DICE_FILE, &broken, FINDS_ATTACK);
        game.text("reload");
        assert_eq!(game.hash(), waiting);
        let refusal = game.refusal(&format!("answer {number} skip"));
        assert_eq!(refusal.code, "ask/stale");
        assert!(
            refusal.hints.join(" ").contains(choice),
            "{:?}",
            refusal.hints
        );
        assert_eq!(game.hash(), waiting);
        let ruling = number.split('.').next().unwrap();
        let mut told = game.text(&format!("{choice} {ruling}"));
        // It breaks again under the rules that the attack started with.
        assert_eq!(open_question_texts(&game).len(), usize::from(asks));
        while !open_question_texts(&game).is_empty() {
            told = game.text("answer skip");
        }
        assert_eq!(open_question_texts(&game), [""; 0], "{choice}");
        assert!(told.replace('\n', " ").contains(said), "{choice}: {told}");
        assert_eq!(game.hash() == typed, choice == "drop", "{choice}");
        game.assert_replays_same();
        while game.hash() != before {
            game.undo();
        }
    }
}
