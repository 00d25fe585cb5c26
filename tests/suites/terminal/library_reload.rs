//! Saves a file of the home's own library during play: the next command uses it, and a broken file
//! leaves the last working library.

use std::fs;

use arbiter_tests::Scratch;

use super::start_mini;

#[test]
fn a_saved_file_of_the_own_library_is_in_force_with_the_next_command() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    session.send_line("close").unwrap();
    session.exp_string("no poll is open").unwrap();
    session.exp_string("mini night 1> ").unwrap();
    let file = home.path().join("scripts/library/poll_lookup.luau");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(
        &file,
        text.replace("no poll is open", "nothing is put to the vote"),
    )
    .unwrap();
    session.exp_string("rules: ").unwrap();
    session.exp_string("poll_lookup").unwrap();
    session.send_line("close").unwrap();
    session.exp_string("nothing is put to the vote").unwrap();
    session.exp_string("mini night 1> ").unwrap();
    fs::write(&file, "return {").unwrap();
    session.exp_string("script/syntax").unwrap();
    session.exp_string("mini night 1! ").unwrap();
    session.send_line("close").unwrap();
    session.exp_string("nothing is put to the vote").unwrap();
    session.exp_string("mini night 1! ").unwrap();
    fs::write(&file, text).unwrap();
    session.exp_string("mini night 1> ").unwrap();
    session.send_line("close").unwrap();
    session.exp_string("no poll is open").unwrap();
}
