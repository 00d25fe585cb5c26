//! Computes the canonical form of the content of a ruleset.
//!
//! The text that a ruleset writes is accepted only if the whole original text was read. Reading the new text must find
//! no new error and give the same definition, and writing it again must give the same text. So an error in the script
//! that writes texts never destroys a file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::content::{File, trailing_space_warnings};
use crate::diag::{Diagnostic, Fix, Source, apply_fixes};
use crate::game::rules::home::{Files, Home};
use crate::game::rules::ruleset_check::load_ruleset;
use crate::script::{
    Engine, HostPhrase, canonical_texts, first_unread_finding, is_text, plain_data_of_texts,
    text_structures,
};
use crate::value::Value;

/// The canonical forms of the content of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Canonical {
    /// All findings from reading and writing the content.
    pub findings: Vec<Diagnostic>,
    /// The files that have a canonical form, in order of path.
    pub files: Vec<CanonicalFile>,
}

/// A content file and its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalFile {
    /// The file as it was read.
    pub source: Arc<Source>,
    /// Its canonical form; none if a part of the file could not be read, or if the scripts that read it have errors.
    pub text: Option<String>,
}

/// Returns the canonical form of the content of a ruleset and of the library that it uses.
///
/// Errors: the ruleset does not exist, or no machine for scripts can be built.
pub fn canonical_content(
    home: &Home,
    ruleset: &str,
    commands: &[HostPhrase],
) -> Result<Canonical, Vec<Diagnostic>> {
    let files = home
        .read_ruleset(ruleset)
        .map_err(|finding| vec![finding])?;
    let load = |files: Files| load_ruleset(commands, files);
    let (engine, mut findings) = load(files.clone())?;
    let broken = names_of_files_with_errors(&findings);
    let content = files.mods.iter().flat_map(|one| &one.content);
    let mut found: Vec<CanonicalFile> = content
        .filter(|file| is_yaml_path(&file.path))
        .map(|file| CanonicalFile {
            text: (!broken.contains(file.source.name()))
                .then(|| text_without_trailing_spaces(&file.source)),
            source: Arc::clone(&file.source),
        })
        .collect();
    if let Some(first) = WrittenContent::of(&engine, content_of_ruleset(&files))? {
        let mut texts = first.texts.clone();
        findings.extend(first.findings.iter().cloned());
        let mut scripts = files.mods.iter().flat_map(|one| &one.scripts);
        if scripts.any(|script| broken.contains(script.source.name())) {
            // The results of broken scripts cannot be trusted.
            findings.push(broken_scripts_refusal(ruleset));
            texts.clear();
        }
        let (other, told) = files_with_new_texts(&files, &mut texts);
        findings.extend(told);
        if let Some(other) = other {
            let (engine, told) = load(other.clone())?;
            let again = WrittenContent::of(&engine, content_of_ruleset(&other))?;
            let again = again.unwrap_or_default();
            let told = (&*findings, &*told);
            let distrusted = first.remove_noncanonical_texts(
                &again,
                &mut texts,
                content_of_ruleset(&files),
                told,
            );
            findings.extend(distrusted);
        }
        for file in content_of_ruleset(&files)
            .iter()
            .filter(|file| is_text(&file.path))
        {
            let text = texts.remove(&file.path);
            if text.is_none() {
                add_file_unchanged_hint(&mut findings, first_unread_finding(&engine, &file.source));
            }
            let source = Arc::clone(&file.source);
            found.push(CanonicalFile { source, text });
        }
    }
    Ok(Canonical {
        findings,
        files: found,
    })
}

/// Returns whether a content file is YAML.
pub(super) fn is_yaml_path(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn text_without_trailing_spaces(source: &Arc<Source>) -> String {
    let fixes: Vec<Fix> = trailing_space_warnings(source)
        .into_iter()
        .filter_map(|one| one.fix)
        .collect();
    apply_fixes(source.text(), &fixes).0
}

/// Returns the content of the ruleset.
pub(super) fn content_of_ruleset(files: &Files) -> &[File] {
    files.mods.last().map_or(&[], |one| &one.content)
}

/// Returns the names of the files that have errors.
fn names_of_files_with_errors(findings: &[Diagnostic]) -> BTreeSet<String> {
    let errors = findings.iter().filter(|found| found.is_error());
    let places = errors.filter_map(|found| found.place.as_ref());
    places.map(|place| place.source.name().to_owned()).collect()
}

/// Returns the errors of a file, by code and message, each as often as it occurs.
fn select_errors_of_file<'f>(
    findings: &'f [Diagnostic],
    source: &Source,
) -> Vec<(&'f str, &'f str)> {
    let is_in = |found: &&Diagnostic| {
        let place = found.place.as_ref();
        found.is_error() && place.is_some_and(|place| place.source.name() == source.name())
    };
    let own = findings.iter().filter(is_in);
    own.map(|found| (&*found.code, &*found.message)).collect()
}

/// Returns a message that a file has an error that it did not have before.
fn new_error_message(
    before: &[Diagnostic],
    after: &[Diagnostic],
    source: &Source,
) -> Option<String> {
    let mut known = select_errors_of_file(before, source);
    let mut all = select_errors_of_file(after, source).into_iter();
    let new = all.find(|error| match known.iter().position(|one| one == error) {
        Some(at) => {
            known.swap_remove(at);
            false
        }
        None => true,
    });
    new.map(|(_, message)| {
        format!("the new text has an error that the old one did not have: {message}")
    })
}

/// Adds to the finding that prevents the writing of a file a hint that the file was not changed.
fn add_file_unchanged_hint(findings: &mut [Diagnostic], unread: Option<Diagnostic>) {
    let found = unread.and_then(|unread| findings.iter_mut().find(|one| **one == unread));
    if let Some(found) = found {
        let hint = "the file was not changed, because this part could not be read";
        found.hints.push(hint.to_owned());
    }
}

/// The key for the line numbers of a text's parts, which may differ in another form of the text.
const PLACES: &str = "line_numbers";

/// Returns the data of a definition without the line numbers of its parts.
fn data_without_line_numbers(data: &Value) -> Value {
    match data {
        Value::Map(map) => {
            let said = map.iter().filter(|(key, _)| &***key != PLACES);
            Value::map(said.map(|(key, one)| (Arc::clone(key), one.clone())))
        }
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            data.clone()
        }
    }
}

/// Returns data without spaces at the ends of lines, which have no meaning.
fn data_without_trailing_spaces(data: &Value) -> Value {
    match data {
        Value::Text(text) => {
            let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
            Value::text(lines.join("\n"))
        }
        Value::List(items) => Value::list(items.iter().map(data_without_trailing_spaces)),
        Value::Map(map) => {
            let entries = map.iter();
            let entries =
                entries.map(|(key, one)| (Arc::clone(key), data_without_trailing_spaces(one)));
            Value::map(entries)
        }
        Value::Nil | Value::Bool(_) | Value::Number(_) => data.clone(),
    }
}

/// The texts that a ruleset writes and their data, by path.
#[derive(Debug, Default)]
struct WrittenContent {
    texts: BTreeMap<String, String>,
    /// The data of the texts, or why it cannot be compared.
    data: BTreeMap<String, Result<Value, String>>,
    /// The structures of the texts; none if the ruleset returns none.
    structures: Option<BTreeMap<String, Value>>,
    findings: Vec<Diagnostic>,
}

impl WrittenContent {
    /// Returns the written texts; none if the ruleset writes no texts. Errors: no machine can be built.
    fn of(engine: &Engine, own: &[File]) -> Result<Option<WrittenContent>, Vec<Diagnostic>> {
        let alone = |finding| vec![finding];
        let Some(written) = canonical_texts(engine, own).map_err(alone)? else {
            return Ok(None);
        };
        let mut findings = written.findings;
        let structures = text_structures(engine, own).map_err(alone)?;
        let structures = structures.map(|forms| {
            findings.extend(forms.findings);
            forms.by_path
        });
        let data = plain_data_of_texts(engine, own).into_iter();
        Ok(Some(WrittenContent {
            texts: written.by_path,
            data: data
                .map(|(path, data)| {
                    (
                        path,
                        data.map(|data| {
                            data_without_trailing_spaces(&data_without_line_numbers(&data))
                        }),
                    )
                })
                .collect(),
            structures,
            findings,
        }))
    }

    /// Removes the texts that are not canonical forms, and returns the reasons. `again` is the content written from
    /// these texts. `told` is a pair: the findings of the first and of the second reading.
    fn remove_noncanonical_texts(
        &self,
        again: &WrittenContent,
        texts: &mut BTreeMap<String, String>,
        own: &[File],
        told: (&[Diagnostic], &[Diagnostic]),
    ) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for file in own {
            let path = &file.path;
            let Some(text) = texts.get(path).filter(|text| *text != file.source.text()) else {
                continue;
            };
            let error = new_error_message(told.0, told.1, &file.source);
            let why = if let Some(error) = error {
                error
            } else if again.texts.get(path) != Some(text) {
                "writing the new text again gives yet another text".to_owned()
            } else if let Some(why) = self.meaning_difference(again, path) {
                why
            } else {
                continue;
            };
            texts.remove(path);
            findings.push(not_canonical_finding(&file.source, &why));
        }
        findings
    }
}

impl WrittenContent {
    /// Returns why a text cannot be shown to mean the same as the text written from it.
    fn meaning_difference(&self, again: &WrittenContent, path: &str) -> Option<String> {
        let unknown =
            |why: &str| format!("it is not known whether the new text has the same meaning: {why}");
        let (before, after) = match (self.data.get(path), again.data.get(path)) {
            (Some(Ok(before)), Some(Ok(after))) => (before, after),
            (Some(Err(why)), _) | (_, Some(Err(why))) => return Some(unknown(why)),
            (None, _) | (_, None) => return Some(unknown("no data was read from it")),
        };
        let structure =
            |one: &WrittenContent| one.structures.as_ref().map(|all| all.get(path).cloned());
        let structures = (structure(self), structure(again));
        if matches!(structures, (Some(None), _) | (_, Some(None))) {
            return Some(unknown("`structure` of `texts` returns nothing for it"));
        }
        let is_same = before == after && structures.0 == structures.1;
        (!is_same).then(|| "the new text has another meaning".to_owned())
    }
}

/// Returns the files with the new texts in place of their present ones; none if nothing changes.
///
/// A text that no file may contain is removed and reported.
fn files_with_new_texts(
    files: &Files,
    texts: &mut BTreeMap<String, String>,
) -> (Option<Files>, Vec<Diagnostic>) {
    let mut other = files.clone();
    let (mut is_other, mut findings) = (false, Vec::new());
    let own = other.mods.last_mut().into_iter();
    for file in own.flat_map(|one| &mut one.content) {
        let text = texts.get(&file.path);
        let Some(text) = text.filter(|text| *text != file.source.text()) else {
            continue;
        };
        match File::of_bytes(&file.path, file.source.name(), text.as_bytes()) {
            Some(made) if made.source.text() == text => {
                *file = made;
                is_other = true;
            }
            _ => {
                texts.remove(&file.path);
                findings.push(not_canonical_finding(
                    &file.source,
                    "it contains characters that files must not contain",
                ));
            }
        }
    }
    other.update_hash();
    (is_other.then_some(other), findings)
}

fn broken_scripts_refusal(ruleset: &str) -> Diagnostic {
    let message =
        format!("the scripts of {ruleset} have errors, so its text files were not changed");
    Diagnostic::error("content/not-written", message).hint(format!(
        "`arbiter check --ruleset {ruleset}` lists the errors"
    ))
}

fn not_canonical_finding(source: &Arc<Source>, why: &str) -> Diagnostic {
    let message =
        format!("the text that `write` of `texts` returned is not a canonical form: {why}");
    Diagnostic::error("script/no-form", message)
        .hint("the file was not changed; the mistake is in the ruleset")
        .at(source, source.line_span(1))
}
