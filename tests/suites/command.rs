//! This module adds commands to those of the host: what they declare is all that the log, corrections, earlier games
//! and verification know of them.

use arbiter_tests::{Game, Scratch, keeping, on_game_thread};
use host::game::{Call, CommandKind, HostCommand, Reply, Session, Timeline, Verifier};
use repl::COMMANDS;

const CHALK: HostCommand = HostCommand {
    id: "chalk",
    syntax: &["chalk {text: Rest}"],
    summary: "writes on the board",
    help: "What stood there is gone.",
    kind: CommandKind::Write(chalk),
};

const SIGN: HostCommand = HostCommand {
    id: "sign",
    syntax: &["sign {text: Rest}"],
    kind: CommandKind::Note(chalk),
    ..CHALK
};

const BOARD: HostCommand = HostCommand {
    id: "board",
    syntax: &["board", "slate"],
    summary: "reads the board",
    help: "It says what was written last.",
    kind: CommandKind::Query(read),
};

/// As `BOARD`, but of the game of now.
const WALL: HostCommand = HostCommand {
    id: "wall",
    syntax: &["wall"],
    kind: CommandKind::Request(read),
    ..BOARD
};

fn read(timeline: &Timeline, _: &Call<'_>) -> Reply {
    Reply::line(board(timeline))
}

fn chalk(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let text = call.text("text");
    timeline.host_ruling(call.ruling, |state| {
        let (row, field) = (state.names().intern("ann"), state.names().intern("board"));
        state
            .set(row, field, text.into())
            .map_err(|error| error.to_diagnostic())?;
        Ok(Vec::new())
    })
}

fn board(timeline: &Timeline) -> String {
    let names = timeline.state().names();
    let (row, field) = (names.intern("ann"), names.intern("board"));
    timeline.state().get(row, field).to_string()
}

/// The commands of the program and the new ones.
fn commands() -> &'static [HostCommand] {
    let new = [CHALK, SIGN, BOARD, WALL];
    Vec::leak(COMMANDS.into_iter().chain(new).collect())
}

/// Gives lines that must be answered; returns the operation of the last.
fn given(session: &mut Session, lines: &[&str]) -> Option<u64> {
    let mut last = None;
    for line in lines {
        let reply = session.submit("gm", line);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
        last = reply.op;
    }
    last
}

fn refusal(session: &mut Session, line: &str) -> String {
    let refusal = session.submit("gm", line).refusal;
    refusal
        .unwrap_or_else(|| panic!("{line} was answered"))
        .code
        .into()
}

#[test]
fn a_new_command_is_what_it_declares_and_nothing_else_names_it() {
    on_game_thread(|| {
        let commands = commands();
        let mut session = Game::of_commands(&Scratch::mini(), "mini", commands).session;
        let lines = ["throw 2d6", "chalk one", "sign two", "board", "wall"];
        assert_eq!(given(&mut session, &lines), None);
        assert_eq!(session.history().operations().len(), 4);
        assert_eq!(given(&mut session, &["undo"]), Some(5));
        assert_eq!(board(&session), "one");
        given(&mut session, &["redo", "revert 2 yes"]);
        assert_eq!(board(&session), "two");
        // What writes may be what is ruled in the place of a ruling; what notes or looks may not.
        given(
            &mut session,
            &["throw 2d6", "replace 8 yes with Chalk three"],
        );
        assert_eq!(board(&session), "three");
        for line in ["sign four", "board", "wall", "undo"] {
            let code = refusal(&mut session, &format!("replace 3 yes with {line}"));
            assert_eq!(code, "revert/no-ruling", "{line}");
        }
        // Where somebody looks at an earlier game, what looks sees it, and nothing is written.
        given(&mut session, &["goto 3"]);
        let read = |session: &mut Session, line: &str| {
            let reply = session.submit("gm", line);
            host::doc::plain(&reply.documents[0])
        };
        assert_eq!(read(&mut session, "slate"), "one");
        assert_eq!(read(&mut session, "wall"), "three");
        for line in ["chalk five", "sign five"] {
            assert_eq!(refusal(&mut session, line), "look/past", "{line}");
        }
        given(&mut session, &["goto now"]);
        verified(&mut session, commands);
    });
}

/// Keeps a game and verifies it.
fn verified(session: &mut Session, commands: &'static [HostCommand]) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("game");
    session.keep_in(&folder, keeping()).unwrap();
    session.flush().unwrap();
    let report = Verifier::open(&folder, commands).unwrap().finish();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let all = session.history().operations().len() as u64;
    assert_eq!(report.same, all);
}
