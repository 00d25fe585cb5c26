//! Measures recipients of events: the cost of a recipient must not grow with the number of listeners.

use host::content::File;
use host::diag::Source;
use host::script::ModFiles;

use crate::compared_machines::HostMachine;
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 100;
/// Listeners of the small game and of the large one.
const FEW: u32 = 10;
const MANY: u32 = 1_000;
/// Handlers that are called in one batch.
const CALLS: u32 = 5_000;

/// Maximum growth of the cost of a recipient, with a hundred times as many listeners.
const GROWTH: f64 = 1.3;

fn measured_ruleset() -> ModFiles {
    let script = |path: &str, text: &str| File::new(path, Source::new(path, text));
    let scripts = vec![
        script(
            "ruleset.luau",
            "return ruleset { source = \"measured\", name = \"Heard\", summary = \"measured\",
              events = { told = { summary = \"all are told\" }, picked = { summary = \"one is meant\" } } }",
        ),
        script(
            "schemas/mark.luau",
            "return schema { source = \"measured\", summary = \"a mark\", folder = \"marks\", format = \"luau\",
              listeners = { kind = \"mark\", field = \"mark\" }, keys = { source = \"string\" } }",
        ),
        script(
            "marks/plain.luau",
            "return mark { source = \"measured\", on = {
              told = { where = { tone = \"kind\" }, run = function() end },
              picked = { where = { who = \"@bearer\" }, run = function() end } } }",
        ),
    ];
    ModFiles {
        name: "heard".to_owned(),
        scripts,
        content: Vec::new(),
    }
}

/// Returns a machine with a number of rows, each with one listener.
fn machine_with_elements(elements: u32) -> HostMachine {
    let mut host = HostMachine::with_rules(&[measured_ruleset()]);
    host.run_and_keep(&format!(
        "for number = 1, {elements} do
           act:attach(act:create('person', {{}}, `person_{{number}}`), 'mark', {{ mark = 'plain' }})
         end"
    ));
    host
}

/// Returns a chunk that emits an event a number of times.
fn emit_chunk(times: u32, event: &str, fields: &str) -> String {
    format!("for i = 1, {times} do act:emit('{event}', {{ {fields} }}) end")
}

/// Measures recipients among few and among many listeners.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let games = [FEW, MANY].map(machine_with_elements);
    let [all_few, all_many] =
        [FEW, MANY].map(|count| emit_chunk(CALLS / count, "told", "tone = 'kind'"));
    let to = emit_chunk(CALLS, "told", "tone = 'kind', to = 'person_7'");
    let at = emit_chunk(CALLS, "told", "tone = 'kind', at = 'mark#7'");
    let from_value = emit_chunk(CALLS, "picked", "who = 'person_7'");
    let [few, many] = &games;
    let [
        of_few,
        of_many,
        to_few,
        to_many,
        at_few,
        at_many,
        value_few,
        value_many,
    ] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(CALLS, || few.time_chunk(&all_few)),
            Lane::of_batch(CALLS, || many.time_chunk(&all_many)),
            Lane::of_batch(CALLS, || few.time_chunk(&to)),
            Lane::of_batch(CALLS, || many.time_chunk(&to)),
            Lane::of_batch(CALLS, || few.time_chunk(&at)),
            Lane::of_batch(CALLS, || many.time_chunk(&at)),
            Lane::of_batch(CALLS, || few.time_chunk(&from_value)),
            Lane::of_batch(CALLS, || many.time_chunk(&from_value)),
        ],
    );
    let grown = |name: &str, few: f64, many: f64| {
        let name = format!("{name}: {MANY} elements, in those of {FEW}");
        Row::ratio_with_target(name, many / few, Target::AtMost(GROWTH))
    };
    Section {
        title: "Recipients of an event, searched for at each emission",
        rows: vec![
            Row::time_at_most("a recipient, of an event to 1000", of_many, 2_000.0),
            Row::time_without_target("an event with one recipient, by `to`", to_many),
            Row::time_without_target("an event with one recipient, by `at`", at_many),
            Row::time_without_target("an event with one recipient, from a field", value_many),
            grown("to everybody", of_few, of_many),
            grown("to one row", to_few, to_many),
            grown("at one row", at_few, at_many),
            grown("from a field", value_few, value_many),
        ],
    }
}
