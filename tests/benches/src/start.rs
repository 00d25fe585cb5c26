//! Measures the start of each shipped ruleset to the first prompt, without a cache folder and with a filled one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use host::content::Cache;
use host::game::{Home, Seed, SessionOptions, Solo};
use host::script::EngineOptions;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section};

const ROUNDS: u32 = 15;
/// Maximum nanoseconds from the start to the first prompt.
const MOST: f64 = 150e6;
/// The same with a filled cache folder.
const AGAIN: f64 = 60e6;

/// Measures the start of each shipped ruleset.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Home {
        folder: root.clone(),
        mods: vec![root.join("tests/mini")],
        content: None,
    };
    let folder = tempfile::tempdir().expect("invariant: there is a folder for temporary files");
    let cache = Cache::new(folder.path().to_owned());
    let mut rows = Vec::new();
    for ruleset in home.rulesets() {
        let [anew, again] = fastest_nanoseconds(
            rounds,
            [
                Lane::of_operation(1, || start_game(&home, &ruleset, None)),
                Lane::of_operation(1, || start_game(&home, &ruleset, Some(cache.clone()))),
            ],
        );
        let told = format!("Session::start of {ruleset}");
        rows.push(Row::time_at_most(format!("{told}, again"), again, AGAIN));
        rows.push(Row::time_at_most(told, anew, MOST));
    }
    if let Some(program) = program_beside_this() {
        for ruleset in home.rulesets() {
            let [time] = fastest_nanoseconds(
                rounds,
                [Lane::of_batch(1, || {
                    elapsed_time(|| run_empty_script(&program, &root, &ruleset))
                })],
            );
            rows.push(Row::time_at_most(
                format!("arbiter run of nothing with {ruleset}"),
                time,
                MOST,
            ));
        }
    }
    Section {
        title: "Start to first prompt",
        rows,
    }
}

fn start_game(home: &Home, ruleset: &str, cache: Option<Cache>) {
    let options = SessionOptions {
        home: home.clone(),
        ruleset: ruleset.to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions {
            cache,
            ..EngineOptions::default()
        },
    };
    let started = Solo::start(options, &[]);
    if let Err(findings) = &started {
        panic!("invariant: shipped rulesets start: {}", findings[0].message);
    }
}

/// Returns the program `arbiter` if it was built beside this one.
fn program_beside_this() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.with_file_name("arbiter");
    beside.exists().then_some(beside)
}

fn run_empty_script(program: &Path, root: &Path, ruleset: &str) {
    let mut command = Command::new(program);
    command
        .arg("run")
        .arg("-")
        .arg("--no-cache")
        .arg("--ruleset")
        .arg(ruleset)
        .arg("--home")
        .arg(root);
    command.arg("--mods").arg(root.join("tests/mini"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = command.status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "invariant: a run of nothing ends well"
    );
}
