//! Adds commands to those of the host. The log, corrections, earlier games and verification know
//! only their declarations.

use arbiter_tests::{Game, Scratch, on_game_thread, save_options};
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Solo, Timeline, Verifier};
use repl::COMMANDS;

const CHALK_RULING: HostCommand = HostCommand {
    id: "chalk",
    syntax: &["chalk {text: Rest}"],
    formerly: &[],
    summary: "writes on the board",
    help: "What stood there is gone.",
    kind: CommandKind::Write(write_board),
};

const SIGN_NOTE: HostCommand = HostCommand {
    id: "sign",
    syntax: &["sign {text: Rest}"],
    kind: CommandKind::Note(write_board),
    ..CHALK_RULING
};

const BOARD_QUERY: HostCommand = HostCommand {
    id: "board",
    syntax: &["board", "slate"],
    formerly: &[],
    summary: "reads the board",
    help: "It says what was written last.",
    kind: CommandKind::Query(reply_with_board),
};

/// Like `BOARD_QUERY`, but of the present game.
const WALL_QUERY_OF_NOW: HostCommand = HostCommand {
    id: "wall",
    syntax: &["wall"],
    kind: CommandKind::Request(reply_with_board),
    ..BOARD_QUERY
};

fn reply_with_board(timeline: &Timeline, _: &Call<'_>) -> Reply {
    Reply::line(board_text(timeline))
}

fn write_board(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let text = call.text("text");
    game::make_host_ruling(timeline, call.ruling, |state| {
        let (row, field) = (state.names().intern("ann"), state.names().intern("board"));
        state
            .set(row, field, text.into())
            .map_err(|error| error.to_diagnostic())?;
        Ok(Vec::new())
    })
}

fn board_text(timeline: &Timeline) -> String {
    let names = timeline.state().names();
    let (row, field) = (names.intern("ann"), names.intern("board"));
    timeline.state().get(row, field).to_string()
}

/// Returns the commands of the program and the added ones.
fn program_and_added_commands() -> &'static [HostCommand] {
    let new = [CHALK_RULING, SIGN_NOTE, BOARD_QUERY, WALL_QUERY_OF_NOW];
    Vec::leak(COMMANDS.into_iter().chain(new).collect())
}

/// Submits lines that must be answered; returns the number of the last operation.
fn submit_lines(solo: &mut Solo, lines: &[&str]) -> Option<u64> {
    let mut last = None;
    for line in lines {
        let reply = solo.submit("gm", line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        last = reply.op;
    }
    last
}

fn refusal_code(solo: &mut Solo, line: &str) -> String {
    let refusal = solo.submit("gm", line).refusal;
    refusal
        .unwrap_or_else(|| panic!("{line} was answered"))
        .code
        .into()
}

#[test]
fn a_new_command_is_what_it_declares_and_nothing_else_names_it() {
    on_game_thread(|| {
        let commands = program_and_added_commands();
        let mut solo = Game::with_commands(&Scratch::mini(), "mini", commands).solo;
        let lines = ["throw 2d6", "chalk one", "sign two", "board", "wall"];
        assert_eq!(submit_lines(&mut solo, &lines), None);
        assert_eq!(solo.timeline().history().operations().len(), 4);
        assert_eq!(submit_lines(&mut solo, &["undo"]), Some(5));
        assert_eq!(board_text(solo.timeline()), "one");
        submit_lines(&mut solo, &["redo", "revert 2 yes"]);
        assert_eq!(board_text(solo.timeline()), "two");
        // A command that writes may replace a ruling; a note or a query may not.
        submit_lines(&mut solo, &["throw 2d6", "replace 8 yes with Chalk three"]);
        assert_eq!(board_text(solo.timeline()), "three");
        for line in ["sign four", "board", "wall", "undo"] {
            let code = refusal_code(&mut solo, &format!("replace 3 yes with {line}"));
            assert_eq!(code, "revert/no-ruling", "{line}");
        }
        // While somebody views an earlier game, a query shows that game, and nothing is written.
        submit_lines(&mut solo, &["view 3"]);
        let read = |solo: &mut Solo, line: &str| {
            let reply = solo.submit("gm", line);
            host::doc::plain(&reply.documents[0])
        };
        assert_eq!(read(&mut solo, "slate"), "one");
        assert_eq!(read(&mut solo, "wall"), "three");
        for line in ["chalk five", "sign five"] {
            assert_eq!(refusal_code(&mut solo, line), "look/past", "{line}");
        }
        submit_lines(&mut solo, &["view now"]);
        assert_saved_game_verifies(&mut solo, commands);
    });
}

/// Saves a game and verifies it.
fn assert_saved_game_verifies(solo: &mut Solo, commands: &'static [HostCommand]) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("game");
    solo.save_in_folder(&folder, save_options()).unwrap();
    solo.flush().unwrap();
    let report = Verifier::open(&folder, commands).unwrap().finish();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let all = solo.timeline().history().operations().len() as u64;
    assert_eq!(report.same, all);
}
