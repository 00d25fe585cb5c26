//! Measures calls of rulesets that read their rules from content: named causes, definitions, and the records of a
//! row.

use host::content::File;
use host::diag::Source;
use host::script::ModFiles;

use crate::compared_machines::HostMachine;
use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 300;
/// Calls of one batch.
const CALLS: u32 = 1_000;

fn measured_ruleset() -> ModFiles {
    let script = |path: &str, text: &str| File::new(path, Source::new(path, text));
    ModFiles {
        name: "read".to_owned(),
        scripts: vec![
            script(
                "ruleset.luau",
                "return ruleset { source = \"measured\", name = \"Read\", summary = \"measured\" }",
            ),
            script(
                "schemas/mark.luau",
                "return schema { source = \"measured\", summary = \"a mark\", folder = \"marks\", format = \"luau\",
                  keys = { source = \"string\" } }",
            ),
            script("marks/known.luau", "return mark { source = \"measured\" }"),
        ],
        content: Vec::new(),
    }
}

/// Measures the calls.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut host = HostMachine::with_rules(&[measured_ruleset()]);
    host.run_and_keep("for _ = 1, 3 do act:attach('ann', 'mark', { of = 'known' }) end");
    let host = &host;
    let lane = |body: &str| {
        let chunk = format!("local function nothing() end for i = 1, {CALLS} do {body} end");
        Lane::of_batch(CALLS, move || host.time_chunk(&chunk))
    };
    let [
        empty,
        called,
        during,
        wrote,
        written,
        known,
        unknown,
        found,
        rows,
    ] = fastest_nanoseconds(
        rounds,
        [
            lane(""),
            lane("nothing()"),
            lane("act:with_cause('ann', 'line 4: on death', nothing)"),
            lane("act:with_cause('ann', 'line 4: on death', act.set, act, 'ann', 'mood', i)"),
            lane("act:set('ann', 'mood', i)"),
            lane("definitions.get('marks', 'known')"),
            lane("definitions.get('marks', 'unknown')"),
            lane("act:find({ owner = 'ann', kind = 'mark' })"),
            lane("act:rows({ owner = 'ann', kind = 'mark' }, { 'of' })"),
        ],
    );
    Section {
        title: "Calls of rules that read their rules from content",
        rows: vec![
            Row::time_without_target("act:with_cause around nothing", during - called),
            Row::time_without_target("act:with_cause around a write", wrote - written),
            Row::time_without_target("definitions.get", known - empty),
            Row::ratio_with_target(
                "definitions.get, in calls that ask the host",
                (known - empty) / (unknown - empty),
                Target::AtMost(0.5),
            ),
            Row::time_without_target("act:find of 3 records by owner and kind", found - empty),
            Row::time_without_target("act:rows of them with one field", rows - empty),
        ],
    }
}
