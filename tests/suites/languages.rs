//! Plays shipped games in other languages by mods: what the host says is in their words, on pages, in posts and in
//! rulings, and saved games are verified in the words of their time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use arbiter_tests::project;
use assert_cmd::Command;
use host::words::{choose_words, english_texts};
use tempfile::TempDir;

/// A game of the shipped ruleset `fortune`: a roll, a poll, a salt, a dispute, a post and its correction.
const LINES: &str = "play Drowned Arcade
set mara player Ann
pool Ines d8 d6 vs 11 # the late door
poll tea by character: green, black
vote green for Mara
for Ann: salt the seventh wave
for Ann: dispute 1 too fast
wait 3h
post 2 done
revert 2 yes
post corrections
close tea
undo
";

/// Returns the program with a folder of mods, in its own folder.
fn arbiter(folder: &Path, mods: Option<&Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(folder)
        .env_remove("ARBITER_GAMES")
        .env("ARBITER_HOME", project())
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("NO_COLOR", "1")
        .args(arguments);
    if let Some(mods) = mods {
        command.arg("--mods").arg(mods);
    }
    command
}

fn output(command: &mut Command) -> String {
    let done = command.output().unwrap();
    String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap()
}

/// Plays lines in the folder `game`, and returns what was said.
fn play(folder: &Path, mods: Option<&Path>, lines: &str) -> String {
    let flags = [
        "run",
        "-",
        "--keep-going",
        "--ruleset",
        "fortune",
        "--game",
        "game",
    ];
    let mut command = arbiter(folder, mods, &flags);
    output(command.args(["--seed", "a language"]).write_stdin(lines))
}

fn german() -> std::path::PathBuf {
    project().join("tests/languages/german")
}

/// Returns all pages of the game in a folder: story and log as pages, and the replay.
fn exported_pages(folder: &Path, mods: Option<&Path>, whom: &str) -> String {
    let mut all = String::new();
    for style in ["story", "log"] {
        let place = folder.join(format!("pages-{style}-{whom}"));
        let arguments = ["export", "game", "--for", whom, "--style", style];
        let mut command = arbiter(folder, mods, &arguments);
        let said = output(command.arg("--pages").arg(&place));
        let mut files: Vec<_> = fs::read_dir(&place)
            .unwrap_or_else(|_| panic!("{said}"))
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|one| one == "html"))
        {
            all += &fs::read_to_string(file).unwrap();
        }
    }
    // A replay is not for one player.
    if ["public", "gm"].contains(&whom) {
        let replay = ["export", "game", "--for", whom, "--style", "replay"];
        all += &output(&mut arbiter(folder, mods, &replay));
    }
    all
}

/// Returns the texts of pages that people read or hear: between tags, and in labels.
fn texts_of_pages(pages: &str) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for part in pages.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        if tag.starts_with("style") || tag.starts_with("script") {
            continue;
        }
        for label in ["aria-label=\"", "data-title=\"", "data-text=\""] {
            let value = tag
                .split(label)
                .nth(1)
                .and_then(|rest| rest.split('"').next());
            texts.extend(value.map(str::to_owned));
        }
        texts.insert(text.trim().to_owned());
    }
    texts
}

/// Returns whether a text is a text of the host with filled holes.
fn is_filled(text: &str, template: &str) -> bool {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        parts.push(before);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    parts.push(rest);
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    if parts.len() == 1 {
        return text == template;
    }
    let Some(mut middle) = text
        .strip_prefix(first)
        .and_then(|text| text.strip_suffix(last))
    else {
        return false;
    };
    for part in &parts[1..parts.len() - 1] {
        match middle.split_once(part) {
            Some((_, after)) => middle = after,
            None => return false,
        }
    }
    true
}

#[test]
fn a_shipped_game_speaks_german_on_all_pages_in_posts_and_in_rulings() {
    let folder = tempfile::tempdir().unwrap();
    let (place, mods) = (folder.path(), german());
    let said = play(place, Some(&mods), LINES);
    for words in [
        "0 von 4 haben abgestimmt",
        "Mara Quell stimmt für green.",
        "Salz 1 von Ann: the seventh wave (zählt ab der nächsten Entscheidung)",
        "3h vergehen: Zeit 3h",
        "Berichtigung zu Zeile 2: Das gilt nicht mehr.",
        "1 von 4 hat abgestimmt",
        "green gewinnt",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Words for the game master stay in English.
    assert!(said.contains("noted as posted: 2 for everybody"), "{said}");
    let verified = output(&mut arbiter(place, None, &["verify", "game"]));
    assert!(verified.contains(", 0 differ"), "{verified}");
    let german = choose_words(Some("de"), &[]).words;
    for whom in ["public", "gm", "Ann"] {
        let pages = exported_pages(place, Some(&mods), whom);
        assert!(pages.matches("<html lang=\"de\">").count() >= 4, "{pages}");
        let texts = texts_of_pages(&pages);
        for (key, one, other) in english_texts() {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
            for english in one.iter().chain([&other]) {
                let fixed: String = english.split(['{', '}']).step_by(2).collect();
                let same = german.holes(key).is_some_and(|holes| holes.is_empty())
                    && german.text(key) == *english;
                // What scripts say is English: a short text of the host says too little.
                if letters(&fixed) < 4 || same || SAID_BY_OTHERS.contains(&key) {
                    continue;
                }
                let left = texts.iter().find(|text| is_filled(text, english));
                assert_eq!(left, None, "{key} is in English for {whom}");
            }
        }
    }
}

/// Texts of the host that the scripts of the game say in the same words, or the report of a correction, which is for
/// the game master.
const SAID_BY_OTHERS: [&str; 4] = [
    "column.total",
    "poll.total",
    "column.command",
    "fate.more_lines",
];

#[test]
fn english_pages_have_the_same_texts_of_scripts() {
    let (english, german_game) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    play(english.path(), None, LINES);
    play(german_game.path(), Some(&german()), LINES);
    let pages = |folder: &TempDir, mods: Option<&Path>| {
        texts_of_pages(&exported_pages(folder.path(), mods, "public"))
    };
    let (english, german) = (pages(&english, None), pages(&german_game, Some(&german())));
    for text in ["the late door", "played by Ann"] {
        let has = |texts: &BTreeSet<String>| texts.iter().any(|one| one.contains(text));
        assert!(has(&english) && has(&german), "{text}");
    }
    for (label, other) in [
        ("Contents", "Inhalt"),
        ("Cast", "Wer mitspielt"),
        ("About this game", "Über dieses Spiel"),
    ] {
        assert!(
            english.contains(label) && !english.contains(other),
            "{label}"
        );
        assert!(german.contains(other) && !german.contains(label), "{other}");
    }
}

#[test]
fn a_saved_game_keeps_the_language_of_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    play(
        place,
        Some(&german()),
        "set mara player Ann\nfor Ann: salt one\n",
    );
    // Without the mod the next words are in English; what was said stays.
    let mut again = arbiter(place, None, &["run", "-", "--game", "game"]);
    let more = output(again.write_stdin("for Ann: salt two\n"));
    assert!(more.contains("salt 2 of Ann: two"), "{more}");
    let verified = arbiter(place, None, &["verify", "game"]).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let log = output(&mut arbiter(
        place,
        None,
        &["export", "game", "--style", "log", "--format", "markdown"],
    ));
    assert!(log.contains("Salz 1 von Ann: one"), "{log}");
    let recorded = output(&mut arbiter(
        place,
        None,
        &["export", "game", "--style", "log", "--format", "json"],
    ));
    assert!(recorded.contains("\"told to\":\"everybody\""), "{recorded}");
}

#[test]
fn a_mod_adds_a_third_language_and_what_it_lacks_is_in_english() {
    let folder = tempfile::tempdir().unwrap();
    let (place, mods) = (folder.path(), project().join("tests/languages/french"));
    play(place, Some(&mods), LINES);
    let page = output(&mut arbiter(
        place,
        Some(&mods),
        &["export", "game", "--format", "html"],
    ));
    for words in [
        "<html lang=\"fr\">",
        "Sommaire</h2>",
        "Distribution</h2>",
        "L’histoire pour tous. Maintenant : temps",
        "About this game</h2>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let check = output(&mut arbiter(
        &project(),
        Some(&mods),
        &["check", "--ruleset", "fortune"],
    ));
    let told = "warning[language/missing]: the language \"fr\" lacks ";
    assert!(
        check.contains(told) && check.contains("fr.yaml:4:1"),
        "{check}"
    );
}

#[test]
fn mistakes_in_a_language_file_are_named_at_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mods/content/words/languages/de.yaml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let check = |text: &str| {
        fs::write(&file, text).unwrap();
        let mods = folder.path().join("mods");
        output(&mut arbiter(
            &project(),
            Some(&mods),
            &["check", "--ruleset", "dungeon"],
        ))
    };
    let head = "source: a test\ntexts:\n";
    for (texts, code, place) in [
        (
            "  story.casts: Rollen\n",
            "error[language/unknown-text]",
            "de.yaml:3:3",
        ),
        (
            "  story.line: Zeile {zeile}\n",
            "error[language/hole]",
            "de.yaml:3:15",
        ),
        (
            "  story.cast: 3\n",
            "error[schema/wrong-type]",
            "de.yaml:3:15",
        ),
        ("  story.cast: \"Rollen\n", "error[content/", "de.yaml:3"),
    ] {
        let said = check(&format!("{head}{texts}"));
        assert!(
            said.contains(code) && said.contains(place),
            "{code} {place}: {said}"
        );
    }
    let good = check(&format!("{head}  story.cast: Rollen\n"));
    assert!(!good.contains("language/"), "{good}");
}
