//! The reader of role texts: books of the shipped role texts and of unintended ones.

use std::fs;
use std::path::Path;

use host::diag::Diagnostic;
use host::game::{Home, check_ruleset_with_texts, host_phrases};
use repl::COMMANDS;

use super::{CHECK, Read, Reader};
use crate::{files_below, project};

/// The ruleset, and the folder of its shipped book.
const RULESET: &str = "wwrf";

/// Codes of errors that only a fault of the ruleset itself causes.
const OWN_MISTAKES: [&str; 4] = ["script/", "limit/", "schema/", "phrase/"];

/// Codes of errors for texts that are too large, or wrong everywhere.
const TOO_LARGE: [&str; 3] = ["limit/size", "limit/depth", "limit/findings"];

pub(super) const ROLE_TEXTS: Reader = Reader {
    name: "role texts",
    seeds: || {
        let files = files_below(&shipped_book_folder()).into_iter();
        let texts = files.filter(|file| file.extension().is_none());
        texts.filter_map(|file| fs::read(file).ok()).collect()
    },
    marks: &[
        "•",
        "‣",
        "◦",
        "__Formalized__\n",
        "**",
        "|",
        "`",
        "@Self",
        "@Target",
        "->Role",
        ":",
        "Passive:",
        "Immediate:",
        "Start Night:",
        "Kill",
        "Learn",
        "Win",
        "not ",
        " and ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<x1>",
        "(~Phase)",
        "$",
        "%Player%",
        "#",
        "\n",
        "Process:",
        "Otherwise:",
        "exists",
        ",",
        "/",
        "&",
        "^",
        "~",
    ],
    check: CHECK,
    // The ruleset is loaded, and its own book read, once for all texts that are read together. With more texts, the
    // findings of some would only be counted.
    together: 600,
    begin: || Box::new(read_book) as Box<Read>,
};

fn shipped_book_folder() -> std::path::PathBuf {
    project().join("content").join(RULESET)
}

/// Reads a book of these texts and the shipped ones: each text is read, or a finding gives the reason in its place.
fn read_book(inputs: &[Vec<u8>]) -> Result<(), String> {
    let book = tempfile::tempdir().expect("there is room for a book");
    for file in files_below(&shipped_book_folder()) {
        let place = file
            .strip_prefix(shipped_book_folder())
            .expect("invariant: it is below");
        // The shapes of forums stay beside every book.
        if !place.starts_with("forums") {
            copy_file_with_folders(&file, &book.path().join(place));
        }
    }
    let name = |number: usize| format!("roles/strange_{number}");
    for (number, text) in inputs.iter().enumerate() {
        fs::write(book.path().join(name(number)), text).expect("there is room for a text");
    }
    let home = Home {
        folder: project(),
        mods: Vec::new(),
        content: Some(book.path().to_path_buf()),
    };
    let checked = check_ruleset_with_texts(&home, RULESET, &host_phrases(&COMMANDS))
        .map_err(|found| format!("{found:?}"))?;
    let texts = checked.texts.unwrap_or_default();
    checked
        .findings
        .iter()
        .try_for_each(|one| check_finding_place(one, book.path()))?;
    let has_more = checked
        .findings
        .iter()
        .any(|one| one.code == "content/more");
    for (number, text) in inputs.iter().enumerate() {
        let name = name(number);
        // After a hundred forbidden characters the rest are counted and not named.
        let is_counted = has_more
            && !text
                .iter()
                .all(|byte| byte.is_ascii_graphic() || b" \n\t".contains(byte));
        let is_told = |one: &Diagnostic| {
            let place = one.place.as_ref();
            place.is_some_and(|place| place.source.name().ends_with(&name))
        };
        let is_there = texts.contains_key(&name) || checked.findings.iter().any(is_told);
        if !is_there && !is_counted {
            return Err(format!("{name} is gone"));
        }
    }
    Ok(())
}

fn copy_file_with_folders(from: &Path, to: &Path) {
    let folder = to.parent().expect("invariant: it is below a folder");
    fs::create_dir_all(folder).expect("there is room for a folder");
    fs::copy(from, to).expect("there is room for a file");
}

fn check_finding_place(found: &Diagnostic, book: &Path) -> Result<(), String> {
    let of = found.place.as_ref().map(|place| &place.source);
    let said = || {
        let of = of.map(|source| save_text_and_describe(source.text()));
        format!(
            "{}: {}{}",
            found.code,
            found.message,
            of.unwrap_or_default()
        )
    };
    let is_of_text = TOO_LARGE.contains(&&*found.code) && !found.message.contains(" fails at ");
    if OWN_MISTAKES.iter().any(|area| found.code.starts_with(area)) && !is_of_text {
        return Err(said());
    }
    let place = found
        .place
        .as_ref()
        .ok_or_else(|| format!("no place: {}", said()))?;
    let is_inside = place
        .source
        .text()
        .get(place.span.start..place.span.end)
        .is_some();
    match is_inside {
        true => Ok(()),
        false => Err(format!(
            "{:?} is no part of {}: {}",
            place.span,
            book.display(),
            said()
        )),
    }
}

/// Saves a text with findings in a temporary file, and returns its size and path in words. The text may be long.
fn save_text_and_describe(text: &str) -> String {
    let place = std::env::temp_dir().join(format!(
        "arbiter-text-{}-{}",
        std::process::id(),
        text.len()
    ));
    fs::write(&place, text).expect("there is room for a text");
    format!(", of {} bytes, kept in {}", text.len(), place.display())
}
