//! Tests the conversion of random values between the host and scripts, in both directions.

use host::script;
use std::cell::RefCell;
use std::rc::Rc;

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::game::Stream;
use host::script::{Outcome, Run};
use host::store::State;
use host::value::{Names, Number, Value};
use proptest::collection::btree_set;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Runs a property; all cases share the result of `make`.
fn check_property<S: Strategy, T>(
    cases: u32,
    strategy: S,
    make: impl FnOnce() -> T,
    property: impl Fn(&T, S::Value) -> Result<(), TestCaseError>,
) {
    let shared = make();
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&strategy, |value| property(&shared, value));
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Returns a game with a command that stores its argument and reads it back, in a cell for all
/// cases.
fn game_with_echo() -> RefCell<Game> {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/commands/echo.luau",
        "return command { source = \"x\", summary = \"x\", syntax = \"echo\", run = function(act, args)
  act:set(\"ann\", \"note\", args.value)
  act:set(\"bo\", \"note\", act:get(\"ann\", \"note\"))
end }",
    );
    RefCell::new(Game::of(&home))
}

/// Returns a value after a script stored and read it, and after the result was stored and read
/// again.
fn echo_twice(game: &Game, value: &Value) -> Result<(Value, Value), String> {
    let state = game.solo.timeline().state().fork();
    let run = Run::new(state, Box::new(Stream::new(1)), "mini");
    let argument = Value::map([("value", value.clone())]);
    let (run, ended) = script::run_command(
        &game.solo.session.generations().live().machine(),
        run,
        ("commands", "echo", "run"),
        &argument,
    );
    match ended {
        Ok(Outcome::Done) => {
            check_state_round_trip(&run.state)?;
            let name = |text: &str| {
                game.solo
                    .timeline()
                    .state()
                    .names()
                    .find(text)
                    .expect("it was seen")
            };
            let read = |row: &str| run.state.get(name(row), name("note")).clone();
            Ok((read("ann"), read("bo")))
        }
        Ok(Outcome::Refused(finding)) | Err(finding) => Err(finding.message),
        Ok(Outcome::Waits) => Err("it waits".to_owned()),
    }
}

/// Checks that a state can be saved and loaded.
fn check_state_round_trip(state: &State) -> Result<(), String> {
    let bytes = state.to_bytes();
    let loaded =
        State::from_bytes(&bytes, Rc::<Names>::default()).map_err(|error| error.to_string())?;
    if loaded.hash() != state.recomputed_hash() || loaded.to_bytes() != bytes {
        return Err("a saved state loads as another one".to_owned());
    }
    Ok(())
}

/// Returns any number of at most 15 significant digits, which a double holds exactly.
fn any_short_number() -> impl Strategy<Value = Value> {
    let decimal =
        (-999_999_999_999_999i64..=999_999_999_999_999, 0u32..=12).prop_map(|(digits, places)| {
            let text = format!("{digits}e-{places}");
            Value::Number(text.parse().expect("a number of 15 digits"))
        });
    prop_oneof![
        decimal,
        (-1_000i64..1_000).prop_map(Value::from),
        any::<i32>().prop_map(|whole| Value::from(i64::from(whole)))
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any_short_number(),
        any::<bool>().prop_map(Value::Bool),
        ".{0,12}".prop_map(Value::text)
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::list),
            prop::collection::btree_map(".{0,8}", inner, 1..6).prop_map(Value::map),
        ]
    })
}

#[test]
fn plain_data_is_the_same_behind_the_border() {
    on_game_thread(|| {
        check_property(300, any_value(), game_with_echo, |game, value| {
            let (once, twice) = echo_twice(&game.borrow(), &value).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&once, &value);
            prop_assert_eq!(&twice, &value);
            Ok(())
        });
    });
}

#[test]
fn nothing_inside_a_list_or_map_stays_nothing() {
    on_game_thread(|| {
        let with_holes = (
            prop::collection::vec(prop_oneof![Just(Value::Nil), any_short_number()], 0..8),
            any_short_number(),
        )
            .prop_map(|(mut items, last)| {
                items.push(last);
                Value::list(items)
            });
        check_property(100, with_holes, game_with_echo, |game, value| {
            let (once, twice) = echo_twice(&game.borrow(), &value).map_err(TestCaseError::fail)?;
            prop_assert_eq!((&once, &twice), (&value, &value));
            Ok(())
        });
    });
}

#[test]
fn an_empty_map_is_an_empty_list() {
    on_game_thread(|| {
        let game = game_with_echo();
        let none: [(&str, Value); 0] = [];
        assert_eq!(
            echo_twice(&game.borrow(), &Value::map(none)),
            Ok((Value::list([]), Value::list([])))
        );
    });
}

#[test]
fn a_double_is_kept_to_fifteen_digits_or_refused() {
    on_game_thread(|| {
        let doubles = prop_oneof![
            any::<f64>(),
            -1e28f64..1e28,
            -1.0..1.0,
            any::<u64>().prop_map(f64::from_bits)
        ];
        check_property(300, doubles, game_with_echo, |game, double: f64| {
            let escapes: String = double
                .to_le_bytes()
                .iter()
                .map(|byte| format!("\\x{byte:02x}"))
                .collect();
            let set = format!(
                "act:set('ann', 'note', (string.unpack('<d', '{escapes}'))) return tostring(act:get_decimal('ann', 'note'))"
            );
            let mut game = game.borrow_mut();
            let reply = game.line(&format!("= (function() {set} end)()"));
            match reply.refusal {
                Some(refusal) => {
                    prop_assert_eq!(&*refusal.code, "script/argument");
                    let refused =
                        !double.is_finite() || double.abs() > 7e27 || double.abs() < 1e-13;
                    prop_assert!(refused, "{} was refused: {}", double, refusal.message);
                }
                None => {
                    let shown: Number = host::doc::plain(&reply.documents[0])
                        .trim()
                        .parse()
                        .map_err(|_| TestCaseError::fail("no number"))?;
                    let expected = format!("{double:.14e}").parse::<f64>().unwrap_or(double);
                    let is_whole = double.fract() == 0.0 && double.abs() < 9_007_199_254_740_992.0;
                    let wanted = if is_whole { double } else { expected };
                    let near = (shown.to_f64() - wanted).abs() <= wanted.abs() * 1e-14 + 1e-27;
                    prop_assert!(near, "{} became {}", double, shown);
                }
            }
            Ok(())
        });
    });
}

#[test]
fn decimals_cross_exactly() {
    on_game_thread(|| {
        let digits = (
            -9_999_999_999_999_999_999_999_999_999i128..=9_999_999_999_999_999_999_999_999_999,
            0u32..=27,
        );
        let texts = digits.prop_map(|(digits, places)| {
            let plain = format!("{:0>28}", digits.abs());
            let (whole, part) = plain.split_at(28 - places as usize);
            format!(
                "{}{}.{}0",
                if digits < 0 { "-" } else { "" },
                if whole.is_empty() { "0" } else { whole },
                part
            )
        });
        let texts =
            texts.prop_map(|text| text.trim_end_matches('0').trim_end_matches('.').to_owned());
        check_property(200, texts, game_with_echo, |game, text| {
            let number: Number = text
                .parse()
                .map_err(|_| TestCaseError::fail(text.clone()))?;
            let line = format!(
                "= (function() act:set('ann', 'note', decimal('{text}')) act:set('bo', 'note', {{ act:get_decimal('ann', 'note') }}) return tostring(act:get_decimal('ann', 'note')), act:get_decimal('ann', 'note') == decimal('{text}') end)()"
            );
            prop_assert_eq!(game.borrow_mut().text(&line), format!("{number}, true"));
            Ok(())
        });
    });
}

#[test]
fn a_decimal_crosses_as_its_amount_however_it_is_written() {
    on_game_thread(|| {
        let stored = |written: &str| {
            let home = Scratch::mini();
            let set = format!(
                "act:set('ann', 'note', {{ decimal('{written}'), {{ a = decimal('{written}') }} }})"
            );
            home.command("keep", &set);
            let mut game = Game::of(&home);
            let before = game.hash();
            game.text("keep");
            assert_ne!(game.hash(), before);
            game.hash()
        };
        for written in ["1.50", "1.5000", "15e-1", " 1.5 "] {
            assert_eq!(stored(written), stored("1.5"), "{written}");
        }
        assert_eq!(stored("-0.00"), stored("0"));
    });
}

/// Returns any Luau expression for a value, including unusual ones.
fn any_luau_expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("nil".to_owned()),
        Just("null".to_owned()),
        Just("0/0".to_owned()),
        Just("1/0".to_owned()),
        Just("-0".to_owned()),
        Just("print".to_owned()),
        Just("function() end".to_owned()),
        Just("act".to_owned()),
        Just("string".to_owned()),
        Just("decimal('0.1')".to_owned()),
        Just("buffer.create(3)".to_owned()),
        Just("vector.create(1, 2, 3)".to_owned()),
        Just("'\\xff\\xfe'".to_owned()),
        Just("string.rep('x', 5000)".to_owned()),
        Just("table.create(3000, 1)".to_owned()),
        Just("definitions.get('charms', 'cheer')".to_owned()),
        any::<f64>()
            .prop_map(|number| format!("{number:e}"))
            .prop_filter("Luau reads no inf", |text| !text.contains(['i', 'N'])),
        "[a-z ]{0,8}".prop_map(|text| format!("'{text}'")),
        any::<bool>().prop_map(|value| value.to_string()),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let key = prop_oneof![Just("'a'"), Just("'b'"), Just("1"), Just("2"), Just("0"), Just("-1"), Just("1.5"), Just("true"), Just("print")];
        let entry = prop_oneof![inner.clone().prop_map(|value| value), (key, inner).prop_map(|(key, value)| format!("[{key}] = {value}"))];
        let table = prop::collection::vec(entry, 0..5).prop_map(|entries| format!("{{ {} }}", entries.join(", ")));
        (table, prop_oneof![Just("%"), Just("setmetatable(%, { __index = error, __len = error, __iter = error, __tostring = error })"), Just("table.freeze(%)")])
            .prop_map(|(table, around)| around.replace('%', &table))
    })
}

#[test]
fn keys_of_a_map_are_numbers_then_texts_each_in_their_order() {
    on_game_thread(|| {
        let numbers = btree_set(-1000i64..1000, 0..20);
        let texts = btree_set("[a-zA-ZäÜ0-9]{0,6}", 0..20);
        check_property(
            200,
            (numbers, texts),
            || RefCell::new(Game::mini()),
            |game, (numbers, texts)| {
                let numbers = numbers.iter().map(i64::to_string);
                let shown: Vec<String> = numbers.clone().chain(texts.iter().cloned()).collect();
                let numbers = numbers.map(|number| format!("[{number}] = true"));
                let texts = texts.iter().map(|text| format!("[\"{text}\"] = true"));
                let entries: Vec<String> = texts.chain(numbers).collect();
                let line = format!(
                    "= (function() local all = {{}} for _, key in list.keys({{ {} }}) do table.insert(all, `<{{key}}>`) end return table.concat(all) end)()",
                    entries.join(", ")
                );
                let expected: String = shown.iter().map(|key| format!("<{key}>")).collect();
                let found = game.borrow_mut().text(&line).replace('\n', "");
                prop_assert!(found.contains(&expected), "{found} has not {expected}");
                Ok(())
            },
        );
    });
}

#[test]
fn no_value_of_a_script_breaks_anything() {
    on_game_thread(|| {
        let calls = prop_oneof![
            Just("act:set('ann', 'note', V)"),
            Just("act:add('ann', 'mood', V)"),
            Just("act:create('thing', V)"),
            Just("act:create('thing', {}, V)"),
            Just("act:attach('ann', 'mark', V)"),
            Just("act:attach('ann', 'mark', {}, V)"),
            Just("act:attach('ann', 'mark', {}, { modifiers = V })"),
            Just("act:find(V)"),
            Just("act:find({ kind = 'person', where = V })"),
            Just("act:get(V, V)"),
            Just("act:roll_faces(V)"),
            Just("act:pick(V, 'x')"),
            Just("act:shuffle(V, V)"),
            Just("act:say('gm', V)"),
            Just("act:say(V, 'x', V)"),
            Just("act:done(V, V)"),
            Just("act:fail(V, V, V)"),
            Just("dice.fold(V, V, function(a, b) return V, V end)"),
            Just("dice.distribution(V)"),
            Just("decimal(V)"),
            Just("list.keys(V)"),
            Just("list.sorted(V)"),
            Just("list.join(V, V)"),
            Just("fuzzy.close(V, V)"),
            Just("text.listed(V)"),
            Just("text.count(V, V)"),
            Just("phrase.read(V, V)"),
            Just("phrase.scan('Person', V)"),
            Just("definitions.get(V, V)"),
            Just("print(V)"),
            Just("error(V)"),
            Just("(V)"),
        ];
        check_property(
            600,
            (calls, any_luau_expression()),
            || RefCell::new(Game::mini()),
            |game, (call, value)| {
                let mut game = game.borrow_mut();
                let before = game.hash();
                let line = format!(
                    "= (function() local v = {value} return {} end)()",
                    call.replace('V', "v")
                );
                let reply = game.line(&line);
                if let Some(refusal) = &reply.refusal {
                    prop_assert!(&*refusal.code != "host/bug", "{}", refusal.message);
                    prop_assert!(
                        !refusal.message.contains("0x"),
                        "an address: {}",
                        refusal.message
                    );
                }
                for document in &reply.documents {
                    let shown = host::doc::plain(document);
                    prop_assert!(!shown.contains(": 0x"), "an address: {}", shown);
                }
                prop_assert_eq!(game.hash(), before);
                Ok(())
            },
        );
    });
}

#[test]
fn whatever_is_stored_can_be_saved() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let values = [
            "{ a = null }",
            "{ null }",
            "{ 1, null }",
            "{ {} }",
            "{ a = {}, b = { null } }",
            "\"\"",
            "{ [\"\"] = 1 }",
            "-0",
            "1e-13",
            "{ 2 ^ 53, -2 ^ 53, 2 ^ 53 - 1 }",
            "decimal(\"79228162514264337593543950335\")",
            "\"\\0\"",
            "{ [\"\\0\"] = \"\\u{202e}\" }",
        ];
        for (index, value) in values.iter().enumerate() {
            home.command(
                &format!("keep-{index}"),
                &format!("act:set(\"ann\", \"note\", {value})"),
            );
        }
        let mut game = Game::of(&home);
        for (index, value) in values.iter().enumerate() {
            game.text(&format!("keep {index}"));
            assert_eq!(
                check_state_round_trip(game.solo.timeline().state()),
                Ok(()),
                "{value}"
            );
        }
    });
}
