//! Continues, restarts and drops waiting rulings. A suspended run is discarded, and an answer runs its command again
//! with the recorded inputs.

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::answer::prompt_answer::{drop_prompt, rerun_prompt_answer};
use crate::game::attempt::recorded_rules::run_under_recorded_rules;
use crate::game::attempt::ruling_run::{make_host_ruling, run_setup_ruling};
use crate::game::attempt::ruling_suspension::answers_given_so_far;
use crate::game::command::dispatch::dispatch_line;
use crate::game::question::open_questions::{QuestionPlace, open_questions};
use crate::game::question::stale_rulings::add_ways_out_hint;
use crate::game::ruling::input_source::{GivenAnswer, HandDie};
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::ruling_context::{Ruling, RulingNumber};
use crate::game::ruling::typed_dice;
use crate::game::ruling::waiting_ruling::{self, Waiting};
use crate::game::timeline::Timeline;
use crate::game::timeline::input::{Input, is_automatic_giver};
use crate::game::timeline::reply::Reply;
use crate::game::timeline::ruling_numbers::DROPPED;
use crate::script::{GM, PROMPT};
use crate::value::Name;

/// Continues a ruling with answers by address.
pub(in crate::game) fn continue_ruling(
    timeline: &mut Timeline,
    waiting: Waiting,
    answers: impl IntoIterator<Item = (String, GivenAnswer)>,
    ruling: &Ruling<'_>,
) -> Reply {
    let given = answers_given_so_far(&waiting).chain(answers).collect();
    let resumption = Resumption {
        given,
        ..Resumption::of(waiting, ruling)
    };
    run_resumption(timeline, &resumption, ruling)
}

/// Runs a waiting ruling again from its start, without its recorded part, under the same ruling number.
pub fn restart_ruling(timeline: &mut Timeline, ruling_number: u64, ruling: &Ruling<'_>) -> Reply {
    let mut waiting = match waiting_ruling_for_gm(timeline, ruling_number, ruling.by()) {
        Ok(waiting) => waiting,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let hand = typed_dice_of_transcript(&std::mem::take(&mut waiting.transcript));
    waiting.open.clear();
    waiting.is_pinned = false;
    let resumption = Resumption {
        hand,
        ..Resumption::of(waiting, ruling)
    };
    run_resumption(timeline, &resumption, ruling)
}

/// Continues a waiting ruling under the rules of its beginning, and keeps these rules for its later answers.
pub fn finish_under_original_rules(
    timeline: &mut Timeline,
    ruling_number: u64,
    ruling: &Ruling<'_>,
) -> Reply {
    let mut waiting = match waiting_ruling_for_gm(timeline, ruling_number, ruling.by()) {
        Ok(waiting) => waiting,
        Err(refusal) => return Reply::refused(*refusal),
    };
    if waiting.is_pinned || waiting.rules == timeline.generation().hash() {
        let number = timeline.log_line_of_ruling(waiting.ruling_number);
        let message = format!("ruling {number} already uses the rules that it started with");
        return Reply::refused(Diagnostic::error("ask/same-rules", message).hint(format!(
            "answer its question, or type `restart {number}` or `drop {number}`"
        )));
    }
    waiting.is_pinned = true;
    continue_ruling(timeline, waiting, [], ruling)
}

/// Drops a waiting ruling, or a prompt, by the number of a question, a ruling or a prompt.
pub fn drop_ruling_or_prompt(
    timeline: &mut Timeline,
    number: Option<&str>,
    ruling: &Ruling<'_>,
) -> Reply {
    let by = ruling.by();
    if let Some(row) = only_matching_prompt(timeline, by, |one| number == Some(one)) {
        return drop_prompt(timeline, row, ruling);
    }
    match find_waiting_ruling_number(timeline, by, number) {
        Ok(ruling_number) => drop_waiting_ruling(timeline, ruling_number, ruling),
        Err(refusal) => {
            let is_own = |one: &str| number.is_some() && one.split('.').next_back() == number;
            match only_matching_prompt(timeline, by, is_own) {
                Some(row) => drop_prompt(timeline, row, ruling),
                None => Reply::refused(add_prompts_hint(timeline, by, *refusal)),
            }
        }
    }
}

/// Returns the only waiting prompt with a matching number, for the game master.
fn only_matching_prompt(
    timeline: &Timeline,
    by: &str,
    is_meant: impl Fn(&str) -> bool,
) -> Option<Name> {
    let mut meant = open_questions(timeline)
        .into_iter()
        .filter(|one| by == GM && is_meant(&one.number));
    match (meant.next()?.place, meant.next()) {
        (QuestionPlace::Prompt(row), None) => Some(row),
        (QuestionPlace::Prompt(_) | QuestionPlace::Ruling { .. }, _) => None,
    }
}

/// Drops the waiting ruling with a ruling number.
pub fn drop_waiting_ruling(
    timeline: &mut Timeline,
    ruling_number: u64,
    ruling: &Ruling<'_>,
) -> Reply {
    let waiting = match waiting_ruling_for_gm(timeline, ruling_number, ruling.by()) {
        Ok(waiting) => waiting,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let told = dropped_ruling_notices(timeline, &waiting);
    let reply = make_host_ruling(timeline, ruling, |state| {
        let mut dice = typed_dice_of_transcript(&waiting.transcript);
        dice.extend(typed_dice::typed_dice_not_yet_used(state));
        waiting_ruling::remove_waiting_ruling(state, ruling_number)
            .and_then(|()| typed_dice::store_typed_dice(state, &dice))
            .map_err(|error| error.to_diagnostic())?;
        Ok(told)
    });
    Reply {
        dropped: reply.op.map(|_| ruling_number),
        ..reply
    }
}

/// Returns the ruling number of the ruling that a user names. A ruling is named by the log line of its beginning or of
/// its last continuation, or by a question number such as `12.1`. Without a number, the result is the only waiting
/// ruling.
///
/// Errors: there is none, or there are several; a seat gets no information about any of them.
pub fn find_waiting_ruling_number(
    timeline: &Timeline,
    by: &str,
    number: Option<&str>,
) -> Result<u64, Box<Diagnostic>> {
    check_gm_decides_rulings(by)?;
    if let Some(number) = number {
        let first = number.split('.').next().unwrap_or_default();
        let named = first.parse().map_err(|_| not_a_number_refusal(number))?;
        let in_line =
            || waiting_ruling_number_of_log_line(timeline, named).filter(|_| first == number);
        return match waiting_ruling_number_for_people(timeline, named) {
            Some(ruling_number) => Ok(ruling_number),
            None => in_line().ok_or_else(|| no_waiting_ruling_refusal(timeline, named)),
        };
    }
    let waiting = waiting_ruling::waiting_rulings(&timeline.state);
    match waiting.as_slice() {
        [one] => Ok(one.ruling_number),
        [] => Err(Box::new(Diagnostic::error(
            "ask/not-waiting",
            "no ruling is waiting",
        ))),
        several => {
            let numbers: Vec<String> = several
                .iter()
                .map(|one| {
                    let line = timeline.log_line_of_ruling(one.ruling_number);
                    format!("{line} {}", one.command)
                })
                .collect();
            let message = format!("{} rulings are waiting", numbers.len());
            let finding = Diagnostic::error("answer/which", message);
            Err(Box::new(finding.hint(format!(
                "choose one by number: {}",
                numbers.join(", ")
            ))))
        }
    }
}

/// Returns the ruling number of the waiting ruling that people name by a number.
fn waiting_ruling_number_for_people(timeline: &Timeline, number: u64) -> Option<u64> {
    let mut ruling_numbers = waiting_ruling::waiting_rulings(&timeline.state)
        .into_iter()
        .map(|one| one.ruling_number);
    ruling_numbers.find(|ruling_number| timeline.log_line_of_ruling(*ruling_number) == number)
}

/// Returns the ruling number of the waiting ruling that a line of the log let go on.
fn waiting_ruling_number_of_log_line(timeline: &Timeline, line: u64) -> Option<u64> {
    let operation = timeline.history().operation(line)?;
    let ruling_number = operation.slot?;
    let is_put = waiting_ruling::changes_suspend_ruling(
        &operation.changes,
        timeline.state.names(),
        ruling_number,
    );
    let waiting = waiting_ruling::waiting_ruling_by_ruling_number(&timeline.state, ruling_number);
    (is_put && waiting.is_some()).then_some(ruling_number)
}

/// Returns a waiting ruling for the game master. Errors: the user is not the game master, or no ruling with this number
/// waits.
fn waiting_ruling_for_gm(
    timeline: &Timeline,
    ruling_number: u64,
    by: &str,
) -> Result<Waiting, Box<Diagnostic>> {
    check_gm_decides_rulings(by)?;
    waiting_ruling::waiting_ruling_by_ruling_number(&timeline.state, ruling_number)
        .ok_or_else(|| no_waiting_ruling_refusal(timeline, ruling_number))
}

/// Returns the refusal for a number that names no waiting ruling, with the numbers of the waiting rulings.
fn no_waiting_ruling_refusal(timeline: &Timeline, number: u64) -> Box<Diagnostic> {
    let waiting = waiting_ruling::waiting_rulings(&timeline.state);
    let numbers: Vec<String> = waiting
        .iter()
        .map(|one| timeline.log_line_of_ruling(one.ruling_number).to_string())
        .collect();
    let message = format!("no waiting ruling has the number {number}");
    let hint = match numbers.join(", ") {
        none if none.is_empty() => "no ruling is waiting".to_owned(),
        numbers => format!("waiting rulings: {numbers}"),
    };
    Box::new(Diagnostic::error("ask/not-waiting", message).hint(hint))
}

/// Adds the prompts that may be dropped, for the game master.
fn add_prompts_hint(timeline: &Timeline, by: &str, refusal: Diagnostic) -> Diagnostic {
    let open = open_questions(timeline).into_iter();
    let prompts = open.filter(|one| by == GM && matches!(one.place, QuestionPlace::Prompt(_)));
    let prompts: Vec<String> = prompts.map(|one| one.number).collect();
    match prompts.join(", ") {
        none if none.is_empty() => refusal,
        numbers => refusal.hint(format!("open prompts: {numbers}")),
    }
}

/// Runs a waiting ruling again with its answers; a pinned ruling runs under the rules of its beginning.
pub(in crate::game) fn run_resumption(
    timeline: &mut Timeline,
    resumption: &Resumption,
    ruling: &Ruling<'_>,
) -> Reply {
    let waiting = &resumption.waiting;
    if !waiting.is_pinned {
        return run_line_again(timeline, resumption, ruling);
    }
    let ran = run_under_recorded_rules(timeline, ruling.caller, &waiting.rules, |session| {
        run_line_again(session, resumption, ruling)
    });
    ran.unwrap_or_else(|refusal| Reply::refused(*refusal))
}

/// Gives the line of a ruling again under its ruling number; the run finds the recorded part there.
fn run_line_again(timeline: &mut Timeline, resumption: &Resumption, ruling: &Ruling<'_>) -> Reply {
    let waiting = &resumption.waiting;
    let ruling = Ruling {
        ruling_number: RulingNumber::Held(resumption),
        inputs: ruling.inputs,
        ..ruling.with_line(&waiting.by, &waiting.command)
    };
    let reply = match waiting.rule.as_str() {
        "setup" => run_setup_ruling(timeline, &ruling),
        rule if rule.starts_with(&format!("{PROMPT}#")) => {
            rerun_prompt_answer(timeline, rule, &ruling)
        }
        _ => dispatch_line(timeline, &ruling),
    };
    if reply.ran.is_some() {
        return reply;
    }
    let message = format!("\"{}\" no longer runs a rule", waiting.command);
    let why = reply.refusal.map_or_else(String::new, |why| why.message);
    let finding = Diagnostic::error("ask/stale", message).hint(why);
    Reply::refused(add_ways_out_hint(timeline, finding, waiting))
}

fn not_a_number_refusal(text: &str) -> Box<Diagnostic> {
    let message = format!("no waiting ruling has the number \"{text}\"");
    Box::new(
        Diagnostic::error("ask/not-waiting", message).hint("`questions` lists the open questions"),
    )
}

fn check_gm_decides_rulings(by: &str) -> Result<(), Box<Diagnostic>> {
    let refusal = || {
        let message = "only the game master can restart, finish or drop a waiting ruling";
        Box::new(Diagnostic::error("ask/not-yours", message))
    };
    (by == GM).then_some(()).ok_or_else(refusal)
}

/// Returns notices to the game master and to the giver of the command that the command is dropped.
fn dropped_ruling_notices(timeline: &Timeline, waiting: &Waiting) -> Vec<Document> {
    let Waiting {
        ruling_number,
        command,
        ..
    } = waiting;
    let text = format!("{DROPPED}{ruling_number} {command}");
    let mut told = vec![Document::new([paragraph(text)]).limit_to_audience(Audience::Gm)];
    let is_seat = waiting.by != GM && !is_automatic_giver(&waiting.by);
    if let (true, Ok(giver)) = (is_seat, Audience::parse(&waiting.by)) {
        let text = timeline
            .words()
            .fill("lost.command", &[("command", command)]);
        told.push(Document::new([paragraph(text)]).limit_to_audience(giver));
    }
    told
}

/// Returns the dice of a transcript that people typed.
pub(in crate::game) fn typed_dice_of_transcript(transcript: &[Input]) -> Vec<HandDie> {
    let typed = transcript.iter().filter_map(|input| match input {
        Input::Die(die) if die.typed => Some(HandDie {
            face: die.face,
            sides: Some(die.sides),
        }),
        Input::Die(_) | Input::Answer(_) => None,
    });
    typed.collect()
}
