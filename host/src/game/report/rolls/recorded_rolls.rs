//! Reads the recorded rolls of an operation, with their faces. Faces without a recorded roll become rolls of their own.

use crate::game::timeline::input::{Die, Input};
use crate::game::timeline::seed::decode_address_part;
use crate::store::Operation;
use crate::value::Value;

/// The audience of faces that no roll was recorded for.
const UNSAID: &str = "gm";

/// A roll of an operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedRoll {
    pub(super) who: Option<String>,
    pub(super) purpose: String,
    pub(super) formula: String,
    pub(super) faces: Vec<Die>,
    pub(super) total: Value,
    /// The audience that may see it, as a text.
    pub(super) seen: String,
}

/// Returns the rolls of an operation, in order.
pub(super) fn rolls_of_operation(operation: &Operation) -> Vec<RecordedRoll> {
    let inputs = operation.inputs.iter().filter_map(Input::from_value);
    let dice = inputs.filter_map(|input| match input {
        Input::Die(die) if die.sides > 0 => Some(die),
        Input::Die(_) | Input::Answer(_) => None,
    });
    let dice: Vec<Die> = dice.collect();
    let cause = operation.causes.first().map(|cause| cause.get("rolls"));
    let (mut rolls, mut at) = (Vec::new(), 0);
    for kept in cause.map_or(&[][..], Value::items) {
        let count = |key: &str| usize::try_from(kept.get(key).as_i64()?).ok();
        let (Some(from), Some(many)) = (count("from"), count("dice")) else {
            continue;
        };
        let end = from.checked_add(many).filter(|end| *end <= dice.len());
        let Some(end) = end.filter(|end| from >= at && *end > from) else {
            continue;
        };
        rolls.extend(unrecorded_rolls(&dice[at..from]));
        rolls.push(roll_from_record(kept, &dice[from..end]));
        at = end;
    }
    rolls.extend(unrecorded_rolls(&dice[at..]));
    rolls
}

fn roll_from_record(kept: &Value, faces: &[Die]) -> RecordedRoll {
    let text = |key: &str| kept.get(key).as_str().map(str::to_owned);
    let own = roll_from_faces(faces);
    let formula = text("formula").filter(|formula| *formula != die_sizes(faces));
    let is_sum = formula.is_none() && are_of_one_size(faces);
    let sum = || Value::from(faces.iter().map(|die| i64::from(die.face)).sum::<i64>());
    let total = match kept.get("total") {
        Value::Nil if is_sum => sum(),
        total => total.clone(),
    };
    RecordedRoll {
        formula: formula.unwrap_or_else(|| sum_notation(faces)),
        total,
        seen: text("seen").unwrap_or(own.seen),
        ..own
    }
}

/// Returns faces without a recorded roll as rolls: neighbors with the same purpose and roller form one roll.
fn unrecorded_rolls(dice: &[Die]) -> impl Iterator<Item = RecordedRoll> {
    let same = |one: &Die, other: &Die| purpose_and_roller(one) == purpose_and_roller(other);
    dice.chunk_by(same).map(roll_from_faces)
}

/// Returns the notation of dice that a rule rolled together: `3d6` for dice of one size.
fn sum_notation(faces: &[Die]) -> String {
    match faces {
        [first, _, ..] if are_of_one_size(faces) => format!("{}d{}", faces.len(), first.sides),
        _ => die_sizes(faces),
    }
}

/// Returns the sizes of dice one by one: `d20 d6`.
fn die_sizes(faces: &[Die]) -> String {
    let sizes: Vec<String> = faces.iter().map(|die| format!("d{}", die.sides)).collect();
    sizes.join(" ")
}

fn are_of_one_size(faces: &[Die]) -> bool {
    faces.windows(2).all(|two| two[0].sides == two[1].sides)
}

fn roll_from_faces(faces: &[Die]) -> RecordedRoll {
    let (purpose, who) = faces.first().map(purpose_and_roller).unwrap_or_default();
    RecordedRoll {
        who: (who != "-").then(|| decode_address_part(who)),
        purpose: decode_address_part(purpose),
        formula: die_sizes(faces),
        faces: faces.to_vec(),
        total: Value::Nil,
        seen: UNSAID.to_owned(),
    }
}

/// Returns the purpose and the roller of an address, as they are written there.
fn purpose_and_roller(die: &Die) -> (&str, &str) {
    let mut parts = die.address.split('/').skip(1);
    let mut next = || parts.next().unwrap_or_default();
    (next(), next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{StateHash, What};

    fn operation(dice: &[(&str, u32)], rolls: &[(i64, i64)]) -> Operation {
        let input = |(address, face): &(&str, u32)| {
            let die = Die {
                address: (*address).to_owned(),
                sides: 6,
                face: *face,
                typed: false,
            };
            Input::Die(die).to_value()
        };
        let roll = |(from, dice): &(i64, i64)| {
            let parts = [("from", (*from).into()), ("dice", (*dice).into())];
            let more = [("formula", "2d6".into()), ("total", Value::from(7))];
            Value::map(parts.into_iter().chain(more))
        };
        let rolls = Value::list(rolls.iter().map(roll));
        Operation {
            seq: 1,
            slot: Some(1),
            by: "gm".into(),
            through: None,
            command: "go".into(),
            rules: "".into(),
            inputs: dice.iter().map(input).collect(),
            changes: Vec::new(),
            causes: vec![Value::map([("rolls", rolls)])],
            documents: Vec::new(),
            state: StateHash::default(),
            what: What::Ruling,
        }
    }

    fn told(operation: &Operation) -> Vec<String> {
        let told = rolls_of_operation(operation).into_iter().map(|one| {
            let faces: Vec<String> = one.faces.iter().map(|die| die.face.to_string()).collect();
            let who = one.who.unwrap_or_default();
            let faces = faces.join(" ");
            format!(
                "{} {who}: {} [{faces}] {}",
                one.purpose, one.formula, one.total
            )
        });
        told.collect()
    }

    const DICE: [(&str, u32); 4] = [
        ("1/to%20hit/ann/1", 3),
        ("1/to%20hit/ann/2", 4),
        ("1/luck/-/1", 5),
        ("1/luck/-/2", 6),
    ];

    #[test]
    fn faces_belong_to_the_roll_that_drew_them_and_the_others_tell_themselves() {
        let one = operation(&DICE, &[(0, 2)]);
        assert_eq!(
            told(&one),
            ["to hit ann: 2d6 [3 4] 7", "luck : d6 d6 [5 6] nil"]
        );
        let none = operation(&DICE, &[]);
        assert_eq!(told(&none).len(), 2);
    }

    #[test]
    fn drawn_dice_of_one_size_are_added_up_and_others_are_not() {
        let kept = |formula: &str, total: Value| {
            let parts = [("from", 0.into()), ("dice", 2.into())];
            let more = [("formula", formula.into()), ("total", total)];
            Value::map(parts.into_iter().chain(more))
        };
        let die = |sides: u32, face: u32| Die {
            address: "1/luck/-/1".to_owned(),
            sides,
            face,
            typed: false,
        };
        for (formula, total, dice, expected) in [
            (
                "d6 d6",
                Value::Nil,
                [die(6, 2), die(6, 3)],
                ("2d6", Value::from(5)),
            ),
            (
                "d20 d6",
                Value::Nil,
                [die(20, 2), die(6, 3)],
                ("d20 d6", Value::Nil),
            ),
            (
                "2d6kh1",
                Value::from(3),
                [die(6, 2), die(6, 3)],
                ("2d6kh1", Value::from(3)),
            ),
        ] {
            let found = roll_from_record(&kept(formula, total), &dice);
            assert_eq!((found.formula.as_str(), found.total), expected);
        }
    }

    #[test]
    fn what_cannot_be_is_passed_over_and_every_face_is_told_once() {
        for rolls in [
            &[(3, 9)][..],
            &[(-1, 2)],
            &[(2, 2), (0, 2)],
            &[(0, 3), (1, 2)],
            &[(0, 0)],
            &[(i64::MAX, i64::MAX)],
        ] {
            let all = rolls_of_operation(&operation(&DICE, rolls));
            let faces: Vec<u32> = all
                .iter()
                .flat_map(|one| &one.faces)
                .map(|die| die.face)
                .collect();
            assert_eq!(faces, [3, 4, 5, 6], "{rolls:?}");
        }
    }
}
