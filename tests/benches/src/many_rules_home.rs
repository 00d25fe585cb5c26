//! Writes a home with three hundred rule scripts: each about forty lines, no two alike.

use std::fs;
use std::io;
use std::path::Path;

/// Number of rules.
pub(crate) const RULES: usize = 300;

const RULESET: &str = r#"--!strict
-- Many: a ruleset of many small rules.
return ruleset {
  source = "the measurements",
  name = "Many",
  summary = "Three hundred rules, to measure how they are loaded.",
  stats = {
    will = { base = 3, summary = "what resists a rule" },
    harm = { base = 0, summary = "what rules did" },
  },
  types = {
    Player = { kind = "player" },
    Strength = { words = { "Weakly", "Strongly" } },
  },
}
"#;

const SCHEMA: &str = r#"--!strict
-- Rules: what one player can do to another.
return schema {
  source = "the measurements",
  summary = "Something that one player can do to another.",
  folder = "rules",
  format = "luau",
  slot_type = "Rule",
  keys = {
    source = "string",
    summary = "string",
    syntax = "string or list of string",
    lasts = "string?",
    visits = "string?",
    redirects = "list of string?",
    levels = "list of integer 0..100?",
    run = "function",
    on_end = "function?",
  },
}
"#;

const PIPELINE: &str = r#"--!strict
-- Visiting: what every rule does before it acts.
local visiting = {}

function visiting.visit(act, visitor, target)
  act:attach(target, "visit", { by = visitor }, { source = visitor })
  return act:get(target, "will") < 10
end

return visiting
"#;

/// The forty lines of a rule; `{n}` is its number, `{name}` its name, `{verb}` its first word.
const RULE: &str = r##"--!strict
-- {name}: rule {n} of many.
-- Leaves out: what happens when two of them meet, see the pipeline.
local visiting = require("pipeline/visiting")

local LEVELS = { {n}, 12, 25, 40 }

-- How much one use does, before the target resists.
local function strength_of(act, args)
  local base = LEVELS[2] + #args.target
  for index, level in LEVELS do
    if act:get(args.target, "will") > level then
      base += index * {n}
    end
  end
  return if args.strength == "Strongly" then base * 2 else base
end

return rule {
  source = "the measurements > Rules > {name}",
  summary = "{name}: harms a player by {n} and leaves a mark",
  syntax = "{strength: Strength} {verb} {target: Player}[ through {through: Player}]",
  lasts = "until phase {n}",
  visits = "target",
  redirects = { "target", "through" },
  levels = { 1, 2, 3, {small} },
  run = function(act, args)
    if not visiting.visit(act, act:by(), args.target) then
      return act:fail("resisted", `{args.target} resists {name}`, "try a weaker player first")
    end
    local amount = strength_of(act, args) + act:roll("2d6+{small}", "{verb}", args.target)
    act:add(args.target, "harm", amount)
    act:attach(args.target, "{verb}", { amount = amount }, { modifiers = { { stat = "will", op = "add", value = -1 } } })
    return act:done(`{name} does {amount} to {args.target}.`, { amount = amount, rule = "{verb}" })
  end,
  on_end = function(act, row)
    act:set(row, "harm", 0)
  end,
}
"##;

/// Writes `scripts/many/` below a folder.
pub(crate) fn write_many_rules_home(folder: &Path) -> io::Result<()> {
    let scripts = folder.join("scripts/many");
    for inner in ["schemas", "pipeline", "rules"] {
        fs::create_dir_all(scripts.join(inner))?;
    }
    fs::create_dir_all(folder.join("content"))?;
    fs::write(scripts.join("ruleset.luau"), RULESET)?;
    fs::write(scripts.join("schemas/rule.luau"), SCHEMA)?;
    fs::write(scripts.join("pipeline/visiting.luau"), PIPELINE)?;
    for number in 0..RULES {
        fs::write(
            scripts.join(format!("rules/{}.luau", verb_of_number(number))),
            rule_text(number, ""),
        )?;
    }
    Ok(())
}

/// Returns the text of a rule; `more` is added to its summary.
pub(crate) fn rule_text(number: usize, more: &str) -> String {
    let verb = verb_of_number(number);
    let name = format!("{}{}", verb[..1].to_uppercase(), &verb[1..]);
    let values = [
        ("{n}", number.to_string()),
        ("{small}", (number % 9 + 1).to_string()),
    ];
    let text = RULE
        .replace("{verb}", &verb)
        .replace("{name}", &name)
        .replace("leaves a mark", &format!("leaves a mark{more}"));
    values
        .iter()
        .fold(text, |text, (slot, value)| text.replace(slot, value))
}

/// Returns a word of letters for a number.
pub(crate) fn verb_of_number(number: usize) -> String {
    const PARTS: [&str; 10] = ["ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su"];
    [number / 100, number / 10 % 10, number % 10]
        .map(|digit| PARTS[digit])
        .concat()
}
