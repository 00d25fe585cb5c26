//! Tests the log in all its forms, and undo and redo in it.

use super::replies_to_lines;
use crate::toy_game::{Toy, reply_text};

#[test]
fn undo_and_redo_move_through_the_rulings_and_the_log_tells() {
    let mut solo = Toy::new().solo();
    let said = replies_to_lines(
        &mut solo,
        &[
            "cheer ann",
            "undo",
            "undo",
            "redo",
            "mood ann",
            "cheer ann by 9",
            "log",
        ],
    );
    assert_eq!(said[1], "undone: 2 cheer ann");
    assert_eq!(said[2], "store/nothing-to-undo: there is nothing to undo");
    assert_eq!(said[4], "Ann feels 4.");
    let words: Vec<Vec<&str>> = said[6]
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(
        words.contains(&vec!["3", "gm", "undo", "took", "back", "2"]),
        "{}",
        said[6]
    );
    assert!(
        words.contains(&vec![
            "5",
            "gm",
            "cheer",
            "ann",
            "by",
            "9",
            "refused:",
            "mini/too-much"
        ]),
        "{}",
        said[6]
    );
    assert_eq!(
        reply_text(&solo.submit("gm", "log 1")).lines().last(),
        Some("4 earlier; `log 5` lists them")
    );
}

#[test]
fn a_seat_sees_its_own_commands_in_the_log() {
    let mut solo = Toy::new().solo();
    solo.submit("gm", "cheer hill-guard");
    solo.submit("Ann", "cheer ann");
    let log = reply_text(&solo.submit("Ann", "log"));
    assert!(
        log.contains("cheer ann") && !log.contains("hill-guard"),
        "{log}"
    );
}

#[test]
fn the_log_is_filtered_by_who_by_what_and_by_what_became_of_it() {
    let mut solo = Toy::new().solo();
    replies_to_lines(
        &mut solo,
        &["cheer ann", "cheer hill-guard", "undo", "cheer ann by 9"],
    );
    solo.submit("Bo", "cheer ann by 2");
    let mut numbers = |filter: &str| -> Vec<String> {
        let log = reply_text(&solo.submit("gm", &format!("log {filter}")));
        let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
        let first = log.lines().filter_map(first);
        first.filter(|word| word.parse::<u32>().is_ok()).collect()
    };
    assert_eq!(numbers("ann"), ["1", "2", "5", "6"]);
    assert_eq!(numbers("by bo"), ["6"]);
    assert_eq!(numbers("refused"), ["5"]);
    assert_eq!(numbers("undone"), ["3"]);
    assert_eq!(numbers("cheer 2")[..2], ["5", "6"]);
    assert_eq!(numbers("hill-guard by gm"), ["1", "3", "4"]);
    assert!(numbers("nothing-like-that").is_empty());
    assert_eq!(numbers("3")[..3], ["4", "5", "6"]);
    assert_eq!(numbers("by ann"), [""; 0], "Ann gave no command yet");
}

#[test]
fn a_filter_of_the_log_that_is_not_whole_is_refused_with_what_to_write() {
    let mut solo = Toy::new().solo();
    solo.submit("Bo", "cheer ann");
    let mut refused = |by: &str, line: &str| {
        let refusal = solo.submit(by, line).refusal.expect("it is refused");
        assert_eq!(refusal.code, "log/filter");
        format!("{} | {}", refusal.message, refusal.hints.join(" | "))
    };
    let needs = "the name after `by` is missing";
    for line in ["log by", "log cheer by", "log 3 BY"] {
        assert_eq!(
            refused("gm", line),
            format!("{needs} | type log by Bo, log by gm")
        );
    }
    assert_eq!(
        refused("gm", "log by Boo"),
        "no command by \"Boo\" found | did you mean \"Bo\"? | type log by Bo, log by gm"
    );
    assert_eq!(
        refused("gm", "log 0"),
        "the number of lines must be at least 1 | for example, type `log 5` for the last 5 lines"
    );
    assert_eq!(refused("Bo", "log by"), format!("{needs} | type log by Bo"));
    assert_eq!(
        refused("Ann", "log by"),
        format!("{needs} | type log by NAME"),
        "a seat is not told who gave commands"
    );
    for by in ["gm", "Zork"] {
        let none = reply_text(&solo.submit("Ann", &format!("log by {by}")));
        assert_eq!(none, format!("no line of the log matches \"by {by}\""));
    }
}

#[test]
fn a_seat_counts_its_log_for_itself_and_is_told_no_more_than_it_may_know() {
    let mut solo = Toy::new().solo();
    replies_to_lines(&mut solo, &["cheer hill-guard", "throw 1d6"]);
    solo.submit("Ann", "cheer ann");
    let log = reply_text(&solo.submit("Ann", "log"));
    let own = log.lines().last().unwrap_or_default();
    assert!(
        own.contains("cheer ann") && own.contains("cheered by Ann"),
        "{log}"
    );
    let why = reply_text(&solo.submit("Ann", "why 3"));
    assert!(
        why.starts_with("Line 3 of your log is your command `cheer ann`.")
            && why.contains("ann.mood"),
        "{why}"
    );
    assert!(!why.contains(".luau"), "{why}");
}
