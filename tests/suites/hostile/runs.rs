//! Tests attacks of a hostile script from one run to the next, and from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arbiter_tests::{Game, Scratch, on_game_thread, run_while_repeating};
use host::script::{Compiled, EngineOptions, Limits};

#[test]
fn an_act_that_was_kept_is_dead_in_the_next_run() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.write(
            "scripts/mini/pipeline/kept.luau",
            "local kept = {}\nreturn { keep = function(act) kept[1] = act end, give = function() return kept[1] end }",
        );
        home.command(
            "keep",
            "require(\"pipeline/kept\").keep(act)\nreturn \"kept\"",
        );
        home.command(
            "use",
            "return tostring(require(\"pipeline/kept\").give():get(\"ann\", \"mood\"))",
        );
        home.command(
            "use-all",
            "local old = require(\"pipeline/kept\").give()
local done = 0
for _, call in {
  function() old:get(\"ann\", \"mood\") end, function() old:get_decimal(\"ann\", \"mood\") end, function() old:base(\"ann\", \"mood\") end,
  function() old:set(\"ann\", \"mood\", 9) end, function() old:add(\"ann\", \"mood\", 1) end, function() old:create(\"thing\") end,
  function() old:remove(\"ann\") end, function() old:exists(\"ann\") end, function() old:attach(\"ann\", \"mark\") end,
  function() old:row(\"ann\") end, function() old:stat(\"ann\", \"mood\") end, function() old:find({ kind = \"person\" }) end, function() old:kinds() end,
  function() old:roll(\"1d6\") end, function() old:roll_tree(\"1d6\") end, function() old:draw({ 6 }) end,
  function() old:pick({ \"a\" }, \"x\") end, function() old:shuffle({ \"a\" }, \"x\") end, function() old:say(\"gm\", \"x\") end,
  function() old:done(\"x\") end, function() old:fail(\"x\", \"x\") end, function() old:by() end,
} do
  done += if pcall(call) then 1 else 0
end
return tostring(done)",
        );
        let mut game = Game::of(&home);
        assert_eq!(game.text("keep"), "kept");
        assert_eq!(game.refusal("use").code, "script/dead-act");
        assert_eq!(game.text("use all"), "0");
        let swapped = home.write("scripts/mini/views/none.luau", "return {}");
        swapped.command("other", "return \"other\"");
        game.solo.session.reload(Compiled::default());
        assert_eq!(game.text("other"), "other");
    });
}

#[test]
fn a_query_changes_nothing_and_rolls_nothing() {
    on_game_thread(|| {
        let home = Scratch::mini();
        for (name, body) in [
            ("write", "act:set(\"ann\", \"mood\", 9)"),
            ("make", "act:create(\"thing\")"),
            ("attach", "act:attach(\"ann\", \"mark\")"),
            ("remove", "act:remove(\"ann\")"),
            ("roll", "act:roll(\"1d6\")"),
            ("draw", "act:roll_faces({ 6 })"),
            ("pick", "act:pick({ \"a\" }, \"x\")"),
            (
                "lay",
                "require(\"pipeline/laying\").lay(act, \"ann\", \"cheer\")",
            ),
        ] {
            let text = format!(
                "return command {{ source = \"x\", summary = \"x\", syntax = \"try {name}\", query = true, run = function(act)\n{body}\nend }}"
            );
            home.write(&format!("scripts/mini/commands/try_{name}.luau"), text);
            let caught = format!(
                "return command {{ source = \"x\", summary = \"x\", syntax = \"catch {name}\", query = true, run = function(act)\npcall(function()\n{body}\nend)\nreturn act:done(\"went on\")\nend }}"
            );
            home.write(&format!("scripts/mini/commands/catch_{name}.luau"), caught);
        }
        let mut game = Game::of(&home);
        let (hash, operations) = (
            game.hash(),
            game.solo.timeline().history().operations().len(),
        );
        for name in [
            "write", "make", "attach", "remove", "roll", "draw", "pick", "lay",
        ] {
            assert_eq!(
                game.refusal(&format!("try {name}")).code,
                "script/read-only",
                "{name}"
            );
            assert_eq!(game.text(&format!("catch {name}")), "went on", "{name}");
        }
        assert_eq!(game.hash(), hash);
        assert_eq!(
            game.solo.timeline().history().operations().len(),
            operations,
            "queries are not recorded"
        );
    });
}

#[test]
fn state_that_a_script_keeps_shows_when_it_runs_twice() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.write(
            "scripts/mini/commands/count.luau",
            "local count = 0\nreturn command { source = \"x\", summary = \"x\", syntax = \"count\", run = function(act)\ncount += 1\nreturn act:done(`{count}`)\nend }",
        );
        let mut game = Game::of(&home);
        let hash = game.hash();
        let (first, _) = (game.text("count"), game.undo());
        let (second, _) = (game.text("count"), game.undo());
        assert_ne!(first, second, "the host cannot hide it");
        assert_eq!(game.hash(), hash, "but the state never sees it");
        let found = host::game::check_ruleset(&home.home(), "mini", &[])
            .expect("it can be checked")
            .findings;
        let codes: Vec<&str> = found.iter().map(|finding| &*finding.code).collect();
        assert_eq!(codes, ["script/keeps-state"], "and the check says so");
    });
}

#[test]
fn another_thread_ends_a_script() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.command("linger", "act:set(\"ann\", \"mood\", 9)\nwhile true do\n  pcall(function() while true do end end)\nend");
        let interrupt: Arc<AtomicBool> = Arc::default();
        let limits = Limits {
            fuel_callback: u64::MAX / 4,
            fuel_command: u64::MAX / 2,
            ..Limits::default()
        };
        let options = EngineOptions {
            limits,
            interrupt: Arc::clone(&interrupt),
            ..EngineOptions::default()
        };
        let mut game = Game::mini_with_engine(&home, options);
        let hash = game.hash();
        // A command clears an earlier interrupt when it begins, so the interrupt is repeated until
        // it is noticed.
        let interrupting = || {
            interrupt.store(true, Ordering::Relaxed);
            std::thread::yield_now();
        };
        let refusal = run_while_repeating(interrupting, || game.refusal("linger"));
        assert_eq!(refusal.code, "limit/interrupted");
        assert_eq!(game.hash(), hash);
    });
}

#[test]
fn a_spent_machine_is_built_anew_although_the_files_are_broken_by_now() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.write(
            "scripts/mini/commands/hoard.luau",
            "local kept = {}\nreturn command { source = \"x\", summary = \"x\", syntax = \"hoard\", run = function()\nwhile true do\ntable.insert(kept, buffer.create(1000000))\nend\nend }",
        );
        home.command("work", "return tostring(#table.create(900000, true))");
        let mut game = Game::of(&home);
        home.write("scripts/mini/commands/work.luau", "this is no script");
        for _ in 0..3 {
            assert_eq!(game.refusal("hoard").code, "limit/memory");
            assert_eq!(game.text("work"), "900000");
        }
        assert!(
            game.solo
                .session
                .generations()
                .live()
                .machine()
                .memory_used()
                < 48 << 20
        );
    });
}

#[test]
fn many_names_are_still_the_right_names() {
    on_game_thread(|| {
        let home = Scratch::mini();
        // More names than the fast path has atoms.
        home.command("look", "for index = 1, 40000 do\n  act:exists(`nobody{index}`)\nend\nreturn tostring(act:exists(\"ann\"))");
        home.command(
            "make",
            "for index = 1, 300 do\n  act:create(\"thing\", { size = index }, `thing-{index}`)\nend\nreturn tostring(act:get(\"thing-7\", \"size\"))",
        );
        let mut game = Game::of(&home);
        assert_eq!(game.text("look"), "true");
        assert_eq!(game.text("make"), "7");
        assert_eq!(game.text("mood ann"), "Ann feels 4.");
    });
}

#[test]
fn a_hundred_generations_leave_nothing_in_the_machine() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = Game::of(&home);
        let mut sizes = Vec::new();
        for number in 0..100 {
            home.write(
                "scripts/mini/pipeline/note.luau",
                format!("return {{ number = {number} }}"),
            );
            game.solo.session.reload(Compiled::default());
            game.text("mood ann");
            sizes.push(
                game.solo
                    .session
                    .generations()
                    .live()
                    .machine()
                    .memory_used(),
            );
        }
        let (early, late) = (sizes[1], sizes[99]);
        assert!(late * 10 <= early * 11, "from {early} to {late} bytes");
    });
}
