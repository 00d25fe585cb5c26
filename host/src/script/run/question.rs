//! A question that a ruling asks: its addressee, its address, and its possible answers.

use crate::value::{Value, write_value};

/// The answer type of yes and no.
pub const YES_NO: &str = "YesNo";

/// The beginning of the keys of questions about failing rules.
pub const BROKEN: &str = "skip ";

/// A question, as a rule asks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The addressee: a seat, `gm`, or `group:NAME`.
    pub to: String,
    /// The seats that may answer. For a seat only itself.
    pub members: Vec<String>,
    /// Its subject; part of its address.
    pub key: String,
    /// The row that it concerns; part of its address, `-` if there is none.
    pub who: String,
    /// The possible answers.
    pub reply: ReplyType,
    /// The answer that counts if the person asked gives none.
    pub default: Value,
    /// Game time until which an answer counts; unit: the unit of the clock.
    pub deadline: Option<Value>,
    /// The text of the question.
    pub text: String,
}

/// The possible answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyType {
    /// The answers that a slot type reads, or [`YES_NO`].
    Named(String),
    /// One of these texts.
    Options(Vec<String>),
}

/// Reads answers from texts, and lists the possible answers.
pub trait Reader {
    /// Reads a text as an answer. Errors: the reason why it is not one.
    fn read(&self, question: &Question, text: &str) -> Result<Value, Box<crate::diag::Diagnostic>>;

    /// Returns all possible answers, in order; empty if they cannot be listed.
    fn choices(&self, question: &Question) -> Vec<Value>;

    /// Returns why a question that was not asked before comes too late to be asked.
    fn lateness_refusal(&self, _question: &Question) -> Option<Box<crate::diag::Diagnostic>> {
        None
    }
}

impl Question {
    /// Returns its name in messages.
    pub(crate) fn label(&self) -> String {
        format!("the question \"{}\"", self.key)
    }

    /// Returns its stakes as plain data: a recorded answer only fits the question with the same stakes.
    pub fn stakes(&self) -> Value {
        let (kind, options) = match &self.reply {
            ReplyType::Named(name) => (Value::from(name.as_str()), Value::Nil),
            ReplyType::Options(options) => (
                Value::Nil,
                Value::list(options.iter().map(|one| one.as_str().into())),
            ),
        };
        Value::map([
            ("to", Value::from(self.to.as_str())),
            ("type", kind),
            ("options", options),
            ("default", self.default.clone()),
        ])
    }

    /// Returns the whole question as plain data.
    pub fn to_value(&self) -> Value {
        let mut entries = self.stakes().as_map().cloned().unwrap_or_default();
        let more = [
            ("key", Value::from(self.key.as_str())),
            ("who", self.who.as_str().into()),
            ("text", self.text.as_str().into()),
            ("deadline", self.deadline.clone().unwrap_or_default()),
        ];
        for (key, value) in more {
            entries.insert(key.into(), value);
        }
        Value::map(entries)
    }

    /// Returns the size of the question: the bytes of its texts, and of its default as canonical bytes.
    pub(crate) fn byte_size(&self) -> usize {
        let reply = match &self.reply {
            ReplyType::Named(name) => name.len(),
            ReplyType::Options(options) => options.iter().map(String::len).sum(),
        };
        let mut default = Vec::new();
        write_value(&mut default, &self.default);
        let texts = [&self.to, &self.key, &self.who, &self.text];
        texts.map(String::len).iter().sum::<usize>() + reply + default.len()
    }

    /// Returns the question from plain data. The seats that may answer are not part of it.
    pub fn from_value(value: &Value) -> Option<Question> {
        let text = |key: &str| value.get(key).as_str().map(str::to_owned);
        let options = value.get("options").items().iter();
        let options = options.map(|one| one.as_str().map(str::to_owned));
        let reply = match text("type") {
            Some(name) => ReplyType::Named(name),
            None => ReplyType::Options(options.collect::<Option<_>>()?),
        };
        Some(Question {
            to: text("to")?,
            members: Vec::new(),
            key: text("key")?,
            who: text("who")?,
            reply,
            default: value.get("default").clone(),
            deadline: Some(value.get("deadline").clone()).filter(|due| !due.is_nil()),
            text: text("text")?,
        })
    }
}

impl ReplyType {
    /// Returns the texts that may be answered, as far as the type itself lists them.
    pub fn answer_texts(&self) -> Vec<&str> {
        match self {
            ReplyType::Named(name) if name == YES_NO => vec!["yes", "no"],
            ReplyType::Named(_) => Vec::new(),
            ReplyType::Options(options) => options.iter().map(String::as_str).collect(),
        }
    }
}

/// Returns an answer as people read it.
pub fn shown_answer(answer: &Value) -> String {
    match answer {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}
