//! Tests combined ends: cascades, several due moments, order, undo and saved states.

use std::rc::Rc;

use super::{World, end};
use crate::store::{Draft, History, State};
use crate::value::Value;

fn one(key: &str, value: impl Into<Value>) -> Value {
    end([(key, value.into())])
}

#[test]
fn what_a_source_takes_along_goes_in_order_of_attachment() {
    let mut world = World::new();
    world.attach("bo", "veil", &one("with", "ann")).unwrap();
    world.attach("cy", "echo", &one("with", "veil#1")).unwrap();
    world.attach("veil#1", "lining", &Value::Nil).unwrap();
    world
        .attach("bo", "shade", &one("with", "lining#3"))
        .unwrap();
    world.attach("bo", "rest", &Value::Nil).unwrap();
    world.remove("ann");
    let told = [
        "veil: ended with ann",
        "echo: ended with veil#1",
        "lining: ended with veil#1",
        "shade: ended with lining#3",
    ];
    assert_eq!(world.ended, told);
    assert_eq!(world.state.record_count(), 1);
}

#[test]
fn a_row_that_is_removed_directly_takes_them_along_too() {
    let mut world = World::new();
    world.attach("bo", "veil", &one("with", "ann")).unwrap();
    world.attach("cy", "echo", &one("with", "veil#1")).unwrap();
    let mark = world.state.mark();
    crate::store::tests::remove(&mut world.state, "ann").unwrap();
    assert_eq!(world.state.record_count(), 0);
    world.state.rollback(mark);
    assert_eq!(world.state.record_count(), 2);
    world.remove("ann");
    assert_eq!(world.ended.len(), 2);
}

#[test]
fn records_that_end_with_each_other_end_together() {
    let mut world = World::new();
    world.attach("ann", "left", &Value::Nil).unwrap();
    world.attach("bo", "right", &one("with", "left#1")).unwrap();
    let ends = Value::list([one("with", "right#2")]);
    crate::store::tests::set(&mut world.state, "left#1", "@ends", ends).unwrap();
    let mark = world.state.mark();
    world.remove("right#2");
    assert_eq!(world.ended, ["left: ended with right#2", "right: removed"]);
    world.state.rollback(mark);
    world.remove("ann");
    assert_eq!(
        world.ended[2..],
        ["left: ended with ann", "right: ended with left#1"]
    );
}

#[test]
fn time_stops_at_each_due_moment() {
    let mut world = World::new();
    for (kind, seconds) in [
        ("late", 7200),
        ("early", 60),
        ("later", 7200),
        ("never", 7201),
    ] {
        world.attach("ann", kind, &one("time", seconds)).unwrap();
    }
    world
        .attach("bo", "guest", &one("with", "early#2"))
        .unwrap();
    world.pass_seconds(7200);
    let told = [
        "at 1m",
        "early: time ran out at 1m",
        "guest: ended with early#2",
        "at 2h",
        "late: time ran out at 2h",
        "later: time ran out at 2h",
    ];
    assert_eq!(world.ended, told);
    assert_eq!((world.clock().time, world.state.record_count()), (7200, 1));
}

/// Two records that end at one moment end in order of attachment. Each ends by its own end, even if another end would
/// also remove it.
#[test]
fn two_ends_in_one_moment_are_in_order() {
    let mut world = World::new();
    let phase = one("phase", "this");
    world.attach("bo", "second", &phase).unwrap();
    let both = Value::list([one("with", "second#1"), phase.clone()]);
    world.attach("ann", "third", &both).unwrap();
    world
        .attach("ann", "fourth", &one("with", "third#2"))
        .unwrap();
    world.attach("cy", "fifth", &phase).unwrap();
    world.next_phase(None);
    let told = [
        "second: end of night 1",
        "third: end of night 1",
        "fourth: ended with third#2",
        "fifth: end of night 1",
    ];
    assert_eq!(world.ended, told);
}

#[test]
fn an_ended_record_tells_what_it_was() {
    let mut world = World::new();
    let record = world.attach("ann", "mark", &one("uses", 1)).unwrap();
    let inner = world.attach("mark#1", "note", &Value::Nil).unwrap();
    crate::store::tests::set(&mut world.state, "note#2", "depth", 4).unwrap();
    let used = world.state.use_record_once(record).unwrap();
    assert_eq!(used.left, Some(0));
    assert!(
        world.state.exists(inner),
        "using only counts; ending comes next"
    );
    let ended = world
        .state
        .end_rows(used.due.into_iter().collect())
        .unwrap();
    let note = &ended[1];
    let words = [&note.record, &note.kind, &note.owner, &note.bearer].map(|text| &**text);
    assert_eq!(words, ["note#2", "note", "mark#1", "ann"]);
    assert_eq!(note.values, Value::map([("depth", Value::from(4))]));
    assert_eq!(ended[0].reason, "1 use spent");
    assert!(world.state.use_record_once(record).is_err(), "it is gone");
}

#[test]
fn uses_count_down_and_a_record_without_them_counts_nothing() {
    let mut world = World::new();
    let counted = world.attach("ann", "mark", &one("uses", 3)).unwrap();
    let free = world.attach("ann", "mark", &Value::Nil).unwrap();
    let before = world.state.hash();
    assert_eq!(world.use_record_once(free), None);
    assert_eq!(world.state.hash(), before);
    let left: Vec<_> = (0..3).map(|_| world.use_record_once(counted)).collect();
    assert_eq!(left, [Some(2), Some(1), Some(0)]);
    assert_eq!(world.ended, ["mark: 3 uses spent"]);
}

#[test]
fn undo_redo_and_saved_states_keep_what_ends() {
    let mut world = World::new();
    world.begin_rounds(&["ann", "bo"]);
    world.next_turn();
    let start = world.state.log.mark_before_all();
    world.state.commit(start);
    let mut history = History::new(&world.state);
    world.attach("bo", "veil", &one("with", "ann")).unwrap();
    world.attach("ann", "mark", &one("time", 60)).unwrap();
    let start = world.state.log.mark_before_all();
    history.record_ruling(&mut world.state, start, Draft::default());
    world.next_turn();
    world.pass_seconds(60);
    world.remove("ann");
    assert_eq!(world.ended.len(), 3);
    let start = world.state.log.mark_before_all();
    history.record_ruling(&mut world.state, start, Draft::default());
    let after = world.state.hash();
    history.undo_last_ruling(&mut world.state, "gm").unwrap();
    assert_eq!(world.clock().turn.unwrap().row, "ann".into());
    world.state =
        State::from_bytes(&world.state.to_bytes(), Rc::clone(world.state.names())).unwrap();
    assert_eq!(world.state.next_due_second(0), Some(60));
    history.redo_last_undone(&mut world.state, "gm").unwrap();
    assert_eq!(world.state.hash(), after);
    assert_eq!(world.state.next_due_second(0), None);
    history.undo_last_ruling(&mut world.state, "gm").unwrap();
    let mark = world.state.mark();
    world.pass_seconds(60);
    world.remove("ann");
    assert_eq!(world.ended[3..], world.ended[..3]);
    world.state.rollback(mark);
}

#[test]
fn changes_that_leave_a_record_behind_are_refused() {
    let mut world = World::new();
    world.attach("bo", "veil", &one("with", "ann")).unwrap();
    let start = world.state.log.mark_before_all();
    world.state.commit(start);
    let before = world.state.hash();
    let mark = world.state.mark();
    crate::store::tests::remove(&mut world.state, "ann").unwrap();
    let changes = world.state.changes_since(mark);
    world.state.rollback(mark);
    let torn: Vec<_> = changes
        .iter()
        .filter(|change| &*world.state.names().text(change.row) == "ann")
        .cloned()
        .collect();
    assert!(!torn.is_empty() && torn.len() < changes.len());
    assert!(world.state.apply_changes(&torn).is_err());
    assert_eq!(world.state.hash(), before);
    world.state.apply_changes(&changes).unwrap();
    assert_eq!(world.state.record_count(), 0);
}

#[test]
fn bytes_with_a_record_left_behind_are_refused() {
    let mut world = World::new();
    world.attach("bo", "veil", &one("with", "ann")).unwrap();
    let bytes = world.state.to_bytes();
    State::from_bytes(&bytes, Rc::default()).unwrap();
    let torn: Vec<u8> = String::from_utf8_lossy(&bytes).into_owned().into_bytes();
    assert_eq!(torn, bytes, "the bytes of this state are plain text");
    let at = bytes.windows(3).rposition(|part| part == b"ann").unwrap();
    let mut torn = bytes;
    torn[at..at + 3].copy_from_slice(b"anx");
    assert!(State::from_bytes(&torn, Rc::default()).is_err());
}
