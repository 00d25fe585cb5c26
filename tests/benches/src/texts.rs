//! Measures the reading of books of texts in the language of a ruleset.
//!
//! The books are the one in the folder that `ARBITER_CORPUS` names, and the shipped one. The cost of one line of code
//! is the difference between a command that reads the book several times and one that reads it once. Each time starts
//! with empty caches, as a game does, but all scripts have run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::game::{Reply, Solo};
use host::script::is_text;
use host::value::to_json;
use serde_json::json;
use tempfile::TempDir;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};
use crate::shipped_home;

const ROUNDS: u32 = 20;
/// Further readings of the book in the longer command.
const MORE: u32 = 4;
/// Nanoseconds of one line: the aim, the maximum, and the time of the original.
const AIM: f64 = 3_000.0;
const MOST: f64 = 7_000.0;
const ORIGINAL: f64 = 143_000.0;
/// Number of abilities that are added to the language.
const ABILITIES: usize = 300;
/// Maximum growth of the cost of a line in a book of twice as many lines, and with these abilities.
const IN_TWICE: f64 = 1.1;
const AMONG_MORE: f64 = 1.3;

/// A command that reads a book a number of times.
const MEASURED: &str = include_str!("../../counts/texts.luau");

/// Measures texts.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let corpus = std::env::var_os("ARBITER_CORPUS").map(|folder| Path::new(&folder).join("wwrf"));
    let own = (
        "the shipped book",
        shipped_home::shipped_content_folder("wwrf"),
    );
    let books = corpus.map(|folder| ("the corpus", folder));
    let mut rows = Vec::new();
    for (name, folder) in books.into_iter().chain([own]) {
        rows.extend(book_rows(name, &Book::read_folder(&folder), rounds));
    }
    Section {
        title: "Texts in a language of a ruleset, read warm",
        rows,
    }
}

fn book_rows(name: &str, book: &Book, rounds: u32) -> Vec<Row> {
    let bench = Bench::new(book, 0);
    let twice = Bench::new(&book.with_renamed_copies(), 0);
    let among_more = Bench::new(book, ABILITIES);
    let [once, twice, among_more] = [bench, twice, among_more].map(RefCell::new);
    let lane = |bench| move |times| Bench::reading_lane(bench, times);
    let (a, b, c) = (lane(&once), lane(&twice), lane(&among_more));
    let times = fastest_nanoseconds(
        rounds,
        [a(1), a(1 + MORE), b(1), b(1 + MORE), c(1), c(1 + MORE)],
    );
    let each = |at: usize, bench: &RefCell<Bench>| {
        (times[at + 1] - times[at]) / f64::from(MORE) / bench.borrow().lines as f64
    };
    let (line, in_twice, more) = (each(0, &once), each(2, &twice), each(4, &among_more));
    vec![
        Row::time_at_most(
            format!("a line of {name}, which has {}", book.code_line_count()),
            line,
            MOST,
        ),
        Row::ratio_with_target(
            "as long as is aimed at, 3 µs",
            line / AIM,
            Target::AtMost(1.0),
        ),
        Row::ratio_with_target(
            "as fast as the original, which takes 143 µs",
            ORIGINAL / line,
            Target::AtLeast(ORIGINAL / MOST),
        ),
        Row::ratio_with_target(
            "as long in a book of twice as many lines",
            in_twice / line,
            Target::AtMost(IN_TWICE),
        ),
        Row::ratio_with_target(
            format!("as long with {ABILITIES} more abilities in the language"),
            more / line,
            Target::AtMost(AMONG_MORE),
        ),
    ]
}

/// The texts of a folder, by path.
struct Book(Vec<(String, String)>);

impl Book {
    fn read_folder(folder: &Path) -> Book {
        let mut texts = Vec::new();
        gather_texts(folder, folder, &mut texts);
        texts.sort();
        Book(texts)
    }

    /// Returns the number of its lines of code: the lines below `__Formalized__`, or all but the first line in a text
    /// without sections. Displays are not code.
    fn code_line_count(&self) -> usize {
        let texts = self.0.iter();
        texts
            .filter(|(path, _)| !path.contains("displays/"))
            .map(|(_, text)| count_code_lines(text))
            .sum()
    }

    /// Returns the book with a renamed copy of each text. The copies refer to one another by their new names.
    fn with_renamed_copies(&self) -> Book {
        let names: BTreeSet<String> = self
            .0
            .iter()
            .filter_map(|(_, text)| text_name(text))
            .collect();
        let copy = |(path, text): &(String, String)| {
            let text = text.replacen("**", "", 1).replacen("**", "q**", 1);
            (
                format!("{path}q"),
                with_names_of_copies(&format!("**{text}"), &names),
            )
        };
        let copies = self.0.iter().map(copy);
        Book(self.0.iter().cloned().chain(copies).collect())
    }

    /// Writes it into a folder, and as one list into a file. Returns both paths.
    fn write_files(&self, home: &Path) -> (PathBuf, PathBuf) {
        let folder = home.join("book");
        for (path, text) in &self.0 {
            let place = folder.join(path);
            let parent = place.parent().expect("invariant: a file lies in a folder");
            fs::create_dir_all(parent).expect("invariant: a temporary folder can be written");
            fs::write(place, text).expect("invariant: a temporary folder can be written");
        }
        let texts = self.0.iter();
        let list: Vec<_> = texts
            .map(|(path, text)| json!({ "path": path, "text": text }))
            .collect();
        let file = home.join("book.json");
        fs::write(&file, json!(list).to_string())
            .expect("invariant: a temporary folder can be written");
        (folder, file)
    }
}

fn gather_texts(folder: &Path, below: &Path, texts: &mut Vec<(String, String)>) {
    let entries = fs::read_dir(folder).expect("invariant: a book can be read");
    for entry in entries.flatten() {
        let place = entry.path();
        let path = place.strip_prefix(below).expect("invariant: found below");
        let path = path.to_string_lossy().into_owned();
        if place.is_dir() {
            gather_texts(&place, below, texts);
        } else if is_text(&path) {
            let text = fs::read_to_string(&place).expect("invariant: a text can be read");
            texts.push((path, text));
        }
    }
}

fn count_code_lines(text: &str) -> usize {
    let is_heading = |line: &str| line.starts_with("__") && line.ends_with("__");
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    if !lines().any(is_heading) {
        return lines().count() - 1;
    }
    let code = lines().skip_while(|line| *line != "__Formalized__").skip(1);
    code.take_while(|line| !is_heading(line)).count()
}

/// Returns the name with which other texts refer to a text in backticks.
fn text_name(text: &str) -> Option<String> {
    let first = text.lines().next()?;
    let is_team = !first.contains('|') || first.ends_with("| Poll");
    let name = first.strip_prefix("**")?.split("**").next()?;
    (!is_team).then(|| name.to_lowercase())
}

/// Returns a text whose names in backticks and after `#` are replaced by the names of copies.
fn with_names_of_copies(text: &str, names: &BTreeSet<String>) -> String {
    let mut out = String::new();
    let mut pieces = text.split_inclusive(['`', '#']).peekable();
    while let Some(piece) = pieces.next() {
        out.push_str(piece);
        let Some(next) = pieces.peek() else { break };
        let is_place = piece.ends_with('#');
        let end =
            |c: char| !(c.is_alphabetic() || (is_place && c == '-') || (!is_place && c == ' '));
        let name = &next[..next.find(end).unwrap_or(next.len())];
        let is_whole = is_place || next[name.len()..].starts_with('`');
        if is_whole && names.contains(&name.to_lowercase().replace('-', " ")) {
            out.push_str(name);
            out.push('q');
            out.push_str(&next[name.len()..]);
            pieces.next();
        }
    }
    out
}

/// A game with the names of a book and one additional command.
struct Bench {
    solo: Solo,
    /// The book as one list.
    file: PathBuf,
    lines: usize,
    _home: TempDir,
}

impl Bench {
    /// Returns a game with a number of additional abilities in its language.
    fn new(book: &Book, more: usize) -> Bench {
        let home = shipped_home::copy_shipped_home("wwrf")
            .expect("invariant: a temporary folder can be written");
        let scripts = home.path().join("scripts/wwrf");
        fs::write(scripts.join("commands/measured.luau"), MEASURED)
            .expect("invariant: a temporary folder can be written");
        for number in 0..more {
            let (id, text) = unused_ability(number);
            fs::write(scripts.join(format!("abilities/{id}.luau")), text)
                .expect("invariant: a temporary folder can be written");
        }
        let (folder, file) = book.write_files(home.path());
        let mut bench = Bench {
            solo: shipped_home::start_game(home.path(), "wwrf", Some(folder)),
            file,
            lines: book.code_line_count(),
            _home: home,
        };
        let abilities = bench
            .solo
            .timeline()
            .rules()
            .registry
            .of_collection("abilities")
            .count();
        assert!(abilities > more, "{abilities} abilities");
        let reply = bench.read_book(1);
        let data = reply.documents.iter().find_map(|one| one.data.as_ref());
        let data = to_json(data.expect("invariant: it says what it read"));
        assert_eq!(data["files"], book.0.len(), "{data}");
        bench
    }

    fn read_book(&mut self, times: u32) -> Reply {
        let line = format!("measured {times} of {}", self.file.display());
        let reply = self.solo.submit("gm", &line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        reply
    }

    fn time_reading(&mut self, times: u32) -> Duration {
        elapsed_time(|| self.read_book(times))
    }

    fn reading_lane(bench: &RefCell<Bench>, times: u32) -> Lane<'_> {
        Lane::of_batch(1, move || bench.borrow_mut().time_reading(times))
    }
}

/// Returns the id and the script of an ability that no text uses. Some begin with a slot, as names do.
fn unused_ability(number: usize) -> (String, String) {
    let letter = |place: usize| char::from(b'a' + u8::try_from(place % 26).unwrap_or_default());
    let word: String = [number / 26, number].map(letter).into_iter().collect();
    let syntax = match number % 10 {
        0 => format!("{{charm: String}} Glim{word} for {{target: Player}}"),
        _ => format!("Glim{word} {{target: Player}} with {{power: Number}} charms"),
    };
    let text = format!(
        "return ability {{ source = \"the measurements\", summary = \"Nothing.\", name = \"Glim{word}\",
  forms = {{ {{ syntax = \"{syntax}\", subtype = \"glim\", says = \"glims\" }} }} }}\n"
    );
    (format!("glim_{word}"), text)
}
