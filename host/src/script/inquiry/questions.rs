//! Asks the questions of a running ruling, for scripts and for the host itself.
//!
//! In: questions. Out: their answers, or the ruling unwinds like one that passed a limit. Nothing stays borrowed while
//! texts from people are read, because the names of a ruleset may come from its functions.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::Lua;

use super::answer_reader::{Answers, check_answer_type};
use super::game_names::{GameNames, ask_ruleset_names};
use super::seats::known_seats;
use super::viewers::viewer_of_person;
use crate::diag::{Diagnostic, near_hint};
use crate::doc::Viewer;
use crate::script::border::stack_value::This;
use crate::script::fuel::Limit;
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::run::chance::NoChance;
use crate::script::run::question::{Question, ReplyType};
use crate::script::run::trace::{self, Step};
use crate::store::clock::Clock;
use crate::text::NameTable;
use crate::value::Value;

/// Most bytes of the texts of one question, which is kept in one cell.
pub(crate) const BYTES: usize = 3 << 10;
/// Most options of one question.
pub(crate) const OPTIONS: usize = 100;

/// Asks several people at once and returns their answers in the same order.
///
/// Errors: a question that cannot be asked; or the ruling unwinds, because it waits for an answer.
pub(crate) fn ask_people(
    lua: &Lua,
    host: &Host,
    act: This,
    questions: Vec<Question>,
) -> mlua::Result<Vec<Value>> {
    let rules = Rc::clone(&host.rules.borrow());
    let questions = check_questions(host, questions)?;
    let mut chance = {
        let mut run = host.ruling_to_ask(act)?;
        std::mem::replace(&mut run.chance, Box::new(NoChance))
    };
    let failed: RefCell<Option<mlua::Error>> = RefCell::default();
    let answers = {
        let state = host.ruling(act)?.state.fork();
        let found = |name: &str| {
            ask_ruleset_names(lua, host, &rules, name).unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                NameTable::default()
            })
        };
        let reader = |to: &str| {
            viewer_of_person(host, to).unwrap_or_else(|error| {
                failed.borrow_mut().get_or_insert(error);
                Viewer::Public
            })
        };
        let charge = |fuel: u64| {
            // A limit that is passed here ends the script at its next safe point.
            let _ = host.meter.charge(fuel);
        };
        let names = |to: &str| {
            let to = to.to_owned();
            GameNames::new(&rules, &state, move || reader(&to), found, charge)
        };
        let answers = Answers {
            rules: &rules,
            names: &names,
            now: Clock::from_state(&state, &rules.phases).time,
        };
        chance.ask(&questions, &answers)
    };
    host.ruling(act)?.chance = chance;
    if let Some(error) = failed.into_inner() {
        return Err(error);
    }
    trace_questions(lua, host, act, &questions, &answers)?;
    match answers {
        Ok(Some(answers)) => Ok(answers),
        Ok(None) => Err(HostError::error_of_limit(
            host.meter.note_passed_limit(Limit::Waits),
        )),
        Err(finding) => Err(HostError::error_of_finding(finding)),
    }
}

/// Notes questions with their answers, if the run is traced.
fn trace_questions(
    lua: &Lua,
    host: &Host,
    act: This,
    questions: &[Question],
    answers: &Result<Option<Vec<Value>>, Box<Diagnostic>>,
) -> mlua::Result<()> {
    let mut run = host.ruling(act)?;
    let answered = answers.as_ref().ok().and_then(Option::as_ref);
    for (at, question) in questions.iter().enumerate() {
        trace::note_step(lua, &mut run, || Step::Asked {
            to: question.to.clone(),
            text: question.text.clone(),
            answer: answered.and_then(|answers| answers.get(at).cloned()),
        });
    }
    Ok(())
}

/// Checks all fields of a question, and finds the people who may answer.
pub(crate) fn check_questions(
    host: &Host,
    questions: Vec<Question>,
) -> mlua::Result<Vec<Question>> {
    let rules = Rc::clone(&host.rules.borrow());
    let seats = known_seats(host, &rules)?;
    let mut checked = Vec::with_capacity(questions.len());
    for mut question in questions {
        question.to = seats
            .recorded_addressee(&question.to)
            .map_err(HostError::error_of_finding)?;
        question.members = seats.answering_seats(&question.to);
        if let ReplyType::Named(name) = &question.reply {
            check_answer_type(&rules, name).map_err(HostError::error_of_finding)?;
        }
        check_question_size(&question).map_err(HostError::error_of_finding)?;
        check_default_answer(&question).map_err(HostError::error_of_finding)?;
        host.charge(4)?;
        checked.push(question);
    }
    Ok(checked)
}

fn check_question_size(question: &Question) -> Result<(), Box<Diagnostic>> {
    let refused = |message: String| Err(Box::new(Diagnostic::error("limit/size", message)));
    let bytes = question.byte_size();
    if bytes > BYTES {
        return refused(format!(
            "a question may have {BYTES} bytes with its options, \"{}\" has {bytes}",
            question.key,
        ));
    }
    match &question.reply {
        ReplyType::Options(options) if options.len() > OPTIONS => refused(format!(
            "a question may have {OPTIONS} options, \"{}\" has {}",
            question.key,
            options.len()
        )),
        ReplyType::Options(_) | ReplyType::Named(_) => Ok(()),
    }
}

fn check_default_answer(question: &Question) -> Result<(), Box<Diagnostic>> {
    let fits = match (&question.reply, &question.default) {
        (_, Value::Nil) => true,
        (ReplyType::Named(name), default) if name == crate::script::run::question::YES_NO => {
            default.as_bool().is_some()
        }
        (ReplyType::Named(_), _) => true,
        (ReplyType::Options(options), default) => default
            .as_str()
            .is_some_and(|text| options.iter().any(|one| one == text)),
    };
    if fits {
        return Ok(());
    }
    let message = format!(
        "the default {} is not an answer to \"{}\"",
        question.default, question.key
    );
    let texts = question.reply.answer_texts();
    let near = near_hint(&question.default.to_string(), texts.iter().copied());
    Err(Box::new(
        Diagnostic::error("script/argument", message)
            .hint(near)
            .hint(format!("the possible answers are {}", texts.join(" or "))),
    ))
}
