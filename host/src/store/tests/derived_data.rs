//! Compares derived data that each write updates with the same data computed from scratch.

use std::rc::Rc;

use proptest::prelude::*;

use super::hall::{declare, guarded, hall, over, show_in, with};
use super::{attach, modifier, remove, set, texts};
use crate::store::State;
use crate::value::{Names, Value};

#[derive(Clone, Debug)]
enum Act {
    Move(usize, usize),
    /// A number in a field: one that auras read, one that they change, or one that nothing reads.
    Count(usize, usize, i64),
    Attach(usize, usize, usize),
    Guard(usize, bool),
    Modify(usize, usize),
    Remove(usize),
    Mark,
    Rollback,
    Commit,
    Read(usize),
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (0usize..4, 0usize..3).prop_map(|(row, spot)| Act::Move(row, spot)),
        4 => (0usize..4, 0usize..3, 0i64..20).prop_map(|(row, field, count)| Act::Count(row, field, count)),
        4 => (0usize..4, 0usize..7, 0usize..7).prop_map(|(row, one, two)| Act::Attach(row, one, two)),
        1 => (0usize..9, any::<bool>()).prop_map(|(record, on)| Act::Guard(record, on)),
        2 => (0usize..9, 0usize..7).prop_map(|(record, one)| Act::Modify(record, one)),
        2 => (0usize..9).prop_map(Act::Remove),
        2 => Just(Act::Mark),
        2 => Just(Act::Rollback),
        1 => Just(Act::Commit),
        8 => (0usize..4).prop_map(Act::Read),
    ]
}

fn some_modifier(at: usize) -> Value {
    match at {
        0 => over("mood", 1, Some("person"), Some("(self.spot,owner.spot,==)")),
        1 => over("mood", 10, None, None),
        2 => guarded("mood", 100, "(self.spot,\"hall\",==)"),
        3 => with(
            &over("hp", 1, Some("thing"), None),
            &[("while", "(owner.mood,10,>)".into())],
        ),
        4 => modifier("load", "add", 1000),
        5 => over("mood", 3, None, Some("(self.spot,\"pier\",==)")),
        _ => over("load", 7, None, Some("(self.hp,source.hp,>=)")),
    }
}

proptest! {
    #[test]
    fn what_is_kept_up_to_date_is_what_is_computed_anew(acts in prop::collection::vec(any_act(), 0..60)) {
        let mut state = hall();
        declare(&mut state, &[("load", "(self.hp,self.mood,+)")]);
        let start = state.log.mark_before_all();
        state.commit(start);
        let mut marks = Vec::new();
        let rows = ["ann", "bo", "cy", "lamp"];
        for act in acts {
            let records: Vec<String> = ["song", "mark"].iter().flat_map(|kind| {
                let kind = state.names().intern(kind);
                texts(&state, state.rows_of_kind(kind))
            }).collect();
            let record = |at: usize| records.get(at).cloned().unwrap_or_default();
            match act {
                Act::Move(row, spot) => drop(set(&mut state, rows[row], "spot", ["hall", "yard", "pier"][spot])),
                Act::Count(row, field, count) => {
                    let field = ["hp", "mood", "steps"][field];
                    let (row_name, name) = (state.names().intern(rows[row]), state.names().intern(field));
                    if count % 2 == 0 || !state.try_set_number(row_name, name, count.into()) {
                        drop(set(&mut state, rows[row], field, count));
                    }
                }
                Act::Attach(row, one, two) => {
                    let kind = if one < 3 { "song" } else { "mark" };
                    let fields = [("@modifiers", Value::list([some_modifier(one), some_modifier(two)])), ("@source", rows[two % 4].into())];
                    drop(attach(&mut state, rows[row], kind, &fields));
                }
                Act::Guard(at, on) => {
                    let guard = if on { Value::from("(owner.spot,\"pier\",!=)") } else { Value::Nil };
                    drop(set(&mut state, &record(at), "@while", guard));
                }
                Act::Modify(at, one) => drop(set(&mut state, &record(at), "@modifiers", Value::list([some_modifier(one)]))),
                Act::Remove(at) => drop(remove(&mut state, &record(at))),
                Act::Mark => marks.push(state.mark()),
                Act::Rollback => if let Some(mark) = marks.pop() { state.rollback(mark) },
                Act::Commit => {
                    marks.clear();
                    let start = state.log.mark_before_all();
                    state.commit(start);
                }
                Act::Read(row) => {
                    let anew = state.fork();
                    for stat in ["load", "mood", "hp", "steps"] {
                        prop_assert_eq!(show_in(&state, rows[row], stat), show_in(&anew, rows[row], stat), "{} {}", rows[row], stat);
                    }
                }
            }
        }
        let mut again = State::from_bytes(&state.to_bytes(), Rc::new(Names::default())).unwrap();
        declare(&mut again, &[("load", "(self.hp,self.mood,+)")]);
        for row in rows {
            for stat in ["mood", "hp", "load", "spot"] {
                prop_assert_eq!(show_in(&state, row, stat), show_in(&again, row, stat), "{} {}", row, stat);
            }
        }
        prop_assert_eq!(state.auras.is_some(), again.auras.is_some());
    }
}
