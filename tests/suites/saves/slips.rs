//! Continues games that were recorded by a program with fewer refusals.
//!
//! `tests/saves/earlier` has rules with calls of the API that are refused today: they write to
//! nobody, give functions undeclared arguments, and read one line by two commands. Games in
//! `tests/saves/slips` have lines that a ruleset accepted then: invalid names, a turn that begins
//! twice, a phase that ends with open questions. They are never recorded again. Their past stays
//! the same under the recorded and the present rules; all checks apply to new lines.

use std::path::{Path, PathBuf};

use super::{copy_save_files, copy_saved_game, rulesets::assert_continues_as_file};

/// Copies a game with slips together with the rules of its ruleset's saved game.
fn copy_game_with_slips(ruleset: &str, home: &Path) -> PathBuf {
    let game = copy_saved_game(&format!("slips/{ruleset}"), home);
    copy_save_files(&format!("{ruleset}/rules"), &game.join("rules"));
    game
}

fn assert_slips_continue(ruleset: &str) {
    for rules in ["recorded", "now"] {
        let home = tempfile::tempdir().unwrap();
        let game = copy_game_with_slips(ruleset, home.path());
        assert_continues_as_file(&game, &format!("slips/{ruleset}_{rules}"), (rules, 0));
    }
}

#[test]
fn rules_that_did_what_is_refused_now_go_on() {
    let home = tempfile::tempdir().unwrap();
    let game = copy_saved_game("earlier", home.path());
    assert_continues_as_file(&game, "slips/earlier", ("recorded", 0));
}

#[test]
fn a_pool_of_a_name_that_is_none_stays() {
    assert_slips_continue("fortune");
}

#[test]
fn an_argument_that_nothing_reads_stays() {
    assert_slips_continue("opend6");
}

#[test]
fn a_number_that_named_no_monster_stays_refused() {
    assert_slips_continue("dungeon");
}

#[test]
fn phases_that_ended_while_answers_were_owed_stay() {
    assert_slips_continue("wwrf");
}

#[test]
fn a_turn_that_began_twice_and_an_order_for_nothing_stay() {
    assert_slips_continue("features");
}
