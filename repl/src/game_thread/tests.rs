//! Tests a game on its thread.

use host::game;
use std::fs;
use std::sync::mpsc::Receiver;

use host::game::{Seed, SessionOptions, Solo};
use host::script::{Compiled, EngineOptions};

use super::*;
use crate::editor::Assist;
use crate::toy_game::{Toy, reply_text};

fn game(toy: &Toy) -> (Game, Receiver<ReloadResult>) {
    let (news, received) = channel();
    let (game, opening) = Game::start(toy.start(), news).unwrap();
    assert_eq!(
        (opening.name.as_str(), opening.summary.as_str()),
        (
            "Mini",
            "People and charms: a game small enough to test the host with."
        )
    );
    (game, received)
}

#[test]
fn a_game_answers_and_helps_to_type() {
    let (game, _news) = game(&Toy::new());
    assert_eq!(reply_text(&game.submit("gm", "mood ann")), "Ann feels 3.");
    let found = game.game_handle().complete("mood hill", 9);
    assert_eq!(
        (found.start, found.list[0].text.as_str()),
        (5, "Hill Guard ")
    );
    let found = game.game_handle().complete("help che", 8);
    let texts: Vec<&str> = found.list.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["check", "cheer"]);
    assert_eq!(game.game_handle().complete("moo?", 3).list[0].text, "mood");
    assert_eq!(
        game.game_handle().hint("cheer ann").unwrap(),
        " [by {amount: Integer}]"
    );
    assert!(game.game_handle().hint("throw ").unwrap().contains("2d6"));
    assert!(!game.has_thread_ended());
}

#[test]
fn rules_are_swapped_between_commands_and_broken_ones_are_news() {
    let toy = Toy::new();
    let (game, news) = game(&toy);
    toy.write("scripts/mini/commands/dig.luau", "return command {");
    game.game_handle().reload_compiled(Compiled::default());
    assert!(matches!(news.recv().unwrap(), ReloadResult::Kept { .. }));
    assert!(game.stale.load(Ordering::Relaxed));
    toy.write(
        "scripts/mini/commands/dig.luau",
        "return command { source = 'x', summary = 'digs', syntax = 'dig',\n\
         run = function(act) return act:done('dug') end }",
    );
    game.game_handle().reload_compiled(Compiled::default());
    assert!(matches!(news.recv().unwrap(), ReloadResult::Swapped { .. }));
    assert!(!game.stale.load(Ordering::Relaxed));
    assert_eq!(reply_text(&game.submit("gm", "dig")), "dug");
}

#[test]
fn a_game_that_begins_with_findings_is_marked_until_they_are_mended() {
    let toy = Toy::new();
    let good = "return command { source = 'x', summary = 'digs', syntax = 'dig',\n\
         run = function(act) return act:done('dug') end }";
    let file = "scripts/mini/commands/dig.luau";
    toy.write(file, &good.replace("summary", "sumary"));
    let (game, news) = game(&toy);
    assert!(game.stale.load(Ordering::Relaxed));
    game.submit("gm", "mood ann");
    assert!(game.stale.load(Ordering::Relaxed));
    toy.write(file, good);
    game.game_handle().reload_compiled(Compiled::default());
    assert!(matches!(news.recv().unwrap(), ReloadResult::Swapped { .. }));
    assert!(!game.stale.load(Ordering::Relaxed));
}

#[test]
fn a_running_script_is_interrupted_from_outside() {
    let toy = Toy::new();
    let (game, _news) = game(&toy);
    let interrupt = Arc::clone(&game.interrupt);
    let done = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        // The flag is cleared when a line begins, so it is set until the answer is there.
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                interrupt.store(true, Ordering::Relaxed);
                std::thread::yield_now();
            }
        });
        // On a busy machine the other thread may get no turn before the fuel of a line is spent.
        let mut codes = (0..500).map(|_| game.submit("gm", "spin").refusal.unwrap().code);
        let ended = codes.find(|code| *code != "limit/fuel");
        done.store(true, Ordering::Relaxed);
        ended
    });
    assert_eq!(ended.unwrap(), "limit/interrupted");
    assert_eq!(reply_text(&game.submit("gm", "mood ann")), "Ann feels 3.");
}

/// A long line runs many commands: an interrupt ends all of it, and nothing of it is done.
#[test]
fn an_interrupted_line_ends_with_all_that_it_would_run() {
    let toy = Toy::new();
    let interrupt = Arc::new(AtomicBool::new(false));
    let (mut solo, _) = open_session(toy.start(), Arc::clone(&interrupt)).unwrap();
    for line in ["cheer ann", "cheer ann by 2", "cheer ann by 3"] {
        assert!(solo.submit("gm", line).refusal.is_none(), "{line}");
    }
    let as_it_is = |solo: &Solo| {
        let timeline = solo.timeline();
        (
            timeline.state().hash(),
            timeline.history().operations().len(),
        )
    };
    let before = as_it_is(&solo);
    for line in [
        "revert 2",
        "replace 2 with cheer ann by 4",
        "why 2",
        "why ann.mood",
        "why not cheer ann",
    ] {
        interrupt.store(true, Ordering::Relaxed);
        let refusal = solo.submit("gm", line).refusal;
        assert_eq!(refusal.unwrap().code, "limit/interrupted", "{line}");
        assert_eq!(as_it_is(&solo), before, "{line}");
    }
    interrupt.store(false, Ordering::Relaxed);
    assert!(solo.submit("gm", "cheer ann").refusal.is_none());
    assert_ne!(as_it_is(&solo), before);
}

/// An export is not written if its requester no longer waits. The existing file stays.
#[test]
fn an_interrupted_export_writes_nothing() {
    let toy = Toy::new();
    let start = toy.start();
    let disk = start.disk.clone();
    let interrupt = Arc::new(AtomicBool::new(false));
    let (mut solo, _) = open_session(start, Arc::clone(&interrupt)).unwrap();
    let place = tempfile::tempdir().unwrap();
    let (file, pages) = (place.path().join("game.md"), place.path().join("pages"));
    let mut exported = |to: &str, is_interrupted: bool| {
        let wish = solo.submit("gm", &format!("export to {to}"));
        interrupt.store(is_interrupted, Ordering::Relaxed);
        let reply = disk.carry_out_disk_request(&mut solo, wish);
        interrupt.store(false, Ordering::Relaxed);
        reply.refusal.map(|refusal| refusal.code.to_string())
    };
    let written = || (fs::read(&file).ok(), pages.exists());
    for to in [file.display().to_string(), format!("{}/", pages.display())] {
        let before = written();
        assert_eq!(exported(&to, true).as_deref(), Some("limit/interrupted"));
        assert_eq!(written(), before, "{to}");
        assert_eq!(exported(&to, false), None);
        assert_ne!(written(), before, "{to}");
        let before = written();
        assert_eq!(exported(&to, true).as_deref(), Some("limit/interrupted"));
        assert_eq!(written(), before, "{to}");
    }
}

#[test]
fn rules_that_do_not_load_start_no_game() {
    let toy = Toy::new();
    toy.write("scripts/mini/ruleset.luau", "return ruleset {");
    let (news, _received) = channel();
    let findings = Game::start(toy.start(), news).map(|_| ()).unwrap_err();
    assert!(findings.iter().any(|found| found.code == "script/syntax"));
}

/// Writes to the state, then panics.
static BREAKS: [game::HostCommand; 1] = [game::HostCommand {
    id: "break",
    syntax: &["break"],
    formerly: &[],
    summary: "breaks the host",
    help: "",
    kind: game::CommandKind::Write(|timeline, call| {
        game::make_host_ruling(timeline, call.ruling, |state| {
            let (row, field) = (state.names().intern("ann"), state.names().intern("name"));
            state.set(row, field, "Broken".into()).unwrap();
            panic!("the command breaks");
        })
    }),
}];

#[test]
fn a_panic_of_the_host_takes_its_line_back_writes_a_report_and_the_game_goes_on() {
    let toy = Toy::new();
    let folder = toy.path("state/reports");
    let reports = Reports {
        folder: Some(folder.clone()),
    };
    let start = toy.start();
    let disk = start.disk.clone();
    let options = move || SessionOptions {
        home: start.home,
        ruleset: "mini".to_owned(),
        seed: Seed::from_text("toy"),
        engine: EngineOptions::default(),
    };
    let (requests, received) = channel();
    let (news, _news) = channel();
    let thread = Builder::new().stack_size(STACK).spawn(move || {
        let (solo, _) = Solo::start(options(), &BREAKS).unwrap();
        let before = solo.timeline().state().recomputed_hash();
        let after = answer_requests(solo, &received, &news, (&Flags::default(), &disk), &reports);
        assert_eq!(after.timeline().state().recomputed_hash(), before);
        assert_eq!(after.timeline().history().operations().len(), 1);
        assert!(!after.timeline().state().has_pending_writes());
    });
    let submit = |line: &str| {
        let (to, answer) = channel();
        let (by, line) = ("gm".to_owned(), line.to_owned());
        requests.send(Request::Submit { by, line, to }).unwrap();
        answer.recv().unwrap()
    };
    for number in 1..=2 {
        let refusal = submit("break").refusal.unwrap();
        assert_eq!(refusal.code, "host/bug");
        assert_eq!(
            refusal.message,
            "this is a bug in the host: the command breaks"
        );
        let report = folder.join(format!("bug-{number}.txt"));
        let named = format!("please report it with the file {}", report.display());
        assert_eq!(
            refusal.hints,
            ["nothing of the command was kept".to_owned(), named]
        );
        let written = fs::read_to_string(report).unwrap();
        for part in ["command: gm: break", "the command breaks", "tests.rs:"] {
            assert!(written.contains(part), "{part} in {written}");
        }
        assert_eq!(reply_text(&submit("mood ann")), "Ann feels 3.");
    }
    drop(requests);
    thread.unwrap().join().unwrap();
}
