//! Tests games that run ahead of the disk: all answered operations are saved, even if the disk fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use proptest::prelude::*;

use super::failing_disk::{Handle, any_plan, lines};
use crate::store::archive::journal_scanner::Tail;
use crate::store::archive::{Ahead, Behind, Chain, Journal, Sink, SyncMode, write_behind_channel};

/// Starts a thread that appends as many lines as it can. It hands over an answer for each line: the number of the line.
fn spawn_game_thread(
    disk: &Handle,
    sync: SyncMode,
    count: usize,
) -> (Behind<usize>, thread::JoinHandle<()>) {
    let (ahead, behind) = write_behind_channel();
    let disk = disk.clone();
    let rules = move || append(&ahead, Box::new(disk), sync, count);
    (behind, thread::spawn(rules))
}

fn append(ahead: &Ahead<usize>, mut sink: Box<dyn Sink>, sync: SyncMode, count: usize) {
    ahead.redirect_to_thread(&mut sink, 0);
    let mut journal = Journal::new(sink, (0, Chain::default()), sync);
    for number in 0..count {
        let _ = journal.append_lines(&[json(number)]);
        if !ahead.answer(number) {
            return;
        }
    }
    let _ = journal.flush();
}

fn json(number: usize) -> String {
    format!("{{\"seq\":{number}}}")
}

#[test]
fn nothing_behind_an_answer_is_written_before_the_next_one_is_asked_for() {
    let disk = Handle::default();
    let (mut behind, game) = spawn_game_thread(&disk, SyncMode::Each, 50);
    for number in 0..50 {
        assert_eq!(behind.next_answer(), Some((number, Ok(()))));
        let (found, _) = lines(&disk.lock().bytes);
        assert_eq!(found.len(), number + 1);
        assert!(disk.is_safe());
    }
    assert_eq!(behind.next_answer(), None);
    game.join().unwrap();
}

#[test]
fn a_game_that_nobody_listens_to_any_more_ends() {
    let disk = Handle::default();
    let (mut behind, game) = spawn_game_thread(&disk, SyncMode::Each, 1_000_000);
    assert_eq!(behind.next_answer(), Some((0, Ok(()))));
    drop(behind);
    game.join().unwrap();
    assert_eq!(lines(&disk.lock().bytes).0, [json(0)]);
}

#[test]
fn who_waits_for_the_disk_goes_on_when_it_has_done_all_before() {
    let (ahead, mut behind) = write_behind_channel::<()>();
    let disk = Handle::default();
    let mut sink: Box<dyn Sink> = Box::new(disk.clone());
    ahead.redirect_to_thread(&mut sink, 0);
    let synced = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&synced);
    let game = thread::spawn(move || {
        for _ in 0..20 {
            sink.write(b"x").unwrap();
            sink.sync().unwrap();
        }
        sink.settle().unwrap();
        seen.store(disk.lock().synced, Ordering::Relaxed);
        drop((sink, ahead));
    });
    assert_eq!(behind.next_answer(), None);
    game.join().unwrap();
    assert_eq!(synced.load(Ordering::Relaxed), 20);
}

#[test]
fn who_waits_for_all_answers_goes_on_when_the_next_one_is_asked_for() {
    let (ahead, mut behind) = write_behind_channel();
    let ruled = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&ruled);
    let game = thread::spawn(move || {
        for number in 1..=20 {
            seen.store(number, Ordering::SeqCst);
            assert!(ahead.answer(number) && ahead.settle() || number == 20);
        }
    });
    for number in 1..=20 {
        assert_eq!(behind.next_answer(), Some((number, Ok(()))));
        assert_eq!(
            ruled.load(Ordering::SeqCst),
            number,
            "nothing is ruled ahead"
        );
    }
    drop(behind);
    game.join().unwrap();
}

proptest! {
    /// If the disk fails in any way, all answered lines are saved in order, with at most one more. No line is answered
    /// after a failure.
    #[test]
    fn what_was_told_is_there(
        writes in any_plan(), syncs in any_plan(), cuts in any_plan(), count in 1usize..12, is_group: bool,
    ) {
        let disk = Handle::default();
        {
            let mut disk = disk.lock();
            (disk.writes, disk.syncs, disk.cuts) = (writes, syncs, cuts);
        }
        let sync = if is_group { SyncMode::Group } else { SyncMode::Each };
        let (mut behind, game) = spawn_game_thread(&disk, sync, count);
        let (mut told, mut refused) = (Vec::new(), 0);
        while let Some((number, kept)) = behind.next_answer() {
            match kept {
                Ok(()) => {
                    prop_assert_eq!(refused, 0, "{} was told behind a failure", number);
                    prop_assert!(is_group || disk.is_safe());
                    told.push(json(number));
                }
                Err(_) => refused += 1,
            }
        }
        game.join().unwrap();
        prop_assert_eq!(told.len() + refused, count);
        let (found, tail) = lines(&disk.lock().bytes);
        prop_assert!(!matches!(tail, Tail::Broken(_)));
        prop_assert!(found.starts_with(&told));
        prop_assert!(found.len() <= told.len() + 1);
    }
}
