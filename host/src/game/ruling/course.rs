//! This module is the course of a ruling: where its inputs come from, how it ends, and when it may not begin.

use super::oracle::SharedOracle;
use super::typed_dice;
use crate::diag::Diagnostic;
use crate::game::session::{Order, Session};
use crate::game::waiting::orders::orders;
use crate::game::waiting::rows;
use crate::script::{GM, LIBRARY, Outcome};
use crate::value::Value;

impl Session {
    /// Returns where a ruling gets its inputs: a waiting one begins with what was recorded of it.
    pub(in crate::game) fn oracle(&mut self) -> SharedOracle {
        if let Some(replay) = &self.replay {
            let oracle = replay.oracle();
            return match &mut self.resume {
                Some(resume) => {
                    resume.is_used = true;
                    let oracle = oracle.giving(resume.given.clone());
                    oracle.having_asked(&resume.waiting.open)
                }
                None => oracle,
            };
        }
        let mut hand = typed_dice::waiting(&self.state);
        let place = self.resume.as_ref().and_then(|one| one.waiting.place());
        let place = place.map(str::to_owned);
        let slot = place.unwrap_or_else(|| self.slot_text(self.slot()));
        let mut given = std::mem::take(&mut self.given);
        let (mut transcript, mut asked) = (Vec::new(), Vec::new());
        if let Some(resume) = self.resume.as_mut().filter(|resume| !resume.is_used) {
            resume.is_used = true;
            transcript.clone_from(&resume.waiting.transcript);
            asked.clone_from(&resume.waiting.open);
            given.append(&mut resume.given.clone());
            hand.splice(0..0, resume.hand.iter().copied());
        }
        let oracle = match &self.streamed {
            Some(streamed) => SharedOracle::streamed(streamed.dice(), &slot, hand),
            None => SharedOracle::seeded(&self.dice_seed(), &slot, hand),
        };
        let oracle = match self.streamed.is_none() && self.has_known_dice() {
            true => oracle.revealed(),
            false => oracle,
        };
        oracle
            .going_on(transcript, given)
            .having_asked(&asked)
            .with_orders(orders(&self.state))
            .with_policy(self.policy.clone())
            .waiting()
    }

    /// Returns the causes of a ruling of which nothing is kept: the rule that it ran.
    pub(in crate::game) fn root(&self, order: &Order<'_>) -> Vec<Value> {
        let zero = || Value::from(0);
        let root = [
            ("n", zero()),
            ("parent", zero()),
            ("rule", order.rule.into()),
        ];
        vec![Value::map(root)]
    }

    /// Returns why a ruling did not go on as it was recorded, or which answer is none.
    pub(in crate::game) fn not_going_on(
        &self,
        oracle: &SharedOracle,
        result: &Result<Outcome, Diagnostic>,
    ) -> Option<Diagnostic> {
        let is_over = matches!(result, Ok(Outcome::Done | Outcome::Refused(_)));
        let stale = oracle.stale(is_over).map(|finding| {
            let finding = match result {
                Ok(Outcome::Refused(why)) => {
                    finding.hint(format!("it would be refused now: {}", why.message))
                }
                Ok(_) | Err(_) => finding,
            };
            match &self.resume {
                Some(resume) => self.with_ways_out(finding, &resume.waiting),
                None => finding,
            }
        });
        stale.or_else(|| oracle.refused())
    }

    /// Settles the end of a run: it waits no more, and typed dice that are left wait on.
    pub(in crate::game) fn ended(
        &mut self,
        oracle: &SharedOracle,
        result: Result<Outcome, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        match result {
            Ok(Outcome::Waits) => Ok(()),
            Ok(Outcome::Done) => {
                let mut kept = typed_dice::keep(&mut self.state, &oracle.hand_left());
                if let Some(resume) = &self.resume {
                    let slot = resume.waiting.slot;
                    kept = kept.and_then(|()| rows::remove(&mut self.state, slot));
                }
                kept.map_err(|error| error.to_diagnostic())
            }
            Ok(Outcome::Refused(finding)) | Err(finding) => Err(finding),
        }
    }

    /// Returns the slot of the ruling that runs, or of the next one.
    pub(in crate::game) fn slot(&self) -> u64 {
        let resumed = self.resume.as_ref().map(|resume| resume.waiting.slot);
        resumed.unwrap_or_else(|| self.history.next_slot())
    }

    /// Returns why a command must wait: the ruleset takes one ruling at a time, and one waits.
    ///
    /// `command` is the collection and id of a command of the rules; those of the library are corrections where the
    /// game master gives them.
    pub(in crate::game) fn held_back(
        &self,
        by: &str,
        command: Option<(&str, &str)>,
    ) -> Option<Diagnostic> {
        let rules = self.rules();
        let is_declared = rules.ruleset.get("one_at_a_time").as_bool() == Some(true);
        if !is_declared || self.resume.is_some() || !rows::is_any(&self.state) {
            return None;
        }
        let definition = command.and_then(|(collection, id)| rules.registry.get(collection, id));
        let is_shared = definition.is_some_and(|one| *one.mod_name == *LIBRARY);
        if by == GM && is_shared {
            return None;
        }
        let message = "a ruling waits for an answer, and this game takes one at a time";
        let finding = Diagnostic::error("ask/one-at-a-time", message);
        Some(finding.hint("answer its question; prompts lists what waits"))
    }
}
