//! Plays a case and writes down all its outcomes. No other file of the fingerprint names the session.
//!
//! The text does not depend on names of types, nor on the place of the project. Values and documents are written as
//! they are saved, rules by the order in which a case meets them.

use host::game;
use std::fmt::Write;
use std::path::Path;

use host::diag::{Diagnostic, render};
use host::game::{Home, OpenQuestion, ProgramRequest, Reply, Seed, Session, SessionOptions, Solo};
use host::script::EngineOptions;
use host::store::{Operation, What};
use host::value::Value;

use super::transcript_cases::{Case, Step};
use crate::project;

/// Maximum number of answers of a case to the questions of one command.
const MOST_ANSWERS: usize = 100;

/// A ruleset for cases that are played one after the other.
pub(super) struct Player {
    solo: Solo,
    rules: Vec<String>,
    text: String,
}

impl Player {
    /// Loads a ruleset of the project.
    pub(super) fn load_ruleset(ruleset: &str) -> Player {
        let home = Home {
            folder: project(),
            mods: vec![project().join("tests/mini")],
            content: None,
        };
        let options = SessionOptions {
            home,
            ruleset: ruleset.to_owned(),
            seed: Seed::from_text("fingerprint"),
            engine: EngineOptions::default(),
        };
        let opened = Session::open(options, &repl::COMMANDS).map(Solo::from);
        let solo = opened.unwrap_or_else(|found| panic!("{ruleset}: {found:?}"));
        Player {
            solo,
            rules: Vec::new(),
            text: String::new(),
        }
    }

    /// Plays a case of a file and returns all its outcomes.
    pub(super) fn play_case(&mut self, file: &Path, case: &Case) -> String {
        self.rules.clear();
        self.text.clear();
        self.solo
            .client
            .set_file_folder(file.parent().unwrap_or(Path::new("")));
        let begun = self.solo.restart(Seed::from_text(&case.sentence));
        self.write_reply(0, &begun);
        if !case.settings.is_empty() {
            let settings = case.settings.iter();
            let settings = settings.map(|(key, value)| (key.as_str(), Value::from(value.as_str())));
            let before = self.operation_count();
            let reply = game::set_up_test(&mut self.solo, &Value::map(settings));
            self.write_reply(before, &reply);
        }
        let mut by = "gm".to_owned();
        for step in &case.steps {
            match step {
                Step::Line {
                    by: named,
                    line,
                    answers,
                } => {
                    let giver = named.as_ref().unwrap_or(&by).clone();
                    let reply = self.submit_line(&giver, line);
                    let wish = reply.program_request.clone();
                    self.answer_questions(reply, answers, case.answers.as_deref());
                    if let Some(ProgramRequest::As(name)) = wish {
                        by = name;
                    }
                }
                Step::Rewrite(rewrite) => {
                    let refusal = self.solo.session.rewrite_script(rewrite).err();
                    self.write_line("< rewritten", refusal.map(|one| render(&one, false)));
                }
            }
        }
        let project = project().to_string_lossy().into_owned();
        std::mem::take(&mut self.text).replace(&project, "PROJECT")
    }

    /// Answers questions by their keys, then all others as the case requires.
    fn answer_questions(
        &mut self,
        mut reply: Reply,
        answers: &[(String, String)],
        others: Option<&str>,
    ) {
        for (key, value) in answers {
            let Some(asked) = self.question_of_key(&reply, key) else {
                return;
            };
            reply = self.give_answer(&asked, value);
        }
        for value in std::iter::repeat_n(others, MOST_ANSWERS).flatten() {
            let Some(asked) = self.question_of_key(&reply, "*") else {
                return;
            };
            reply = self.give_answer(&asked, value);
        }
    }

    fn question_of_key(&self, reply: &Reply, key: &str) -> Option<OpenQuestion> {
        let slot = reply.waits?;
        let mut open = game::open_questions(self.solo.timeline()).into_iter();
        open.find(|one| one.is_of_ruling(slot) && (key == "*" || key == one.question.key))
    }

    fn give_answer(&mut self, asked: &OpenQuestion, value: &str) -> Reply {
        let members = game::seats_in_play(self.solo.timeline()).answering_seats(&asked.question.to);
        let by = members.first().unwrap_or(&asked.question.to).clone();
        let mut own = game::open_questions_for(self.solo.timeline(), &by).into_iter();
        let own = own.find(|one| one.is_same_question(asked));
        let word = own.as_ref().unwrap_or(asked).number_or_key();
        let value = match (value, &asked.question.default) {
            ("default", Value::Bool(false)) => "no".to_owned(),
            ("default", Value::Nil | Value::Bool(true)) => "yes".to_owned(),
            ("default", Value::Text(text)) => text.to_string(),
            ("default", other) => other.to_string(),
            (value, _) => value.to_owned(),
        };
        self.submit_line(&by, &format!("answer {word} {value}"))
    }

    fn submit_line(&mut self, by: &str, line: &str) -> Reply {
        self.write_line("> by", Some(by));
        self.write_line("> line", Some(line));
        let before = self.operation_count();
        let reply = self.solo.submit(by, line);
        self.write_reply(before, &reply);
        reply
    }

    fn operation_count(&self) -> usize {
        self.solo.timeline().history().operations().len()
    }

    /// Writes down a reply, the operations after the earlier ones, and the state.
    fn write_reply(&mut self, before: usize, reply: &Reply) {
        let said = [
            ("documents", &reply.documents),
            ("provisional", &reply.provisional),
            ("aside", &reply.aside),
        ];
        for (what, documents) in said {
            for document in documents {
                self.write_line(what, Some(document.to_value()));
            }
        }
        let findings = reply.refusal.iter().chain(&reply.findings);
        let findings: Vec<String> = findings
            .map(|one: &Diagnostic| render(one, false))
            .collect();
        for finding in findings {
            self.write_line("finding", Some(finding));
        }
        for line in &reply.printed.lines {
            self.write_line("printed", Some(line));
        }
        self.write_line(
            "left out",
            (reply.printed.left_out > 0).then_some(reply.printed.left_out),
        );
        self.write_line("operation", reply.op);
        self.write_line("waits", reply.waits);
        self.write_line("is of another", reply.is_of_another.then_some("yes"));
        self.write_line(
            "wish",
            reply
                .program_request
                .as_ref()
                .map(|wish| format!("{wish:?}")),
        );
        for one in &reply.followed {
            let place = format!("{:?} {} {}", one.op, one.documents, one.provisional);
            self.write_line("followed", Some(place));
        }
        let operations = self.solo.timeline().history().operations();
        let added = operations.get(before..).unwrap_or_default().to_vec();
        for operation in &added {
            self.write_operation(operation);
        }
        let hash = self.solo.timeline().state().hash();
        self.write_line("state", Some(hash));
    }

    fn write_operation(&mut self, one: &Operation) {
        let rules = self.rules_number(&one.rules);
        let what = match &one.what {
            What::Ruling => "ruling".to_owned(),
            What::Undo { of } => format!("undo {of}"),
            What::Redo { of } => format!("redo {of}"),
            What::Refused { code, message } => format!("refused {code} {message}"),
            What::Posted { posts, after } => {
                let posts = posts.iter().map(|post| {
                    let (to, lines) = (&post.to, &post.lines);
                    match post.parts.is_empty() {
                        true => format!("{to:?} {lines:?}"),
                        false => format!("{to:?} {lines:?} parts {:?}", post.parts),
                    }
                });
                let posts: Vec<String> = posts.collect();
                format!("posted {} {after}", posts.join(" "))
            }
            What::Withdrawn { of } => format!("withdrawn {of}"),
            What::Revert {
                of,
                changed,
                refused,
            } => format!("revert {of} {changed:?} {refused:?}"),
            What::Replace {
                of,
                with,
                changed,
                refused,
            } => format!("replace {of} {with} {changed:?} {refused:?}"),
        };
        let head = format!("{} {:?} {what} rules {rules}", one.seq, one.slot);
        self.write_line("# operation", Some(head));
        self.write_line("by", Some(&one.by));
        self.write_line("through", one.through.as_ref());
        self.write_line("command", Some(&one.command));
        let values = [
            ("input", &one.inputs),
            ("cause", &one.causes),
            ("kept", &one.documents),
        ];
        for (what, values) in values {
            for value in values {
                self.write_line(what, Some(value));
            }
        }
        let names = self.solo.timeline().state().names().clone();
        for change in &one.changes {
            let (row, field) = change.row_and_field_texts(&names);
            let told = format!("{row}.{field}: {} -> {}", change.old, change.new);
            self.write_line("change", Some(told));
        }
        self.write_line("state", Some(one.state));
    }

    /// Returns the number of rules among those that the case has met.
    fn rules_number(&mut self, name: &str) -> usize {
        let known = self.rules.iter().position(|one| one == name);
        known.unwrap_or_else(|| {
            self.rules.push(name.to_owned());
            self.rules.len() - 1
        })
    }

    fn write_line(&mut self, what: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            writeln!(self.text, "{what}: {value}").expect("a text takes all");
        }
    }
}
