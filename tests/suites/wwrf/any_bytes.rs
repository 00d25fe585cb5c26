//! Gives books with arbitrary bytes to the ruleset: it reports errors in them, and reads all other
//! texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use host::diag::Diagnostic;
use host::game::RulesetCheck;
use proptest::prelude::*;
use tempfile::TempDir;

use super::{check_book, copy_folder, files_by_path, path_of_finding, shipped_book, write_file};

/// Code areas that only an error of the ruleset itself causes.
const RULESET_ERROR_AREAS: [&str; 4] = ["script/", "limit/", "schema/", "phrase/"];

/// Codes for texts that are too large or wrong throughout: about the texts themselves, not about a
/// failing script.
const SIZE_LIMIT_CODES: [&str; 3] = ["limit/size", "limit/depth", "limit/findings"];

/// Returns the paths of the findings of a book; each finding must be in one of its files.
///
/// Errors: findings that only an error of the ruleset itself causes.
fn finding_paths(checked: &RulesetCheck, book: &Path) -> Result<Vec<String>, String> {
    let is_own_mistake = |found: &&Diagnostic| {
        let of_ruleset = RULESET_ERROR_AREAS
            .iter()
            .any(|area| found.code.starts_with(area));
        let of_text =
            SIZE_LIMIT_CODES.contains(&&*found.code) && !found.message.contains(" fails at ");
        of_ruleset && !of_text
    };
    let found = &checked.findings;
    let own: Vec<String> = found
        .iter()
        .filter(is_own_mistake)
        .map(|one| {
            format!(
                "{}: {} {}",
                path_of_finding(one, book),
                one.code,
                one.message
            )
        })
        .collect();
    match own.is_empty() {
        true => Ok(found.iter().map(|one| path_of_finding(one, book)).collect()),
        false => Err(own.join("\n")),
    }
}

/// An edit that breaks a text, and its line or character in thousandths of the text.
#[derive(Clone, Debug)]
enum TextChange {
    Delete(u16),
    Double(u16),
    Swap(u16, u16),
    DeleteLine(u16),
    DoubleLine(u16),
    SwapLines(u16, u16),
    Put(u16, String),
    Bytes(Vec<u8>),
}

fn any_change() -> impl Strategy<Value = TextChange> {
    let at = || 0..1000_u16;
    prop_oneof![
        4 => at().prop_map(TextChange::Delete),
        2 => at().prop_map(TextChange::Double),
        2 => (at(), at()).prop_map(|(one, other)| TextChange::Swap(one, other)),
        2 => at().prop_map(TextChange::DeleteLine),
        2 => at().prop_map(TextChange::DoubleLine),
        2 => (at(), at()).prop_map(|(one, other)| TextChange::SwapLines(one, other)),
        4 => (at(), "[\\[\\](){}|`@#%$&^:;,.!+/⟨⟩⇒~•‣◦·\n -]{1,3}").prop_map(|(at, text)| TextChange::Put(at, text)),
        1 => prop::collection::vec(any::<u8>(), 0..200).prop_map(TextChange::Bytes),
    ]
}

/// Returns a list after one change.
fn apply_change<T: Clone>(mut list: Vec<T>, change: &TextChange) -> Vec<T> {
    let place = |at: u16| usize::from(at) * list.len() / 1000;
    if list.is_empty() {
        return list;
    }
    match change {
        TextChange::Delete(at) | TextChange::DeleteLine(at) => drop(list.remove(place(*at))),
        TextChange::Double(at) | TextChange::DoubleLine(at) => {
            let at = place(*at);
            list.insert(at, list[at].clone());
        }
        TextChange::Swap(one, other) | TextChange::SwapLines(one, other) => {
            let (one, other) = (place(*one), place(*other));
            list.swap(one, other);
        }
        TextChange::Put(..) | TextChange::Bytes(_) => {}
    }
    list
}

fn broken_text(text: &str, change: &TextChange) -> Vec<u8> {
    let chars = || text.chars().collect::<Vec<char>>();
    match change {
        TextChange::Delete(_) | TextChange::Double(_) | TextChange::Swap(..) => {
            apply_change(chars(), change)
                .iter()
                .collect::<String>()
                .into()
        }
        TextChange::DeleteLine(_) | TextChange::DoubleLine(_) | TextChange::SwapLines(..) => {
            let lines: Vec<&str> = text.lines().collect();
            apply_change(lines, change).join("\n").into()
        }
        TextChange::Put(at, put) => {
            let mut chars = chars();
            let at = usize::from(*at) * chars.len() / 1000;
            chars.splice(at..at, put.chars());
            chars.iter().collect::<String>().into()
        }
        TextChange::Bytes(bytes) => bytes.clone(),
    }
}

/// Returns the shipped book with some texts replaced or added.
fn book_with_texts(texts: &BTreeMap<String, Vec<u8>>) -> TempDir {
    let book = tempfile::tempdir().unwrap();
    for (path, text) in files_by_path(&shipped_book()) {
        write_file(book.path(), &path, texts.get(&path).unwrap_or(&text));
    }
    for (path, text) in texts {
        write_file(book.path(), path, text);
    }
    book
}

/// Checks that a book has no forbidden finding, and that every other text is loaded or reported.
fn check_findings_and_texts(texts: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let book = book_with_texts(texts);
    let book = book.path();
    let checked = check_book(book);
    let found = finding_paths(&checked, book)?;
    let read = checked.texts.unwrap();
    for path in files_by_path(&shipped_book()).keys() {
        let is_read = path.ends_with(".yaml") || read.contains_key(path);
        if !(is_read || found.contains(path)) {
            return Err(format!("{path} is gone"));
        }
        if !is_read && !texts.contains_key(path) {
            let twice = |one: &Diagnostic| {
                one.code == "content/duplicate-id" && path_of_finding(one, book) == *path
            };
            if !checked.findings.iter().any(twice) {
                return Err(format!("{path} is not read"));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn broken_texts_are_read_or_told_and_hide_no_other(
        changes in prop::collection::vec((0..2_usize, prop::collection::vec(any_change(), 1..3)), 40..120),
    ) {
        let mut texts = BTreeMap::new();
        for ((path, text), (keep, changes)) in files_by_path(&shipped_book()).into_iter().zip(changes) {
            if keep == 0 || path.ends_with(".yaml") {
                continue;
            }
            let mut text = text;
            for change in changes {
                text = broken_text(&String::from_utf8_lossy(&text), &change);
            }
            texts.insert(path, text);
        }
        check_findings_and_texts(&texts).map_err(TestCaseError::fail)?;
    }
}

/// Returns a role file with this body.
fn role_with_body(number: usize, body: &str) -> (String, Vec<u8>) {
    let letter = |of: usize| char::from(b'a' + u8::try_from(of).unwrap());
    let name = format!("{}{}", letter(number / 26), letter(number % 26));
    let text = format!("**Strange {name}** | Townsfolk Power\n__Formalized__\n{body}\n");
    (format!("roles/strange_{name}"), text.into())
}

#[test]
fn what_is_long_deep_or_nothing_is_told_and_hides_no_other() {
    let bullets = ["•", "‣", "◦", "·", "⁃", "⹀"];
    let mut deep = "Passive:\n".to_owned();
    for number in 0..300 {
        writeln!(deep, "{} Process:", bullets[number % bullets.len()]).unwrap();
    }
    let words = "word ".repeat(60);
    let names: Vec<String> = ('a'..='l')
        .map(|letter| format!("`{}`", letter.to_string().repeat(20)))
        .collect();
    let bodies = [
        deep,
        format!("Passive: Learn `{words}@Self, x`"),
        format!("Passive: @Self->Role is part of {}: Win", names.join("+")),
        format!("Passive: `{words}` Choice Creation (A, B)"),
        format!("Passive: {}Kill @Self", "Process: ".repeat(2_000)),
        format!("Passive: {}Kill @Self", "@Self exists: ".repeat(2_000)),
        format!(
            "Passive: {}@Self exists{}: Win",
            "not (".repeat(5_000),
            ")".repeat(5_000)
        ),
        format!(
            "Passive: {}: Win",
            vec!["(@Self exists)"; 2_000].join(" and ")
        ),
        format!("Passive: {}", "(".repeat(60_000)),
        format!("Passive: {}", "`".repeat(60_001)),
        format!("Passive: {}", "@".repeat(60_000)),
        format!("Passive: `{}`", "@Self ".repeat(10_000)),
        format!("Passive: Kill @{}", "a".repeat(60_000)),
        format!("Passive: Kill @Self{}", "->Role".repeat(9_000)),
        format!("Passive: Kill {}", "`a`+".repeat(15_000)),
        format!("Passive: Kill @({})", vec!["Role:Wolf"; 6_000].join(",")),
        format!("Passive: Win [{}]", vec!["Quantity: 1"; 4_000].join(", ")),
        format!("Passive: Win {}", "[".repeat(60_000)),
        // The longest allowed line.
        format!("Passive: {}", "P: ".repeat(679)),
        format!("Passive: {}Kill @Self", "Process: ".repeat(224)),
        format!("Passive: For Each @Players ⇒ {}", "Process: ".repeat(220)),
        format!("Passive: Learn `x: {}", "@(Cat:Inveem: ".repeat(144)),
        "Passive: Win\n".repeat(10_000),
        "•\n".repeat(10_000),
        "__Formalized__\n".repeat(4_000),
        "x".repeat(64 * 1024),
        "x".repeat(200 * 1024),
        format!("Passive: Learn `{}`", "x".repeat(1 << 20)),
        "\u{0}".to_owned(),
    ];
    let bodies = bodies.iter().enumerate();
    let mut texts: BTreeMap<String, Vec<u8>> = bodies
        .map(|(number, body)| role_with_body(number, body))
        .collect();
    for (path, text) in [
        ("roles/empty", &b""[..]),
        ("roles/blank", b" \n\n"),
        ("roles/bytes", b"\xff\xfe\x00"),
        ("roles/stars", b"****"),
        ("attributes/bar", b"|"),
        ("polls/mark", b"\xef\xbb\xbf**Mark** | Poll\n"),
        ("elsewhere/thing", b"**Thing**\n__Formalized__\n"),
    ] {
        texts.insert(path.to_owned(), text.to_vec());
    }
    check_findings_and_texts(&texts).unwrap_or_else(|why| panic!("{why}"));
}

/// Returns a line with a new word for each of its `_`.
fn line_with_new_words(shape: &str, new: &mut u32) -> String {
    let pieces: Vec<&str> = shape.split('_').collect();
    let mut line = pieces[0].to_owned();
    for piece in &pieces[1..] {
        *new = new.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let letters = (0..6).map(|place| char::from(b'a' + (*new >> (8 + 4 * place)) as u8 % 16));
        line.extend(letters);
        line.push_str(piece);
    }
    line
}

/// Suggestions are searched only for the first lines.
#[test]
fn a_text_that_is_wrong_in_each_of_hundreds_of_lines_is_read_to_its_end() {
    let below = |lines: &str| format!("Passive:\n{lines}");
    let shapes = [
        ("    ‣ _ the _\n", true),
        ("  • Disband #_ now\n", true),
        ("  • Kill the _ _ (~_) to #_\n", true),
        ("  • Learn _ and _ that\n", true),
        ("  • @Result is more than _ and not _: `x`\n", true),
        ("  • (@Result is _) and @Selection is _: Kil _\n", true),
        ("  • Kill @Selction [_: _, Condition: _ is _] |_|\n", true),
        (
            "  • Kill @Selection->_->_ with `_` [Condition: (_ is _) or (_ is _) and (not (_))]\n",
            true,
        ),
        ("  • Grant `_` to @(_:_) [Attr: _] as _\n", true),
        ("  - Set Countr to _\n", true),
        ("_ _: _\n", false),
        ("_ _ _\n", false),
        ("On _ `_` @(_) [_: _]: Learn _\n", false),
        ("Starting: Learn `@_ &_ #_ $:_ $_ @_ ^_ #_ @_`\n", false),
        ("Starting: Kill @(_:_,_:_,Role:_,Type:_,Attr:_)->_\n", false),
        (
            "Starting: Kill @Selection [Temporal: _] [Quantity: _] (_) (~_) |_|\n",
            false,
        ),
        ("Starting: Process: For Each @_ ⇒ Evaluate: `_`\n", false),
        ("Require: `_`\n", false),
    ];
    let mut new = 1;
    let texts = shapes
        .iter()
        .enumerate()
        .map(|(number, (shape, is_below))| {
            let lines: String = (0..400)
                .map(|_| line_with_new_words(shape, &mut new))
                .collect();
            role_with_body(number, &if *is_below { below(&lines) } else { lines })
        });
    check_findings_and_texts(&texts.collect()).unwrap_or_else(|why| panic!("{why}"));
}

/// Names that are the beginning of another name, and look-alike letters.
#[test]
fn names_that_begin_others_are_each_their_own_and_what_only_looks_like_one_is_none() {
    let book = copy_folder(&shipped_book());
    let role = |name: &str, line: &str| {
        format!("**{name}** | Townsfolk Power\n__Formalized__\nStarting: {line}\n")
    };
    for (file, name, line) in [
        (
            "q",
            "Tarn",
            "Apply `Knot` to @(Role:Tarn-Heron-Cub) {Visitless}",
        ),
        (
            "q_a",
            "Tarn Heron",
            "Apply `Knot` to @(Role:Tarn) {Visitless}",
        ),
        ("q_b", "Tarn Heron Cub", "Role Change to `Tarn Heron`"),
        // This a is a letter of another alphabet.
        ("q_c", "Tarn Otter", "Role Change to `T\u{430}rn Heron`"),
    ] {
        write_file(book.path(), &format!("roles/{file}"), role(name, line));
    }
    let findings = check_book(book.path()).findings;
    let own = findings.iter().filter(|found| {
        found.place.is_some() && path_of_finding(found, book.path()).starts_with("roles/q")
    });
    let told: Vec<(String, &str)> = own
        .map(|found| (path_of_finding(found, book.path()), &*found.code))
        .collect();
    let strange = ("roles/q_c".to_owned(), "wwrf/name-unknown");
    assert_eq!(told, [strange]);
}
