//! This module measures reloading: a candidate of three hundred unchanged scripts, from bytecode and from source.

use std::cell::RefCell;
use std::path::Path;

use host::game::{Files, Home};
use host::script::{Compiled, Engine, EngineOptions, load};

use crate::rules::{RULES, write_home};
use crate::table::{Row, Section, Target};
use crate::timing::{Lane, clock, race};

const ROUNDS: u32 = 25;

/// Measures reloading.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let folder = tempfile::tempdir().expect("invariant: there is a folder for temporary files");
    write_home(folder.path()).expect("invariant: the folder can be written");
    let home = Home {
        folder: root(),
        mods: vec![folder.path().to_owned()],
    };
    let files = home
        .read("many")
        .expect("invariant: the ruleset was written");
    let known = RefCell::new(build(&files, Compiled::default()).take_compiled());
    let [warm, cold, read] = race(
        rounds,
        [
            Lane::timed(1, || {
                let compiled = known.take();
                let mut engine = None;
                let time = clock(|| engine = Some(build(&files, compiled)));
                known.replace(engine.expect("invariant: it was built").take_compiled());
                time
            }),
            Lane::timed(1, || {
                let mut engine = None;
                clock(|| engine = Some(build(&files, Compiled::default())))
            }),
            Lane::repeat(1, || home.read("many").map(|files| files.hash)),
        ],
    );
    let told = |what: &str| format!("candidate of {RULES} scripts {what}");
    Section {
        title: "Reload, 300 scripts",
        rows: vec![
            Row::told("reading the files", read),
            Row::told(told("from source"), cold),
            Row::told(told("from bytecode"), warm),
            Row::ratio(
                "from bytecode, in builds from source",
                warm / cold,
                Target::AtMost(1.0 / 6.0),
            ),
        ],
    }
}

/// The folder with the library.
fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn build(files: &Files, compiled: Compiled) -> Engine {
    let loaded = load(&files.mods, &[], &EngineOptions::default(), compiled);
    let (engine, findings) = loaded.expect("invariant: there is memory for a machine");
    if let Some(finding) = findings.first() {
        panic!(
            "invariant: the scripts have no mistakes: {}: {:?}",
            finding.message, finding.hints
        );
    }
    engine
}
