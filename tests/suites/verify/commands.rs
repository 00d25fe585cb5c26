//! This module verifies a game in which every command of the host was given that can become an operation.

use std::collections::BTreeSet;

use arbiter_tests::project;

use super::*;

/// The commands of the host that become operations.
const LEAVES: [&str; 19] = [
    "answer", "auto", "dice", "dispute", "drop", "finish", "for", "next", "order", "plan", "redo",
    "replace", "restart", "reveal", "revert", "salt", "settle", "step", "undo",
];

/// Those that only look, or do what is no part of the game.
const NEVER: [&str; 20] = [
    "as", "check", "eval", "export", "fork", "format", "goto", "help", "log", "open", "orders",
    "pack", "post", "prompts", "quit", "reload", "save", "status", "verify", "why",
];

/// A game in which each of them is given; the rules become others where they are reloaded.
fn game() -> Game {
    let home = Scratch::harbour();
    home.several_at_a_time();
    let mut game = Game::of_program(&home, "harbour");
    let lines = fs::read_to_string(project().join("tests/suites/verify/commands.txt")).unwrap();
    for line in lines.lines() {
        if line == "reload" {
            let file = "scripts/harbour/charms/parry.luau";
            home.edit(file, "Parry the blow", "Turn the blow aside");
        }
        let (by, said) = match line.split_once(": ") {
            Some((by, said)) if !by.contains(' ') => (by, said),
            _ => ("gm", line),
        };
        let reply = game.session.submit(by, said);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    }
    game
}

#[test]
fn every_command_of_the_host_does_the_same_again() {
    on_game_thread(|| {
        let mut game = game();
        let known: BTreeSet<&str> = COMMANDS.iter().map(|command| command.id).collect();
        let listed: BTreeSet<&str> = LEAVES.into_iter().chain(NEVER).collect();
        assert_eq!(
            known, listed,
            "a new command of the host belongs into one of the lists"
        );
        let history = game.session.history().operations().iter();
        let mut seen = BTreeSet::new();
        for one in history {
            seen.extend(one.command.split_whitespace().next().map(str::to_owned));
            if one.through.is_some() {
                seen.insert("for".to_owned());
            }
        }
        let seen: BTreeSet<&str> = known
            .iter()
            .copied()
            .filter(|id| seen.contains(*id))
            .collect();
        assert_eq!(seen, BTreeSet::from(LEAVES));
        let kept = Kept::of(&mut game.session);
        let all = game.session.history().operations().len() as u64;
        assert_eq!(kept.sound(), all);
        // Who typed a line for somebody else is known: nobody but the game master may.
        let lines = kept.lines();
        let at = lines
            .iter()
            .position(|line| line.contains("dispute 2 it was the harbour"));
        kept.alter(at.unwrap(), "\"through\":\"gm\"", "\"through\":\"Bo\"");
        let found = told(&kept.verified().0.findings);
        assert!(
            found[0].contains("run again it comes to nothing"),
            "{found:#?}"
        );
    });
}
