//! Plays scenes of the harbour and compares the tree of causes of the last operation.
//!
//! `cause_trees.txt` contains the scenes: `---` begins one, `key: value` is a setting, `> Who:
//! line` is a line, and all other lines are the tree.

use host::game;
use std::collections::BTreeMap;

use arbiter_tests::{on_game_thread, project};
use host::game::{Home, Seed, SessionOptions, Solo};
use host::script::EngineOptions;
use host::store::Operation;
use host::value::Value;

pub(crate) const SCENES: &str = include_str!("cause_trees.txt");

fn harbour_session() -> Solo {
    let options = SessionOptions {
        home: Home {
            folder: project(),
            mods: vec![project().join("tests/mini")],
            content: None,
        },
        ruleset: "harbour".to_owned(),
        seed: Seed::from_text("moments"),
        engine: EngineOptions::default(),
    };
    let (solo, _) = Solo::start(options, &repl::COMMANDS).expect("the harbour loads");
    solo
}

/// Returns the tree of causes of an operation, with the cells that each cause wrote. `->` marks the
/// last write of a cell, `->>` a write that was overwritten later.
fn cause_tree(operation: &Operation) -> Vec<String> {
    let text = |cause: &Value, key: &str| cause.get(key).as_str().unwrap_or_default().to_owned();
    let mut depths: BTreeMap<i64, usize> = BTreeMap::new();
    let number = |cause: &Value, key: &str| cause.get(key).as_i64().expect("a number");
    let mut lines = Vec::new();
    for cause in &operation.causes {
        let (n, parent) = (number(cause, "n"), number(cause, "parent"));
        let depth = if n == 0 { 0 } else { depths[&parent] + 1 };
        depths.insert(n, depth);
        let what = match (
            text(cause, "event"),
            text(cause, "step"),
            text(cause, "queue"),
        ) {
            (event, _, _) if !event.is_empty() => {
                format!(
                    "{event}: {} {}",
                    text(cause, "rule"),
                    text(cause, "element")
                )
            }
            (_, step, _) if !step.is_empty() => format!("step {step}"),
            (_, _, queue) if !queue.is_empty() => format!("from {queue}: {}", text(cause, "row")),
            _ => format!("{} ({})", text(cause, "rule"), operation.command),
        };
        let wrote = |key: &str, sign: &str| {
            let cells = cause.get(key).items().iter();
            let cells: Vec<&str> = cells.filter_map(Value::as_str).collect();
            match cells.is_empty() {
                true => String::new(),
                false => format!(" {sign} {}", cells.join(", ")),
            }
        };
        let (last, before) = (wrote("cells", "->"), wrote("before", "->>"));
        lines.push(format!("{}{what}{last}{before}", "  ".repeat(depth)));
    }
    lines
}

/// Returns the scenes: the title and the lines of each.
pub(crate) fn scenes_of_text(text: &str) -> Vec<(&str, Vec<&str>)> {
    let moments = text.split("--- ").skip(1);
    let parts = moments.filter_map(|moment| moment.split_once('\n'));
    parts
        .map(|(sentence, text)| {
            (
                sentence,
                text.lines().filter(|line| !line.is_empty()).collect(),
            )
        })
        .collect()
}

/// Sets up a scene, submits its lines, and returns the cause tree of the last one.
fn play_scene(solo: &mut Solo, sentence: &str, lines: &[&str]) -> Vec<String> {
    let begun = solo.restart(Seed::from_text(sentence));
    assert!(begun.refusal.is_none(), "{sentence}: {:?}", begun.refusal);
    let settings = lines.iter().filter(|line| !line.starts_with('>'));
    let settings = settings.filter_map(|line| line.split_once(": "));
    let cast = game::set_up_test(
        solo,
        &Value::map(settings.map(|(key, value)| (key, value.into()))),
    );
    assert!(cast.refusal.is_none(), "{sentence}: {:?}", cast.refusal);
    for said in lines.iter().filter_map(|line| line.strip_prefix("> ")) {
        let (by, line) = said.split_once(": ").unwrap_or(("gm", said));
        let reply = solo.submit(by, line);
        assert!(
            reply.refusal.is_none(),
            "{sentence}: {said}: {:?}",
            reply.refusal
        );
    }
    cause_tree(
        solo.timeline()
            .history()
            .operations()
            .last()
            .expect("something was said"),
    )
}

#[test]
fn the_causes_of_each_moment_are_the_tree_of_what_led_to_what() {
    on_game_thread(|| {
        let mut solo = harbour_session();
        let moments = scenes_of_text(SCENES);
        assert!(moments.len() >= 6);
        let mut differ = String::new();
        for (sentence, lines) in moments {
            let last = lines
                .iter()
                .rposition(|line| line.starts_with('>'))
                .expect("a line");
            let (script, expected) = lines.split_at(last + 1);
            let actual = play_scene(&mut solo, sentence, script);
            if expected != actual {
                differ += &format!("--- {sentence}\n{}\n", actual.join("\n"));
            }
        }
        assert!(differ.is_empty(), "{differ}");
    });
}
