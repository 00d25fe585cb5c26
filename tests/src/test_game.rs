//! A game of the toy ruleset for tests.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use host::diag::{Diagnostic, render};
use host::dice::Draw;
use host::doc::{Document, plain};
use host::game;
use host::game::{HostCommand, ReplayComparison, Reply, Seed, SessionOptions, Solo, Stream};
use host::script::{EngineOptions, Limits};
use host::store::{Operation, StateHash};

use crate::Scratch;

/// A running game. An unexpected outcome ends the test with the whole finding.
pub struct Game {
    /// The session itself.
    pub solo: Solo,
}

impl Game {
    /// Returns a game of the toy ruleset as it is shipped.
    pub fn mini() -> Game {
        Game::of(&Scratch::mini())
    }

    /// Returns a game of the toy ruleset of a home.
    pub fn of(home: &Scratch) -> Game {
        Game::mini_with_engine(home, EngineOptions::default())
    }

    /// Returns a game whose machine has these options.
    pub fn mini_with_engine(home: &Scratch, engine: EngineOptions) -> Game {
        Game::start(home, engine)
            .unwrap_or_else(|findings| panic!("no game:\n{}", findings_text(&findings)))
    }

    /// Returns a game with these limits; `raw` decides whether the machine has its fast parts.
    pub fn mini_with_limits(home: &Scratch, limits: Limits, raw: bool) -> Game {
        let engine = EngineOptions {
            limits,
            raw,
            ..EngineOptions::default()
        };
        Game::mini_with_engine(home, engine)
    }

    /// Returns a game, or the findings that keep it from starting.
    pub fn start(home: &Scratch, engine: EngineOptions) -> Result<Game, Vec<Diagnostic>> {
        let options = SessionOptions {
            home: home.home(),
            ruleset: "mini".to_owned(),
            seed: Seed::from_text("the host's own tests"),
            engine,
        };
        let (solo, _) = Solo::start(options, &[])?;
        Ok(Game { solo })
    }

    /// Returns a game of a ruleset of a home with the commands of the program.
    pub fn of_program(home: &Scratch, ruleset: &str) -> Game {
        Game::with_commands(home, ruleset, &repl::COMMANDS)
    }

    /// Returns a game of a ruleset of a home with these commands of the host.
    pub fn with_commands(home: &Scratch, ruleset: &str, commands: &'static [HostCommand]) -> Game {
        Game::with_engine(home, ruleset, commands, EngineOptions::default())
    }

    /// Returns a game with the commands of the program and without a time limit.
    pub fn untimed(home: &Scratch, ruleset: &str) -> Game {
        let limits = Limits {
            time_callback: None,
            time_command: None,
            ..Limits::default()
        };
        let engine = EngineOptions {
            limits,
            ..EngineOptions::default()
        };
        Game::with_engine(home, ruleset, &repl::COMMANDS, engine)
    }

    /// Returns a game with the commands of the program, and the flag that interrupts them.
    pub fn interruptible(home: &Scratch, ruleset: &str) -> (Game, Arc<AtomicBool>) {
        let engine = EngineOptions::default();
        let interrupt = Arc::clone(&engine.interrupt);
        let game = Game::with_engine(home, ruleset, &repl::COMMANDS, engine);
        (game, interrupt)
    }

    /// Returns a game of a ruleset whose machine has these options, with these commands of the host.
    pub fn with_engine(
        home: &Scratch,
        ruleset: &str,
        commands: &'static [HostCommand],
        engine: EngineOptions,
    ) -> Game {
        let options = SessionOptions {
            home: home.home(),
            ruleset: ruleset.to_owned(),
            seed: Seed::from_text("the host's own tests"),
            engine,
        };
        let started = Solo::start(options, commands);
        let (solo, _) =
            started.unwrap_or_else(|findings| panic!("no game:\n{}", findings_text(&findings)));
        Game { solo }
    }

    /// Returns the findings of the rules as people see them.
    pub fn findings(&self) -> String {
        findings_text(self.solo.session.generations().live().findings())
    }

    /// Returns the phase and place of the game, as the REPL shows them.
    pub fn phase_and_place(&self) -> String {
        self.solo.session.phase_and_place(self.solo.client.at())
    }

    /// Submits a line as the game master.
    pub fn line(&mut self, line: &str) -> Reply {
        self.solo.submit("gm", line)
    }

    /// Submits a line that must be answered, and returns the text of the answer.
    pub fn text(&mut self, line: &str) -> String {
        let reply = self.line(line);
        if let Some(refusal) = &reply.refusal {
            panic!("{line} was refused:\n{}", render(refusal, false));
        }
        reply_text(&reply)
    }

    /// Submits a line that must be refused, and returns the refusal.
    pub fn refusal(&mut self, line: &str) -> Diagnostic {
        let reply = self.line(line);
        reply
            .refusal
            .clone()
            .unwrap_or_else(|| panic!("{line} was answered: {}", reply_text(&reply)))
    }

    /// Undoes the last ruling.
    pub fn undo(&mut self) {
        let reply = game::undo_last_ruling(self.solo.timeline_mut(), "gm");
        assert!(reply.refusal.is_none(), "undo: {:?}", reply.refusal);
    }

    /// Redoes the last undone ruling.
    pub fn redo(&mut self) {
        let reply = game::redo_last_ruling(self.solo.timeline_mut(), "gm");
        assert!(reply.refusal.is_none(), "redo: {:?}", reply.refusal);
    }

    /// Returns the numbers of all valid rulings except the set-up.
    pub fn live_ruling_numbers(&self) -> Vec<u64> {
        let live = self.solo.timeline().history().live_operations().skip(1);
        live.map(|one| one.seq).collect()
    }

    /// Returns the last operation.
    pub fn last_operation(&self) -> &Operation {
        let history = self.solo.timeline().history();
        history.operations().last().expect("a game was set up")
    }

    /// Returns the hash of the state, which must be equal to a new hash of its cells.
    pub fn hash(&self) -> StateHash {
        let hash = self.solo.timeline().state().hash();
        assert_eq!(
            hash,
            self.solo.timeline().state().recomputed_hash(),
            "the hash is not the one of the cells"
        );
        hash
    }

    /// Checks that every operation has the same results when it is run again.
    ///
    /// # Panics
    /// If an operation has other results.
    pub fn assert_replays_same(&mut self) {
        for seq in 1..=self.solo.timeline().history().operations().len() as u64 {
            let verified = self.solo.verify_operation(seq);
            assert!(
                matches!(verified, ReplayComparison::Same | ReplayComparison::NotRun),
                "{seq}: {verified:?}"
            );
        }
    }
}

/// Returns the whole text of a reply, as plain text.
fn reply_text(reply: &Reply) -> String {
    let texts: Vec<String> = reply.documents.iter().map(plain).collect();
    texts.join("\n").trim_end().to_owned()
}

fn findings_text(findings: &[Diagnostic]) -> String {
    let texts: Vec<String> = findings
        .iter()
        .map(|finding| render(finding, false))
        .collect();
    texts.join("\n")
}

/// Explains to an actor the subject that a text names.
pub fn explain_why(solo: &mut Solo, by: &str, text: &str) -> Result<Document, Box<Diagnostic>> {
    solo.run_as_line((by, "why"), |timeline, ruling| {
        game::explain_subject(timeline, ruling.caller, by, text)
    })
}

/// Explains to an actor the reasons against a command.
pub fn explain_why_not(solo: &mut Solo, by: &str, text: &str) -> Result<Document, Box<Diagnostic>> {
    solo.run_as_line((by, "why not"), |timeline, ruling| {
        game::explain_why_not(timeline, ruling.caller, by, text)
    })
}

/// Returns a random number below another.
pub fn random_below(chance: &mut Stream, many: usize) -> usize {
    let many = u32::try_from(many).expect("there are few of anything");
    chance.draw(many).expect("there is one at least") as usize - 1
}
