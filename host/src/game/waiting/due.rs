//! This module answers what nobody answered in time: questions with a default whose deadline has come.
//! A standing order of whoever is asked goes before the default.

use super::answer::{DEADLINE, OpenQuestion};
use crate::game::caller::Caller;
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::ruling::oracle::Given;
use crate::game::timeline::Timeline;
use crate::store::What;
use crate::value::Value;

/// Answers after one command: each may lead to a further question.
const MOST: usize = 1_000;

impl Timeline {
    /// Returns the game time, if the game has a clock.
    pub(in crate::game) fn game_time(&self) -> Option<Value> {
        let names = self.state.names();
        let (row, field) = (names.find("@clock")?, names.find("time")?);
        Some(self.state.get(row, field).clone()).filter(|time| !time.is_nil())
    }

    /// Answers what is overdue, each as an operation of its own, in the order in which it was due.
    ///
    /// What cannot go on stays open and is told as a finding.
    pub fn overdue(&mut self, caller: &Caller<'_>) -> Reply {
        let mut all = Reply::default();
        let mut stuck: Vec<String> = Vec::new();
        for _ in 0..MOST {
            let Some(open) = self.next_due(&stuck) else {
                break;
            };
            if let Some(reply) = self.by_order(caller, &open) {
                let is_answered = reply.op.is_some();
                all.absorb(reply);
                if is_answered {
                    continue;
                }
            }
            let given = Given {
                stakes: open.question.stakes(),
                answer: Ok(open.question.default.clone()),
                by: DEADLINE.to_owned(),
            };
            let line = format!("answer {} in time", open.number);
            let mut reply = self.give(&open, given, &Ruling::live(DEADLINE, &line, caller));
            if let Some(refusal) = reply.refusal.take() {
                stuck.push(open.number);
                all.findings.push(refusal);
            }
            all.absorb(reply);
        }
        all
    }

    /// Answers what needs nobody behind a command that changed the game, whose operations begin at a place: prompts that
    /// an order or the policy answers, then what is overdue. Behind an undo it would only come back.
    pub(in crate::game) fn settled(
        &mut self,
        caller: &Caller<'_>,
        mut reply: Reply,
        mut next: usize,
    ) -> Reply {
        let is_ruling = reply
            .op
            .and_then(|seq| self.history.operation(seq))
            .is_some_and(|one| one.what == What::Ruling || one.what.corrects().is_some());
        if !is_ruling {
            return reply;
        }
        for _ in 0..MOST {
            let before = self.history.operations().len();
            reply.absorb(self.answered_at_once(caller, &mut next));
            if self.history.operations().len() == before {
                reply.absorb(self.overdue(caller));
            }
            if self.history.operations().len() == before {
                break;
            }
        }
        reply
    }

    fn next_due(&self, stuck: &[String]) -> Option<OpenQuestion> {
        let now = self.game_time()?;
        let open = self.open_questions().into_iter();
        let due = open.filter(|one| {
            let is_due = one
                .question
                .deadline
                .as_ref()
                .is_some_and(|due| *due <= now);
            is_due && !one.question.default.is_nil() && !stuck.contains(&one.number)
        });
        due.min_by(|one, other| one.question.deadline.cmp(&other.question.deadline))
    }
}
