//! Tests which texts are read again, with a toy language of letters that prints each text that it reads.

use super::*;
use crate::content::{Cache, File};
use crate::diag::{Diagnostic, Source};
use crate::script::load::{Compiled, EngineOptions, ModFiles, load_rules};

/// `read` prints the id of the text. A letter with the word `warn` has a finding.
const RULESET: &str = r#"
return ruleset {
  source = "s", name = "Toy", summary = "s",
  texts = {
    head = function(file)
      local name = string.match(file.text, "^[^\n]*")
      if name == "loop" then while true do end end
      return { collection = "letters", id = text.folded(name), name = name }
    end,
    begin = function() return { known = {}, left = {} } end,
    read = function(shared, file, head, report)
      print(head.id)
      if string.find(file.text, "warn") then report { code = "odd", severity = "warning", message = "it is odd" } end
      local line = { said = string.match(file.text, "\n(.*)$"), of = definitions.get("people", "ann") }
      local letter = { name = head.name, lines = { line, line }, run = if string.find(file.text, "run") then print else nil }
      shared.left[letter] = true
      return letter, { places = { [line] = { 3, 4 } }, path = file.path }
    end,
    GATHER
    check = function(shared, letter, report)
      local noted = shared.known[letter]
      if noted then
        print(`{letter.id} {noted.places[letter.lines[1]][2]} {letter.lines[1] == letter.lines[2]} {letter.lines[1].of.name} {noted.path}`)
      else
        print(`{letter.id} left {shared.left[letter]}`)
      end
    end,
  },
}
"#;

const GATHER: &str =
    "gather = function(shared, file, letter, noted) shared.known[letter] = noted end,";

const LETTER: &str = r#"return schema { source = "s", summary = "s", folder = "letters", format = "text", keys = { name = "string" } }"#;

const PERSON: &str = r#"return schema { source = "s", summary = "s", folder = "people", format = "yaml", keys = { name = "string" } }"#;

/// A book: its scripts without the schemas, and its content.
#[derive(Clone)]
struct Book {
    ruleset: String,
    content: Vec<(&'static str, String)>,
}

impl Book {
    fn new() -> Book {
        Book {
            ruleset: RULESET.replace("GATHER", GATHER),
            content: vec![
                ("letters/a", "A\none".to_owned()),
                ("letters/b", "B\ntwo".to_owned()),
                ("people/ann.yaml", "name: Ann\n".to_owned()),
            ],
        }
    }

    fn with(mut self, path: &'static str, text: &str) -> Book {
        self.content.retain(|(other, _)| *other != path);
        self.content.push((path, text.to_owned()));
        self.content.sort();
        self
    }

    fn files(&self) -> ModFiles {
        let file = |kind: &str, path: &str, text: &str| {
            File::new(path, Source::new(format!("{kind}/toy/{path}"), text))
        };
        let content = self.content.iter();
        ModFiles {
            name: "toy".to_owned(),
            scripts: vec![
                file("scripts", "ruleset.luau", &self.ruleset),
                file("scripts", "schemas/letter.luau", LETTER),
                file("scripts", "schemas/person.luau", PERSON),
            ],
            content: content
                .map(|(path, text)| file("content", path, text))
                .collect(),
        }
    }
}

/// Loads a book. Returns the machine, the output, and the findings.
fn loaded(
    book: &Book,
    cache: Option<&Cache>,
    compiled: Compiled,
) -> (Engine, Vec<String>, Vec<Diagnostic>) {
    let options = EngineOptions {
        cache: cache.cloned(),
        ..EngineOptions::default()
    };
    let (engine, findings) = load_rules(&[book.files()], &[], &options, compiled).unwrap();
    let lines = engine.host.take_printed().lines;
    (engine, lines, findings)
}

/// Returns the readings of a book that the same program loads after another book.
fn read_after(first: &Book, second: &Book) -> Vec<String> {
    let (engine, _, _) = loaded(first, None, Compiled::default());
    let (_, printed, _) = loaded(second, None, engine.take_compile_cache());
    only_ids(printed)
}

/// Returns the ids of the read texts. Messages from `check` contain spaces.
fn only_ids(mut printed: Vec<String>) -> Vec<String> {
    printed.retain(|line| !line.contains(' '));
    printed
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let book = Book::new();
    let (engine, first, findings) = loaded(&book, None, Compiled::default());
    let checked = ["a 4 true Ann letters/a", "b 4 true Ann letters/b"];
    assert_eq!(
        first,
        [&["a", "b"][..], &checked[..]].concat(),
        "{findings:?}"
    );
    let (_, second, _) = loaded(&book, None, engine.take_compile_cache());
    assert_eq!(second, checked);
}

#[test]
fn what_changed_is_read_and_what_follows_from_it() {
    let book = Book::new();
    let none: [&str; 0] = [];
    assert_eq!(read_after(&book, &book), none);
    assert_eq!(
        read_after(&book, &book.clone().with("letters/b", "B\n2")),
        ["b"]
    );
    // The others may mean it by its name.
    assert_eq!(
        read_after(&book, &book.clone().with("letters/b", "Bee\ntwo")),
        ["a", "bee"]
    );
    assert_eq!(
        read_after(&book, &book.clone().with("letters/c", "C\n")),
        ["a", "b", "c"]
    );
    let other = book.clone().with("people/ann.yaml", "name: Anna\n");
    assert_eq!(read_after(&book, &other), ["a", "b"]);
    let other = Book {
        ruleset: format!("{}\n", book.ruleset),
        ..book.clone()
    };
    assert_eq!(read_after(&book, &other), ["a", "b"]);
}

#[test]
fn what_has_a_finding_or_holds_a_function_is_read_each_time() {
    let book = Book::new();
    let book = book
        .with("letters/a", "A\nwarn")
        .with("letters/b", "B\nrun");
    assert_eq!(read_after(&book, &book), ["a", "b"]);
    let (engine, _, first) = loaded(&book, None, Compiled::default());
    let (_, _, second) = loaded(&book, None, engine.take_compile_cache());
    assert_eq!((&first, first.len()), (&second, 1), "and told each time");
}

#[test]
fn what_a_limit_cut_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    let book = Book::new().with("letters/c", "loop");
    for _ in 0..2 {
        let (_, printed, findings) = loaded(&book, Some(&cache), Compiled::default());
        assert_eq!(only_ids(printed), ["a", "b"]);
        assert!(
            findings
                .iter()
                .any(|found| found.code.starts_with("limit/")),
            "{findings:?}"
        );
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn what_is_read_is_a_copy_whether_it_is_kept_or_not() {
    let book = Book::new().with("letters/b", "B\nwarn");
    let (engine, _, _) = loaded(&book, None, Compiled::default());
    let script = "local ann = definitions.get('people', 'ann')
        local said = {}
        for _, letter in definitions.all('letters') do
          table.insert(said, `{letter.lines[1].of == ann} {letter.lines[1] == letter.lines[2]} {table.isfrozen(letter.lines)} {letter.id}`)
        end
        return table.concat(said, ', ')";
    let chunk = engine
        .lua
        .load(script)
        .set_environment(engine.globals.clone());
    let said: String = chunk.eval().unwrap();
    assert_eq!(said, "true true true a, true true true b");
}

#[test]
fn where_a_check_looks_into_what_was_left_all_is_read_each_time() {
    let book = Book {
        ruleset: RULESET.replace("GATHER", ""),
        ..Book::new()
    };
    let (engine, first, _) = loaded(&book, None, Compiled::default());
    assert_eq!(first, ["a", "b", "a left true", "b left true"]);
    let (_, second, _) = loaded(&book, None, engine.take_compile_cache());
    assert_eq!(second, first);
}

#[test]
fn the_next_start_knows_what_was_read_unless_somebody_wrote_into_it() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(folder.path().to_owned());
    let read = |book: &Book| only_ids(loaded(book, Some(&cache), Compiled::default()).1);
    let (book, none) = (Book::new(), [""; 0]);
    assert_eq!(read(&book), ["a", "b"]);
    assert_eq!(read(&book), none);
    let other = book.clone().with("letters/b", "B\n2");
    assert_eq!(read(&other), ["b"]);
    assert_eq!(read(&other), none);
    let entry = std::fs::read_dir(folder.path()).unwrap().next().unwrap();
    let (path, count) = (
        entry.unwrap().path(),
        std::fs::read_dir(folder.path()).unwrap().count(),
    );
    assert_eq!(count, 1, "one file for the scripts");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(read(&other), ["a", "b"]);
    assert_eq!(read(&other), none, "and kept again");
}
