//! Copies a shipped ruleset into its own folder and starts games of it, with limits that no measurement reaches.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::game::{Home, Seed, SessionOptions, Solo};
use host::script::{EngineOptions, Limits};
use repl::COMMANDS;
use tempfile::TempDir;

/// Returns a folder with the shipped library and a shipped ruleset.
pub(crate) fn copy_shipped_home(ruleset: &str) -> io::Result<TempDir> {
    let home = tempfile::tempdir()?;
    for part in ["scripts/library".to_owned(), format!("scripts/{ruleset}")] {
        copy_folder(&project_folder().join(&part), &home.path().join(part))?;
    }
    let content = shipped_content_folder(ruleset);
    copy_folder(&content, &home.path().join(format!("content/{ruleset}")))?;
    Ok(home)
}

/// Returns the folder of the shipped content of a ruleset.
pub(crate) fn shipped_content_folder(ruleset: &str) -> PathBuf {
    project_folder().join(format!("content/{ruleset}"))
}

/// Returns the folder with scripts and content.
pub(crate) fn project_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &place)?,
            false => fs::copy(entry.path(), place).map(|_| ())?,
        }
    }
    Ok(())
}

/// Returns a game of a ruleset, with its own content or that of another folder.
pub(crate) fn start_game(home: &Path, ruleset: &str, content: Option<PathBuf>) -> Solo {
    let clock = Some(Duration::from_secs(600));
    let limits = Limits {
        fuel_callback: u64::MAX / 4,
        fuel_command: u64::MAX / 4,
        time_callback: clock,
        time_command: clock,
        ..Limits::default()
    };
    let options = SessionOptions {
        home: Home {
            folder: home.to_owned(),
            mods: Vec::new(),
            content,
        },
        ruleset: ruleset.to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions {
            limits,
            ..EngineOptions::default()
        },
    };
    let started = Solo::start(options, &COMMANDS);
    started.expect("invariant: the measured ruleset loads").0
}

/// Returns a game of a ruleset of the tests.
pub(crate) fn start_toy_game(ruleset: &str) -> Solo {
    let root = project_folder();
    let options = SessionOptions {
        home: Home {
            folder: root.clone(),
            mods: vec![root.join("tests/mini")],
            content: None,
        },
        ruleset: ruleset.to_owned(),
        seed: Seed::from_text("bench"),
        engine: EngineOptions::default(),
    };
    let started = Solo::start(options, &COMMANDS);
    started.expect("the toys of the tests load").0
}
