//! Answers prompts: the answer is a ruling of its own, and runs the continuation that the prompt names.

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::attempt::lifecycle::running_or_next_ruling_number;
use crate::game::attempt::procedure::{Next, Procedure};
use crate::game::attempt::ruling_run::{make_host_ruling, run_ruling};
use crate::game::question::open_questions::open_question_of_prompt;
use crate::game::ruling::input_source::GivenAnswer;
use crate::game::ruling::ruling_context::{Inputs, Ruling};
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::encode_address_part;
use crate::script::{Continuation, Question};
use crate::store::Write;
use crate::value::{Name, Value};

/// Answers a prompt in a new ruling. Errors: the prompt no longer exists.
pub(in crate::game) fn answer_prompt(
    timeline: &mut Timeline,
    row: Name,
    given: &GivenAnswer,
    ruling: &Ruling<'_>,
) -> Reply {
    let Some(open) = open_question_of_prompt(timeline, row) else {
        return Reply::refused(prompt_gone_refusal(&timeline.state.names().text(row)));
    };
    let (key, who) = (
        encode_address_part(&open.question.key),
        encode_address_part(&open.question.who),
    );
    let address = format!(
        "{}/{key}/{who}/1",
        timeline
            .prefixes
            .address_start_of_ruling(running_or_next_ruling_number(timeline, ruling))
    );
    let inputs = Inputs::Answered(&address, given);
    let ruling = Ruling { inputs, ..*ruling };
    run_prompt_continuation(timeline, row, open.question, &ruling)
}

/// Runs the answer of a prompt again; the answer itself is recorded.
pub(in crate::game) fn rerun_prompt_answer(
    timeline: &mut Timeline,
    id: &str,
    ruling: &Ruling<'_>,
) -> Reply {
    let row = timeline.state.names().find(id);
    let open = row.and_then(|row| Some((row, open_question_of_prompt(timeline, row)?)));
    match open {
        Some((row, open)) => run_prompt_continuation(timeline, row, open.question, ruling),
        None => Reply::refused(prompt_gone_refusal(id)),
    }
}

/// Returns the continuation of a prompt, which takes its answer. Errors: its definition is gone.
pub(in crate::game) fn continuation_of_prompt(
    timeline: &Timeline,
    row: Name,
) -> Result<Next, Diagnostic> {
    let names = timeline.state.names();
    let field = |name: &str| {
        let field = names.find(name);
        field.map_or(Value::Nil, |field| timeline.state.get(row, field).clone())
    };
    let (run, hash, values) = (field("run").to_string(), field("hash"), field("values"));
    let continuation = Continuation::find_continuation(&timeline.rules(), &run).map_err(|refusal| {
        refusal.hint(format!(
            "the answer cannot be used until the rules contain \"{run}\" again; `drop` cancels the question"
        ))
    })?;
    Ok(Next {
        is_changed: hash.as_str() != Some(continuation.hash.as_str()),
        continuation,
        values,
    })
}

fn run_prompt_continuation(
    timeline: &mut Timeline,
    row: Name,
    question: Question,
    ruling: &Ruling<'_>,
) -> Reply {
    let id = timeline.state.names().text(row);
    let next = match continuation_of_prompt(timeline, row) {
        Ok(next) => next,
        Err(refusal) => return Reply::refused(refusal),
    };
    let goes_on = Procedure::Continuation(&next, row, &id, &question);
    let mut reply = run_ruling(timeline, ruling, goes_on);
    if next.is_changed {
        let run = next.continuation.name();
        let message = format!("the rule \"{run}\" has changed since {id} was asked");
        let finding = Diagnostic::warning("ask/changed", message);
        reply
            .findings
            .push(finding.hint("the answer was handled by the new version of the rule"));
    }
    reply
}

/// Drops a prompt.
pub(in crate::game) fn drop_prompt(
    timeline: &mut Timeline,
    row: Name,
    ruling: &Ruling<'_>,
) -> Reply {
    let text = format!("dropped: {}", timeline.state.names().text(row));
    make_host_ruling(timeline, ruling, |state| {
        let removed = state.apply(Write::Remove { row });
        removed.map_err(|error| error.to_diagnostic())?;
        let said = paragraph(text);
        Ok(vec![Document::new([said]).limit_to_audience(Audience::Gm)])
    })
}

fn prompt_gone_refusal(id: &str) -> Diagnostic {
    Diagnostic::error(
        "answer/no-question",
        format!("{id} was withdrawn or already answered"),
    )
}
