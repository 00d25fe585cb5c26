//! Compares all names that scripts can reach with a list that a person reviewed.

use arbiter_tests::{Game, on_game_thread, project};
use host::script;

#[test]
fn scripts_reach_the_names_of_the_list_and_no_others() {
    on_game_thread(|| {
        let reached =
            script::reachable_names(&Game::mini().solo.session.generations().live().machine())
                .expect("the names can be listed")
                .join("\n");
        let place = project().join("tests/suites/reachable_names.txt");
        let listed = std::fs::read_to_string(&place).expect("the list is there");
        let (reached, listed): (Vec<&str>, Vec<&str>) =
            (reached.lines().collect(), listed.lines().collect());
        let new: Vec<_> = reached
            .iter()
            .filter(|name| !listed.contains(name))
            .collect();
        let gone: Vec<_> = listed
            .iter()
            .filter(|name| !reached.contains(name))
            .collect();
        assert!(
            new.is_empty() && gone.is_empty(),
            "scripts reach other names than {} says\nnew: {new:#?}\ngone: {gone:#?}",
            place.display()
        );
    });
}

#[test]
fn reachable_names_give_no_access_outside() {
    let list = include_str!("../reachable_names.txt");
    for word in [
        "_G",
        "loadstring",
        "load",
        "getfenv",
        "setfenv",
        "collectgarbage",
        "gcinfo",
        "newproxy",
        "debug",
        "os",
        "io",
        "package",
        "coroutine",
        "task",
        "integer",
        "dofile",
    ] {
        let is_there = list
            .lines()
            .any(|line| line.split([' ', '.']).next() == Some(word));
        assert!(!is_there, "{word} is reachable");
    }
    for name in ["math.random ", "math.randomseed ", "string.dump "] {
        assert!(!list.contains(name), "{name}");
    }
}
