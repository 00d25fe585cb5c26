//! Measures encounters: expressions of features against an evaluation token by token in Luau, and whole rounds of
//! attacks in growing encounters.

use std::cell::RefCell;
use std::fs;
use std::time::Duration;

use host::game::{Reply, Solo};
use tempfile::TempDir;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};
use crate::shipped_home;

const ROUNDS: u32 = 40;
/// Evaluations of an expression in one line.
const TIMES: u32 = 2_000;
/// Numbers of creatures; the first one has a target.
const CREATURES: [usize; 4] = [12, 6, 24, 50];
/// Maximum nanoseconds of a round of twelve creatures.
const MOST: f64 = 3e6;
/// Minimum speed of an expression, as a multiple of an evaluation token by token.
const FASTER: f64 = 10.0;

/// The expressions: a save DC, a carrying capacity, a long condition.
const EXPRESSIONS: [(&str, &str); 3] = [
    ("a save DC, 5 tokens", "(8,PROF,CON,+,+)"),
    (
        "a carrying capacity, 17 tokens",
        "(2,SIZE,2.5,-,SIZE,0,ifelse,5,-,5,/,^,15,*,STR_SCORE,*)",
    ),
    (
        "a condition, 15 tokens",
        "(HP,MAXHP,<,HP,0,>,&,AC,10,>,PROF,2,>=,&,&)",
    ),
];

/// The features of each creature. They handle hits, damage, saves and turns, and one is always active.
const FEATURES: [&str; 5] = [
    "heated body (1, 4)",
    "brute",
    "stench (10, 5)",
    "magic resistance",
    "keen senses",
];

/// A command that evaluates an expression a number of times: as features do, or token by token.
const MEASURED: &str = r#"--!strict
-- Measured: evaluates an expression so many times, as features do or token by token.
local expressions = require("pipeline/reading/expressions")
local playing = require("pipeline/play/command_context")
local properties = require("pipeline/creatures/properties")

local BINARY: any = {
  ["+"] = function(x, y) return x + y end,
  ["-"] = function(x, y) return x - y end,
  ["*"] = function(x, y) return x * y end,
  ["/"] = function(x, y) return x / y end,
  ["^"] = function(x, y) return x ^ y end,
  ["<"] = function(x, y) return if x < y then 1 else 0 end,
  [">"] = function(x, y) return if x > y then 1 else 0 end,
  [">="] = function(x, y) return if x >= y then 1 else 0 end,
  ["&"] = function(x, y) return if y == 0 then 0 else x end,
}

local function cut(said: string): { string }
  return text.split(string.sub(said, 2, -2), ",")
end

local function token_by_token(frame, tokens: { string }): any
  local stack: { any }, top = {}, 0
  for _, raw in tokens do
    local token = text.trim(raw)
    local number = tonumber(token)
    if number then
      top += 1
      stack[top] = number
    elseif BINARY[token] then
      stack[top - 1] = BINARY[token](stack[top - 1], stack[top])
      top -= 1
    elseif token == "ifelse" then
      stack[top - 2] = if stack[top - 2] ~= 0 then stack[top - 1] else stack[top]
      top -= 2
    else
      top += 1
      stack[top] = properties.read(frame, frame.self, token)
    end
  end
  return stack[1]
end

return command {
  source = "the measurements",
  summary = "evaluates an expression so many times",
  syntax = "measured {how: compiled|tokens|cut|nothing} {times: Integer} {said: Rest}",
  query = true,
  run = function(act, args)
    local frame = playing.frame_without_feature(act, act:find({ kind = "creature" })[1])
    local ready, last = cut(args.said), nil
    for _ = 1, args.times do
      if args.how == "compiled" then
        last = expressions.evaluate(frame, args.said)
      elseif args.how == "tokens" then
        last = token_by_token(frame, cut(args.said))
      elseif args.how == "cut" then
        last = token_by_token(frame, ready)
      end
    end
    return act:done(tostring(last))
  end,
}
"#;

/// Measures encounters.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut rows = expression_rows(rounds);
    let mut times =
        CREATURES.map(|creatures| (creatures, round_nanoseconds(creatures, rounds.div_ceil(4))));
    rows.push(Row::time_at_most(
        format!("a round of {} creatures with 5 features each", times[0].0),
        times[0].1,
        MOST,
    ));
    times.sort_by_key(|(creatures, _)| *creatures);
    for (creatures, time) in times {
        rows.push(Row::time_without_target(
            format!("a round of {creatures}, for each turn with an attack"),
            time / creatures as f64,
        ));
    }
    Section {
        title: "Encounters of creatures with features",
        rows,
    }
}

/// A game of encounters.
pub(crate) struct Bench {
    solo: Solo,
    _home: TempDir,
}

impl Bench {
    /// Returns a game in which a number of creatures stand in two rows, each beside an enemy.
    pub(crate) fn new(creatures: usize) -> Bench {
        let home = shipped_home::copy_shipped_home("features");
        let home = home.expect("invariant: a temporary folder can be written");
        let command = home.path().join("scripts/features/commands/measured.luau");
        fs::write(command, MEASURED).expect("invariant: a temporary folder can be written");
        let mut bench = Bench {
            solo: shipped_home::start_game(home.path(), "features", None),
            _home: home,
        };
        let features = FEATURES.map(|one| format!("feature {one}")).join("; ");
        for number in 0..creatures {
            let (x, y, side) = ((number / 2) * 10, (number % 2) * 5, number % 2);
            bench.submit_line(&format!(
                "add Creature{number} at {x},{y} on {}: HP 100000; AC 12; PROF 2; STR 3; CON 1; claws +5 1d6+3 slashing; {features}",
                ["A", "B"][side]
            ));
        }
        bench
    }

    fn submit_line(&mut self, line: &str) -> Reply {
        let reply = self.solo.submit("gm", line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        reply
    }

    fn time_measured_command(&mut self, how: &str, said: &str) -> Duration {
        elapsed_time(|| self.submit_line(&format!("measured {how} {TIMES} {said}")))
    }

    /// Plays a round and returns its time. Each creature has a turn and attacks the enemy beside it.
    pub(crate) fn play_round(&mut self, creatures: usize) -> Duration {
        elapsed_time(|| {
            for number in 0..creatures {
                self.submit_line(&format!("turn Creature{number}"));
                self.submit_line(&format!("attack Creature{}", number ^ 1));
            }
        })
    }
}

/// Returns the times of expressions, and their speed compared with an evaluation token by token.
fn expression_rows(rounds: u32) -> Vec<Row> {
    let bench = RefCell::new(Bench::new(2));
    let mut rows = Vec::new();
    for (name, said) in EXPRESSIONS {
        let lane = |how: &'static str| {
            let bench = &bench;
            Lane::of_batch(TIMES, move || {
                bench.borrow_mut().time_measured_command(how, said)
            })
        };
        let lanes = [
            lane("nothing"),
            lane("compiled"),
            lane("tokens"),
            lane("cut"),
        ];
        let [nothing, compiled, tokens, cut] = fastest_nanoseconds(rounds, lanes);
        rows.push(Row::time_without_target(name, compiled - nothing));
        rows.push(Row::ratio_with_target(
            "as fast as token by token in Luau",
            (tokens - nothing) / (compiled - nothing),
            Target::AtLeast(FASTER),
        ));
        rows.push(Row::ratio_with_target(
            "as fast as over tokens that were cut before",
            (cut - nothing) / (compiled - nothing),
            Target::None,
        ));
    }
    rows
}

/// Returns the nanoseconds of a round of a number of creatures.
fn round_nanoseconds(creatures: usize, rounds: u32) -> f64 {
    let mut bench = Bench::new(creatures);
    fastest_nanoseconds(rounds, [Lane::of_batch(1, || bench.play_round(creatures))])[0]
}
