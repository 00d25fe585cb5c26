//! Verifies a game with every host command that becomes operations.

use std::collections::BTreeSet;

use arbiter_tests::project;

use super::*;

/// Returns a game with every host command that becomes operations; the rules change at each reload.
fn game_with_every_command() -> Game {
    let home = Scratch::harbour();
    home.let_several_rulings_wait();
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
        let reply = game.solo.submit(by, said);
        assert!(reply.refusal.is_none(), "{line}: {:?}", reply.refusal);
    }
    game
}

#[test]
fn every_command_of_the_host_does_the_same_again() {
    on_game_thread(|| {
        let mut game = game_with_every_command();
        let history = game.solo.timeline().history().operations().iter();
        let mut seen = BTreeSet::new();
        for one in history {
            seen.extend(one.command.split_whitespace().next().map(str::to_owned));
            if one.through.is_some() {
                seen.insert("for".to_owned());
            }
        }
        // An import becomes the lines that it submits.
        for command in COMMANDS.iter().filter(|one| one.id != "import") {
            let id = command.id;
            match command.kind.effect().becomes_operations() {
                true => assert!(seen.contains(id), "commands.txt shows nothing of {id}"),
                false => assert!(!seen.contains(id), "{id} became an operation"),
            }
        }
        let kept = SavedGame::of(&mut game.solo);
        let all = game.solo.timeline().history().operations().iter();
        // Notes about posts and exports change nothing, so they are not run again.
        let notes = all.clone().filter(|one| one.what.is_note()).count();
        assert_eq!(
            notes, 2,
            "commands.txt notes an export, and takes the note back"
        );
        assert_eq!(kept.assert_sound(), (all.len() - notes) as u64);
        // The typist of a line for another person is known: only the game master may type one.
        let lines = kept.journal_lines();
        let at = lines
            .iter()
            .position(|line| line.contains("dispute 2 it was the harbour"));
        kept.alter_operation(at.unwrap(), "\"through\":\"gm\"", "\"through\":\"Bo\"");
        let found = findings_as_text(&kept.run_verifier().0.findings);
        assert!(found[0].contains("run again it does nothing"), "{found:#?}");
    });
}
