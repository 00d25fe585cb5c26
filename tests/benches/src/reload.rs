//! Measures reloads: of three hundred unchanged scripts, from bytecode and from source, and of shipped content after a
//! file was saved.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use host::content::Cache;
use host::game::{Files, Home, ReloadResult, Seed, SessionOptions, Solo};
use host::script::{Compiled, Engine, EngineOptions, Watch, load_rules};
use repl::COMMANDS;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds, median_nanoseconds};
use crate::many_rules_home::{RULES, rule_text, verb_of_number, write_many_rules_home};
use crate::results_table::{Row, Section, Target};
use crate::shipped_home::{self, project_folder};

const ROUNDS: u32 = 25;
/// Maximum nanoseconds from the save of a script until its rules are live, as the median of all saves.
const LIVE: f64 = 60e6;
/// Maximum nanoseconds from the report of a saved content file until its definition is live.
const CONTENT: f64 = 15e6;

/// Measures reloading.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().expect("invariant: there is a folder for temporary files");
    write_many_rules_home(folder.path()).expect("invariant: the folder can be written");
    let home = Home {
        folder: project_folder(),
        mods: vec![folder.path().to_owned()],
        content: None,
    };
    let files = home
        .read_ruleset("many")
        .expect("invariant: the ruleset was written");
    let known = RefCell::new(build_engine(&files, Compiled::default()).take_compile_cache());
    let [warm, cold, read] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(1, || {
                let compiled = known.take();
                let mut engine = None;
                let time = elapsed_time(|| engine = Some(build_engine(&files, compiled)));
                known.replace(
                    engine
                        .expect("invariant: it was built")
                        .take_compile_cache(),
                );
                time
            }),
            Lane::of_batch(1, || {
                let mut engine = None;
                elapsed_time(|| engine = Some(build_engine(&files, Compiled::default())))
            }),
            Lane::of_operation(1, || home.read_ruleset("many").map(|files| files.hash)),
        ],
    );
    let live = script_reload_time(&home, folder.path(), rounds);
    let content = [
        ("wwrf", "roles", "a role"),
        ("features", "features", "a feature"),
        ("dungeon", "monsters", "a monster"),
    ];
    let content = content.map(|(ruleset, collection, what)| {
        let time = content_reload_time(ruleset, collection, rounds);
        Row::time_at_most(
            format!("{what} of {ruleset} is live, once its file is saved"),
            time,
            CONTENT,
        )
    });
    let told = |what: &str| format!("candidate of {RULES} scripts {what}");
    Section {
        title: "Reload, 300 scripts",
        rows: [
            Row::time_without_target("reading the files", read),
            Row::time_without_target(told("from source"), cold),
            Row::time_without_target(told("from bytecode"), warm),
            Row::ratio_with_target(
                "from bytecode, in builds from source",
                warm / cold,
                Target::AtMost(1.0 / 6.0),
            ),
            Row::time_at_most("a file is saved and its rule is live, median", live, LIVE),
        ]
        .into_iter()
        .chain(content)
        .collect(),
    }
}

/// Returns the median time to reload a game after a shipped content file was saved.
fn content_reload_time(ruleset: &str, collection: &str, rounds: u32) -> f64 {
    let home = shipped_home::copy_shipped_home(ruleset)
        .expect("invariant: a temporary folder can be written");
    let content = home.path().join("content").join(ruleset);
    let file = first_file(&content.join(collection));
    let text = fs::read_to_string(&file).expect("invariant: content is text");
    let options = SessionOptions {
        home: Home {
            folder: home.path().to_owned(),
            mods: Vec::new(),
            content: None,
        },
        ruleset: ruleset.to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions {
            cache: Some(Cache::new(home.path().join("cache"))),
            ..EngineOptions::default()
        },
    };
    let started = Solo::start(options, &COMMANDS);
    let (mut solo, _) = started.unwrap_or_else(|_| panic!("invariant: the ruleset starts"));
    let times = (1..=rounds).map(|round| {
        let text = format!("{text}{}", "\n".repeat(1 + round as usize % 2));
        fs::write(&file, text).expect("invariant: the folder can be written");
        elapsed_time(|| match solo.session.reload(Compiled::default()) {
            ReloadResult::Swapped { .. } => {}
            other => panic!("invariant: the file is another: {other:?}"),
        })
    });
    median_nanoseconds(times.collect())
}

/// Returns the first file below a folder.
fn first_file(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).expect("invariant: a folder can be read");
    let paths = entries.map(|entry| entry.expect("invariant: a folder can be read").path());
    let first = paths.min().expect("invariant: something lies in it");
    match first.is_dir() {
        true => first_file(&first),
        false => first,
    }
}

/// Returns the median time from the save of a script until the game uses it.
fn script_reload_time(home: &Home, folder: &Path, rounds: u32) -> f64 {
    let options = SessionOptions {
        home: home.clone(),
        ruleset: "many".to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions::default(),
    };
    let started = Solo::start(options, &[]);
    let (mut solo, _) = started.unwrap_or_else(|_| panic!("invariant: the ruleset starts"));
    let (sender, changes) = channel();
    let watched = Watch::start(&home.folders(), move |compiled| {
        drop(sender.send(compiled));
    });
    let (_watch, _) = watched.unwrap_or_else(|_| panic!("invariant: folders can be watched"));
    let file = |number| {
        folder.join(format!(
            "scripts/many/rules/{}.luau",
            verb_of_number(number)
        ))
    };
    let times = (1..=rounds).map(|round| {
        let number = round as usize % RULES;
        let text = rule_text(number, &format!(" {round} times"));
        elapsed_time(|| {
            fs::write(file(number), text).expect("invariant: the folder can be written");
            loop {
                let change = changes.recv_timeout(Duration::from_secs(5));
                let prepared = change.expect("invariant: a change is reported");
                if let ReloadResult::Swapped { .. } = solo.session.reload(prepared) {
                    break;
                }
            }
        })
    });
    median_nanoseconds(times.collect())
}

fn build_engine(files: &Files, compiled: Compiled) -> Engine {
    let loaded = load_rules(&files.mods, &[], &EngineOptions::default(), compiled);
    let (engine, findings) = loaded.expect("invariant: there is memory for a machine");
    if let Some(finding) = findings.first() {
        panic!(
            "invariant: the scripts have no mistakes: {}: {:?}",
            finding.message, finding.hints
        );
    }
    engine
}
