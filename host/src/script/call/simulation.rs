//! Asks the ruleset's `simulation` for the beginning of a game without people, and for its ending.
//!
//! In: the name of a setup, or the state of a game. Out: lines of the game master, or the winners and the length of
//! the game. Both functions only look and roll nothing: the lines roll the dice.

use std::collections::{BTreeMap, BTreeSet};

use mlua::{Function, MultiValue, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::border::value_conversion::from_lua_with_fuel;
use crate::script::engine::Engine;
use crate::script::host::error_findings::{HostError, shorten_error_text};
use crate::script::run::Run;
use crate::store::State;
use crate::value::{Number, Text, Value};

/// The key of `ruleset.luau`.
const SIMULATION: &str = "simulation";
/// Most lines at the beginning of a game.
pub(crate) const LINES: usize = 1_000;
/// Most winners, and most lengths, of one game.
pub(crate) const MOST: usize = 100;

/// Settings for games of a ruleset without people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The line that is given again and again.
    pub line: String,
    /// The most times that the line is given; unit: lines. A game that is not over by then is an endless one.
    pub most: u64,
    /// The source of answers to the questions of the host. Without it, questions wait.
    pub answers: Option<Answers>,
}

/// Sources of answers to the questions of the host in a game without people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Chance: any of the choices.
    Any,
    /// The default of the question, otherwise its first choice.
    Default,
}

/// The ending of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The winners. The set may be empty.
    pub winners: BTreeSet<Text>,
    /// The length of the game, by the name of the counted unit.
    pub lengths: BTreeMap<Text, Number>,
}

/// Returns the settings for games of the ruleset without people. Errors: `simulate/undeclared` if it has none.
pub fn simulation_settings(engine: &Engine) -> Result<Simulation, Diagnostic> {
    let rules = engine.rules();
    let said = rules.ruleset.get(SIMULATION);
    let (line, most) = (said.get("line").as_str(), said.get("most").as_i64());
    let Some((line, most)) = line.zip(most.and_then(|most| u64::try_from(most).ok())) else {
        return Err(undeclared_refusal(&rules.ruleset_id));
    };
    Ok(Simulation {
        line: line.to_owned(),
        most,
        answers: said.get("answers").as_str().map(|word| match word {
            "default" => Answers::Default,
            _ => Answers::Any,
        }),
    })
}

/// Asks the ruleset for the lines that begin a game of a setup: `begin(setup)`.
///
/// Errors: `simulate/unknown-setup` if the ruleset has no setup of this name; it fails, or returns another value.
pub fn commands_that_begin_simulated_game(
    engine: &Engine,
    state: &State,
    setup: &str,
) -> Result<Vec<String>, Diagnostic> {
    let run = Run::read_only(state.fork(), &engine.rules().ruleset_id);
    let (_, lines) = engine.with_act(run, |_| {
        let made: MultiValue =
            engine.call_script_function(&simulation_function(engine, "begin")?, setup)?;
        let mut made = made.into_iter();
        let mut next = || made.next().unwrap_or(LuaValue::Nil);
        match next() {
            LuaValue::Nil => Err(unknown_setup_error(
                setup,
                &text_or_empty(&next()),
                &text_or_empty(&next()),
            )),
            lines => read_start_lines(engine, lines),
        }
    });
    lines
}

/// Asks the ruleset for the ending of a game: `outcome(act)`; nothing while the game goes on. The run comes back.
///
/// Errors: it fails, or returns another value.
pub fn simulation_ending(engine: &Engine, run: Run) -> (Run, Result<Option<Ending>, Diagnostic>) {
    engine.with_act(run, |act| {
        let made: LuaValue =
            engine.call_script_function(&simulation_function(engine, "outcome")?, act)?;
        let made = plain_simulation_value(engine, made)?;
        read_ending(&made).map_err(|why| unexpected_value_error("outcome", &why))
    })
}

fn simulation_function(engine: &Engine, key: &str) -> mlua::Result<Function> {
    let rules = engine.rules();
    let declared = rules.ruleset_table.as_ref();
    let declared: Option<Table> = declared.and_then(|table| table.raw_get(SIMULATION).ok());
    let function = declared.and_then(|table| table.raw_get(key).ok());
    function.ok_or_else(|| HostError::error_of_finding(undeclared_refusal(&rules.ruleset_id)))
}

fn read_start_lines(engine: &Engine, made: LuaValue) -> mlua::Result<Vec<String>> {
    let made = plain_simulation_value(engine, made)?;
    let texts = match &made {
        Value::List(items) if items.len() <= LINES => items,
        Value::List(_) => {
            return Err(unexpected_value_error(
                "begin",
                &format!("more than {LINES} lines"),
            ));
        }
        other => {
            return Err(unexpected_value_error(
                "begin",
                &format!("a {}", other.kind()),
            ));
        }
    };
    let texts = texts.iter().map(|line| line.as_str().map(str::to_owned));
    let texts: Option<Vec<String>> = texts.collect();
    texts.ok_or_else(|| unexpected_value_error("begin", "lines that are not texts"))
}

fn plain_simulation_value(engine: &Engine, value: LuaValue) -> mlua::Result<Value> {
    let (made, work) = from_lua_with_fuel(value);
    engine.host.charge(work)?;
    made.map_err(|why| unexpected_value_error(SIMULATION, &why.to_string()))
}

/// Returns the refusal to simulate a ruleset without settings for simulation.
fn undeclared_refusal(ruleset: &str) -> Diagnostic {
    let message =
        format!("the ruleset \"{ruleset}\" has no `simulation`, which plays a game without people");
    Diagnostic::error("simulate/undeclared", message).hint(format!(
        "write in scripts/{ruleset}/ruleset.luau: simulation = {{ begin = function(setup) return {{ LINE, … }} end, \
         line = \"next\", most = 200, outcome = function(act) return nil or {{ winners = {{ … }}, lengths = {{ … }} }} end }}"
    ))
}

fn unknown_setup_error(setup: &str, reason: &str, hint: &str) -> mlua::Error {
    let message = match reason {
        "" => format!("unknown setup \"{setup}\""),
        reason => shorten_error_text(reason),
    };
    let finding = Diagnostic::error("simulate/unknown-setup", message);
    HostError::error_of_finding(finding.hint(shorten_error_text(hint)))
}

/// Returns a text that may be missing.
fn text_or_empty(value: &LuaValue) -> String {
    let text = value.as_string().map(|text| text.to_string_lossy());
    text.unwrap_or_default()
}

fn unexpected_value_error(what: &str, found: &str) -> mlua::Error {
    let what = match what {
        SIMULATION => SIMULATION.to_owned(),
        key => format!("{SIMULATION}.{key}"),
    };
    let message = format!("`{what}` of the ruleset returned an unexpected value: {found}");
    HostError::error_of_finding(Diagnostic::error("script/simulation", message).hint(
        "begin(setup) returns a list of lines, or nil with a reason and a hint; outcome(act) returns nil while the game \
         goes on, then { winners = { \"NAME\", … }, lengths = { NAME = NUMBER, … } }",
    ))
}

/// Reads the ending of a game. Errors: a value that is not an ending.
fn read_ending(value: &Value) -> Result<Option<Ending>, String> {
    let known = ["winners", "lengths"];
    let fields = match value {
        Value::Nil => return Ok(None),
        Value::Map(fields) => fields,
        other => return Err(format!("a {}", other.kind())),
    };
    if let Some(other) = fields.keys().find(|key| !known.contains(&&***key)) {
        return Err(format!(
            "`{other}`, which is neither `winners` nor `lengths`"
        ));
    }
    let winners = match value.get("winners") {
        Value::List(items) if items.len() <= MOST => items,
        Value::List(_) => return Err(format!("more than {MOST} `winners`")),
        other => return Err(format!("`winners`, a {} instead of a list", other.kind())),
    };
    let winners = winners.iter().map(|winner| match winner {
        Value::Text(name) => Ok(Text::clone(name)),
        other => Err(format!("a {} as a winner", other.kind())),
    });
    let none = BTreeMap::new();
    let lengths = match value.get("lengths") {
        Value::Nil => &none,
        Value::List(items) if items.is_empty() => &none,
        Value::Map(fields) if fields.len() <= MOST => fields,
        Value::Map(_) => return Err(format!("more than {MOST} `lengths`")),
        other => return Err(format!("`lengths`, a {} instead of a table", other.kind())),
    };
    let lengths = lengths.iter().map(|(name, length)| match length {
        Value::Number(number) => Ok((Text::clone(name), *number)),
        other => Err(format!("a {} as the length `{name}`", other.kind())),
    });
    Ok(Some(Ending {
        winners: winners.collect::<Result<_, _>>()?,
        lengths: lengths.collect::<Result<_, _>>()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_goes_on_or_has_ended() {
        assert_eq!(read_ending(&Value::Nil), Ok(None));
        let nobody = Value::map([("winners", Value::list([]))]);
        assert_eq!(read_ending(&nobody), Ok(Some(Ending::default())));
        let won = Value::map([
            ("winners", Value::list(["Ann".into(), "Bo".into()])),
            ("lengths", Value::map([("days", Value::from(4))])),
        ]);
        let won = read_ending(&won).unwrap().unwrap();
        assert_eq!(won.winners.len(), 2);
        assert_eq!(won.lengths["days"].to_i64(), Some(4));
    }

    #[test]
    fn what_is_no_ending_says_why() {
        let list = |items: Vec<Value>| Value::list(items);
        let cases = [
            (Value::from(true), "a bool"),
            (
                Value::map([("winner", "Ann".into())]),
                "`winner`, which is neither `winners` nor `lengths`",
            ),
            (
                Value::map([("winners", "Ann".into())]),
                "`winners`, a text instead of a list",
            ),
            (
                Value::map([("lengths", Value::map([("days", Value::from(4))]))]),
                "`winners`, a nil instead of a list",
            ),
            (
                Value::map([("winners", list(vec![Value::from(1)]))]),
                "a number as a winner",
            ),
            (
                Value::map([("winners", list(vec![])), ("lengths", Value::from(4))]),
                "`lengths`, a number instead of a table",
            ),
            (
                Value::map([
                    ("winners", list(vec![])),
                    ("lengths", Value::map([("days", "four".into())])),
                ]),
                "a text as the length `days`",
            ),
        ];
        for (value, why) in cases {
            assert_eq!(read_ending(&value).unwrap_err(), why);
        }
    }
}
