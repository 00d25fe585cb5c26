//! The law that a reload between any two lines changes nothing, checked with two long-lived machines.
//!
//! A script of n lines is played once for each bit of n; the setup is line 0. In the play of a bit, that bit of the
//! line's number selects the machine of the line. So any two lines run on different machines in at least one play. A
//! value that one line leaves in a machine for the other line is therefore detected. The highest bit comes first, so
//! that late lines run on a machine that has not run the early ones. If both machines keep a value forever, each from
//! the same line, only a fresh machine before each line shows it. That is the law's full check.

use crate::diag::Diagnostic;
use crate::game::determinism::line_result::{
    Begin, LineResult, begin_script_game, give_script_line,
};
use crate::game::determinism::machines::Machines;
use crate::game::determinism::script::{
    BrokenLaw, KEEPS, Script, law_broken_at_line, law_broken_by_script,
};
use crate::game::session::Solo;

/// Plays a script with its lines divided between two machines: all results must be as recorded.
pub(super) fn check_exchange_law(
    game: &mut Solo,
    (script, told): (&Script, &[LineResult]),
    machines: &mut Machines,
) -> Option<BrokenLaw> {
    let plays = usize::BITS - script.said.len().leading_zeros();
    let mut bits = (0..plays).rev();
    bits.find_map(|bit| play_between_machines(game, (script, told), (machines, bit)))
}

fn play_between_machines(
    game: &mut Solo,
    (script, told): (&Script, &[LineResult]),
    (machines, bit): (&mut Machines, u32),
) -> Option<BrokenLaw> {
    if let Err(finding) = begin_script_game(game, script, Begin::Same) {
        return law_broken_by_script(Some(finding));
    }
    let mut is_other = false;
    for (at, (said, told)) in script.said.iter().zip(told).enumerate() {
        let meets_other = (at + 1) >> bit & 1 == 1;
        if meets_other != is_other {
            if let Err(finding) = machines.exchange_machine_of(game) {
                return law_broken_at_line(at, Some(finding));
            }
            is_other = meets_other;
        }
        let now = match give_script_line(game, said) {
            Ok(now) => now,
            Err(finding) => return law_broken_at_line(at, Some(finding)),
        };
        if now != *told {
            let what = now.difference(told);
            let what = what.as_deref().unwrap_or("its number");
            return law_broken_at_line(at, Some(exchange_difference_finding(said.text(), what)));
        }
    }
    None
}

fn exchange_difference_finding(line: &str, what: &str) -> Diagnostic {
    let message = format!(
        "in another Luau machine, which did not run all lines before, \"{line}\" gave a different result: {what}"
    );
    Diagnostic::error("law/reload", message).hint(KEEPS)
}
