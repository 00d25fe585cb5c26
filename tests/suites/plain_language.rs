//! Tests the language of all texts for people: glossary terms, plain words and short sentences.
//!
//! These are documents, messages, help, summaries and comments that describe the API. Exceptions
//! are in `language_exceptions.txt`, with their reasons.

use arbiter_tests::project;
use repl::COMMANDS;
use repl::markdown_page::Page;

use super::architecture::source_files::{File, files_with_endings};

/// Words that are hard for readers who learned English as a second language, or that have no
/// meaning here.
const HARD_WORDS: [&str; 22] = [
    "anew",
    "mend",
    "mends",
    "mended",
    "mending",
    "dearer",
    "whoever",
    "whomever",
    "whatever",
    "whichever",
    "of which",
    "of whom",
    "is no",
    "thereby",
    "hereby",
    "lest",
    "stands behind",
    "what comes of",
    "is told",
    "are told",
    "hears",
    "tells",
];

/// The largest number of words in a sentence.
const MAX_SENTENCE_WORDS: usize = 25;

/// A piece of text for people.
struct TextPiece {
    path: String,
    line: usize,
    text: String,
}

/// Returns the paragraphs of the documents; a code span counts as one word.
fn document_texts() -> Vec<TextPiece> {
    let mut said = Vec::new();
    for file in files_with_endings("README.md", &["md"])
        .into_iter()
        .chain(files_with_endings("docs", &["md"]))
    {
        let (mut is_code, mut is_open) = (false, false);
        for (at, line) in file.text.lines().enumerate() {
            if line.starts_with("```") {
                is_code = !is_code;
            }
            let is_text = !is_code && !line.starts_with("```") && !line.trim().is_empty();
            let cells: Vec<&str> = match line.starts_with('|') {
                true => line.split('|').collect(),
                false => vec![line],
            };
            let begins = line.trim_start().starts_with(['-', '*', '#', '>', '|']);
            for cell in cells.into_iter().filter(|_| is_text) {
                match said.last_mut() {
                    Some(TextPiece { text, .. }) if is_open && !begins => {
                        *text = format!("{text} {}", cell.trim());
                    }
                    _ => said.push(TextPiece {
                        path: file.path.clone(),
                        line: at + 1,
                        text: cell.to_owned(),
                    }),
                }
            }
            is_open = is_text && !line.starts_with('|');
        }
    }
    for one in &mut said {
        one.text = without_code(&one.text);
    }
    said
}

/// Returns a text with one word in place of each code span.
fn without_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 0 { part } else { "CODE" });
    parts.collect()
}

/// Returns whether only tests read a file.
fn is_test(file: &File) -> bool {
    file.path.contains("/tests") || file.path.contains(".test.") || file.path.ends_with("tests.rs")
}

/// Returns the summaries of shipped content, which `help` shows.
fn content_summaries() -> Vec<TextPiece> {
    let mut said = Vec::new();
    for file in files_with_endings("content", &["yaml"]) {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(summary) = line.trim_start().strip_prefix("summary: ") {
                said.push(TextPiece {
                    path: file.path.clone(),
                    line: at + 1,
                    text: summary.to_owned(),
                });
            }
        }
    }
    said
}

/// Returns the printed texts that contain a space, and the comments that describe commands and the
/// API.
fn program_texts() -> Vec<TextPiece> {
    let rust = files_with_endings("host/src", &["rs"]).into_iter();
    let rust = rust.chain(files_with_endings("repl/src", &["rs"]));
    let luau = files_with_endings("scripts", &["luau"]).into_iter();
    let luau = luau.chain(files_with_endings("host/src", &["luau"]));
    let mut said = Vec::new();
    for file in rust.chain(luau).filter(|file| !is_test(file)) {
        let (marks, quotes): (&[&str], &[char]) = match file.path.ends_with(".rs") {
            true => (&["///", "//!"], &['"']),
            false => (&["--"], &['"', '`']),
        };
        let text = file.text.split("#[cfg(test)]\nmod tests {").next();
        let text = text.unwrap_or_default();
        let mut open = None;
        for (at, line) in text.lines().enumerate() {
            let bare = line.trim_start();
            let comment = marks.iter().find_map(|mark| bare.strip_prefix(mark));
            let pieces = match comment {
                Some(comment) => vec![without_code(comment)],
                None => quoted_texts(bare, quotes, &mut open),
            };
            said.extend(pieces.into_iter().map(|text| TextPiece {
                path: file.path.clone(),
                line: at + 1,
                text,
            }));
        }
    }
    said
}

/// Returns the string literals with a space in a line of code; an open one continues in the next
/// line.
fn quoted_texts(line: &str, quotes: &[char], left: &mut Option<char>) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = left.take().map(|quote| (quote, String::new()));
    let line = line.replace("'\"'", "").replace("'`'", "");
    let goes_on = line.strip_suffix('\\');
    let mut letters = goes_on.unwrap_or(&line).chars();
    while let Some(letter) = letters.next() {
        match &mut open {
            Some((_, text)) if letter == '\\' => text.extend(letters.next()),
            Some((quote, text)) if letter == *quote => {
                found.push(std::mem::take(text));
                open = None;
            }
            Some((_, text)) => text.push(letter),
            None if quotes.contains(&letter) => open = Some((letter, String::new())),
            None => {}
        }
    }
    if let Some((quote, text)) = open {
        *left = goes_on.map(|_| quote);
        found.push(text);
    }
    found
        .iter()
        .map(|text| without_values(text))
        .filter(|text| text.contains(' '))
        .collect()
}

/// Returns a text without its inserted values.
fn without_values(text: &str) -> String {
    let mut parts = text.split('{');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('}').map_or(part, |(_, behind)| behind));
    }
    plain
}

/// Returns whether a text contains a word or phrase, in any case; "there is no" and "is no longer"
/// are allowed.
fn has_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        let is_whole = !is_part(before.chars().next_back()) && !is_part(behind.chars().next());
        let is_fine = word == "is no"
            && (before.trim_end().ends_with("there") || behind.trim_start().starts_with("longer"));
        is_whole && !is_fine
    })
}

/// Returns the exceptions: place and word. Each must have a reason.
fn allowed_exceptions() -> Vec<(String, String)> {
    let path = project().join("tests/suites/language_exceptions.txt");
    let text = std::fs::read_to_string(path).expect("there are exceptions");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let exception = lines.map(|line| {
        let mut parts = line.split(" | ").map(str::to_owned);
        let found = (parts.next(), parts.next(), parts.next());
        let (Some(path), Some(word), Some(_)) = found else {
            panic!("{line}: write PATH | WORD | WHY");
        };
        (path, word)
    });
    exception.collect()
}

/// Returns the places of forbidden words that are not exceptions; each exception must be needed.
fn unexpected_words(said: &[TextPiece], words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut unused = allowed_exceptions();
    unused.retain(|(_, word)| words.contains(word));
    let known = unused.clone();
    for one in said {
        for word in words.iter().filter(|word| has_word(&one.text, word)) {
            let is_it = |(path, of): &(String, String)| one.path.starts_with(path) && of == word;
            match known.iter().find(|exception| is_it(exception)) {
                Some(exception) => unused.retain(|other| other != exception),
                None => found.push(format!("{}:{}: {word}: {}", one.path, one.line, one.text)),
            }
        }
    }
    let unused = unused.into_iter();
    found.extend(unused.map(|(path, word)| format!("{path}: no exception for {word} is needed")));
    found
}

/// Returns the replaced terms, from the last column of the glossary.
fn replaced_words() -> Vec<String> {
    let glossary = files_with_endings("docs/src/reference/glossary.md", &["md"]).remove(0);
    let page = Page::read(&glossary.path, &glossary.text);
    let rows = page.rows.iter().filter(|row| !row.is_head);
    let last = rows.filter_map(|row| row.cells.last());
    let words = last.flat_map(|cell| {
        let is_list = cell.starts_with('`') && !cell.contains("act:");
        let words = cell.split('`').skip(1).step_by(2);
        words.filter(move |_| is_list).map(str::to_owned)
    });
    words.filter(|word| !word.contains('.')).collect()
}

#[test]
fn what_people_read_has_the_words_of_the_glossary_and_no_hard_ones() {
    let mut words = replaced_words();
    assert!(words.len() >= 8, "{words:?}");
    words.extend(HARD_WORDS.map(str::to_owned));
    let mut said = document_texts();
    said.retain(|one| !one.path.ends_with("glossary.md"));
    said.extend(program_texts());
    said.extend(content_summaries());
    assert!(said.len() > 10_000, "{}", said.len());
    let found = unexpected_words(&said, &words);
    assert!(found.is_empty(), "{}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn hard_words_are_found() {
    assert!(has_word("It begins Anew.", "anew") && !has_word("renewed", "anew"));
    assert!(
        has_word("this is no command", "is no") && !has_word("there is no such group", "is no")
    );
    assert!(!has_word("it is no longer there", "is no") && !has_word("is_no", "is no"));
    let line = "say(\"two words\", `and { more }`, \"one\") -- \"not \\\" over\"";
    assert_eq!(
        quoted_texts(line, &['"', '`'], &mut None),
        ["two words", "and ", "not \" over"]
    );
    let mut open = None;
    assert_eq!(
        quoted_texts("help: \"it goes \\", &['"'], &mut open),
        ["it goes "]
    );
    assert_eq!(quoted_texts("on here\", x", &['"'], &mut open), ["on here"]);
    assert_eq!(open, None);
}

/// Returns the sentences of a text.
fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '!', '?', ':'])
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}

/// Returns the number of words in a sentence, without other signs.
fn word_count(sentence: &str) -> usize {
    let words = sentence.split(|c: char| !(c.is_alphanumeric() || "'’-_".contains(c)));
    words
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count()
}

/// Returns the comments of files that people read as help, by what a line of a comment begins with.
fn help_comments(path: &str, ending: &str, mark: &str) -> Vec<TextPiece> {
    let mut said = Vec::new();
    for file in files_with_endings(path, &[ending]) {
        for (at, line) in file.text.lines().enumerate() {
            let comment = line.trim_start().strip_prefix(mark).map(str::trim_start);
            let comment = comment.filter(|comment| !comment.starts_with("example:"));
            said.extend(comment.map(|comment| TextPiece {
                path: file.path.clone(),
                line: at + 1,
                text: without_code(comment),
            }));
        }
    }
    said
}

/// Returns the summaries that shipped scripts have on one line.
fn script_summaries() -> Vec<TextPiece> {
    let mut said = Vec::new();
    for file in files_with_endings("scripts", &["luau"]) {
        for (at, line) in file.text.lines().enumerate() {
            let summary = line.trim_start().strip_prefix("summary = \"");
            let summary = summary.and_then(|text| text.strip_suffix("\","));
            said.extend(summary.map(|text| TextPiece {
                path: file.path.clone(),
                line: at + 1,
                text: without_code(text),
            }));
        }
    }
    said
}

#[test]
fn documents_and_help_have_short_sentences() {
    let mut said = document_texts();
    for command in COMMANDS {
        for text in [command.summary, command.help] {
            said.push(TextPiece {
                path: format!("help {}", command.id),
                line: 1,
                text: without_code(text),
            });
        }
    }
    let sources = [
        (help_comments("host/src/script", "luau", "---"), 300),
        (help_comments("repl/src/arguments.rs", "rs", "///"), 80),
        (script_summaries(), 1000),
        (content_summaries(), 300),
    ];
    for (source, least) in sources {
        assert!(source.len() >= least, "{} < {least}", source.len());
        said.extend(source);
    }
    let mut long = Vec::new();
    for one in &said {
        let found =
            sentences_of(&one.text).filter(|sentence| word_count(sentence) > MAX_SENTENCE_WORDS);
        long.extend(found.map(|sentence| {
            let (path, line) = (&one.path, one.line);
            format!("{path}:{line}: {} words: {sentence}", word_count(sentence))
        }));
    }
    assert!(long.is_empty(), "{}:\n{}", long.len(), long.join("\n"));
}

/// Messages may be reworded; codes identify rules.
#[test]
fn no_rule_looks_into_the_text_of_a_message() {
    let looks = ["find(", "match(", "gmatch(", "gsub(", "sub("];
    for file in files_with_endings("scripts", &["luau"])
        .iter()
        .filter(|file| !is_test(file))
    {
        for (at, line) in file.text.lines().enumerate() {
            let is_compared = [".message == ", ".message ~= "].iter().any(|compared| {
                let behind = line.split_once(compared).map(|(_, behind)| behind);
                behind.is_some_and(|behind| !behind.starts_with("\"\""))
            });
            let is_searched = line.contains(".message:")
                || line.contains("== message")
                || line.split(".message").next().is_some_and(|before| {
                    line.contains(".message")
                        && looks.iter().any(|look| {
                            before.ends_with(look) || is_first_argument_of(before, look)
                        })
                });
            assert!(
                !is_compared && !is_searched,
                "{}:{}: {line}",
                file.path,
                at + 1
            );
        }
    }
}

/// Returns whether the end of a text is the first argument of a call.
fn is_first_argument_of(before: &str, call: &str) -> bool {
    let behind = before.rsplit_once(call).map(|(_, behind)| behind);
    behind.is_some_and(|behind| !behind.contains([',', ')']))
}
