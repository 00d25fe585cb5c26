//! Mistypes lines of the shipped book as authors do, one at a time. The finding is at the mistake,
//! and its suggestion restores the line.

use std::fs;

use arbiter_tests::project;
use host::diag::{Diagnostic, apply_fixes};

use super::{check_book, copy_folder, path_of_finding, shipped_book, write_file};

/// The number of mistakes in one book; only the first of many mistakes get suggestions.
const MISTAKES_PER_BOOK: usize = 24;

/// A mistyped line.
struct MistypedLine {
    what: String,
    file: String,
    typed: String,
    meant: String,
}

/// Returns all mistyped lines.
fn all_mistyped_lines() -> Vec<MistypedLine> {
    let text = fs::read_to_string(project().join("tests/wwrf/mistakes.txt")).unwrap();
    let records = text.split("--- ").skip(1);
    let read = |record: &str| {
        let mut lines = record.lines();
        let mut line = |mark: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(mark));
            line.unwrap_or_else(|| panic!("{record}")).to_owned()
        };
        MistypedLine {
            what: line(""),
            file: line(""),
            typed: line("- "),
            meant: line("+ "),
        }
    };
    records.map(read).collect()
}

/// Returns a separate role name for each mistake, with letters unlike all names of the book.
fn role_name_of(number: usize) -> String {
    let letter = |number: usize| char::from(b'a' + u8::try_from(number % 26).unwrap());
    format!("Zq{}{}xv", letter(number / 26), letter(number))
}

/// Returns a copy of a file with its own name and one replaced line.
fn copy_with_line(number: usize, one: &MistypedLine, line: &str) -> String {
    let text = fs::read_to_string(shipped_book().join(&one.file)).unwrap();
    assert_eq!(
        text.lines().filter(|line| *line == one.meant).count(),
        1,
        "{}: {}",
        one.file,
        one.meant
    );
    let title = text.split("**").nth(1).unwrap();
    let text = text.replacen(title, &role_name_of(number), 1);
    let lines = text.lines().map(|own| match own == one.meant {
        true => line,
        false => own,
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns the findings in a copy of the file of each mistake, with one replaced line.
fn findings_of_mistakes(
    mistakes: &[MistypedLine],
    line: impl Fn(usize, &MistypedLine) -> String,
) -> Vec<Vec<Diagnostic>> {
    let lines: Vec<String> = (0..).zip(mistakes).map(|(at, one)| line(at, one)).collect();
    let some = mistakes
        .chunks(MISTAKES_PER_BOOK)
        .zip(lines.chunks(MISTAKES_PER_BOOK));
    some.flat_map(|(mistakes, lines)| findings_in_one_book(mistakes, lines))
        .collect()
}

/// Returns the findings in one book, by mistake.
fn findings_in_one_book(mistakes: &[MistypedLine], lines: &[String]) -> Vec<Vec<Diagnostic>> {
    let book = copy_folder(&shipped_book());
    // In the folder of its kind.
    let path = |number: usize| {
        let folder = mistakes[number]
            .file
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        format!("{folder}/{}", role_name_of(number).to_lowercase())
    };
    for (number, (one, line)) in mistakes.iter().zip(lines).enumerate() {
        write_file(
            book.path(),
            &path(number),
            copy_with_line(number, one, line),
        );
    }
    let mut findings = check_book(book.path()).findings;
    findings.retain(|found| !found.is_note() && found.place.is_some());
    let of = |number: usize| {
        let own = findings.iter();
        let own = own.filter(|found| path_of_finding(found, book.path()) == path(number));
        own.cloned().collect()
    };
    (0..mistakes.len()).map(of).collect()
}

/// Returns a line without differences of case and of the number of spaces.
fn line_without_case_and_blanks(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns the line that the suggestion of a finding gives, and whether the finding is at the place
/// of the difference.
fn fixed_line(found: &Diagnostic, one: &MistypedLine) -> Option<(String, bool)> {
    let place = found.place.as_ref()?;
    let advice = found.fix_or_advice()?;
    let text = place.source.text();
    let line_start = text.find(&one.typed)?;
    let (typed, meant) = (one.typed.as_bytes(), one.meant.as_bytes());
    let same = |(a, b): &(&u8, &u8)| a == b;
    let before = typed.iter().zip(meant).take_while(same).count();
    let behind = typed.iter().rev().zip(meant.iter().rev());
    let behind = behind.take_while(same).count();
    let (from, to) = (before, typed.len().saturating_sub(behind).max(before));
    let (start, end) = (place.span.start, place.span.end);
    // A missing word has no columns: the finding is beside the place.
    let stands_there = start <= line_start + to + 1 && line_start + from <= end + 1;
    let (after, _) = apply_fixes(text, std::slice::from_ref(advice));
    let number = text[..line_start].lines().count();
    let line = after.lines().nth(number)?;
    Some((line.to_owned(), stands_there))
}

#[test]
fn what_a_finding_says_to_write_makes_a_mistyped_line_right() {
    let mistakes = all_mistyped_lines();
    assert!(mistakes.len() >= 60, "{}", mistakes.len());
    let typed = findings_of_mistakes(&mistakes, |_, one| one.typed.clone());
    let mut wrong = Vec::new();
    let mut lines = Vec::new();
    for (one, findings) in mistakes.iter().zip(&typed) {
        let mended = findings.first().and_then(|found| fixed_line(found, one));
        let is_right = mended.as_ref().is_some_and(|(line, is_there)| {
            *is_there
                && line_without_case_and_blanks(line) == line_without_case_and_blanks(&one.meant)
        });
        if !is_right {
            wrong.push(format!(
                "{}: {}: {mended:?}: {:?}",
                one.what,
                one.typed,
                findings.first()
            ));
        }
        lines.push(mended.map_or_else(|| one.typed.clone(), |(line, _)| line));
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    // Editors get the same suggestion.
    let told = typed.iter().filter_map(|findings| findings.first());
    for found in told {
        let advice = found.fix_or_advice().unwrap();
        let instead = &found.to_check_json()["instead"];
        assert_eq!(instead["text"], advice.replacement);
        assert_eq!(instead["certain"], found.fix.is_some());
        let place = found.place.as_ref().unwrap();
        let start = place.source.position(advice.span.start);
        assert_eq!(instead["column"], start.column);
    }
    let codes = |all: &[Vec<Diagnostic>]| -> Vec<Vec<String>> {
        let of = |one: &Vec<Diagnostic>| one.iter().map(|found| found.code.to_string()).collect();
        all.iter().map(of).collect()
    };
    let after = codes(&findings_of_mistakes(&mistakes, |number, _| {
        lines[number].clone()
    }));
    let right = codes(&findings_of_mistakes(&mistakes, |_, one| one.meant.clone()));
    for ((one, after), right) in mistakes.iter().zip(after).zip(right) {
        assert_eq!(after, right, "{}: {}", one.what, one.typed);
    }
}

/// Ambiguous words are all listed, and none is suggested as the fix.
#[test]
fn where_several_words_may_be_meant_none_is_said_to_be() {
    let file = "roles/extra/pack_whistle";
    let text = fs::read_to_string(shipped_book().join(file)).unwrap();
    let line = text
        .lines()
        .find(|line| line.contains("Decrement Counter for"))
        .unwrap();
    let one = MistypedLine {
        what: "other joining word".to_owned(),
        file: file.to_owned(),
        typed: line.replace("Counter for", "Counter on"),
        meant: line.to_owned(),
    };
    let found = findings_of_mistakes(std::slice::from_ref(&one), |_, one| one.typed.clone());
    let [first, ..] = &found[0][..] else {
        panic!("nothing is found");
    };
    assert_eq!(first.fix_or_advice(), None);
    assert_eq!(first.hints[0], "did you mean \"by\" or \"for\"?");
}
