//! Tests end conditions with tests: expressions of the host, and texts in the ruleset's own
//! language.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::doc::{Audience, plain};
use host::game::{ReloadResult, ReplayComparison};
use host::script::Compiled;

/// The test function of this ruleset; some of its texts break.
const TEST_LANGUAGE: &str = "expressions = { test = function(act, text, bound, record, event)
      if text == 'moody' then return act:get(bound.who, 'mood') >= bound.least end
      if text == 'loud' then return event.volume >= bound.least end
      if text == 'of its own' then return record == bound.record and act:row(record).owner == bound.owner end
      if text == 'bare' then return event.call == nil and event.list[2] == 'bo' and event.volume == 3 end
      if text == 'alone' then return event == nil end
      if text == '' then return #bound == 0 end
      if text == 'counted' then require('pipeline/counted').add() return false end
      if text == 'writes' then act:set('ann', 'mood', 1) end
      if text == 'draws' then return act:roll('1d6') > 0 end
      if text == 'tells' then act:emit('bell') end
      if text == 'shapes' then event.volume = 9 end
      if text == 'shapes inside' then table.insert(event.list, 'cy') end
      if text == 'says' then return 'yes' end
      if text == 'runs on' then while true do end end
      if text == 'says nothing' then return end
      return error(`no word {text}`)
    end },
  types = {";

const COUNTING_MODULE: &str = "local times = 0
return { add = function() times += 1 end, times = function() return times end }";

fn home_with_test_language() -> Scratch {
    let home = super::home_with_events();
    home.edit("scripts/mini/ruleset.luau", "  types = {", TEST_LANGUAGE);
    home.write("scripts/mini/pipeline/counted.luau", COUNTING_MODULE);
    home
}

/// Evaluates Luau that returns a text; changes are taken back.
fn evaluate_luau_text(game: &mut Game, code: &str) -> String {
    let answer = game.text(&format!("= (function() {code} end)()"));
    answer.trim_end().to_owned()
}

#[test]
fn an_event_ends_what_looks_at_it_and_asks_of_it() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_test_language());
        let bell =
            "act:emit('bell', { who = 'bo', list = { 'ann', 'bo' }, volume = 3, call = print })";
        for (rest, deed, left) in [
            ("where = { ['list.2'] = 'bo' }", bell, 0),
            ("where = { ['list.1'] = 'bo' }", bell, 1),
            ("where = { ['list.1'] = '@bearer' }", bell, 0),
            ("where = { ['list.2'] = '@bearer' }", bell, 1),
            ("where = { who = { one_of = { 'bo', 'cy' } } }", bell, 0),
            ("where = { who = { one_of = { 'ann', 'cy' } } }", bell, 1),
            ("where = { who = { other_than = 'ann' } }", bell, 0),
            ("where = { who = { other_than = 'bo' } }", bell, 1),
            ("where = { whom = { other_than = 'bo' } }", bell, 0),
            // An expression of the host.
            ("test = '(self.mood, 4, ==)'", bell, 0),
            ("test = '(self.mood, 5, ==)'", bell, 1),
            ("test = '(record.depth, owner.mood, <)'", bell, 0),
            (
                "where = { who = 'ann' }, test = '(self.mood, 4, ==)'",
                bell,
                1,
            ),
            // Texts of the ruleset.
            ("test = 'loud', bound = { least = 3 }", bell, 0),
            ("test = 'loud', bound = { least = 4 }", bell, 1),
            (
                "where = { who = 'ann' }, test = 'loud', bound = { least = 3 }",
                bell,
                1,
            ),
            (
                "test = 'moody', bound = { who = 'ann', least = 3 }",
                bell,
                0,
            ),
            (
                "test = 'of its own', bound = { record = 'mark#1', owner = 'ann' }",
                bell,
                0,
            ),
            ("test = 'bare', bound = {}", bell, 0),
            ("test = '', bound = {}", bell, 0),
            ("test = '', bound = { 1 }", bell, 1),
            // Without a test function nothing is evaluated.
            ("bound = { least = 9 }", bell, 0),
            ("where = { who = 'ann' }, bound = { least = 9 }", bell, 1),
            ("test = 'no such word', bound = {}", "act:emit('greet')", 1),
        ] {
            let code = format!(
                "act:attach('ann', 'mark', {{ depth = 1 }}, {{ duration = {{ event = 'bell', {rest} }} }}); {deed}; \
                 return #act:find({{ kind = 'mark' }})"
            );
            assert_eq!(
                evaluate_luau_text(&mut game, &code),
                left.to_string(),
                "{rest}"
            );
        }
    });
}

#[test]
fn a_text_that_turns_true_ends_its_record_and_is_told_like_an_expression() {
    on_game_thread(|| {
        let home = home_with_test_language();
        home.custom(
            "notes",
            "ended = function(act, event) act:say('gm', `{event.kind} of {event.owner}: {event.how}, {event.reason}`) end",
        );
        home.command(
            "go",
            "act:attach('ann', 'mark', {}, { duration = { when = 'moody', bound = { who = 'bo', least = 5 } } })
             act:attach('ann', 'other', {}, { duration = { { event = 'bell', test = 'loud', bound = { least = 2 } }, { with = 'mark#1' } } })
             act:emit('bell', { volume = 1 })
             act:attach('bo', 'third', {}, { duration = { event = 'bell', test = 'loud', bound = { least = 1 } } })
             act:emit('bell', { volume = 1 })",
        );
        home.command("rise", "act:set('bo', 'mood', 5)");
        let mut game = Game::of(&home);
        assert_eq!(game.text("go").trim_end(), "third of bo: event, event bell");
        let before = game.hash();
        let told = game.text("rise");
        let told: Vec<&str> = told.trim_end().lines().collect();
        let expected = [
            "mark of ann: when, \"moody\" turned true",
            "other of ann: with, ended with mark#1",
        ];
        assert_eq!(told, expected);
        let after = game.hash();
        let last = game.last_operation().seq;
        assert_eq!(game.solo.verify_operation(last), ReplayComparison::Same);
        game.undo();
        assert_eq!(game.hash(), before);
        game.redo();
        assert_eq!(game.hash(), after);
        game.assert_replays_same();
    });
}

/// A test cannot write. A test that breaks disables only its own end condition.
#[test]
fn an_end_whose_test_goes_wrong_sleeps_and_the_game_master_is_told_of_its_record() {
    let home = home_with_test_language();
    home.command(
        "ring",
        "act:emit('bell', { volume = 3, list = { 'ann', 'bo' } }) return 'rung'",
    );
    home.command("stop", "act:detach('mark#1')");
    let wrong = "`expressions.test` returns true or false, not";
    let cases = [
        ("gone", "no word gone"),
        (
            "writes",
            "an expression is read-only: it cannot change the game",
        ),
        ("draws", "an expression is read-only: it cannot roll dice"),
        ("tells", "an expression is read-only: it cannot emit events"),
        ("shapes", "attempt to modify a readonly table"),
        ("shapes inside", "attempt to modify a readonly table"),
        ("says", &format!("{wrong} a text")),
        ("says nothing", &format!("{wrong} nothing")),
    ];
    for (text, why) in cases {
        home.command(
            "bear",
            &format!(
                "act:attach('ann', 'mark', {{}}, {{ duration = {{ {{ event = 'bell', test = '{text}', bound = {{}} }} }} }})
                 act:attach('ann', 'fine', {{}}, {{ duration = {{ event = 'bell', test = 'loud', bound = {{ least = 1 }} }} }})
                 return 'borne'"
            ),
        );
        let mut game = Game::of(&home);
        game.text("bear");
        let told = game.text("ring").replace('\n', " ");
        let said =
            format!("the end of mark#1 on ann is inactive, because \"{text}\" cannot be tested: ");
        for part in [&*said, why, "remove mark#1 removes it", "rung"] {
            assert_eq!(told.matches(part).count(), 1, "{text}: {part}: {told}");
        }
        let last = game.last_operation().seq;
        assert_eq!(
            game.solo.verify_operation(last),
            ReplayComparison::Same,
            "{text}"
        );
        let left = game.text("= #act:find({ owner = 'ann' }), act:get('ann', 'mood')");
        assert_eq!(left.trim_end(), "1, 4", "{text}: the other one ended");
        game.text("stop");
        assert_eq!(game.text("ring"), "rung", "{text}");
    }
}

#[test]
fn a_text_that_turns_true_may_sleep_too_and_a_limit_ends_the_command() {
    let home = home_with_test_language();
    let bear = |text: &str| {
        format!(
            "act:attach('ann', 'mark', {{}}, {{ duration = {{ when = '{text}', bound = {{}} }} }})"
        )
    };
    home.command("bear", &bear("gone"));
    home.command("hang", &bear("runs on"));
    home.command("alone", &bear("alone"));
    let mut game = Game::of(&home);
    let before = game.hash();
    assert_eq!(game.refusal("hang").code, "limit/fuel");
    assert_eq!(game.hash(), before);
    game.text("alone");
    assert_eq!(
        evaluate_luau_text(&mut game, "return #act:find({ kind = 'mark' })"),
        "0"
    );
    let reply = game.line("bear");
    let told: Vec<String> = reply.documents.iter().map(plain).collect();
    assert!(
        told[0].contains("the end of mark#2 on ann is inactive"),
        "{told:?}"
    );
    assert_eq!(reply.documents[0].audience, Audience::Gm);
}

#[test]
fn what_turns_true_is_asked_again_only_when_something_was_written() {
    let home = home_with_test_language();
    let ring = "act:emit('bell') ".repeat(5);
    home.command(
        "go",
        &format!(
            "local times = require('pipeline/counted').times
             act:attach('ann', 'mark', {{}}, {{ duration = {{ when = 'counted', bound = {{}} }} }})
             local counted = {{ times() }}
             {ring} table.insert(counted, times())
             act:set('ann', 'mood', 4) {ring} table.insert(counted, times())
             act:get('ann', 'mood') {ring} table.insert(counted, times())
             local point = act:attach('bo', 'mark') act:detach(point) table.insert(counted, times())
             return table.concat(counted, ' ')"
        ),
    );
    let mut game = Game::of(&home);
    // A detached record is announced first, then the tests run.
    assert_eq!(game.text("go"), "0 1 2 2 3");
}

#[test]
fn a_record_that_is_gone_meanwhile_ends_once() {
    let home = home_with_test_language();
    home.whim(
        "shy",
        "bell = function(act, event, self) act:detach(self, 'fled') end",
    );
    home.whim(
        "clinging",
        "ended = function(act, event) for _, one in act:find({ kind = 'third' }) do act:detach(one, 'let go') end end",
    );
    home.custom(
        "notes",
        "ended = function(act, event) act:say('gm', `{event.record}: {event.reason}`) end",
    );
    let loud = "{ event = 'bell', test = 'loud', bound = { least = 1 } }";
    home.command(
        "go",
        &format!(
            "act:attach('ann', 'whim', {{ whim = 'shy' }}, {{ duration = {loud} }})
             local cling = act:attach('ann', 'whim', {{ whim = 'clinging' }}, {{ duration = {loud} }})
             act:attach('bo', 'third', {{}}, {{ duration = {{ {loud}, {{ with = cling }} }} }})
             act:attach('bo', 'other', {{}}, {{ duration = {{ {loud}, {{ with = cling }} }} }})
             act:attach('bo', 'third', {{}}, {{ duration = {{ when = 'moody', bound = {{ who = 'ann', least = 9 }} }} }})
             act:emit('bell', {{ volume = 2 }})"
        ),
    );
    let mut game = Game::of(&home);
    let told = game.text("go");
    let told: Vec<&str> = told.trim_end().lines().collect();
    let expected = [
        "whim#1: fled",
        "third#3: let go",
        "third#5: let go",
        "whim#2: event bell",
        "other#4: event bell",
    ];
    assert_eq!(told, expected);
    game.assert_replays_same();
}

#[test]
fn what_nobody_answers_and_what_is_no_data_is_refused_where_it_is_attached() {
    let attach = |end: &str| format!("= act:attach('ann', 'mark', {{}}, {{ duration = {end} }})");
    let plain_home = super::home_with_events();
    let mut silent = Game::of(&plain_home);
    for end in [
        "{ when = 'moody', bound = {} }",
        "{ event = 'bell', test = 'moody', bound = {} }",
    ] {
        let refusal = silent.refusal(&attach(end));
        assert_eq!(refusal.code, "store/bad-ends", "{end}");
        assert!(refusal.message.contains("\"moody\""), "{refusal:?}");
        assert!(
            refusal.message.contains("needs `expressions.test`"),
            "{refusal:?}"
        );
        assert!(refusal.hints[0].contains("ruleset.luau"), "{refusal:?}");
    }
    let unread = silent.refusal(&attach("{ event = 'bell', test = 'moody' }"));
    assert_eq!(unread.code, "store/bad-ends");
    assert!(
        unread.message.contains("in the \"test\" of an end"),
        "{unread:?}"
    );
    let mut game = Game::of(&home_with_test_language());
    for (end, code, part) in [
        (
            "{ when = 'moody', bound = { f = print } }",
            "script/argument",
            "not plain data",
        ),
        (
            "{ event = 'bell', bound = print }",
            "script/argument",
            "not plain data",
        ),
        (
            "{ event = 'bell', bound = { [1] = 1, a = 2 } }",
            "script/argument",
            "neither a text nor",
        ),
        (
            "{ event = 'bell', test = 1, bound = {} }",
            "store/bad-ends",
            "is a text, not a number",
        ),
        (
            "{ event = 'bell', tests = 'moody', bound = {} }",
            "store/bad-ends",
            "has no \"tests\"",
        ),
        (
            "{ uses = 1, bound = {} }",
            "store/bad-ends",
            "has no \"bound\"",
        ),
        (
            "{ event = 'bell', where = { who = { one_of = 'bo' } } }",
            "store/bad-ends",
            "is a list",
        ),
        (
            "{ event = 'phase_began', where = { ['phaze.kind'] = 'night' } }",
            "store/bad-ends",
            "for \"phaze.kind\" looks at \"phaze\", which the event \"phase_began\" does not have",
        ),
    ] {
        let refusal = game.refusal(&attach(end));
        assert_eq!(refusal.code, code, "{end}: {}", refusal.message);
        assert!(refusal.message.contains(part), "{end}: {}", refusal.message);
    }
}

#[test]
fn an_end_outlives_the_rules_that_answered_it() {
    let home = home_with_test_language();
    home.command(
        "bear",
        "act:attach('ann', 'mark', {}, { duration = { when = 'moody', bound = { who = 'ann', least = 5 } } })",
    );
    home.command("rise", "act:set('ann', 'mood', 5) return 'risen'");
    let mut game = Game::of(&home);
    game.text("bear");
    home.edit("scripts/mini/ruleset.luau", TEST_LANGUAGE, "  types = {");
    let reloaded = game.solo.session.reload(Compiled::default());
    assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
    let told = game.text("rise").replace('\n', " ");
    assert!(
        told.contains("the ruleset has no `expressions.test`"),
        "{told}"
    );
    home.edit("scripts/mini/ruleset.luau", "  types = {", TEST_LANGUAGE);
    let reloaded = game.solo.session.reload(Compiled::default());
    assert!(matches!(reloaded, ReloadResult::Swapped { .. }));
    assert_eq!(game.text("rise"), "risen");
    assert_eq!(
        evaluate_luau_text(&mut game, "return #act:find({ kind = 'mark' })"),
        "0"
    );
}
