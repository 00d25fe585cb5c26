//! Tests that recorded inputs reproduce the ruling, and that all other inputs make it stale.

use crate::game::ruling::input_source::*;
use crate::script::ReplyType;

/// Returns any text unchanged as the answer.
struct Plain;

impl Reader for Plain {
    fn read(&self, _: &Question, text: &str) -> Result<Value, Box<Diagnostic>> {
        Ok(Value::from(text))
    }

    fn choices(&self, _: &Question) -> Vec<Value> {
        Vec::new()
    }
}

fn question(to: &str) -> Question {
    Question {
        to: to.to_owned(),
        members: vec![to.to_owned()],
        key: "way".to_owned(),
        who: "-".to_owned(),
        reply: ReplyType::Options(vec!["left".to_owned(), "right".to_owned()]),
        default: Value::Nil,
        deadline: None,
        text: "Which way?".to_owned(),
    }
}

/// Runs a ruling that rolls, asks and orders. Returns its inputs as text.
fn run_test_ruling(
    input_source: &SharedInputs,
    to: &str,
    sides: u32,
) -> Result<String, Box<Diagnostic>> {
    let mut chance = input_source.clone();
    let face = chance.draw_face("roll", "ann", sides)?;
    let answer = chance.ask(&[question(to)], &Plain)?;
    let word = chance.draw_order("order", "bo")?;
    Ok(format!("{face} {answer:?} {word}"))
}

fn inputs_of_first_run() -> SharedInputs {
    let seed = Seed::from_text("recorded");
    let orders = [(("ann".to_owned(), "way".to_owned()), "left".to_owned())];
    SharedInputs::with_seeded_dice(&seed, "3", Vec::new())
        .with_standing_answers(BTreeMap::from(orders))
}

#[test]
fn what_was_recorded_is_the_ruling_again() {
    let then = inputs_of_first_run();
    let result = run_test_ruling(&then, "ann", 20).unwrap();
    let addresses: Vec<String> = then
        .used_inputs()
        .iter()
        .map(|input| input.address().to_owned())
        .collect();
    assert_eq!(addresses, ["3/roll/ann/1", "3/way/-/1", "3/order/bo/1"]);
    let again = SharedInputs::of_recorded_inputs("3", &then.used_inputs());
    assert_eq!(run_test_ruling(&again, "ann", 20).unwrap(), result);
    assert_eq!(
        (again.used_inputs(), again.stale_refusal(true)),
        (then.used_inputs(), None)
    );
}

#[test]
fn other_stakes_another_order_and_leftovers_are_stale() {
    let then = inputs_of_first_run();
    run_test_ruling(&then, "ann", 20).unwrap();
    let again = || SharedInputs::of_recorded_inputs("3", &then.used_inputs());
    for (to, sides) in [("bo", 20), ("ann", 12)] {
        let input_source = again();
        let _ = run_test_ruling(&input_source, to, sides);
        assert_eq!(
            input_source.stale_refusal(true).unwrap().code,
            "ask/stale",
            "{to} d{sides}"
        );
    }
    let other_order = again();
    let refusal = other_order.clone().draw_order("order", "bo").unwrap_err();
    assert!(
        refusal
            .message
            .contains("the recorded ruling used a d20 at 3/roll/ann/1"),
        "{}",
        refusal.message
    );
    let short = again();
    short.clone().draw_face("roll", "ann", 20).unwrap();
    assert!(
        short
            .stale_refusal(true)
            .unwrap()
            .message
            .ends_with("nothing more")
    );
    let beyond = again();
    run_test_ruling(&beyond, "ann", 20).unwrap();
    assert_eq!(
        beyond
            .clone()
            .draw_face("roll", "ann", 20)
            .unwrap_err()
            .code,
        "dice/not-recorded"
    );
}
