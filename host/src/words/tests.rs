//! Tests of the tables of words: both languages have the same texts and holes, and the host uses each of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::language_file::difference_from_english;
use super::table::{embedded_languages, english_patterns};
use super::*;
use crate::diag::{Diagnostic, Source};

#[test]
fn all_languages_of_the_program_have_the_same_keys_and_holes() {
    let english: Vec<&String> = english_patterns().keys().collect();
    for language in embedded_languages() {
        let keys: Vec<&String> = language.texts.keys().collect();
        assert_eq!(keys, english, "{}", language.id);
        for (key, pattern) in &language.texts {
            let found = difference_from_english(key, pattern);
            assert_eq!(found, None, "{} {key}", language.id);
        }
    }
}

/// Returns the sources of the program that may use words.
fn sources() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> = ["host/src", "repl/src", "scripts/library"]
        .map(|folder| root.join(folder))
        .to_vec();
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_code = ["rs", "luau"]
                .iter()
                .any(|ending| path.extension().is_some_and(|own| own == *ending));
            if path.is_dir() {
                folders.push(path);
            } else if is_code && !path.ends_with("words/tests.rs") {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    texts
}

#[test]
fn every_key_is_used_and_every_used_key_exists() {
    let known: BTreeSet<&str> = english_patterns().keys().map(String::as_str).collect();
    let areas: BTreeSet<&str> = known
        .iter()
        .filter_map(|key| key.split('.').next())
        .collect();
    let mut used = BTreeSet::new();
    let calls = [".text(", ".fill(", ".count(", ".around(", ".in_language("];
    let mut unknown = Vec::new();
    let texts = sources();
    for text in &texts {
        for literal in text.split('"').skip(1) {
            if let Some(key) = known.get(literal) {
                used.insert(*key);
            }
        }
        for call in calls {
            for rest in text.split(call).skip(1) {
                let literal = rest
                    .trim_start()
                    .strip_prefix('"')
                    .and_then(|rest| rest.split('"').next());
                let key = literal.filter(|key| {
                    key.split_once('.')
                        .is_some_and(|(area, rest)| areas.contains(area) && !rest.is_empty())
                });
                unknown.extend(key.filter(|key| !known.contains(key)));
            }
        }
    }
    let unused: Vec<&&str> = known.difference(&used).collect();
    assert_eq!((unused, unknown), (Vec::new(), Vec::new()));
}

fn file(id: &str, text: &str) -> LanguageFile {
    LanguageFile {
        id: id.to_owned(),
        source: Source::new(format!("content/toy/languages/{id}.yaml"), text),
    }
}

fn read(id: &str, texts: &str) -> (Option<Language>, Vec<Diagnostic>) {
    let text = format!("source: a test\ntexts:\n{texts}");
    read_language(&file(id, &text))
}

fn language(id: &str, texts: &str) -> Language {
    let (language, findings) = read(id, texts);
    assert_eq!(findings, []);
    language.unwrap()
}

#[test]
fn a_text_with_a_mistake_is_named_and_left_out() {
    for (texts, code, message, hint) in [
        (
            "  story.casts: Rôles",
            "language/unknown-text",
            "the host has no text with the key \"story.casts\"",
            "did you mean \"story.cast\"",
        ),
        (
            "  story.line: Ligne {lines}",
            "language/hole",
            "the text of \"story.line\" has the unknown hole {lines}",
            "did you mean \"line\"?",
        ),
        (
            "  story.line: Ligne",
            "language/hole",
            "the text of \"story.line\" lacks the hole {line}",
            "its holes are {line}",
        ),
        (
            "  story.line: Ligne {line",
            "language/hole",
            "the text of \"story.line\" cannot be read: a \"{\" has no \"}\" after it",
            "a hole is a name in braces, such as {name}",
        ),
        (
            "  votes.first: { one: 'une voix', other: '{count} voix pour {choice}' }",
            "language/hole",
            "the form `one` of \"votes.first\" lacks the hole {choice}",
            "its holes are {choice}, {count}",
        ),
        (
            "  story.cast: { one: Rôle, other: Rôles }",
            "language/form",
            "the text of \"story.cast\" has forms for numbers, but it counts nothing",
            "write one text",
        ),
    ] {
        let (language, findings) = read("fr", texts);
        assert_eq!(findings.len(), 1, "{texts}: {findings:?}");
        assert_eq!((&*findings[0].code, &*findings[0].message), (code, message));
        assert!(
            findings[0].hints[0].starts_with(hint),
            "{:?}",
            findings[0].hints
        );
        assert!(findings[0].place.is_some() && language.unwrap().texts.is_empty());
    }
    let (_, findings) = read("Français", "  story.cast: Rôles");
    assert_eq!(findings[0].code, "language/name");
}

#[test]
fn a_later_file_counts_and_english_stands_for_what_is_missing() {
    let files = [
        language("fr", "  story.cast: Rôles\n  story.line: Ligne {line}"),
        language("fr", "  story.cast: Distribution"),
        language("fr-ca", "  story.out: sorti"),
    ];
    let chosen = choose_words(Some("fr-CA"), &files);
    let words = &chosen.words;
    assert_eq!(words.tag(), "fr-CA");
    assert_eq!(words.text("story.cast"), "Distribution");
    assert_eq!(words.fill("story.line", &[("line", &3)]), "Ligne 3");
    assert_eq!(words.text("story.out"), "sorti");
    assert_eq!(words.text("story.result"), "Result");
    let codes: Vec<(&str, bool)> = chosen
        .findings
        .iter()
        .map(|one| (&*one.code, one.is_note()))
        .collect();
    assert_eq!(
        codes,
        [("language/missing", false), ("language/missing", false)]
    );
    assert!(
        choose_words(Some("en"), &files)
            .findings
            .iter()
            .all(Diagnostic::is_note)
    );
}

#[test]
fn a_file_can_choose_the_language_of_its_games() {
    let chooses = |id: &str| {
        let (language, findings) = read_language(&file(id, "source: a test\nchosen: true\n"));
        assert_eq!(findings, []);
        language.unwrap()
    };
    let german = choose_words(Some("en"), &[chooses("de")]);
    assert_eq!(
        (german.words.tag(), &*german.words.text("story.contents")),
        ("de", "Inhalt")
    );
    assert_eq!(german.findings, []);
    let both = choose_words(None, &[chooses("de"), chooses("en")]);
    assert_eq!(
        (both.words.tag(), &*both.findings[0].code),
        ("de", "language/two-chosen")
    );
}

#[test]
fn a_language_without_words_is_reported_with_near_names() {
    let chosen = choose_words(Some("dee"), &[]);
    assert_eq!(
        (chosen.words.tag(), &*chosen.words.text("story.cast")),
        ("dee", "Cast")
    );
    let finding = chosen.of_ruleset.unwrap();
    assert_eq!(finding.code, "language/unknown");
    assert_eq!(finding.hints[0], "did you mean \"de\"?");
    for known in [None, Some("en"), Some("de"), Some("de-CH"), Some("EN-gb")] {
        assert!(choose_words(known, &[]).of_ruleset.is_none(), "{known:?}");
    }
}

#[test]
fn a_number_chooses_the_form() {
    let words = choose_words(Some("de"), &[]).words;
    let wins = |count: usize| words.fill("poll.wins", &[("count", &count), ("names", &"x")]);
    assert_eq!(
        (wins(1).as_str(), wins(2).as_str()),
        ("x gewinnt", "x gewinnen")
    );
    assert!(words.holes("poll.wins").unwrap().contains("count"));
    let votes = |count| words.count("votes.first", count, &[("choice", &"Bo")]);
    assert_eq!(votes(1), "1 Stimme für Bo");
    assert_eq!(votes(12), "12 Stimmen für Bo");
    let names = ["Ann", "Bo", "Cy"].map(str::to_owned);
    assert_eq!(words.listed(&names), "Ann, Bo und Cy");
    assert_eq!(words.listed(&names[..1]), "Ann");
}
