//! Measures events: 25 handlers out of 500 rules, against 25 single calls from Rust.

use std::hint::black_box;

use host::content::File;
use host::diag::Source;
use host::script::ModFiles;
use mlua::{Function, Table};

use crate::compared_machines::{BareMachine, HostMachine};
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 300;
/// Events of one batch.
const EVENTS: u32 = 100;
/// Rules of the ruleset, and the ones that handle the event.
const RULES: usize = 500;
const HEARERS: usize = 25;

const HANDLER: &str = "function(act, event, self, bearer)
  if bearer ~= event.who then
    event.count += 1
  end
end";

fn measured_ruleset() -> ModFiles {
    let script =
        |path: String, text: String| File::new(&path, Source::new(path.as_str(), text.as_str()));
    let mut scripts = vec![
        script(
            "ruleset.luau".to_owned(),
            "return ruleset { source = \"measured\", name = \"Heard\", summary = \"measured\",
              events = { told = { summary = \"all are told\" }, other = { summary = \"others are\" }, read = { summary = \"content is\" }, nobody = { summary = \"none\" } } }"
                .to_owned(),
        ),
        script(
            "schemas/mark.luau".to_owned(),
            "return schema { source = \"measured\", summary = \"a mark\", folder = \"marks\", format = \"luau\",
              listeners = { kind = \"mark\", field = \"mark\" }, keys = { source = \"string\" } }"
                .to_owned(),
        ),
        script(
            "schemas/habit.luau".to_owned(),
            "return schema { source = \"measured\", summary = \"a habit\", folder = \"habits\", format = \"luau\",
              listeners = { kind = \"habit\", field = \"habit\" }, keys = { source = \"string\" },
              handlers = function() return { { on = \"read\", key = \"habits/one:1\" } } end,
              fire = function(act, event) event.count += 1 end }"
                .to_owned(),
        ),
        script(
            "habits/one.luau".to_owned(),
            "return habit { source = \"measured\" }".to_owned(),
        ),
    ];
    scripts.extend((0..RULES).map(|number| {
        let event = if number % (RULES / HEARERS) == 0 {
            "told"
        } else {
            "other"
        };
        script(
            format!("marks/mark_{number}.luau"),
            format!("return mark {{ source = \"measured\", on = {{ {event} = {HANDLER} }} }}"),
        )
    }));
    ModFiles {
        name: "heard".to_owned(),
        scripts,
        content: Vec::new(),
    }
}

/// Measures the events.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut host = HostMachine::with_rules(&[measured_ruleset()]);
    host.run_and_keep(&format!(
        "for number = 0, {RULES} - 1 do act:attach('ann', 'mark', {{ mark = `mark_{{number}}` }}) end
         for number = 1, {HEARERS} do act:attach('ann', 'habit', {{ habit = 'one' }}) end"
    ));
    let loop_over = |body: &str| format!("for i = 1, {EVENTS} do {body} end");
    let (told, read, nobody, empty) = (
        loop_over("act:emit('told', { count = 0 })"),
        loop_over("act:emit('read', { count = 0 })"),
        loop_over("act:emit('nobody', { count = 0 })"),
        loop_over("local event = { count = 0 }"),
    );
    let bare = BareMachine::new();
    let handlers: Vec<Function> = (0..HEARERS)
        .map(|_| {
            bare.compile_chunk(&format!("return {HANDLER}"))
                .call(())
                .expect("invariant: it is a function")
        })
        .collect();
    let table = bare.compile_chunk("return { count = 0 }");
    let one_by_one = || {
        let event: Table = table.call(()).expect("invariant: it is a table");
        for handler in &handlers {
            handler
                .call::<()>((&event, &event, "mark#1", "ann"))
                .expect("invariant: handlers work");
        }
    };
    let (rules, unheard, heard) = (host.rules(), host.name("nobody"), host.name("told"));
    let [told, read, nobody, empty, from_rust, bare, asked] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(EVENTS, || host.time_chunk(&told)),
            Lane::of_batch(EVENTS, || host.time_chunk(&read)),
            Lane::of_batch(EVENTS, || host.time_chunk(&nobody)),
            Lane::of_batch(EVENTS, || host.time_chunk(&empty)),
            Lane::of_batch(EVENTS, || host.time_handlers_one_by_one(heard, EVENTS)),
            Lane::of_operation(EVENTS, one_by_one),
            Lane::of_operation(EVENTS * 100, || {
                black_box(rules.has_listeners_for(black_box(unheard)));
            }),
        ],
    );
    Section {
        title: "Events, 25 handlers out of 500 rules",
        rows: vec![
            Row::time_without_target("act:emit to 25 handlers", told - empty),
            Row::time_without_target("the 25 handlers called from Rust one by one", from_rust),
            Row::ratio_with_target(
                "emitting, in calls one by one",
                (told - empty) / from_rust,
                Target::AtMost(0.6),
            ),
            Row::time_without_target("the same in a machine without budgets and savepoints", bare),
            Row::time_at_most(
                "a handler that a schema read, before its own work",
                (read - empty) / HEARERS as f64,
                2_000.0,
            ),
            Row::time_at_most("act:emit that nobody hears", nobody - empty, 50.0),
            Row::time_at_most("an event that nobody hears, in Rust", asked, 5.0),
        ],
    }
}
