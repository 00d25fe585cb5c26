//! The messages of the refusals that end a roll or a distribution.

use std::sync::Arc;

use super::expr::Fault;
use super::face_source::{MOST_EXPLOSIONS, TOO_MANY_DICE};
use crate::diag::{Diagnostic, Source, Span};

#[cold]
pub(super) fn too_many_dice(source: &Arc<Source>, span: Span) -> Box<Diagnostic> {
    Diagnostic::error("limit/dice", TOO_MANY_DICE)
        .at(source, span)
        .hint("roll fewer dice; rerolled and exploded dice count too")
        .into()
}

#[cold]
pub(super) fn too_many_explosions(source: &Arc<Source>, span: Span) -> Box<Diagnostic> {
    let message = format!("one die explodes more than {MOST_EXPLOSIONS} times");
    Diagnostic::error("limit/dice", message)
        .at(source, span)
        .hint("let fewer faces explode")
        .into()
}

#[cold]
pub(super) fn bad_face(source: &Arc<Source>, span: Span, face: u32, sides: u32) -> Box<Diagnostic> {
    let message = format!("a die with {sides} sides cannot show {face}");
    Diagnostic::error("dice/bad-face", message)
        .at(source, span)
        .hint(format!("give a face from 1 to {sides}"))
        .into()
}

#[cold]
pub(super) fn arithmetic_refusal(
    source: &Arc<Source>,
    span: Span,
    fault: Fault,
) -> Box<Diagnostic> {
    match fault {
        Fault::Overflow => Diagnostic::error(
            "dice/overflow",
            "the result does not fit into a 64-bit whole number",
        )
        .hint("use smaller numbers"),
        Fault::ZeroDivisor => Diagnostic::error("dice/zero-divisor", "division by 0")
            .hint("divide by something that is never 0"),
        Fault::PossibleZeroDivisor => {
            Diagnostic::error("dice/zero-divisor", "the divisor can be 0")
                .hint("divide by something that is never 0")
        }
    }
    .at(source, span)
    .into()
}

#[cold]
pub(super) fn too_large_distribution() -> Diagnostic {
    Diagnostic::error(
        "dice/distribution-too-large",
        "the exact distribution needs more work than the limit allows",
    )
    .hint("ask about fewer dice or smaller numbers")
}
