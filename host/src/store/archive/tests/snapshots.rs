//! Tests games opened from a snapshot: they equal the whole game, and the journal wins over a snapshot.

use std::fs;
use std::path::Path;

use super::failing_disk::Handle;
use super::{Table, assert_same, open, played};
use crate::store::archive::{ArchiveError, JOURNAL, snapshot, write_behind_channel};

fn play_with_snapshots(place: &Path, count: usize) -> (Table, Vec<u64>) {
    let mut table = Table::new(place);
    table.game.set_sync(super::SyncMode::Group).unwrap();
    let mut made = Vec::new();
    for _ in 0..count {
        table.play();
        if table.game.snapshot_if_due(&table.state).unwrap() {
            made.push(table.game.last_seq());
        }
    }
    (table, made)
}

/// Closes the game and returns its data with a game of another folder, for comparisons.
fn closed(table: Table, place: &Path) -> Table {
    let beside = place.with_file_name("beside");
    let game = super::Game::create(&beside, &super::new_game()).unwrap();
    fs::remove_dir_all(beside).unwrap();
    Table { game, ..table }
}

#[test]
fn a_game_opened_from_a_snapshot_is_the_game() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    let (table, made) = play_with_snapshots(&place, 850);
    assert_eq!(made, [201, 402, 603, 804]);
    assert_eq!(snapshot::snapshot_seqs(&place), Ok(vec![402, 603, 804]));
    let mut table = closed(table, &place);
    let mut opened = open(&place).unwrap();
    assert_eq!(opened.notes, []);
    assert_same(&opened, &table);
    // Reads the state before the snapshot, and undoes rulings older than the snapshot.
    for seq in [1, 2, 200, 804, 805, 851] {
        let (a, b) = (
            opened.history.state_before(seq),
            table.history.state_before(seq),
        );
        assert_eq!(a.unwrap().to_bytes(), b.unwrap().to_bytes());
    }
    assert_eq!(
        opened.history.seen_dice_addresses(),
        table.history.seen_dice_addresses()
    );
    for _ in 0..100 {
        let a = opened
            .history
            .undo_last_ruling(&mut opened.state, "gm")
            .unwrap()
            .clone();
        table
            .history
            .undo_last_ruling(&mut table.state, "gm")
            .unwrap();
        opened
            .game
            .append_operations(opened.state.names(), std::slice::from_ref(&a), super::AT)
            .unwrap();
    }
    assert_same(&opened, &table);
    // There were 46 lines after the snapshot, and 100 are new.
    assert!(!opened.game.snapshot_if_due(&opened.state).unwrap());
    for _ in 0..55 {
        let a = opened
            .history
            .redo_last_undone(&mut opened.state, "gm")
            .unwrap()
            .clone();
        opened
            .game
            .append_operations(opened.state.names(), std::slice::from_ref(&a), super::AT)
            .unwrap();
    }
    assert!(opened.game.snapshot_if_due(&opened.state).unwrap());
    assert_eq!(snapshot::snapshot_seqs(&place), Ok(vec![603, 804, 1005]));
}

#[test]
fn the_journal_wins() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    let (table, _) = play_with_snapshots(&place, 450);
    let table = closed(table, &place);
    let folder = place.join("snapshots");
    let (older, newer) = (
        folder.join("000000000201.state"),
        folder.join("000000000402.state"),
    );
    // A valid snapshot of another state has the name of the newer one.
    let other = home.path().join("other");
    let mut strange = played(&other, 1);
    strange.state = super::State::new(std::rc::Rc::default());
    fs::remove_file(&newer).unwrap();
    snapshot::write_snapshot(&place, 402, &strange.state).unwrap();
    let opened = open(&place).unwrap();
    assert_eq!(opened.notes.len(), 1);
    assert_eq!(
        opened.notes[0].message,
        "the snapshot of log line 402 does not match the journal and is ignored"
    );
    assert_same(&opened, &table);
    assert!(!newer.exists(), "it is not kept for the next time");
    drop(opened);
    // One snapshot has a changed bit, and one is for operations that do not exist.
    let mut bytes = fs::read(&older).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&older, bytes).unwrap();
    fs::write(folder.join("000000009999.state"), "").unwrap();
    fs::write(folder.join(".new-000000000450.state"), "half").unwrap();
    let opened = open(&place).unwrap();
    assert_eq!(opened.notes.len(), 2);
    assert_same(&opened, &table);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_snapshot_of_what_power_took_from_the_journal_is_passed_over() {
    let home = tempfile::tempdir().unwrap();
    let place = home.path().join("game");
    let (table, made) = play_with_snapshots(&place, 450);
    assert_eq!(made, [201, 402]);
    drop(table);
    let journal = place.join(JOURNAL);
    let lines = fs::read_to_string(&journal).unwrap();
    let left: Vec<&str> = lines.split_inclusive('\n').take(1 + 300).collect();
    fs::write(&journal, left.concat()).unwrap();
    let opened = open(&place).unwrap();
    assert_eq!((opened.game.last_seq(), opened.notes.len()), (300, 1));
    let (table, _) = play_with_snapshots(&home.path().join("other"), 300);
    assert_same(&opened, &table);
    assert_eq!(snapshot::snapshot_seqs(&place), Ok(vec![201]));
}

#[test]
fn a_snapshot_syncs_nothing_and_waits_for_what_another_thread_writes() {
    let home = tempfile::tempdir().unwrap();
    let mut table = Table::new(&home.path().join("game"));
    table.game.set_sync(super::SyncMode::Group).unwrap();
    let disk = Handle::default();
    table.game.set_sink(Box::new(disk.clone())).unwrap();
    table.play();
    table.game.save_snapshot(&table.state).unwrap();
    assert_eq!(disk.lock().synced, 0);
    assert!(!disk.lock().bytes.is_empty(), "the line is written");
    // The lines are handed over, but never written: no snapshot is made.
    let (ahead, behind) = write_behind_channel::<()>();
    table.game.write_behind(&ahead);
    table.play();
    drop(behind);
    let refused = ArchiveError::NotSynced(std::io::ErrorKind::BrokenPipe);
    assert_eq!(table.game.save_snapshot(&table.state), Err(refused));
    assert_eq!(
        snapshot::snapshot_seqs(&home.path().join("game")),
        Ok(vec![1])
    );
}
