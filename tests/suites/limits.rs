//! Tests the limits of the host: each at its value, one below, one above, and inside `pcall`.

mod time;

use std::time::Duration;

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::game::ReplayComparison;
use host::script::{EngineOptions, Limits};
use host::value::{Value, write_value};

/// A limit for scripts; `N` in the body is replaced by the requested amount.
struct LimitCase {
    what: String,
    most: usize,
    code: String,
    body: String,
    /// Whether `pcall` can catch the refusal; limits of the machine cannot be caught.
    is_caught: bool,
}

/// Reads the cases in `limits/quotas.luau`: `--- what: most`, `--> code`, and a body; `--!
/// uncaught` marks limits of the machine.
fn read_limit_cases() -> Vec<LimitCase> {
    let text = include_str!("limits/quotas.luau");
    let parts = text.split("\n--- ").skip(1);
    let quotas = parts.map(|part| {
        let (head, rest) = part.split_once('\n').expect("a quota has lines");
        let (what, most) = head.split_once(": ").expect("a quota names its number");
        let most = if most == "CELL" {
            max_cell_text_length()
        } else {
            most.replace('_', "").parse().expect("a number")
        };
        let code = rest
            .lines()
            .find_map(|line| line.strip_prefix("--> "))
            .expect("a quota names its code");
        let body: Vec<&str> = rest
            .lines()
            .filter(|line| !line.starts_with("--"))
            .collect();
        LimitCase {
            what: what.to_owned(),
            most,
            code: code.to_owned(),
            body: body.join("\n"),
            is_caught: !rest.contains("--! uncaught"),
        }
    });
    quotas.collect()
}

/// Returns the text of a command, or the code of its refusal; its changes are taken back.
fn printed_or_refusal_code(game: &mut Game, line: &str) -> Result<String, String> {
    let reply = game.line(line);
    if reply.op.is_some() {
        game.undo();
    }
    match reply.refusal {
        Some(refusal) => Err(refusal.code.to_string()),
        None => Ok(reply.printed.lines.join(" ")),
    }
}

/// Returns the length of the longest text in a cell; its canonical form begins with a kind and a
/// length.
fn max_cell_text_length() -> usize {
    let form = |length: usize| {
        let mut bytes = Vec::new();
        write_value(&mut bytes, &Value::text("x".repeat(length)));
        bytes.len()
    };
    (4_000..4_096)
        .rev()
        .find(|length| form(*length) <= 4_096)
        .expect("some text fits into a cell")
}

#[test]
fn a_command_writes_16_mib_and_what_was_accepted_once_is_verified() {
    on_game_thread(|| {
        let home = Scratch::mini();
        // Each row has 255 texts of 4,000 bytes, slightly less than 1 MiB.
        let filled = "local body = string.rep('x', 4000)
            for row = 1, ROWS do
              local letter = act:create('letter', {}, 'letter' .. row)
              for line = 1, 255 do act:set(letter, 'line' .. line, body) end
            end";
        let filled = |rows: &str| filled.replace("ROWS", rows);
        home.command("fill", &filled("16"));
        home.command("overfill", &filled("17"));
        home.command("pass", "act:set('ann', 'hp', 1)");
        let mut game = Game::of(&home);
        let before = game.solo.timeline().state().hash();
        let refusal = game.line("overfill").refusal.expect("there is no room");
        assert_eq!(
            (&*refusal.code, &*refusal.message, &*refusal.hints[0]),
            (
                "limit/size",
                "a command may write 16 MiB, and this would be more; most is in 17 rows of the kind \"letter\" (16 MiB)",
                "do it in several commands"
            )
        );
        let place = refusal.place.as_ref().expect("it has a place");
        assert!(place.source.name().ends_with("overfill.luau"));
        assert_eq!(game.solo.timeline().state().hash(), before);
        let number = game.last_operation().seq;
        assert_eq!(game.solo.verify_operation(number), ReplayComparison::Same);
        assert!(game.line("fill").refusal.is_none());
        assert!(game.line("pass").refusal.is_none());
        game.undo();
        game.undo();
        // Earlier versions had no such limit.
        let then = game
            .solo
            .run_as_line(("gm", "overfill"), |timeline, ruling| {
                host::game::give_line_for_seat(
                    timeline,
                    &ruling.with_checks_of_the_past(),
                    "ann",
                    "overfill",
                )
            });
        assert!(then.refusal.is_none());
        let number = game.last_operation().seq;
        assert_eq!(game.solo.verify_operation(number), ReplayComparison::Same);
        assert!(game.line("pass").refusal.is_none());
    });
}

#[test]
fn each_limit_holds_at_its_value_one_below_and_one_above() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let quotas = read_limit_cases();
        for (index, quota) in quotas.iter().enumerate() {
            for (step, wanted) in [quota.most - 1, quota.most, quota.most + 1]
                .into_iter()
                .enumerate()
            {
                let body = quota.body.replace('N', &wanted.to_string());
                home.command(&format!("plain-{index}-{step}"), &body);
                let caught = format!("local ok = pcall(function()\n{body}\nend)\nprint(ok)");
                home.command(&format!("caught-{index}-{step}"), &caught);
            }
        }
        let mut game = Game::mini_with_limits(&home, Limits::default(), true);
        assert_eq!(game.findings(), "");
        let before = game.hash();
        for (index, quota) in quotas.iter().enumerate() {
            for step in 0..3 {
                let (plain, caught) = (
                    format!("plain {index} {step}"),
                    format!("caught {index} {step}"),
                );
                let what = format!("{}, {step}", quota.what);
                let (plain, caught) = (
                    printed_or_refusal_code(&mut game, &plain),
                    printed_or_refusal_code(&mut game, &caught),
                );
                match (step < 2, quota.is_caught) {
                    (true, _) => assert_eq!(
                        (plain, caught),
                        (Ok(String::new()), Ok("true".to_owned())),
                        "{what}"
                    ),
                    (false, true) => {
                        assert_eq!(
                            (plain, caught),
                            (Err(quota.code.clone()), Ok("false".to_owned())),
                            "{what}"
                        );
                    }
                    (false, false) => {
                        let refused = Err(quota.code.clone());
                        assert_eq!((plain, caught), (refused.clone(), refused), "{what}");
                    }
                }
                assert_eq!(game.hash(), before, "{}: {step}", quota.what);
            }
        }
    });
}

#[test]
fn the_numbers_are_those_of_the_promise() {
    let limits = Limits::default();
    let factor = if cfg!(debug_assertions) { 10 } else { 1 };
    assert_eq!(
        (limits.fuel_callback, limits.fuel_command),
        (2_000_000, 10_000_000)
    );
    assert_eq!(
        limits.time_callback,
        Some(Duration::from_millis(250 * factor))
    );
    assert_eq!(
        limits.time_command,
        Some(Duration::from_millis(1_000 * factor))
    );
    assert_eq!(
        (limits.memory, limits.depth, limits.source),
        (64 << 20, 150, 256 << 10)
    );
    let replay = limits.for_replay();
    assert_eq!(
        (replay.time_callback, replay.time_command, replay.memory),
        (None, None, 128 << 20)
    );
    assert_eq!(replay.fuel_callback, limits.fuel_callback, "fuel decides");
}

#[test]
fn fuel_is_exact() {
    on_game_thread(|| {
        for raw in [true, false] {
            let home = Scratch::mini();
            home.command("burn-a", "for _ = 1, 1000 do end");
            let mut game = Game::mini_with_engine(
                &home,
                EngineOptions {
                    raw,
                    ..EngineOptions::default()
                },
            );
            game.text("burn a");
            let around = game.solo.session.generations().live().machine().fuel_used() - 1_000;
            let fuel = if raw { 2_000_000 } else { 50_000 };
            home.command(
                "burn-b",
                &format!("for _ = 1, {} do end", fuel - around - 1),
            );
            home.command("burn-c", &format!("for _ = 1, {} do end", fuel - around));
            home.command(
                "burn-d",
                &format!(
                    "pcall(function() for _ = 1, {fuel} do end end)\nact:set(\"ann\", \"mood\", 9)"
                ),
            );
            let mut game = mini_with_fuel(&home, fuel, raw);
            game.text("burn b");
            assert_eq!(
                game.solo.session.generations().live().machine().fuel_used(),
                fuel - 1
            );
            for line in ["burn c", "burn d"] {
                assert_eq!(game.refusal(line).code, "limit/fuel");
                assert_eq!(
                    game.solo.session.generations().live().machine().fuel_used(),
                    fuel,
                    "{line}"
                );
            }
        }
    });
}

fn mini_with_fuel(home: &Scratch, fuel: u64, raw: bool) -> Game {
    let limits = Limits {
        fuel_callback: fuel,
        fuel_command: 5 * fuel,
        ..Limits::default()
    };
    Game::mini_with_limits(home, limits, raw)
}

#[test]
fn all_calls_of_a_command_share_its_fuel() {
    on_game_thread(|| {
        let home = Scratch::mini();
        // Each call uses nearly all of its own fuel and calls the next one.
        home.command(
            "burn",
            "local function deeper()
  dice.fold({ 1 }, 0, function()
    for _ = 1, 190000 do end
    deeper()
    return 0, 0
  end)
end
pcall(deeper)",
        );
        let mut game = mini_with_fuel(&home, 200_000, true);
        assert_eq!(game.refusal("burn").code, "limit/fuel");
        assert_eq!(
            game.solo.session.generations().live().machine().fuel_used(),
            1_000_000
        );
    });
}

#[test]
fn memory_ends_at_its_limit() {
    on_game_thread(|| {
        let home = Scratch::mini();
        for (name, mebibytes) in [("some", 56), ("more", 65)] {
            let body = format!(
                "local kept = {{}}\nfor index = 1, {mebibytes} do\n  kept[index] = buffer.create(1048576)\nend\nreturn tostring(#kept)"
            );
            home.command(name, &body);
        }
        let mut game = Game::of(&home);
        for _ in 0..3 {
            assert_eq!(game.text("some"), "56");
            assert_eq!(game.refusal("more").code, "limit/memory");
            assert!(
                game.solo
                    .session
                    .generations()
                    .live()
                    .machine()
                    .memory_used()
                    < 48 << 20,
                "what is left is collected"
            );
        }
    });
}

#[test]
fn what_is_printed_is_kept_within_its_limits_and_counted_beyond() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("lines", "for index = 1, 600 do\n  print(index)\nend");
        home.command("long", "print(string.rep(\"ä\", 100000), \"unseen\")\nprint(string.rep(\"x\", 4096))\nprint(string.rep(\"x\", 4097))");
        home.command(
            "much",
            "for _ = 1, 20 do\n  print(string.rep(\"x\", 4000))\nend",
        );
        home.command("after", "while true do\n  print(\"again\")\nend");
        let mut game = Game::of(&home);
        let printed = game.line("lines").printed;
        assert_eq!((printed.lines.len(), printed.left_out), (500, 100));
        assert_eq!(printed.lines.last().map(String::as_str), Some("500"));
        let printed = game.line("long").printed;
        let sizes: Vec<usize> = printed.lines.iter().map(String::len).collect();
        assert_eq!(
            sizes,
            [4_096 + 3, 4_096, 4_096 + 3],
            "cut at a whole letter, and marked"
        );
        assert!(printed.lines[0].ends_with("ä…"));
        let printed = game.line("much").printed;
        assert_eq!((printed.lines.len(), printed.left_out), (16, 4), "64 KiB");
        let reply = game.line("after");
        assert_eq!(
            reply.printed.lines.len(),
            500,
            "also when the command is refused"
        );
        assert!(reply.printed.left_out > 1_000);
        assert_eq!(
            game.line("mood ann").printed.lines.len(),
            0,
            "each command has its own"
        );
    });
}

#[test]
fn an_error_text_is_cut_and_so_is_its_trace() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("long", "error(string.rep(\"ä\", 100000), 0)");
        home.command("deep", "local function deeper(n)\n  if n == 0 then\n    error(\"deep\")\n  end\n  deeper(n - 1)\n  return nil\nend\ndeeper(100)");
        home.command(
            "reason",
            "return act:fail(\"long\", string.rep(\"x\", 100000), string.rep(\"y\", 100000))",
        );
        home.command("named", "act:find({ [string.rep(\"x\", 50000)] = 1 })");
        let mut game = Game::of(&home);
        for line in ["long", "reason", "named"] {
            let refusal = game.refusal(line);
            assert!(
                refusal.message.len() < 2_048 + 64,
                "{line}: {} bytes",
                refusal.message.len()
            );
            assert!(
                refusal.hints.iter().all(|hint| hint.len() < 2_048 + 64),
                "{line}"
            );
        }
        let frames = game.refusal("deep").trace.len();
        assert!((10..=20).contains(&frames), "{frames}");
    });
}

#[test]
fn a_line_has_at_most_8_kib() {
    on_game_thread(|| {
        let mut game = Game::mini();
        for (bytes, code) in [
            (8_191, "phrase/"),
            (8_192, "phrase/"),
            (8_193, "limit/size"),
        ] {
            let line = format!("mood {}", "x".repeat(bytes - 5));
            assert!(game.refusal(&line).code.starts_with(code), "{bytes}");
        }
        let comment = format!("= 1 --{}", "x".repeat(8_192 - 6));
        assert_eq!(game.text(&comment), "1");
        for control in [
            "mood ann\0",
            "mood\u{1b}[2J ann",
            "mood \u{7f}ann",
            "mood \u{85}ann x",
        ] {
            assert_eq!(
                game.refusal(control).code,
                "phrase/control-character",
                "{control:?}"
            );
        }
    });
}

#[test]
fn a_value_that_the_prompt_shows_has_at_most_64_kib() {
    on_game_thread(|| {
        let mut game = Game::mini();
        assert!(game.text("= string.rep('x', 65536)").starts_with("xxx"));
        assert_eq!(
            game.refusal("= string.rep('x', 65537)").code,
            "limit/output"
        );
        assert_eq!(
            game.refusal("= table.unpack(table.create(7000, string.rep('x', 1048576)))")
                .code,
            "limit/output"
        );
    });
}

#[test]
fn a_die_explodes_at_most_a_hundred_times() {
    on_game_thread(|| {
        let mut game = Game::mini();
        let refusal = game.refusal("throw 1d1000!>=2");
        assert_eq!(refusal.code, "limit/dice", "{}", refusal.message);
        assert!(
            refusal.message.contains("explodes more than 100 times"),
            "{}",
            refusal.message
        );
        assert_eq!(game.refusal("throw 1d1!").code, "dice/endless");
    });
}

#[test]
fn work_that_ends_in_a_refusal_is_charged_too() {
    on_game_thread(|| {
        let home = Scratch::mini();
        for (name, call, least) in [
            ("odds", "dice.distribution(\"400d400kh200\")", 2_000),
            ("wrong", "act:get(1, 2)", 100),
            ("missing", "act:get(\"nobody\", \"mood\")", 100),
            (
                "value",
                "act:set(\"ann\", \"note\", table.create(9000, true))",
                2_000,
            ),
            (
                "said",
                "act:say(\"gm\", table.create(100000, { x = 1 }))",
                10_000,
            ),
            (
                "texts",
                "fuzzy.near(\"x\", table.create(9000, \"y\"))",
                2_000,
            ),
        ] {
            let name = &format!("cost {name}");
            home.command(
                &name.replace(' ', "-"),
                &format!("pcall(function()\n{call}\nend)\nreturn act:done(\"done\")"),
            );
            let mut game = Game::mini_with_limits(&home, Limits::default(), true);
            game.text(name);
            let used = game.solo.session.generations().live().machine().fuel_used();
            assert!(used >= least, "{name}: {used} units");
        }
    });
}
