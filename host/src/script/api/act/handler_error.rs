//! Decisions about a handler that breaks, and about a command that a handler refuses.

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::named_work::cut_cause_name;
use super::refusal_fields::diagnostic_of_refusal;
use crate::diag::Diagnostic;
use crate::script::border::GM;
use crate::script::border::printed_lines::value_as_printed;
use crate::script::border::stack_value::This;
use crate::script::host::Host;
use crate::script::host::error_findings::shorten_error_text;
use crate::script::inquiry::questions::ask_people;
use crate::script::rules::Rules;
use crate::script::run::Run;
use crate::script::run::cause_chain::add_cause_chain;
use crate::script::run::checks_in_force::Checks;
use crate::script::run::question::{BROKEN, Question, ReplyType};
use crate::value::{Name, Text};

/// Answers to the question about a command in which a rule breaks.
const SKIP: &str = "skip this rule";
const STOP: &str = "stop";

/// A rule that broke.
pub(super) struct Broken {
    /// Its name.
    pub(super) rule: Text,
    /// Its name for people, if that is a different one.
    pub(super) what: Option<Text>,
    /// The row that has the rule.
    pub(super) element: Option<Text>,
}

/// Decides about a handler that broke. Rolls back to its savepoint and asks the game master whether the command goes on
/// without the handler. Then the emission continues after it.
///
/// Errors: the command stops: a limit, a waiting ruling, a refusal, or the game does not go on without the rule.
pub(super) fn handle_broken_handler(
    lua: &Lua,
    host: &Host,
    (act, problem, called): (This, LuaValue, Option<String>),
) -> mlua::Result<()> {
    let mut next = 0;
    decide_about_broken_rule(lua, host, (act, problem), |run| {
        let broken = run.roll_back_current_handler()?;
        next = broken.at + 1;
        let text = |name: Name| run.state.names().text(name);
        Some(Broken {
            rule: broken.key.unwrap_or_else(|| text(broken.rule)),
            what: broken
                .what
                .or_else(|| called.as_deref().map(cut_cause_name)),
            element: broken.element.map(text),
        })
    })?;
    let mut run = host.ruling(act)?;
    if let Some(frame) = run.motion.frames.last_mut() {
        frame.from = next;
    }
    Ok(())
}

/// Decides about a rule that broke. The function `take_back` takes back its changes and returns the rule.
///
/// Errors: the command stops.
pub(super) fn decide_about_broken_rule(
    lua: &Lua,
    host: &Host,
    (act, problem): (This, LuaValue),
    take_back: impl FnOnce(&mut Run) -> Option<Broken>,
) -> mlua::Result<()> {
    let error = match problem {
        LuaValue::Error(error) => *error,
        other => mlua::Error::runtime(value_as_printed(&other)),
    };
    if host.is_stopped() {
        return Err(error);
    }
    let (finding, question, known_by) = {
        let mut run = host.ruling_outside_expressions(act, "cannot run rules")?;
        let rules = Rc::clone(&host.rules.borrow());
        let finding = add_cause_chain(&run, host.diagnose(&error, &rules.sources));
        let Some(broken) = take_back(&mut run) else {
            return Err(error);
        };
        let finding = place_at_definition(finding, &rules, &broken.rule);
        let question = run
            .is_attended
            .then(|| broken_rule_question(&broken, &finding));
        let place = finding.place.as_ref().map(ToString::to_string);
        let known_by = (broken.rule, broken.what.or(broken.element), place);
        (finding, question, known_by)
    };
    let Some(question) = question else {
        return Err(host.stop_command(finding));
    };
    // A rule that broke on a recorded line always led to the question.
    let is_skipped = {
        let run = host.ruling(act)?;
        run.checks == Checks::Now && run.skipped.contains(&known_by)
    };
    if !is_skipped {
        let answer = ask_people(lua, host, act, vec![question])?.pop();
        if answer.is_none_or(|answer| answer.as_str() != Some(SKIP)) {
            return Err(host.stop_command(finding));
        }
        host.ruling(act)?.skipped.insert(known_by);
    }
    host.forget_raised();
    Ok(())
}

/// Returns a finding with the file of the broken rule, if the machine has no line of it.
fn place_at_definition(finding: Diagnostic, rules: &Rules, rule: &str) -> Diagnostic {
    match rules.definition_of_rule(rule) {
        Some(definition) if finding.place.is_none() => {
            finding.at(&definition.source, definition.span)
        }
        Some(_) | None => finding,
    }
}

/// Returns the question about a command in which a rule breaks.
fn broken_rule_question(broken: &Broken, finding: &Diagnostic) -> Question {
    let Broken {
        rule,
        what,
        element,
    } = broken;
    let called = match (what, element) {
        (Some(what), _) => format!(" ({what})"),
        (None, Some(element)) => format!(" of {element}"),
        (None, None) => String::new(),
    };
    let place = finding.place.as_ref();
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    let message = shorten_error_text(&finding.message);
    Question {
        to: GM.to_owned(),
        members: Vec::new(),
        key: format!("{BROKEN}{rule}"),
        who: element
            .as_ref()
            .map_or_else(|| "-".to_owned(), ToString::to_string),
        reply: ReplyType::Options(vec![SKIP.to_owned(), STOP.to_owned()]),
        default: STOP.into(),
        deadline: None,
        text: format!(
            "the rule {rule}{called} breaks{place}: {message}. Go on without it (skip), or take the whole command back (stop)?"
        ),
    }
}

/// Refuses the whole command with the value that a handler returned.
pub(super) fn refuse_command(
    _: &Lua,
    host: &Host,
    (act, result): (This, Table),
) -> mlua::Result<()> {
    drop(host.ruling(act)?);
    Err(host.stop_command(diagnostic_of_refusal(&result)))
}
