//! The law of panics. If the host panics while a script calls it, the game is as it was before the line. The line then
//! has the same result as without the panic.
//!
//! The lines are chosen by hash from the transcripts of all rulesets. Lines that need commands of the host are left
//! out. In the check of a commit, each line panics at one call, which is also chosen by hash. With `PANICS=all`, each
//! line panics at every call. The calls are those that request the running ruling, also those that fast methods answer.

use std::collections::BTreeMap;

use crate::diag::planted_mistakes::run_with_panic_at_call;
use crate::game::determinism::line_result::{Begin, begin_script_game, give_script_line};
use crate::game::determinism::script::{Script, ScriptStep};
use crate::game::determinism::tests::{home, on_game_stack, session};
use crate::game::session::Solo;
use crate::game::timeline::seed::Seed;
use crate::store::archive::sha256;
use crate::value::Value;

/// The number of chosen lines that call the host.
const LINES: usize = 200;

/// A line of a case, with all lines before it.
struct Line {
    hash: String,
    script: Script,
}

/// Returns the cases of a transcript in which only seats give lines.
fn scripts_of_transcript(text: &str) -> Vec<Script> {
    let cases = text
        .split("\n--- ")
        .map(|case| case.trim_start_matches("--- "));
    let plain = cases.filter(|case| !case.contains("\n< ") && !case.contains("\n? "));
    plain.map(script_of_case).collect()
}

fn script_of_case(case: &str) -> Script {
    let sentence = case.lines().next().unwrap_or_default().trim();
    let settings = case
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('>'));
    let settings = settings.filter_map(|line| line.split_once(':'));
    let settings: Vec<_> = settings
        .map(|(key, value)| (key.trim(), Value::from(value.trim())))
        .filter(|(key, _)| !key.starts_with('#') && !["answers", "dice"].contains(key))
        .collect();
    let said = |line: &str| match line.split_once(": ") {
        Some((by, line)) if by.starts_with(char::is_uppercase) && !by.contains(' ') => {
            ScriptStep::line(by, line)
        }
        _ => ScriptStep::line("gm", line),
    };
    let lines = case.lines().filter_map(|line| line.strip_prefix("> "));
    Script {
        seed: Seed::from_text(sentence),
        settings: (!settings.is_empty()).then(|| Value::map(settings)),
        said: lines.map(said).collect(),
    }
}

/// Returns all lines of a ruleset, each with the lines before it.
fn lines_of_ruleset(ruleset: &str) -> Vec<Line> {
    let files = home().read_ruleset(ruleset).unwrap();
    let own = files.mods.into_iter().next_back().unwrap();
    let tests = own.scripts.into_iter();
    let tests = tests.filter(|file| file.path.ends_with(".test.txt"));
    let mut found = Vec::new();
    for file in tests {
        for script in scripts_of_transcript(file.source.text()) {
            for until in 1..=script.said.len() {
                let name = format!("{}:{}:{until}", file.path, script.said[until - 1].text());
                let said = script.said[..until].to_vec();
                found.push(Line {
                    hash: sha256(name.as_bytes()),
                    script: Script {
                        seed: script.seed.clone(),
                        settings: script.settings.clone(),
                        said,
                    },
                });
            }
        }
    }
    found
}

/// Lets a line panic at calls and gives it again after each panic. Returns the number of panics.
fn count_panics(game: &mut Solo, line: &Line, is_every: bool) -> u64 {
    let Some((last, before)) = line.script.said.split_last() else {
        return 0;
    };
    if begin_script_game(game, &line.script, Begin::Same).is_err() {
        return 0;
    }
    for said in before {
        drop(give_script_line(game, said));
    }
    let (same, client) = (game.timeline().copy(), game.client.clone());
    let (told, calls) = run_with_panic_at_call(None, || give_script_line(game, last).unwrap());
    let chosen = u64::from_str_radix(&line.hash[..8], 16).unwrap() % calls.max(1) + 1;
    let numbers = match is_every {
        true => 1..=calls,
        false => chosen..=chosen.min(calls),
    };
    let mut panicked = 0;
    let back = |game: &mut Solo| {
        game.client = client.clone();
        *game.timeline_mut() = same.copy();
    };
    for number in numbers {
        back(game);
        let (died, _) =
            run_with_panic_at_call(Some(number), || give_script_line(game, last).unwrap());
        let what = format!("{} at call {number} of {calls}", last.text());
        if !died.is_refused("host/bug") {
            // Machines cache lookups, so there are fewer calls than the first time.
            assert_eq!(died.difference(&told), None, "{what}");
            continue;
        }
        panicked += 1;
        assert_eq!(
            game.timeline().state.hash(),
            same.state.hash(),
            "{what}: {died:?}"
        );
        assert_eq!(
            game.timeline().state.recomputed_hash(),
            same.state.hash(),
            "{what}"
        );
        let operations = game.timeline().history.operations();
        let kept = operations.get(same.history.operations().len()..);
        let mut kept = kept.unwrap_or_default().iter();
        assert!(kept.all(|one| one.changes.is_empty()), "{what}: {died:?}");
        // A recorded refusal uses a ruling number, and other ruling numbers have other dice.
        if game.timeline().history.operations().len() > same.history.operations().len() {
            back(game);
        }
        let again = give_script_line(game, last).unwrap();
        assert_eq!(again.difference(&told), None, "{what}");
    }
    panicked
}

#[test]
fn a_panic_at_a_call_of_a_script_leaves_the_game_as_it_was() {
    on_game_stack(|| {
        let is_every = std::env::var("PANICS").is_ok_and(|wanted| wanted == "all");
        let rulesets = home().rulesets();
        let all = rulesets.iter().flat_map(|name| {
            let lines = lines_of_ruleset(name).into_iter();
            lines.map(move |line| (name.clone(), line))
        });
        let mut all: Vec<(String, Line)> = all.collect();
        all.sort_by(|(_, one), (_, other)| one.hash.cmp(&other.hash));
        let mut open: BTreeMap<String, Solo> = BTreeMap::new();
        let mut lines = 0;
        for (ruleset, line) in &all {
            let game = open
                .entry(ruleset.clone())
                .or_insert_with(|| session(ruleset));
            lines += usize::from(count_panics(game, line, is_every) > 0);
            if lines == LINES {
                break;
            }
        }
        assert_eq!(lines, LINES, "lines in which the host panicked");
        assert!(open.len() >= 5, "lines of all rulesets");
    });
}
