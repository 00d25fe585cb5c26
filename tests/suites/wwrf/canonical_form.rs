//! Writes all texts of books in their canonical form, and reads the result.

use std::collections::BTreeSet;
use std::path::Path;

use host::game::host_phrases;
use host::game::{CanonicalFile, canonical_content};
use host::script::is_text;
use repl::COMMANDS;

use super::super::program::project;
use super::{
    all_books, copy_folder, definitions_by_path, home_with_book, home_with_whole_structure,
    path_of_finding, write_file,
};

/// The texts that are not written, by path in their book, and the reason.
const TEXTS_NOT_WRITTEN: [(&str, &str); 0] = [];

/// Returns the texts of a book and their canonical forms by path, as a home writes them.
fn canonical_texts(home: &Path, book: &Path) -> Vec<(String, CanonicalFile)> {
    let found = canonical_content(
        &home_with_book(home, book),
        "wwrf",
        &host_phrases(&COMMANDS),
    )
    .unwrap();
    let path = |file: &CanonicalFile| {
        let path = Path::new(file.source.name()).strip_prefix(book);
        path.ok().map(|path| path.to_str().unwrap().to_owned())
    };
    let why = |path: &str| {
        let findings = found.findings.iter();
        let own = findings.filter(|one| one.is_error() && path_of_finding(one, book) == path);
        own.map(|one| format!("{one:?}")).collect::<Vec<_>>()
    };
    let mut written = Vec::new();
    for file in &found.files {
        let Some(path) = path(file) else { continue };
        if TEXTS_NOT_WRITTEN.iter().any(|(left, _)| *left == path) {
            assert_eq!(file.text, None, "{path} is written");
            continue;
        }
        assert!(
            file.text.is_some(),
            "{path} is left alone: {:#?}",
            why(&path)
        );
        written.push((path, file.clone()));
    }
    written
}

#[test]
fn what_is_written_says_the_same_and_is_written_the_same_again() {
    let home = home_with_whole_structure();
    for book in all_books() {
        let files = canonical_texts(home.path(), &book);
        let texts = super::files_by_path(&book).into_keys();
        let texts = texts
            .filter(|path| is_text(path) && TEXTS_NOT_WRITTEN.iter().all(|(left, _)| left != path));
        let paths = files.iter().map(|(path, _)| path.clone());
        assert_eq!(
            paths.filter(|path| is_text(path)).collect::<BTreeSet<_>>(),
            texts.collect::<BTreeSet<_>>()
        );
        let copy = copy_folder(&book);
        for (path, file) in &files {
            write_file(copy.path(), path, file.text.as_ref().unwrap());
        }
        let before = definitions_by_path(&home, &book);
        let after = definitions_by_path(&home, copy.path());
        assert_eq!(
            before.keys().collect::<Vec<_>>(),
            after.keys().collect::<Vec<_>>()
        );
        for (path, said) in before {
            assert_eq!(after[&path], said, "{path}");
        }
        for (path, file) in canonical_texts(home.path(), copy.path()) {
            assert_eq!(file.text.as_deref(), Some(file.source.text()), "{path}");
        }
    }
}

#[test]
fn a_planted_text_is_written_as_long_as_all_of_it_was_read() {
    let home = home_with_whole_structure();
    let planted = project().join("tests/wwrf/planted");
    let found = canonical_content(
        &home_with_book(home.path(), &planted),
        "wwrf",
        &host_phrases(&COMMANDS),
    )
    .unwrap();
    let wrong: Vec<_> = found
        .findings
        .iter()
        .filter(|one| one.code == "script/no-form")
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let copy = copy_folder(&planted);
    let mut codes = BTreeSet::new();
    for file in &found.files {
        let name = Path::new(file.source.name());
        let Ok(path) = name.strip_prefix(&planted) else {
            // The shapes of forums stay beside every book.
            assert!(
                name.starts_with("content/wwrf/forums"),
                "{}",
                name.display()
            );
            continue;
        };
        let path = path.to_str().unwrap();
        let errors = found.findings.iter();
        let errors = errors.filter(|one| one.is_error() && path_of_finding(one, &planted) == path);
        let hinted = errors.clone().filter(|one| {
            one.hints
                .iter()
                .any(|hint| hint.contains("the file was not changed"))
        });
        if let Some(text) = &file.text {
            write_file(copy.path(), path, text);
            codes.extend(errors.map(|one| one.code.to_string()));
        } else if path != "expected.txt" && errors.clone().all(|one| one.code != "wwrf/header") {
            assert_eq!(hinted.count(), 1, "{path}");
        }
    }
    let before = definitions_by_path(&home, &planted);
    let after = definitions_by_path(&home, copy.path());
    for (path, said) in before {
        assert_eq!(after.get(&path), Some(&said), "{path}");
    }
    for code in ["params-misplaced", "trigger-context", "value-type"] {
        assert!(codes.contains(&format!("wwrf/{code}")), "{codes:?}");
    }
}

#[test]
fn what_is_written_in_other_capitals_is_the_same_and_gets_the_canonical_ones() {
    let home = home_with_whole_structure();
    let copy = copy_folder(&super::shipped_book());
    let (path, head) = (
        "roles/townsfolk/loud_one",
        "**Loud One** | Townsfolk Power\n__Basics__\nShouts.\n\n__Formalized__\n",
    );
    let (loud, plain) = (
        "IMMEDIATE NIGHT: learn `x` |seer.look|\non visited [attack killing]: CANCEL with failure\n",
        "Immediate Night: Learn `x` |seer.look|\nOn Visited [attack killing]: Cancel with Failure\n",
    );
    write_file(copy.path(), path, format!("{head}{loud}"));
    let before = definitions_by_path(&home, copy.path());
    let files = canonical_texts(home.path(), copy.path());
    let (_, file) = files.iter().find(|(other, _)| other == path).unwrap();
    let expected = format!("{head}{plain}");
    assert_eq!(file.text.as_deref(), Some(expected.as_str()));
    write_file(copy.path(), path, &expected);
    assert_eq!(definitions_by_path(&home, copy.path())[path], before[path]);
}

/// A body with the deepest levels, and brackets of the greatest depth.
const DEEP_ROLE: &str = "Starting:
  • Process: Role Investigate @All
  • Evaluate:
    ‣ @Result is `Success`:
      ◦ @Self is @Self:
        · @Self exists:
          ⁃ not ((not ((@All is part of @(Role:Seer,AliveOnly:False)) and (not (not (@All exists))))) or (@Self exists)):
            ⹀ For Each @All: @Ind exists: Learn `@Self->Counter is here`
    ‣ Otherwise: Learn `nothing`
";

#[test]
fn a_text_as_deep_as_the_language_goes_is_written() {
    let texts = [
        (
            "roles/deep_role",
            "**Deep Role** | Townsfolk Power\n__Formalized__\n",
        ),
        (
            "attributes/deep_attribute",
            "**Deep Attribute** | Attribute\n__Formalized__\n",
        ),
        (
            "groups/deep_group",
            "**Deep Group** | Townsfolk Team Group\n__Formalized__\n",
        ),
        ("ability_sets/deep_set", "**Deep Set** | Ability Set\n"),
        (
            "polls/deep_poll",
            "**Deep Poll** | Poll\nAvailable Options: @All\nAllowed Voters: @All\n",
        ),
        (
            "teams/deep_team",
            "**Deep Team**\n__Formalized__\nWin Condition: @(Align:Deep)\n",
        ),
    ];
    let book = copy_folder(&super::shipped_book());
    for (path, head) in texts {
        write_file(book.path(), path, format!("{head}{DEEP_ROLE}"));
    }
    let home = home_with_whole_structure();
    let files = canonical_texts(home.path(), book.path());
    for (path, _) in texts {
        let file = files.iter().find(|(own, _)| own == path).unwrap();
        let text = file.1.text.as_deref().unwrap();
        assert!(text.contains("⹀ For Each"), "{text}");
    }
}

/// A text whose triggers move to other lines in canonical form.
const SPREAD_ROLE: &str = "**Spread** | Townsfolk Support
__Basics__
Does nothing.
__Details__
Does nothing.

__Simplified__
Does nothing.

__Formalized__

On Banishment: For Each @All: For Each @All: @Ind is @Self: Learn `q`

On Death: Learn `q`

__Card__
Does nothing.
";

#[test]
fn a_text_whose_lines_move_is_written() {
    let book = copy_folder(&project().join("content/wwrf"));
    write_file(book.path(), "roles/townsfolk/spread", SPREAD_ROLE);
    let files = canonical_texts(&project(), book.path());
    let spread = files
        .iter()
        .find(|(path, _)| path == "roles/townsfolk/spread");
    let text = spread.and_then(|(_, file)| file.text.as_deref()).unwrap();
    assert!(
        text.contains("@Ind is @Self: Learn `q`\nOn Death: Learn `q`\n\n__Card__"),
        "{text}"
    );
}
