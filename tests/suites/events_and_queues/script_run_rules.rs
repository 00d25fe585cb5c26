//! Tests rules that scripts read and run themselves: each runs above a savepoint.

use arbiter_tests::Game;
use host::game;

use super::home_with_events;

/// Returns a game with a command that runs three rules; the second one breaks on its fourth line.
fn game_running_three_rules() -> Game {
    let home = home_with_events();
    home.whim(
        "sad",
        "greet = function(act, event, self, bearer) act:set(bearer, 'note', 'greeted') end",
    );
    home.command(
        "go",
        "local done = {}
         local function rule(n, what)
           local ok, given = act:run_rule('deeds/go:' .. n, 'ann', 'rule ' .. n .. ' of Ann', what)
           table.insert(done, if ok then tostring(given) else 'skipped')
         end
         rule(1, function() act:add('ann', 'mood', 1) return act:roll('1d1', 'one') end)
         rule(2, function()
           act:add('ann', 'mood', 5)
           act:say('public', 'it begins')
           error('no idea')
         end)
         rule(3, function() act:add('ann', 'mood', 2) end)
         return table.concat(done, ', ') .. ': ' .. act:get('ann', 'mood')",
    );
    Game::of(&home)
}

fn open_question_texts(game: &Game) -> Vec<String> {
    let open = game::open_questions(game.solo.timeline()).into_iter();
    open.map(|one| one.question.text.replace('\n', " "))
        .collect()
}

fn answer_as_gm(game: &mut Game, answer: &str) -> game::Reply {
    let line = format!("answer {answer}");
    game.solo.run_as_line(("gm", &line), |timeline, ruling| {
        game::take_typed_answer(timeline, ruling, answer)
    })
}

#[test]
fn the_game_goes_on_without_a_rule_that_breaks() {
    let mut game = game_running_three_rules();
    let before = game.hash();
    game.line("go");
    let text = "the rule deeds/go:2 (rule 2 of Ann) breaks at scripts/mini/commands/go.luau";
    let all = open_question_texts(&game);
    assert!(all.len() == 1 && all[0].starts_with(text), "{all:?}");
    assert!(
        all[0].contains(": no idea. Go on without it (skip)"),
        "{all:?}"
    );
    let said = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = said.documents.iter().map(host::doc::plain).collect();
    assert_eq!(told, ["1, skipped, nil: 7"], "what it did and said is gone");
    game.assert_replays_same();
    game.undo();
    game.undo();
    assert_eq!(game.hash(), before);
    game.redo();
    game.redo();
    assert_eq!(game.text("mood ann"), "Ann feels 7.");
}

#[test]
fn the_command_ends_with_a_rule_that_breaks() {
    let mut game = game_running_three_rules();
    let before = game.hash();
    game.line("go");
    assert_eq!(
        answer_as_gm(&mut game, "stop").refusal.unwrap().message,
        "no idea"
    );
    assert_eq!(game.hash(), before);
    assert_eq!(open_question_texts(&game), [""; 0]);
    game.assert_replays_same();
}

#[test]
fn where_nobody_is_there_the_whole_command_is_refused() {
    let mut game = game_running_three_rules();
    game.solo.session.responders_mut().attended = false;
    let before = game.hash();
    let refusal = game.refusal("go");
    let place = refusal.place.as_ref().unwrap();
    assert_eq!(place.source.name(), "scripts/mini/commands/go.luau");
    assert!(
        refusal
            .hints
            .iter()
            .any(|hint| hint.contains("rule 2 of Ann (of ann)")),
        "{:?}",
        refusal.hints
    );
    assert_eq!(game.hash(), before);
}

#[test]
fn of_rules_inside_each_other_the_innermost_is_left_out() {
    let home = home_with_events();
    home.custom(
        "porch",
        "bell = function(act) act:set('bo', 'note', 'rung') end",
    );
    home.command(
        "go",
        "local function inner()
           act:set('bo', 'mood', 1)
           act:emit('bell')
           error('inside')
         end
         local function outer()
           act:set('ann', 'mood', 1)
           local ok = act:run_rule('deeds/in:1', nil, 'the inner one', inner)
           act:emit('bell')
           return ok
         end
         local ok, inside = act:run_rule('deeds/out:1', nil, 'the outer one', outer)
         return `{ok} {inside} {act:get('ann', 'mood')} {act:get('bo', 'mood')} {act:get('bo', 'note')}`",
    );
    let mut game = Game::of(&home);
    let bo = game.text("= act:get('bo', 'mood')");
    game.line("go");
    assert!(
        open_question_texts(&game)[0].starts_with("the rule deeds/in:1 (the inner one) breaks")
    );
    let said = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = said.documents.iter().map(host::doc::plain).collect();
    assert_eq!(told, [format!("true false 1 {bo} rung")]);
    game.assert_replays_same();
}

/// The event that is being emitted when a rule breaks ends; the outer event continues.
#[test]
fn a_rule_that_breaks_inside_of_an_event_leaves_the_events_around_it() {
    let home = home_with_events();
    home.custom("gate", "echo = function(act) error('the gate') end");
    home.custom(
        "porch",
        "bell = function(act)
           act:run_rule('deeds/porch:1', nil, 'the porch', function() act:set('ann', 'mood', 1) act:emit('echo') end)
           act:set('bo', 'note', 'behind')
         end",
    );
    home.custom("yard", "bell = function(act) act:set('bo', 'mood', 7) end");
    home.command(
        "go",
        "act:emit('bell') return `{act:get('ann', 'mood')} {act:get('bo', 'note')} {act:get('bo', 'mood')}`",
    );
    let mut game = Game::of(&home);
    game.line("go");
    // The question about the handler comes first; if it stops, the command stops.
    assert!(
        open_question_texts(&game)[0].starts_with("the rule customs/gate"),
        "{:?}",
        open_question_texts(&game)
    );
    let said = answer_as_gm(&mut game, "skip this rule");
    let told: Vec<String> = said.documents.iter().map(host::doc::plain).collect();
    assert_eq!(told, ["1 behind 7"]);
    game.assert_replays_same();
}

#[test]
fn a_limit_inside_of_a_rule_ends_the_command_with_its_place() {
    let home = home_with_events();
    home.command(
        "go",
        "act:run_rule('deeds/go:1', nil, 'an endless one', function() while true do end end) return 'done'",
    );
    let mut game = Game::of(&home);
    let before = game.hash();
    let refusal = game.refusal("go");
    assert_eq!(refusal.code, "limit/fuel");
    assert_eq!(
        refusal.place.unwrap().source.name(),
        "scripts/mini/commands/go.luau"
    );
    assert_eq!(game.hash(), before);
}

#[test]
fn what_is_no_rule_is_refused_with_what_is_wanted() {
    let home = home_with_events();
    home.command("unnamed", "act:run_rule(nil, nil, 'x', function() end)");
    home.command("idle", "act:run_rule('deeds/go:1', nil, 'x')");
    home.command("mute", "act:run_rule('deeds/go:1', nil, 4, function() end)");
    let mut game = Game::of(&home);
    for line in ["unnamed", "idle", "mute"] {
        let refusal = game.refusal(line);
        assert_eq!(refusal.code, "script/argument", "{line}");
        assert!(
            refusal.message.contains("run_rule"),
            "{line}: {}",
            refusal.message
        );
    }
}
