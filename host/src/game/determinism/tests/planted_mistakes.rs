//! Plants mistakes in the host, one at a time, and tests that each is found: by a law in its short form, or by
//! different lines of a transcript.

use crate::game::determinism::test_session::set_up_test;
use crate::game::determinism::test_session::submit_twice;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::diag::planted_mistakes::{self, Mistake};
use crate::doc::plain;
use crate::game::determinism::laws::check_laws_with_machines;
use crate::game::determinism::machines::Machines;
use crate::game::determinism::script::{Script, ScriptStep};
use crate::game::determinism::tests::{on_game_stack, session};
use crate::game::determinism::undo_redo::undo_and_redo_all;
use crate::game::session::Solo;
use crate::game::session::script_rewrite::Rewrite;
use crate::game::timeline::seed::Seed;
use crate::value::Value;

/// A game that shows a mistake.
#[derive(Clone, Copy)]
struct Play {
    ruleset: &'static str,
    /// `< file: old => new` saves a script with other words.
    lines: &'static [&'static str],
}

/// A village with changes of moods, dice and a question.
const VILLAGE: Play = Play {
    ruleset: "harbour",
    lines: &[
        "lay lantern on Ann",
        "roll 2d6",
        "mood of Ann",
        "lay parry on Bo",
        "Ann: I strike Bo",
        "Bo: answer no",
        "lift lantern from Ann",
        "mood of Ann",
        "roll 1d20",
    ],
};

/// A command asks twice.
const ASKS: Play = Play {
    ruleset: "mini",
    lines: &[
        r#"< commands/charm.luau: laying.lay(act, args.person, args.charm) => for _, key in { "one", "two" } do act:ask({ to = "gm", key = key, type = "YesNo", text = "Sure?" }) end laying.lay(act, args.person, args.charm)"#,
        "charm Ann with cheer",
        "answer yes",
        "answer no",
    ],
};

/// The mistakes of the host, each with a game that shows it and the first code that finds it.
const MISTAKES: [(Mistake, Play, &str); 7] = [
    (Mistake::UndoneInPart, VILLAGE, "law/undo"),
    (Mistake::RedoneInPart, VILLAGE, "law/redo"),
    (Mistake::SlotKept, VILLAGE, "law/twice"),
    (Mistake::RollbackForgotten, VILLAGE, "host/bug"),
    (Mistake::RowLost, VILLAGE, "law/bytes"),
    (Mistake::AddressOfProcess, VILLAGE, "script/keeps-state"),
    (Mistake::LostAnswer, ASKS, "says"),
];

fn script_of_play(play: Play) -> Script {
    let said = |line: &&str| {
        if let Some((file, words)) = line
            .strip_prefix("< ")
            .and_then(|line| line.split_once(": "))
        {
            let (old, new) = words.split_once(" => ").unwrap();
            let [file, old, new] = [file, old, new].map(str::to_owned);
            return ScriptStep::Rewrite(Rewrite { file, old, new });
        }
        let (by, line) = line.split_once(": ").unwrap_or(("gm", line));
        ScriptStep::line(by, line)
    };
    let is_village = play.ruleset == "harbour";
    Script {
        seed: Seed::from_text("planted in the host"),
        settings: is_village.then(|| Value::map([("people", Value::from("Ann, Bo"))])),
        said: play.lines.iter().map(said).collect(),
    }
}

/// Plays the lines like the runner of transcripts. Returns all output and the codes of all findings.
fn play_as_transcript(game: &mut Solo, script: &Script) -> (String, Vec<String>) {
    let (mut said, mut found) = (String::new(), Vec::new());
    game.restart(script.seed.clone());
    let first = game.timeline().state().hash();
    if let Some(settings) = &script.settings {
        set_up_test(game, settings);
    }
    for one in &script.said {
        let (by, line) = match one {
            ScriptStep::Line { by, line } => (by, line),
            ScriptStep::Rewrite(rewrite) => {
                game.session.rewrite_script(rewrite).unwrap();
                continue;
            }
        };
        let (reply, finding) = submit_twice(game, by, line);
        reply.documents.iter().for_each(|one| said += &plain(one));
        found.extend(finding.map(|one| one.code.to_string()));
        let bug = reply.refusal.as_ref().filter(|one| one.code == "host/bug");
        found.extend(bug.map(|one| one.code.to_string()));
        said += &reply.refusal.map_or_else(String::new, |one| one.message);
    }
    let lost = undo_and_redo_all(game, first);
    found.extend(lost.map(|one| one.code.to_string()));
    (said, found)
}

/// Returns the codes that report the mistake, in order; `expected` is the output of the lines in a transcript.
fn codes_found(play: Play, expected: &str) -> Vec<String> {
    let (mut game, script) = (session(play.ruleset), script_of_play(play));
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let (said, mut found) = play_as_transcript(&mut game, &script);
        found.extend((said != expected).then(|| "says".to_owned()));
        let held = check_laws_with_machines(&mut Machines::default(), &mut game, &script);
        let broken = held.broken.iter().map(|one| one.finding.code.to_string());
        found.extend(broken);
        found
    }));
    tried.unwrap_or_else(|_| vec!["panic".to_owned()])
}

#[test]
fn each_mistake_that_is_planted_in_the_host_is_found() {
    on_game_stack(|| {
        let mut wrong = Vec::new();
        for (mistake, play, finds) in MISTAKES {
            let expected = play_as_transcript(&mut session(play.ruleset), &script_of_play(play)).0;
            let nothing = codes_found(play, &expected);
            assert_eq!(
                nothing,
                Vec::<String>::new(),
                "without a mistake: {expected}"
            );
            let found =
                planted_mistakes::with_planted_mistake(mistake, || codes_found(play, &expected));
            if found.first().map(String::as_str) != Some(finds) {
                wrong.push(format!("{mistake:?}: {found:?}, not {finds}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
