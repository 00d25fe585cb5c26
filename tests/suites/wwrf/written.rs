//! This module writes all texts of books in their canonical form, and reads what was written.

use std::path::Path;

use host::game::{CanonicalFile, canonical};
use repl::COMMANDS;

use super::{books, copied, definitions, path_in, telling_all, with_book, write};

/// Returns the texts of a book with their canonical forms, which a home writes, by path.
fn written(home: &Path, book: &Path) -> Vec<(String, CanonicalFile)> {
    let found = canonical(&with_book(home, book), "wwrf", &COMMANDS).unwrap();
    let broken: Vec<String> = found
        .findings
        .iter()
        .filter(|one| one.is_error())
        .inspect(|one| assert_ne!(one.code, "script/no-form", "{one:?}"))
        .map(|one| path_in(one, book))
        .collect();
    let path = |file: &CanonicalFile| {
        let path = Path::new(file.source.name()).strip_prefix(book);
        path.ok().map(|path| path.to_str().unwrap().to_owned())
    };
    let files = found.files.into_iter();
    files
        .filter_map(|file| Some((path(&file)?, file)))
        .filter(|(path, _)| !broken.contains(path))
        .collect()
}

#[test]
fn what_is_written_says_the_same_and_is_written_the_same_again() {
    let home = telling_all();
    for book in books() {
        let files = written(home.path(), &book);
        assert!(files.len() >= 100, "{}", book.display());
        let copy = copied(&book);
        for (path, file) in &files {
            let text = file.text.as_ref();
            let text = text.unwrap_or_else(|| panic!("{path} has no canonical form"));
            write(copy.path(), path, text);
        }
        let before = definitions(&home, &book);
        let after = definitions(&home, copy.path());
        assert_eq!(
            before.keys().collect::<Vec<_>>(),
            after.keys().collect::<Vec<_>>()
        );
        for (path, said) in before {
            assert_eq!(after[&path], said, "{path}");
        }
        for (path, file) in written(home.path(), copy.path()) {
            assert_eq!(file.text.as_deref(), Some(file.source.text()), "{path}");
        }
    }
}

#[test]
fn what_is_written_in_other_capitals_is_the_same_and_gets_the_canonical_ones() {
    let home = telling_all();
    let copy = copied(&super::shipped());
    let (path, head) = (
        "roles/townsfolk/loud_one",
        "**Loud One** | Townsfolk Power\n__Basics__\nShouts.\n\n__Formalized__\n",
    );
    let (loud, plain) = (
        "IMMEDIATE NIGHT: learn `x` |seer.look|\non visited [attack killing]: CANCEL with failure\n",
        "Immediate Night: Learn `x` |seer.look|\nOn Visited [attack killing]: Cancel with Failure\n",
    );
    write(copy.path(), path, format!("{head}{loud}"));
    let before = definitions(&home, copy.path());
    let files = written(home.path(), copy.path());
    let (_, file) = files.iter().find(|(other, _)| other == path).unwrap();
    let expected = format!("{head}{plain}");
    assert_eq!(file.text.as_deref(), Some(expected.as_str()));
    write(copy.path(), path, &expected);
    assert_eq!(definitions(&home, copy.path())[path], before[path]);
}
