//! Edits a book and loads it by a reload and by a new start, with the cache of unchanged texts: the
//! result is the same as without the cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arbiter_tests::project;
use host::content::Cache;
use host::diag::Diagnostic;
use host::game::{Files, host_phrases};
use host::script::{Compiled, Engine, EngineOptions, is_text, load_rules, plain_data_of_texts};
use host::value::Value;
use proptest::prelude::*;
use repl::COMMANDS;

use super::{copy_folder, files_by_path, home_with_book, shipped_book, write_file};

/// The read texts and the findings.
type ReadBook = (BTreeMap<String, Result<Value, String>>, Vec<Diagnostic>);

fn load_book(book: &Path, cache: Option<&Cache>, known: Compiled) -> (Engine, ReadBook) {
    let files: Files = home_with_book(&project(), book)
        .read_ruleset("wwrf")
        .unwrap();
    let options = EngineOptions {
        cache: cache.cloned(),
        ..EngineOptions::default()
    };
    let (engine, findings) =
        load_rules(&files.mods, &host_phrases(&COMMANDS), &options, known).unwrap();
    let content = files.mods.iter().flat_map(|files| files.content.clone());
    let read = plain_data_of_texts(&engine, &content.collect::<Vec<_>>());
    (engine, (read, findings))
}

/// Returns a text with one line removed, doubled, or without its last letter; `at` is in
/// thousandths of its lines.
fn edit_text(text: &str, at: usize, how: u8) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = at * lines.len() / 1000;
    match how {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        _ => {
            let end = lines[at].char_indices().next_back();
            lines[at] = end.map_or("", |(end, _)| &lines[at][..end]);
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_book_that_is_loaded_again_is_known() {
    let known = |book: &Path| {
        let (engine, _) = load_book(book, None, Compiled::default());
        let first = engine.take_compile_cache();
        let count = first.known_value_count();
        let (engine, _) = load_book(book, None, first);
        // The second load reuses every value, so the count stays equal.
        assert_eq!(engine.take_compile_cache().known_value_count(), count);
        count
    };
    let texts = files_by_path(&shipped_book())
        .into_keys()
        .filter(|path| is_text(path));
    assert_eq!(known(&shipped_book()), texts.count(), "of each text");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn what_is_known_of_a_book_says_what_reading_it_says(
        edits in proptest::collection::vec((0..1000_usize, 0..1000_usize, 0..3_u8), 1..4),
    ) {
        let book = copy_folder(&shipped_book());
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        let (engine, _) = load_book(book.path(), Some(&cache), Compiled::default());
        let mut known = engine.take_compile_cache();
        for (file, at, how) in edits {
            let texts = files_by_path(&shipped_book());
            let path = texts.keys().nth(file * texts.len() / 1000).unwrap();
            let text = fs::read_to_string(book.path().join(path)).unwrap();
            write_file(book.path(), path, edit_text(&text, at, how));
            let (_, anew) = load_book(book.path(), None, Compiled::default());
            let (_, started) = load_book(book.path(), Some(&cache), Compiled::default());
            let (next, reloaded) = load_book(book.path(), None, known);
            prop_assert_eq!(&reloaded, &anew);
            prop_assert_eq!(&started, &anew);
            known = next.take_compile_cache();
        }
    }
}
