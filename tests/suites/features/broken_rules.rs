//! Breaks rules of shipped encounters: an effect, a condition of a feature, a duration, a condition
//! of a creature, a delayed effect, and an action on delayed damage. Outside of handlers: a sense,
//! a spell duration, the end of a condition, a repeated save, and the check for usable features.
//! The game master may continue without the broken rule.

use std::fs;

use arbiter_tests::{Game, Scratch};
use host::doc::plain;
use host::game;
use host::game::Reply;

/// An edit that breaks a rule, the lines that lead to it, and the name of the rule in the question.
struct BrokenRule {
    file: &'static str,
    before: &'static str,
    lines: &'static [&'static str],
    rule: &'static str,
    /// A text of the command that appears although the rule broke.
    goes_on: &'static str,
}

const SKIPPABLE_BROKEN_RULES: [BrokenRule; 10] = [
    BrokenRule {
        file: "scripts/features/effects/weapon_dice.luau",
        before: "    local attack = event and event.attack",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning; feature brute",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "turn Ann",
            "dice next d20:15 d4:2 d4:3",
            "attack Bo",
        ],
        rule: "the rule features/brute:1 (brute of Ann, subfeature 1)",
        goes_on: "Bo takes",
    },
    BrokenRule {
        file: "scripts/features/functions/distance.luau",
        before: "    if first == POINT then",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning",
            "add Ember at 5,0 on B: HP 60; AC 5; feature heated body (1, 10)",
            "turn Ann",
            "dice next d20:15 d4:2",
            "attack Ember",
        ],
        rule: "the rule features/heated_body:2 (heated body of Ember, subfeature 2)",
        goes_on: "Ember takes",
    },
    BrokenRule {
        file: "scripts/features/durations/start_of_next_turn.luau",
        before: "    return { end_conditions = { { turn = \"start\"",
        lines: &[
            "add Reeker at 5,0 on B: HP 36; AC 13; feature stench (30, 5)",
            "add Ann at 0,0 on A: HP 30; AC 12",
            "turn Ann",
        ],
        rule: "the rule features/stench:1 (stench of Reeker, subfeature 1)",
        goes_on: "Ann's turn.",
    },
    BrokenRule {
        file: "scripts/features/conditions/prone.luau",
        before: "    if not list.has(roll.classes, \"attack\") then",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "condition Bo prone",
            "turn Ann",
            "dice next d20:15 d4:2",
            "attack Bo",
        ],
        rule: "the rule conditions/prone (PRONE of Bo)",
        goes_on: "Bo takes",
    },
    BrokenRule {
        file: "scripts/features/conditions/frightened.luau",
        before: "    for _, source in sources_of_fear(act, bearer) do\n      local width",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12",
            "add Bo at 20,0 on B: HP 60; AC 5",
            "condition Ann frightened by Bo",
            "turn Ann",
            "move Ann to 5,0",
        ],
        rule: "the rule conditions/frightened (FRIGHTENED of Ann)",
        goes_on: "Ann is at 5,0.",
    },
    BrokenRule {
        file: "scripts/features/effects/rise_again.luau",
        before: "    revival.raise_from_dead(",
        lines: &[
            "add Larva at 10,5 on B: HP 13; PLANE 9; feature hellish rejuvenation (9, 10)",
            "dice next d10:4",
            "damage Larva 13 cold",
            "wait 4d",
        ],
        rule: "the rule features/hellish_rejuvenation (hellish rejuvenation of Larva)",
        goes_on: "time 4d",
    },
    BrokenRule {
        file: "scripts/features/functions/roll.luau",
        before: "    return function_operands.call_with_row(",
        lines: &[
            "add Zombie at 0,0 on B: HP 4; MAXHP 22; AC 8; CON 3; feature undead fortitude",
            "add Guard at 5,0 on A: HP 11; AC 16; spear +3 1d6+1 piercing",
            "dice next d20:10 d6:5 d20:8",
            "attack Zombie by Guard",
        ],
        rule: "the rule features/undead_fortitude:1 (undead fortitude of Zombie, subfeature 1)",
        goes_on: "Zombie dies",
    },
    BrokenRule {
        file: "scripts/features/functions/webshare.luau",
        before: "    return function_operands.call_with_two_rows(",
        lines: &[
            "add Weaver at 0,0 on B: HP 26; feature web sense",
            "add Fighter at 40,0 on A: HP 40",
        ],
        rule: "the rule features/web_sense (web sense of Weaver: what it senses)",
        goes_on: "Fighter is at 40,0.",
    },
    BrokenRule {
        file: "scripts/features/durations/time.luau",
        before: "    local amount, fault = expressions.evaluate(",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "cast dread on Bo by Ann: frightened, for 12 sec",
        ],
        rule: "the rule durations/time (duration on Bo)",
        goes_on: "Bo is frightened (by Ann).",
    },
    BrokenRule {
        file: "scripts/features/conditions/surprised.luau",
        before: "    return { { turn = \"end\"",
        lines: &[
            "add Ann at 0,0 on A: HP 30; AC 12",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "condition Ann surprised by Bo",
        ],
        rule: "the rule conditions/surprised (SURPRISED of Ann)",
        goes_on: "Ann is surprised (by Bo).",
    },
];

/// A broken use condition: nobody can use the feature without it.
const BROKEN_USE_CONDITION: BrokenRule = BrokenRule {
    file: "scripts/features/functions/hostile.luau",
    before: "    return function_operands.call_with_two_rows(",
    lines: &[
        "add Ann at 0,0 on A: HP 30; AC 12; feature aggressive",
        "add Bo at 40,0 on B: HP 60; AC 5",
        "turn Ann",
        "use aggressive on Bo",
    ],
    rule: "the rule features/aggressive:1 (aggressive of Ann: condition)",
    goes_on: "",
};

/// The broken check for effects without a result: without it the effect is carried out.
const BROKEN_FUTILITY_CHECK: BrokenRule = BrokenRule {
    file: "scripts/features/effects/expend_spell_slot.luau",
    before: "    return if field_of_lowest_slot(",
    lines: &[
        "add Priest at 0,0 on A: HP 27; SPELLSLOTS_1 4; SPELLSLOTS_2 3; feature divine eminence (3, 6)",
        "turn Priest",
        "use slot of level 2",
    ],
    rule: "the rule features/divine_eminence:3 (divine eminence of Priest: Expend spell slot)",
    goes_on: "Priest uses divine eminence.",
};

/// Returns a game before its last line, and that line, which breaks a rule.
fn game_before_broken_line(one: &BrokenRule) -> (Scratch, Game, &'static str) {
    let home = Scratch::shipped("features");
    home.edit(
        one.file,
        one.before,
        &format!("    error(\"boom\")\n{}", one.before),
    );
    let (game, last) = play_all_but_last(&home, one.lines);
    (home, game, last)
}

/// Plays all lines except the last one, which it returns.
fn play_all_but_last(home: &Scratch, lines: &'static [&'static str]) -> (Game, &'static str) {
    let mut game = Game::of_program(home, "features");
    let (last, lines) = lines.split_last().unwrap();
    for line in lines {
        let reply = game.line(line);
        assert_eq!(reply.refusal, None, "{line}");
    }
    (game, last)
}

fn open_question_texts(game: &Game) -> Vec<String> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    open.map(|one| one.question.text.replace('\n', " "))
        .collect()
}

fn text_of_answer(reply: &Reply) -> String {
    assert_eq!(reply.refusal, None);
    reply.documents.iter().map(plain).collect()
}

#[test]
fn an_encounter_goes_on_without_a_rule_that_breaks() {
    for one in &SKIPPABLE_BROKEN_RULES {
        let (_home, mut game, last) = game_before_broken_line(one);
        let before = game.hash();
        game.line(last);
        let mut answers = 0;
        let mut told = String::new();
        while let Some(text) = open_question_texts(&game).first().cloned() {
            assert!(text.starts_with(one.rule), "{text}");
            assert!(
                text.contains(&format!(" breaks at {}:", one.file)),
                "{text}"
            );
            assert!(text.contains(": boom."), "{text}");
            told = text_of_answer(&game.line("answer skip"));
            answers += 1;
            assert!(answers < 5, "{}", one.rule);
        }
        assert!(answers > 0, "{} does not break", one.rule);
        assert!(told.contains(one.goes_on), "{}: {told}", one.rule);
        game.assert_replays_same();
        for _ in 0..=answers {
            game.undo();
        }
        assert_eq!(game.hash(), before, "{}", one.rule);
    }
}

/// The passive is tested after every event. One answer holds for the rest of the command, even if
/// the rule breaks with another message.
#[test]
fn a_passive_that_breaks_is_asked_about_once_a_command() {
    let home = Scratch::shipped("features");
    home.edit(
        "scripts/features/effects/advantage_on_rolls.luau",
        "    roll_modifiers.add_advantage_or_disadvantage(",
        "    error(`boom {frame.act:writes()}`)\n    roll_modifiers.add_advantage_or_disadvantage(",
    );
    let mut game = Game::of_program(&home, "features");
    let rule =
        "the rule features/banner_of_courage:1 (banner of courage of Ann, subfeature 1) breaks";
    for line in [
        "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning; feature banner of courage (10, 2)",
        "add Bo at 5,0 on B: HP 60; AC 5",
        "turn Ann",
        "attack Bo",
        "end turn",
    ] {
        game.line(line);
        let all = open_question_texts(&game);
        assert!(
            all.len() == 1 && all[0].starts_with(rule),
            "{line}: {all:?}"
        );
        text_of_answer(&game.line("answer skip"));
        assert_eq!(open_question_texts(&game), [""; 0], "{line}");
    }
    game.assert_replays_same();
}

#[test]
fn the_whole_attack_is_taken_back_if_the_game_master_says_so() {
    for one in &SKIPPABLE_BROKEN_RULES {
        let (_home, mut game, last) = game_before_broken_line(one);
        let before = game.hash();
        game.line(last);
        let refusal = game.line("answer stop").refusal.unwrap();
        assert_eq!(refusal.message, "boom", "{}", one.rule);
        assert_eq!(game.hash(), before, "{}", one.rule);
        game.assert_replays_same();
    }
}

#[test]
fn where_nobody_is_there_the_attack_is_refused_with_its_place() {
    for one in &SKIPPABLE_BROKEN_RULES {
        let (_home, mut game, last) = game_before_broken_line(one);
        game.solo.session.responders_mut().attended = false;
        let before = game.hash();
        let refusal = game.refusal(last);
        assert_eq!(refusal.place.unwrap().source.name(), one.file);
        assert_eq!(game.hash(), before, "{}", one.rule);
    }
}

#[test]
fn a_rule_that_never_ends_stops_the_attack_at_its_place() {
    for one in &SKIPPABLE_BROKEN_RULES {
        let home = Scratch::shipped("features");
        home.edit(
            one.file,
            one.before,
            &format!("    while true do end\n{}", one.before),
        );
        let text = fs::read_to_string(home.path().join(one.file)).unwrap();
        let loop_at = text.find("while true").unwrap();
        let (mut game, last) = play_all_but_last(&home, one.lines);
        let before = game.hash();
        let refusal = game.refusal(last);
        assert_eq!(refusal.code, "limit/fuel", "{}", one.rule);
        let line = text[..loop_at].lines().count();
        let place = format!("{}:{line}", one.file);
        assert_eq!(refusal.place.unwrap().to_string(), place, "{}", one.rule);
        assert_eq!(game.hash(), before, "{}", one.rule);
        assert_eq!(open_question_texts(&game), [""; 0], "{}", one.rule);
        game.assert_replays_same();
    }
}

/// The end condition is disabled: its record lasts, everything else continues, and the game master
/// gets a message.
#[test]
fn what_lasts_until_a_text_is_so_goes_on_lasting_where_the_text_cannot_be_read() {
    let home = Scratch::shipped("features");
    home.edit(
        "content/features/features/swallow.yaml",
        "duration: \"(creature.INSIDE,self,==,!)\"",
        "duration: \"(creature,self,distance,30,>=)\"",
    );
    home.edit(
        "scripts/features/functions/distance.luau",
        "    if first == POINT then",
        "    error(\"boom\")\n    if first == POINT then",
    );
    let (mut game, last) = play_all_but_last(
        &home,
        &[
            "add O at 0,0 on A: HP 30; AC 13; PROF 2; Huge; bite +5 1d8+4 piercing; feature swallow (bite, 13, 1, 6, 4, 10, 15)",
            "add A at 15,0 on B: HP 40; AC 13; sword +5 1d8+4 slashing",
            "turn O",
            "dice next d20:15 d8:4 d20:12",
            "attack A with bite",
        ],
    );
    let line = "the end of condition#4 on creature-4 is inactive, because \"(creature,self,distance,30,>=)\" cannot be tested: boom, at \
                scripts/features/functions/distance.luau:";
    let told = text_of_answer(&game.line(last)).replace('\n', " ");
    assert_eq!(told.matches(line).count(), 1, "{told}");
    assert!(told.contains("A is blinded (by O)."), "{told}");
    text_of_answer(&game.line("turn A"));
    assert_eq!(
        text_of_answer(&game.line("read A.BLINDED")),
        "A.BLINDED = O"
    );
    game.assert_replays_same();
}

/// Answers the single question about a rule that breaks, and returns the reply.
fn skip_broken_rule(game: &mut Game, rule: &str) -> Reply {
    let all = open_question_texts(game);
    assert!(all.len() == 1 && all[0].starts_with(rule), "{all:?}");
    game.line("answer skip")
}

#[test]
fn a_feature_whose_condition_breaks_cannot_be_used() {
    let (_home, mut game, last) = game_before_broken_line(&BROKEN_USE_CONDITION);
    let before = game.hash();
    game.line(last);
    let refusal = skip_broken_rule(&mut game, BROKEN_USE_CONDITION.rule)
        .refusal
        .unwrap();
    assert_eq!(refusal.code, "features/condition");
    assert_eq!(
        refusal.message,
        "aggressive cannot be used: the rule features/aggressive:1 failed with an error"
    );
    assert_eq!(game.hash(), before);
    game.assert_replays_same();
}

#[test]
fn a_feature_is_used_where_the_check_that_it_does_nothing_breaks() {
    let (_home, mut game, last) = game_before_broken_line(&BROKEN_FUTILITY_CHECK);
    game.line(last);
    let told = text_of_answer(&skip_broken_rule(&mut game, BROKEN_FUTILITY_CHECK.rule));
    assert!(told.contains(BROKEN_FUTILITY_CHECK.goes_on), "{told}");
    assert_eq!(
        text_of_answer(&game.line("read Priest.SPELLSLOTS_2")),
        "Priest.SPELLSLOTS_2 = 2"
    );
    game.assert_replays_same();
}

#[test]
fn a_repeated_save_whose_advantage_breaks_is_a_plain_roll() {
    let home = Scratch::shipped("features");
    home.edit(
        "content/features/features/horrific_appearance.yaml",
        "\"(creature,self,sees,-1,*)\"]]",
        "\"(creature,self,webshare)\"]]",
    );
    home.edit(
        "scripts/features/functions/webshare.luau",
        "    return function_operands.call_with_two_rows(",
        "    error(\"boom\")\n    return function_operands.call_with_two_rows(",
    );
    let (mut game, last) = play_all_but_last(
        &home,
        &[
            "add Hag at 0,0 on B: HP 52; feature horrific appearance (30, 11)",
            "add Guard at 30,0 on A: HP 11; type humanoid",
            "dice next d20:9",
            "turn Guard",
            "answer no",
            "dice next d20:15",
            "end turn",
        ],
    );
    game.line(last);
    let rule = "the rule features/horrific_appearance (horrific appearance of Hag: repeated save)";
    let told = text_of_answer(&skip_broken_rule(&mut game, rule));
    assert!(
        told.contains("Guard: wisdom save against DC 11: d20 15 + 0 = 15, saved."),
        "{told}"
    );
    assert!(told.contains("Guard's turn is over."), "{told}");
    game.assert_replays_same();
}

/// Effects that wait for the end of an attack share the values of their subfeature: an effect that
/// is skipped leaves nothing there.
#[test]
fn the_save_of_an_effect_that_breaks_is_not_repeated_by_the_next_one() {
    let home = Scratch::shipped("features");
    home.write(
        "content/features/features/sting.yaml",
        r#"name: sting
source: "the host's own tests"
text: It stings.
subfeatures:
  - trigger: [hits, self, creature]
    effects:
      - {target: creature, effect: ["Inflict XdX TYPE damage, dc X ABILITY save halves", 1, 4, poison, 15, dexterity]}
      - {target: creature, effect: ["Set N = N", creature.BLINDED, self], duration: ["1 min", ["Repeated saves"]]}
"#,
    );
    let damage_file = "scripts/features/pipeline/play/damage_effects.luau";
    let after_save = "  for _, one in done do\n    local taken";
    home.edit(
        damage_file,
        after_save,
        &format!("  error(\"boom\")\n{after_save}"),
    );
    let (mut game, last) = play_all_but_last(
        &home,
        &[
            "add Ann at 0,0 on A: HP 30; AC 12; club +9 1d4+2 bludgeoning; feature sting",
            "add Bo at 5,0 on B: HP 60; AC 5",
            "turn Ann",
            "dice next d20:15 d4:2 d4:3 d20:4",
            "attack Bo",
        ],
    );
    game.line(last);
    let rule = "the rule features/sting:1 (sting of Ann, subfeature 1)";
    let told = text_of_answer(&skip_broken_rule(&mut game, rule)).replace('\n', " ");
    let without_save = "(sting: E_OPERANDS: no failed save to repeat; using DC 10, constitution)";
    for part in [without_save, "Bo is blinded (by Ann)."] {
        assert!(told.contains(part), "{told}");
    }
    game.assert_replays_same();
}
