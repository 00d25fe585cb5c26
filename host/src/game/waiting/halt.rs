//! This module lets a ruling wait: what it used so far and its questions are kept as an operation, all else is thrown
//! away.

use std::collections::BTreeMap;

use super::rows::{self, Waiting};
use crate::doc::Document;
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::ruling::input::Input;
use crate::game::ruling::oracle::{Given, HandDie, Open};
use crate::game::ruling::typed_dice;
use crate::game::session::Attempt;
use crate::game::timeline::Timeline;
use crate::value::Value;

/// Where a ruling came to when it asked somebody.
pub(in crate::game) struct Halt {
    /// The questions that it asked at once.
    pub(in crate::game) open: Vec<Open>,
    /// What it used so far.
    pub(in crate::game) used: Vec<Input>,
    /// The typed dice that are left.
    pub(in crate::game) hand: Vec<HandDie>,
    /// What it said so far.
    pub(in crate::game) said: Vec<Document>,
    /// The rule that it runs.
    pub(in crate::game) rule: String,
    /// The step of a plan that it stands at.
    pub(in crate::game) step: Option<String>,
    /// The rule that it ran, and what it rolled.
    pub(in crate::game) root: Vec<Value>,
}

impl Timeline {
    /// Lets a ruling wait that ran until it asked somebody.
    pub(in crate::game) fn wait(
        &mut self,
        ruling: &Ruling<'_>,
        (rule, attempt): (&str, Attempt),
        open: Vec<Open>,
    ) -> Reply {
        self.state.rollback(attempt.mark);
        let halt = Halt {
            open,
            used: attempt.oracle.used(),
            hand: attempt.oracle.hand_left(),
            said: attempt.documents,
            rule: rule.to_owned(),
            step: attempt.step,
            root: attempt.root,
        };
        self.halted(ruling, halt)
    }

    /// Keeps a ruling that waits, as an operation, and asks its questions.
    pub(in crate::game) fn halted(&mut self, ruling: &Ruling<'_>, halt: Halt) -> Reply {
        let before = ruling.waiting();
        let asked = before.map_or(&[][..], |waiting| &waiting.open);
        let waiting = Waiting {
            slot: self.slot(ruling),
            command: ruling.line.to_owned(),
            by: ruling.by().to_owned(),
            rule: halt.rule,
            rules: self.generation().hash().to_owned(),
            is_pinned: before.is_some_and(|waiting| waiting.is_pinned),
            salts: self.salts_that_count(ruling),
            step: halt.step,
            transcript: halt.used,
            open: halt.open.into_iter().map(|one| dated(one, asked)).collect(),
            numbers: BTreeMap::new(),
            given: BTreeMap::new(),
        };
        let mark = self.state.mark();
        let kept = self.numbered(ruling, waiting).and_then(|(waiting, new)| {
            rows::put(&mut self.state, &waiting)?;
            typed_dice::keep(&mut self.state, &halt.hand)?;
            Ok((waiting, new))
        });
        let (waiting, new) = match kept {
            Ok(kept) => kept,
            Err(error) => {
                self.state.rollback(mark);
                return Reply::refused(error.to_diagnostic());
            }
        };
        let documents = self.told_of(ruling, &waiting, &new);
        let mut draft = self.draft(ruling, &waiting.transcript, (&[], halt.root));
        let noted = waiting.open.iter().filter_map(Open::input);
        draft.inputs.extend(noted.map(|input| input.to_value()));
        let operation = self.history.record(&mut self.state, mark, draft);
        Reply {
            op: Some(operation.seq),
            provisional: halt.said,
            documents,
            waits: Some(waiting.slot),
            ..Reply::default()
        }
    }
}

/// Returns the answers that a ruling has while others are missing, by address.
pub(in crate::game) fn noted(waiting: &Waiting) -> impl Iterator<Item = (String, Given)> + '_ {
    waiting.open.iter().filter_map(|open| {
        let (answer, by) = open.answer.clone()?;
        let (stakes, answer) = (open.question.stakes(), Ok(answer));
        Some((open.address.clone(), Given { stakes, answer, by }))
    })
}

/// Keeps the deadline that a question was first asked with: the ruling runs again, and time has passed since.
fn dated(mut open: Open, asked: &[Open]) -> Open {
    if let Some(first) = asked.iter().find(|one| one.address == open.address) {
        open.question.deadline.clone_from(&first.question.deadline);
    }
    open
}
