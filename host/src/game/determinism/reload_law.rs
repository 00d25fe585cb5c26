//! The law that a reload between any two lines changes nothing.
//!
//! Each line runs on a fresh machine with the same rules, which has no values from earlier lines.

use crate::diag::Diagnostic;
use crate::game::determinism::line_result::{
    Begin, LineResult, begin_script_game, give_script_line,
};
use crate::game::determinism::script::{
    BrokenLaw, KEEPS, Script, law_broken_at_line, law_broken_by_script,
};
use crate::game::session::Solo;

/// Plays a script with a fresh machine for each line: all results must be as recorded.
pub(super) fn check_reload_law(
    game: &mut Solo,
    script: &Script,
    told: &[LineResult],
) -> Option<BrokenLaw> {
    if let Err(finding) = begin_script_game(game, script, Begin::Fresh) {
        return law_broken_by_script(Some(finding));
    }
    for (at, (said, told)) in script.said.iter().zip(told).enumerate() {
        game.timeline().generation().rebuild_machine();
        let now = match give_script_line(game, said) {
            Ok(now) => now,
            Err(finding) => return law_broken_at_line(at, Some(finding)),
        };
        if now != *told {
            let what = now.difference(told);
            return Some(BrokenLaw {
                at: Some(at),
                finding: reload_difference_finding(
                    said.text(),
                    what.as_deref().unwrap_or("its number"),
                ),
            });
        }
    }
    None
}

fn reload_difference_finding(line: &str, what: &str) -> Diagnostic {
    let message =
        format!("with a reload before each line, \"{line}\" gave a different result: {what}");
    Diagnostic::error("law/reload", message).hint(KEEPS)
}
