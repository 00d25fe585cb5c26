//! Adds the files that a line names to its ruling, as answers that come with the line.
//!
//! A file is read once, when the line is given, and its text is then an input of the ruling. When the ruling runs
//! again, the text is found by its address. The disk is not read, even if the file has changed.

use std::path::Path;
use std::rc::Rc;

use crate::content::{expand_home_path, outside_link_refusal, read_data_file};
use crate::diag::Diagnostic;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::input::KEY;
use crate::script::{
    self, Engine, FILE, GM, NamedFile, Outcome, Owner, Question, ReplyType, Run, file_slots,
    slots_value,
};
use crate::text::Parse;
use crate::value::Value;

/// File extensions of data, or of blocks of data, and how such files are read; all other files contain text.
const DATA: [(&str, &str); 4] = [
    ("json", "json"),
    ("yaml", "yaml"),
    ("yml", "yaml"),
    ("md", "markdown"),
];

/// A command of the rules, ready to run with everything that its line brings.
pub(in crate::game) struct Prepared {
    collection: String,
    id: String,
    argument: Value,
    files: Vec<FileOfSlot>,
}

/// A file that a slot names.
struct FileOfSlot {
    slot: String,
    question: Question,
    /// The present file; nothing if the ruling ran before and has it already.
    held: Option<Rc<NamedFile>>,
}

/// Prepares a line of a command to run: its slots, and the files that it names.
///
/// Errors: `host/gm-only` if a seat names a file, and the errors of [`read_named_file`].
pub(in crate::game) fn prepare_command(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    owner: &Owner,
    phrase: &Parse,
) -> Result<Prepared, Box<Diagnostic>> {
    let Owner::Definition { collection, id, .. } = owner else {
        unreachable!("invariant: only commands of the rules are prepared");
    };
    let mut files = Vec::new();
    for slot in file_slots(&timeline.rules(), owner) {
        let Some(path) = phrase
            .get(&slot)
            .map(|filled| filled.to_value().to_string())
        else {
            continue;
        };
        if let Some(refusal) = gm_only_refusal(ruling.by(), "can name files in a command") {
            return Err(Box::new(refusal));
        }
        let held = match ruling.knows_file(&path) {
            true => None,
            false => Some(Rc::new(read_named_file(
                ruling.caller.client.file_folder(),
                &path,
            )?)),
        };
        let question = file_question(&path);
        files.push(FileOfSlot {
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

/// Reads a file that a person names: as data if its extension requires it, else as text.
///
/// Errors: the errors of [`outside_link_refusal`], of [`read_data_file`] and of its data; the first one.
pub(in crate::game) fn read_named_file(
    folder: &Path,
    path: &str,
) -> Result<NamedFile, Box<Diagnostic>> {
    let path = expand_home_path(path);
    if let Some(refusal) = outside_link_refusal(folder, &path) {
        return Err(Box::new(refusal));
    }
    let (file, findings) = read_data_file(&folder.join(path));
    let Some(file) = file else {
        let unread = || Diagnostic::error("content/unreadable", "the file cannot be read");
        let first = findings.into_iter().find(Diagnostic::is_error);
        return Err(Box::new(first.unwrap_or_else(unread)));
    };
    let ending = Path::new(&file.path).extension().unwrap_or_default();
    let ending = ending.to_string_lossy().to_lowercase();
    let reads = DATA.iter().find(|(known, _)| *known == ending);
    NamedFile::new(&file.path, &file.source, reads.map(|(_, reads)| *reads))
}

impl Prepared {
    /// Runs the command with everything that its line brings.
    pub(in crate::game) fn run(
        &self,
        engine: &Engine,
        mut run: Run,
    ) -> (Run, Result<Outcome, Diagnostic>) {
        let mut argument = self.argument.as_map().cloned().unwrap_or_default();
        for file in &self.files {
            let held = file
                .held
                .as_ref()
                .map_or(&Value::Nil, |held| held.recorded());
            let known = match run.chance.file_answer(&file.question, held) {
                Ok(Some(known)) => file.file_to_record(&known),
                // The input source returns why the ruling does not continue.
                Ok(None) => return (run, Ok(Outcome::Waits)),
                Err(finding) => Err(finding),
            };
            match known {
                Ok(known) => {
                    argument.insert(file.slot.as_str().into(), known.value_for_scripts().clone());
                    run.files.push(known);
                }
                Err(finding) => return (run, Err(*finding)),
            }
        }
        let key = (self.collection.as_str(), self.id.as_str(), "run");
        script::run_command(engine, run, key, &Value::map(argument))
    }
}

impl FileOfSlot {
    /// Returns the file that a ruling stores; a file that was read just now is not read again.
    fn file_to_record(&self, recorded: &Value) -> Result<Rc<NamedFile>, Box<Diagnostic>> {
        match &self.held {
            Some(held) if held.recorded() == recorded => Ok(Rc::clone(held)),
            _ => NamedFile::from_recorded(recorded).map(Rc::new),
        }
    }
}

/// Returns the question that a file answers.
fn file_question(path: &str) -> Question {
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
