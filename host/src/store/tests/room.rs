//! Tests the limits of bytes of a state and of a command.

use super::{attach, code, put, put_with, remove, set, state};
use crate::store::limits::Room;
use crate::store::{State, StoreError};
use crate::value::Value;

/// Returns a state with a row `ann` of 100 bytes or a little more.
fn with_ann() -> State {
    let mut state = state();
    let start = state.mark();
    put_with(&mut state, "ann", "player", &[("note", text(100))]).unwrap();
    state.commit(start);
    state
}

fn text(bytes: usize) -> Value {
    Value::text("x".repeat(bytes))
}

fn message(result: Result<(), StoreError>) -> String {
    result.expect_err("there is no room").to_string()
}

fn of_command(command: u64) -> Room {
    Room {
        command,
        ..Room::ENDLESS
    }
}

fn of_game(game: u64) -> Room {
    Room {
        game,
        ..Room::ENDLESS
    }
}

/// The ways to replace a text of 100 bytes by a text of another length.
const WAYS: [&str; 2] = ["set", "list"];

fn write(state: &mut State, way: &str, bytes: usize) -> Result<(), StoreError> {
    match way {
        "set" => set(state, "ann", "note", text(bytes)),
        // A list and its text each have a tag and a length; the length of a longer text takes two bytes.
        _ => {
            let around = if bytes < 132 { 4 } else { 5 };
            set(state, "ann", "note", Value::list([text(bytes - around)]))
        }
    }
}

#[test]
fn a_command_writes_so_many_bytes_and_no_more() {
    for way in WAYS {
        for (room, expected) in [(51, "ok"), (50, "ok"), (49, "limit/size")] {
            let mut state = with_ann();
            state.set_write_limits(of_command(room));
            let before = state.hash();
            let done = code(write(&mut state, way, 50));
            assert_eq!(done, expected, "{way} with room for {room}");
            assert_eq!(state.hash() == before, expected != "ok", "{way}, {room}");
        }
    }
}

#[test]
fn what_is_taken_back_or_settled_takes_no_room() {
    let mut state = with_ann();
    state.set_write_limits(of_command(250));
    let start = state.mark();
    set(&mut state, "ann", "note", text(100)).unwrap();
    let mark = state.mark();
    set(&mut state, "ann", "note", text(100)).unwrap();
    assert_eq!(
        code(set(&mut state, "ann", "note", text(100))),
        "limit/size"
    );
    state.rollback(mark);
    set(&mut state, "ann", "note", text(100)).unwrap();
    assert_eq!(
        code(set(&mut state, "ann", "more", text(100))),
        "limit/size"
    );
    state.commit(start);
    set(&mut state, "ann", "note", text(100)).unwrap();
    set(&mut state, "ann", "more", text(100)).unwrap();
}

#[test]
fn rows_that_come_count_with_all_their_cells_and_what_goes_is_never_refused() {
    let mut state = with_ann();
    state.set_write_limits(of_command(100));
    let bob = &[("note", text(100))];
    assert_eq!(
        code(put_with(&mut state, "bob", "player", bob)),
        "limit/size"
    );
    assert_eq!(code(attach(&mut state, "ann", "mark", bob)), "limit/size");
    put(&mut state, "bob", "player").unwrap();
    remove(&mut state, "ann").unwrap();
    set(&mut state, "bob", "note", text(10)).unwrap();
}

#[test]
fn a_game_holds_so_many_bytes_and_no_more() {
    for way in WAYS {
        let mut state = with_ann();
        let held = state.size_in_bytes();
        for (room, expected) in [
            (held + 51, "ok"),
            (held + 50, "ok"),
            (held + 49, "limit/size"),
        ] {
            let mark = state.mark();
            state.set_write_limits(of_game(room));
            assert_eq!(code(write(&mut state, way, 150)), expected, "{way}, {room}");
            state.rollback(mark);
        }
        // A write that makes the state smaller is allowed even above the limit.
        state.set_write_limits(of_game(10));
        assert_eq!(code(write(&mut state, way, 101)), "limit/size");
        assert_eq!(code(write(&mut state, way, 90)), "ok");
        assert_eq!(code(remove(&mut state, "ann")), "ok");
    }
}

#[test]
fn a_refusal_names_what_takes_most() {
    let mut state = with_ann();
    for row in ["one", "two"] {
        put_with(&mut state, row, "letter", &[("body", text(2_000))]).unwrap();
    }
    state.set_write_limits(of_game(4_500));
    let more = set(&mut state, "ann", "note", text(1_000));
    assert_eq!(
        message(more),
        "a game may hold 4 KiB, and this would be more; most is in 2 rows of the kind \"letter\" (3 KiB)"
    );
    state.set_write_limits(of_command(4_500));
    let more = set(&mut state, "ann", "note", text(1_000));
    assert_eq!(
        message(more),
        "a command may write 4 KiB, and this would be more; most is in 2 rows of the kind \"letter\" (3 KiB)"
    );
}

#[test]
fn recorded_changes_have_no_limit() {
    let mut state = with_ann();
    let other = state.fork();
    let start = state.mark();
    set(&mut state, "ann", "note", text(4_000)).unwrap();
    let changes = state.commit(start);
    let mut other = other;
    other.set_write_limits(Room {
        game: 10,
        command: 10,
    });
    other.apply_changes(&changes).unwrap();
    assert_eq!(
        (other.hash(), other.size_in_bytes()),
        (state.hash(), state.size_in_bytes())
    );
    assert_eq!(
        code(set(&mut other, "ann", "note", text(4_001))),
        "limit/size"
    );
}
