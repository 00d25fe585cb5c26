//! Checks the laws that are valid in every game, for any rules, on a played script.
//!
//! In: a game, and the lines of a game from its beginning. Out: each broken law, with the line at which it breaks. The
//! laws are these. Undo of all rulings leads to the first state, and redo leads to the last state. The canonical bytes
//! of each state read back as the same state. A reload between any two lines changes nothing. Each line has the same
//! result when it is given a second time. While a question is open, a fresh session with only the bytes of the state
//! continues in the same way. The full check needs a fresh machine for each line. For many scripts, the same laws are
//! checked with three long-lived machines.

use crate::game::determinism::line_result::{
    Begin, LineResult, begin_script_game, give_script_line,
};
use crate::game::determinism::machines::Machines;
use crate::game::determinism::script::{
    BrokenLaw, LawReport, Script, law_broken_at_line, law_broken_by_script,
};
use crate::game::determinism::state_round_trip::check_state_round_trip;
use crate::game::determinism::undo_redo::undo_and_redo_all;
use crate::game::determinism::{fresh_session, line_repetition, machine_exchange, reload_law};
use crate::game::session::Solo;

/// Plays a script and checks the laws in full: with a fresh machine before each line, the bytes of each state, and a
/// fresh session for each answer. The earlier play in the session is discarded.
pub fn check_laws_fully(game: &mut Solo, script: &Script) -> LawReport {
    check_laws(game, script, None)
}

/// Plays a script and checks the laws with long-lived machines. Any two lines run on different machines at least once.
/// The bytes of the last state and of one state that the script's dice choose are checked.
///
/// The caller plays the script first and checks that everything can be undone and redone.
pub fn check_laws_with_machines(
    machines: &mut Machines,
    game: &mut Solo,
    script: &Script,
) -> LawReport {
    check_laws(game, script, Some(machines))
}

fn check_laws(game: &mut Solo, script: &Script, mut machines: Option<&mut Machines>) -> LawReport {
    let mut held = LawReport::default();
    let begins = match machines {
        Some(_) => Begin::Same,
        None => Begin::Fresh,
    };
    let told = match play_first_time(game, (script, begins), &mut machines, &mut held) {
        Ok(told) => told,
        Err(broken) => {
            held.broken.extend(broken);
            return held;
        }
    };
    let reload = match machines {
        Some(machines) => machine_exchange::check_exchange_law(game, (script, &told), machines),
        None => {
            let first = game
                .timeline()
                .history
                .operations()
                .first()
                .map(|one| one.state);
            let lost = first.and_then(|first| undo_and_redo_all(game, first));
            held.broken.extend(law_broken_by_script(lost));
            reload_law::check_reload_law(game, script, &told)
        }
    };
    held.broken.extend(reload);
    let twice = line_repetition::check_repetition_law(game, (script, begins), &told);
    held.broken.extend(twice);
    held
}

/// Plays a script for the first time and returns the result of each line. Errors: a line that cannot be played at all.
fn play_first_time(
    game: &mut Solo,
    (script, begins): (&Script, Begin),
    machines: &mut Option<&mut Machines>,
    held: &mut LawReport,
) -> Result<Vec<LineResult>, Option<BrokenLaw>> {
    begin_script_game(game, script, begins)
        .map_err(|finding| law_broken_by_script(Some(finding)))?;
    let mut told = Vec::with_capacity(script.said.len());
    for (at, said) in script.said.iter().enumerate() {
        let waits = fresh_session::WaitingState::of(game);
        let now = give_script_line(game, said)
            .map_err(|finding| law_broken_at_line(at, Some(finding)))?;
        // A correction continues from the past, which the bytes of a state do not contain.
        if let Some(waits) = waits.filter(|_| now.moves_game() && !now.is_waiting_correction()) {
            held.resumed += 1;
            let broken =
                waits.difference_in_fresh_session((game, machines.as_deref_mut()), said, &now);
            held.broken.extend(law_broken_at_line(at, broken));
        }
        if machines.is_none() || script.is_state_checked_at(at) {
            let bytes = game.timeline().state.to_bytes();
            held.broken.extend(law_broken_at_line(
                at,
                check_state_round_trip(&game.timeline().state, &bytes),
            ));
        }
        told.push(now);
    }
    Ok(told)
}
