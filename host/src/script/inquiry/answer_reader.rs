//! Reads texts as answers: yes and no, one of some options, or a value of a slot type.

use super::game_names::GameNames;
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::declare::phrase_value::value_without_text;
use crate::script::rules::Rules;
use crate::script::run::deadline;
use crate::script::run::question::{Question, Reader, ReplyType, YES_NO};
use crate::text::{Context, NameSource};
use crate::value::Value;

/// Words that mean yes, and no.
const YES: [&str; 3] = ["yes", "y", "true"];
const NO: [&str; 3] = ["no", "n", "false"];

/// Slot types that every grammar has.
const CLASSES: [&str; 8] = [
    "Entity", "Field", "Integer", "Number", "Record", "Signed", "Text", "Word",
];

/// Reads answers with the grammar and the names of one moment: the names that the asked person may know.
pub(crate) struct Answers<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) names: &'a dyn Fn(&str) -> GameNames<'a>,
    /// The present second of game time.
    pub(crate) now: u64,
}

impl Reader for Answers<'_> {
    fn read(&self, question: &Question, text: &str) -> Result<Value, Box<Diagnostic>> {
        let text = text.trim();
        match &question.reply {
            ReplyType::Named(name) if name == YES_NO => read_yes_or_no(text),
            ReplyType::Options(options) => option_of_text(options, text),
            ReplyType::Named(name) => {
                let names = (self.names)(&question.to);
                let mut context = Context::new("answer").with_names(&names);
                match self.rules.grammar.read(name, text, &mut context) {
                    Ok(parse) => Ok(value_without_text(&parse)),
                    Err(miss) => Err(Box::new(
                        miss.to_diagnostic(&Source::new("answer", text), 0),
                    )),
                }
            }
        }
    }

    fn choices(&self, question: &Question) -> Vec<Value> {
        match &question.reply {
            ReplyType::Named(name) if name == YES_NO => vec![true.into(), false.into()],
            ReplyType::Options(options) => options
                .iter()
                .map(|one| Value::from(one.as_str()))
                .collect(),
            ReplyType::Named(name) => {
                let words = self.rules.ruleset.get("types").get(name).get("words");
                let known = (self.names)(&question.to);
                let mut values: Vec<Value> = match known.names(name) {
                    Some(table) => table.entries().map(|entry| entry.value.clone()).collect(),
                    None => words.items().to_vec(),
                };
                values.sort();
                values.dedup();
                values
            }
        }
    }

    fn lateness_refusal(&self, question: &Question) -> Option<Box<Diagnostic>> {
        let due = question.deadline.as_ref()?;
        deadline::check_deadline(&question.label(), due, self.now).err()
    }
}

fn read_yes_or_no(text: &str) -> Result<Value, Box<Diagnostic>> {
    let is = |words: [&str; 3]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(YES) || is(NO) {
        return Ok(Value::Bool(is(YES)));
    }
    Err(no_answer_error(text, "yes or no", String::new()))
}

/// Returns the option that a text names: a whole option, or the beginning of only one option.
fn option_of_text(options: &[String], text: &str) -> Result<Value, Box<Diagnostic>> {
    let wanted = text.to_lowercase();
    let whole = options.iter().find(|one| one.to_lowercase() == wanted);
    let mut begin = options
        .iter()
        .filter(|one| !wanted.is_empty() && one.to_lowercase().starts_with(&wanted));
    let first = begin.next();
    let others: Vec<&String> = begin.collect();
    match (whole, first) {
        (Some(one), _) => Ok(Value::from(one.as_str())),
        (None, Some(one)) if others.is_empty() => Ok(Value::from(one.as_str())),
        (None, Some(one)) => {
            let all: Vec<&str> = [one]
                .into_iter()
                .chain(others)
                .map(String::as_str)
                .collect();
            let message = format!("\"{text}\" may be {}", all.join(" or "));
            Err(Box::new(
                Diagnostic::error("answer/ambiguous", message).hint("type more of it"),
            ))
        }
        (None, None) => {
            let near = near_hint(text, options.iter().map(String::as_str));
            Err(no_answer_error(text, &options.join(" or "), near))
        }
    }
}

fn no_answer_error(text: &str, expected: &str, near: String) -> Box<Diagnostic> {
    let message = format!("\"{text}\" is not an answer: expected {expected}");
    Box::new(Diagnostic::error("answer/wrong-type", message).hint(near))
}

/// Returns the reason why a slot type cannot be answered. Errors: the ruleset has no such type.
pub(crate) fn check_answer_type(rules: &Rules, name: &str) -> Result<(), Box<Diagnostic>> {
    if name == YES_NO || rules.grammar.has_type(name) {
        return Ok(());
    }
    let own = rules.ruleset.get("types").as_map().into_iter().flatten();
    let known: Vec<&str> = own
        .map(|(name, _)| &**name)
        .chain(CLASSES)
        .chain([YES_NO])
        .collect();
    let message = format!("unknown slot type \"{name}\"");
    Err(Box::new(
        Diagnostic::error("script/argument", message).hint(near_hint(name, known)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_whole_or_by_an_unambiguous_beginning() {
        let options = ["stay", "step back", "step aside", "Step", "retreat"].map(str::to_owned);
        let read = |text: &str| option_of_text(&options, text).map_err(|refusal| refusal.message);
        assert_eq!(read("STAY"), Ok("stay".into()));
        assert_eq!(
            read("st"),
            Err("\"st\" may be stay or step back or step aside or Step".into())
        );
        assert_eq!(read("step"), Ok("Step".into()));
        assert_eq!(read("step b"), Ok("step back".into()));
        assert!(read("").unwrap_err().contains("is not an answer"));
        let near = option_of_text(&options, "retraet").unwrap_err();
        assert_eq!(near.hints, ["did you mean \"retreat\"?"]);
    }

    #[test]
    fn yes_and_no_have_few_words() {
        assert_eq!(read_yes_or_no("Y").unwrap(), Value::Bool(true));
        assert_eq!(read_yes_or_no("no").unwrap(), Value::Bool(false));
        for text in ["", "yess", "1", "maybe"] {
            assert_eq!(
                read_yes_or_no(text).unwrap_err().code,
                "answer/wrong-type",
                "{text}"
            );
        }
    }
}
