//! Tests auras: modifiers of a record that apply to other rows than its owner.

use std::rc::Rc;

use super::hall::{all, bear, declare, guarded, hall, list, over, show, with};
use super::{attach, code, layered, modifier, remove, set};
use crate::store::{Look, Stacking, StatDeclaration, Stats, WithoutRules, unmodified_stat_value};
use crate::value::Value;

#[test]
fn an_aura_reaches_rows_of_a_kind_where_it_says_and_follows_its_bearer() {
    let mut state = hall();
    let aura = over("mood", 3, Some("person"), Some("(self.spot,owner.spot,==)"));
    bear(&mut state, "ann", "song", aura);
    assert_eq!(all(&state, "mood"), ["3", "3", "nil", "nil"]);
    set(&mut state, "ann", "spot", "yard").unwrap();
    assert_eq!(all(&state, "mood"), ["3", "nil", "3", "nil"]);
    set(&mut state, "bo", "spot", "yard").unwrap();
    assert_eq!(all(&state, "mood"), ["3", "3", "3", "nil"]);
    let mark = state.mark();
    remove(&mut state, "ann").unwrap();
    assert_eq!(show(&state, "bo", "mood"), Value::Nil);
    state.rollback(mark);
    assert_eq!(all(&state, "mood"), ["3", "3", "3", "nil"]);
    let settled = state.log.mark_before_all();
    state.commit(settled);
    assert_eq!(all(&state, "mood"), ["3", "3", "3", "nil"]);
}

#[test]
fn the_fast_way_leaves_out_what_an_aura_or_a_formula_may_change() {
    let mut state = hall();
    let names = Rc::clone(state.names());
    let [ann, mood, hp, load] = ["ann", "mood", "hp", "load"].map(|name| names.intern(name));
    declare(&mut state, &[("load", "(self.hp,2,*)")]);
    assert_eq!(unmodified_stat_value(&state, ann, mood), Some(&Value::Nil));
    assert_eq!(unmodified_stat_value(&state, ann, load), None);
    bear(
        &mut state,
        "bo",
        "song",
        over("mood", 1, Some("thing"), None),
    );
    assert_eq!(unmodified_stat_value(&state, ann, mood), None);
    assert_eq!(unmodified_stat_value(&state, ann, hp), Some(&10.into()));
    set(&mut state, "ann", "load", 1).unwrap();
    assert_eq!(unmodified_stat_value(&state, ann, load), Some(&1.into()));
    remove(&mut state, "song#1").unwrap();
    assert_eq!(unmodified_stat_value(&state, ann, mood), Some(&Value::Nil));
}

#[test]
fn auras_stand_in_the_order_of_all_records() {
    let mut state = hall();
    bear(&mut state, "bo", "a", modifier("hp", "add", 1));
    let double = with(&modifier("hp", "multiply", 2), &[("over", Value::list([]))]);
    bear(&mut state, "ann", "b", double);
    bear(&mut state, "bo", "c", modifier("hp", "add", 1));
    assert_eq!(show(&state, "bo", "hp"), 23.into());
    assert_eq!(show(&state, "ann", "hp"), 20.into());
    // The modifiers of one record apply in the order of its list.
    let both = [
        over("hp", 1, None, None),
        modifier("hp", "multiply", 2),
        over("hp", 1, None, None),
    ];
    attach(&mut state, "ann", "d", &list(both)).unwrap();
    assert_eq!(show(&state, "ann", "hp"), 43.into());
    assert_eq!(show(&state, "bo", "hp"), 25.into());
}

#[test]
fn auras_keep_to_the_layers_of_a_stat() {
    let mut state = hall();
    let mut stats = Stats::default();
    let declaration = StatDeclaration {
        base: 1.into(),
        fold: Stacking::Layers(["set", "add"].map(Into::into).to_vec()),
        formula: None,
        ..StatDeclaration::default()
    };
    stats.declare_stat(state.names().intern("guard"), declaration);
    state.declare_stats(Rc::new(stats));
    let aura = |value: Value| with(&value, &[("over", Value::map([("kind", "person".into())]))]);
    bear(
        &mut state,
        "ann",
        "a",
        aura(layered("guard", "add", 2, "add")),
    );
    bear(
        &mut state,
        "bo",
        "b",
        aura(layered("guard", "set", 5, "set")),
    );
    assert_eq!(all(&state, "guard"), ["7", "7", "7", "1"]);
    let bare = aura(modifier("guard", "add", 1));
    assert_eq!(
        code(attach(&mut state, "ann", "c", &list([bare]))),
        "store/unknown-layer"
    );
}

#[test]
fn explanations_name_guards_with_values_and_bearers() {
    let mut state = hall();
    bear(
        &mut state,
        "ann",
        "mark",
        guarded("hp", 1, "(self.spot,\"yard\",==)"),
    );
    bear(
        &mut state,
        "bo",
        "song",
        over("hp", 2, Some("person"), Some("(self.spot,owner.spot,==)")),
    );
    bear(
        &mut state,
        "cy",
        "song",
        over("hp", 4, Some("person"), Some("(self.spot,owner.spot,==)")),
    );
    bear(&mut state, "cy", "song", over("hp", 8, Some("thing"), None));
    let names = state.names();
    let why = Look::new(&state, &WithoutRules)
        .explain_stat(names.intern("ann"), names.intern("hp"))
        .unwrap();
    assert_eq!(why.shown, 12.into());
    assert_eq!(why.steps.len(), 1);
    assert_eq!(why.steps[0].bearer, Some(names.intern("bo")));
    let off: Vec<_> = why
        .off
        .iter()
        .map(|off| {
            (
                &*names.text(off.record) == "mark#1",
                off.is_place,
                off.values.clone(),
            )
        })
        .collect();
    let value = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        off,
        [
            (true, false, vec![value("self.spot", "hall")]),
            (
                false,
                true,
                vec![value("self.spot", "hall"), value("owner.spot", "yard")]
            ),
        ]
    );
}

#[test]
fn stats_with_auras_are_few() {
    let mut state = hall();
    for at in 0..64 {
        let four = (0..4).map(|n| over(&format!("s{at}-{n}"), 1, None, None));
        attach(&mut state, "ann", "song", &list(four)).unwrap();
    }
    let more = attach(
        &mut state,
        "ann",
        "song",
        &list([over("more", 1, None, None)]),
    );
    assert_eq!(code(more), "limit/size");
    bear(&mut state, "bo", "song", over("s3-1", 1, None, None));
    assert_eq!(show(&state, "cy", "s3-1"), 2.into());
}
