//! Imports a file about a past game, such as a thread of comments. The steps that the ruleset reads in it are ruled on
//! in order, each with its stated dice, and inconsistencies are reported.
//!
//! A preview does it in a temporary fork that is dropped. For an applied import, the same lines are given to the game
//! itself, and all of their operations are saved in one write. If reading or judging fails, none of them is saved.

use std::path::Path;
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::answer::deadlines::{answer_without_people, game_time};
use crate::game::attempt::command_kind::effect_of_host_command;
use crate::game::attempt::line_parser::parse_command_line;
use crate::game::command::dispatch::dispatch_line;
use crate::game::command::lines_for_seats::{give_line_for_seat, seat_spoken_for};
use crate::game::import::report::{Fate, GivenLine, ImportReport};
use crate::game::question::open_questions::open_questions;
use crate::game::report::rolls::untyped_dice_since;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::named_files::read_named_file;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::typed_dice;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::CommandEffect;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::{RememberedAnswer, Reply};
use crate::script::{
    GM, ImportStep, NamedFile, Owner, file_slots, has_import, import_steps, judge_import_step,
    owner_of_template,
};
use crate::value::Value;

/// The name of the temporary fork; no user may give a fork this name.
const PASSING: &str = "@passing";

/// Effect of the lines of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importing {
    /// They are given in a fork, and nothing remains.
    Previewed,
    /// They are given to the game.
    Applied,
}

/// Rules on the steps of a file, and reports inconsistencies.
///
/// Errors: only the game master may import; `import/none`, `import/dice-wait`; the errors of the file and of
/// the functions of the ruleset. After an error, the game is as it was.
pub fn import_file(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    path: &str,
    how: Importing,
) -> Reply {
    let steps = import_steps_of_file(timeline, ruling, path);
    let (name, steps) = match steps {
        Ok(found) => found,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let responders = ruling.caller.responders.unattended();
    let caller = Caller {
        responders: &responders,
        ..*ruling.caller
    };
    let done = match how {
        Importing::Previewed => rule_on_steps(&mut timeline.fork(PASSING), &steps, &caller),
        Importing::Applied => apply_all_steps_or_none(timeline, &steps, &caller),
    };
    match done {
        Ok(mut report) => {
            (report.file, report.steps, report.how) = (name, steps.len(), Some(how));
            Reply {
                remembered: RememberedAnswer::Query,
                ..Reply::document(report.report_document())
            }
        }
        Err(refusal) => Reply::refused(refusal.hint("nothing was imported")),
    }
}

/// Returns the name of a file and its steps. Errors: the errors of [`import_file`].
fn import_steps_of_file(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    path: &str,
) -> Result<(String, Vec<ImportStep>), Box<Diagnostic>> {
    if let Some(refusal) = gm_only_refusal(ruling.by(), "can import files") {
        return Err(Box::new(refusal));
    }
    if !has_import(&timeline.generation().machine()) {
        let finding = Diagnostic::error("import/none", "this ruleset cannot import files");
        return Err(Box::new(finding.hint(
            "in ruleset.luau, set import = { read = function(act, file) … end }",
        )));
    }
    if !typed_dice::typed_dice_not_yet_used(&timeline.state).is_empty() {
        let message =
            "typed dice are still waiting, and the lines of an import have their own dice";
        let finding = Diagnostic::error("import/dice-wait", message);
        return Err(Box::new(
            finding.hint("`dice clear` removes the waiting dice"),
        ));
    }
    let files = read_import_files(ruling.caller.client.file_folder(), path)?;
    let names: Vec<&str> = files.iter().map(|file| file.name()).collect();
    let name = names.join(", ");
    let steps = import_steps(&timeline.generation().machine(), &timeline.state, files)?;
    Ok((name, steps))
}

/// Most files of one import.
pub(in crate::game) const FILES: usize = 100;

/// Reads the file of a path; or, if there is no such file, the files of several paths with spaces between.
///
/// Errors: the error of the first file that cannot be read; `import/files` for too many.
fn read_import_files(folder: &Path, said: &str) -> Result<Vec<Rc<NamedFile>>, Box<Diagnostic>> {
    let whole = read_named_file(folder, said);
    let paths = paths_in_line(said);
    if whole.is_ok() || paths.len() < 2 {
        return whole.map(|file| vec![Rc::new(file)]);
    }
    if paths.len() > FILES {
        let message = format!(
            "one import reads {FILES} files at most, not {}",
            paths.len()
        );
        let finding = Diagnostic::error("import/files", message);
        return Err(Box::new(
            finding.hint("import the first files, then the others"),
        ));
    }
    let read = |path: &String| read_named_file(folder, path).map(Rc::new);
    paths.iter().map(read).collect()
}

/// Splits a text at its spaces, except inside quotes.
fn paths_in_line(said: &str) -> Vec<String> {
    let (mut paths, mut path, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in said.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            blank if blank.is_whitespace() && !is_quoted => paths.push(std::mem::take(&mut path)),
            other => path.push(other),
        }
    }
    paths.push(path);
    paths.retain(|path| !path.is_empty());
    paths
}

/// Rules on steps in the game itself: on all of them, or on none.
fn apply_all_steps_or_none(
    timeline: &mut Timeline,
    steps: &[ImportStep],
    caller: &Caller<'_>,
) -> Result<ImportReport, Diagnostic> {
    let mut there = timeline.copy();
    let report = rule_on_steps(&mut there, steps, caller)?;
    *timeline = there;
    Ok(report)
}

/// Rules on steps in order. Errors: refusals that end the import.
fn rule_on_steps(
    timeline: &mut Timeline,
    steps: &[ImportStep],
    caller: &Caller<'_>,
) -> Result<ImportReport, Diagnostic> {
    let mut report = ImportReport::default();
    let mut last = game_time_in_seconds(timeline);
    steps.iter().try_for_each(|step| {
        report_wrong_time(timeline, step, &mut last, &mut report);
        report.add_ruleset_findings(step.n, &step.findings);
        give_import_step(timeline, (step, caller), &mut report)
    })?;
    Ok(report)
}

/// Reports a step with an earlier time than the one above it, or a first step with an earlier time than the game.
fn report_wrong_time(
    timeline: &Timeline,
    step: &ImportStep,
    last: &mut Option<u64>,
    report: &mut ImportReport,
) {
    let Some(at) = step.at else { return };
    if let Some(last) = last.filter(|last| at < *last) {
        let (at, last) = (
            timeline.state.times().full_time_text(at),
            timeline.state.times().full_time_text(last),
        );
        report.add_finding(
            step.n,
            "import/time",
            format!("its time is {at}, but the entry before it has the later time {last}"),
        );
    }
    *last = Some(at);
}

fn game_time_in_seconds(timeline: &Timeline) -> Option<u64> {
    u64::try_from(game_time(timeline)?.as_i64()?).ok()
}

/// Gives the line of a step with its dice, and the lines that fix its results.
fn give_import_step(
    timeline: &mut Timeline,
    (step, caller): (&ImportStep, &Caller<'_>),
    report: &mut ImportReport,
) -> Result<(), Diagnostic> {
    let Some(line) = &step.line else {
        return Ok(());
    };
    let by = step.by.as_deref().unwrap_or(GM);
    let ready = check_import_line(timeline, by, line);
    let reply = match ready.and_then(|()| type_step_dice(timeline, caller, &step.dice)) {
        Ok(()) => give_import_line(timeline, &Ruling::live(by, line, caller))?,
        Err(refusal) => LineReply::refused(*refusal),
    };
    report.add_given_line(GivenLine::of(step, by, line), reply.fate());
    report_line_problems(step, &reply, report);
    let left = clear_unused_dice(timeline, caller);
    if reply.refusal.is_none() && !left.is_empty() {
        let dice = left.join(" ");
        report.add_finding(
            step.n,
            "import/dice-left",
            format!("it states these dice, but no rule rolls them: {dice}"),
        );
    }
    let judged = judge_import_step(
        &timeline.generation().machine(),
        &timeline.state,
        step,
        &reply.value_for_ruleset(&left),
    )?;
    report.add_ruleset_findings(step.n, &judged.findings);
    for line in &judged.lines {
        let reply = match check_import_line(timeline, GM, line) {
            Ok(()) => give_import_line(timeline, &Ruling::live(GM, line, caller))?,
            Err(refusal) => LineReply::refused(*refusal),
        };
        report.add_given_line(GivenLine::correcting_line(step, line), reply.fate());
        report_line_problems(step, &reply, report);
    }
    Ok(())
}

/// Reports problems of a given line that the host itself finds.
fn report_line_problems(step: &ImportStep, reply: &LineReply, report: &mut ImportReport) {
    if let Some(refusal) = &reply.refusal {
        let message = format!("{} ({})", refusal.message, refusal.code);
        report.add_finding(step.n, "import/refused", message);
    }
    if let Some(asks) = &reply.asks {
        report.add_finding(
            step.n,
            "import/waits",
            format!("its ruling is waiting for an answer: {asks}"),
        );
    }
    if !reply.drawn.is_empty() {
        let dice = reply.drawn.join(" ");
        report.add_finding(
            step.n,
            "import/untold-dice",
            format!("its ruling rolled dice that it does not state: {dice}"),
        );
    }
}

/// Types the dice of a step. Errors: one of them is not a die.
fn type_step_dice(
    timeline: &mut Timeline,
    caller: &Caller<'_>,
    dice: &[String],
) -> Result<(), Box<Diagnostic>> {
    if dice.is_empty() {
        return Ok(());
    }
    let line = format!("dice next {}", dice.join(" "));
    let reply = dispatch_line(timeline, &Ruling::live(GM, &line, caller));
    match reply.refusal {
        Some(refusal) => Err(Box::new(refusal)),
        None => Ok(()),
    }
}

/// Drops the dice that nothing rolled, and returns them.
fn clear_unused_dice(timeline: &mut Timeline, caller: &Caller<'_>) -> Vec<String> {
    let left = typed_dice::typed_dice_not_yet_used(&timeline.state);
    if !left.is_empty() {
        dispatch_line(timeline, &Ruling::live(GM, "dice clear", caller));
    }
    left.iter().map(ToString::to_string).collect()
}

/// Gives a line as its author. Errors: refusals that do not answer the line: a user interrupts, or there is a bug.
fn give_import_line(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Result<LineReply, Diagnostic> {
    let before = timeline.history.operations().len();
    let reply = match ruling.by() {
        GM => dispatch_line(timeline, ruling),
        seat => give_line_for_seat(
            timeline,
            &ruling.with_line(GM, ruling.line),
            seat,
            ruling.line,
        ),
    };
    let reply = answer_without_people(timeline, ruling.caller, reply, before);
    if let Some(refusal) = reply
        .refusal
        .as_ref()
        .filter(|one| ENDS.contains(&&*one.code))
    {
        return Err(refusal.clone());
    }
    Ok(result_of_line(timeline, &reply, before))
}

/// Checks a line before its dice are typed. Errors: its author is not a seat, it is not a command, or it affects more
/// than the game: the session, or files.
fn check_import_line(timeline: &Timeline, by: &str, line: &str) -> Result<(), Box<Diagnostic>> {
    let by = match by {
        GM => GM.to_owned(),
        seat => seat_spoken_for(timeline, GM, seat)?,
    };
    let (phrase, _) = parse_command_line(timeline, &by, line.trim()).map_err(Box::new)?;
    let owner = owner_of_template(&phrase.template);
    let why = match owner {
        Some(Owner::Host(id)) => match effect_of_host_command(timeline, &id) {
            CommandEffect::Writes | CommandEffect::Moves(_) | CommandEffect::Answers => {
                return Ok(());
            }
            _ => "it is not a command of the ruleset",
        },
        Some(owner) if file_slots(&timeline.rules(), &owner).is_empty() => return Ok(()),
        Some(_) | None => "it names a file",
    };
    let message = format!("\"{line}\" cannot be a line of an import: {why}");
    Err(Box::new(Diagnostic::error("import/line", message)))
}

fn result_of_line(timeline: &Timeline, reply: &Reply, before: usize) -> LineReply {
    let asks = reply.waits.and_then(|ruling_number| {
        let mut open = open_questions(timeline).into_iter();
        open.find(|open| open.is_of_ruling(ruling_number))
    });
    let data = reply.documents.iter().filter_map(|one| one.data.clone());
    LineReply {
        refusal: reply.refusal.clone(),
        asks: asks.map(|open| open.question.text),
        drawn: untyped_dice_since(timeline, before),
        data: data.collect(),
    }
}

/// Codes of refusals that are not about the line.
const ENDS: [&str; 2] = ["limit/interrupted", "host/bug"];

/// The result of a line.
#[derive(Default)]
struct LineReply {
    refusal: Option<Diagnostic>,
    /// The question that its ruling waits for.
    asks: Option<String>,
    /// The dice that nobody typed; their faces do not matter in a preview.
    drawn: Vec<String>,
    /// The data of all messages.
    data: Vec<Value>,
}

impl LineReply {
    fn refused(refusal: Diagnostic) -> LineReply {
        LineReply {
            refusal: Some(refusal),
            ..LineReply::default()
        }
    }

    fn fate(&self) -> Fate {
        match (&self.refusal, &self.asks) {
            (Some(refusal), _) => Fate::Refused(refusal.code.to_string()),
            (None, Some(_)) => Fate::Waits,
            (None, None) => Fate::Ruled,
        }
    }

    /// Returns the result as the ruleset gets it.
    fn value_for_ruleset(&self, dice_left: &[String]) -> Value {
        let text = |text: Option<&str>| text.map_or(Value::Nil, Value::from);
        let refusal = self.refusal.as_ref();
        Value::map([
            ("ok", Value::Bool(refusal.is_none())),
            ("waits", Value::Bool(self.asks.is_some())),
            ("code", text(refusal.map(|one| &*one.code))),
            ("message", text(refusal.map(|one| &*one.message))),
            ("data", Value::list(self.data.iter().cloned())),
            (
                "dice_left",
                Value::list(dice_left.iter().map(|die| Value::from(die.as_str()))),
            ),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::paths_in_line;

    #[test]
    fn paths_have_blanks_between_and_quotes_around() {
        assert_eq!(paths_in_line("a.html  b.html"), ["a.html", "b.html"]);
        assert_eq!(paths_in_line("\"my page.html\" b"), ["my page.html", "b"]);
        assert_eq!(paths_in_line(" "), Vec::<String>::new());
    }
}
