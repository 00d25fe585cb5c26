//! Alters single bytes of journals, with a correct chain: each change is found.

use host::dice::Draw;
use host::game::Stream;

use super::corrected_games::home_with_many_rules;
use super::*;

/// Returns a game with an operation of every kind.
fn game_with_every_operation() -> SavedGame {
    let mut game = Game::of_program(&home_with_many_rules(), "mini");
    for (by, line) in [
        ("gm", "throw 2d6"),
        ("gm", "charm Ann with cheer"),
        ("gm", "undo"),
        ("gm", "redo"),
        ("gm", "charm Ann with nothing"),
        ("gm", "both"),
        ("Bo", "answer yes"),
        ("Ann", "answer no"),
        ("Ann", "salt grain"),
        ("gm", "next"),
        ("gm", "set Ann mood 2"),
        ("gm", "lean"),
        ("gm", "dice next 4"),
        ("gm", "throw 1d6"),
        ("gm", "revert 2 yes"),
        ("gm", "replace 12 yes with set Ann mood 3"),
        ("gm", "revert 16 yes"),
        ("gm", "replace 8 yes with answer yes"),
        ("gm", "for Ann: salt leaf"),
        ("Ann", "dispute 2 why"),
        ("gm", "settle 20 so"),
        ("gm", "set Ann mood 1 because it is late"),
        ("gm", "reveal"),
    ] {
        let reply = game.solo.submit(by, line);
        let is_refusal = line == "charm Ann with nothing";
        assert_eq!(
            reply.refusal.is_some(),
            is_refusal,
            "{line}: {:?}",
            reply.refusal
        );
    }
    SavedGame::of(&mut game.solo)
}

/// Returns the length of the verified part of a line; the wall-clock time at its end is only for
/// people.
fn checked_length(line: &str) -> usize {
    line.rfind(",\"at\":").unwrap()
}

#[test]
fn a_byte_that_was_altered_is_found_wherever_it_is() {
    on_game_thread(|| {
        let kept = game_with_every_operation();
        kept.assert_sound();
        let whole = kept.journal_lines();
        let mut chance = Stream::new(7);
        let mut missed = Vec::new();
        for seq in 1..whole.len() {
            for _ in 0..12 {
                let line = &whole[seq];
                let many = u32::try_from(checked_length(line)).unwrap();
                let at = chance.draw(many).unwrap() as usize - 1;
                let mut bytes = line.clone().into_bytes();
                bytes[at] = match bytes[at] {
                    b'0'..=b'8' | b'a'..=b'y' | b'A'..=b'Y' => bytes[at] + 1,
                    b'9' => b'0',
                    b'z' => b'a',
                    _ => b'~',
                };
                let Ok(altered) = String::from_utf8(bytes) else {
                    continue;
                };
                // A line without the note that another person typed it is also valid; only
                // permissions are checked.
                let typist = "\"through\":";
                if line.contains(typist) && !altered.contains(typist) {
                    continue;
                }
                let mut lines = whole.clone();
                lines[seq] = altered.clone();
                kept.write_chained_lines(&lines);
                let (report, dice) = kept.run_verifier();
                if report.findings.is_empty() && dice.findings.is_empty() {
                    missed.push(format!(
                        "{seq}: ...{}",
                        &altered[at.saturating_sub(40)..altered.len().min(at + 20)]
                    ));
                }
            }
        }
        assert_eq!(missed, Vec::<String>::new());
    });
}
