//! This module is the machines of whoever holds the laws over many scripts: they live long, and no line has one built.
//!
//! The session brings one machine; a second knows the same rules and shares its names, so that a line may meet either;
//! and a session of its own, with names of its own, knows of a game only the bytes of a state. They are built anew where
//! a script of the rules is saved with other words, and never otherwise: what rules keep between runs, they keep.

use crate::diag::Diagnostic;
use crate::game::past::forks::Forks;
use crate::game::session::{Session, build};
use crate::script::{Compiled, Engine};
use crate::value::Value;

/// The machines beside the one of a session; none is there before the first script.
#[derive(Default)]
pub struct Machines {
    /// The other machine, and the hash of its rules.
    other: Option<(String, Engine)>,
    /// The session that knows nothing of the game.
    elsewhere: Option<Session>,
}

impl Machines {
    /// Gives a session the other machine and keeps its own. Errors: none can be built from its rules.
    pub(super) fn exchange(&mut self, session: &mut Session) -> Result<(), Diagnostic> {
        let kept = self.other.take();
        let kept = kept.filter(|(rules, one)| *rules == session.rules_hash && !one.is_spent());
        let other = match kept {
            Some((_, other)) => other,
            None => built(session)?,
        };
        let own = std::mem::replace(&mut session.engine, other);
        session.engine.rules().equip(&mut session.state);
        self.other = Some((session.rules_hash.clone(), own));
        Ok(())
    }

    /// Returns the session that knows nothing of the game, with the rules and the dice of one; what it played is gone.
    ///
    /// Errors: the rules cannot be used.
    pub(super) fn elsewhere(&mut self, first: &Session) -> Result<&mut Session, Diagnostic> {
        let kept = self.elsewhere.take();
        let kept = kept.filter(|one| one.rules_hash == first.rules_hash);
        let mut one = match kept {
            Some(one) => one,
            None => alone(first)?,
        };
        one.options.seed = first.options.seed.clone();
        (one.looking, one.forks, one.last) = (None, Forks::default(), Value::Nil);
        Ok(self.elsewhere.insert(one))
    }
}

/// Returns a session with the rules and dice of one, and names of its own. Errors: the rules cannot be used.
pub(super) fn alone(first: &Session) -> Result<Session, Diagnostic> {
    let (options, files) = (first.options.clone(), first.files.clone());
    let opened = Session::of_files(options, first.commands, files, std::rc::Rc::default());
    opened.map_err(first_of)
}

fn built(session: &Session) -> Result<Engine, Diagnostic> {
    let (options, files) = (&session.options, session.files.clone());
    let built = build(options, session.commands, files, Compiled::default());
    built.map(|(engine, _)| engine).map_err(first_of)
}

fn first_of(mut findings: Vec<Diagnostic>) -> Diagnostic {
    findings.swap_remove(0)
}
