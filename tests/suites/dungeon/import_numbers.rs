//! Changes each number of threads and logs: the import uses the new number or reports it.

use std::fs;
use std::path::PathBuf;

use arbiter_tests::{Game, Scratch, on_game_thread, project};

use super::corpus_folder;

/// Lines that add people before each import, so that some attacks can be ruled.
const LINES_BEFORE_IMPORT: [&str; 9] = [
    "at 2010-07-04 10:00",
    "new player Ann",
    "new player Bo",
    "new player Osk",
    "gndt Osk Level 2",
    "gndt Osk Inventory + longsword",
    "for Osk: wield longsword",
    "new encounter \"Gate\" on level 1: 3 hill orc HP 6 damage 1d8",
    "new encounter \"Cellar\" on level 2: 4 cellar imp HP 5 damage 1d4",
];

/// Numbers that occur in no thread and no game here.
const REPLACEMENT_NUMBERS: [&str; 2] = ["8213", "7351"];

fn threads_and_logs() -> Vec<PathBuf> {
    let files = project().join("tests/dungeon/files");
    let own = [
        "day",
        "names",
        "spoken",
        "thread",
        "told",
        "telling",
        "broken_quotes",
    ];
    let own = own.map(|name| files.join(format!("{name}.txt")));
    let logs = [files.join("band.json")];
    let corpus = corpus_folder().map(|folder| folder.join("log-hill-orcs.json"));
    own.into_iter().chain(logs).chain(corpus).collect()
}

/// Returns the ranges of numbers in posts. In a thread these follow the line with author and time.
/// In a log they are in the entries, without the entry numbers.
fn number_ranges_in_posts(text: &str, is_log: bool) -> Vec<(usize, usize)> {
    let (mut found, mut at, mut is_in_entries) = (Vec::new(), 0, !is_log);
    for line in text.split_inclusive('\n') {
        is_in_entries |= line.contains("\"entries\"");
        let said = match is_log {
            true => line.find("\"kind\"").unwrap_or(0),
            false => post_header_length(line),
        };
        if is_in_entries {
            let places = digit_ranges(&line[said..]);
            found.extend(places.map(|(from, to)| (at + said + from, at + said + to)));
        }
        at += line.len();
    }
    found
}

/// Returns the length of `Ann, 2010-07-06 10:05:`, or 0.
fn post_header_length(line: &str) -> usize {
    let is_one = line.split_once(", 20").is_some_and(|(_, date)| {
        let signs: Vec<char> = date.chars().take(14).collect();
        signs.len() == 14 && signs[2] == '-' && signs[11] == ':'
    });
    match is_one {
        true => line.find(", 20").unwrap_or(0) + 19,
        false => 0,
    }
}

fn digit_ranges(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let begins = text.match_indices(|sign: char| sign.is_ascii_digit());
    let begins = begins.map(|(at, _)| at);
    let is_first = |at: &usize| *at == 0 || !text.as_bytes()[at - 1].is_ascii_digit();
    begins.filter(is_first).map(|at| {
        let rest = &text[at..];
        let length = rest.find(|sign: char| !sign.is_ascii_digit());
        (at, at + length.unwrap_or(rest.len()))
    })
}

/// Returns the findings and lines of an import of a text.
fn import_result_text(game: &mut Game, home: &Scratch, name: &str, text: &str) -> String {
    home.write(name, text);
    game.text(&format!("import {name}"))
}

#[test]
fn each_number_of_a_post_is_taken_or_told() {
    on_game_thread(|| {
        let home = Scratch::shipped("dungeon");
        let mut game = Game::of_program(&home, "dungeon");
        for line in LINES_BEFORE_IMPORT {
            let reply = game.line(line);
            assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        }
        game.solo.client.set_file_folder(home.path());
        let mut lost = Vec::new();
        for path in threads_and_logs() {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let before = import_result_text(&mut game, &home, &name, &text);
            let places = number_ranges_in_posts(&text, name.ends_with(".json"));
            assert!(places.len() > 3, "{name}");
            for (from, to) in places {
                let other = REPLACEMENT_NUMBERS
                    .map(|number| format!("{}{number}{}", &text[..from], &text[to..]));
                let said = other.map(|text| import_result_text(&mut game, &home, &name, &text));
                if said[0] == before || said[0] == said[1] {
                    let start = text[..from].rfind('\n').map_or(0, |at| at + 1);
                    lost.push(format!(
                        "{name}: {}[{}]",
                        &text[start..from],
                        &text[from..to]
                    ));
                }
            }
        }
        assert!(
            lost.is_empty(),
            "{} are lost:\n{}",
            lost.len(),
            lost.join("\n")
        );
    });
}
