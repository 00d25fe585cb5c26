//! Tests that a panic of a callback does not unwind through the machine, and that the machine works afterwards.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use mlua::{IntoLua, Lua, LuaOptions, StdLib};

use super::{
    Call, Fast, Given, Look, Owner, carry_panics, fast_function, install_interrupt, protected_call,
};
use crate::script::border::stack_value::{Field, Rows};
use crate::script::border::value_conversion::from_lua;
use crate::script::profile::Work;
use crate::value::{Number, Value};

/// A host that panics in a chosen callback.
#[derive(Default)]
struct Broken(Cell<&'static str>);

impl Broken {
    fn at(&self, place: &'static str) {
        assert!(self.0.get() != place, "{place}");
    }
}

impl Owner for Broken {
    fn count_safe_point(&self) -> bool {
        true
    }

    fn spend_fuel(&self, _: u32) {}

    fn check_limits(&self, _: usize) -> Look {
        self.at("look");
        Look::Collect
    }

    fn note_out_of_memory(&self) {
        self.at("ran out");
    }
}

/// A method that answers unless its first argument is false.
struct Answer;

impl Fast for Answer {
    type Owner = Broken;

    const FUEL: u32 = 1;

    const WORK: (Work, &'static str) = (Work::Reads, "answer");

    const MOST: usize = 1;

    fn answer(host: &Broken, call: Call<'_>) -> Option<Given> {
        host.at("answer");
        call.argument(0)?.number()?;
        Some(call.give_two(
            &Value::Bool(true),
            &Value::list([Value::text("a"), Value::Nil]),
        ))
    }
}

fn machine(host: &Rc<Broken>) -> Lua {
    let options = LuaOptions::new().catch_rust_panics(false);
    let lua = Lua::new_with(StdLib::ALL_SAFE, options).unwrap();
    lua.set_memory_limit(8 << 20).unwrap();
    carry_panics(&lua).unwrap();
    let globals = lua.globals();
    let safe = lua.create_function(|_, _: mlua::Value| Ok("safe")).unwrap();
    let answer = fast_function::<Answer>(&lua, host, &safe).unwrap().unwrap();
    globals.set("answer", answer).unwrap();
    let protected = protected_call::<Broken>(&lua).unwrap();
    globals.set("protected", protected).unwrap();
    // An error that passes through a Rust function goes on there, as in the prelude.
    let seen = lua
        .create_function(|_, value: mlua::Value| Ok(value))
        .unwrap();
    globals.set("seen", seen).unwrap();
    install_interrupt(&lua, host);
    lua
}

const PLACES: [(&str, &str); 3] = [
    ("answer", "return answer(1)"),
    ("look", "for _ = 1, 3 do end return true"),
    ("ran out", "return (protected(string.rep, 'x', 100000000))"),
];

#[test]
fn a_panic_of_a_callback_ends_where_rust_called_the_machine() {
    let host = Rc::default();
    let lua = machine(&host);
    for (place, text) in PLACES {
        let wrapped =
            format!("local _, problem = protected(function() {text} end) return seen(problem)");
        for text in [text, &wrapped] {
            let function = lua.load(text).into_function().unwrap();
            for _ in 0..30 {
                host.0.set(place);
                let ended = catch_unwind(AssertUnwindSafe(|| function.call::<mlua::Value>(())));
                host.0.set("");
                let panic = ended.expect_err(text);
                assert_eq!(panic.downcast_ref::<String>().unwrap(), place, "{text}");
                let (is_answered, list): (bool, Vec<mlua::Value>) =
                    lua.load("return answer(1)").call(()).unwrap();
                assert!(is_answered && list.len() == 2);
            }
        }
    }
}

#[test]
fn what_is_not_answered_is_left_to_the_safe_function() {
    let lua = machine(&Rc::default());
    for call in [
        "answer()",
        "answer('1')",
        "answer({}, 2, 3)",
        "answer(nil, 1)",
    ] {
        let said: String = lua.load(format!("return {call}")).call(()).unwrap();
        assert_eq!(said, "safe", "{call}");
    }
}

/// A host that counts safe points.
#[derive(Default)]
struct Counting(Cell<u32>);

impl Owner for Counting {
    fn count_safe_point(&self) -> bool {
        self.0.set(self.0.get() + 1);
        false
    }

    fn spend_fuel(&self, fuel: u32) {
        self.0.set(self.0.get() + fuel);
    }

    fn check_limits(&self, _: usize) -> Look {
        Look::Go
    }

    fn note_out_of_memory(&self) {}
}

#[test]
fn a_state_that_a_script_makes_ticks_for_the_same_owner() {
    let host = Rc::new(Counting::default());
    let lua = Lua::new();
    install_interrupt(&lua, &host);
    let ticks = |text: &str| {
        let before = host.0.get();
        lua.load(text).exec().unwrap();
        host.0.get() - before
    };
    let inside = ticks("for _ = 1, 1000 do end");
    assert!(inside >= 1000);
    let within = ticks(
        "coroutine.wrap(function() coroutine.wrap(function() for _ = 1, 1000 do end end)() end)()",
    );
    assert!(within >= inside);
}

#[test]
fn rows_on_the_stack_are_those_made_entry_by_entry() {
    fn rows() -> Rows {
        let said = ("said", Field::Text("a".to_owned()));
        let row = vec![("arg", Field::Number(1.0)), said];
        Rows(vec![row, vec![("arg", Field::Number(2.5))], Vec::new()])
    }
    let lua = Lua::new();
    let given = lua.create_function(|_, ()| Ok(rows())).unwrap();
    let on_stack = given.call::<mlua::Value>(()).unwrap();
    let by_entry = rows().into_lua(&lua).unwrap();
    let made = from_lua(on_stack).unwrap();
    assert_eq!(Ok(&made), from_lua(by_entry).as_ref());
    assert_eq!(
        made.items()[1].get("arg"),
        &Value::from(Number::from_f64(2.5).unwrap())
    );
}
