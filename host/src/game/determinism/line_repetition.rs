//! The law that an undone line has the same result when it is given a second time.

use crate::diag::Diagnostic;
use crate::game::determinism::line_result::{
    Begin, LineResult, begin_script_game, give_script_line,
};
use crate::game::determinism::script::{
    BrokenLaw, KEEPS, Script, law_broken_at_line, law_broken_by_script,
};
use crate::game::past::undo::undo_last_ruling;
use crate::game::session::Solo;
use crate::store::What;

/// Plays a script and gives each line that moves the game twice: both results must be equal.
pub(super) fn check_repetition_law(
    game: &mut Solo,
    (script, begins): (&Script, Begin),
    told: &[LineResult],
) -> Option<BrokenLaw> {
    if let Err(finding) = begin_script_game(game, script, begins) {
        return law_broken_by_script(Some(finding));
    }
    let lines = script.said.iter().zip(told).enumerate();
    for (at, (said, told)) in lines {
        let until = if told.is_correction() { at + 1 } else { at };
        if told.names_operations(said.text())
            && let Err(finding) = play_until(game, (script, begins), until)
        {
            return law_broken_at_line(at, Some(finding));
        }
        if told.is_correction() {
            continue;
        }
        let first = match give_script_line(game, said) {
            Ok(first) => first,
            Err(finding) => return law_broken_at_line(at, Some(finding)),
        };
        if !told.moves_game() {
            continue;
        }
        let rulings = first.operations.iter();
        for _ in rulings.filter(|one| one.operation.what == What::Ruling) {
            drop(undo_last_ruling(game.timeline_mut(), "gm"));
        }
        let second = match give_script_line(game, said) {
            Ok(second) => second,
            Err(finding) => return law_broken_at_line(at, Some(finding)),
        };
        let what = second.difference(&first).or_else(|| first.difference(told));
        if let Some(what) = what {
            return law_broken_at_line(at, Some(repetition_difference_finding(said.text(), &what)));
        }
    }
    None
}

/// Plays the first lines of a script again, each once. In lines that name operations, the numbers refer to this run.
fn play_until(
    game: &mut Solo,
    (script, begins): (&Script, Begin),
    until: usize,
) -> Result<(), Diagnostic> {
    begin_script_game(game, script, begins)?;
    let mut lines = script.said[..until].iter();
    lines.try_for_each(|said| give_script_line(game, said).map(drop))
}

fn repetition_difference_finding(line: &str, what: &str) -> Diagnostic {
    let message = format!("when given a second time, \"{line}\" gave a different result: {what}");
    Diagnostic::error("law/twice", message).hint(KEEPS)
}
