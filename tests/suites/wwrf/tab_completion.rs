//! Presses Tab at each word of the lines of the shipped book: the actual word is offered.

use std::collections::BTreeSet;
use std::ops::Range;

use arbiter_tests::project;
use host::game::{self, Home, Seed, SessionOptions, Solo};
use host::script::EngineOptions;

use super::{files_by_path, shipped_book};

/// The folders of texts with lines that `explain` reads; texts of polls and teams consist mostly of
/// keys.
const CODE_FOLDERS: [&str; 4] = ["roles", "attributes", "groups", "ability_sets"];

fn wwrf_session() -> Solo {
    let options = SessionOptions {
        home: Home {
            folder: project(),
            mods: Vec::new(),
            content: None,
        },
        ruleset: "wwrf".to_owned(),
        seed: Seed::from_text("tab"),
        engine: EngineOptions::default(),
    };
    Solo::start(options, &[]).expect("it is shipped").0
}

/// Returns the distinct code lines of the shipped texts, without bullets. In a typed line, `\\n` is
/// a line break.
fn shipped_code_lines() -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let files = files_by_path(&shipped_book()).into_iter();
    let of_bodies = files.filter(|(path, _)| {
        let folder = path.split('/').next().unwrap_or_default();
        CODE_FOLDERS.contains(&folder) && !path.contains('.')
    });
    for (_, bytes) in of_bodies {
        let text = String::from_utf8(bytes).unwrap();
        let code = text.split("__Formalized__").nth(1).unwrap_or_else(|| {
            // In a text without sections, all lines after the first are code.
            text.split_once('\n').map_or("", |(_, code)| code)
        });
        let code = code.split("\n__").next().unwrap_or_default();
        let own = code.lines().map(|line| {
            line.trim()
                .trim_start_matches(['•', '‣', '◦', '·', '⁃'])
                .trim()
        });
        lines.extend(
            own.filter(|line| !line.is_empty() && !line.contains("\\n"))
                .map(str::to_owned),
        );
    }
    lines
}

/// Returns the ranges of a line with free words of its author outside backticks: options of choices
/// and values of attributes.
fn free_text_ranges(line: &str) -> Vec<Range<usize>> {
    let mut free = Vec::new();
    for (from, to) in [
        ("Creation", ")"),
        ("{Forced: ", "}"),
        (") (", ")"),
        ("` (", ")"),
    ] {
        let mut at = 0;
        while let Some(start) = line[at..].find(from).map(|found| at + found) {
            let inside = start + from.len();
            let inside = match from {
                "Creation" => line[inside..]
                    .find('(')
                    .map_or(line.len(), |open| inside + open),
                _ => inside,
            };
            let end = line[inside..]
                .find(to)
                .map_or(line.len(), |end| inside + end);
            if !line[inside..].starts_with('~') {
                free.push(inside..end);
            }
            at = end;
        }
    }
    free
}

/// Returns the ranges of words that the language knows: outside of free texts, numbers and prompts.
fn language_word_ranges(line: &str) -> Vec<(usize, usize)> {
    let mut words = word_ranges(line);
    let free = free_text_ranges(line);
    words.retain(|(start, end)| {
        let word = &line[*start..*end];
        let is_free = free.iter().any(|range| range.contains(start));
        // The end of a genitive, and a count: x2.
        let is_ending = word == "s" && line[..*start].ends_with('\'');
        let is_count = word.starts_with('x') && word[1..].starts_with(|c: char| c.is_ascii_digit());
        !is_free && !is_ending && !is_count
    });
    words
}

fn word_ranges(line: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut at = 0;
    let mut in_prompt = false;
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let length = match c {
            '|' => {
                in_prompt = !in_prompt;
                1
            }
            '`' | '%' => rest[1..].find(c).map_or(rest.len(), |end| end + 2),
            // A bracket after a sign is offered together with the sign.
            '@' | '&' | '^' if rest[1..].starts_with('(') => {
                words.push((at, at + 2));
                2
            }
            '@' | '&' | '^' | '#' | '$' => {
                let inner =
                    |c: char| c.is_alphanumeric() || c == '_' || c == '-' && rest.starts_with('#');
                let word = rest[1..].find(|c: char| !inner(c));
                let word = word.unwrap_or(rest.len() - 1).max(1);
                // The - of an arrow is not part of a name.
                let word = rest[1..=word].trim_end_matches('-').len();
                words.push((at, at + 1 + word));
                1 + word
            }
            c if c.is_alphabetic() => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
                let end = end.unwrap_or(rest.len());
                // The - of an arrow is not part of a word.
                let end = if rest[..end].ends_with('-') {
                    end - 1
                } else {
                    end
                };
                if !in_prompt {
                    words.push((at, at + end));
                }
                end
            }
            c => c.len_utf8(),
        };
        at += length.max(1);
    }
    words
}

/// Returns the names of the shipped texts.
fn names_in_book() -> BTreeSet<String> {
    let title = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).ok()?;
        Some(text.strip_prefix("**")?.split_once("**")?.0.to_owned())
    };
    files_by_path(&shipped_book())
        .into_values()
        .filter_map(title)
        .collect()
}

/// Returns the ranges of names in backticks. All other text in backticks is free text, and so are
/// options of choices.
fn quoted_name_ranges(line: &str, names: &BTreeSet<String>) -> Vec<(usize, usize)> {
    let quotes: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    let pairs = quotes.chunks_exact(2).map(|pair| (pair[0], pair[1] + 1));
    pairs
        .filter(|(start, end)| names.contains(&line[start + 1..end - 1]))
        .filter(|(_, end)| !line[*end..].starts_with(" Chosen"))
        .collect()
}

/// Returns whether Tab at `cursor` offers the text of the line up to `end`.
fn is_offered(solo: &Solo, line: &str, cursor: usize, end: usize) -> bool {
    let typed = format!("explain {}", &line[..cursor]);
    let offered = game::texts_offered_for_last_slot(solo.timeline(), "gm", &typed);
    let offered = offered.map(|(_, texts)| texts).unwrap_or_default();
    offered.iter().any(|text| {
        let text = text.trim_end();
        let own = line.get(..text.len());
        text.len() >= end && own.is_some_and(|own| own.eq_ignore_ascii_case(text))
    })
}

/// Returns the words of a line that Tab does not offer: before the first letter, and after it.
fn words_not_offered(solo: &Solo, line: &str, names: &BTreeSet<String>) -> Vec<String> {
    let told = |start: usize, end: usize| {
        let (before, word, behind) = (&line[..start], &line[start..end], &line[end..]);
        format!("{before}<{word}>{behind}")
    };
    let mut missing = Vec::new();
    for (start, end) in language_word_ranges(line) {
        let first = line[start..].chars().next().map_or(1, char::len_utf8);
        // Words with a sign are offered after the sign, because there are many.
        let has_sign = !line[start..].starts_with(char::is_alphabetic);
        let at_once = if has_sign { start + first } else { end };
        let is_there = is_offered(solo, line, start, at_once)
            && (end == start + first || is_offered(solo, line, start + first, end));
        if !is_there {
            missing.push(told(start, end));
        }
    }
    for (start, end) in quoted_name_ranges(line, names) {
        if !is_offered(solo, line, start + 1, end) {
            missing.push(told(start, end));
        }
    }
    missing
}

#[test]
fn each_word_of_the_shipped_lines_is_offered_where_it_stands() {
    let (solo, names) = (wwrf_session(), names_in_book());
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in shipped_code_lines() {
        count += language_word_ranges(&line).len() + quoted_name_ranges(&line, &names).len();
        wrong.extend(words_not_offered(&solo, &line, &names));
    }
    assert!(count > 4000, "{count}");
    assert!(
        wrong.is_empty(),
        "{} of {count}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
