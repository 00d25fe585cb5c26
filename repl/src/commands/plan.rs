//! The command `plan`: shows the steps of the plan and the queues, and sets the plan mode.

use host::doc::build::{list, paragraph, right_column, table};
use host::doc::{Audience, Document};
use host::game;
use host::game::{
    Call, CommandKind, HostCommand, Level, PlanStatus, PlanWait, Reply, StepStatus, Timeline,
    gm_only_refusal,
};
use host::value::Value;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "plan",
    syntax: &[
        "plan begin {plan: Word}",
        "plan mode {level: ask|show|run}",
        "plan {change: restart|drop|mode}",
        "plan",
    ],
    formerly: &[("auto", "plan mode")],
    summary: "shows the steps of the current plan and the contents of queues",
    help: "`plan begin NAME` starts a plan without running a step; `plan restart` goes back to the first step; `plan \
           drop` cancels the plan. `plan mode ask` asks you before each step whether to run it, skip it or stop. \
           `plan mode show` shows what each step changed. `plan mode run` shows only the messages of the rules. \
           After each run you see which steps ran and which is next. `plan mode` alone shows the present mode. The \
           effects of steps stay, but `undo` takes them back. `show ID` shows an entry of a queue; `set` and `remove` change it.",
    kind: CommandKind::Write(run),
};

/// The maximum number of listed rows of a queue. Further rows are only counted.
const ROWS: usize = 20;

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let line = call.ruling;
    let (plan, change) = (call.text("plan"), call.text("change"));
    if change == "mode" || !call.text("level").is_empty() {
        return show_or_set_mode(timeline, call);
    }
    if !plan.is_empty() {
        return game::begin_plan(timeline, &plan, line);
    }
    match change.as_str() {
        "restart" => game::restart_plan(timeline, line),
        "drop" => game::drop_plan(timeline, line),
        _ => match gm_only_refusal(call.by(), "can see the plan") {
            Some(refusal) => Reply::refused(refusal),
            None => Reply::document(plan_document(&game::plan_status(timeline))),
        },
    }
}

/// Shows or sets the plan mode.
fn show_or_set_mode(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let word = call.text("level");
    if word.is_empty() {
        return call.line_for_giver(level_meaning(game::plan_status(timeline).level));
    }
    let level = Level::of(&word).expect("invariant: the syntax names only plan modes");
    let mut reply = game::set_step_supervision(timeline, level, call.ruling);
    if reply.refusal.is_none() {
        let told = paragraph(level_meaning(level));
        reply.documents.push(Document::new([told]));
    }
    reply
}

fn level_meaning(level: Level) -> &'static str {
    match level {
        Level::Ask => "you are asked before each step of a plan",
        Level::Show => "plans run and show what each step changed",
        Level::Run => "plans run and show only the messages of the rules",
    }
}

fn plan_document(status: &PlanStatus) -> Document {
    let mut blocks = Vec::new();
    match &status.plan {
        None => blocks.push(paragraph("no plan is in progress")),
        Some((plan, steps)) => {
            let mut rows = table([right_column("step")]);
            rows.columns.push(plan.as_str().into());
            rows.columns.push("state".into());
            for (at, (name, status)) in steps.iter().enumerate() {
                let number = (at + 1).to_string();
                rows = rows.row([number, name.clone(), status_word(*status).to_owned()]);
            }
            blocks.push(rows.into());
        }
    }
    blocks.extend(
        status
            .waits
            .iter()
            .map(|wait| paragraph(wait_description(wait))),
    );
    if !status.queues.is_empty() {
        let lines = status.queues.iter();
        blocks.push(list(lines.map(|(queue, rows)| queue_sentence(queue, rows))));
    }
    Document::new(blocks)
        .limit_to_audience(Audience::Gm)
        .data(plan_data(status))
}

/// Returns a description of a waiting plan: its step, and the person it waits for.
fn wait_description(wait: &PlanWait) -> String {
    let asked: Vec<String> = wait
        .asked
        .iter()
        .map(|(number, who)| format!("{who} (question {number})"))
        .collect();
    format!(
        "ruling {} of the plan {} stopped at {} and is waiting for {}",
        wait.number,
        wait.plan,
        wait.step,
        asked.join(", ")
    )
}

fn queue_sentence(queue: &str, rows: &[String]) -> String {
    let shown = rows[..rows.len().min(ROWS)].join(", ");
    let more = rows.len().saturating_sub(ROWS);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("in the queue {queue}: {shown}{more}")
}

fn status_word(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Done => "done",
        StepStatus::Skipped => "skipped",
        StepStatus::Provisional => "provisional",
        StepStatus::Waits => "waits",
        StepStatus::Next => "next",
        StepStatus::ToCome => "",
    }
}

fn plan_data(status: &PlanStatus) -> Value {
    let (plan, steps) = status.plan.clone().unzip();
    let steps = steps.unwrap_or_default().into_iter().map(|(name, status)| {
        let state = Value::from(status_word(status));
        Value::map([("name", Value::from(name.as_str())), ("state", state)])
    });
    let waits = status.waits.iter().map(|wait| {
        let asked = wait.asked.iter().map(|(number, who)| {
            let (number, who) = (Value::from(number.as_str()), Value::from(who.as_str()));
            Value::map([("question", number), ("to", who)])
        });
        let number = i64::try_from(wait.number).unwrap_or(i64::MAX);
        Value::map([
            ("ruling", Value::from(number)),
            ("plan", wait.plan.as_str().into()),
            ("step", wait.step.as_str().into()),
            ("asked", Value::list(asked)),
        ])
    });
    let queues = status.queues.iter().map(|(queue, rows)| {
        let rows = rows.iter().map(|row| Value::from(row.as_str()));
        (queue.as_str(), Value::list(rows))
    });
    Value::map([
        ("plan", plan.map_or(Value::Nil, |plan| plan.as_str().into())),
        ("steps", Value::list(steps)),
        ("waits", Value::list(waits)),
        ("queues", Value::map(queues)),
        ("auto", status.level.word().into()),
    ])
}
