//! This module decides what becomes of a handler that breaks, and of a command that a handler refuses.

use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::event::chained;
use super::refusal::refusal;
use crate::diag::Diagnostic;
use crate::script::border::GM;
use crate::script::border::printed::plain_text;
use crate::script::border::stack_value::This;
use crate::script::host::Host;
use crate::script::host::error::{diagnose, shortened};
use crate::script::inquiry::ask::ask;
use crate::script::rules::Rules;
use crate::script::run::Run;
use crate::script::run::question::{BROKEN, Question, ReplyType};
use crate::value::Name;

/// The answers to what becomes of a command in which a rule breaks.
const SKIP: &str = "skip this rule";
const STOP: &str = "stop";

/// Decides about a handler that broke: rolls back to its savepoint and asks the game master whether the command goes
/// on without it: then the next telling begins behind it.
///
/// Errors: the command stops: a limit, a waiting ruling, a refusal, or the game does not go on without the rule.
pub(super) fn failed(lua: &Lua, host: &Host, (act, problem): (This, LuaValue)) -> mlua::Result<()> {
    let error = match problem {
        LuaValue::Error(error) => *error,
        other => mlua::Error::runtime(plain_text(&other)),
    };
    if host.is_stopped() {
        return Err(error);
    }
    let (finding, question, next) = {
        let mut run = host.speaking(act, "runs no rules")?;
        let rules = Rc::clone(&host.rules.borrow());
        let finding = chained(&run, diagnose(&error, None, &rules.sources));
        let Some((recipient, at)) = run.take_back() else {
            return Err(error);
        };
        let finding = placed(finding, &rules, &host.names.text(recipient.0));
        let question = run.is_attended.then(|| broken(&run, &recipient, &finding));
        (finding, question, at + 1)
    };
    let Some(question) = question else {
        return Err(host.stop_command(finding));
    };
    let answer = ask(lua, host, act, vec![question])?.pop();
    if answer.is_some_and(|answer| answer.as_str() == Some(SKIP)) {
        let mut run = host.ruling(act)?;
        if let Some(frame) = run.motion.frames.last_mut() {
            frame.from = next;
        }
        return Ok(());
    }
    Err(host.stop_command(finding))
}

/// Returns a finding that names the file of the rule that broke where the machine knows no line of it.
fn placed(finding: Diagnostic, rules: &Rules, rule: &str) -> Diagnostic {
    let definition = rule
        .split_once('/')
        .and_then(|(collection, id)| rules.registry.get(collection, id));
    match definition {
        Some(definition) if finding.place.is_none() => {
            finding.at(&definition.source, definition.span)
        }
        Some(_) | None => finding,
    }
}

/// Returns the question what becomes of a command when a rule in it breaks.
fn broken(run: &Run, recipient: &(Name, Name), finding: &Diagnostic) -> Question {
    let names = run.state.names();
    let (rule, element) = (names.text(recipient.0), names.text(recipient.1));
    let place = finding.place.as_ref().map_or_else(String::new, |place| {
        let line = place.source.position(place.span.start).line;
        format!(" at {}:{line}", place.source.name())
    });
    let what = shortened(&finding.message);
    Question {
        to: GM.to_owned(),
        members: Vec::new(),
        key: format!("{BROKEN}{rule}"),
        who: element.to_string(),
        reply: ReplyType::Options(vec![SKIP.to_owned(), STOP.to_owned()]),
        default: STOP.into(),
        deadline: None,
        text: format!(
            "the rule {rule} of {element} breaks{place}: {what}. Go on without it (skip), or take the whole command back (stop)?"
        ),
    }
}

/// Refuses the whole command with what a handler returned.
pub(super) fn refuse(_: &Lua, host: &Host, (act, result): (This, Table)) -> mlua::Result<()> {
    drop(host.ruling(act)?);
    Err(host.stop_command(refusal(&result)))
}
