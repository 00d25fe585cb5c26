//! Tests plans: all steps at once, single steps, failures, and changes between two steps.

use arbiter_tests::{Game, Scratch};
use host::game::{ReloadResult, ReplayComparison};
use host::script::{Compiled, EngineOptions};

/// Returns a home with the plan `dawn`: wake adds to a mood and fills a queue, ring empties it,
/// rest notes the end.
fn home_with_dawn_plan() -> Scratch {
    let home = Scratch::mini();
    home.write("scripts/mini/plans/dawn.luau", DAWN_PLAN);
    home
}

const DAWN_PLAN: &str = "return plan {
  source = \"x\", summary = \"a new day\",
  steps = {
    { name = \"wake\", run = function(act)
      act:add(\"ann\", \"mood\", 1)
      act:enqueue(\"bells\", { who = \"ann\" })
      act:enqueue(\"bells\", { who = \"bo\" })
    end },
    { name = \"ring\", run = function(act)
      act:drain(\"bells\", { one_by_one = true }, function(row)
        act:add(row.who, \"heard\", 1)
      end)
      act:say(\"public\", \"The bells ring.\")
    end },
    { name = \"rest\", run = function(act)
      if act:get(\"ann\", \"deaf\") == true then error(\"nobody rests\") end
      if act:get(\"ann\", \"busy\") == true then return act:fail(\"busy\", \"Ann is busy\") end
      act:set(\"ann\", \"note\", \"rested\")
      return act:done(\"All rest.\")
    end },
  },
}
";

fn mini_game(home: &Scratch) -> Game {
    Game::of_program(home, "mini")
}

#[test]
fn next_runs_all_steps_as_one_operation_and_begins_again_after_it() {
    let mut game = mini_game(&home_with_dawn_plan());
    let before = game.solo.timeline().history().operations().len();
    assert_eq!(game.text("next"), "The bells ring.\nAll rest.");
    assert_eq!(
        game.solo.timeline().history().operations().len(),
        before + 1
    );
    assert_eq!(game.text("mood ann"), "Ann feels 5.");
    assert_eq!(game.text("plan"), "no plan is in progress");
    game.text("next");
    assert_eq!(game.text("mood ann"), "Ann feels 6.");
}

#[test]
fn step_by_step_comes_to_the_same_state_as_next() {
    let home = home_with_dawn_plan();
    let (mut whole, mut single) = (mini_game(&home), mini_game(&home));
    whole.text("next");
    let counted = single.solo.timeline().history().operations().len();
    assert_eq!(single.text("step"), "");
    assert_eq!(single.text("step"), "The bells ring.");
    assert_eq!(single.text("step"), "All rest.");
    assert_eq!(
        single.solo.timeline().history().operations().len(),
        counted + 3
    );
    assert_eq!(single.hash(), whole.hash());
    let mut mixed = mini_game(&home);
    mixed.text("step");
    mixed.text("next");
    assert_eq!(mixed.hash(), whole.hash());
}

#[test]
fn the_plan_and_the_queues_are_shown_and_edited_between_steps() {
    let mut game = mini_game(&home_with_dawn_plan());
    game.text("step");
    let shown = game.text("plan");
    assert_eq!(
        shown,
        "step  dawn  state\n\
         ────  ────  ─────\n   \
            1  wake  done\n   \
            2  ring  next\n   \
            3  rest\n\n\
         - in the queue bells: bells#1, bells#2"
    );
    let reply = game.solo.submit("Ann", "plan");
    assert_eq!(reply.refusal.unwrap().code, "host/gm-only");
    assert!(game.text("show record bells#1").contains("who:  ann"));
    game.text("set record bells#1 who bo");
    game.text("remove record bells#2");
    game.text("next");
    assert_eq!(game.text("= act:get('bo', 'heard')"), "1");
    assert_eq!(game.text("= act:get('ann', 'heard')"), "nil");
}

#[test]
fn of_next_nothing_is_kept_when_a_step_fails_and_of_step_the_earlier_ones() {
    let mut game = mini_game(&home_with_dawn_plan());
    game.text("set ann deaf true");
    let before = game.hash();
    let refusal = game.refusal("next");
    assert_eq!(refusal.message, "nobody rests");
    let place = refusal.place.as_ref().unwrap();
    assert_eq!(place.source.name(), "scripts/mini/plans/dawn.luau");
    assert_eq!(place.source.position(place.span.start).line, 16);
    let hint =
        "this was step 3 of 3, \"rest\", of the plan \"dawn\": scripts/mini/plans/dawn.luau:15";
    assert!(
        refusal.hints.iter().any(|one| one == hint),
        "{:?}",
        refusal.hints
    );
    assert_eq!(game.hash(), before);
    game.text("step");
    game.text("step");
    let kept = game.hash();
    assert_eq!(game.refusal("step").message, "nobody rests");
    assert_eq!(game.hash(), kept);
    game.text("set ann deaf false");
    assert_eq!(game.text("step"), "All rest.");
}

#[test]
fn the_refusal_of_a_step_names_it() {
    let mut game = mini_game(&home_with_dawn_plan());
    game.text("set ann busy true");
    let refusal = game.refusal("next");
    assert_eq!(
        (&*refusal.code, refusal.message.as_str()),
        ("mini/busy", "Ann is busy")
    );
    assert!(
        refusal.hints[0].contains("\"rest\", of the plan \"dawn\""),
        "{:?}",
        refusal.hints
    );
    assert_eq!(game.text("plan"), "no plan is in progress");
}

#[test]
fn undo_and_redo_walk_through_steps() {
    let mut game = mini_game(&home_with_dawn_plan());
    let mut hashes = vec![game.hash()];
    for _ in 0..3 {
        game.text("step");
        hashes.push(game.hash());
    }
    for at in (0..3).rev() {
        game.undo();
        assert_eq!(game.hash(), hashes[at]);
    }
    for hash in &hashes[1..] {
        game.redo();
        assert_eq!(game.hash(), *hash);
    }
    game.undo();
    assert_eq!(game.text("step"), "All rest.");
}

fn reload_rules(game: &mut Game) {
    let reloaded = game.solo.session.reload(Compiled::default());
    assert!(
        matches!(reloaded, ReloadResult::Swapped { .. }),
        "{reloaded:?}"
    );
}

#[test]
fn a_reload_keeps_the_place_by_the_name_of_the_step() {
    let home = home_with_dawn_plan();
    let mut game = mini_game(&home);
    game.text("step");
    let first = "    { name = \"yawn\", run = function(act) act:set(\"ann\", \"note\", \"yawned\") end },\n";
    home.edit(
        "scripts/mini/plans/dawn.luau",
        "  steps = {\n",
        &format!("  steps = {{\n{first}"),
    );
    reload_rules(&mut game);
    assert!(
        game.text("plan").contains("yawn  done"),
        "{}",
        game.text("plan")
    );
    assert_eq!(game.text("step"), "The bells ring.");
    assert_eq!(game.text("step"), "All rest.");
}

#[test]
fn a_step_that_vanished_leaves_restart_and_drop() {
    let home = home_with_dawn_plan();
    let mut game = mini_game(&home);
    game.text("step");
    home.edit("scripts/mini/plans/dawn.luau", "\"ring\"", "\"rings\"");
    reload_rules(&mut game);
    for line in ["next", "step"] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, "plan/no-step");
        assert_eq!(
            refusal.message,
            "the plan \"dawn\" no longer has its next step \"ring\""
        );
        assert!(
            refusal.hints.iter().any(|hint| hint.contains("rings")),
            "{:?}",
            refusal.hints
        );
        assert!(
            refusal
                .hints
                .iter()
                .any(|hint| hint.contains("plan restart")),
            "{:?}",
            refusal.hints
        );
    }
    assert_eq!(game.text("plan restart"), "plan dawn: next is wake");
    game.text("step");
    assert_eq!(game.text("mood ann"), "Ann feels 6.");
    assert_eq!(game.text("plan drop"), "no plan is in progress");
    assert_eq!(game.refusal("plan drop").code, "plan/none");
    game.undo();
    home.remove("scripts/mini/plans/dawn.luau");
    reload_rules(&mut game);
    assert_eq!(game.refusal("next").code, "plan/unknown");
    assert_eq!(game.text("plan drop"), "no plan is in progress");
}

#[test]
fn auto_show_tells_the_game_master_what_each_step_changed() {
    let mut game = mini_game(&home_with_dawn_plan());
    assert_eq!(
        game.text("plan mode"),
        "plans run and show only the messages of the rules"
    );
    game.text("plan mode show");
    let said = game.text("next");
    let lines: Vec<&str> = said.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(
        lines,
        [
            "step 1 of 3, wake: Ann mood 4 -> 5, bells#1 new, bells#2 new",
            "step 2 of 3, ring: Ann heard nil -> 1, bells#1 gone, bells#2 gone, Bo heard nil -> 1",
            "The bells ring.",
            "step 3 of 3, rest: Ann note nil -> rested",
            "All rest.",
        ]
    );
    let last = game.last_operation();
    let secret = last.documents[0].get("audience").to_string();
    assert_eq!(secret, "gm");
    game.text("plan mode run");
    assert_eq!(game.text("next"), "The bells ring.\nAll rest.");
}

#[test]
fn steps_are_causes() {
    let mut game = mini_game(&home_with_dawn_plan());
    game.text("next");
    let last = game.last_operation();
    let told = |cause: &host::value::Value| {
        let text = |key: &str| cause.get(key).to_string();
        format!(
            "{} {} {} {}",
            text("n"),
            text("parent"),
            text("step"),
            text("queue")
        )
    };
    let causes: Vec<String> = last.causes.iter().map(told).collect();
    assert_eq!(
        causes,
        [
            "0 0 nil nil",
            "1 0 wake nil",
            "2 0 ring nil",
            "3 2 nil bells",
            "4 2 nil bells",
            "5 0 rest nil"
        ]
    );
    assert_eq!(last.causes[0].get("rule").to_string(), "plans/dawn");
}

#[test]
fn each_step_has_the_fuel_of_a_callback() {
    let home = Scratch::mini();
    let steps: Vec<String> = (0..4)
        .map(|n| {
            format!("{{ name = \"s{n}\", run = function(act) for _ = 1, 1_000_000 do end end }}")
        })
        .collect();
    let plan = |steps: &str| {
        format!("return plan {{ source = \"x\", summary = \"x\", steps = {{ {steps} }} }}")
    };
    home.write("scripts/mini/plans/work.luau", plan(&steps.join(", ")));
    mini_game(&home).text("next");
    let endless = "{ name = \"on\", run = function(act) while true do end end }";
    home.write("scripts/mini/plans/work.luau", plan(endless));
    let refusal = mini_game(&home).refusal("next");
    assert!(refusal.code.starts_with("limit/"), "{}", refusal.code);
    assert!(
        refusal.hints.iter().any(|hint| hint.contains("\"on\"")),
        "{:?}",
        refusal.hints
    );
}

#[test]
fn a_ruleset_may_choose_the_plan_and_several_need_a_choice() {
    let home = home_with_dawn_plan();
    home.write(
        "scripts/mini/plans/dusk.luau",
        "return plan { source = \"x\", summary = \"x\", steps = { { name = \"sleep\", run = function(act) return act:done(\"Night.\") end } } }",
    );
    let mut open = mini_game(&home);
    let refusal = open.refusal("next");
    assert_eq!(refusal.code, "plan/which");
    assert_eq!(
        refusal.hints,
        ["start one of them: plan begin dawn, plan begin dusk"]
    );
    assert_eq!(open.text("plan begin dusk"), "plan dusk: next is sleep");
    assert_eq!(open.refusal("plan begin dawn").code, "plan/in-progress");
    assert_eq!(open.text("next"), "Night.");
    assert_eq!(open.refusal("plan begin dusks").code, "plan/unknown");
    home.edit(
        "scripts/mini/ruleset.luau",
        "  types = {",
        "  plan = function(act) return if act:get(\"ann\", \"mood\") > 4 then \"dusk\" else \"dawn\" end,\n  types = {",
    );
    let mut chosen = mini_game(&home);
    assert_eq!(chosen.text("next"), "The bells ring.\nAll rest.");
    assert_eq!(chosen.text("next"), "Night.");
}

#[test]
fn without_plans_and_phases_nothing_comes_next() {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/ruleset.luau",
        "return ruleset { source = \"x\", name = \"Mini\", summary = \"nothing\" }",
    );
    let mut game = mini_game(&home);
    for line in ["next", "step"] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, "plan/nothing");
        assert!(
            refusal.hints[0].contains("ruleset.luau"),
            "{:?}",
            refusal.hints
        );
    }
    let reply = game.solo.submit("Ann", "next");
    assert_eq!(reply.refusal.unwrap().code, "host/gm-only");
}

#[test]
fn steps_of_one_name_and_no_steps_are_findings() {
    let home = home_with_dawn_plan();
    home.edit("scripts/mini/plans/dawn.luau", "\"ring\"", "\"wake\"");
    home.write(
        "scripts/mini/plans/empty.luau",
        "return plan { source = \"x\", summary = \"x\", steps = {} }",
    );
    let options = EngineOptions::default();
    let game = Game::mini_with_engine(&home, options);
    let found = game.findings();
    assert!(
        found.contains("the plan \"dawn\" has two steps \"wake\""),
        "{found}"
    );
    assert!(found.contains("the plan \"empty\" has no steps"), "{found}");
}

#[test]
fn auto_ask_asks_before_each_step_of_next() {
    let mut game = mini_game(&home_with_dawn_plan());
    game.text("plan mode ask");
    let before = game.hash();
    let asked = game.text("next");
    assert!(
        asked.contains("dawn, step 1 of 3: wake? (run or skip or stop, else run)"),
        "{asked}"
    );
    assert!(game.text("answer run").contains("step 2 of 3: ring?"));
    assert_eq!(
        game.text("mood ann"),
        "Ann feels 4.",
        "nothing is kept while it waits"
    );
    assert!(game.text("answer skip").contains("step 3 of 3: rest?"));
    assert_eq!(game.text("answer stop"), "");
    assert_eq!(game.text("mood ann"), "Ann feels 5.");
    let shown = game.text("plan");
    assert!(
        shown.contains("ring  skipped") && shown.contains("rest  next"),
        "{shown}"
    );
    assert!(shown.contains("bells#1, bells#2"), "{shown}");
    let stopped = game.hash();
    assert_eq!(game.text("step"), "All rest.", "who says step is not asked");
    for _ in 0..2 {
        game.undo();
    }
    game.text("answer run");
    assert_eq!(game.text("mood ann"), "Ann feels 5.");
    for _ in 0..4 {
        game.undo();
    }
    assert_eq!(game.hash(), before);
    for _ in 0..4 {
        game.redo();
    }
    assert_ne!(game.hash(), stopped);
}

#[test]
fn asked_of_each_step_and_run_comes_to_what_next_alone_does() {
    let home = home_with_dawn_plan();
    let (mut asked, mut whole) = (mini_game(&home), mini_game(&home));
    asked.text("plan mode ask");
    asked.text("next");
    for _ in 0..3 {
        asked.text("answer run");
    }
    asked.text("plan mode run");
    whole.text("next");
    assert_eq!(asked.hash(), whole.hash());
}

#[test]
fn a_plan_that_moved_while_next_waits_makes_it_stale() {
    let mut game = mini_game(&home_with_dawn_plan());
    game.text("plan mode ask");
    game.text("next");
    game.text("answer run");
    game.text("step");
    let refusal = game.refusal("answer run");
    assert!(refusal.code.starts_with("ask/"), "{}", refusal.code);
    assert!(
        refusal.hints.iter().any(|hint| hint.contains("drop")),
        "{:?}",
        refusal.hints
    );
}

/// A question that appears or disappears while a ruling waits makes the ruling stale.
#[test]
fn another_automation_while_next_waits_makes_it_stale() {
    for (level, answered) in [("run", 0), ("show", 0), ("run", 1), ("show", 2)] {
        let mut game = mini_game(&home_with_dawn_plan());
        game.text("plan mode ask");
        game.text("next");
        for _ in 0..answered {
            game.text("answer run");
        }
        game.text(&format!("plan mode {level}"));
        let before = game.hash();
        let refusal = game.refusal("answer run");
        assert_eq!(refusal.code, "ask/stale", "{level} {answered}");
        assert!(
            refusal.message.contains("step/dawn/"),
            "{}",
            refusal.message
        );
        assert_eq!(game.hash(), before, "nothing is done");
        game.text("plan mode ask");
        assert!(game.line("answer run").refusal.is_none(), "as it began");
    }
    let home = home_with_dawn_plan();
    home.edit(
        "scripts/mini/plans/dawn.luau",
        "act:set(\"ann\", \"note\", \"rested\")",
        "act:set(\"ann\", \"note\", act:ask { to = \"gm\", key = \"how\", options = { \"well\", \"ill\" }, text = \"How?\" })",
    );
    let mut game = mini_game(&home);
    game.text("next");
    game.text("plan mode ask");
    assert_eq!(game.refusal("answer ill").code, "ask/stale");
    let slot = game.solo.timeline().history().next_ruling_number() - 2;
    let asked = game.text(&format!("restart {slot}"));
    assert!(asked.contains("step 1 of 3"), "{asked}");
}

#[test]
fn a_question_of_a_step_makes_next_wait() {
    let home = home_with_dawn_plan();
    home.edit(
        "scripts/mini/plans/dawn.luau",
        "act:set(\"ann\", \"note\", \"rested\")",
        "act:set(\"ann\", \"note\", act:ask { to = \"gm\", key = \"how\", options = { \"well\", \"ill\" }, text = \"How?\" })",
    );
    let (mut whole, mut single) = (mini_game(&home), mini_game(&home));
    assert!(whole.text("next").contains("How?"));
    assert_eq!(whole.text("mood ann"), "Ann feels 4.");
    assert_eq!(whole.text("answer ill"), "The bells ring.\nAll rest.");
    for _ in 0..3 {
        single.line("step");
    }
    assert_eq!(single.text("answer ill"), "All rest.");
    assert_eq!(single.hash(), whole.hash());
}

/// Returns a home with the phases morning, noon and evening.
fn home_with_day_phases() -> Scratch {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/ruleset.luau",
        "return ruleset { source = \"x\", name = \"Mini\", summary = \"phases\",
           clock = { phases = { \"morning\", \"noon\", \"evening\" } },
           setup = function(act) act:create(\"person\", { mood = 1 }, \"ann\") end }",
    );
    home
}

/// Writes a plan with these steps, each with a name and a function body.
fn write_plan(home: &Scratch, name: &str, when: &str, steps: &[(&str, &str)]) {
    let steps: Vec<String> = steps
        .iter()
        .map(|(name, body)| format!("{{ name = \"{name}\", run = function(act) {body} end }}"))
        .collect();
    let text = format!(
        "return plan {{ source = \"x\", summary = \"x\", when = {when}, steps = {{ {} }} }}",
        steps.join(", ")
    );
    home.write(&format!("scripts/mini/plans/{name}.luau"), text);
}

#[test]
fn next_runs_the_plan_of_the_phase_and_moves_the_clock_where_there_is_none() {
    let home = home_with_day_phases();
    let say = |text: &str| format!("act:say(\"public\", \"{text}\")");
    write_plan(
        &home,
        "lunch",
        "{ from = \"noon\", to = \"evening\" }",
        &[("cook", &say("cooked")), ("eat", &say("eaten"))],
    );
    write_plan(
        &home,
        "fast",
        "{ from = \"evening\", to = \"noon\" }",
        &[("go", "act:next_phase(\"noon\")"), ("rest", &say("rested"))],
    );
    let mut game = mini_game(&home);
    let mut said: Vec<String> = Vec::new();
    for _ in 0..4 {
        let text = game.text("next");
        said.push(format!("{text} | {}", game.text("clock")));
    }
    assert_eq!(
        said,
        [
            "noon 1 | noon 1, time 0s",
            "cooked\neaten | evening 1, time 0s",
            "rested | noon 2, time 0s",
            "cooked\neaten | evening 2, time 0s",
        ]
    );
    game.undo();
    game.text("step");
    assert_eq!(game.text("clock"), "noon 2, time 0s");
    game.text("step");
    assert_eq!(game.text("clock"), "evening 2, time 0s");
}

#[test]
fn among_several_plans_the_nearest_to_the_phase_begins() {
    let home = home_with_day_phases();
    let word = |word: &'static str| [("say", word)];
    write_plan(&home, "any", "nil", &word("act:say(\"public\", \"any\")"));
    write_plan(
        &home,
        "late",
        "{ from = \"morning\", to = \"evening\" }",
        &word("act:say(\"public\", \"late\")"),
    );
    let mut near = mini_game(&home);
    assert_eq!(near.text("next"), "late");
    assert_eq!(near.text("next"), "any", "evening has none of its own");
    write_plan(
        &home,
        "soon",
        "{ from = \"morning\", to = \"noon\" }",
        &word("act:say(\"public\", \"soon\")"),
    );
    assert_eq!(mini_game(&home).text("next"), "soon");
    write_plan(
        &home,
        "also",
        "{ from = \"morning\", to = \"noon\" }",
        &word("act:say(\"public\", \"also\")"),
    );
    assert_eq!(
        mini_game(&home).refusal("next").hints,
        ["start one of them: plan begin also, plan begin soon"]
    );
}

#[test]
fn a_phase_that_is_not_declared_is_a_finding() {
    let home = home_with_day_phases();
    write_plan(&home, "lunch", "{ from = \"nooon\" }", &[("eat", "")]);
    let found = Game::of(&home).findings();
    assert!(
        found.contains("there is no phase \"nooon\"") && found.contains("plans/lunch.luau"),
        "{found}"
    );
}

#[test]
fn next_does_not_pass_over_a_plan_whose_file_has_a_mistake() {
    let home = home_with_day_phases();
    write_plan(&home, "lunch", "{ from = \"nooon\" }", &[("eat", "")]);
    let mut game = mini_game(&home);
    for line in ["next", "step"] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, "plan/broken");
        assert_eq!(
            refusal.message,
            "scripts/mini/plans/lunch.luau has an error in line 1: there is no phase \"nooon\""
        );
        let way_on = format!("`{line} anyway` moves on without it");
        assert_eq!(refusal.hints.last(), Some(&way_on));
    }
    assert_eq!(game.text("next anyway"), "noon 1");
    let last = game.last_operation().seq;
    assert_eq!(game.solo.verify_operation(last), ReplayComparison::Same);
    home.edit("scripts/mini/plans/lunch.luau", "nooon", "noon");
    home.edit("scripts/mini/plans/lunch.luau", "run =", "rum =");
    let mut game = Game::of_program(&home, "mini");
    assert_eq!(game.refusal("next").code, "plan/broken");
    assert_eq!(game.text("step anyway"), "noon 1");
    home.edit("scripts/mini/plans/lunch.luau", "rum =", "run =");
    let mut game = Game::of_program(&home, "mini");
    assert_eq!(game.text("next"), "noon 1");
    game.text("next");
    let last = game.last_operation();
    assert_eq!(last.causes[0].get("rule").as_str(), Some("plans/lunch"));
}

#[test]
fn each_step_settles_before_the_next_one() {
    let home = home_with_day_phases();
    write_plan(
        &home,
        "day",
        "{ from = \"morning\" }",
        &[
            (
                "begin",
                "act:attach(\"ann\", \"calm\", {}, { duration = { when = \"self.mood, 1, >\" } }) act:set(\"ann\", \"mood\", 2)",
            ),
            (
                "look",
                "act:say(\"public\", `{#act:find { kind = \"calm\" }} calm`)",
            ),
        ],
    );
    assert_eq!(mini_game(&home).text("next"), "0 calm");
}

#[test]
fn a_phase_that_is_unknown_is_shown_where_the_plan_names_it() {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/plans/dawn.luau",
        "-- Dawn.\nreturn plan {\n  source = 'x', summary = 'x',\n  when = { from = 'nihgt', to = 'day' },\n  steps = { { name = 'ring', run = function() end } },\n}\n",
    );
    let game = Game::mini_with_engine(&home, EngineOptions::default());
    let findings = game.solo.session.generations().live().findings();
    let found = findings
        .iter()
        .find(|one| one.code == "clock/unknown-phase");
    let place = found.and_then(|one| one.place.as_ref()).unwrap();
    assert_eq!(place.source.position(place.span.start).line, 4);
    assert_eq!(place.source.slice(place.span), "'nihgt'");
}
