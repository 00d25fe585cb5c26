//! Evaluates Luau that the game master types, in a ruling that is rolled back.

use crate::diag::{Diagnostic, Source};
use crate::game::attempt::change_log::{add_attaching_operation_hint, past_for_queries};
use crate::game::attempt::ruling_run::take_state_into_run;
use crate::game::ruling::input_source::SharedInputs;
use crate::game::ruling::policy::{Defaults, SharedPolicy};
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::{RememberedAnswer, Reply};
use crate::script::{self, EVALUATED, Run};

/// Evaluates Luau, a part of a line, in a ruling that is rolled back; its questions get their defaults.
///
/// Errors: `host/gm-only` for all but the game master, because it can read everything; the errors of the script.
pub fn evaluate_luau(timeline: &Timeline, ruling: &Ruling<'_>, text: &str) -> Reply {
    let (by, line) = (ruling.by(), ruling.line);
    if let Some(refusal) = gm_only_refusal(by, "can run Luau, because it can read every secret") {
        return Reply::refused(refusal);
    }
    let address_start = format!("preview/{}", timeline.history.next_ruling_number());
    let input_source =
        SharedInputs::with_seeded_dice(&timeline.dice.seed, &address_start, Vec::new())
            .with_policy(Some(SharedPolicy::new(Defaults)));
    let mut there = timeline.scratch_copy();
    let run = Run {
        past: Some(past_for_queries(timeline)),
        ..take_state_into_run(&mut there, ruling, ("eval", false), &input_source)
    };
    let last = ruling.caller.client.last_value();
    let (run, result) = timeline
        .generation()
        .run_scripts_catching_panics(|engine| script::evaluate_typed_luau(engine, run, text, last));
    let mut reply = match result {
        Ok(None) => Reply::default(),
        Ok(Some(found)) => Reply {
            remembered: RememberedAnswer::Value(found.value),
            ..Reply::line_to(by, found.shown)
        },
        Err(finding) => Reply::refused(add_attaching_operation_hint(
            timeline,
            move_place_into_line(finding, line, text),
        )),
    };
    reply.documents.splice(0..0, run.documents);
    reply.printed = timeline.generation().machine().take_printed();
    timeline.generation().rebuild_spent_machine();
    reply
}

/// Moves the place of a finding from the evaluated text to the line that contains it.
fn move_place_into_line(finding: Diagnostic, line: &str, text: &str) -> Diagnostic {
    let inner = finding
        .place
        .as_ref()
        .filter(|place| place.source.name() == EVALUATED)
        .map(|place| place.span);
    match inner {
        Some(span) => {
            let at = line.find(text).unwrap_or_default();
            finding.at(&Source::new("line", line), span.shifted(at))
        }
        None => finding,
    }
}
