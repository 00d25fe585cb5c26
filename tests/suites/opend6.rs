//! Compares computed spells with the expected values: numbers, texts, outputs, rolls.
//!
//! The project's spells are in `tests/opend6`; those in the folder of `ARBITER_CORPUS` are computed
//! too.

mod documented_rolls;
mod mersenne;
mod new_aspect;
mod published_books;
mod spell_outputs;
mod spell_values;
mod yaml_files;

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::program::{arbiter_running_lines, project, run_lines};

/// A book of spells with the expected values, and the outputs of some of its spells.
struct Book {
    folder: PathBuf,
    spells: &'static str,
    outputs: &'static str,
    /// The least number of spells and of output texts.
    least: (usize, usize),
}

impl Book {
    fn spells_file(&self) -> PathBuf {
        self.folder.join(self.spells)
    }

    /// Returns the expected values of its spells.
    fn spells(&self) -> Vec<Json> {
        let all = read_list_in_file(&self.spells_file(), "spells");
        assert!(all.len() >= self.least.0, "only {} spells", all.len());
        all
    }

    /// Returns the expected outputs of some spells.
    fn outputs(&self) -> Vec<Json> {
        read_list_in_file(&self.folder.join(self.outputs), "outputs")
    }
}

fn read_list_in_file(file: &Path, key: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(file).unwrap();
    let all: Json = serde_json::from_str(&text).unwrap();
    all[key].as_array().unwrap().clone()
}

/// Returns the project's book, followed by that of the corpus if it exists.
fn books() -> Vec<Book> {
    let own = Book {
        folder: project().join("tests/opend6"),
        spells: "spells.json",
        outputs: "outputs.json",
        least: (9, 29),
    };
    let corpus = std::env::var_os("ARBITER_CORPUS").map(|folder| Book {
        folder: PathBuf::from(folder).join("opend6"),
        spells: "spells-visible.json",
        outputs: "outputs-visible.json",
        least: (279, 246),
    });
    [Some(own), corpus].into_iter().flatten().collect()
}

/// Plays lines in a new game and returns its answers.
fn play_new_game(lines: &str) -> Vec<Json> {
    let mut command = arbiter_running_lines("opend6", "x");
    run_lines(command.arg("--keep-going"), lines).1
}

/// Returns the refusal of an answer, for messages.
fn refusal_message(answer: &Json) -> Option<String> {
    let error = answer.get("error").filter(|error| !error.is_null())?;
    Some(format!("{}: {}", error["code"], error["message"]))
}
