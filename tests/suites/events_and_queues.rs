//! Tests events and queues: the listeners, their order, and handlers that break.

use arbiter_tests::{Game, Scratch, explain_why, on_game_thread, open_read_only, save_options};
use host::diag::Diagnostic;
use host::doc::plain;
use host::game;
use host::game::{RulesChoice, Session, Solo};
use host::script::Limits;

mod added_lines;
mod broken_schema_functions;
mod end_expressions;
mod event_addresses;
mod event_order;
mod repeated_events;
mod row_definitions;
mod schema_handlers;
mod script_run_rules;

/// Returns a home whose ruleset has events, moods that listen to them, and game-wide rules.
fn home_with_events() -> Scratch {
    let home = Scratch::with_listener_collections();
    home.edit(
        "scripts/mini/ruleset.luau",
        "  types = {",
        "  events = {
    greet = { summary = \"somebody is greeted\" },
    bell = { summary = \"a bell rings\", order = { \"random\" } },
    look = { summary = \"what holds is looked at\", until_quiet = true },
    echo = { summary = \"it comes back\", order = { \"bearer\", \"priority\" } },
  },
  types = {",
    );
    home
}

const NOTE_EVENT: &str =
    "function(act, event, self, bearer) table.insert(event.heard, `{self} of {bearer}`) end";

/// Emissions of all kinds: to nobody, to some, to one row, to listeners that come and go, and
/// nested ones.
const EMISSIONS: &str = "
for round = 1, 20 do
  act:emit('bell', {})
  act:emit('greet', { heard = {} })
  act:emit('greet', { heard = {}, to = 'ann' })
  act:emit('echo', {})
  act:emit('look', {})
  act:emit('look', {})
  local mark = act:attach('bo', 'whim', { whim = 'polite' })
  act:emit('greet', { heard = {} })
  act:emit('greet', { heard = {} })
  act:detach(mark)
end";

#[test]
fn events_take_the_same_fuel_on_every_machine() {
    on_game_thread(|| {
        let home = home_with_events();
        home.whim("polite", &format!("greet = {NOTE_EVENT}"));
        home.custom("house", &format!("greet = {NOTE_EVENT}"));
        home.custom("looker", "look = function() end");
        home.custom(
            "loud",
            "echo = function(act) act:emit('greet', { heard = {} }) end",
        );
        home.command("go", EMISSIONS);
        let used = |game: &mut Game| {
            assert!(game.line("go").refusal.is_none());
            game.solo.session.generations().live().machine().fuel_used()
        };
        let [mut fast, mut safe] =
            [true, false].map(|raw| Game::mini_with_limits(&home, Limits::default(), raw));
        let first = used(&mut fast);
        assert_eq!(used(&mut fast), first, "on a machine that knows who hears");
        assert_eq!(used(&mut safe), first, "without the fast methods");
        assert_eq!(used(&mut safe), first);
    });
}

/// A recorded command is replayed as if somebody were present, even if nobody was.
#[test]
fn a_command_takes_the_same_fuel_whether_somebody_is_there_or_not() {
    on_game_thread(|| {
        let home = schema_handlers::home_with_habits(&[
            ("waver", "when:\n- { on: greet, do: [{ add: 1 }] }\n"),
            ("nodder", "when:\n- { on: greet, do: [{ say: nods }] }\n"),
        ]);
        home.whim("polite", &format!("greet = {NOTE_EVENT}"));
        home.command(
            "go",
            "act:set('ann', 'habit', 'waver') act:set('bo', 'habit', 'nodder') act:attach('bo', 'whim', { whim = 'polite' })
             local deep = {}
             for i = 1, 300 do deep[i] = { i, { i } } end
             for i = 1, 10 do act:emit('greet', { heard = {}, deep = deep }) end",
        );
        let used = |is_attended: bool| {
            let mut game = Game::of(&home);
            game.solo.session.responders_mut().attended = is_attended;
            assert!(game.line("go").refusal.is_none());
            game.solo.session.generations().live().machine().fuel_used()
        };
        assert_eq!(used(true), used(false));
    });
}

#[test]
fn elements_hear_in_order_and_shape_the_event() {
    let home = home_with_events();
    home.whim("polite", &format!("greet = {NOTE_EVENT}"));
    home.whim(
        "eager",
        &format!("greet = {{ priority = -1, run = {NOTE_EVENT} }}"),
    );
    home.custom("house", &format!("greet = {NOTE_EVENT}"));
    home.command(
        "go",
        "act:attach('bo', 'whim', { whim = 'polite' })
         act:attach('ann', 'whim', { whim = 'eager' })
         act:attach('ann', 'whim', { whim = 'polite' })
         act:attach('ann', 'whim', { whim = 'unheard of' })
         local all = act:emit('greet', { heard = {} })
         local one = act:emit('greet', { heard = {}, to = 'bo' })
         return table.concat(all.heard, ', ') .. ' | ' .. table.concat(one.heard, ', ')",
    );
    let mut game = Game::of(&home);
    assert_eq!(
        game.text("go").replace('\n', " "),
        "whim#2 of ann, customs/house of customs/house, whim#1 of bo, whim#3 of ann | \
         customs/house of customs/house, whim#1 of bo"
    );
}

#[test]
fn a_ruleset_orders_an_event_by_its_own_keys_and_chance_is_drawn_by_address() {
    let home = home_with_events();
    home.whim("one", &format!("echo = {NOTE_EVENT}, bell = {NOTE_EVENT}"));
    home.command(
        "go",
        "for _, who in { 'bo', 'ann', 'bo', 'ann' } do act:attach(who, 'whim', { whim = 'one' }) end
         local echo = act:emit('echo', { heard = {} })
         local bell = act:emit('bell', { heard = {} })
         return table.concat(echo.heard, ', ') .. ' | ' .. table.concat(bell.heard, ', ')",
    );
    let (mut game, mut other) = (Game::of(&home), Game::of(&home));
    let said = game.text("go");
    let (echo, bell) = said.split_once(" | ").unwrap();
    assert_eq!(
        echo,
        "whim#2 of ann, whim#4 of ann, whim#1 of bo, whim#3 of bo"
    );
    assert_ne!(
        bell, "whim#1 of bo, whim#2 of ann, whim#3 of bo, whim#4 of ann",
        "another seed may hit it"
    );
    assert_eq!(other.text("go"), said);
}

#[test]
fn filters_look_at_the_fields_of_the_event() {
    let home = home_with_events();
    home.whim("picky",
        "greet = { where = { tone = 'kind', whom = '@bearer' }, run = function(act, event) event.n += 1 end }",
    );
    home.command(
        "go",
        "act:attach('bo', 'whim', { whim = 'picky' })
         act:attach('ann', 'whim', { whim = 'picky' })
         local function n(fields) fields.n = 0 return act:emit('greet', fields).n end
         return `{n { tone = 'kind', whom = 'bo' }} {n { tone = 'rude', whom = 'bo' }} {n { tone = 'kind' }}`",
    );
    assert_eq!(Game::of(&home).text("go"), "1 0 0");
}

#[test]
fn what_is_gone_at_its_turn_does_not_hear_and_what_is_new_waits_for_the_next_event() {
    let home = home_with_events();
    home.whim(
        "jealous",
        "greet = function(act, event, self)
          table.insert(event.heard, self)
          if #event.heard == 1 then
            act:detach('whim#2')
            act:set('whim#3', 'whim', 'calm')
            act:attach('ann', 'whim', { whim = 'jealous' })
          end
        end",
    );
    home.whim("calm", "");
    home.command(
        "go",
        "for _ = 1, 4 do act:attach('bo', 'whim', { whim = 'jealous' }) end
         local first = act:emit('greet', { heard = {} })
         local second = act:emit('greet', { heard = { 'x' } })
         return table.concat(first.heard, ' ') .. ' | ' .. table.concat(second.heard, ' ')",
    );
    assert_eq!(
        Game::of(&home).text("go"),
        "whim#1 whim#4 | x whim#1 whim#4 whim#5"
    );
}

/// Returns a game in which a handler breaks on its third line when the command `go` runs.
fn game_with_broken_handler() -> Game {
    let home = home_with_events();
    home.whim("broken",
        "greet = function(act, event, self, bearer)\n  act:set(bearer, 'mood', 9)\n  error('no idea')\nend",
    );
    home.whim(
        "sound",
        "greet = function(act, _, _, bearer) act:set(bearer, 'note', act:roll('1d20', 'note')) end",
    );
    home.custom("porch", "bell = function(act) act:emit('greet', {}) end");
    home.command(
        "go",
        "act:attach('ann', 'whim', { whim = 'broken' })
         act:attach('ann', 'whim', { whim = 'sound' })
         act:say('public', 'first')
         pcall(act.emit, act, 'bell', {})
         return 'told'",
    );
    Game::of(&home)
}

#[test]
fn a_handler_that_breaks_ends_an_unattended_command_and_names_rule_line_and_chain() {
    let mut game = game_with_broken_handler();
    game.solo.session.responders_mut().attended = false;
    let before = game.hash();
    let refusal = game.refusal("go");
    assert_eq!(refusal.message, "no idea");
    let place = refusal.place.as_ref().unwrap();
    assert_eq!(place.source.name(), "scripts/mini/whims/broken.luau");
    assert_eq!(place.source.position(place.span.start).line, 3);
    let chain =
        "chain of events: bell (customs/porch of customs/porch) -> greet (whims/broken of ann)";
    assert!(
        refusal.hints.iter().any(|hint| hint == chain),
        "{:?}",
        refusal.hints
    );
    assert_eq!(game.hash(), before);
    assert_eq!(game.text("mood ann"), "Ann feels 4.");
}

#[test]
fn the_game_master_says_whether_a_command_goes_on_without_a_rule_that_breaks() {
    let mut game = game_with_broken_handler();
    let before = game.hash();
    let asked = game.line("go");
    assert!(
        asked.refusal.is_none() && asked.waits.is_some(),
        "{asked:?}"
    );
    let open = game::open_questions(game.solo.timeline());
    let text = open[0].question.text.replace('\n', " ");
    assert_eq!(
        text,
        "the rule whims/broken of whim#1 breaks at scripts/mini/whims/broken.luau:3: no idea. \
         Go on without it (skip), or take the whole command back (stop)?"
    );
    let answered = game.solo.run_as_line(("gm", "answer"), |timeline, ruling| {
        game::take_typed_answer(timeline, ruling, "skip this rule")
    });
    assert!(answered.refusal.is_none(), "{:?}", answered.refusal);
    assert_eq!(
        game.text("mood ann"),
        "Ann feels 4.",
        "what the broken rule did is gone"
    );
    assert!(
        game.text("= act:get('ann', 'note')").parse::<u32>().is_ok(),
        "the next one ran"
    );
    game.undo();
    game.undo();
    assert_eq!(game.hash(), before);
}

#[test]
fn a_rule_that_breaks_may_end_the_command_and_nothing_of_it_is_kept() {
    let mut game = game_with_broken_handler();
    let before = game.hash();
    game.line("go");
    let answered = game.solo.run_as_line(("gm", "answer"), |timeline, ruling| {
        game::take_typed_answer(timeline, ruling, "stop")
    });
    assert_eq!(
        answered.refusal.map(|one| one.message),
        Some("no idea".to_owned())
    );
    assert_eq!(game.text("mood ann"), "Ann feels 4.");
    assert!(game::open_questions(game.solo.timeline()).is_empty());
    assert_eq!(game.hash(), before);
}

#[test]
fn a_refusal_of_a_handler_is_the_refusal_of_the_command() {
    let home = home_with_events();
    home.custom(
        "strict",
        "greet = function(act) return act:fail('not-here', 'nobody is greeted here', 'go out') end",
    );
    home.command(
        "go",
        "act:set('ann', 'mood', 1)\npcall(function() act:emit('greet') end)\nreturn 'not told'",
    );
    let mut game = Game::of(&home);
    let refusal = game.refusal("go");
    assert_eq!(
        (refusal.code.as_ref(), refusal.message.as_str()),
        ("mini/not-here", "nobody is greeted here")
    );
    assert_eq!(game.text("mood ann"), "Ann feels 4.");
}

#[test]
fn events_that_cause_each_other_for_ever_end_with_their_chain() {
    let home = home_with_events();
    home.custom("ping", "bell = function(act) act:emit('echo') end");
    home.custom("pong", "echo = function(act) act:emit('bell') end");
    home.command("deep", "act:emit('bell')");
    home.command("wide", "while true do act:emit('greet') end");
    home.custom("nod", "greet = function() end");
    let mut game = Game::of(&home);
    let deep = game.refusal("deep");
    assert_eq!(deep.code, "limit/depth");
    assert!(
        deep.hints[0].starts_with("chain of events: bell (customs/ping of customs/ping) -> echo"),
        "{:?}",
        deep.hints
    );
    let place = |finding: &Diagnostic| finding.place.as_ref().map(ToString::to_string);
    assert_eq!(
        place(&deep).as_deref(),
        Some("scripts/mini/customs/pong.luau:1")
    );
    let wide = game.refusal("wide");
    assert_eq!(wide.code, "limit/events");
    assert_eq!(
        place(&wide).as_deref(),
        Some("scripts/mini/commands/wide.luau:3")
    );
    assert_eq!(game.text("mood ann"), "Ann feels 4.");
}

#[test]
fn with_cause_sets_the_cause_inside_and_returns_the_results() {
    let home = home_with_events();
    home.custom(
        "echo",
        "greet = function(act) act:with_cause(nil, 'an echo', act.set, act, 'bo', 'note', 'echo') end",
    );
    home.command(
        "go",
        "local first, second, none = act:with_cause('ann', 'line 4', function(...)
           act:set('ann', 'note', 'inside')
           act:emit('greet', {})
           act:set('ann', 'mood', 7)
           return select('#', ...), ...
         end, 'x', nil)
         act:set('bo', 'mood', 5)
         return `{first} {second} {none}`",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.text("go"), "2 x nil");
    let last = game.last_operation();
    let causes: Vec<String> = last.causes.iter().map(ToString::to_string).collect();
    assert_eq!(
        causes,
        [
            "{cells: [bo.mood], n: 0, parent: 0, rule: commands/go}",
            "{cells: [ann.note, ann.mood], n: 1, parent: 0, row: ann, work: line 4}",
            "{cells: [], element: customs/echo, event: greet, n: 2, parent: 1, rule: customs/echo}",
            "{cells: [bo.note], n: 3, parent: 2, work: an echo}",
        ]
    );
}

#[test]
fn after_a_caught_error_the_outer_cause_applies_again() {
    let home = home_with_events();
    let breaks = "act:with_cause('ann', 'line 4', function()
           act:set('ann', 'note', 'inside')
           act:with_cause('ann', 'line 5', function() error('no idea', 0) end)
         end)";
    home.custom(
        "porch",
        &format!("greet = function(act)\n  pcall(function() {breaks} end)\n  act:set('bo', 'note', 'caught')\nend"),
    );
    home.custom("yard", &format!("bell = function(act) {breaks} end"));
    home.command(
        "go",
        &format!(
            "for _ = 1, 100 do pcall(function() {breaks} end) end
             local _, told = xpcall(function() {breaks} end, function(text) return text end)
             act:set('ann', 'mood', 1)
             act:emit('greet')
             act:set('bo', 'mood', told)"
        ),
    );
    home.command("ring", "act:emit('bell')\nact:set('bo', 'mood', 5)");
    let mut game = Game::of(&home);
    game.text("go");
    let last = game.last_operation();
    let wrote = |rule: &str| {
        let mut causes = last.causes.iter();
        let found = causes.find(|cause| cause.get("rule").as_str() == Some(rule));
        found.unwrap().get("cells").to_string()
    };
    assert_eq!(wrote("commands/go"), "[ann.mood, bo.mood]");
    assert_eq!(wrote("customs/porch"), "[bo.note]");
    assert_eq!(game.text("= act:get('bo', 'mood')"), "no idea");

    let waits = game.line("ring");
    assert!(waits.refusal.is_none(), "{waits:?}");
    let skipped = game
        .solo
        .run_as_line(("gm", "answer skip"), |timeline, ruling| {
            game::take_typed_answer(timeline, ruling, "skip this rule")
        });
    assert!(skipped.refusal.is_none(), "{skipped:?}");
    let number = game.last_operation().seq;
    let why = plain(&explain_why(&mut game.solo, "gm", &number.to_string()).unwrap());
    let taken_back = why.lines().filter(|line| line.contains("(taken back)"));
    assert_eq!(
        taken_back.count(),
        3,
        "the handler and two works; the write changes nothing: {why}"
    );
    assert!(why.contains("\n  - bo.mood: no idea -> 5"), "{why}");
}

#[test]
fn nested_causes_without_end_stop_with_their_chain() {
    let home = home_with_events();
    let again = "act:with_cause(bearer, 'line 4: when greeted', act.emit, act, 'greet', {})";
    home.whim(
        "vain",
        &format!("greet = function(act, event, self, bearer) {again} end"),
    );
    home.command(
        "deep",
        "act:attach('ann', 'whim', { whim = 'vain' })\npcall(act.emit, act, 'greet')",
    );
    home.command(
        "inside",
        "local function again() act:with_cause(nil, 'line 1', again) end\npcall(again)",
    );
    home.command(
        "wide",
        "while true do act:with_cause(nil, 'line 1', function() end) end",
    );
    let mut game = Game::of(&home);
    let deep = game.refusal("deep");
    assert_eq!(deep.code, "limit/depth");
    let chain = "chain of causes: greet (whims/vain of ann) -> line 4: when greeted (of ann) -> …";
    assert!(deep.hints[0].starts_with(chain), "{:?}", deep.hints);
    let inside = game.refusal("inside");
    assert_eq!(inside.code, "limit/depth");
    assert_eq!(
        inside.message,
        "`act:with_cause` blocks are nested more than 64 levels deep"
    );
    assert_eq!(game.refusal("wide").code, "limit/events");
}

#[test]
fn with_cause_with_wrong_arguments_is_refused() {
    let home = home_with_events();
    for (name, call, wanted) in [
        (
            "rowless",
            "act:with_cause({}, 'line 1', print)",
            "argument 1 `row` of `act:with_cause` expects a text, found a table",
        ),
        (
            "textless",
            "act:with_cause(nil, nil, print)",
            "argument 2 `what` of `act:with_cause` expects a text, found nothing",
        ),
        (
            "empty",
            "act:with_cause(nil, '', print)",
            "`act:with_cause` expects a text as its second argument that names the cause, found an empty one",
        ),
        (
            "idle",
            "act:with_cause(nil, 'line 1', 4)",
            "argument 3 `work` of `act:with_cause` expects a function, found a number",
        ),
    ] {
        home.command(name, call);
        assert_eq!(Game::of(&home).refusal(name).message, wanted, "{name}");
    }
    home.command(
        "long",
        "act:with_cause(nil, string.rep('ä', 201), act.set, act, 'ann', 'note', 1)",
    );
    let mut game = Game::of(&home);
    game.text("long");
    let work = game.last_operation().causes[1].get("work").to_string();
    assert_eq!(work, format!("{}…", "ä".repeat(200)));
}

#[test]
fn an_event_that_nobody_declares_is_a_finding_and_an_error_with_near_names() {
    let home = home_with_events();
    home.whim("odd", "\n  gret = function() end");
    home.command("go", "act:emit('greeet')");
    let game = Game::of(&home);
    let found = game.findings();
    assert!(
        found.contains("unknown event \"gret\"") && found.contains("greet"),
        "{found}"
    );
    assert!(found.contains("whims/odd.luau:2:3"), "{found}");
    home.remove("scripts/mini/whims/odd.luau");
    let refusal = Game::of(&home).refusal("go");
    assert_eq!(refusal.code, "script/unknown-event");
    assert!(refusal.hints[0].contains("greet"), "{:?}", refusal.hints);
}

#[test]
fn what_ended_with_a_row_of_a_queue_is_told_when_the_row_is_taken() {
    let home = home_with_events();
    let ended =
        "ended = function(act, event, self, bearer) act:set(bearer, 'note', event.reason) end";
    home.whim("tied", ended);
    home.command(
        "tie",
        "local row = act:enqueue('bells', { who = 'ann' })
         act:attach('ann', 'whim', { whim = 'tied' }, { duration = { with = row } })
         act:drain('bells', function(rows)
           act:set('bo', 'note', `{#rows} {act:get('ann', 'note')}`)
         end)
         return act:get('bo', 'note')",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.text("tie"), "1 ended with bells#1");
    let records = game.text("= #act:find({ owner = 'ann', kind = 'whim' })");
    assert_eq!(records, "0");
}

#[test]
fn what_a_handler_does_with_rows_that_it_takes_first_is_its_own() {
    let home = home_with_events();
    home.custom(
        "sexton",
        "greet = function(act)
  act:drain('bells', function() act:attach('bo', 'mark') end)
end",
    );
    home.command("go", "act:enqueue('bells')\nact:emit('greet', {})");
    let mut game = Game::of(&home);
    game.text("go");
    let rule = game.text("= act:row('mark#2').cause.rule");
    assert_eq!(rule, "customs/sexton");
    let why = plain(&explain_why(&mut game.solo, "gm", "2").unwrap());
    assert!(!why.contains("something else"), "{why}");
}

#[test]
fn ids_that_were_given_out_are_never_given_again() {
    let home = home_with_events();
    home.command(
        "ids",
        "local first, second = act:create('boat', {}), act:create('boat', {})
         act:remove(second)
         local third = act:create('boat', {})
         act:remove(first) act:remove(third)
         local fourth, named = act:create('boat', {}), act:create('boat', {}, 'boat-9')
         act:remove(named)
         return `{first} {second} {third} {fourth} {act:create('boat', {})} {act:create('raft', {})}`",
    );
    let mut game = Game::of(&home);
    let before = game.hash();
    assert_eq!(
        game.text("ids"),
        "boat-1 boat-2 boat-3 boat-4 boat-10 raft-1"
    );
    game.undo();
    assert_eq!(game.hash(), before);
}

#[test]
fn a_queue_is_drained_by_a_function_with_options_that_are_known() {
    let home = home_with_events();
    let cases = [
        (
            "{ one_by_on = true }, work",
            "`act:drain` has no option \"one_by_on\"",
            "one_by_one",
        ),
        (
            "{ one_by_one = 1 }, work",
            "the option `one_by_one` of `act:drain` is true or false, found a number",
            "",
        ),
        (
            "{ again = 'x' }, work",
            "the option `again` of `act:drain` is a whole number from 1 to 4294967295, found a text",
            "",
        ),
        (
            "{ again = 0 }, work",
            "the option `again` of `act:drain` is a whole number from 1 to 4294967295, found 0",
            "",
        ),
        (
            "{ again = -1 }, work",
            "the option `again` of `act:drain` is a whole number from 1 to 4294967295, found -1",
            "",
        ),
        (
            "{ again = 1.5 }, work",
            "the option `again` of `act:drain` is a whole number from 1 to 4294967295, found 1.5",
            "",
        ),
        (
            "'x', work",
            "the options of `act:drain` are a table with named keys, found a text",
            "",
        ),
        (
            "{ 'again' }, work",
            "the options of `act:drain` are a table with named keys, found a list",
            "",
        ),
        (
            "{}",
            "`act:drain` expects a function as its last argument, found table",
            "",
        ),
        (
            "{}, 3",
            "argument 3 `work` of `act:drain` expects a function, found a number",
            "",
        ),
        (
            "nil",
            "`act:drain` expects a function as its last argument, found nil",
            "",
        ),
    ];
    for (at, (arguments, _, _)) in cases.iter().enumerate() {
        let body = format!("local function work() end\nact:drain('bells', {arguments})");
        home.command(&format!("go{}", letter_of_index(at)), &body);
    }
    home.command(
        "well",
        "act:drain('bells', { again = 1, one_by_one = false }, function() end) return 'well'",
    );
    let mut game = Game::of(&home);
    for (at, (arguments, message, hint)) in cases.iter().enumerate() {
        let refusal = game.refusal(&format!("go{}", letter_of_index(at)));
        assert_eq!(refusal.code, "script/argument", "{arguments}");
        assert_eq!(refusal.message, *message, "{arguments}");
        assert!(
            refusal.hints.join(" ").contains(hint),
            "{arguments}: {:?}",
            refusal.hints
        );
        assert!(refusal.place.is_some(), "{arguments}");
    }
    assert_eq!(game.text("well"), "well");
}

fn letter_of_index(at: usize) -> char {
    char::from(b'a' + u8::try_from(at).unwrap())
}

#[test]
fn a_queue_is_drained_while_it_refills_and_holds_equal_rows_once() {
    let home = home_with_events();
    home.command(
        "go",
        "act:enqueue('bells', { who = 'ann', left = 2 })
         act:enqueue('bells', { who = 'bo', left = 0 }, { once = true })
         local again = act:enqueue('bells', { who = 'bo', left = 0 }, { once = true })
         local log = { tostring(again), tostring(#act:queued('bells')) }
         act:drain('bells', function(rows)
           local round = {}
           for _, row in rows do
             table.insert(round, `{row.who}{row.left}`)
             if row.left > 0 then act:enqueue('bells', { who = row.who, left = row.left - 1 }) end
           end
           table.insert(log, table.concat(round, '+'))
         end)
         act:enqueue('bells', { who = 'x', left = 1 })
         act:enqueue('bells', { who = 'y', left = 0 })
         act:drain('bells', { one_by_one = true }, function(row)
           table.insert(log, row.who)
           if row.left > 0 then act:enqueue('bells', { who = 'z', left = 0 }) end
         end)
         return table.concat(log, ' ')",
    );
    home.command(
        "loop",
        "act:enqueue('bells')\nact:drain('bells', { again = 50 }, function() act:enqueue('bells') end)",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.text("go"), "nil 2 ann2+bo0 ann1 ann0 x y z");
    let endless = game.refusal("loop");
    assert_eq!(endless.code, "limit/events");
    assert!(
        endless.message.contains("\"bells\" was emptied 50 times"),
        "{}",
        endless.message
    );
}

#[test]
fn what_is_no_option_of_deferring_is_refused_with_what_to_write() {
    let cases = [
        (
            "{ 'once' }",
            "the options of `act:enqueue` are a table with named keys, found a list",
            "",
        ),
        (
            "{ onse = true }",
            "`act:enqueue` has no option \"onse\"",
            "did you mean \"once\"?",
        ),
        (
            "{ once = 'yes' }",
            "the option `once` of `act:enqueue` is true or false, found a text",
            "",
        ),
        (
            "{ once = 1 }",
            "the option `once` of `act:enqueue` is true or false, found a number",
            "",
        ),
    ];
    for (options, message, near) in cases {
        let home = home_with_events();
        home.command(
            "go",
            &format!("act:enqueue('bells', {{ who = 'ann' }}, {options})"),
        );
        let refusal = Game::of(&home).refusal("go");
        assert_eq!(
            (&*refusal.code, &*refusal.message),
            ("script/argument", message),
            "{options}"
        );
        let mut hints = vec![near, "write { once = true }"];
        hints.retain(|hint| !hint.is_empty());
        assert_eq!(refusal.hints, hints, "{options}");
    }
    let home = home_with_events();
    home.command("go", "act:enqueue('bells', {}, {})\nact:defer('bells', {}, { once = false })\nreturn `{#act:queued('bells')}`");
    assert_eq!(Game::of(&home).text("go"), "2");
}

#[test]
fn what_waits_in_a_queue_outlives_the_command_and_can_be_changed() {
    let home = home_with_events();
    home.command("fill", "return act:enqueue('bells', { who = 'ann' })");
    home.command("change", "act:set(act:queued('bells')[1], 'who', 'bo')");
    home.command("ring", "local who\nact:drain('bells', { one_by_one = true }, function(row) who = row.who end)\nreturn who");
    let mut game = Game::of(&home);
    game.text("fill");
    game.text("change");
    assert_eq!(game.text("ring"), "bo");
    game.undo();
    assert_eq!(game.text("ring"), "bo");
}

#[test]
fn an_operation_keeps_which_rule_wrote_what() {
    let home = home_with_events();
    home.whim(
        "warm",
        "greet = function(act, _, _, bearer) act:set(bearer, 'mood', 8) end",
    );
    home.command("give", "act:attach('bo', 'whim', { whim = 'warm' })");
    home.command(
        "go",
        "act:set('ann', 'mood', 1)\nact:emit('greet', {})\nact:set('ann', 'note', 'x')",
    );
    let mut game = Game::of(&home);
    game.text("give");
    game.text("go");
    let last = game.last_operation();
    let causes: Vec<String> = last.causes.iter().map(ToString::to_string).collect();
    assert_eq!(
        causes,
        [
            "{cells: [ann.mood, ann.note], n: 0, parent: 0, rule: commands/go}",
            "{cells: [bo.mood], element: whim#1, event: greet, n: 1, parent: 0, rule: whims/warm}",
        ]
    );
}

#[test]
fn an_operation_keeps_every_rule_that_wrote_a_cell_and_what_came_and_went() {
    let home = home_with_events();
    for (name, more) in [("warm", 1), ("merry", 2)] {
        home.whim(
            name,
            &format!(
                "greet = function(act, _, _, bearer)
  act:add(bearer, 'mood', {more})
  act:enqueue('bells', {{ who = bearer }}, {{ once = true }})
end"
            ),
        );
        home.command(
            name,
            &format!("act:attach('bo', 'whim', {{ whim = '{name}' }})"),
        );
    }
    home.command(
        "go",
        "act:emit('greet', {})\nact:drain('bells', {}, function() end)",
    );
    let mut game = Game::of(&home);
    for line in ["warm", "merry", "go"] {
        game.text(line);
    }
    let last = game.last_operation();
    let seq = last.seq;
    let wrote = last.causes.iter().map(|one| {
        let of = |key: &str| one.get(key).to_string();
        format!("{}: {} before {}", of("rule"), of("cells"), of("before"))
    });
    let wrote: Vec<String> = wrote.collect();
    assert_eq!(
        wrote,
        [
            "commands/go: [bells#3] before nil",
            "whims/warm: [@queues] before [bo.mood, bells#3]",
            "whims/merry: [bo.mood] before nil",
        ]
    );
    home.edit(
        "scripts/mini/ruleset.luau",
        "name = \"Mini\"",
        "name = \"Mini too\"",
    );
    // If the recorded rules are missing, only the saved data is shown.
    let place = home.path().join("kept");
    game.solo.save_in_folder(&place, save_options()).unwrap();
    drop(game);
    std::fs::remove_dir_all(place.join("rules")).unwrap();
    let mut solo = open_read_only(&place, &home, RulesChoice::Now);
    let kept = plain(&explain_why(&mut solo, "gm", &seq.to_string()).unwrap());
    for line in [
        "bo.mood was written again by another rule",
        "bells#3 was created and removed again",
    ] {
        assert!(kept.contains(line), "{line} is missing in:\n{kept}");
    }
}

#[test]
fn a_game_that_goes_on_from_its_bytes_hears_as_before() {
    let home = home_with_events();
    home.whim(
        "warm",
        "greet = function(act, _, _, bearer) act:set(bearer, 'mood', 8) end",
    );
    home.command("give", "act:attach('bo', 'whim', { whim = 'warm' })");
    home.command("go", "act:emit('greet', {})");
    let mut game = Game::of(&home);
    game.text("give");
    let bytes = game.solo.timeline().state().to_bytes();
    let options = game.solo.session.options().clone();
    let next = game.solo.timeline().history().next_numbers();
    let solo = Solo::from(Session::from_state_bytes(options, &[], (&bytes, next)).unwrap());
    let mut fresh = Game { solo };
    game.text("go");
    fresh.text("go");
    assert_eq!(fresh.hash(), game.hash());
    assert_eq!(fresh.text("mood bo"), "Bo feels 8.");
}
