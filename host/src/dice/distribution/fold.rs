//! Computes the exact outcome of a pool whose rule is a state table that the caller provides.
//!
//! The rule takes the dice one after the other: state and face give the next state and a number to add. Equal states
//! are merged. The sum is stored beside the state, so that the rule is called once for each state, size and face.

use std::collections::BTreeMap;

use super::poly::Poly;
use super::work_budget::{Trouble, Work};
use crate::diag::Diagnostic;
use crate::dice::face_source::{MOST_DICE, MOST_SIDES};
use crate::dice::refusal;
use crate::value::Value;

/// Most different states of one fold.
pub(crate) const MOST_STATES: usize = 50_000;

/// Longest text that is a state, in bytes.
pub(crate) const LONGEST_STATE: usize = 256;

/// Steps of work for one call of the rule; a million calls use up the budget.
const CALL_STEPS: u64 = 25;

/// The number of outcomes of a pool that end in one state with one sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldOutcome {
    /// The state after the last die.
    pub state: Value,
    /// The sum of the numbers added.
    pub sum: i64,
    /// The number of equally likely outcomes of the dice; all counts add up to the product of the sizes.
    pub count: u128,
}

/// The reasons why a fold has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoldError<E> {
    /// The rule failed.
    Step(E),
    /// The dice, the states or the work are refused.
    Refused(Box<Diagnostic>),
}

/// Folds a rule over dice and returns every outcome, ordered by state, then by sum.
///
/// Shape: `dice` are sizes; the rule gets them in this order. `step(state, face, sides)` returns the next state and the
/// number to add. Equal arguments must give equal results: the rule is called once for each. A state is a number, a
/// text up to 256 bytes, a bool or nil.
/// Unit: work is bounded over the whole fold: 50,000 states, 1,000,000 calls, 25,000,000 additions of cells (one cell
/// is a sum within a state, neighbouring sums of a state spanning 2,000,000 at most).
/// Errors: `Step` as the rule gave it; `dice/bad-size`, `dice/too-many`, `dice/bad-state`,
/// `dice/distribution-too-large`.
pub fn fold_outcomes<E>(
    dice: &[u32],
    start: Value,
    step: impl FnMut(&Value, u32, u32) -> Result<(Value, i64), E>,
) -> Result<Vec<FoldOutcome>, FoldError<E>> {
    fold_outcomes_and_step_count(dice, start, step).0
}

/// Returns the same and the number of steps; a step is one to three nanoseconds.
pub fn fold_outcomes_and_step_count<E>(
    dice: &[u32],
    start: Value,
    step: impl FnMut(&Value, u32, u32) -> Result<(Value, i64), E>,
) -> (Result<Vec<FoldOutcome>, FoldError<E>>, u64) {
    let mut work = Work::for_small_counts();
    let folded = fold_dice_within_budget(dice, start, step, &mut work);
    (folded, work.steps_taken())
}

fn fold_dice_within_budget<E>(
    dice: &[u32],
    start: Value,
    step: impl FnMut(&Value, u32, u32) -> Result<(Value, i64), E>,
    work: &mut Work,
) -> Result<Vec<FoldOutcome>, FoldError<E>> {
    check_pool_size(dice)?;
    let mut rule = Rule {
        step,
        states: Vec::new(),
        numbers: BTreeMap::new(),
        moves: BTreeMap::new(),
    };
    let mut ways = BTreeMap::from([(rule.state_number(start)?, Poly::<u128>::one())]);
    for sides in dice {
        let mut next: BTreeMap<usize, Poly<u128>> = BTreeMap::new();
        for (state, sums) in &ways {
            for (to, add, faces) in rule.die_moves_from_state(*state, *sides, work)? {
                let cell = next.entry(*to).or_insert_with(Poly::empty);
                cell.add_shifted(sums, *add, faces, work)?;
            }
        }
        ways = next;
    }
    Ok(rule.sorted_outcomes(ways))
}

/// The next state, the number added, and the number of faces with this result.
type Move = (usize, i64, u128);

/// The known part of the rule.
struct Rule<F> {
    step: F,
    states: Vec<Value>,
    numbers: BTreeMap<Value, usize>,
    /// The moves for each state and size of a die.
    moves: BTreeMap<(usize, u32), Vec<Move>>,
}

impl<F> Rule<F> {
    /// Returns the number of a state, in the order in which states were first seen.
    fn state_number<E>(&mut self, state: Value) -> Result<usize, FoldError<E>> {
        if let Some(number) = self.numbers.get(&state) {
            return Ok(*number);
        }
        check_state_form(&state)?;
        let number = self.states.len();
        if number >= MOST_STATES {
            return Err(Trouble::TooLarge.into());
        }
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        Ok(number)
    }

    /// Returns the moves of a die from a state. Calls the rule the first time.
    fn die_moves_from_state<E>(
        &mut self,
        state: usize,
        sides: u32,
        work: &mut Work,
    ) -> Result<&[Move], FoldError<E>>
    where
        F: FnMut(&Value, u32, u32) -> Result<(Value, i64), E>,
    {
        if !self.moves.contains_key(&(state, sides)) {
            let mut faces: BTreeMap<(usize, i64), u128> = BTreeMap::new();
            let from = self.states[state].clone();
            for face in 1..=sides {
                work.spend_steps(CALL_STEPS)?;
                let (to, add) = (self.step)(&from, face, sides).map_err(FoldError::Step)?;
                *faces.entry((self.state_number(to)?, add)).or_default() += 1;
            }
            let faces = faces.into_iter().map(|((to, add), faces)| (to, add, faces));
            self.moves.insert((state, sides), faces.collect());
        }
        Ok(&self.moves[&(state, sides)])
    }

    fn sorted_outcomes(self, ways: BTreeMap<usize, Poly<u128>>) -> Vec<FoldOutcome> {
        let mut outcomes = Vec::new();
        for (state, number) in self.numbers {
            let sums = ways.get(&number).map(Poly::entries);
            outcomes.extend(sums.into_iter().flatten().map(|(sum, count)| FoldOutcome {
                state: state.clone(),
                sum,
                count: *count,
            }));
        }
        outcomes
    }
}

/// Refuses impossible dice, and pools whose outcomes do not fit into 128 bits.
fn check_pool_size<E>(dice: &[u32]) -> Result<(), FoldError<E>> {
    if dice.len() > usize::try_from(MOST_DICE).unwrap_or(usize::MAX) {
        let message = format!("one pool has at most {MOST_DICE} dice, not {}", dice.len());
        return Err(fold_refusal(
            "dice/too-many",
            message,
            "fold fewer dice at once",
        ));
    }
    if let Some(sides) = dice.iter().find(|sides| !(1..=MOST_SIDES).contains(sides)) {
        let message = format!("a die has 1 to {MOST_SIDES} sides, not {sides}");
        return Err(fold_refusal(
            "dice/bad-size",
            message,
            "give the sizes of dice, as in {20, 8, 6}",
        ));
    }
    let outcomes = dice
        .iter()
        .try_fold(1u128, |all, sides| all.checked_mul((*sides).into()));
    outcomes.map(|_| ()).ok_or(Trouble::TooLarge.into())
}

fn check_state_form<E>(state: &Value) -> Result<(), FoldError<E>> {
    let hint = "use a short text or a number as the state";
    match state {
        Value::Nil | Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::Text(text) if text.len() <= LONGEST_STATE => Ok(()),
        Value::Text(text) => {
            let message = format!(
                "a state has {} bytes, at most {LONGEST_STATE} are allowed",
                text.len()
            );
            Err(fold_refusal("dice/bad-state", message, hint))
        }
        Value::List(_) | Value::Map(_) => {
            let message = format!(
                "a state must be a number, a short text, a boolean or nil, not a {}",
                state.kind()
            );
            Err(fold_refusal("dice/bad-state", message, hint))
        }
    }
}

fn fold_refusal<E>(code: &'static str, message: String, hint: &str) -> FoldError<E> {
    FoldError::Refused(Diagnostic::error(code, message).hint(hint).into())
}

/// The dice of a fold have no total that could fail: every trouble is the size.
impl<E> From<Trouble> for FoldError<E> {
    fn from(_: Trouble) -> FoldError<E> {
        FoldError::Refused(refusal::too_large_distribution().into())
    }
}
