//! Tests running a script: the place of a refusal, and the last sync after the end of a script.

use std::thread::JoinHandle;

use host::store::archive::Ahead;

use super::*;
use crate::toy_game::Toy;

#[test]
fn a_refusal_points_to_its_line_of_the_script() {
    let refusal = refusal_in_script(
        Diagnostic::error("mini/no", "no"),
        "a.txt",
        3,
        "  dig here ",
    );
    let place = refusal.place.as_ref().unwrap();
    assert_eq!(place.source.slice(place.span), "dig here");
    let start = place.source.position(place.span.start);
    assert_eq!(
        (place.source.name(), start.line, start.column),
        ("a.txt", 3, 3)
    );
}

#[test]
fn a_place_within_the_line_moves_along_and_one_in_the_rules_stays() {
    let inner =
        Diagnostic::error("phrase/no-match", "no").at(&Source::new("line", "dig"), Span::new(0, 3));
    let moved = refusal_in_script(inner, "a.txt", 2, " dig").place.unwrap();
    assert_eq!(moved.source.position(moved.span.start).column, 2);
    let rules = Source::new("scripts/a.luau", "x");
    let kept = refusal_in_script(
        Diagnostic::error("script/error", "no").at(&rules, Span::new(0, 1)),
        "a.txt",
        2,
        "dig",
    );
    assert_eq!(kept.place.unwrap().source.name(), "scripts/a.luau");
}

#[test]
fn the_name_of_a_ruleset_as_a_script_has_a_hint() {
    let toy = Toy::new();
    let hint = |script: &str| ruleset_instead_of_script_hint(&toy.home(), Path::new(script));
    assert!(hint("mini").contains("write `arbiter play mini`"));
    assert_eq!(hint("a.txt"), "");
}

fn answer(reply: Reply) -> Told {
    Told::Answer(Box::new(Answer {
        number: 1,
        line: "dig".to_owned(),
        by: "gm".to_owned(),
        ruleset: "mini".to_owned(),
        reply,
        folder: None,
    }))
}

/// Starts a game that must sync after its last answer. The thread returns whether the sync was waited for.
fn ending(last: Told, ahead: Ahead<Told>) -> JoinHandle<bool> {
    thread::spawn(move || ahead.answer(last) && ahead.settle())
}

fn screen<'a>(output: &'a mut Output, keep_going: bool) -> Screen<'a> {
    Screen {
        name: "a.txt".to_owned(),
        keep_going,
        output,
        exit: Exit::Ok,
    }
}

#[test]
fn whatever_ends_a_script_its_game_is_waited_for() {
    let no = || Diagnostic::error("mini/no", "no");
    let cases = [
        (answer(Reply::refused(no())), Exit::of_refusal(&no())),
        (
            answer(Reply::program_request(ProgramRequest::Quit)),
            Exit::Ok,
        ),
        (Told::NotStarted(vec![no()]), Exit::NotLoaded),
        (Told::Refusal(no()), Exit::of_refusal(&no())),
    ];
    for (last, exit) in cases {
        let mut output = Output::new(&Common::default());
        let mut screen = screen(&mut output, false);
        let (ahead, mut behind) = write_behind_channel();
        let game = ending(last, ahead);
        assert!(screen.show_all_results(&mut behind));
        drop(behind);
        assert!(game.join().unwrap(), "the end of the game is asked for");
        assert_eq!(screen.exit, exit);
    }
}

#[test]
fn a_sync_that_fails_behind_a_quit_decides_the_exit_code() {
    let failed = Diagnostic::error("save/not-synced", "the disk is gone");
    let exit = Exit::of_refusal(&failed);
    let mut output = Output::new(&Common::default());
    let mut screen = screen(&mut output, false);
    let (ahead, mut behind) = write_behind_channel();
    let game = thread::spawn(move || {
        ahead.answer(answer(Reply::program_request(ProgramRequest::Quit)));
        ahead.answer(Told::Refusal(failed));
    });
    assert!(screen.show_all_results(&mut behind));
    game.join().unwrap();
    assert_ne!(exit, Exit::Ok);
    assert_eq!(screen.exit, exit);
}

#[test]
fn a_disk_that_refuses_ends_the_wait() {
    let mut output = Output::new(&Common::default());
    let mut screen = screen(&mut output, true);
    let kept = Err(ArchiveError::Full);
    let Told::Answer(ruled) = answer(Reply::default()) else {
        unreachable!()
    };
    assert!(!screen.show_result(Told::Answer(ruled), kept));
    assert_ne!(screen.exit, Exit::Ok);
}
