//! This module runs a ruling: all of it becomes an operation, or nothing.

use super::Session;
use crate::diag::{Diagnostic, Source, Span};
use crate::doc::Document;
use crate::game::reply::Reply;
use crate::game::ruling::input::Input;
use crate::game::ruling::oracle::{HAND_CODES, SharedOracle};
use crate::game::waiting::answer::ORDER;
use crate::script::{Engine, Outcome, Printed, Run};
use crate::store::{Draft, Mark, State};
use crate::value::Value;

/// Bytes of documents that one command may say.
const OUTPUT: usize = 8 << 20;

/// What is known of a ruling before it runs.
pub(in crate::game) struct Order<'a> {
    pub(in crate::game) by: &'a str,
    pub(in crate::game) line: &'a str,
    /// The rule that it runs: collection and id, or what the host calls it.
    pub(in crate::game) rule: &'a str,
    pub(in crate::game) query: bool,
}

/// A ruling that ran; its writes are still pending in the state.
pub(in crate::game) struct Attempt {
    pub(in crate::game) mark: Mark,
    pub(in crate::game) oracle: SharedOracle,
    pub(in crate::game) documents: Vec<Document>,
    pub(in crate::game) printed: Printed,
    /// The step of a plan that it stands at.
    pub(in crate::game) step: Option<String>,
    /// What led to what; of what was refused, only the rule that it ran.
    pub(in crate::game) causes: Vec<Value>,
    /// The rule that it ran, and what it rolled: what is kept while it waits.
    pub(in crate::game) root: Vec<Value>,
    pub(in crate::game) result: Result<(), Diagnostic>,
}

impl Session {
    pub(in crate::game) fn set_up(&mut self) -> Reply {
        let order = Order {
            by: "gm",
            line: "new game",
            rule: "setup",
            query: false,
        };
        self.ruling(&order, |engine, run| engine.run_setup(run))
    }

    /// Runs a ruling: all of it becomes an operation, or nothing.
    pub(in crate::game) fn ruling(
        &mut self,
        order: &Order<'_>,
        body: impl FnOnce(&Engine, Run) -> (Run, Result<Outcome, Diagnostic>),
    ) -> Reply {
        let attempt = self.attempt(order, body);
        let printed = attempt.printed.clone();
        let asked = self.asks_for_reason(&attempt);
        let mut reply = self.settle(order, attempt);
        reply.findings.extend(asked);
        reply.printed = printed;
        self.now.rebuild_if_spent();
        reply
    }

    /// Runs a ruling and leaves its writes pending.
    pub(in crate::game) fn attempt(
        &mut self,
        order: &Order<'_>,
        body: impl FnOnce(&Engine, Run) -> (Run, Result<Outcome, Diagnostic>),
    ) -> Attempt {
        let oracle = self.oracle();
        let mark = self.state.mark();
        let mut run = self.new_run(order, &oracle);
        if let Some(replay) = &mut self.replay {
            replay.begin(order, &mut run);
        }
        let (mut run, result) = self.now.call(|engine| body(engine, run));
        if let Some(replay) = &mut self.replay {
            replay.end(&mut run);
        }
        let recorded = run.take_recorded();
        self.state = run.state;
        let printed = self.now.machine().take_printed();
        let result = match self.not_going_on(&oracle, &result) {
            Some(finding) => Err(finding),
            None => self
                .ended(&oracle, result)
                .and_then(|()| self.settle_numbers(order, &oracle))
                .map_err(|finding| about_the_line(self.pointing(finding, order), order.line)),
        };
        let result = result.and_then(|()| self.reasoned(&recorded, &oracle));
        let mut root = self.root(order);
        self.add_records(&recorded, &mut root);
        let causes = match &result {
            Ok(()) if !self.is_noted() => Vec::new(),
            Ok(()) => {
                let mut causes = run.motion.causes.to_values(order.rule, &self.state, mark);
                self.add_records(&recorded, &mut causes);
                causes
            }
            Err(_) => root.clone(),
        };
        Attempt {
            causes,
            root,
            mark,
            oracle,
            documents: run.documents,
            step: run.step,
            printed,
            result,
        }
    }

    /// Keeps what a ruling did, or takes it back: a query, a refusal; or lets it wait.
    pub(in crate::game) fn settle(&mut self, order: &Order<'_>, attempt: Attempt) -> Reply {
        if let (Ok(()), Some(open)) = (&attempt.result, attempt.oracle.open()) {
            return self.wait(order, attempt, open);
        }
        let documents = attempt.documents;
        match attempt.result {
            Ok(()) if order.query => {
                self.state.rollback(attempt.mark);
                Reply {
                    documents,
                    ..Reply::default()
                }
            }
            Ok(()) => {
                let used = attempt.oracle.used();
                let draft = self.draft(order, &used, (&documents, attempt.causes));
                let operation = self.history.record(&mut self.state, attempt.mark, draft);
                Reply {
                    op: Some(operation.seq),
                    documents,
                    ..Reply::default()
                }
            }
            Err(_) if self.is_by_order() && attempt.oracle.refused().is_some() => {
                // An order that is no answer to what waits is none.
                self.state.rollback(attempt.mark);
                Reply::default()
            }
            Err(finding) => {
                self.state.rollback(attempt.mark);
                let finding = self.with_maker(finding);
                let used = attempt.oracle.used();
                let draft = self.draft(order, &used, (&[], attempt.causes));
                if !order.query {
                    let (code, message) = (finding.code.to_string(), finding.message.clone());
                    self.history.refuse(&self.state, draft, code, message);
                }
                Reply::refused(finding)
            }
        }
    }

    /// Returns whether a standing order lets a ruling go on that waited.
    pub(in crate::game) fn is_by_order(&self) -> bool {
        let resume = self.resume.as_ref();
        resume.is_some_and(|resume| resume.by == ORDER)
    }

    /// Moves the state into a run; the caller moves it back.
    pub(in crate::game) fn new_run(&mut self, order: &Order<'_>, oracle: &SharedOracle) -> Run {
        let stand_in = self.state.stand_in();
        let state = std::mem::replace(&mut self.state, stand_in);
        Run {
            output_left: OUTPUT,
            by: order.by.to_owned(),
            slot: self.slot(),
            cause: self.cause(order),
            query: order.query,
            is_attended: self.is_attended,
            past: order.query.then(|| self.past()),
            ..Run::new(state, Box::new(oracle.clone()), &self.options.ruleset)
        }
    }

    /// Returns what a ruling is, for the records it makes and the operation it becomes.
    fn cause(&self, order: &Order<'_>) -> Value {
        let slot = i64::try_from(self.slot()).unwrap_or(i64::MAX);
        Value::map([("ruling", Value::from(slot)), ("rule", order.rule.into())])
    }

    pub(in crate::game) fn draft(
        &self,
        order: &Order<'_>,
        used: &[Input],
        (documents, causes): (&[Document], Vec<Value>),
    ) -> Draft {
        let resume = self.resume.as_ref();
        let (used, documents, causes) = match self.is_noted() {
            true => (used, documents, causes),
            false => (&[][..], &[][..], Vec::new()),
        };
        Draft {
            by: resume.map_or(order.by, |resume| &resume.by).into(),
            through: self.through.as_deref().map(Into::into),
            command: resume.map_or(order.line, |resume| &resume.line).into(),
            slot: resume.map(|resume| resume.waiting.slot),
            rules: self.now.hash().into(),
            inputs: used.iter().map(Input::to_value).collect(),
            causes,
            documents: documents.iter().map(Document::to_value).collect(),
        }
    }

    /// Makes a ruling of the host itself: writes, and what is said of them.
    pub fn host_ruling(
        &mut self,
        by: &str,
        line: &str,
        body: impl FnOnce(&mut State) -> Result<Vec<Document>, Diagnostic>,
    ) -> Reply {
        let mark = self.state.mark();
        match body(&mut self.state) {
            Ok(documents) => {
                let draft = self.draft(
                    &Order {
                        by,
                        line,
                        rule: "host",
                        query: false,
                    },
                    &[],
                    (&documents, Vec::new()),
                );
                let operation = self.history.record(&mut self.state, mark, draft);
                Reply {
                    op: Some(operation.seq),
                    documents,
                    ..Reply::default()
                }
            }
            Err(finding) => {
                self.state.rollback(mark);
                Reply::refused(finding)
            }
        }
    }
}

/// Points a refusal that is about what a person typed to their line, and to no rule.
fn about_the_line(finding: Diagnostic, line: &str) -> Diagnostic {
    if !HAND_CODES.contains(&&*finding.code) {
        return finding;
    }
    let finding = finding.at(&Source::new("line", line), Span::new(0, line.len()));
    Diagnostic {
        trace: Vec::new(),
        ..finding
    }
}
