//! Plants mistakes in rules, one at a time, and compares which parts of the commit check find each.
//!
//! The parts: findings when the rules load (`load`), refusals of a line (`refused`), running each
//! command of a transcript twice (`twice`), and the short determinism checks with long-lived
//! machines (`law/…`). Mistakes in the host itself are planted in its own tests.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::game;
use host::game::{Machines, Script, ScriptStep, Seed, check_laws_with_machines};

/// A mistake: its title, lines at file level, the body of the command `try`, lines that trigger it,
/// and the parts that find it.
type PlantedMistake = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
);

const ASK_SURE: &str = "act:ask({ to = 'gm', key = 'sure', type = 'YesNo', text = 'Sure?' })";

/// The mistakes; `ASKS` in a body is replaced by `ASK_SURE`.
const MISTAKES: [PlantedMistake; 16] = [
    (
        "counts its runs in an upvalue",
        "local count = 0",
        "count += 1 act:set('ann', 'mood', count)",
        &["try", "try"],
        "twice, law/reload, law/twice",
    ),
    (
        "keeps who came first",
        "local first = nil",
        "first = first or act:by() return first",
        &["Ann: try", "Bo: try"],
        "law/reload, law/twice",
    ),
    (
        "remembers that it asked",
        "local first = nil",
        "if first then return 'again' end local yes = ASKS first = true return tostring(yes)",
        &["try", "answer yes", "try"],
        "law/reload, law/twice",
    ),
    (
        "numbers what it asks",
        "local count = 0",
        "count += 1 local yes = ASKS return `{yes} {count}`",
        &["try", "answer yes"],
        "law/resume, law/reload, law/twice",
    ),
    (
        "collects names in a table at file level",
        "local seen = {}",
        "seen[act:by()] = true local n = 0 for _ in ordered.pairs(seen) do n += 1 end return `{n}`",
        &["Ann: try", "Bo: try"],
        "law/reload",
    ),
    (
        "reads a value from a cache that nothing makes stale",
        "local cache = {}",
        "cache.ann = cache.ann or act:get('ann', 'mood') return `{cache.ann}`",
        &["try", "set Ann mood 7", "try"],
        "law/reload, law/twice",
    ),
    (
        "keeps a coroutine between runs",
        "local step = coroutine.wrap(function() local n = 0 while true do n += 1 coroutine.yield(n) end end)",
        "return `{step()}`",
        &["try", "try"],
        "load script/error, refused phrase/no-match",
    ),
    (
        "counts in a buffer",
        "local bytes = buffer.create(4)",
        "buffer.writeu32(bytes, 0, buffer.readu32(bytes, 0) + 1) return `{buffer.readu32(bytes, 0)}`",
        &["try", "try"],
        "twice, law/reload, law/twice",
    ),
    (
        "keeps the hand of an earlier ruling and writes with it",
        "local hand = nil",
        "hand = hand or act hand:set('ann', 'mood', 9) return 'set'",
        &["try", "try"],
        "refused script/dead-act, twice, law/reload",
    ),
    (
        "keeps a closure over an earlier ruling",
        "local earlier = nil",
        "local mood = act:get('ann', 'mood') earlier = earlier or function() return mood end return `{earlier()}`",
        &["try", "set Ann mood 7", "try"],
        "law/reload, law/twice",
    ),
    (
        "counts only what is refused",
        "local count = 0",
        "count += 1 return act:fail('no', `no {count}`)",
        &["try", "try"],
        "refused mini/no, twice, law/reload, law/twice",
    ),
    (
        "skips the question when it was asked before",
        "local asked = {}",
        "local yes = asked[act:by()] if yes == nil then yes = ASKS asked[act:by()] = yes end return tostring(yes)",
        &["try", "answer yes", "try"],
        "law/reload, law/twice",
    ),
    (
        "asks the clock",
        "",
        "return `{os.clock()}`",
        &["try"],
        "refused script/error",
    ),
    (
        "asks chance that no address names",
        "",
        "return `{math.random(6)}`",
        &["try"],
        "refused script/error",
    ),
    (
        "walks what lies in no order",
        "",
        "local all, text = {}, '' for i = 1, 20 do all[{}] = i end for _, i in pairs(all) do text ..= ` {i}` end return text",
        &["try", "try"],
        "refused script/argument",
    ),
    (
        "sets a global",
        "",
        "seen = (seen or 0) + 1 return `{seen}`",
        &["try", "try"],
        "refused script/global",
    ),
];

fn script_step(line: &&str) -> ScriptStep {
    let (by, line) = line.split_once(": ").unwrap_or(("gm", line));
    ScriptStep::line(by, line)
}

/// Returns the parts of the check that find the mistake in rules with this command.
fn checks_that_find(above: &str, body: &str, lines: &[&str]) -> String {
    let home = Scratch::mini();
    home.impure_command("try", above, &body.replace("ASKS", ASK_SURE));
    let mut game = Game::of_program(&home, "mini");
    let findings = game.solo.session.generations().live().findings().iter();
    let mut all: Vec<String> = findings.map(|one| format!("load {}", one.code)).collect();
    let mut twice = None;
    for one in lines.iter().map(script_step) {
        let ScriptStep::Line { by, line } = one else {
            continue;
        };
        let (reply, finding) = game::submit_twice(&mut game.solo, &by, &line);
        twice = twice.or(finding);
        all.extend(reply.refusal.map(|one| format!("refused {}", one.code)));
    }
    all.extend(twice.map(|_| "twice".to_owned()));
    let script = Script {
        seed: Seed::from_text("planted"),
        settings: None,
        said: lines.iter().map(script_step).collect(),
    };
    // Earlier cases left values in the machine of the session, as other cases of a ruleset do.
    let held = check_laws_with_machines(&mut Machines::default(), &mut game.solo, &script);
    all.extend(held.broken.iter().map(|one| one.finding.code.to_string()));
    all.dedup();
    all.join(", ")
}

#[test]
fn each_planted_mistake_is_found_by_the_check_of_a_commit() {
    on_game_thread(|| {
        let mut wrong = Vec::new();
        for (does, above, body, lines, expected) in MISTAKES {
            let found = checks_that_find(above, body, lines);
            if found != expected {
                wrong.push(format!("a rule that {does}: {found}, not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// The same rules without the mistake pass all checks.
#[test]
fn a_rule_without_a_mistake_is_found_by_nothing() {
    on_game_thread(|| {
        let body = "local yes = ASKS act:set('ann', 'mood', if yes then 7 else 1) return `{act:roll('1d6', 'x')}`";
        assert_eq!(
            checks_that_find("", body, &["try", "answer yes", "try", "answer no"]),
            ""
        );
    });
}
