//! Opens folders that are not games, or games that cannot be played, with the program: each gets a
//! clear message.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arbiter_tests::{Scratch, project};
use host::store::archive::{Chain, JOURNAL};

use super::{LONG_PROGRAM, create_saved_mini_game};
use arbiter_tests::assert_golden_file;

/// The expected result of each case; the folder of the tests is written as `HOME`.
const GOLDEN_FILE: &str = "tests/suites/games_on_disk/unopenable_games.txt";

struct Case {
    name: &'static str,
    /// Changes a game of two operations at `game`; returns the path for the command line.
    make: fn(&Path) -> PathBuf,
}

const fn case(name: &'static str, make: fn(&Path) -> PathBuf) -> Case {
    Case { name, make }
}

const CASES: &[Case] = &[
    case("a game", |home| home.join("game")),
    case("a link to a game", |home| {
        symlink(home.join("game"), home.join("link")).unwrap();
        home.join("link")
    }),
    case("a place that is not there", |home| {
        home.join("no/such/place")
    }),
    case("an empty folder", |home| {
        fs::create_dir(home.join("empty")).unwrap();
        home.join("empty")
    }),
    case("a folder with other things", |home| home.join("scripts")),
    case("a file", |home| {
        fs::write(home.join("notes"), "mine").unwrap();
        home.join("notes")
    }),
    case("a place below a file", |home| {
        fs::write(home.join("notes"), "mine").unwrap();
        home.join("notes/game")
    }),
    case("a name with a control character", |home| {
        home.join("a\u{1b}[2J")
    }),
    case("a name with a line end", |home| home.join("a\nb")),
    case("a name that turns around", |home| home.join("a\u{202e}b")),
    case("a name that is too long", |home| home.join("x".repeat(65))),
    case("no name", |_| PathBuf::new()),
    case("a game under a name with a control character", |home| {
        fs::rename(home.join("game"), home.join("a\u{1b}[2J")).unwrap();
        home.join("a\u{1b}[2J")
    }),
    case("a journal of something else", |home| {
        fs::write(home.join("game").join(JOURNAL), "{\"event\":1}\n").unwrap();
        home.join("game")
    }),
    case("an empty journal", |home| {
        fs::write(home.join("game").join(JOURNAL), "").unwrap();
        home.join("game")
    }),
    case("a journal that is a folder", |home| {
        fs::remove_file(home.join("game").join(JOURNAL)).unwrap();
        fs::create_dir(home.join("game").join(JOURNAL)).unwrap();
        home.join("game")
    }),
    case("a torn tail", |home| {
        let mut journal = fs::OpenOptions::new()
            .append(true)
            .open(home.join("game").join(JOURNAL))
            .unwrap();
        journal.write_all(b"{\"v\":1,\"seq\":4,").unwrap();
        home.join("game")
    }),
    case("a broken middle", |home| {
        alter_journal(home, |bytes| {
            let at = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 40;
            bytes[at] ^= 1;
        })
    }),
    case("an altered last line", |home| {
        alter_journal(home, |bytes| {
            let at = bytes.len() - 1;
            bytes[at] = b'\r';
        })
    }),
    case("a newer format", |home| {
        rewrite_journal(home, &[("\"v\":1,", "\"v\":2,\"later\":[],")], None)
    }),
    case("a newer format with a line of its own", |home| {
        let line = "{\"v\":2,\"seq\":4,\"kind\":\"dream\"}";
        rewrite_journal(home, &[("\"v\":1,", "\"v\":2,\"later\":[],")], Some(line))
    }),
    case("an older format", |home| {
        rewrite_journal(home, &[("\"v\":1,", "\"v\":0,")], None)
    }),
    case("a ruleset that is not here", |home| {
        rewrite_journal(
            home,
            &[("\"ruleset\":\"mini\"", "\"ruleset\":\"mimi\"")],
            None,
        )
    }),
    case("a ruleset that is a path", |home| {
        rewrite_journal(
            home,
            &[("\"ruleset\":\"mini\"", "\"ruleset\":\"../mini\"")],
            None,
        )
    }),
    case("a linked journal", |home| replace_with_link(home, JOURNAL)),
    case("a linked lock", |home| replace_with_link(home, "lock")),
    case("a linked secret", |home| replace_with_link(home, "secret")),
    case("linked rules", |home| replace_with_link(home, "rules")),
    case("linked snapshots", |home| {
        replace_with_link(home, "snapshots")
    }),
    case("linked blobs", |home| replace_with_link(home, "blobs")),
    case("no secret", |home| {
        fs::remove_file(home.join("game/secret")).unwrap();
        home.join("game")
    }),
    case("another secret", |home| {
        fs::write(home.join("game/secret"), [1; 32]).unwrap();
        home.join("game")
    }),
    case("a secret that others may read", |home| {
        let mode = fs::Permissions::from_mode(0o644);
        fs::set_permissions(home.join("game/secret"), mode).unwrap();
        home.join("game")
    }),
    case("no rules, snapshots and blobs", |home| {
        for name in ["rules", "snapshots", "blobs"] {
            fs::remove_dir_all(home.join("game").join(name)).unwrap();
        }
        home.join("game")
    }),
];

fn alter_journal(home: &Path, alter: fn(&mut Vec<u8>)) -> PathBuf {
    let journal = home.join("game").join(JOURNAL);
    let mut bytes = fs::read(&journal).unwrap();
    alter(&mut bytes);
    fs::write(journal, bytes).unwrap();
    home.join("game")
}

/// Replaces parts of the journal lines and writes them with a correct chain.
fn rewrite_journal(home: &Path, parts: &[(&str, &str)], more: Option<&str>) -> PathBuf {
    let journal = home.join("game").join(JOURNAL);
    let text = fs::read_to_string(&journal).unwrap();
    let lines = text.lines().map(|line| line.split_once('\t').unwrap().0);
    let (mut chain, mut whole) = (Chain::default(), String::new());
    for line in lines.chain(more) {
        let line = parts.iter().fold(line.to_owned(), |line, (from, to)| {
            line.replacen(from, to, 1)
        });
        chain = chain.chain_after(line.as_bytes());
        whole += &format!("{line}\t{chain}\n");
    }
    fs::write(journal, whole).unwrap();
    home.join("game")
}

fn replace_with_link(home: &Path, name: &str) -> PathBuf {
    let inside = home.join("game").join(name);
    fs::rename(&inside, home.join("elsewhere")).unwrap();
    symlink(home.join("elsewhere"), inside).unwrap();
    home.join("game")
}

/// Runs two lines in the game and returns all output.
fn run_two_lines(home: &Scratch, game: &Path, verb: &[&str]) -> String {
    let mut command = Command::new(LONG_PROGRAM);
    command
        .arg("arbiter")
        .args(verb)
        .args(["--ruleset", "mini", "--seed", "x"])
        .arg("--home")
        .arg(home.path())
        .arg("--game")
        .arg(game)
        .env("ARBITER_NO_CACHE", "true")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses the game reads no input.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(b"mood Ann\ncharm Ann with cheer\n");
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let all = format!(
        "{}{}exit {}\n",
        text(&output.stdout),
        text(&output.stderr),
        output.status.code().unwrap()
    );
    all.replace(&*home.path().to_string_lossy(), "HOME")
}

#[test]
fn what_is_no_game_to_play_is_told_clearly() {
    let mut found = String::new();
    for case in CASES {
        let home = Scratch::mini();
        create_saved_mini_game(
            &home,
            &home.path().join("game"),
            &["charm Ann with cheer", "charm Bo with gloom"],
        );
        let game = (case.make)(home.path());
        let is_kept = game.join(JOURNAL).is_file();
        let before = is_kept.then(|| fs::read(game.join(JOURNAL)).unwrap());
        let said = run_two_lines(&home, &game, &["run", "-", "--keep-going"]);
        found += &format!("--- {}\n{said}", case.name);
        let Some(before) = before else { continue };
        let after = fs::read(game.join(JOURNAL)).unwrap();
        let sound = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        assert!(
            after.starts_with(&before[..sound]),
            "{}: nothing is lost",
            case.name
        );
        if said.ends_with("exit 3\n") || said.contains("save/read-only") {
            assert_eq!(
                before, after,
                "{}: what cannot be played is left as it is",
                case.name
            );
        }
    }
    assert_golden_file(&project().join(GOLDEN_FILE), &found);
}

/// `play` reports the same as `run` about a game that it cannot open.
#[test]
fn play_reports_the_same_as_run() {
    for name in [
        "a journal of something else",
        "a broken middle",
        "a linked journal",
        "a ruleset that is not here",
    ] {
        let home = Scratch::mini();
        create_saved_mini_game(
            &home,
            &home.path().join("game"),
            &["charm Ann with cheer", "charm Bo with gloom"],
        );
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        let game = (case.make)(home.path());
        let run = run_two_lines(&home, &game, &["run", "-"]);
        assert_eq!(run_two_lines(&home, &game, &["play"]), run, "{name}");
    }
}

/// A game in a read-only folder can still be read; an administrator can write everywhere.
#[test]
fn a_folder_that_cannot_be_written_to_is_read() {
    let home = Scratch::mini();
    let game = home.path().join("game");
    create_saved_mini_game(&home, &game, &["charm Ann with cheer"]);
    let set = |mode: u32| {
        for name in [JOURNAL, "lock"] {
            fs::set_permissions(game.join(name), fs::Permissions::from_mode(mode & 0o666)).unwrap();
        }
        fs::set_permissions(&game, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(0o500);
    let may_write = fs::OpenOptions::new()
        .append(true)
        .open(game.join(JOURNAL))
        .is_ok();
    let said = run_two_lines(&home, &game, &["run", "-"]);
    set(0o700);
    if may_write {
        assert!(said.ends_with("exit 0\n"), "{said}");
    } else {
        assert!(
            said.starts_with(
                "the game continues after log line 2 charm Ann with cheer\nAnn feels 6.\n"
            ),
            "{said}"
        );
        let why =
            "error[save/read-only]: the game is read-only: nothing can be written to its folder";
        assert!(said.contains(why), "{said}");
    }
}
