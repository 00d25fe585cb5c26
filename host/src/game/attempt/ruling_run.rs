//! Runs a ruling: either all of it becomes an operation, or nothing does.

use crate::diag::{Diagnostic, Source, Span};
use crate::doc::Document;
use crate::game::attempt::change_log::{add_attaching_operation_hint, past_for_queries};
use crate::game::attempt::fiat_reason::{
    add_run_records_to_causes, check_fiat_reason, missing_fiat_reason_request,
};
use crate::game::attempt::lifecycle::{
    input_source_of_ruling, not_continued_refusal, running_or_next_ruling_number, settle_run_end,
};
use crate::game::attempt::procedure::Procedure;
use crate::game::attempt::refusal_span::{point_notation_refusal_to_line, point_to_words};
use crate::game::attempt::ruling_suspension::suspend_ruling;
use crate::game::question::question_numbers::number_questions_after_ruling;
use crate::game::ruling::input_source::{HAND_CODES, SharedInputs};
use crate::game::ruling::ruling_context::{Giver, Inputs, Ruling, Trace};
use crate::game::timeline::Timeline;
use crate::game::timeline::input::Input;
use crate::game::timeline::reply::{Reply, RuleRun};
use crate::script::{Checks, GM, Printed, Run};
use crate::store::limits::Room;
use crate::store::{Draft, Mark, State};
use crate::value::Value;

/// The maximum number of bytes in the documents of one command.
const OUTPUT: usize = 8 << 20;

/// The line that sets up a game.
pub(in crate::game) const NEW_GAME: &str = "new game";

/// A finished run of a ruling; its writes are still pending in the state.
pub(in crate::game) struct Attempt {
    pub(in crate::game) mark: Mark,
    pub(in crate::game) input_source: SharedInputs,
    pub(in crate::game) documents: Vec<Document>,
    pub(in crate::game) printed: Printed,
    /// The present step of a plan.
    pub(in crate::game) step: Option<String>,
    /// Whether it is a query.
    pub(in crate::game) is_query: bool,
    /// The rule that it ran, and its trace, if it was traced.
    pub(in crate::game) ran: RuleRun,
    /// The chain of causes; for a refused ruling, only the rule that it ran.
    pub(in crate::game) causes: Vec<Value>,
    /// The rule that it ran, and its rolls: the data that is kept while it waits.
    pub(in crate::game) root: Vec<Value>,
    pub(in crate::game) result: Result<(), Diagnostic>,
}

/// Runs the ruleset's `setup`, with a line and a giver that are always the same.
pub(in crate::game) fn run_setup_ruling(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Reply {
    let giver = Giver {
        seat: GM,
        ..ruling.giver
    };
    let ruling = Ruling {
        giver,
        line: NEW_GAME,
        ..*ruling
    };
    run_ruling(timeline, &ruling, Procedure::Setup)
}

/// Runs a ruling: either all of it becomes an operation, or nothing does.
pub(in crate::game) fn run_ruling(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    procedure: Procedure<'_>,
) -> Reply {
    let attempt = attempt_procedure(timeline, ruling, procedure);
    let printed = attempt.printed.clone();
    let asked = missing_fiat_reason_request(ruling, &attempt);
    let mut reply = settle_attempt(timeline, ruling, attempt);
    reply.findings.extend(asked);
    reply.printed = printed;
    timeline.generation().rebuild_spent_machine();
    reply
}

/// Runs a procedure and leaves its writes pending.
pub(in crate::game) fn attempt_procedure(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    procedure: Procedure<'_>,
) -> Attempt {
    let (rule, is_query) = (procedure.rule(), procedure.is_query());
    let input_source = input_source_of_ruling(timeline, ruling);
    let mark = timeline.state.mark();
    let mut run = take_state_into_run(timeline, ruling, (&rule, is_query), &input_source);
    if ruling.trace == Trace::On {
        run.start_trace(&rule);
    }
    let (mut run, result) = timeline
        .generation()
        .run_scripts_catching_panics(|engine| procedure.run(engine, run));
    let (lines, left_out) = run.take_trace();
    let recorded = run.take_run_record();
    timeline.state = run.state;
    let printed = timeline.generation().machine().take_printed();
    let result = match not_continued_refusal(timeline, ruling, &input_source, &result) {
        Some(finding) => Err(finding),
        None => settle_run_end(timeline, ruling, &input_source, result)
            .and_then(|()| match is_query {
                true => Ok(()),
                false => number_questions_after_ruling(timeline, ruling, &rule, &input_source),
            })
            .map_err(|finding| {
                let finding = point_notation_refusal_to_line(timeline, finding, ruling);
                point_dice_refusal_to_line(point_to_words(timeline, finding, ruling), ruling.line)
            }),
    };
    let result = result.and_then(|()| check_fiat_reason(timeline, &recorded, &input_source));
    let mut root = root_causes(&rule);
    add_run_records_to_causes(timeline, &recorded, &mut root);
    let causes = match &result {
        Ok(()) if !timeline.dice.records_operation_details() => Vec::new(),
        Ok(()) => {
            let mut causes =
                run.motion
                    .causes
                    .written_causes_as_values(&rule, &timeline.state, mark);
            add_run_records_to_causes(timeline, &recorded, &mut causes);
            causes
        }
        Err(_) => root.clone(),
    };
    Attempt {
        ran: RuleRun {
            rule,
            lines,
            left_out,
        },
        is_query,
        causes,
        root,
        mark,
        input_source,
        documents: run.documents,
        step: run.step,
        printed,
        result,
    }
}

/// Keeps the changes of a ruling, rolls them back for a query or a refusal, or lets the ruling wait.
pub(in crate::game) fn settle_attempt(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    mut attempt: Attempt,
) -> Reply {
    let ran = std::mem::take(&mut attempt.ran);
    let reply = match (&attempt.result, attempt.input_source.questions_at_stop()) {
        (Ok(()), Some(open)) => suspend_ruling(timeline, ruling, (&ran.rule, attempt), open),
        (Ok(()), None) => settle_finished_attempt(timeline, ruling, attempt),
        (Err(_), _) => settle_refused_attempt(timeline, ruling, attempt),
    };
    Reply {
        ran: Some(ran),
        ..reply
    }
}

fn settle_finished_attempt(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    attempt: Attempt,
) -> Reply {
    let documents = attempt.documents;
    if attempt.is_query {
        timeline.state.rollback(attempt.mark);
        return Reply {
            documents,
            ..Reply::default()
        };
    }
    let used = attempt.input_source.used_inputs();
    let draft = draft_operation(timeline, ruling, &used, (&documents, attempt.causes));
    let operation = timeline
        .history
        .record_ruling(&mut timeline.state, attempt.mark, draft);
    Reply {
        op: Some(operation.seq),
        documents,
        ..Reply::default()
    }
}

fn settle_refused_attempt(timeline: &mut Timeline, ruling: &Ruling<'_>, attempt: Attempt) -> Reply {
    timeline.state.rollback(attempt.mark);
    let finding = match attempt.result {
        // A standing answer that does not fit the waiting question is ignored.
        Err(_)
            if ruling.is_continued_by_standing_answer()
                && attempt.input_source.wrong_answer_refusal().is_some() =>
        {
            return Reply::default();
        }
        Err(finding) => add_attaching_operation_hint(timeline, finding),
        Ok(()) => return Reply::default(),
    };
    if !attempt.is_query {
        let used = attempt.input_source.used_inputs();
        let draft = draft_operation(timeline, ruling, &used, (&[], attempt.causes));
        let (code, message) = (finding.code.to_string(), finding.message.clone());
        timeline
            .history
            .record_refused_command(&timeline.state, draft, code, message);
    }
    Reply::refused(finding)
}

/// Moves the state of a line of the game into a new run; the caller moves the state back.
pub(in crate::game) fn take_state_into_run(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    (rule, query): (&str, bool),
    input_source: &SharedInputs,
) -> Run {
    let stand_in = timeline.state.empty_placeholder();
    let ruling_number = running_or_next_ruling_number(timeline, ruling);
    let past = query.then(|| past_for_queries(timeline));
    let checks = match ruling.inputs {
        // Recorded rules are checked with the checks of their time, also for a line that is given now.
        Inputs::Live => ruling
            .checks
            .combined_with(timeline.generation().files().checks),
        _ => ruling.checks,
    };
    timeline.state.set_write_limits(match checks {
        Checks::Now => Room::GIVEN,
        Checks::Then => Room::ENDLESS,
    });
    let state = std::mem::replace(&mut timeline.state, stand_in);
    Run {
        output_left: OUTPUT,
        by: ruling.by().to_owned(),
        slot: ruling_number,
        log_line: timeline.history.next_log_line(),
        cause: ruling_cause(ruling_number, rule),
        query,
        is_attended: ruling.caller.responders.attended,
        tells_causes: timeline.dice.records_operation_details(),
        past,
        checks,
        ..Run::new(
            state,
            Box::new(input_source.clone()),
            &timeline.game.ruleset,
        )
    }
}

/// Returns the operation of a ruling, built from its used inputs and its output.
pub(in crate::game) fn draft_operation(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    used: &[Input],
    (documents, causes): (&[Document], Vec<Value>),
) -> Draft {
    let (giver, line) = ruling.recorded_giver_and_line();
    let (used, documents, causes) = match timeline.dice.records_operation_details() {
        true => (used, documents, causes),
        false => (&[][..], &[][..], Vec::new()),
    };
    Draft {
        by: giver.seat.into(),
        through: giver.entered_by.map(Into::into),
        command: line.into(),
        slot: ruling.waiting_ruling().map(|waiting| waiting.ruling_number),
        rules: timeline.generation().hash().into(),
        inputs: used.iter().map(Input::to_value).collect(),
        causes,
        documents: documents.iter().map(Document::to_value).collect(),
    }
}

/// Makes a ruling of the host itself from writes and the documents about them. A refusal rolls the writes back.
pub fn make_host_ruling(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    body: impl FnOnce(&mut State) -> Result<Vec<Document>, Diagnostic>,
) -> Reply {
    let mark = timeline.state.mark();
    match body(&mut timeline.state) {
        Ok(documents) => {
            let draft = draft_operation(timeline, ruling, &[], (&documents, Vec::new()));
            let operation = timeline
                .history
                .record_ruling(&mut timeline.state, mark, draft);
            Reply {
                op: Some(operation.seq),
                documents,
                ..Reply::default()
            }
        }
        Err(finding) => {
            timeline.state.rollback(mark);
            Reply::refused(finding)
        }
    }
}

/// Returns the cause for a ruling, for the records that it makes and for its operation.
fn ruling_cause(ruling_number: u64, rule: &str) -> Value {
    let ruling_number = i64::try_from(ruling_number).unwrap_or(i64::MAX);
    Value::map([
        ("ruling", Value::from(ruling_number)),
        ("rule", rule.into()),
    ])
}

/// Returns the causes of a ruling that makes no record: the rule that it ran.
pub(in crate::game) fn root_causes(rule: &str) -> Vec<Value> {
    let zero = || Value::from(0);
    vec![Value::map([
        ("n", zero()),
        ("parent", zero()),
        ("rule", rule.into()),
    ])]
}

/// Points a refusal about typed dice to the typed line and removes its trace.
fn point_dice_refusal_to_line(finding: Diagnostic, line: &str) -> Diagnostic {
    if !HAND_CODES.contains(&&*finding.code) {
        return finding;
    }
    let finding = finding.at(&Source::new("line", line), Span::new(0, line.len()));
    Diagnostic {
        trace: Vec::new(),
        ..finding
    }
}
