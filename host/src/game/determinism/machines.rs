//! The machines that check the laws over many scripts. They are used for many scripts, and no line causes a rebuild.
//!
//! The session brings one machine. A second one has the same rules and shares its names, so a line may run on either. A
//! separate session, with its own names, gets only the bytes of a state of the game. The machines are built again only
//! if a script of the rules is saved with other text. So values that rules keep between runs stay.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::session::{Session, Solo};
use crate::script::Engine;

/// The machines beside the machine of a session; before the first script there are none.
#[derive(Default)]
pub struct Machines {
    /// The other machine, and the hash of its rules.
    other: Option<(String, Rc<Engine>)>,
    /// The session that has no data of the game.
    elsewhere: Option<Solo>,
}

impl Machines {
    /// Gives a session the other machine and keeps its own. Errors: no machine can be built from its rules.
    pub(super) fn exchange_machine_of(&mut self, game: &mut Solo) -> Result<(), Diagnostic> {
        let kept = self.other.take();
        let rules = Rc::clone(game.timeline().generation());
        let kept = kept
            .filter(|(hash, one)| hash == rules.hash() && !one.is_memory_short_after_collection());
        let other = match kept {
            Some((_, other)) => other,
            None => Rc::new(rules.build_another_machine().map_err(first_finding)?),
        };
        let own = rules.exchange_machine(other);
        rules.add_declarations_to_state(&mut game.session.main.state);
        self.other = Some((rules.hash().to_owned(), own));
        Ok(())
    }

    /// Returns the session that has no data of the game, with the rules and dice of a session; its earlier play is
    /// discarded.
    ///
    /// Errors: the rules cannot be used.
    pub(super) fn session_without_game_data(
        &mut self,
        first: &Solo,
    ) -> Result<&mut Solo, Diagnostic> {
        let kept = self.elsewhere.take();
        let kept = kept.filter(|one| {
            one.timeline().generation().hash() == first.timeline().generation().hash()
        });
        let mut one = match kept {
            Some(one) => one,
            None => separate_session(first)?,
        };
        one.session.main.dice.seed = first.session.main.dice.seed.clone();
        one.session.forks.clear();
        one.client.return_to_main_line();
        Ok(self.elsewhere.insert(one))
    }
}

/// Returns a session with the rules and dice of another one, and its own names. Errors: the rules cannot be used.
pub(super) fn separate_session(first: &Solo) -> Result<Solo, Diagnostic> {
    let (options, files) = (
        first.session.options(),
        first.timeline().generation().files().clone(),
    );
    let commands = first.session.program.commands;
    let opened = Session::of_files(options, commands, files, Rc::default());
    opened.map(Solo::from).map_err(first_finding)
}

fn first_finding(mut findings: Vec<Diagnostic>) -> Diagnostic {
    findings.swap_remove(0)
}
