//! The command `status`: lists open questions and polls, deadlines, the last rulings, and disputes.

use host::doc::build::{line, paragraph, strong, table};
use host::doc::{Block, Document};
use host::game;
use host::game::{
    Call, CommandKind, Dispute, Due, HostCommand, Reply, StaleRuling, Status, Timeline,
    WaitingItem, answers_and_deadline_in_words, disputes_table,
};
use host::script::GM;
use host::value::Value;
use host::words::Words;

use super::log;
use super::questions::DECIDES;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "status",
    syntax: &["status"],
    formerly: &[],
    summary: "shows who must act, what is overdue, the last rulings and the open disputes",
    help: "Open questions and polls are listed by deadline. `answer N TEXT` answers a question. If a ruling could \
           not continue with an answer, the game master must decide. Players see their own questions and last lines, \
           and the disputes that they are allowed to see. `log` lists more rulings, `log disputes` all disputes.",
    kind: CommandKind::Query(run),
};

/// The number of shown rulings.
const RULINGS: usize = 5;

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let viewer = game::viewer_of_seat(timeline, call.by());
    let status = game::status_for_seat(timeline, call.by());
    let entries = game::last_standing_entries(timeline, &viewer, RULINGS);
    let disputes = game::disputes_for_viewer(timeline, &viewer);
    let mut blocks = vec![paragraph(status.clock.join(", "))];
    let plan = status.plan.as_ref();
    blocks.extend(plan.map(|(plan, step)| paragraph(format!("plan {plan}: next is {step}"))));
    blocks.extend(waiting_blocks(&status));
    let (rulings, lines) = log::ruling_lines(timeline, &viewer, &entries);
    blocks.extend(titled_section("last rulings", rulings));
    let open: Vec<Dispute> = disputes
        .into_iter()
        .filter(|one| one.ruling.is_none())
        .collect();
    let (disputed, disputes) = disputes_table(&open, &Words::english());
    if open.is_empty() {
        blocks.push(paragraph("there are no open disputes"));
    } else {
        blocks.extend(titled_section("open disputes", Some(disputed.into())));
    }
    let data = status_data(&status, lines, disputes);
    Reply::document(
        Document::new(blocks)
            .data(data)
            .limit_to_audience(call.audience()),
    )
}

/// Returns a block below a title; nothing if there is no block.
fn titled_section(title: &str, block: Option<Block>) -> Vec<Block> {
    let titled = block.map(|block| [paragraph(line([strong(title)])), block]);
    titled.into_iter().flatten().collect()
}

/// Returns blocks for open questions, then for open polls.
fn waiting_blocks(status: &Status) -> Vec<Block> {
    let mut rows = table(["waits for"]);
    for title in ["what", "answer with", "due"] {
        rows.columns.push(title.into());
    }
    for one in &status.stale {
        rows = rows.row([
            GM.to_owned(),
            stale_ruling_sentence(one),
            one.ways.clone(),
            String::new(),
        ]);
    }
    let is_told = |one: &&WaitingItem| !one.is_stale || status.stale.is_empty();
    for one in status.waits.iter().filter(is_told) {
        let question = &one.open.question;
        let (to, with) = match one.is_stale {
            true => (GM.to_owned(), DECIDES.to_owned()),
            false => {
                let answers = answers_and_deadline_in_words(question, status.times);
                let with = format!("answer {} ({answers})", one.open.number_or_key());
                (question.to.clone(), with)
            }
        };
        rows = rows.row([
            to,
            question.text.clone(),
            with,
            due_time_text(one.due.as_ref()),
        ]);
    }
    for poll in &status.polls {
        let (voted, of) = poll.voted;
        rows = rows.row([
            poll.missing.join(", "),
            format!("poll {}: {voted} of {of} voted", poll.key),
            if poll.missing.is_empty() { "" } else { "vote" }.to_owned(),
            due_time_text(poll.due.as_ref()),
        ]);
    }
    match rows.rows.is_empty() {
        true => vec![paragraph("there are no open questions")],
        false => vec![rows.into()],
    }
}

/// Returns the sentence about a ruling that could not continue.
fn stale_ruling_sentence(one: &StaleRuling) -> String {
    let StaleRuling {
        number,
        command,
        op,
        answer,
        by,
        ..
    } = one;
    format!("ruling {number} `{command}` could not continue with `{answer}` of {by} ({op})")
}

/// Returns the text of a deadline: `in 5m` or `overdue since 5m`.
fn due_time_text(due: Option<&Due>) -> String {
    due.map_or_else(String::new, |due| match due.is_over {
        true => format!("overdue since {}", due.distance),
        false => format!("in {}", due.distance),
    })
}

fn status_data(status: &Status, rulings: Value, disputes: Value) -> Value {
    let due = |due: Option<&Due>| {
        due.map_or(Value::Nil, |due| {
            Value::map([
                ("until", Value::from(due.until.as_str())),
                ("over", Value::Bool(due.is_over)),
            ])
        })
    };
    let waits = status.waits.iter().map(|one| {
        let question = &one.open.question;
        Value::map([
            ("question", Value::from(one.open.number.as_str())),
            ("to", question.to.as_str().into()),
            ("key", question.key.as_str().into()),
            ("text", question.text.as_str().into()),
            ("due", due(one.due.as_ref())),
            ("stale", Value::Bool(one.is_stale)),
        ])
    });
    let stale = status.stale.iter().map(|one| {
        let number = |number: u64| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
        Value::map([
            ("ruling", number(one.number)),
            ("command", one.command.as_str().into()),
            ("op", number(one.op)),
            ("ways", one.ways.as_str().into()),
        ])
    });
    let polls = status.polls.iter().map(|poll| {
        let count = |count: usize| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
        let missing = poll.missing.iter().map(|name| Value::from(name.as_str()));
        Value::map([
            ("poll", Value::from(poll.key.as_str())),
            ("voted", count(poll.voted.0)),
            ("voters", count(poll.voted.1)),
            ("missing", Value::list(missing)),
            ("due", due(poll.due.as_ref())),
        ])
    });
    let turn = status.turn.as_deref();
    Value::map([
        ("clock", Value::from(status.clock.join(", ").as_str())),
        ("turn", turn.map_or(Value::Nil, Value::from)),
        ("waits", Value::list(waits)),
        ("stale", Value::list(stale)),
        ("polls", Value::list(polls)),
        ("rulings", rulings),
        ("disputes", disputes),
    ])
}
