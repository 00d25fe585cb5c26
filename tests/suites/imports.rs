//! Imports files into saved games: completely or not at all, then undone, ruled again and verified.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::sync::atomic::Ordering;

use arbiter_tests::{Game, Scratch, on_game_thread, save_options};
use host::game::{Reply, Solo};
use host::store::archive::{FileSink, JOURNAL, Sink};
use host::value::Value;
use serde_json::Value as Json;

use super::game_transfer::arbiter_in_home;
use super::program::run_lines;

/// Three lines; the second one states a different total than its dice give.
const IMPORT_LINES: &str =
    "1 Ann: throw 2d6 = d6:4 d6:5 -> 9\n2 Bo: throw d20 = d20:7 -> 9\n3 Ann: charm Bo with cheer\n";

/// Returns a session of the toy ruleset that imports files of its home.
fn importing_session(home: &Scratch) -> Game {
    home.write("told.txt", IMPORT_LINES);
    let mut game = Game::of_program(home, "mini");
    game.solo.client.set_file_folder(home.path());
    game
}

fn submit_import(solo: &mut Solo, how: &str) -> Reply {
    solo.submit("gm", format!("import told.txt {how}").trim())
}

/// Returns all data of a session about its game.
fn session_snapshot(solo: &Solo) -> (String, Vec<String>, u64, bool) {
    let operations = solo.timeline().history().operations().iter();
    let commands = operations.map(|one| format!("{one:?}")).collect();
    let hash = format!("{:?}", solo.timeline().state().hash());
    let next = solo.timeline().history().next_ruling_number();
    (hash, commands, next, solo.client.at().fork().is_some())
}

fn first_document_data(reply: &Reply) -> Value {
    assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
    reply.documents[0].data.clone().unwrap()
}

#[test]
fn a_preview_leaves_nothing_and_finds_what_the_import_finds() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        let before = session_snapshot(&game.solo);
        let previewed = first_document_data(&submit_import(&mut game.solo, ""));
        assert_eq!(session_snapshot(&game.solo), before);
        let applied = first_document_data(&submit_import(&mut game.solo, "apply"));
        for key in ["file", "steps", "refused", "findings", "lines"] {
            assert_eq!(previewed.get(key), applied.get(key), "{key}");
        }
        let is_applied = |data: &Value| data.get("is_applied").as_bool();
        assert_eq!(
            (is_applied(&previewed), is_applied(&applied)),
            (Some(false), Some(true))
        );
        assert_eq!(applied.get("findings").items().len(), 1);
        assert_eq!(applied.get("lines").items().len(), 4);
    });
}

/// Several files are one import, in the order of the line; a name with blanks stands in quotes.
#[test]
fn several_files_are_one_import() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        home.write("next day.txt", "1 Cy: throw d6 = d6:4 -> 4\n");
        let reply = game.solo.submit("gm", "import told.txt \"next day.txt\"");
        let data = first_document_data(&reply);
        assert_eq!(data.get("file").as_str(), Some("told.txt, next day.txt"));
        // The toy ruleset reads the first file alone.
        assert_eq!(data.get("steps").as_i64(), Some(3));
    });
}

#[test]
fn more_files_than_the_limit_are_refused() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        let line = format!("import{}", " told.txt".repeat(101));
        let refusal = game.solo.submit("gm", &line).refusal.unwrap();
        assert_eq!(refusal.code, "import/files");
    });
}

#[test]
fn nothing_of_an_import_is_left_that_somebody_interrupts() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.write("told.txt", IMPORT_LINES);
        let (mut game, interrupt) = Game::interruptible(&home, "mini");
        game.solo.client.set_file_folder(home.path());
        let before = session_snapshot(&game.solo);
        for how in ["", "apply"] {
            interrupt.store(true, Ordering::Relaxed);
            let refusal = submit_import(&mut game.solo, how).refusal.unwrap();
            assert_eq!(refusal.code, "limit/interrupted", "{how}");
            assert_eq!(session_snapshot(&game.solo), before, "{how}");
        }
        interrupt.store(false, Ordering::Relaxed);
        assert!(submit_import(&mut game.solo, "apply").refusal.is_none());
        assert_ne!(session_snapshot(&game.solo), before);
    });
}

/// The former last word still applies the import, and the answer names the present word.
#[test]
fn the_former_last_word_is_understood() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        let reply = submit_import(&mut game.solo, "--apply");
        assert_eq!(
            first_document_data(&reply).get("is_applied").as_bool(),
            Some(true)
        );
        let said = format!("{:?}", reply.documents);
        assert!(said.contains("`--apply` is called `apply` now"), "{said}");
    });
}

#[test]
fn a_fork_and_what_was_said_before_are_as_they_were_after_a_preview() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        game.solo.submit("gm", "fork try");
        game.solo.submit("gm", "throw d6");
        let before = session_snapshot(&game.solo);
        submit_import(&mut game.solo, "");
        assert_eq!(session_snapshot(&game.solo), before);
        assert_eq!(game.solo.client.at().fork(), Some("try"));
        game.solo.submit("gm", "fork main");
        assert_eq!(game.solo.timeline().history().operations().len(), 1);
    });
}

#[test]
fn where_judging_breaks_nothing_of_the_lines_before_it_is_left() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.edit(
            "scripts/mini/pipeline/telling.luau",
            "{ code = \"total\", message = message }",
            "message.no.such",
        );
        let mut game = importing_session(&home);
        let before = session_snapshot(&game.solo);
        for how in ["", "apply"] {
            let refusal = submit_import(&mut game.solo, how).refusal.unwrap();
            assert_eq!(refusal.code, "script/error");
            assert_eq!(session_snapshot(&game.solo), before);
        }
        assert!(game.solo.submit("gm", "throw d6").refusal.is_none());
    });
}

/// A disk that is full after this many more bytes.
#[derive(Debug)]
struct FullDisk {
    file: FileSink,
    room: usize,
}

impl Sink for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = bytes.len().min(self.room);
        self.room -= part;
        self.file.0.write_all(&bytes[..part])?;
        match part {
            0 => Err(ErrorKind::StorageFull.into()),
            part => Ok(part),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
}

#[test]
fn a_disk_that_is_full_in_the_middle_keeps_nothing_of_an_import() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        let folder = home.path().join("g");
        game.solo.save_in_folder(&folder, save_options()).unwrap();
        game.solo.flush().unwrap();
        let journal = folder.join(JOURNAL);
        let before = (session_snapshot(&game.solo), fs::read(&journal).unwrap());
        let file = FileSink(OpenOptions::new().append(true).open(&journal).unwrap());
        let full = FullDisk { file, room: 1_500 };
        game.solo
            .game_on_disk()
            .unwrap()
            .set_sink(Box::new(full))
            .unwrap();
        let refusal = submit_import(&mut game.solo, "apply").refusal.unwrap();
        assert_eq!(refusal.code, "save/disk-full");
        assert_eq!(
            (session_snapshot(&game.solo), fs::read(&journal).unwrap()),
            before
        );
    });
}

/// Returns the texts and codes of the answers of a saved game.
fn answers_of_saved_game(home: &Scratch, lines: &str) -> Vec<String> {
    let mut command = arbiter_in_home(
        home,
        &[
            "run",
            "-",
            "--format",
            "json",
            "--keep-going",
            "--game",
            "g",
        ],
    );
    let (_, objects, talk) = run_lines(&mut command, lines);
    assert!(!talk.contains("panicked"), "{talk}");
    let part = |one: &Json| {
        let code = one["error"]["code"].as_str();
        code.or(one["text"].as_str()).map(str::to_owned)
    };
    objects.iter().filter_map(part).collect()
}

#[test]
fn an_imported_game_is_verified_taken_back_and_ruled_again_when_the_file_is_gone() {
    let home = Scratch::mini();
    home.write("told.txt", IMPORT_LINES);
    let mut begun = arbiter_in_home(&home, &["run", "-", "--ruleset", "mini", "--game", "g"]);
    let begun = begun.write_stdin("import told.txt apply\n").output();
    assert_eq!(begun.unwrap().status.code(), Some(0));
    home.remove("told.txt");
    let verified = || {
        let output = arbiter_in_home(&home, &["verify", "g", "--dice"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
    };
    verified();
    let texts = answers_of_saved_game(&home, "undo\nredo\nmood Bo\nrevert 6 yes\nmood Bo\n");
    assert!(
        texts
            .iter()
            .any(|text| text.starts_with("undone: 7 charm Bo")),
        "{texts:?}"
    );
    let moods: Vec<&String> = texts
        .iter()
        .filter(|text| text.starts_with("Bo feels"))
        .collect();
    assert_eq!(moods, ["Bo feels 11.", "Bo feels 5."], "{texts:?}");
    verified();
}

#[test]
fn steps_beyond_the_limit_are_refused_and_those_within_it_are_not() {
    on_game_thread(|| {
        let home = Scratch::mini();
        let mut game = importing_session(&home);
        home.write("told.txt", "Ann: mood Ann\n".repeat(300));
        assert_eq!(
            first_document_data(&submit_import(&mut game.solo, ""))
                .get("steps")
                .as_i64(),
            Some(300)
        );
        home.write("told.txt", "x\n".repeat(10_001));
        let refusal = submit_import(&mut game.solo, "apply").refusal.unwrap();
        assert_eq!(refusal.code, "limit/import");
    });
}
