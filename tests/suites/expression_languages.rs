//! Tests languages of expressions and memoized functions against their declarations.

use arbiter_tests::{Game, Scratch, on_game_thread};

/// A module that creates languages once, as rulesets do.
const LANGUAGE_MODULE: &str = r#"--!strict
-- Tongues: languages of expressions.
local tongues = {}

local asked = 0

local function mean(name: string)
  local stat = string.match(name, "^her%.(%l+)$")
  if stat then
    return { row = "her", stat = stat }
  elseif name == "two" then
    return { constant = 2 }
  elseif string.match(name, "^%u") then
    return nil, { code = "capital", message = `nobody knows {name}`, hint = "write it small" }
  end
  return name
end

tongues.own = expr.language {
  commas = true,
  operators = { "+", "-", "==", "duplicate" },
  functions = { "tests", "proofs" },
  mean = mean,
  value = function(context, meaning, name)
    if meaning == "nothing" then
      return nil, { code = "empty", message = "there is nothing" }
    elseif meaning == "several" then
      return { shown = 7, also = { "red", 4 } }
    elseif type(meaning) == "table" then
      return 100
    end
    return context[name]
  end,
}

tongues.first = memoize(function(said)
  return { text.upper(said) }
end)

tongues.of_mood = memoize(function(mood)
  return mood.name
end)

return tongues
"#;

const EVALUATING_COMMAND: &str = r#"--!strict
-- Tongue: computes an expression in the language of the module.
local tongues = require("pipeline/tongues")

return command {
  source = "the host's own tests",
  summary = "computes an expression",
  syntax = { "tongue {said: Rest}" },
  query = true,
  run = function(act, args)
    local context = { her = "ann", red = "red", five = 5 }
    local value, fault = tongues.own:eval(act, args.said, context)
    if fault then
      return act:fail(fault.code, fault.message, fault.hint, { said = args.said, from = fault.from, to = fault.to })
    end
    return act:done(`{tostring(value)} {tongues.own:text(act, args.said, context)}`)
  end,
}
"#;

const READING_COMMAND: &str = r#"--!strict
-- Reading: what an expression says, before it is computed.
local tongues = require("pipeline/tongues")

return command {
  source = "the host's own tests",
  summary = "reads an expression",
  syntax = { "reading {said: Rest}" },
  query = true,
  run = function(act, args)
    local said = tongues.own:read(args.said)
    local names = list.map(said.names, function(one)
      return `{one.name}@{one.from}`
    end)
    local quoted = list.map(said.quoted, function(one)
      return one.name
    end)
    local codes = list.map(said.errors, function(one)
      return one.code
    end)
    local same = tongues.first("a") == tongues.first("a") and table.isfrozen(tongues.first("a"))
    local parts = { table.concat(names, " "), table.concat(quoted, " "), table.concat(said.functions, " "), table.concat(codes, " "), tostring(same) }
    return act:done(table.concat(parts, "; "))
  end,
}
"#;

const SCHEMA: &str = r#"--!strict
-- Schemas of functions.
return schema {
  source = "the host's own tests",
  summary = "A function of expressions.",
  folder = "FOLDER",
  format = "luau",
  name_keys = { "word" },
  keys = { source = "string", ["word?"] = "string", operands = "integer 0..4", ["quotes?"] = "boolean", run = "function" },
}
"#;

const DOUBLED: &str = r#"--!strict
-- Doubled: twice as much.
return test {
  source = "the host's own tests",
  operands = 1,
  run = function(_, number)
    if number == 13 then
      return nil, { code = "unlucky", message = "not this one" }
    end
    return 2 * number
  end,
}
"#;

const NOTED: &str = r#"--!strict
-- Noted: the name behind what is noted.
return proof {
  source = "the host's own tests",
  word = "into",
  operands = 2,
  quotes = true,
  run = function(context, value, name)
    return value + #name
  end,
}
"#;

fn home_with_languages() -> Scratch {
    let home = Scratch::mini();
    let put = |place: &str, text: &str| {
        home.write(&format!("scripts/mini/{place}.luau"), text);
    };
    put("pipeline/tongues", LANGUAGE_MODULE);
    put("commands/tongue", EVALUATING_COMMAND);
    put("commands/reading", READING_COMMAND);
    put("schemas/test", &SCHEMA.replace("FOLDER", "tests"));
    put("schemas/proof", &SCHEMA.replace("FOLDER", "proofs"));
    put("tests/doubled", DOUBLED);
    put("proofs/noted", NOTED);
    home
}

#[test]
fn names_functions_and_values_mean_what_the_language_says() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_languages());
        for (said, value) in [
            ("(two, five, +)", "7 7"),
            ("(her.mood, 1, +)", "5 5"),
            // An unknown stat is requested.
            ("(her.size)", "100 100"),
            ("(five, doubled)", "10 10"),
            // The last operand is a name, even if it has another meaning.
            ("(five, Abc, into)", "8 8"),
            // A value with several meanings equals each of them, and counts as the shown one.
            ("(several, red, ==)", "true true"),
            ("(several, 4, ==)", "true true"),
            ("(several, 7, ==)", "true true"),
            ("(several, 5, ==)", "false false"),
            ("(several, 1, +)", "8 8"),
        ] {
            assert_eq!(game.text(&format!("tongue {said}")), value, "{said}");
        }
    });
}

#[test]
fn what_is_wrong_has_its_code_and_its_place() {
    on_game_thread(|| {
        let mut game = Game::of(&home_with_languages());
        for (said, code, message) in [
            ("(Bo)", "mini/capital", "nobody knows Bo"),
            ("(nothing)", "mini/empty", "there is nothing"),
            ("(13, doubled)", "mini/unlucky", "not this one"),
            // An unknown word of the language is a name, so two values are left.
            ("(two, 3, *)", "expr/leftover", "3 values"),
            ("(two, +)", "expr/underflow", "+"),
            ("(red, 1, +)", "expr/type", "+"),
        ] {
            let finding = game.refusal(&format!("tongue {said}"));
            assert_eq!(finding.code, code, "{said}: {}", finding.message);
            assert!(finding.message.contains(message), "{}", finding.message);
        }
        assert_eq!(
            game.text("reading (two, five, doubled, +, Abc, into)"),
            "two@2 five@7; Abc; doubled into; ; true"
        );
        assert_eq!(
            game.text("reading (Bo, two, +)"),
            "; ; ; capital; true",
            "what is wrong says nothing else"
        );
    });
}

/// A definition that is saved with other words applies at once; the old language is gone.
#[test]
fn a_saved_function_is_the_one_that_counts() {
    on_game_thread(|| {
        let home = home_with_languages();
        let mut game = Game::of_program(&home, "mini");
        assert_eq!(game.text("tongue (five, doubled)"), "10 10");
        home.write(
            "scripts/mini/tests/doubled.luau",
            DOUBLED.replace("2 * number", "3 * number"),
        );
        game.text("reload");
        assert_eq!(game.text("tongue (five, doubled)"), "15 15");
    });
}

#[test]
fn mistakes_in_a_language_are_named() {
    on_game_thread(|| {
        let mut game = Game::mini();
        for (body, message) in [
            (
                "expr.language({ mean = tostring })",
                "needs the function `value`",
            ),
            (
                "expr.language({ value = tostring })",
                "needs the function `mean`",
            ),
            (
                "expr.language({ mean = tostring, value = tostring, functons = {} })",
                "no option \"functons\"",
            ),
            ("memoize(tostring)({})", "one read-only table"),
            ("memoize(tostring)(5)", "one text"),
            (
                "(function() local once = memoize(function() return 1 end) once() return once(true) end)()",
                "takes nothing",
            ),
        ] {
            let finding = game.refusal(&format!("= {body}"));
            assert_eq!(
                finding.code, "script/argument",
                "{body}: {}",
                finding.message
            );
            assert!(finding.message.contains(message), "{}", finding.message);
        }
    });
}
