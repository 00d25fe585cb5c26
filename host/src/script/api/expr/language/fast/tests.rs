//! This module tests that the fast way of `language:eval` gives what the safe one gives, for the same fuel.

use crate::script::host::fast::trial::{Outcome, Trial};
use crate::value::Value;

/// A language, and a context that has rows, a list and a word.
const LANGUAGE: &str = r#"
local made = { own = 0 }
local own = expr.language {
  most_bits = 63,
  largest_denominator = 10000,
  functions = { double = { operands = 1, run = function(_, x) return x * 2 end } },
  mean = function(name)
    local who, stat = string.match(name, "^(%l+)%.(%l+)$")
    if who then
      return { row = who, stat = stat, whole = stat == "half" }
    elseif string.find(name, "^v%d+$") then
      return { list = "values", at = tonumber(string.sub(name, 2)) }
    elseif name == "two" then
      return { constant = 2 }
    end
    return name
  end,
  value = function(context, meaning)
    made.own += 1
    return if type(meaning) == "table" then 100 else context[meaning]
  end,
}
local context = { ann = "ann", nobody = "nobody at all", number = 5, values = { 7, 0.5, "fire", true }, word = "red" }
local function eval(said)
  local value, fault = own:eval(act, said, context)
  return `{value} {fault and fault.code}`
end
"#;

/// Texts, and whether the fast way answers each when it is known.
const TEXTS: [(&str, bool); 25] = [
    ("(1, 2, +)", true),
    ("(8, ann.mood, two, +, +)", true),
    ("(ann.mood, ann.mood, *)", true),
    ("(ann.calm, ann.mood, 1, if)", true),
    ("(ann.half)", true),
    ("(ann.half, 2, *)", true),
    ("(ann.third, 3, *)", true),
    ("(ann.name, ann.name, ==)", true),
    ("(v1, 1, +)", true),
    ("(ann.lifted)", true),
    ("(1, 3, /)", true),
    ("(nil)", true),
    ("(ann.name)", true),
    ("(ann.missing)", false),
    ("(nobody.mood)", false),
    ("(stranger.mood)", false),
    ("(v2)", false),
    ("(v3)", false),
    ("(v4)", false),
    ("(v9)", false),
    ("(word)", false),
    ("(number, 1, +)", false),
    ("(1, double)", false),
    ("(1, 0, /)", false),
    ("(1, +)", false),
];

/// Calls that are no ordinary ones, of texts that are known.
const STRANGE: [&str; 16] = [
    "own.eval()",
    "own:eval(act)",
    "own:eval({}, '(1)', context)",
    "own:eval(act, 1, context)",
    "own:eval(act, '(1)')",
    "own.eval(act, act, '(1)', context)",
    "own:eval(act, '(ann.mood)', { ann = 4 })",
    "own:eval(act, '(v1)', { values = 3 })",
    "own:eval(act, '(v1)', { values = 'seven' })",
    "own:eval(act, '(v1)', {})",
    "own:eval(act, '(ann.mood)', {})",
    "own:eval(act, '(1)', nil)",
    "own:eval(act, '(1)', 5)",
    "own:eval(act, '(1)', 'x')",
    "own:eval(act, '(v4294967297)', context)",
    "own:eval(act, '(9007199254740991, 9007199254740991, *, 9007199254740991, *)', context)",
];

fn trial(raw: bool) -> Trial {
    let third = "0.333333333333333".parse().unwrap();
    let fields = [
        ("mood", Value::from(4)),
        ("name", Value::from("Ann")),
        ("calm", Value::Bool(true)),
        ("half", Value::Number("7.5".parse().unwrap())),
        ("third", Value::Number(third)),
        ("lifted", Value::from(1)),
    ];
    Trial::new(raw, 0, &fields)
}

fn outcome(raw: bool, chunk: &str) -> Outcome {
    trial(raw).run(&format!("{LANGUAGE}\n{chunk}"), false)
}

/// Returns a chunk that gives what a text is at first and when it is known.
fn twice(said: &str) -> String {
    format!("return eval([[{said}]]), eval([[{said}]]), made.own")
}

#[test]
fn fast_and_safe_way_give_the_same_for_the_same_fuel() {
    for (said, _) in TEXTS {
        assert_eq!(
            outcome(true, &twice(said)),
            outcome(false, &twice(said)),
            "{said}"
        );
    }
    for call in STRANGE {
        let chunk = format!("eval('(v1)') eval('(ann.mood)') eval('(1)') return {call}");
        assert_eq!(outcome(true, &chunk), outcome(false, &chunk), "{call}");
    }
}

#[test]
fn the_fast_way_answers_what_it_is_for() {
    for (said, is_answered) in TEXTS {
        let (calls, shown) = trial(true).answered(&format!("{LANGUAGE}\n{}", twice(said)));
        assert_eq!(calls, usize::from(is_answered), "{said}: {shown}");
    }
}

#[test]
fn what_is_whole_counts_rounded_down_and_what_was_rounded_is_exact_again() {
    let shown = |said: &str| outcome(true, &twice(said)).shown;
    assert_eq!(shown("(ann.half, 2, *)"), "14 nil, 14 nil, 0");
    assert_eq!(shown("(ann.third, 3, *)"), "1 nil, 1 nil, 0");
}

#[test]
fn each_of_many_languages_answers_for_itself() {
    let chunk = r#"
    local seen = {}
    for index = 1, 200 do
      local one = expr.language { mean = function() return { constant = index } end, value = function() return 0 end }
      one:eval(act, "(x)", context)
      seen[index] = one:eval(act, "(x)", context) == index
    end
    return #list.filter(seen, function(is) return is end)"#;
    assert_eq!(outcome(true, chunk).shown, "200");
}
