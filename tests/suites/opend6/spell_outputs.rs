//! Compares every output of a spell with the expected text, byte for byte.

use serde_json::Value as Json;

use super::{Book, books, play_new_game, refusal_message};

const OUTPUT_FORMS: [&str; 6] = ["summary", "detail", "display", "debug", "source", "toml"];

/// An output form of a spell, and its expected text. Without a text, the original has none, and
/// ours must only be non-empty.
struct ExpectedOutput {
    id: String,
    form: &'static str,
    text: Option<String>,
}

impl ExpectedOutput {
    fn command_line(&self) -> String {
        format!("spell {} {}", self.form, self.id)
    }

    /// Returns the difference of an answer from the expected text.
    fn difference_from(&self, found: &Result<String, String>) -> Option<String> {
        let line = self.command_line();
        match (found, &self.text) {
            (Err(refusal), _) => Some(format!("{line}: {refusal}")),
            (Ok(found), Some(text)) if found != text => {
                let same = |(one, other): &(char, char)| one == other;
                let at = text.chars().zip(found.chars()).take_while(same).count();
                Some(format!(
                    "{line}: differs at character {at}\nexpected {text:?}\nfound    {found:?}"
                ))
            }
            (Ok(found), None) if found.trim().is_empty() => Some(format!("{line}: says nothing")),
            _ => None,
        }
    }
}

/// Returns all expected outputs of a book.
fn expected_outputs(book: &Book) -> Vec<ExpectedOutput> {
    let mut found = Vec::new();
    for spell in book.outputs() {
        for form in OUTPUT_FORMS {
            let text = spell[form].as_str().map(str::to_owned);
            if text.is_some() || !spell[format!("{form}_error")].is_null() {
                let id = spell["id"].as_str().unwrap().to_owned();
                found.push(ExpectedOutput { id, form, text });
            }
        }
    }
    found
}

/// Returns the joined text parts of a document's data, or the refusal.
fn printed_text(answers: &[Json]) -> Result<String, String> {
    if let Some(refusal) = answers.iter().find_map(refusal_message) {
        return Err(refusal);
    }
    let parts = answers.iter().map(|answer| answer["data"]["text"].as_str());
    let whole: Option<String> = parts.collect();
    whole.ok_or_else(|| "a document without a text".to_owned())
}

/// An unknown command word between the lines, because an answer may have several documents.
const UNKNOWN_COMMAND: &str = "border";

/// Plays a line for each output and returns the texts.
fn output_texts(book: &Book, outputs: &[ExpectedOutput]) -> Vec<Result<String, String>> {
    let mut lines = format!("load {}\n{UNKNOWN_COMMAND}\n", book.spells_file().display());
    for output in outputs {
        lines += &format!("{}\n{UNKNOWN_COMMAND}\n", output.command_line());
    }
    let all = play_new_game(&lines);
    let is_border = |answer: &Json| answer["error"]["message"] == "unknown command \"border\"";
    let parts: Vec<&[Json]> = all.split(is_border).collect();
    let (last, parts) = parts.split_last().unwrap();
    assert!(
        last.is_empty() && refusal_message(&parts[0][0]).is_none(),
        "{:?}",
        parts[0]
    );
    parts[1..]
        .iter()
        .map(|answers| printed_text(answers))
        .collect()
}

#[test]
fn outputs_are_as_expected_byte_for_byte() {
    for book in books() {
        let outputs = expected_outputs(&book);
        let count = outputs.len();
        assert!(count >= book.least.1, "only {count} outputs");
        let answers = output_texts(&book, &outputs);
        assert_eq!(answers.len(), outputs.len());
        let checked = outputs.iter().zip(&answers);
        let wrong: Vec<String> = checked
            .filter_map(|(output, found)| output.difference_from(found))
            .collect();
        assert!(
            wrong.is_empty(),
            "{} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}
