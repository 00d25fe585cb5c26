//! Gives bad input to a game. Each input is refused with its reason, nothing of it is stored, and
//! the game continues.
//!
//! Every case is played twice. In a session the state must keep its hash. The program must answer
//! the next command.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;
use host::game;
use host::store::What;
use serde_json::Value as Json;

use super::program::{arbiter_in_project, run_lines};

/// A line that is refused, after lines that are accepted. A seat and a colon before a line name its
/// sender.
struct BadLine {
    before: &'static [&'static str],
    line: &'static str,
    code: &'static str,
    /// A text that the message or a hint contains.
    says: &'static str,
}

fn bad_line(line: &'static str, code: &'static str, says: &'static str) -> BadLine {
    bad_line_after(&[], line, code, says)
}

fn bad_line_after(
    before: &'static [&'static str],
    line: &'static str,
    code: &'static str,
    says: &'static str,
) -> BadLine {
    BadLine {
        before,
        line,
        code,
        says,
    }
}

/// Returns the sender of a line, and the line.
fn seat_and_line(line: &str) -> (&str, &str) {
    ["Ann", "Bo"]
        .into_iter()
        .find_map(|seat| Some((seat, line.strip_prefix(seat)?.strip_prefix(": ")?)))
        .unwrap_or(("gm", line))
}

fn assert_all_refused(home: &Scratch, cases: &[BadLine]) {
    for case in cases {
        assert_refused_in_session(home, case);
        assert_refused_by_program(home, case);
    }
}

fn assert_refused_in_session(home: &Scratch, case: &BadLine) {
    let mut game = Game::of_program(home, "mini");
    for line in case.before {
        let (by, line) = seat_and_line(line);
        let reply = game.solo.submit(by, line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    }
    let (before, live) = (
        game.hash(),
        game.solo.timeline().history().live_operations().count(),
    );
    let (by, line) = seat_and_line(case.line);
    let refusal = game.solo.submit(by, line).refusal;
    let refusal = refusal.unwrap_or_else(|| panic!("{line} was answered"));
    assert_code_and_message(case, &refusal);
    assert_eq!(game.hash(), before, "{line} left something behind");
    assert_eq!(
        game.solo.timeline().history().live_operations().count(),
        live,
        "{line}"
    );
    assert_eq!(game.text("mood cem"), "Cem feels 7.", "after {line}");
}

fn assert_code_and_message(case: &BadLine, refusal: &Diagnostic) {
    assert_eq!(refusal.code, case.code, "{}: {refusal:?}", case.line);
    let told = format!("{}\n{}", refusal.message, refusal.hints.join("\n"));
    assert!(told.contains(case.says), "{}: {told}", case.line);
}

fn assert_refused_by_program(home: &Scratch, case: &BadLine) {
    let lines = case.before.iter().chain([&case.line]).map(|line| {
        let (by, line) = seat_and_line(line);
        format!("as {by}\n{line}\n")
    });
    let lines: String = lines.chain(["as gm\nmood cem\n".to_owned()]).collect();
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", "mini", "--format", "json"]);
    command.args(["--keep-going", "--seed", "x", "--home"]);
    let (exit, objects, talk) = run_lines(command.arg(home.path()), lines);
    let refused: Vec<&Json> = objects
        .iter()
        .filter(|one| one["error"].is_object())
        .collect();
    assert_eq!(refused.len(), 1, "{}: {objects:?} {talk}", case.line);
    assert_eq!(refused[0]["error"]["code"], case.code, "{}", case.line);
    assert_ne!(exit, 0, "{}", case.line);
    let last = objects.last().expect("the last command is answered");
    assert_eq!(last["text"], "Cem feels 7.", "after {}", case.line);
}

/// Returns the toy ruleset with one more person, whom no case changes.
fn home_with_cem() -> Scratch {
    let home = Scratch::with_listener_collections();
    home.write(
        "content/mini/people/cem.yaml",
        "source: bad input\nname: Cem\nmood: 7\n",
    );
    home
}

#[test]
fn words_and_values_that_cannot_be_are_refused() {
    let cases = [
        bad_line("chram Ann with cheer", "phrase/no-match", "charm"),
        bad_line("charm Ann with chear", "phrase/unknown-name", "cheer"),
        bad_line("set ann mood high", "E_VALUE", "a number"),
        bad_line(
            "set ann mood 1000000000000000",
            "E_VALUE",
            "at most 15 digits",
        ),
        bad_line(
            "set ann mood + 1000000000000000",
            "E_VALUE",
            "at most 15 digits",
        ),
        bad_line("set ann id 3", "E_FIXED", "the id that rules use"),
        bad_line("throw d0", "dice/bad-size", "not 0"),
        bad_line("throw 1000001d6", "dice/too-many", "dice"),
        bad_line("undo 3", "phrase/no-match", "undo"),
        bad_line(
            "restart 99999999999999999999",
            "ask/not-waiting",
            "no waiting ruling has the number \"99999999999999999999\"",
        ),
        bad_line(
            "view 99999999999999999999",
            "store/unknown-operation",
            "the log has no line 99999999999999999999",
        ),
        bad_line(
            "post 99999999999999999999",
            "post/unknown-line",
            "the log has no line 99999999999999999999",
        ),
        bad_line(
            "revert 99999999999999999999",
            "revert/no-number",
            "the log has no line 99999999999999999999",
        ),
        bad_line(
            "dispute 99999999999999999999 why",
            "dispute/no-line",
            "the log has no line 99999999999999999999",
        ),
        bad_line(
            "= act:find({ kind = 3, owner = 'ann' })",
            "script/argument",
            "the filter `kind` of `act:find` is a text, found a number",
        ),
        bad_line(
            "= act:find({ kind = 'person', where = 'mood' })",
            "script/argument",
            "is a table of fields and values, found a text",
        ),
        bad_line(
            "= act:set('ann', 'mood', 0/0)",
            "script/argument",
            "must be finite",
        ),
    ];
    on_game_thread(move || assert_all_refused(&home_with_cem(), &cases));
}

/// Each script changes the game before it fails.
#[test]
fn of_a_script_that_goes_wrong_nothing_is_kept() {
    let cases = [
        bad_line("wrong", "script/error", "no idea"),
        bad_line("busy", "limit/fuel", ""),
        bad_line("hungry", "limit/memory", ""),
        bad_line("wordy", "limit/output", ""),
        bad_line("noisy", "limit/fuel", ""),
        bad_line("endless", "limit/depth", ""),
    ];
    on_game_thread(move || {
        let home = home_with_cem();
        let first = "act:set('ann', 'mood', 9) act:attach('bo', 'mark') act:roll('1d20') act:say('public', 'half')";
        for (name, body) in [
            ("wrong", "error('no idea')"),
            (
                "busy",
                "pcall(function() while true do end end) while true do end",
            ),
            (
                "hungry",
                "local kept = {} while true do table.insert(kept, buffer.create(1048576)) end",
            ),
            (
                "wordy",
                "while true do act:say('public', string.rep('x', 60000)) end",
            ),
            ("noisy", "while true do print('again') end"),
            ("endless", "act:emit('bell')"),
        ] {
            home.command(name, &format!("{first}\n{body}"));
        }
        home.edit(
            "scripts/mini/ruleset.luau",
            "  types = {",
            "  events = { bell = { summary = \"a bell rings\" } },\n  types = {",
        );
        home.custom("echo", "bell = function(act) act:emit('bell') end");
        assert_all_refused(&home, &cases);
    });
}

#[test]
fn answers_that_nobody_waits_for_are_refused() {
    let duel: &[&str] = &["duel"];
    let cases = [
        bad_line(
            "Bo: answer yes",
            "answer/no-question",
            "Bo has no open question",
        ),
        bad_line_after(
            duel,
            "Ann: answer yes",
            "answer/no-question",
            "Ann has no open question",
        ),
        bad_line_after(duel, "answer 9.1 yes", "answer/no-question", "9.1"),
        bad_line_after(
            duel,
            "Bo: answer perhaps",
            "answer/wrong-type",
            "expected yes or no",
        ),
        bad_line_after(
            &["duel", "Bo: answer yes"],
            "Bo: answer yes",
            "answer/no-question",
            "Bo has no open question",
        ),
        bad_line_after(
            &["duel", "Bo: answer yes", "Ann: answer fast"],
            "Ann: answer fast",
            "answer/no-question",
            "Ann has no open question",
        ),
        bad_line_after(
            &["late", "wait 1m"],
            "Ann: answer yes",
            "answer/no-question",
            "Ann has no open question",
        ),
        bad_line_after(
            &["duel", "drop"],
            "Bo: answer yes",
            "answer/no-question",
            "Bo has no open question",
        ),
    ];
    on_game_thread(move || {
        let home = home_with_cem();
        home.command(
            "duel",
            "act:add('ann', 'mood', 1)
             local shield = act:ask({ to = 'Bo', key = 'shield', type = 'YesNo', text = 'Raise it?' })
             local how = act:ask({ to = 'Ann', key = 'how', options = { 'fast', 'strong' }, text = 'How?' })
             return `{shield} {how}`",
        );
        home.command(
            "late",
            "return `{act:ask({ to = 'Ann', key = 'k', type = 'YesNo', default = false, deadline = 10, text = 'Now?' })}`",
        );
        assert_all_refused(&home, &cases);
    });
}

#[test]
fn a_step_that_fails_leaves_nothing_of_its_plan_and_the_steps_before_it_stay() {
    let says = "this was step 2 of 2, \"rest\", of the plan \"dawn\"";
    let cases = [
        bad_line("next", "script/error", says),
        bad_line_after(&["step"], "step", "script/error", says),
        bad_line_after(&["step"], "next", "script/error", says),
    ];
    on_game_thread(move || {
        let home = home_with_cem();
        home.write(
            "scripts/mini/plans/dawn.luau",
            "return plan { source = \"x\", summary = \"a new day\", steps = {
               { name = \"wake\", run = function(act) act:add(\"ann\", \"mood\", 1) act:enqueue(\"bells\", { who = \"ann\" }) end },
               { name = \"rest\", run = function(act) act:set(\"bo\", \"mood\", 9) error(\"nobody rests\") end },
             } }",
        );
        assert_all_refused(&home, &cases);
    });
}

#[test]
fn what_would_go_on_for_ever_ends_with_its_chain() {
    let cases = [
        bad_line(
            "deep",
            "limit/depth",
            "chain of events: bell (customs/ping of customs/ping) -> echo (customs/pong",
        ),
        bad_line("wide", "limit/events", "handlers"),
        bad_line("refill", "limit/events", "adds a new entry each time"),
    ];
    on_game_thread(move || {
        let home = home_with_cem();
        home.edit(
            "scripts/mini/ruleset.luau",
            "  types = {",
            "  events = { bell = { summary = \"it rings\" }, echo = { summary = \"it comes back\" }, nod = { summary = \"a nod\" } },\n  types = {",
        );
        home.custom(
            "ping",
            "bell = function(act) act:add('ann', 'mood', 1) act:emit('echo') end",
        );
        home.custom(
            "pong",
            "echo = function(act) act:enqueue('later', {}) act:emit('bell') end",
        );
        home.custom("polite", "nod = function() end");
        home.command("deep", "pcall(act.emit, act, 'bell')");
        home.command(
            "wide",
            "act:set('bo', 'mood', 9) while true do act:emit('nod') end",
        );
        home.command(
            "refill",
            "act:enqueue('later', {}) act:drain('later', {}, function() act:add('ann', 'mood', 1) act:enqueue('later', {}) end)",
        );
        assert_all_refused(&home, &cases);
    });
}

#[test]
fn an_end_that_never_comes_is_no_end() {
    let cases = [
        bad_line("mark phase='dusk'", "clock/unknown-phase", "\"dusk\""),
        bad_line(
            "mark with='nobody'",
            "store/bad-ends",
            "there is no \"nobody\"",
        ),
        bad_line(
            "mark turn='start', of='nobody'",
            "store/bad-ends",
            "there is no \"nobody\"",
        ),
        bad_line(
            "mark turn='start', of='ann', nth=0",
            "store/bad-ends",
            "only its end can still come",
        ),
        bad_line("mark event='doom'", "script/unknown-event", "\"doom\""),
        bad_line("mark when='(1'", "store/bad-ends", "bracket"),
        bad_line("mark uses=0", "store/bad-ends", "1 or more"),
        bad_line("mark rounds=-1", "store/bad-ends", "1 or more"),
        bad_line("mark time=2^53-1", "store/bad-ends", "too far away"),
        bad_line("mark time=2^60", "store/bad-ends", "below 2^53"),
        bad_line("mark moon='full'", "store/bad-ends", "one of the keys"),
    ];
    on_game_thread(move || {
        let cases = cases.map(|case| {
            let ends = case.line.strip_prefix("mark ").expect("a mark");
            let line = format!("= act:attach('ann', 'mark', {{}}, {{ duration = {{ {ends} }} }})");
            BadLine {
                line: line.leak(),
                ..case
            }
        });
        assert_all_refused(&home_with_cem(), &cases);
    });
}

#[test]
fn a_poll_needs_voters_and_things_to_vote_for() {
    let open: &[&str] = &["poll tea by person: green, black"];
    let cases = [
        bad_line("poll tea by ghost: green, black", "poll/no-voters", "vote"),
        bad_line("poll tea by person: ", "phrase/no-match", "poll"),
        bad_line("Ann: vote green", "poll/none", "no poll is open"),
        bad_line_after(open, "Ann: vote red", "poll/unknown-option", "red"),
        bad_line_after(
            open,
            "poll tea by person: green, black",
            "poll/open-already",
            "tea",
        ),
        bad_line_after(
            &["poll tea by person: green, black", "close tea"],
            "Ann: vote green",
            "poll/none",
            "",
        ),
    ];
    on_game_thread(move || assert_all_refused(&home_with_cem(), &cases));
}

#[test]
fn time_never_goes_back() {
    let cases = [
        bad_line("wait -5s", "E_TIME", "-5s"),
        bad_line("wait soon", "E_TIME", "soon"),
        bad_line_after(
            &["wait 1h"],
            "= act:pass_time(-1)",
            "clock/time",
            "never goes back",
        ),
        bad_line_after(
            &["wait 1h"],
            "= act:pass_time(0.5)",
            "clock/time",
            "whole seconds",
        ),
        bad_line("= act:pass_time(2^60)", "clock/time", "whole seconds"),
        bad_line("= act:set('@clock', 'time', 0)", "script/no-row", "@clock"),
        bad_line("set @clock time 0", "phrase/no-match", "expected an entity"),
    ];
    on_game_thread(move || assert_all_refused(&home_with_cem(), &cases));
}

/// Returns whether the file permissions keep this process out; root can always read.
fn is_locked(home: &Scratch, path: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let place = home.path().join(path);
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o000)).unwrap();
    std::fs::read(place).is_err()
}

#[test]
fn files_that_cannot_be_taken_are_findings_and_the_others_are_played() {
    let home = home_with_cem();
    let command = |name: &str| format!("scripts/mini/commands/{name}.luau");
    home.write(&format!("{}/inner.txt", command("folder")), "");
    home.write(&command("bytes"), b"return command { \xff\xfe }");
    home.write(&command("long"), vec![b'-'; (256 << 10) + 1]);
    home.write("content/mini/people/dot.yaml", b"name: D\xf6t\n");
    home.write(&command("locked"), "return command {}");
    let mut expected = vec![
        ("content/mini/people/dot.yaml", "content/encoding"),
        ("scripts/mini/commands/bytes.luau", "content/encoding"),
        ("scripts/mini/commands/folder.luau", "content/path"),
    ];
    if is_locked(&home, &command("locked")) {
        expected.push(("scripts/mini/commands/locked.luau", "content/unreadable"));
    } else {
        home.remove(&command("locked"));
    }
    expected.push(("scripts/mini/commands/long.luau", "limit/size"));
    let mut check = arbiter_in_project();
    check.args(["check", "--format", "json", "--home"]);
    let (exit, objects, _) = run_lines(check.arg(home.path()), "");
    let found: Vec<(&str, &str)> = objects
        .iter()
        .map(|one| (one["path"].as_str().unwrap(), one["code"].as_str().unwrap()))
        .collect();
    assert_eq!((exit, found), (1, expected));
    let mut play = arbiter_in_project();
    play.args([
        "run",
        "-",
        "--ruleset",
        "mini",
        "--format",
        "json",
        "--home",
    ]);
    let (exit, objects, talk) = run_lines(play.arg(home.path()), "mood cem\n");
    assert_eq!((exit, objects.len()), (0, 1), "{talk}");
    assert_eq!(objects[0]["text"], "Cem feels 7.");
}

#[test]
fn a_script_of_commands_that_cannot_be_read_is_named() {
    let home = home_with_cem();
    home.write("lines/folder/inner.txt", "mood cem\n");
    home.write("lines/bytes.txt", b"mood \xff\xfe\n");
    home.write("lines/locked.txt", "mood cem\n");
    let mut cases = vec![("missing.txt", 2, "missing.txt"), ("folder", 2, "folder")];
    if is_locked(&home, "lines/locked.txt") {
        cases.push(("locked.txt", 2, "locked.txt"));
    }
    for (name, exit, said) in cases {
        let mut command = arbiter_in_project();
        command
            .args(["run", "--ruleset", "mini", "--home"])
            .arg(home.path());
        let output = command
            .arg(home.path().join("lines").join(name))
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(exit), "{name}: {talk}");
        assert!(talk.contains(said), "{talk}");
        assert!(output.stdout.is_empty(), "{name}");
    }
    let mut command = arbiter_in_project();
    command
        .args(["run", "--ruleset", "mini", "--format", "json", "--home"])
        .arg(home.path());
    let (exit, objects, _) = run_lines(command.arg(home.path().join("lines/bytes.txt")), "");
    assert_eq!((exit, objects.len()), (1, 1));
    assert_eq!(objects[0]["error"]["code"], "phrase/encoding");
}

/// Each shipped ruleset with lines that begin a game.
const OPENING_LINES_BY_RULESET: [(&str, &[&str]); 5] = [
    ("dungeon", &["new player Josh"]),
    ("features", &["encounter new The Frozen Ford"]),
    ("fortune", &[]),
    ("opend6", &["mage Ann"]),
    (
        "wwrf",
        &[
            "new game of Wolf, Seer, Villager, Villager with Ann, Bo, Cy, Dee anyway",
            "next",
        ],
    ),
];

/// Nonsense arguments to write after the first word of a command.
const NONSENSE_ARGUMENTS: [&str; 5] = [
    "zzqq 99",
    "\u{2603} of with",
    "Ann Ann Ann Ann",
    "-1 d0 (((",
    "yes no \"x",
];

/// A refusal by a rule becomes a line of the log; other refusals leave nothing.
#[test]
fn what_is_refused_in_the_shipped_games_leaves_state_and_typed_dice_as_they_were() {
    for (ruleset, lines) in OPENING_LINES_BY_RULESET {
        on_game_thread(move || {
            let home = Scratch::shipped(ruleset);
            let mut game = Game::of_program(&home, ruleset);
            for line in lines.iter().chain(&["dice next 3 5 1"]) {
                game.text(line);
            }
            let topics = game::help_topics(game.solo.timeline(), "gm").into_iter();
            let words: Vec<String> = topics.map(|(word, _)| word).collect();
            let mut refused = 0;
            for (word, nonsense) in words
                .iter()
                .flat_map(|word| NONSENSE_ARGUMENTS.map(|one| (word, one)))
            {
                let line = format!("{word} {nonsense}");
                let timeline = game.solo.timeline();
                let dice = game::waiting_hand_dice(timeline.state());
                let known = timeline.history().operations().len();
                let before = game.hash();
                assert_eq!(dice.len(), 3, "{ruleset}: {line}");
                if game.line(&line).refusal.is_none() {
                    if game.solo.timeline().history().operations().len() > known {
                        game.text("undo");
                    }
                    continue;
                }
                refused += 1;
                let timeline = game.solo.timeline();
                assert_eq!(game.hash(), before, "{ruleset}: {line}");
                assert_eq!(
                    game::waiting_hand_dice(timeline.state()),
                    dice,
                    "{ruleset}: {line}"
                );
                let new = &timeline.history().operations()[known..];
                let is_refused = |what: &What| matches!(what, What::Refused { .. });
                assert!(
                    new.len() < 2
                        && new
                            .iter()
                            .all(|one| is_refused(&one.what) && one.changes.is_empty()),
                    "{ruleset}: {line}"
                );
            }
            assert!(
                refused > 2 * words.len(),
                "{ruleset}: {refused} of {}",
                words.len()
            );
            game.assert_replays_same();
        });
    }
}
