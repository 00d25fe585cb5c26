//! This module answers prompts without people: by a standing order of whoever is asked, else by the policy.
//!
//! It is done once, when the prompt or the order is new; each answer is a ruling of its own. Questions inside a ruling
//! need nothing of this: they are answered where they are asked.

use super::answer::{ORDER, POLICY};
use super::input::Input;
use super::orders::{self, orders};
use super::reply::Reply;
use super::seed::encoded;
use super::session::{Order, Session};
use crate::script::{PROMPT, prompts};
use crate::store::{Operation, What};
use crate::value::Name;

impl Session {
    /// Answers prompts that came with the operations from a place on, and moves the place behind them; a new order meets
    /// all prompts.
    pub(super) fn answered_at_once(&mut self, next: &mut usize) -> Reply {
        let mut all = Reply::default();
        let end = self.history.operations().len();
        let met: Vec<Name> = self.history.operations()[*next..]
            .iter()
            .flat_map(|operation| self.met(operation))
            .collect();
        *next = end;
        for row in met {
            if let Some(reply) = self.at_once(row) {
                all.absorb(reply);
            }
        }
        all
    }

    /// Returns the prompts that an operation made; those that it gave an order for are any.
    fn met(&self, operation: &Operation) -> Vec<Name> {
        if operation.what != What::Ruling && operation.what.corrects().is_none() {
            return Vec::new();
        }
        let names = self.state.names();
        let is_ordered = |row: Name| *names.text(row) == *orders::ROW;
        if operation
            .changes
            .iter()
            .any(|change| is_ordered(change.row))
        {
            return prompts(&self.state);
        }
        let kind = self.state.reserved().kind;
        let made = operation.changes.iter();
        made.filter(|change| change.field == kind && change.new.as_str() == Some(PROMPT))
            .map(|change| change.row)
            .collect()
    }

    /// Answers a prompt; nothing, if nobody but people can.
    fn at_once(&mut self, row: Name) -> Option<Reply> {
        let open = self.open_prompt(row)?;
        let by = self.who_answers(&open.question.to, &open.question.key)?;
        let line = format!("answer {} by {by}", open.number);
        let id = self.state.names().text(row);
        let next = self.continuation(row).ok()?;
        let order = Order {
            by,
            line: &line,
            rule: &id,
            query: false,
        };
        let (key, who) = (encoded(&open.question.key), encoded(&open.question.who));
        let address = format!("{}/{key}/{who}/1", self.slot_text(self.slot()));
        let attempt = self.attempt(&order, |engine, run| {
            next.run(engine, run, row, open.question)
        });
        let used = attempt.oracle.used();
        let is_answer =
            |input: &Input| matches!(input, Input::Answer(one) if one.address == address);
        let reply = if !used.first().is_some_and(is_answer) {
            self.state.rollback(attempt.mark);
            None
        } else if let Err(refusal) = &attempt.result {
            let finding = refusal.clone().hint(format!("{id} stays open"));
            self.state.rollback(attempt.mark);
            Some(Reply {
                findings: vec![finding],
                ..Reply::default()
            })
        } else {
            let printed = attempt.printed.clone();
            Some(Reply {
                printed,
                ..self.settle(&order, attempt)
            })
        };
        self.rebuild_if_spent();
        reply
    }

    /// Returns who may answer at once: a standing order for the key, else the policy.
    fn who_answers(&self, to: &str, key: &str) -> Option<&'static str> {
        let orders = orders(&self.state);
        if !orders.is_empty() {
            let members = self.seats().members(to);
            let seats = members.iter().map(String::as_str).chain([to]);
            let mut keys = seats.map(|seat| (seat.to_owned(), key.to_owned()));
            if keys.any(|one| orders.contains_key(&one)) {
                return Some(ORDER);
            }
        }
        self.policy.as_ref().map(|_| POLICY)
    }
}
