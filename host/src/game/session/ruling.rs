//! This module runs a ruling: all of it becomes an operation, or nothing.

use super::procedure::Procedure;
use crate::diag::{Diagnostic, Source, Span};
use crate::doc::Document;
use crate::game::reply::{Ran, Reply};
use crate::game::ruling::given::{Giver, Ruling, Trace};
use crate::game::ruling::input::Input;
use crate::game::ruling::oracle::{HAND_CODES, SharedOracle};
use crate::game::timeline::Timeline;
use crate::script::{GM, Printed, Run};
use crate::store::{Draft, Mark, State};
use crate::value::Value;

/// Bytes of documents that one command may say.
const OUTPUT: usize = 8 << 20;

/// The line that sets a game up.
pub(in crate::game) const NEW_GAME: &str = "new game";

/// A ruling that ran; its writes are still pending in the state.
pub(in crate::game) struct Attempt {
    pub(in crate::game) mark: Mark,
    pub(in crate::game) oracle: SharedOracle,
    pub(in crate::game) documents: Vec<Document>,
    pub(in crate::game) printed: Printed,
    /// The step of a plan that it stands at.
    pub(in crate::game) step: Option<String>,
    /// Whether it only looks.
    pub(in crate::game) is_query: bool,
    /// The rule that it ran, and what happened in it, if that was traced.
    pub(in crate::game) ran: Ran,
    /// What led to what; of what was refused, only the rule that it ran.
    pub(in crate::game) causes: Vec<Value>,
    /// The rule that it ran, and what it rolled: what is kept while it waits.
    pub(in crate::game) root: Vec<Value>,
    pub(in crate::game) result: Result<(), Diagnostic>,
}

impl Timeline {
    /// Runs the ruleset's `setup`, whose line and giver are always the same.
    pub(in crate::game) fn set_up(&mut self, ruling: &Ruling<'_>) -> Reply {
        let giver = Giver {
            seat: GM,
            ..ruling.giver
        };
        let ruling = Ruling {
            giver,
            line: NEW_GAME,
            ..*ruling
        };
        self.rule_on(&ruling, Procedure::Setup)
    }

    /// Runs a ruling: all of it becomes an operation, or nothing.
    pub(in crate::game) fn rule_on(
        &mut self,
        ruling: &Ruling<'_>,
        procedure: Procedure<'_>,
    ) -> Reply {
        let attempt = self.attempt(ruling, procedure);
        let printed = attempt.printed.clone();
        let asked = self.asks_for_reason(ruling, &attempt);
        let mut reply = self.settle(ruling, attempt);
        reply.findings.extend(asked);
        reply.printed = printed;
        self.generation().rebuild_if_spent();
        reply
    }

    /// Runs a procedure and leaves its writes pending.
    pub(in crate::game) fn attempt(
        &mut self,
        ruling: &Ruling<'_>,
        procedure: Procedure<'_>,
    ) -> Attempt {
        let (rule, is_query) = (procedure.rule(), procedure.is_query());
        let oracle = self.oracle(ruling);
        let mark = self.state.mark();
        let mut run = self.new_run(ruling, (&rule, is_query), &oracle);
        if ruling.trace == Trace::On {
            run.trace(&rule);
        }
        let (mut run, result) = self.generation().call(|engine| procedure.run(engine, run));
        let (lines, left_out) = run.take_trace();
        let recorded = run.take_recorded();
        self.state = run.state;
        let printed = self.generation().machine().take_printed();
        let result = match self.not_going_on(ruling, &oracle, &result) {
            Some(finding) => Err(finding),
            None => self
                .ended(ruling, &oracle, result)
                .and_then(|()| match is_query {
                    true => Ok(()),
                    false => self.settle_numbers(ruling, &rule, &oracle),
                })
                .map_err(|finding| about_the_line(self.pointing(finding, ruling), ruling.line)),
        };
        let result = result.and_then(|()| self.reasoned(&recorded, &oracle));
        let mut root = root(&rule);
        self.add_records(&recorded, &mut root);
        let causes = match &result {
            Ok(()) if !self.dice.are_noted() => Vec::new(),
            Ok(()) => {
                let mut causes = run.motion.causes.to_values(&rule, &self.state, mark);
                self.add_records(&recorded, &mut causes);
                causes
            }
            Err(_) => root.clone(),
        };
        Attempt {
            ran: Ran {
                rule,
                lines,
                left_out,
            },
            is_query,
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
    pub(in crate::game) fn settle(&mut self, ruling: &Ruling<'_>, mut attempt: Attempt) -> Reply {
        let ran = std::mem::take(&mut attempt.ran);
        let reply = match (&attempt.result, attempt.oracle.open()) {
            (Ok(()), Some(open)) => self.wait(ruling, (&ran.rule, attempt), open),
            (Ok(()), None) => self.settle_done(ruling, attempt),
            (Err(_), _) => self.settle_refused(ruling, attempt),
        };
        Reply {
            ran: Some(ran),
            ..reply
        }
    }

    fn settle_done(&mut self, ruling: &Ruling<'_>, attempt: Attempt) -> Reply {
        let documents = attempt.documents;
        if attempt.is_query {
            self.state.rollback(attempt.mark);
            return Reply {
                documents,
                ..Reply::default()
            };
        }
        let used = attempt.oracle.used();
        let draft = self.draft(ruling, &used, (&documents, attempt.causes));
        let operation = self.history.record(&mut self.state, attempt.mark, draft);
        Reply {
            op: Some(operation.seq),
            documents,
            ..Reply::default()
        }
    }

    fn settle_refused(&mut self, ruling: &Ruling<'_>, attempt: Attempt) -> Reply {
        self.state.rollback(attempt.mark);
        let finding = match attempt.result {
            // An order that is no answer to what waits is none.
            Err(_) if ruling.is_by_order() && attempt.oracle.refused().is_some() => {
                return Reply::default();
            }
            Err(finding) => self.with_maker(finding),
            Ok(()) => return Reply::default(),
        };
        if !attempt.is_query {
            let used = attempt.oracle.used();
            let draft = self.draft(ruling, &used, (&[], attempt.causes));
            let (code, message) = (finding.code.to_string(), finding.message.clone());
            self.history.refuse(&self.state, draft, code, message);
        }
        Reply::refused(finding)
    }

    /// Moves the state into a run; the caller moves it back.
    pub(in crate::game) fn new_run(
        &mut self,
        ruling: &Ruling<'_>,
        (rule, query): (&str, bool),
        oracle: &SharedOracle,
    ) -> Run {
        let stand_in = self.state.stand_in();
        let slot = self.slot(ruling);
        let past = query.then(|| self.past());
        let state = std::mem::replace(&mut self.state, stand_in);
        Run {
            output_left: OUTPUT,
            by: ruling.by().to_owned(),
            slot,
            cause: cause(slot, rule),
            query,
            is_attended: ruling.caller.responders.attended,
            past,
            ..Run::new(state, Box::new(oracle.clone()), &self.game.ruleset)
        }
    }

    /// Returns the operation that a ruling becomes, of what it used and said.
    pub(in crate::game) fn draft(
        &self,
        ruling: &Ruling<'_>,
        used: &[Input],
        (documents, causes): (&[Document], Vec<Value>),
    ) -> Draft {
        let (giver, line) = ruling.recorded();
        let (used, documents, causes) = match self.dice.are_noted() {
            true => (used, documents, causes),
            false => (&[][..], &[][..], Vec::new()),
        };
        Draft {
            by: giver.seat.into(),
            through: giver.entered_by.map(Into::into),
            command: line.into(),
            slot: ruling.waiting().map(|waiting| waiting.slot),
            rules: self.generation().hash().into(),
            inputs: used.iter().map(Input::to_value).collect(),
            causes,
            documents: documents.iter().map(Document::to_value).collect(),
        }
    }

    /// Makes a ruling of the host itself: writes, and what is said of them.
    pub fn host_ruling(
        &mut self,
        ruling: &Ruling<'_>,
        body: impl FnOnce(&mut State) -> Result<Vec<Document>, Diagnostic>,
    ) -> Reply {
        let mark = self.state.mark();
        match body(&mut self.state) {
            Ok(documents) => {
                let draft = self.draft(ruling, &[], (&documents, Vec::new()));
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

/// Returns what a ruling is, for the records it makes and the operation it becomes.
fn cause(slot: u64, rule: &str) -> Value {
    let slot = i64::try_from(slot).unwrap_or(i64::MAX);
    Value::map([("ruling", Value::from(slot)), ("rule", rule.into())])
}

/// Returns the causes of a ruling of which nothing is kept: the rule that it ran.
pub(in crate::game) fn root(rule: &str) -> Vec<Value> {
    let zero = || Value::from(0);
    vec![Value::map([
        ("n", zero()),
        ("parent", zero()),
        ("rule", rule.into()),
    ])]
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
