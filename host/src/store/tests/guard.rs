//! Tests guards: expressions that are evaluated when a stat is read and decide whether a modifier applies.

use std::rc::Rc;

use super::hall::{all, bear, guarded, hall, list, over, show, show_in, with};
use super::{attach, code, modifier, remove, set};
use crate::expr::{Item, Signature};
use crate::store::{Frame, Look, Outside, State, Stats, StoreError, Vocabulary, WithoutRules};
use crate::value::Value;

#[test]
fn a_guard_switches_with_a_write_and_back_with_the_savepoint() {
    let mut state = hall();
    bear(
        &mut state,
        "ann",
        "mark",
        guarded("hp", 5, "(self.spot,\"hall\",==)"),
    );
    assert_eq!(show(&state, "ann", "hp"), 15.into());
    let mark = state.mark();
    set(&mut state, "ann", "spot", "yard").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    state.rollback(mark);
    assert_eq!(show(&state, "ann", "hp"), 15.into());
    remove(&mut state, "mark#1").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 10.into());
}

#[test]
fn the_guard_of_a_record_guards_all_its_modifiers_and_can_be_set_and_taken_away() {
    let mut state = hall();
    let modifiers = Value::list([modifier("hp", "add", 1), over("mood", 2, None, None)]);
    let fields = [
        ("@modifiers", modifiers),
        ("@while", "(owner.spot,\"yard\",==)".into()),
    ];
    let record = attach(&mut state, "ann", "mark", &fields).unwrap();
    let record = state.names().text(record);
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    assert_eq!(all(&state, "mood"), ["nil", "nil", "nil", "nil"]);
    set(&mut state, "ann", "spot", "yard").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 11.into());
    assert_eq!(all(&state, "mood"), ["2", "2", "2", "2"]);
    set(&mut state, &record, "@while", "(record.off,!)").unwrap();
    assert_eq!(show(&state, "ann", "hp"), 11.into());
    set(&mut state, &record, "off", true).unwrap();
    assert_eq!(show(&state, "ann", "hp"), 10.into());
    set(&mut state, &record, "@while", Value::Nil).unwrap();
    assert_eq!(show(&state, "ann", "hp"), 11.into());
    assert_eq!(
        code(set(&mut state, "ann", "@while", "true")),
        "store/reserved-field"
    );
    assert_eq!(
        code(set(&mut state, &record, "@while", 3)),
        "store/bad-modifiers"
    );
}

#[test]
fn what_cannot_be_read_is_refused_when_a_rule_writes_it() {
    let mut state = hall();
    let cases = [
        (guarded("hp", 1, "(1,+)"), "needs 2 values, found 1"),
        (guarded("hp", 1, "(slf.hp,3,>)"), "unknown name \"slf\""),
        (
            with(&modifier("hp", "add", 1), &[("while", 3.into())]),
            "is an expression, not a number",
        ),
        (
            with(&modifier("hp", "add", 1), &[("over", 3.into())]),
            "is a map, not a number",
        ),
        (
            with(
                &modifier("hp", "add", 1),
                &[("over", Value::map([("kinds", "x".into())]))],
            ),
            "has no \"kinds\"",
        ),
        (
            with(
                &modifier("hp", "add", 1),
                &[("over", Value::map([("kind", 3.into())]))],
            ),
            "is a text, not a number",
        ),
        (
            over("hp", 1, None, Some("(self.hp")),
            "a bracket is not closed",
        ),
        (
            with(&modifier("hp", "add", 1), &[("whlie", "true".into())]),
            "a modifier has no \"whlie\"",
        ),
    ];
    for (modifier, wanted) in cases {
        let error = attach(&mut state, "ann", "mark", &list([modifier])).unwrap_err();
        assert_eq!(error.code(), "store/bad-modifiers");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[test]
fn an_expression_that_fails_at_read_is_named() {
    let mut state = hall();
    bear(&mut state, "ann", "mark", guarded("hp", 1, "(1,0,/)"));
    let error = show_in(&state, "ann", "hp").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the `only_if` of mark#1 on ann fails: in the expression \"(1,0,/)\": \"/\" divides by zero"
    );
    bear(&mut state, "bo", "mark", guarded("hp", 1, "(self.bag,1,+)"));
    set(&mut state, "bo", "bag", Value::list([1.into()])).unwrap();
    let error = show_in(&state, "bo", "hp").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the `only_if` of mark#2 on bo fails: an expression calculates with bo.bag, which is a list"
    );
}

/// Answers the name `weather` and adds the operands of functions.
struct Rules;

impl Outside for Rules {
    fn variable(&self, state: &State, name: &str, frame: Frame) -> Result<Item, StoreError> {
        let text = match name {
            "weather" => "rain".into(),
            "first" => state.names().text(frame.itself.unwrap()),
            other => return Err(StoreError::NoAnswer(other.into())),
        };
        Ok(Item::Text(text))
    }

    fn call(
        &self,
        _: &State,
        function: &str,
        operands: &[Item],
        _: Frame,
    ) -> Result<Item, StoreError> {
        assert_eq!((function, operands.len()), ("both", 2));
        Ok(Item::Bool(operands.iter().all(Item::is_true)))
    }

    fn spend(&self, _: usize) -> Result<(), StoreError> {
        Ok(())
    }
}

fn rules() -> Rc<Stats> {
    let mut stats = Stats::default();
    let both = Signature {
        operands: 2,
        quotes: false,
    };
    stats.set_vocabulary(Vocabulary {
        variables: ["weather".into(), "first".into()].into(),
        functions: [("both".into(), both)].into(),
    });
    Rc::new(stats)
}

#[test]
fn words_of_the_rules_come_and_go_with_them() {
    let mut state = hall();
    state.declare_stats(rules());
    let guard = "(weather,\"rain\",==,first.hp,both)";
    bear(&mut state, "ann", "mark", guarded("mood", 1, guard));
    bear(&mut state, "bo", "mark", guarded("hp", 1, "(first.hp)"));
    let [ann, bo, mood, hp] = ["ann", "bo", "mood", "hp"].map(|name| state.names().intern(name));
    assert_eq!(
        Look::new(&state, &Rules).stat_value(ann, mood),
        Ok(1.into())
    );
    // The stat depends on itself through a name of the rules.
    assert_eq!(
        code(Look::new(&state, &Rules).stat_value(bo, hp)),
        "store/cycle"
    );
    state.clear_computed_values();
    assert_eq!(
        code(Look::new(&state, &WithoutRules).stat_value(ann, mood)),
        "store/no-answer"
    );
    // The state can be opened without the rules. A modifier with an unreadable expression is inactive.
    let mut again = State::from_bytes(&state.to_bytes(), Rc::clone(state.names())).unwrap();
    assert_eq!(
        Look::new(&again, &WithoutRules).stat_value(ann, mood),
        Ok(Value::Nil)
    );
    let why = Look::new(&again, &WithoutRules)
        .explain_stat(ann, mood)
        .unwrap();
    assert!(
        why.off[0].broken.as_ref().unwrap().contains("unknown name"),
        "{:?}",
        why.off
    );
    again.declare_stats(rules());
    assert_eq!(
        Look::new(&again, &Rules).stat_value(ann, mood),
        Ok(1.into())
    );
    again.declare_stats(Rc::default());
    assert_eq!(
        Look::new(&again, &Rules).stat_value(ann, mood),
        Ok(Value::Nil)
    );
}
