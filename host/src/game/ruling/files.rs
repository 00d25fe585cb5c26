//! This module brings the files that a line names into its ruling, as answers that come with the line.
//!
//! A file is read once, when the line is given, and is an input of the ruling from then on: what runs the ruling again
//! finds it by its address and does not touch the disk, whatever became of the file.

use std::path::{Path, PathBuf};

use crate::content::{TreeLimits, read_data_file, read_tree};
use crate::diag::Diagnostic;
use crate::game::permission::gm_only;
use crate::game::session::Session;
use crate::script::{
    Engine, FILE, GM, Outcome, Owner, Question, ReplyType, Run, file_slots, slots_value,
};
use crate::text::Parse;
use crate::value::Value;

/// The key of a file in its address: `slot/file/PATH/1`.
pub(in crate::game) const KEY: &str = "file";
/// Endings of files that hold data; all others hold text.
const DATA: [&str; 3] = ["json", "yaml", "yml"];

/// A command of the rules, ready to run with all that its line brings.
pub(in crate::game) struct Prepared {
    collection: String,
    id: String,
    argument: Value,
    files: Vec<Named>,
}

/// A file that a slot names.
struct Named {
    slot: String,
    question: Question,
    /// What it holds; nothing where the ruling ran before and knows it.
    held: Value,
}

impl Session {
    /// Lets the files that lines name lie in a folder; without one they are paths of the program.
    pub fn read_files_from(&mut self, folder: impl Into<PathBuf>) {
        self.files_from = folder.into();
    }

    /// Reads a file that a person names: `{name, data}`, or `{name, text}` where its ending is that of no data.
    ///
    /// Errors: those of [`read_data_file`] and of its data; the first one.
    pub fn named_file(&self, path: &str) -> Result<Value, Box<Diagnostic>> {
        let path = self.files_from.join(path);
        let (file, findings) = read_data_file(&path);
        let Some(file) = file else {
            return Err(first_error(findings));
        };
        let ending = Path::new(&file.path).extension().unwrap_or_default();
        let ending = ending.to_string_lossy().to_lowercase();
        let name = Value::from(file.path.as_str());
        if !DATA.contains(&&*ending) {
            let text = Value::from(file.source.text());
            return Ok(Value::map([("name", name), ("text", text)]));
        }
        let (node, findings) = read_tree(&file.source, TreeLimits::DATA);
        match node.filter(|_| !findings.iter().any(Diagnostic::is_error)) {
            Some(node) => Ok(Value::map([("name", name), ("data", node.to_value())])),
            None => Err(first_error(findings)),
        }
    }

    /// Gets a line of a command ready to run: its slots, and the files that it names.
    ///
    /// Errors: `host/gm-only` where a seat names a file, and those of [`Session::named_file`].
    pub(in crate::game) fn prepared(
        &self,
        by: &str,
        owner: &Owner,
        phrase: &Parse,
    ) -> Result<Prepared, Box<Diagnostic>> {
        let Owner::Definition { collection, id, .. } = owner else {
            unreachable!("invariant: only commands of the rules are prepared");
        };
        let mut files = Vec::new();
        for slot in file_slots(&self.rules(), owner) {
            let Some(path) = phrase
                .get(&slot)
                .map(|filled| filled.to_value().to_string())
            else {
                continue;
            };
            if let Some(refusal) = gm_only(by, "names files") {
                return Err(Box::new(refusal));
            }
            let held = match self.knows_file(&path) {
                true => Value::Nil,
                false => self.named_file(&path)?,
            };
            let question = question(&path);
            files.push(Named {
                slot,
                question,
                held,
            });
        }
        Ok(Prepared {
            collection: collection.clone(),
            id: id.clone(),
            argument: slots_value(phrase),
            files,
        })
    }

    /// Returns whether the ruling that runs again brings a file along.
    fn knows_file(&self, path: &str) -> bool {
        if let Some(replay) = &self.replay {
            return replay.oracle().knows_file(path);
        }
        let resume = self.resume.as_ref().filter(|resume| !resume.is_used);
        resume.is_some_and(|resume| {
            let transcript = &resume.waiting.transcript;
            transcript.iter().any(|one| one.is_file(path))
        })
    }
}

impl Prepared {
    /// Runs the command with all that its line brings.
    pub(in crate::game) fn run(
        &self,
        engine: &Engine,
        mut run: Run,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        let mut argument = self.argument.as_map().cloned().unwrap_or_default();
        for file in &self.files {
            match run.chance.file(&file.question, &file.held) {
                Ok(Some(held)) => drop(argument.insert(file.slot.as_str().into(), held)),
                // The oracle says why the ruling does not go on.
                Ok(None) => return (run, Ok(Outcome::Waits)),
                Err(finding) => return (run, Err(*finding)),
            }
        }
        let key = (self.collection.as_str(), self.id.as_str(), "run");
        engine.run(run, key, &Value::map(argument))
    }
}

/// Returns the question that a file answers.
fn question(path: &str) -> Question {
    Question {
        to: GM.to_owned(),
        members: Vec::new(),
        key: KEY.to_owned(),
        who: path.to_owned(),
        reply: ReplyType::Named(FILE.to_owned()),
        default: Value::Nil,
        deadline: None,
        text: String::new(),
    }
}

fn first_error(findings: Vec<Diagnostic>) -> Box<Diagnostic> {
    let unread = || Diagnostic::error("content/unreadable", "the file cannot be read");
    let first = findings.into_iter().find(Diagnostic::is_error);
    Box::new(first.unwrap_or_else(unread))
}
