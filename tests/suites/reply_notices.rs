//! Tests the notices beside an answer: the steps that ran, and the questions that are open since
//! then.

use arbiter_tests::{Game, Scratch};
use host::doc::{Viewer, for_viewer, plain};
use host::game;
use host::game::Reply;

/// Returns a home with a plan of three steps and a command that makes prompts. The second step asks
/// a question if `asks` is set.
fn home_with_asking_plan() -> Scratch {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/plans/dawn.luau",
        "return plan {
  source = \"x\", summary = \"a new day\",
  steps = {
    { name = \"wake\", run = function(act) act:add(\"ann\", \"mood\", 1) end },
    { name = \"ring\", run = function(act)
      if act:get(\"ann\", \"asks\") then
        act:ask { to = \"Bo\", key = \"ring\", type = \"YesNo\", text = \"Ring?\" }
      end
    end },
    { name = \"rest\", run = function(act) return act:done(\"All rest.\") end },
  },
}
",
    );
    home.write(
        "scripts/mini/commands/toll.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"toll {who: Word} [{many: Integer} times]\",
  run = function(act, args)
    for _ = 1, args.many or 1 do
      act:prompt { to = args.who, key = \"toll\", options = { \"pay\", \"refuse\" }, default = \"refuse\",
        text = \"Pay?\", run = \"commands/paid\" }
    end
  end }
",
    );
    home.write(
        "scripts/mini/commands/paid.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"paid\", run = function() end }\n",
    );
    home
}

fn game_with_asking_plan() -> Game {
    Game::of_program(&home_with_asking_plan(), "mini")
}

/// Submits a line and returns the notices beside the answer, as its sender sees them.
fn notices_beside_answer(game: &mut Game, by: &str, line: &str) -> Vec<String> {
    let reply = game.solo.submit(by, line);
    assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    notices_for(&reply, by)
}

/// Submits a line that must be refused, and returns the notices beside the refusal.
fn notices_beside_refusal(game: &mut Game, by: &str, line: &str) -> Vec<String> {
    let reply = game.solo.submit(by, line);
    assert!(reply.refusal.is_some(), "{line}");
    notices_for(&reply, by)
}

fn notices_for(reply: &Reply, by: &str) -> Vec<String> {
    let viewer = match by {
        "gm" => Viewer::Gm,
        seat => Viewer::seat(seat, []),
    };
    let seen = reply.aside.iter();
    let seen = seen.filter_map(|document| for_viewer(document, &viewer));
    seen.map(|document| format!("{}: {}", document.audience, plain(&document)))
        .collect()
}

#[test]
fn step_says_which_step_is_done_and_which_is_next() {
    let mut game = game_with_asking_plan();
    let said = ["wake", "ring", "rest"].map(|_| notices_beside_answer(&mut game, "gm", "step"));
    assert_eq!(
        said,
        [
            ["gm: plan dawn: step 1 of 3 is done, wake; next is ring"],
            ["gm: plan dawn: step 2 of 3 is done, ring; next is rest"],
            ["gm: plan dawn: step 3 of 3 is done, rest; it is over"],
        ]
    );
    notices_beside_answer(&mut game, "gm", "plan mode show");
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "step"),
        ["gm: plan dawn: next is ring"],
        "the step itself is shown"
    );
}

#[test]
fn next_says_which_steps_ran_where_some_were_left_out_or_none_said_anything() {
    let mut game = game_with_asking_plan();
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "next"),
        [""; 0],
        "the steps say it"
    );
    notices_beside_answer(&mut game, "gm", "step");
    assert_eq!(notices_beside_answer(&mut game, "gm", "next"), [""; 0]);
    notices_beside_answer(&mut game, "gm", "plan mode ask");
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "next"),
        [""; 0],
        "the question says it"
    );
    notices_beside_answer(&mut game, "gm", "answer run");
    notices_beside_answer(&mut game, "gm", "answer skip");
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "answer stop"),
        ["gm: plan dawn: 1 step is done, wake; skipped: ring; next is rest"]
    );
    notices_beside_answer(&mut game, "gm", "next");
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "answer skip"),
        ["gm: plan dawn: no step is done; skipped: rest; it is over"]
    );
}

#[test]
fn next_says_that_steps_ran_which_said_nothing() {
    let home = home_with_asking_plan();
    home.write(
        "scripts/mini/plans/dawn.luau",
        "return plan { source = \"x\", summary = \"a new day\", steps = {
  { name = \"wake\", run = function(act) act:add(\"ann\", \"mood\", 1) end },
  { name = \"rest\", run = function(act) act:add(\"ann\", \"mood\", 1) end },
} }
",
    );
    let mut game = Game::of_program(&home, "mini");
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "next"),
        ["gm: plan dawn: 2 steps are done, wake, rest; it is over"]
    );
}

#[test]
fn plan_says_where_a_next_stands_that_waits_and_for_whom() {
    let mut game = game_with_asking_plan();
    game.text("set ann asks true");
    game.text("next");
    let number = game::open_questions_for(game.solo.timeline(), "gm")[0]
        .number
        .clone();
    let slot = game.solo.timeline().history().next_ruling_number() - 1;
    let lines: Vec<String> = game.text("plan").lines().map(str::to_owned).collect();
    let words = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>();
    assert_eq!(words(2), ["1", "wake", "provisional"]);
    assert_eq!(words(3), ["2", "ring", "waits"]);
    assert_eq!(words(4), ["3", "rest"]);
    assert_eq!(
        lines[6],
        format!(
            "ruling {slot} of the plan dawn stopped at ring and is waiting for Bo (question {number})"
        )
    );
    let refusal = game.refusal("plan drop");
    assert_eq!(
        refusal.hints,
        [format!(
            "the plan dawn is waiting for an answer; `drop {slot}` cancels that run"
        )]
    );
    game.text(&format!("drop {slot}"));
    assert_eq!(game.text("plan"), "no plan is in progress");
    game.text("step");
    game.text("step");
    let lines: Vec<String> = game.text("plan").lines().map(str::to_owned).collect();
    let words = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>();
    assert_eq!(words(2), ["1", "wake", "done"]);
    assert_eq!(words(3), ["2", "ring", "waits"]);
}

#[test]
fn a_new_prompt_is_told_to_those_alone_who_may_answer_it() {
    let mut game = game_with_asking_plan();
    let told = notices_beside_answer(&mut game, "gm", "toll Bo");
    let number = game::open_questions_for(game.solo.timeline(), "gm")[0]
        .number
        .clone();
    assert_eq!(
        told,
        [format!(
            "Bo: question {number}: Pay? (pay or refuse, else refuse) Type: answer {number} pay"
        )]
    );
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "mood ann"),
        [""; 0],
        "it is told once"
    );
    assert_eq!(notices_beside_answer(&mut game, "Ann", "toll Bo"), [""; 0]);
    let own = notices_beside_answer(&mut game, "Bo", "toll Bo");
    let number = game::open_questions_for(game.solo.timeline(), "Bo")[2]
        .number
        .clone();
    assert!(own[0].ends_with(&format!("answer {number} pay")), "{own:?}");
    assert_eq!(own.len(), 1, "{own:?}");
}

#[test]
fn a_new_question_ends_with_a_line_that_can_be_typed() {
    for (reply, example) in [
        ("Rest", "some words"),
        ("Text", "some words"),
        ("Integer", "3"),
        ("Person", "Ann"),
        ("YesNo", "yes"),
    ] {
        let home = home_with_asking_plan();
        let body = format!(
            "act:prompt {{ to = \"Bo\", key = \"toll\", type = \"{reply}\", text = \"What?\", run = \"commands/heard\" }}"
        );
        home.command("ask_free", &body);
        home.write(
            "scripts/mini/commands/heard.luau",
            "return command { source = \"tests\", summary = \"hears\", syntax = \"heard\",
               run = function(act, values, answer) return act:done(\"heard\") end }",
        );
        let mut game = Game::of_program(&home, "mini");
        let told = notices_beside_answer(&mut game, "gm", "ask_free");
        let (_, line) = told[0]
            .rsplit_once("Type: ")
            .expect("it says what to write");
        assert!(line.ends_with(&format!(" {example}")), "{reply}: {told:?}");
        assert_eq!(game.text(line), "heard", "{line}");
    }
}

#[test]
fn a_question_that_the_rule_told_itself_is_not_told_twice() {
    let home = home_with_asking_plan();
    home.command(
        "ask_aloud",
        "act:say(\"Bo\", \"Question: Pay?\")
    act:prompt { to = \"Bo\", key = \"toll\", options = { \"pay\", \"refuse\" }, default = \"refuse\",
      text = \"Pay?\", run = \"commands/paid\" }
    act:prompt { to = \"Ann\", key = \"toll\", options = { \"pay\", \"refuse\" }, default = \"refuse\",
      text = \"Pay?\", run = \"commands/paid\" }",
    );
    let mut game = Game::of_program(&home, "mini");
    let told = notices_beside_answer(&mut game, "gm", "ask_aloud");
    let open = game::open_questions_for(game.solo.timeline(), "gm");
    let numbers: Vec<&str> = open.iter().map(|one| one.number.as_str()).collect();
    assert_eq!(
        told,
        [
            format!(
                "Bo: question {0} (pay or refuse, else refuse) Type: answer {0} pay",
                numbers[0]
            ),
            format!(
                "Ann: question {0}: Pay? (pay or refuse, else refuse) Type: answer {0} pay",
                numbers[1]
            ),
        ],
        "what Bo was told is no news for Bo, but for Ann it is"
    );
}

#[test]
fn what_an_undo_opens_again_is_told_again() {
    let mut game = game_with_asking_plan();
    game.text("set ann asks true");
    notices_beside_answer(&mut game, "gm", "next");
    assert_eq!(
        notices_beside_answer(&mut game, "gm", "answer yes"),
        [""; 0]
    );
    let told = notices_beside_answer(&mut game, "gm", "undo");
    let number = game::open_questions_for(game.solo.timeline(), "gm")[0]
        .number
        .clone();
    assert_eq!(
        told,
        [format!(
            "Bo: question {number}: Ring? (yes or no) Type: answer {number} yes"
        )]
    );
    notices_beside_answer(&mut game, "gm", "undo");
    assert!(notices_beside_answer(&mut game, "gm", "redo")[0].contains("Ring?"));
}

#[test]
fn many_new_questions_are_counted() {
    let mut game = game_with_asking_plan();
    let told = notices_beside_answer(&mut game, "gm", "toll Bo 10 times");
    assert_eq!(told.len(), 9);
    assert_eq!(
        told[8],
        "gm: 2 more questions are open; `questions` lists them"
    );
}

#[test]
fn a_refusal_repeats_the_question_that_waits_for_whoever_is_refused() {
    let mut game = game_with_asking_plan();
    notices_beside_answer(&mut game, "gm", "toll Bo 1 times");
    let asked = "Bo: question ";
    for by in ["gm", "Bo"] {
        for line in [
            "foo",
            "answer nonsense",
            "always nonsense yes",
            "charm Nobody",
        ] {
            let told = notices_beside_refusal(&mut game, by, line);
            assert!(
                told.iter().any(|one| one.starts_with(asked)),
                "{by} {line}: {told:?}"
            );
        }
    }
    assert_eq!(
        notices_beside_refusal(&mut game, "Ann", "foo"),
        [""; 0],
        "it is not for Ann"
    );
    notices_beside_answer(&mut game, "gm", "toll Bo 1 times");
    assert_eq!(
        notices_beside_refusal(&mut game, "gm", "foo"),
        [""; 0],
        "two wait, and none for the game master"
    );
    assert_eq!(notices_beside_refusal(&mut game, "Bo", "foo").len(), 2);
}
