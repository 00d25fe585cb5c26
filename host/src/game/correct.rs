//! This module corrects the past: a ruling is left out, or replaced by another command in its slot, and those behind it
//! are ruled again from what was recorded of them.
//!
//! A preview says what would become of each, and nothing is changed. With consent, the net difference becomes one
//! operation, which undo takes back and which can be reverted itself; nothing is rewritten. A correction gives no slot
//! back and no number of a record, so that what stands keeps its dice and its names. What cannot be ruled again for a
//! reason that is no rule's (a limit, an error of a script, an answer that nobody gave) ends the correction, and
//! everything is as it was. A ruling that waits is asked again like any other: where it asks the same, it waits on.

mod rerun;
mod ruled;
mod said;
mod shown;

use std::collections::BTreeMap;

use super::hand;
use super::input::Input;
use super::oracle::HandDie;
use super::past::not_gm;
use super::reply::Reply;
use super::session::Session;
use super::waiting::{self, Waiting};
use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::script::{ASKED, IDS, pass_all};
use crate::store::{Change, Draft, HistoryError, Operation, State, StateHash, StoreError, What};
use crate::value::{Name, Value};
use rerun::{Effect, Ran};
use ruled::{Ruled, inputs};
pub(super) use said::told_again;
use said::{SaidAgain, said_again};

/// Whether a correction is only looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// What would become of everything is shown, and nothing is changed.
    Asked,
    /// It is done.
    Given,
}

type Refusal = Box<Diagnostic>;

/// What becomes of a ruling that is ruled again.
#[derive(Clone, Debug, PartialEq)]
enum Became {
    Same,
    /// What it does otherwise: each cell as it is behind the ruling now, and as it would be.
    Changed(Vec<Change>),
    /// Why.
    Refused(Box<Diagnostic>),
}

/// One ruling that is ruled again.
struct Step {
    seq: u64,
    by: String,
    command: String,
    became: Became,
    /// Whether its own rules are not known any more.
    is_under_others: bool,
}

/// A correction that was tried.
struct Tried {
    /// The correction itself.
    what: What,
    steps: Vec<Step>,
    /// What the command of a replacement says, and the slot in which it waits.
    said: Vec<Document>,
    /// What rulings say that said something else before.
    said_again: Vec<SaidAgain>,
    waits: Option<u64>,
    /// The dice and answers that were not recorded before.
    inputs: Vec<Value>,
    /// The typed dice that wait then.
    hand: Vec<HandDie>,
    /// The rulings that wait then.
    waiting: Vec<Waiting>,
    changes: Vec<Change>,
    hash: StateHash,
}

impl Session {
    /// Leaves a ruling out as if it had never been given, or a correction.
    ///
    /// Errors: it does not stand; a ruling behind it cannot be ruled again.
    pub fn revert(&mut self, of: u64, consent: Consent, given: (&str, &str)) -> Reply {
        let (changed, refused) = (Vec::new(), Vec::new());
        let what = What::Revert {
            of,
            changed,
            refused,
        };
        self.correct(what, consent, given)
    }

    /// Rules on another command in the slot of a ruling, as if it had been given then by the same person.
    ///
    /// Errors: those of [`Session::revert`], and those of the command.
    pub fn replace(&mut self, of: u64, with: &str, consent: Consent, given: (&str, &str)) -> Reply {
        let what = What::Replace {
            of,
            with: with.into(),
            changed: Vec::new(),
            refused: Vec::new(),
        };
        self.correct(what, consent, given)
    }

    fn correct(&mut self, what: What, consent: Consent, (by, line): (&str, &str)) -> Reply {
        if let Some(refusal) = not_gm(by) {
            return Reply::refused(refusal);
        }
        let checked = self.check_correction(&what);
        let tried = checked.and_then(|()| self.tried(what));
        match (tried, consent) {
            (Err(refusal), _) => Reply::refused(*refusal),
            (Ok(tried), Consent::Asked) => Reply::document(self.asked_about_correction(&tried)),
            (Ok(tried), Consent::Given) => self.corrected(tried, (by, line)),
        }
    }

    /// Gives a line again that walks through the history, with what it drew then.
    pub(super) fn given_line_again(&mut self, operation: &Operation) -> Reply {
        self.drawn = inputs(operation);
        let reply = self.taken(&operation.by, &operation.command);
        self.drawn.clear();
        reply
    }

    /// Records a correction with what it changes.
    fn corrected(&mut self, tried: Tried, (by, line): (&str, &str)) -> Reply {
        let told = self.told_correction(&tried);
        let documents = std::iter::once(told).chain(tried.said);
        let documents: Vec<Document> = documents
            .chain(tried.said_again.iter().flat_map(SaidAgain::told))
            .collect();
        let draft = Draft {
            by: by.into(),
            command: line.into(),
            rules: self.rules_hash.as_str().into(),
            inputs: tried.inputs,
            documents: documents.iter().map(Document::to_value).collect(),
            ..Draft::default()
        };
        let net = (tried.changes, tried.hash);
        match self
            .history
            .correct(&mut self.state, (draft, tried.what), net)
        {
            Ok(operation) => Reply {
                op: Some(operation.seq),
                documents,
                waits: tried.waits,
                ..Reply::default()
            },
            Err(error) => Reply::refused(of_history(&error)),
        }
    }

    /// Checks that there is something to correct.
    fn check_correction(&self, what: &What) -> Result<(), Refusal> {
        let of = what.corrects().unwrap_or_default();
        let refused = |message: String, hint: String| {
            Err(Box::new(
                Diagnostic::error("revert/no-ruling", message).hint(hint),
            ))
        };
        let Some(operation) = self.history.operation(of) else {
            let last = self.history.operations().len();
            let finding = Diagnostic::error(
                "store/unknown-operation",
                format!("there is no operation {of}"),
            );
            return Err(Box::new(
                finding.hint(format!("the last one is {last}; log lists them")),
            ));
        };
        let is_replaced = matches!(what, What::Replace { .. });
        match &operation.what {
            What::Undo { .. } | What::Redo { .. } => {
                let message = format!("operation {of} is `{}`, no ruling", operation.command);
                return refused(message, "undo and redo take each other back".to_owned());
            }
            What::Refused { .. } => {
                let message = format!("operation {of} was refused and changed nothing");
                return refused(message, "log lists the rulings".to_owned());
            }
            What::Revert { .. } if is_replaced => {
                let message = format!("operation {of} is `{}`, no ruling", operation.command);
                return refused(message, format!("revert {of} lets it have no effect"));
            }
            What::Ruling | What::Revert { .. } | What::Replace { .. } => {}
        }
        let first = self.history.live().next().map(|first| first.seq);
        if first == Some(of) {
            let message = format!("operation {of} set the game up and stays");
            return refused(message, "a new game begins with another one".to_owned());
        }
        if !self.history.live().any(|one| one.seq == of) {
            let message = format!("operation {of} was taken back by undo");
            let hint = "redo lets what was taken back last hold again".to_owned();
            return refused(message, hint);
        }
        if self.history.standing_with(what) == self.history.standing() {
            let by = self.history.left_out().get(&of).copied();
            let message = match by {
                Some(by) => format!("operation {of} is left out already, by {by}"),
                None => format!("operation {of} has no effect any more"),
            };
            let hint = by.map_or_else(String::new, |by| format!("revert {by} brings it back"));
            return refused(message, hint);
        }
        Ok(())
    }

    /// Rules again what stands behind the correction, in another state.
    ///
    /// Errors: something cannot be ruled again.
    fn tried(&mut self, mut what: What) -> Result<Tried, Refusal> {
        let target = self.history.standing_with(&what);
        let (from, known) = self.history.nearest(&target);
        let first = self.history.state_before(from);
        let first = first.map_err(|error| Box::new(of_history(&error)))?;
        let later = target[known..].iter();
        let later: Vec<Ruled> = later.map(|seq| self.ruled(*seq, &what)).collect();
        let drawn = self.drawn.clone();
        let ran = self.rerun(first.fork(), (&later, &drawn))?;
        let now = self.present(&target, &later)?;
        let own = self.history.operations().len() as u64 + 1;
        if let Some(one) = ran.iter().find(|one| one.seq == own)
            && let Some(refusal) = &one.effect.refusal
        {
            let of = what.corrects().unwrap_or_default();
            return Err(self.given_by_another(of, refusal.clone()));
        }
        let steps = self.steps_of(&what, &later, (&ran, &now));
        note(&mut what, &steps);
        let last = self.last_state(&what, &first, &ran);
        let last = last.map_err(|error| Box::new(error.to_diagnostic()))?;
        let cells = self.history.operations()[usize::try_from(from - 1).unwrap_or_default()..]
            .iter()
            .flat_map(|operation| &operation.changes)
            .chain(ran.iter().flat_map(|one| &one.effect.changes))
            .map(|change| (change.row, change.field));
        let passed = passed(&self.state, &last);
        let changes = self.state.differing(&last, cells.chain(passed));
        let replaced = ran.iter().find(|one| one.seq == own);
        Ok(Tried {
            what,
            steps,
            said: replaced.map_or_else(Vec::new, |one| one.said.clone()),
            waits: replaced.and_then(|one| one.waits),
            said_again: said_again(&ran, &now, own),
            inputs: new_inputs(&later, &ran, own),
            hand: hand::waiting(&last),
            waiting: waiting::waiting(&last),
            changes,
            hash: last.hash(),
        })
    }

    /// Returns the state that a correction leads to: ids and numbers are not given out again, but where nothing was ruled
    /// since the correction that is taken back, it never was.
    fn last_state(&self, what: &What, first: &State, ran: &[Ran]) -> Result<State, StoreError> {
        let mut last = ran.last().map_or(first, |one| &one.after).fork();
        let of = what.corrects().and_then(|of| self.history.operation(of));
        let is_of_correction = of.is_some_and(|one| one.what.corrects().is_some());
        if !(is_of_correction && matches!(what, What::Revert { .. }) && ran.is_empty()) {
            let mark = last.mark();
            pass_all(&mut last, &self.state)?;
            last.commit(mark);
        }
        Ok(last)
    }

    /// Returns what rulings do as things are: what was recorded, unless a correction came behind them.
    fn present(
        &mut self,
        target: &[u64],
        later: &[Ruled],
    ) -> Result<BTreeMap<u64, Effect>, Refusal> {
        let standing = self.history.standing();
        let corrections = self
            .history
            .live()
            .filter(|one| one.what.corrects().is_some());
        let last = corrections.map(|one| one.seq).max().unwrap_or(0);
        let is_corrected = |one: &&Ruled| one.seq <= last && standing.contains(&one.seq);
        let own = self.history.operations().len() as u64 + 1;
        let mut effects: BTreeMap<u64, Effect> = later
            .iter()
            .filter(|one| one.seq > last && one.seq != own)
            .map(|one| (one.seq, Effect::recorded(&one.operation, one.waits)))
            .collect();
        if later.iter().any(|one| is_corrected(&one)) {
            let pairs = standing.iter().zip(target);
            let common = pairs.take_while(|(one, other)| one == other).count();
            let (from, known) = self.history.nearest(&standing[..common]);
            let first = self.history.state_before(from);
            let first = first.map_err(|error| Box::new(of_history(&error)))?;
            let none = What::Ruling;
            let present = standing[known..].iter();
            let present: Vec<Ruled> = present.map(|seq| self.ruled(*seq, &none)).collect();
            let ran = self.rerun(first, (&present, &[]))?;
            effects.extend(ran.into_iter().map(|one| (one.seq, one.effect)));
        }
        Ok(effects)
    }

    /// Compares what rulings do now with what they would do.
    fn steps_of(
        &self,
        what: &What,
        later: &[Ruled],
        (ran, now): (&[Ran], &BTreeMap<u64, Effect>),
    ) -> Vec<Step> {
        let own = self.history.operations().len() as u64 + 1;
        let back = self.brought_back(what, later);
        let again = later.iter().zip(ran).filter(|(one, _)| one.seq != own);
        let again = again.map(|(one, ran)| Step {
            seq: one.seq,
            by: one.operation.by.to_string(),
            command: one.operation.command.to_string(),
            became: self.became(one, ran, now.get(&one.seq)),
            is_under_others: ran.is_under_others,
        });
        back.into_iter().chain(again).collect()
    }

    /// Returns the rulings that do again what they did before the correction that is taken back.
    fn brought_back(&self, what: &What, later: &[Ruled]) -> Vec<Step> {
        let of = match what {
            What::Revert { of, .. } => self.history.operation(*of),
            _ => None,
        };
        let (changed, refused) = of.map_or((&[][..], &[][..]), |one| one.what.ruled_again());
        let mut back: Vec<u64> = changed.iter().chain(refused).copied().collect();
        back.sort_unstable();
        back.retain(|seq| !later.iter().any(|one| one.seq == *seq));
        let found = back.iter().filter_map(|seq| self.history.operation(*seq));
        found
            .map(|one| Step {
                seq: one.seq,
                by: one.by.to_string(),
                command: one.command.to_string(),
                became: Became::Changed(Vec::new()),
                is_under_others: false,
            })
            .collect()
    }

    fn became(&self, one: &Ruled, ran: &Ran, now: Option<&Effect>) -> Became {
        let then = &ran.effect;
        match (&then.refusal, now) {
            (Some(_), Some(now)) if now.refusal.is_some() => Became::Same,
            (Some(refusal), _) => Became::Refused(refusal.clone()),
            (None, None) => Became::Changed(then.changes.clone()),
            (None, Some(now)) => {
                let cells = now.differs(then, &ran.after, || {
                    self.history.state_before(one.seq + 1).ok()
                });
                let is_same = cells.is_empty()
                    && now.refusal.is_none()
                    && now.waits == then.waits
                    && now.documents == then.documents;
                if is_same {
                    Became::Same
                } else {
                    Became::Changed(cells)
                }
            }
        }
    }
}

/// Returns the cells in which it is kept what was given out.
fn passed(one: &State, other: &State) -> Vec<(Name, Name)> {
    let rows = [IDS, ASKED]
        .into_iter()
        .filter_map(|row| one.names().find(row));
    let cells = rows.flat_map(|row| {
        let fields = one.fields(row).into_iter().chain(other.fields(row));
        fields.map(move |field| (row, field))
    });
    cells.collect()
}

/// Notes in a correction which rulings it changes.
fn note(what: &mut What, steps: &[Step]) {
    if let What::Revert {
        changed, refused, ..
    }
    | What::Replace {
        changed, refused, ..
    } = what
    {
        for step in steps {
            match step.became {
                Became::Same => {}
                Became::Changed(_) => changed.push(step.seq),
                Became::Refused(_) => refused.push(step.seq),
            }
        }
    }
}

/// Returns what was used and is recorded nowhere, and all that the command of a replacement used.
fn new_inputs(later: &[Ruled], ran: &[Ran], own: u64) -> Vec<Value> {
    let pairs = later.iter().zip(ran);
    let new = pairs.flat_map(|(one, ran)| {
        let is_new = move |input: &&Value| {
            let is_known = |known: &Input| Some(known.address()) == input.get("address").as_str();
            one.seq == own || !one.known.iter().any(is_known)
        };
        ran.effect.inputs.iter().filter(is_new).cloned()
    });
    new.collect()
}

fn of_history(error: &HistoryError) -> Diagnostic {
    Diagnostic::error(error.code(), error.to_string())
}
