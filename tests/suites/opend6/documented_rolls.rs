//! Repeats the documented rolls through the program, with the faces of the double generator.

use serde_json::Value as Json;

use super::mersenne::Mersenne;
use super::{play_new_game, refusal_message};

/// The number of typed faces: more than any documented series uses.
const TYPED_FACES: usize = 90;

/// Rolls a code as often as there are expected texts, and returns the printed text. The dice are
/// used in order.
fn roll_with_generated_faces(mut generator: Mersenne, code: &str, count: usize) -> Vec<String> {
    let faces: Vec<u64> = (0..TYPED_FACES)
        .map(|_| u64::from(generator.next_face()))
        .collect();
    let typed: Vec<String> = faces.iter().map(u64::to_string).collect();
    let rolls = format!("roll {code}\n").repeat(count);
    let answers = play_new_game(&format!("dice next {}\n{rolls}", typed.join(" ")));
    let refused: Vec<String> = answers.iter().filter_map(refusal_message).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let data: Vec<&Json> = answers
        .iter()
        .map(|answer| &answer["data"])
        .filter(|data| !data["text"].is_null())
        .collect();
    let all =
        |roll: &Json| [&roll["faces"], &roll["more"]].map(|some| some.as_array().unwrap().clone());
    let used = data.iter().flat_map(|roll| all(roll).concat());
    let used: Vec<u64> = used.map(|face| face.as_u64().unwrap()).collect();
    assert_eq!(used, faces[..used.len()], "each face once, in order");
    data.iter()
        .map(|roll| roll["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn twelve_rolls_of_four_dice() {
    let expected = [
        "17!", "13!", "12? (18)", "6? (11)", "10", "13", "23", "15", "16!", "10", "9", "12",
    ];
    assert_eq!(
        roll_with_generated_faces(Mersenne::of_number(42), "4D", 12),
        expected
    );
}

#[test]
fn eight_rolls_of_one_die() {
    let expected = ["7!", "0? (1)", "9!", "2", "2", "2", "7!", "17!!"];
    assert_eq!(
        roll_with_generated_faces(Mersenne::of_number(42), "1D", 8),
        expected
    );
}

#[test]
fn six_rolls_of_three_dice_and_two_pips() {
    let expected = ["11", "4? (10)", "11", "13", "4? (6)", "7? (11)"];
    assert_eq!(
        roll_with_generated_faces(Mersenne::of_number(7), "3D+2", 6),
        expected
    );
}

#[test]
fn six_rolls_of_the_seed_that_is_a_text() {
    let expected = ["19!", "4? (5)", "13", "11", "10", "17!"];
    assert_eq!(
        roll_with_generated_faces(Mersenne::of_text(b"42"), "3D+2", 6),
        expected
    );
}
