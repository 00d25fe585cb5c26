//! Tests the ruleset that reads roles with its books: structure, errors, canonical form, planted
//! mistakes, and broken texts.
//!
//! The books are the shipped one, and that in the folder of `ARBITER_CORPUS` if it exists.

mod any_bytes;
mod bad_rule_input;
mod book_findings;
mod broken_rules;
mod broken_texts;
mod cached_book;
mod canonical_form;
mod coverage;
mod day_transcripts;
mod endless_roles;
mod explain_spans;
mod mistyped_lines;
mod new_ability;
mod planted_book_mistakes;
mod structure;
mod tab_completion;
mod whole_games;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arbiter_tests::Scratch;
use arbiter_tests::folder_copy::{copy_folder, files_by_path, write_file};
use host::diag::Diagnostic;
use host::game::host_phrases;
use host::game::{Home, RulesetCheck, check_ruleset_with_texts};
use host::value::Value;
use repl::COMMANDS;
use serde_json::Value as Json;

use super::program::project;

/// A `structure` function that returns the whole content of a text as one line of JSON. Spaces at
/// line ends are ignored.
const WHOLE_STRUCTURE: &str = r#"--!strict
-- Plain: a value as one text that says all of it.
local MARKS = { ['"'] = '\\"', ["\\"] = "\\\\" }

local function quoted(said: string): string
  local trimmed = string.gsub(said, "[ \t\r]+\n", "\n")
  local safe = string.gsub(trimmed, '["\\%c]', function(mark)
    return MARKS[mark] or string.format("\\u%04x", string.byte(mark))
  end)
  return `"{safe}"`
end

local function plain(value: any): string
  if type(value) == "string" then
    return quoted(value)
  elseif type(value) ~= "table" then
    return tostring(value)
  end
  local parts = {}
  if next(value) == nil or #value > 0 then
    for _, one in value do
      table.insert(parts, plain(one))
    end
    return `[{table.concat(parts, ",")}]`
  end
  for key, one in ordered.pairs(value) do
    if key ~= "line_numbers" then
      table.insert(parts, `{quoted(tostring(key))}:{plain(one)}`)
    end
  end
  return `\{{table.concat(parts, ",")}}`
end

return plain
"#;

/// Returns the folder of the shipped book.
fn shipped_book() -> PathBuf {
    project().join("content/wwrf")
}

/// Returns the folder that `ARBITER_CORPUS` names, if there is one.
fn corpus_book() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("ARBITER_CORPUS")?);
    Some(folder.canonicalize().unwrap())
}

/// Returns the folders of all books.
fn all_books() -> Vec<PathBuf> {
    let own = [
        Some(shipped_book()),
        corpus_book().map(|folder| folder.join("wwrf")),
    ];
    own.into_iter().flatten().collect()
}

/// Returns a home with the scripts of one folder and the book of another.
fn home_with_book(folder: &Path, book: &Path) -> Home {
    Home {
        folder: folder.to_path_buf(),
        mods: Vec::new(),
        content: Some(book.to_path_buf()),
    }
}

/// Returns the findings of the shipped scripts in a book, and the structure of its texts.
fn check_book(book: &Path) -> RulesetCheck {
    let home = home_with_book(&project(), book);
    check_ruleset_with_texts(&home, "wwrf", &host_phrases(&COMMANDS)).unwrap()
}

/// Returns a home whose `structure` contains the whole content of texts.
fn home_with_whole_structure() -> Scratch {
    let home = Scratch::shipped("wwrf");
    home.write("scripts/wwrf/views/plain.luau", WHOLE_STRUCTURE);
    home.edit(
        "scripts/wwrf/ruleset.luau",
        "structure = element_structure.structure_of_element",
        "structure = require(\"views/plain\")",
    );
    home
}

/// Returns the whole content of the texts of a book, by path.
fn definitions_by_path(home: &Scratch, book: &Path) -> BTreeMap<String, Json> {
    let checked = check_ruleset_with_texts(
        &home_with_book(home.path(), book),
        "wwrf",
        &host_phrases(&COMMANDS),
    )
    .unwrap();
    let texts = checked.texts.unwrap().into_iter();
    let read = |(path, said): (String, Value)| {
        let said = serde_json::from_str(said.as_str().unwrap());
        (path, said.unwrap())
    };
    texts.map(read).collect()
}

/// Returns the path of a finding in a book.
fn path_of_finding(found: &Diagnostic, book: &Path) -> String {
    let place = found.place.as_ref();
    let place = place.unwrap_or_else(|| panic!("{found:?} has no place"));
    let path = Path::new(place.source.name()).strip_prefix(book);
    let path = path.unwrap_or_else(|_| panic!("{found:?} lies elsewhere"));
    path.to_str().unwrap().to_owned()
}

/// Returns a finding as `path: line:column code`, without the name of the ruleset.
fn finding_as_text(found: &Diagnostic, book: &Path) -> String {
    let path = path_of_finding(found, book);
    let place = found.place.as_ref().unwrap();
    let at = place.source.position(place.span.start);
    let code = found.code.trim_start_matches("wwrf/");
    format!("{path}: {}:{} {code}", at.line, at.column)
}
