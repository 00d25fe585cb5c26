//! Writes files from the REPL: foreign files are kept, ambiguous places are refused, and undone
//! lines are not exported to readers.

use std::fs;

use arbiter_tests::Scratch;

use super::start_mini;

#[test]
fn a_file_of_somebody_else_is_written_over_only_anyway() {
    let home = Scratch::mini();
    home.write("own.md", "mine");
    let mut session = start_mini(home.path());
    let own = || fs::read_to_string(home.path().join("own.md")).unwrap();
    session.send_line("charm Ann with cheer").unwrap();
    session.exp_string("Ann feels 6.").unwrap();
    session.send_line("export to own.md").unwrap();
    session.exp_regex("error\\[[a-z]+/[a-z-]+\\]").unwrap();
    session.exp_string("mini night 1> ").unwrap();
    assert_eq!(own(), "mine");
    session.send_line("export to own.md anyway").unwrap();
    session.exp_string("wrote").unwrap();
    session.exp_string("mini night 1> ").unwrap();
    assert!(own().contains("Ann feels 6."));
    session.send_line("export to own.md").unwrap();
    session.exp_string("wrote").unwrap();
}

#[test]
fn a_place_that_means_something_else_is_refused() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    let before = fs::read_dir(home.path()).unwrap().count();
    for line in [
        "save a/../..",
        "save CON",
        "save -rf",
        "pack to -rf",
        "export to CON.md",
    ] {
        session.send_line(line).unwrap();
        session.exp_regex("error\\[[a-z]+/[a-z-]+\\]").unwrap();
        session.exp_string("mini night 1> ").unwrap();
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), before, "{line}");
    }
}

#[test]
fn what_was_taken_back_is_told_to_readers_with_corrections_alone() {
    let home = Scratch::mini();
    let mut session = start_mini(home.path());
    for (line, said) in [
        ("charm Ann with cheer", "Ann feels 6."),
        ("undo", "undone"),
        ("export to public.md", "wrote"),
        ("export with corrections to all.md", "wrote"),
    ] {
        session.send_line(line).unwrap();
        session.exp_string(said).unwrap();
        session.exp_string("mini night 1> ").unwrap();
    }
    let read = |name: &str| fs::read_to_string(home.path().join(name)).unwrap();
    assert!(
        !read("public.md").contains("Ann feels 6."),
        "{}",
        read("public.md")
    );
    assert!(
        read("all.md").contains("Ann feels 6."),
        "{}",
        read("all.md")
    );
}

#[test]
fn a_misspelt_audience_is_told_with_the_names_that_are_near() {
    let home = Scratch::mini();
    home.command("mutter", "act:say('publik', 'hush') return 'said'");
    let mut session = start_mini(home.path());
    session.send_line("mutter").unwrap();
    session.exp_string("error[").unwrap();
    session.exp_string("public").unwrap();
    session.exp_string("mini night 1> ").unwrap();
}
