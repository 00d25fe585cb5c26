//! Plays one case in a fresh game and finds differences from the expected outcome.

use host::diag::Diagnostic;
use host::game;
use host::game::{
    BrokenLaw, Machines, ProgramRequest, Reply, Script, ScriptStep, Seed, Solo, check_laws_fully,
    check_laws_with_machines, undo_and_redo_all, waiting_hand_dice,
};
use host::value::Value;

use super::question_answers::answer_questions;
use super::{Case, Step, line_difference};
use crate::transcript::reply_lines::reply_lines;

/// The expected line that matches any refusal.
const REFUSED: &str = "refused";

/// The single expected line that matches any output except a refusal.
const ANYTHING: &str = "...";

/// A difference from the expected outcome.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The line of the transcript, from 1.
    pub(crate) line: usize,
    /// The command, if there is one.
    pub(crate) command: Option<String>,
    /// The kind of difference.
    pub(crate) problem: Problem,
}

impl Failure {
    /// Returns the finding that is reported for the failure, if there is one.
    pub(crate) fn finding(&self) -> Option<&Diagnostic> {
        match &self.problem {
            Problem::Says { fault, .. } => fault.as_deref(),
            Problem::Broken(finding) => Some(finding),
        }
    }
}

/// Kinds of differences from the expected outcome.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A command prints other lines.
    Says {
        /// The numbers of the expected lines.
        expected: Vec<usize>,
        /// The present output.
        actual: Vec<String>,
        /// Both outputs beside each other.
        difference: Vec<String>,
        /// An error of a script or a limit, if no error of its code was expected.
        fault: Option<Box<Diagnostic>>,
    },
    /// A broken invariant.
    Broken(Box<Diagnostic>),
}

/// A played case.
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// Differences from the expected outcome.
    pub(crate) failures: Vec<Failure>,
    /// The submitted lines and script changes, each with its line of the transcript.
    said: Vec<(usize, ScriptStep)>,
}

/// Plays a case; its sentence is the seed of the dice. Every command is run twice; at the end everything is undone and
/// redone.
pub(crate) fn play_case(solo: &mut Solo, case: &Case) -> Played {
    let mut played = Played::default();
    if let Some(refusal) = solo.restart(Seed::from_text(&case.sentence)).refusal {
        played
            .failures
            .push(broken_step_failure(case.line, refusal));
        return played;
    }
    let first = solo.timeline().state().hash();
    if let Some(failure) = set_up_case(solo, case) {
        played.failures.push(failure);
        return played;
    }
    let mut by = "gm".to_owned();
    for step in &case.steps {
        if let Some(rewrite) = &step.rewrite {
            let said = ScriptStep::Rewrite(rewrite.clone());
            played.said.push((step.line, said));
            let broken = solo.session.rewrite_script(rewrite).err();
            let broken =
                broken.map(|finding| failure_of_step(step, Problem::Broken(Box::new(finding))));
            played.failures.extend(broken);
            continue;
        }
        let actor = step.by.clone().unwrap_or_else(|| by.clone());
        let before = solo.timeline().history().operations().len();
        let (reply, finding) = game::submit_twice(solo, &actor, &step.command);
        let said = ScriptStep::line(&actor, &step.command);
        played.said.push((step.line, said));
        let failures = &mut played.failures;
        failures.extend(
            finding.map(|finding| failure_of_step(step, Problem::Broken(Box::new(finding)))),
        );
        let reply = match answer_questions(solo, (case, step), reply, &mut played.said) {
            Ok(reply) => reply,
            Err((line, finding)) => {
                failures.push(broken_step_failure(line, finding));
                continue;
            }
        };
        failures.extend(compare_reply(step, &reply, &ruleset_name(solo)));
        if case.typed_dice {
            let odd = dice_fault(solo, step, before);
            failures.extend(
                odd.map(|finding| failure_of_step(step, Problem::Broken(Box::new(finding)))),
            );
        }
        if let Some(ProgramRequest::As(name)) = reply.program_request {
            by = name;
        }
    }
    let lost = undo_and_redo_all(solo, first);
    let lost = lost.map(|finding| broken_step_failure(case.line, finding));
    played.failures.extend(lost);
    played
}

/// Replays the steps of a case in every way that must have the same outcome. Also returns the number of lines that were
/// submitted in fresh sessions. `machines` serve for many cases; without them, each line has a fresh one.
pub(crate) fn replay_case(
    solo: &mut Solo,
    (case, played): (&Case, &Played),
    machines: Option<&mut Machines>,
) -> (Vec<Failure>, usize) {
    let settings = (!case.settings.is_empty()).then(|| settings_value(case));
    let script = Script {
        seed: Seed::from_text(&case.sentence),
        settings,
        said: played.said.iter().map(|(_, said)| said.clone()).collect(),
    };
    let failure = |one: BrokenLaw| {
        let at = one.at.and_then(|at| played.said.get(at));
        Failure {
            line: at.map_or(case.line, |(line, _)| *line),
            command: at.map(|(_, said)| said.text().to_owned()),
            problem: Problem::Broken(Box::new(one.finding)),
        }
    };
    let held = match machines {
        Some(machines) => check_laws_with_machines(machines, solo, &script),
        None => check_laws_fully(solo, &script),
    };
    (held.broken.into_iter().map(failure).collect(), held.resumed)
}

/// Returns the error in the dice of a command, if all of them must be typed.
fn dice_fault(solo: &Solo, step: &Step, before: usize) -> Option<Diagnostic> {
    let drawn = game::untyped_dice_since(solo.timeline(), before);
    if !drawn.is_empty() {
        let message = format!(
            "the command rolled dice that were not typed: {}",
            drawn.join(" ")
        );
        return Some(Diagnostic::error("test/untyped-dice", message));
    }
    let left = waiting_hand_dice(solo.timeline().state());
    if left.is_empty() || step.command.starts_with("dice ") {
        return None;
    }
    let left: Vec<String> = left.iter().map(ToString::to_string).collect();
    let message = format!(
        "the command did not roll these typed dice: {}",
        left.join(" ")
    );
    Some(Diagnostic::error("test/dice-left", message))
}

fn set_up_case(solo: &mut Solo, case: &Case) -> Option<Failure> {
    let first = case.settings.first()?;
    let reply = game::set_up_test(solo, &settings_value(case));
    reply
        .refusal
        .map(|refusal| broken_step_failure(first.line, refusal))
}

fn ruleset_name(solo: &Solo) -> String {
    solo.session.options().ruleset
}

fn settings_value(case: &Case) -> Value {
    let settings = case.settings.iter();
    Value::map(settings.map(|one| (one.key.as_str(), Value::from(one.value.as_str()))))
}

fn compare_reply(step: &Step, reply: &Reply, ruleset: &str) -> Option<Failure> {
    let actual = reply_lines(reply, ruleset);
    let expected: Vec<&str> = step
        .expected
        .iter()
        .map(|(_, text)| text.as_str())
        .collect();
    if expected == [REFUSED] && reply.refusal.is_some() {
        return None;
    }
    let is_refused_unseen = expected == [ANYTHING] && reply.refusal.is_some();
    let difference = match line_difference(&expected, &actual) {
        None if is_refused_unseen => actual.iter().map(|line| format!("+ {line}")).collect(),
        None => return None,
        Some(difference) => difference,
    };
    let fault = unexpected_refusal(reply, &expected);
    let expected = step.expected.iter().map(|(line, _)| *line).collect();
    Some(failure_of_step(
        step,
        Problem::Says {
            expected,
            actual,
            difference,
            fault,
        },
    ))
}

/// Returns the refusal of a broken command, unless an error of its code was expected.
fn unexpected_refusal(reply: &Reply, expected: &[&str]) -> Option<Box<Diagnostic>> {
    let refusal = reply.refusal.as_ref()?;
    let is_broken = matches!(refusal.code_area(), "script" | "limit") || refusal.code == "host/bug";
    let word = format!("error[{}]", refusal.code);
    let is_expected = expected.iter().any(|line| line.starts_with(&word));
    (is_broken && !is_expected).then(|| Box::new(refusal.clone()))
}

fn failure_of_step(step: &Step, problem: Problem) -> Failure {
    Failure {
        line: step.line,
        command: Some(step.command.clone()),
        problem,
    }
}

fn broken_step_failure(line: usize, finding: Diagnostic) -> Failure {
    Failure {
        line,
        command: None,
        problem: Problem::Broken(Box::new(finding)),
    }
}

#[cfg(test)]
mod tests {
    use host::diag::Source;

    use super::*;
    use crate::toy_game::Toy;
    use crate::transcript::parse_transcript;

    fn failure_texts(toy: &Toy, text: &str) -> Vec<String> {
        let (transcript, findings) = parse_transcript(&Source::new("a.test.txt", text));
        assert!(findings.is_empty());
        let mut solo = toy.solo();
        let failures = transcript
            .cases
            .iter()
            .flat_map(|case| play_case(&mut solo, case).failures);
        let shown = |failure: Failure| match failure.problem {
            Problem::Says { difference, .. } => {
                format!("{}: {}", failure.line, difference.join(" "))
            }
            Problem::Broken(finding) => format!("{}: {}", failure.line, finding.code),
        };
        failures.map(shown).collect()
    }

    #[test]
    fn answers_below_a_command_go_to_its_questions_by_key() {
        let toy = Toy::new();
        toy.write(
            "scripts/mini/commands/dare.luau",
            r#"--!strict
return command {
  source = "the program's own tests", summary = "asks twice", syntax = "dare",
  run = function(act)
    act:say("public", "a dare")
    local sure = act:ask({ to = "Ann", key = "sure", type = "YesNo", text = "Sure?" })
    local how = act:ask({ to = "Bo", key = "how", options = { "far", "high" }, text = "How?" })
    return act:done(`{sure} {how}`)
  end,
}
"#,
        );
        let text = "--- it is over when all is answered\n> dare\n? sure = yes\n? how = h\n| a dare\n| true high\n\
                    --- it waits\n> dare\n| ~ a dare\n| Ann: question 1 [gm: 2.1]: Sure? (yes or no)\n\
                    > Ann: answer y\n| ~ a dare\n| Bo: question 1 [gm: 2.2]: How? (far or high)\n\
                    > Bo: answer low\n| error[answer/wrong-type]: \"low\" is not an answer: expected far or high\n\
                    --- nobody asks that\n> dare\n? sure = yes\n? sure = no\n| ...\n";
        assert_eq!(failure_texts(&toy, text), ["19: test/not-asked"]);
        let refused = "--- it is refused\n> dear\n? sure = yes\n| ...\n";
        let (transcript, _) = parse_transcript(&Source::new("a.test.txt", refused));
        let failures = play_case(&mut toy.solo(), &transcript.cases[0]).failures;
        let [
            Failure {
                problem: Problem::Broken(finding),
                ..
            },
        ] = failures.as_slice()
        else {
            panic!("{failures:?}");
        };
        assert!(
            finding.hints[0].starts_with("the command printed: error[phrase/"),
            "{finding:?}"
        );
        assert!(finding.hints[0].contains("\"dare"), "{finding:?}");
    }

    #[test]
    fn a_case_that_holds_has_no_failure() {
        let text = "--- cheering adds\nmood: 5\n> Ann: cheer ann by 2\n| gm: ann was cheered\n\
                    | Ann: cheered by Ann\n> mood ann\n| Ann feels 7.\n> undo\n| ...\n\
                    > cheer ann by 9\n| refused[mini/too-much]: 9 is too much\n|   hint: at most 5\n\
                    > spin\n| error[limit/fuel]: the script ran more steps than its limit\n| ...\n";
        assert_eq!(failure_texts(&Toy::new(), text), Vec::<String>::new());
    }

    #[test]
    fn what_differs_and_what_cannot_be_set_up_fails() {
        let text = "--- one\n> mood ann\n| Ann feels 4.\n--- two\ncolour: red\n> mood ann\n| x\n--- each case is fresh\n\
                    > cheer ann\n| ...\n--- really\n> mood ann\n| Ann feels 3.\n";
        assert_eq!(
            failure_texts(&Toy::new(), text),
            ["2: - Ann feels 4. + Ann feels 3.", "5: mini/setting"]
        );
    }

    #[test]
    fn a_script_is_saved_in_the_middle_of_one_case() {
        let text = "--- before and behind it\n> Ann: cheer bo\n| gm: bo was cheered\n| Ann: cheered by Ann\n\
                    < commands/cheer.luau: cheered by => praised by\n> Ann: cheer bo\n| gm: bo was cheered\n\
                    | Ann: praised by Ann\n--- the rules are those of the files again\n> Ann: cheer bo\n\
                    | gm: bo was cheered\n| Ann: cheered by Ann\n--- what cannot be saved so\n\
                    < commands/cher.luau: cheered by => x\n< commands/cheer.luau: cherred => x\n\
                    < commands/cheer.luau: cheer => x\n< commands/cheer.luau: return command => retrun\n\
                    > mood ann\n| Ann feels 3.\n";
        let found = failure_texts(&Toy::new(), text);
        let expected = [
            "14: test/rewrite",
            "15: test/rewrite",
            "16: test/rewrite",
            "17: script/error",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_script_that_keeps_something_is_found() {
        let toy = Toy::new();
        toy.write(
            "scripts/mini/commands/count.luau",
            "local count = 0\nreturn command { source = 'x', summary = 'counts', syntax = 'count', run = function(act)\n\
             count += 1\nreturn act:done(`{count}`) end }\n",
        );
        assert_eq!(
            failure_texts(&toy, "--- one\n> count\n| ...\n"),
            ["2: script/keeps-state"]
        );
    }

    #[test]
    fn the_sentence_decides_the_dice() {
        let toy = Toy::new();
        let said = |text: &str| failure_texts(&toy, &format!("--- {text}\n> throw 9d1000000\n"));
        assert_eq!(said("one"), said("one"));
        assert_ne!(said("one"), said("two"));
    }
}
