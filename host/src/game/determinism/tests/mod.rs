//! Tests that the laws find errors of the host itself: planted mistakes, and panics at the calls of scripts.

mod panics;
mod planted_mistakes;

use crate::game::answer::typed_answer::take_typed_answer;
use crate::game::rules::home::Home;
use crate::game::ruling::host_command::{Call, CommandKind, HostCommand};
use crate::game::session::{Session, Solo};
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::timeline_start::SessionOptions;
use crate::script::EngineOptions;

/// The only command of the host in these games.
static ANSWER: [HostCommand; 1] = [HostCommand {
    id: "answer",
    syntax: &["answer {text: Rest}"],
    formerly: &[],
    summary: "answers a question",
    help: "",
    kind: CommandKind::Answer(answer_typed),
}];

fn answer_typed(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    take_typed_answer(timeline, call.ruling, &call.text("text"))
}

/// Returns the home of the project, with the rulesets that only tests play.
fn home() -> Home {
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Home {
        mods: vec![project.join("tests/mini")],
        folder: project,
        content: None,
    }
}

/// Returns a session of a ruleset in which nothing was played yet.
fn session(ruleset: &str) -> Solo {
    let options = SessionOptions {
        home: home(),
        ruleset: ruleset.to_owned(),
        seed: Seed::from_text("the host's own tests"),
        engine: EngineOptions::default(),
    };
    Session::open(options, &ANSWER).unwrap().into()
}

/// Runs a function on a thread with the stack size of a game.
fn on_game_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    let ended = thread.spawn(body).unwrap().join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
