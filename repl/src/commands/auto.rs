//! The command `auto`: what the game master is asked or told while plans run.

use host::diag::Diagnostic;
use host::doc::Document;
use host::doc::build::paragraph;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Level, Reply, Timeline};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "auto",
    syntax: &["auto [{level: ask|show|run}]"],
    summary: "sets how plans run: ask before each step, show what each step changed, or only run",
    help: "`auto ask` asks you before each step whether to run it, skip it or stop; `auto show` shows what each step \
           changed; `auto run` shows only the messages of the rules. After each run you see which steps ran and \
           which is next. `auto` alone shows the present mode.",
    kind: CommandKind::Write(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let word = call.text("level");
    if word.is_empty() {
        return call.line_back(told(game::plan_status(timeline).level));
    }
    let Some(level) = Level::of(&word) else {
        let message = format!("unknown plan mode \"{word}\": expected ask, show or run");
        return Reply::refused(Diagnostic::error("plan/level", message));
    };
    let mut reply = game::set_level(timeline, level, call.ruling);
    if reply.refusal.is_none() {
        reply
            .documents
            .push(Document::new([paragraph(told(level))]));
    }
    reply
}

fn told(level: Level) -> &'static str {
    match level {
        Level::Ask => "you are asked before each step of a plan",
        Level::Show => "plans run and show what each step changed",
        Level::Run => "plans run and show only the messages of the rules",
    }
}
