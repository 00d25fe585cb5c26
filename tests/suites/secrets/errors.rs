//! Plays two harbours in which the same error occurs with different secret names and values: all
//! answers to Ann must be equal, byte by byte.

use host::game;
use std::collections::BTreeSet;

use arbiter_tests::{Scratch, on_game_thread};
use host::game::Solo;
use proptest::prelude::*;

use super::super::random_harbour_games::harbour_session_of_home;
use super::{CALLINGS, SecretGame};

/// A command that creates a broken secret thing. Its name is used as kind, id, field and queue, and
/// its value in expressions.
const JAM_COMMAND: &str = r#"return command { source = "x", summary = "x", syntax = "jam {what: Word} {name: Word} {value: Integer}", run = function(act, args)
  local what, name, value = args.what, string.lower(args.name), args.value
  local secret = act:create(name, { amount = value, [name] = value }, name, { visible_to = "gm" })
  local function jam(modifiers, ends)
    act:attach("bo", name, { [name] = value }, { visible_to = "gm", source = secret, modifiers = modifiers, duration = ends })
  end
  if what == "guard" then
    jam({ { stat = "warp", op = "add", value = value, only_if = `(self.name, {value}, *)` } })
  elseif what == "end" then
    jam(nil, { when = `(self.trip, {value}, >)` })
  elseif what == "cycle" then
    jam({
      { stat = "warp", op = "add", value = 1, only_if = `(self.{name}, {value}, >)` },
      { stat = name, op = "add", value = value, only_if = "(self.warp, 0, >)" },
    })
  elseif what == "way" then
    for n = 0, 70 do
      local stat = if n == 0 then "warp" else `{name}{n}`
      jam({ { stat = stat, op = "add", value = value, only_if = `(self.{name}{n + 1}, {value}, >)` } })
    end
  end
end }
"#;

/// The failing commands of Ann: a name, and a body with an error. `id` is the secret row.
const FAILING_COMMANDS: [(&str, &str); 11] = [
    ("feel", "act:done(`{act:get('bo', 'warp')}`)"),
    ("trip", "act:set('bo', 'trip', 'up')"),
    ("stuff", "act:set(id, id, string.rep(id, 5000))"),
    (
        "nest",
        "local deep = {}\nfor _ = 1, 20 do deep = { [id] = deep } end\nact:set(id, id, deep)",
    ),
    (
        "spin",
        "act:enqueue(id)\nact:drain(id, { again = 5 }, function() act:enqueue(id) end)",
    ),
    (
        "cast",
        "act:roll('600d6', id, id)\nact:roll('600d6', id, id)",
    ),
    (
        "long",
        "act:ask({ to = 'Ann', key = id, type = 'YesNo', text = string.rep(id, 4000) })",
    ),
    (
        "many",
        "local all = {}
  for n = 1, 101 do all[n] = { to = 'Ann', key = `{id}{n}`, type = 'YesNo', text = 't' } end
  act:ask_all(all)",
    ),
    (
        "swell",
        "local all = {}\nfor n = 1, 20000 do all[n] = id .. n end\nact:set(id, id, all)",
    ),
    ("burn", "while act:get(id, 'amount') do end"),
    (
        "shout",
        "for _ = 1, 20 do act:say('gm', { { text = string.rep(id, 100000) } }) end",
    ),
];

/// Broken things, and the failing command that meets each.
const FAILURES_AND_COMMANDS: [(&str, &str); 14] = [
    ("guard", "feel"),
    ("cycle", "feel"),
    ("way", "feel"),
    ("end", "trip"),
    ("none", "stuff"),
    ("none", "nest"),
    ("none", "spin"),
    ("none", "cast"),
    ("none", "long"),
    ("none", "many"),
    ("none", "swell"),
    ("none", "burn"),
    ("none", "shout"),
    ("guard", "answer"),
];

fn home_with_failing_commands() -> Scratch {
    let home = Scratch::harbour();
    home.write("scripts/harbour/commands/jam.luau", JAM_COMMAND);
    for (name, body) in FAILING_COMMANDS {
        let text = format!(
            "return command {{ source = \"x\", summary = \"x\", syntax = \"{name}\", run = function(act)
  local id
  for _, kind in act:kinds() do
    for _, row in act:find({{ kind = kind }}) do
      if act:get(row, \"amount\") ~= nil then id = row end
    end
  end
  {body}
end }}
"
        );
        home.write(&format!("scripts/harbour/commands/{name}.luau"), text);
    }
    home.write(
        "scripts/harbour/commands/hold.luau",
        r#"return command { source = "x", summary = "x", syntax = "hold", run = function(act)
  act:prompt({ to = "Ann", key = "hand", type = "YesNo", text = "Hand?", run = "commands/feel" })
end }
"#,
    );
    home
}

/// Returns the code of the error for Ann, and all text about it that she can get.
fn code_and_text_for_ann(
    solo: &mut Solo,
    (what, deed): (&str, &str),
    (name, value): (&str, u32),
) -> (String, String) {
    let mut game = SecretGame::begin_shades_night(solo, (0..CALLINGS.len()).collect());
    let jammed = game
        .solo
        .submit("gm", &format!("jam {what} {name} {value}"));
    assert!(jammed.refusal.is_none(), "{what}: {:?}", jammed.refusal);
    let line = if deed == "answer" { "answer yes" } else { deed };
    if deed == "answer" {
        game.submit_line("gm", "hold");
    }
    let reply = game.solo.submit("Ann", line).visible_to_giver("Ann");
    let code = reply.refusal.as_ref();
    let code = code.map_or_else(String::new, |refusal| refusal.code.to_string());
    game.add_reply(line, &reply);
    let why_not = format!("why not {line}");
    for line in [
        &*why_not,
        "log",
        "log refused",
        "log rolls",
        "status",
        "questions",
        "show bo",
        "show",
        "why bo",
        "why bo.warp",
        "why bo.trip",
        "why 1",
        "why 2",
        "why 3",
        "why 4",
        "mood of bo",
        "feel",
        "trip",
    ] {
        game.submit_line("Ann", line);
    }
    let answer = arbiter_tests::explain_why_not(game.solo, "Ann", line);
    game.add_explanation(&why_not, answer);
    for cell in ["bo", "bo.warp", "bo.trip"] {
        game.add_why_answer(cell);
    }
    game.add_completions();
    let viewer = game::viewer_of_seat(game.solo.timeline(), "Ann");
    let chronicle =
        game::chronicle_for_viewer(game.solo.timeline(), &viewer, game::Corrections::Told).unwrap();
    game.seen += &host::doc::json(&chronicle.document(), None);
    (code, game.seen)
}

fn any_row_name() -> impl Strategy<Value = String> {
    "[b-df-hj-np-tv-z]{2}[aeiou][b-df-hj-np-tv-z]{1,5}q"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, max_shrink_iters: 3, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_wrong_says_no_name_and_no_value_that_is_not_for_ann(
        one in (any_row_name(), 1000..9999_u32),
        other in (any_row_name(), 10..999_u32),
    ) {
        let (codes, differs) = on_game_thread(move || {
            let mut solo = harbour_session_of_home(home_with_failing_commands().home());
            let mut codes = BTreeSet::new();
            let differs = FAILURES_AND_COMMANDS.into_iter().find_map(|case| {
                let (code, first) = code_and_text_for_ann(&mut solo, case, (&one.0, one.1));
                let (_, second) = code_and_text_for_ann(&mut solo, case, (&other.0, other.1));
                codes.insert(code);
                let mut lines = first.lines().zip(second.lines());
                let line = lines.find(|(one, other)| one != other);
                let line = line.map(|(one, other)| format!("{one}\n{other}"));
                (first != second).then_some((case, line))
            });
            (codes, differs)
        });
        prop_assert_eq!(differs, None);
        let expected = [
            "",
            "limit/depth",
            "limit/dice",
            "limit/events",
            "limit/fuel",
            "limit/output",
            "limit/questions",
            "limit/size",
            "script/argument",
            "store/cycle",
            "store/expression",
        ];
        prop_assert_eq!(codes, expected.map(str::to_owned).into());
    }
}
