//! Stores the dice that people typed until rulings use them. They are a row of the state, so undo restores them.

use crate::game::ruling::input_source::HandDie;
use crate::store::{State, StoreError, Write};
use crate::value::Value;

/// The row that stores them, and its kind.
const ROW: &str = "@hand-dice";
const FIELD: &str = "next";

/// Returns the waiting typed dice, in order.
pub fn typed_dice_not_yet_used(state: &State) -> Vec<HandDie> {
    let names = state.names();
    let (Some(row), Some(field)) = (names.find(ROW), names.find(FIELD)) else {
        return Vec::new();
    };
    state
        .get(row, field)
        .items()
        .iter()
        .filter_map(die_from_value)
        .collect()
}

fn die_from_value(value: &Value) -> Option<HandDie> {
    let number = |key: &str| {
        value
            .get(key)
            .as_i64()
            .and_then(|number| u32::try_from(number).ok())
    };
    Some(HandDie {
        face: number("face")?,
        sides: number("sides"),
    })
}

/// Replaces the waiting dice; if they are the same as before, nothing is written.
///
/// Errors: the errors of the store.
pub fn store_typed_dice(state: &mut State, dice: &[HandDie]) -> Result<(), StoreError> {
    if typed_dice_not_yet_used(state) == dice {
        return Ok(());
    }
    let names = std::rc::Rc::clone(state.names());
    let (row, field) = (names.intern(ROW), names.intern(FIELD));
    if dice.is_empty() {
        return state.apply(Write::Remove { row });
    }
    state.ensure_host_row(row)?;
    let value = Value::list(dice.iter().map(|die| {
        let sides = die
            .sides
            .map_or(Value::Nil, |sides| Value::from(i64::from(sides)));
        Value::map([("face", Value::from(i64::from(die.face))), ("sides", sides)])
    }));
    state.apply(Write::Set { row, field, value })
}
