//! Goes on with games that a program recorded which refused less.
//!
//! `tests/saves/earlier` has rules that do what a call of the API is refused for today: they speak to nobody, give functions
//! what they do not declare, and read one line by two commands. Games in `tests/saves/slips` have lines that a ruleset took
//! then: names that are none, a turn that begins twice, a phase that ends while answers are owed. They are never recorded
//! anew. Their past stays as it was under the recorded rules and those of now; what is given now is held by all checks.

use std::path::{Path, PathBuf};

use super::{copied, copy_into, rulesets::goes_on_with};

/// A game with slips has the rules of the kept game of its ruleset.
fn with_slips(ruleset: &str, home: &Path) -> PathBuf {
    let game = copied(&format!("slips/{ruleset}"), home);
    copy_into(&format!("{ruleset}/rules"), &game.join("rules"));
    game
}

fn slips_stay(ruleset: &str) {
    for rules in ["recorded", "now"] {
        let home = tempfile::tempdir().unwrap();
        let game = with_slips(ruleset, home.path());
        goes_on_with(&game, &format!("slips/{ruleset}_{rules}"), (rules, 0));
    }
}

#[test]
fn rules_that_did_what_is_refused_now_go_on() {
    let home = tempfile::tempdir().unwrap();
    let game = copied("earlier", home.path());
    goes_on_with(&game, "slips/earlier", ("recorded", 0));
}

#[test]
fn a_pool_of_a_name_that_is_none_stays() {
    slips_stay("fortune");
}

#[test]
fn an_argument_that_nothing_reads_stays() {
    slips_stay("opend6");
}

#[test]
fn a_number_that_named_no_monster_stays_refused() {
    slips_stay("dungeon");
}

#[test]
fn phases_that_ended_while_answers_were_owed_stay() {
    slips_stay("wwrf");
}

#[test]
fn a_turn_that_began_twice_and_an_order_for_nothing_stay() {
    slips_stay("features");
}
