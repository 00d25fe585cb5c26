//! A file that a line names: the recorded form and the form for scripts.
//!
//! In: the recorded form, `{name, text}` or `{name, text, reads}`. `reads` is `json`, `yaml` or `markdown`. Games of
//! older versions have `{name, data}`. Out: `{name, text}`, or `{name, data}` with the order of its keys and their
//! places, as far as known. A Markdown file becomes `{name, text, blocks}`, with each block of data as `{word, line,
//! data}`.

use std::ops::Range;
use std::sync::Arc;

use super::key_path::{keys_at_path_in_tree, keys_at_path_in_value};
use crate::content::{Node, Step, TreeLimits, read_json, read_yaml};
use crate::diag::{Diagnostic, Position, Source};
use crate::value::{Text, Value};

/// The value of `reads` for a text with blocks of data.
const MARKDOWN: &str = "markdown";

/// The marks around a block.
const FENCE: &str = "```";

/// A file that a line names.
#[derive(Debug)]
pub struct NamedFile {
    recorded: Value,
    given: Value,
    tree: Option<(Arc<Source>, Node)>,
}

impl NamedFile {
    /// Returns a file that was read. Its source has the path that people see. `reads` is `json` or `yaml` for data,
    /// `markdown` for a text with blocks of data.
    ///
    /// Errors: the first error in its data.
    pub fn new(
        name: &str,
        source: &Arc<Source>,
        reads: Option<&str>,
    ) -> Result<NamedFile, Box<Diagnostic>> {
        let text = Value::from(source.text());
        let named = |key: &str, held: Value| Value::map([("name", Value::from(name)), (key, held)]);
        let Some(reads) = reads else {
            return Ok(NamedFile::from_value(named("text", text)));
        };
        let recorded = |text: Value| {
            let entries = [
                ("name", name.into()),
                ("text", text),
                ("reads", reads.into()),
            ];
            Value::map(entries)
        };
        if reads == MARKDOWN {
            let blocks = data_blocks(source)?;
            let given = [
                ("name", name.into()),
                ("text", text.clone()),
                ("blocks", blocks),
            ];
            return Ok(NamedFile {
                recorded: recorded(text),
                given: Value::map(given),
                tree: None,
            });
        }
        let read = match reads {
            "json" => read_json,
            _ => read_yaml,
        };
        let (node, findings) = read(source, TreeLimits::DATA);
        let Some(node) = node.filter(|_| !findings.iter().any(Diagnostic::is_error)) else {
            return Err(first_error(findings));
        };
        Ok(NamedFile {
            recorded: recorded(text),
            given: named("data", node.to_value()),
            tree: Some((Arc::clone(source), node)),
        })
    }

    /// Returns the file from the form that a ruling keeps. Errors: its data can no longer be read.
    pub fn from_recorded(recorded: &Value) -> Result<NamedFile, Box<Diagnostic>> {
        let text = |key: &str| recorded.get(key).as_str();
        let (Some(name), Some(held), Some(reads)) = (text("name"), text("text"), text("reads"))
        else {
            return Ok(NamedFile::from_value(recorded.clone()));
        };
        NamedFile::new(name, &Source::new(name, held), Some(reads))
    }

    fn from_value(value: Value) -> NamedFile {
        NamedFile {
            recorded: value.clone(),
            given: value,
            tree: None,
        }
    }

    /// Returns the approximate number of bytes of its text.
    pub(crate) fn text_bytes(&self) -> u64 {
        bytes_of_texts(&self.recorded)
    }

    /// Returns its name: the last part of its path.
    pub fn name(&self) -> &str {
        self.recorded.get("name").as_str().unwrap_or_default()
    }

    /// Returns the form that a ruling keeps.
    pub fn recorded(&self) -> &Value {
        &self.recorded
    }

    /// Returns the form for scripts.
    pub fn value_for_scripts(&self) -> &Value {
        &self.given
    }

    /// Returns the keys of the map at the end of a path, and the number of entries that were read. The keys are in the
    /// order of the text, if that is known.
    pub(crate) fn keys_at_path(&self, path: &[Step]) -> (Option<Vec<Text>>, usize) {
        match (&self.tree, self.given.get("data")) {
            (Some((_, node)), _) => keys_at_path_in_tree(node, path),
            (None, Value::Nil) => (None, 0),
            (None, data) => keys_at_path_in_value(data, path),
        }
    }

    /// Returns the beginning and the end of the node at the end of a path, or of its key, or of the nearest node above.
    /// Also returns the number of entries that were read.
    pub(crate) fn place_at_path(
        &self,
        path: &[Step],
        is_key: bool,
    ) -> (Option<(Position, Position)>, usize) {
        let Some((source, node)) = &self.tree else {
            return (None, 0);
        };
        let reached = node.follow_path(path);
        let key = reached.key.filter(|_| is_key);
        let span = key.unwrap_or(reached.node.span);
        let place = (source.position(span.start), source.position(span.end));
        (Some(place), reached.work)
    }
}

/// Returns the blocks of data in a Markdown text: those with `json` or `yaml` as first word.
///
/// Errors: the first error in one of the blocks, at its place in the whole text.
fn data_blocks(source: &Arc<Source>) -> Result<Value, Box<Diagnostic>> {
    let (mut blocks, mut open) = (Vec::new(), None);
    let mut at = 0;
    for (index, line) in source.text().split_inclusive('\n').enumerate() {
        let begins = at;
        at += line.len();
        let Some(word) = line.trim().strip_prefix(FENCE) else {
            continue;
        };
        match open.take() {
            None => open = Some((word.trim().to_owned(), at, index + 2)),
            Some((word, from, line)) => {
                if let Some(data) = block_data(source, &word, from..begins)? {
                    let line = Value::from(line as i64);
                    let entries = [
                        ("word", word.as_str().into()),
                        ("line", line),
                        ("data", data),
                    ];
                    blocks.push(Value::map(entries));
                }
            }
        }
    }
    Ok(Value::list(blocks))
}

/// Returns the data of a block, or nothing if its first word names no data format.
fn block_data(
    source: &Source,
    word: &str,
    place: Range<usize>,
) -> Result<Option<Value>, Box<Diagnostic>> {
    let read = match word.split_whitespace().next() {
        Some("json") => read_json,
        Some("yaml") => read_yaml,
        Some(_) | None => return Ok(None),
    };
    // The lines above stay empty, so that every place is a place in the whole text.
    let above = source.text()[..place.start].matches('\n').count();
    let text = format!("{}{}", "\n".repeat(above), &source.text()[place]);
    let (node, findings) = read(&Source::new(source.name(), text), TreeLimits::DATA);
    match node.filter(|_| !findings.iter().any(Diagnostic::is_error)) {
        Some(node) => Ok(Some(node.to_value())),
        None => Err(first_error(findings)),
    }
}

fn first_error(findings: Vec<Diagnostic>) -> Box<Diagnostic> {
    let unread = || Diagnostic::error("content/unreadable", "the file cannot be read");
    let first = findings.into_iter().find(Diagnostic::is_error);
    Box::new(first.unwrap_or_else(unread))
}

/// Returns the approximate number of bytes in the texts of a value.
fn bytes_of_texts(value: &Value) -> u64 {
    match value {
        Value::Text(text) => text.len() as u64,
        Value::List(items) => items.iter().map(bytes_of_texts).sum(),
        Value::Map(entries) => entries.values().map(bytes_of_texts).sum(),
        Value::Nil | Value::Bool(_) | Value::Number(_) => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "people:\n- name: Zoë # who\n  mood: 3\nb: {z: 1,\n  a: 2}\n";

    fn path() -> Vec<Step> {
        vec![
            Step::Key("people".into()),
            Step::Index(1),
            Step::Key("mood".into()),
        ]
    }

    #[test]
    fn what_is_recorded_is_the_text_and_reads_to_the_same_again() {
        let source = Source::new("over/there.yml", TEXT);
        let file = NamedFile::new("there.yml", &source, Some("yaml")).unwrap();
        let again = NamedFile::from_recorded(file.recorded()).unwrap();
        assert_eq!(file.recorded().get("text").as_str(), Some(TEXT));
        assert!(
            file.recorded().get("data").is_nil() && file.value_for_scripts().get("text").is_nil()
        );
        for one in [&file, &again] {
            assert_eq!(one.name(), "there.yml");
            assert_eq!(one.value_for_scripts(), file.value_for_scripts());
            assert_eq!(one.recorded(), file.recorded());
            let (keys, _) = one.keys_at_path(&[Step::Key("b".into())]);
            assert_eq!(keys.unwrap().join(" "), "z a");
            let place = |is_key| {
                let (from, to) = one.place_at_path(&path(), is_key).0.unwrap();
                [from.line, from.column, to.line, to.column]
            };
            assert_eq!((place(false), place(true)), ([3, 9, 3, 10], [3, 3, 3, 7]));
        }
    }

    #[test]
    fn what_older_versions_recorded_has_keys_and_no_places() {
        let data = Value::map([("b", Value::map([("z", Value::from(1)), ("a", 2.into())]))]);
        let old = Value::map([("name", "there.yml".into()), ("data", data)]);
        let file = NamedFile::from_recorded(&old).unwrap();
        assert_eq!((file.value_for_scripts(), file.recorded()), (&old, &old));
        assert_eq!(
            file.keys_at_path(&[Step::Key("b".into())])
                .0
                .unwrap()
                .join(" "),
            "a z"
        );
        assert_eq!(file.place_at_path(&path(), false).0, None);
    }

    #[test]
    fn blocks_of_data_in_markdown_are_read_and_their_mistakes_have_the_place_in_the_whole() {
        let text =
            "# A\n```json case one\n{\"a\": [1]}\n```\n```\nnot data\n```\n``` yaml\nb: 2\n```\n";
        let file = NamedFile::new("a.md", &Source::new("a.md", text), Some("markdown")).unwrap();
        let blocks = file.value_for_scripts().get("blocks").items();
        let told = |at: usize| format!("{}", blocks[at]);
        assert_eq!(blocks.len(), 2);
        assert_eq!(told(0), "{data: {a: [1]}, line: 3, word: json case one}");
        assert_eq!(blocks[1].get("data").get("b").as_i64(), Some(2));
        let again = NamedFile::from_recorded(file.recorded()).unwrap();
        assert_eq!(again.value_for_scripts(), file.value_for_scripts());
        let broken = Source::new("a.md", "x\n```json\n{\"a\": }\n```\n");
        let found = NamedFile::new("a.md", &broken, Some("markdown")).unwrap_err();
        assert_eq!(found.code, "content/json");
        let place = found.place.unwrap();
        assert_eq!(place.start_line(), 3);
    }

    #[test]
    fn a_text_has_neither_and_broken_data_is_refused() {
        let source = Source::new("a.txt", "a: [");
        let file = NamedFile::new("a.txt", &source, None).unwrap();
        assert_eq!(file.value_for_scripts().get("text").as_str(), Some("a: ["));
        assert_eq!(
            (file.keys_at_path(&[]).0, file.place_at_path(&[], false).0),
            (None, None)
        );
        for reads in ["json", "yaml"] {
            let found = NamedFile::new("a", &source, Some(reads)).unwrap_err();
            assert_eq!(found.code, format!("content/{reads}"));
        }
    }
}
