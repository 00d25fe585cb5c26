//! This module tests `why`: tested situations whose answers stand in `why.txt`, and that a seat is told nothing from
//! which it could learn what it may not know.

use arbiter_tests::{Game, Scratch};
use host::doc::{Viewer, for_viewer, json, plain};
use host::game::Reply;
use host::script::Compiled;
use proptest::prelude::*;

/// The situations and what is answered: `> ` asks, `! ` changes the rules, all other lines are answers.
const SITUATIONS: &str = include_str!("why.txt");

/// A home whose rules have events, conditions, queues, chance, and things that not everybody may know.
fn home() -> Scratch {
    let home = Scratch::mini();
    home.edit(
        "scripts/mini/ruleset.luau",
        "  types = {",
        "  events = {
    greet = { summary = \"somebody is greeted\" },
    hum = { summary = \"nobody hears it\" },
  },
  types = {",
    );
    home.edit(
        "scripts/mini/ruleset.luau",
        "  stats = {",
        "  stats = {
    fate = { base = 0, seen = \"gm\", summary = \"what will be\" },
    luck = { base = 0, seen = \"owner\", summary = \"what somebody alone knows\" },",
    );
    home.write(
        "scripts/mini/contracts/whim.luau",
        "return contract { source = \"x\", summary = \"what a mood makes of things\", folder = \"whims\", reads = \"luau\",
  elements = { kind = \"whim\", field = \"whim\" }, keys = { source = \"text\" } }",
    );
    home.write(
        "scripts/mini/contracts/custom.luau",
        "return contract { source = \"x\", summary = \"what holds for all\", folder = \"customs\", reads = \"luau\",
  elements = \"game\", keys = { source = \"text\" } }",
    );
    home.write(
        "scripts/mini/whims/polite.luau",
        "return whim { source = \"x\", on = {
  greet = { where = { tone = \"kind\" }, run = function(act, event, self, bearer)
    if not act:test(act:get(bearer, \"mood\") < 9, `{bearer} could feel better`) then
      return act:fail(\"content\", `{bearer} is content already`)
    end
    act:add(bearer, \"mood\", 1)
  end },
} }",
    );
    home.write(
        "scripts/mini/whims/shy.luau",
        "return whim { source = \"x\", on = {
  greet = { priority = -1, run = function(act, event, self, bearer)
    for _, other in act:find({ owner = bearer, kind = \"whim\" }) do
      if other ~= self then act:detach(other) end
    end
  end },
} }",
    );
    home.write(
        "scripts/mini/customs/bells.luau",
        "return custom { source = \"x\", on = {
  greet = function(act, event)
    act:defer(\"bells\", { who = event.to })
  end,
} }",
    );
    commands(&home);
    home
}

fn commands(home: &Scratch) {
    home.command("kind", "act:emit('greet', { to = 'bo', tone = 'kind' })\nact:drain('bells', function(rows)\n  for _, row in rows do act:add(row.who, 'rung', 1) end\nend)");
    home.command("rude", "act:emit('greet', { to = 'bo', tone = 'rude' })");
    home.command("hum", "act:emit('hum')");
    home.command("polite", "act:attach('bo', 'whim', { whim = 'polite' }, { source = 'ann' })\nact:attach('ann', 'whim', { whim = 'polite' })");
    home.command("shy", "act:attach('bo', 'whim', { whim = 'shy' })");
    home.command("lot", "act:set('ann', 'won', act:pick({ 'bo', 'ann' }, 'the prize') == 'ann')\nact:set('ann', 'order', table.concat(act:shuffle({ 'a', 'b' }, 'the queue'), ' '))");
    home.command("wall", "act:attach('ann', 'wall', {}, { modifiers = {\n  { stat = 'guard', op = 'add', value = 2, layer = 'add' },\n  { stat = 'guard', op = 'at_most', value = 1, layer = 'limit' } } })");
    home.command("crash", "local nothing = nil\nreturn nothing.field");
    home.command(
        "test",
        "if not act:test(act:get('ann', 'mood') > 1, 'ann is awake') then return act:fail('asleep', 'ann sleeps') end
act:test(act:get('ann', 'mood') > 1, 'it holds and is not named')
if not act:test(act:row('bo').whim, 'bo has a whim') then act:set('bo', 'tried', true) end
return act:fail('closed', 'the test is closed')",
    );
    home.command(
        "fall",
        "act:set('ann', 'mood', 9)\nact:set('bo', 'mood', 9)",
    );
    home.write(
        "scripts/mini/commands/veil.luau",
        "return command { source = \"x\", summary = \"a test\", syntax = \"veil {number: Whole}\",
  run = function(act, args)
    local number = args.number
    act:set(\"bo\", \"fate\", number)
    act:set(\"ann\", \"fate\", number)
    act:set(\"bo\", \"luck\", number)
    for _ = 1, number % 4 do
      act:attach(\"ann\", \"shade\", { depth = number }, { seen = \"gm\" })
      act:attach(\"bo\", \"shade\", { depth = number }, { seen = \"Bo\", modifiers = { { stat = \"luck\", op = \"add\", value = 1 } } })
    end
    act:say(\"gm\", `fate {number} {act:roll(\"1d20\", \"fate\")}`)
    act:say(\"Bo\", `luck {number}`)
    act:say(\"public\", { { text = \"The wind turns.\" }, { text = `fate {number}`, audience = \"gm\" } })
    return act:done()
  end }",
    );
    home.command(
        "peek",
        "act:say('gm', `ann peeks: {act:roll('1d20', 'peek')}`)
if not act:test(act:get('bo', 'fate') < 50, `fate is {act:get('bo', 'fate')}`) then act:set('bo', 'fate', 1) end
act:add('ann', 'peeks', 1)
return 'You see nothing.'",
    );
}

fn answer(game: &mut Game, line: &str) -> String {
    let asked = line.strip_prefix("why not ").map(|rest| (true, rest));
    let asked = asked.or_else(|| line.strip_prefix("why ").map(|rest| (false, rest)));
    let answer = match asked {
        Some((true, rest)) => game.session.why_not("gm", rest),
        Some((false, rest)) => game.session.why("gm", rest),
        None => {
            let _ = match line {
                "undo" => game.session.undo("gm"),
                line => game.line(line),
            };
            return String::new();
        }
    };
    match answer {
        Ok(document) => plain(&document).trim_end().to_owned() + "\n",
        Err(refusal) => format!(
            "{}: {}\n{}\n",
            refusal.code,
            refusal.message,
            refusal.hints.join("\n")
        ),
    }
}

#[test]
fn every_situation_names_the_rule_the_file_and_the_line() {
    let home = home();
    let mut game = Game::of(&home);
    let mut actual = String::new();
    for line in SITUATIONS.lines() {
        if let Some(line) = line.strip_prefix("> ") {
            actual.push_str(&format!("> {line}\n{}", answer(&mut game, line)));
        } else if let Some((file, change)) = line
            .strip_prefix("! ")
            .and_then(|rest| rest.split_once(": "))
        {
            let (old, new) = change.split_once(" => ").unwrap();
            home.edit(file, old, new);
            game.session.reload(Compiled::default());
            actual.push_str(&format!("{line}\n"));
        } else if line.starts_with('#')
            || line.is_empty() && actual.ends_with('\n') && !actual.is_empty()
        {
            actual.push_str(&format!("{line}\n"));
        }
    }
    let expected: Vec<&str> = SITUATIONS.lines().filter(|line| !line.is_empty()).collect();
    let actual: Vec<&str> = actual.lines().filter(|line| !line.is_empty()).collect();
    assert!(
        expected == actual,
        "the answers are:\n{}",
        actual.join("\n")
    );
    let asked = expected
        .iter()
        .filter(|line| line.starts_with("> why"))
        .count();
    assert!(asked >= 20, "{asked} situations");
}

#[test]
fn looking_leaves_no_trace_and_dice_are_those_of_then() {
    let mut game = Game::of(&home());
    game.text("lot");
    let (hash, length) = (game.hash(), game.session.history().operations().len());
    for line in [
        "why 2",
        "why ann",
        "why ann.won",
        "why not lot",
        "why not crash",
        "why not kind",
    ] {
        let first = answer(&mut game, line);
        assert_eq!(first, answer(&mut game, line), "{line}");
    }
    assert_eq!(
        (game.hash(), game.session.history().operations().len()),
        (hash, length)
    );
    let input = game.session.history().operation(2).unwrap().inputs[0].clone();
    let address = input.get("address").to_string();
    assert!(answer(&mut game, "why 2").contains(&address));
    assert!(!answer(&mut game, "why not lot").contains(&format!("({address} ")));
}

#[test]
fn typed_dice_are_the_same_when_an_operation_is_explained() {
    let mut game = Game::of(&home());
    let dice = [
        host::game::HandDie {
            face: 2,
            sides: None,
        },
        host::game::HandDie {
            face: 1,
            sides: None,
        },
    ];
    game.session.host_ruling("gm", "dice next 2 1", |state| {
        host::game::keep_hand_dice(state, &dice).map_err(|error| error.to_diagnostic())?;
        Ok(Vec::new())
    });
    game.text("charm ann with gloom");
    let said = answer(&mut game, "why 3");
    assert!(
        said.contains("rolled 1d4: 2") && !said.contains("something else"),
        "{said}"
    );
}

/// What Ann does in a game.
const DONE: [&str; 5] = [
    "charm ann with gloom",
    "peek",
    "charm bo with cheer",
    "test",
    "charm nobody with cheer",
];

/// What Ann looks at.
const LOOKED: [&str; 5] = ["show", "show ann", "show bo", "mood bo", "show shade#3"];

/// Everything that Ann can get to see of a game, and what the host answers to these lines.
fn views(game: &mut Game, lines: &[&str]) -> String {
    let viewer = Viewer::seat("Ann", []);
    let mut seen = String::new();
    let mut add = |reply: &Reply| {
        for document in reply
            .documents
            .iter()
            .filter_map(|one| for_viewer(one, &viewer))
        {
            seen.push_str(&format!("{}{}", plain(&document), json(&document, None)));
        }
        seen.push_str(
            &reply
                .refusal
                .as_ref()
                .map_or_else(String::new, |one| format!("{one:?}")),
        );
    };
    for line in lines {
        add(&game.session.submit("Ann", line));
    }
    for text in [
        "ann", "bo", "ann.mood", "bo.mood", "bo.luck", "ann.luck", "ann.fate", "shade#2",
        "shade#4", "charm#1", "charm#3", "charm#4", "nobody", "1", "2", "3", "4", "99",
    ] {
        add(&match game.session.why("Ann", text) {
            Ok(document) => Reply::document(document),
            Err(refusal) => Reply::refused(*refusal),
        });
    }
    for text in ["test", "peek", "bo.fate", "ann.mood", "veil 3"] {
        add(&match game.session.why_not("Ann", text) {
            Ok(document) => Reply::document(document),
            Err(refusal) => Reply::refused(*refusal),
        });
    }
    for entry in game.session.entries(&viewer) {
        let command = if entry.is_own {
            &*entry.operation.command
        } else {
            ""
        };
        seen.push_str(&format!(
            "{} {command} {:?}\n",
            entry.number, entry.documents
        ));
    }
    seen
}

#[test]
fn a_seat_learns_what_it_may_and_no_more() {
    let mut game = Game::of(&home());
    game.line("veil 7");
    let seen = views(&mut game, &DONE) + &views(&mut game, &LOOKED);
    for known in [
        "You see nothing.",
        "The wind turns.",
        "mini/closed",
        "ann.luck shows 0",
        "bo.luck is not yours to know",
    ] {
        assert!(seen.contains(known), "{known} is missing in:\n{seen}");
    }
    for secret in [
        "fate 7",
        "depth",
        "luck 7",
        "ann peeks",
        "1d20",
        "ann.fate shows",
    ] {
        assert!(!seen.contains(secret), "{secret} is in:\n{seen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn games_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(
        one in 0_u32..100,
        other in 0_u32..100,
        later in 0_usize..3,
    ) {
        let home = home();
        let play = |number: u32, times: usize| {
            let mut game = Game::of(&home);
            game.line(&format!("veil {number}"));
            let mut seen = views(&mut game, &DONE);
            for _ in 0..times {
                game.line("hum");
            }
            seen.push_str(&views(&mut game, &LOOKED));
            seen
        };
        prop_assert_eq!(play(one, 0), play(other, later));
    }
}
