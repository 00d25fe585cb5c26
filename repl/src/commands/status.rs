//! This module is the command `status`: whose move it is, what is overdue, what was ruled last, what is disputed.

use host::doc::build::{paragraph, table};
use host::doc::{Block, Document};
use host::game::{Call, Due, HostCommand, Reply, Session, Status, answers};
use host::value::Value;

use super::{log, log_disputes};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "status",
    syntax: &["status"],
    summary: "shows whose move it is, what is overdue, the last rulings and the open disputes",
    help: "What waits for somebody stands in the order in which it is due: questions, which answer N TEXT answers, and \
           open polls. A seat sees what it is asked itself, its own last lines and the disputes that it may know of. \
           log lists more rulings, log disputes all disputes.",
    run,
};

/// Rulings that are shown.
const RULINGS: usize = 5;

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let viewer = session.viewer(call.by);
    let status = session.status(call.by);
    let entries = session.standing_entries(&viewer, RULINGS);
    let disputes = session.disputes(&viewer);
    let mut blocks = vec![paragraph(status.clock.join(", "))];
    let plan = status.plan.as_ref();
    blocks.extend(plan.map(|(plan, step)| paragraph(format!("plan {plan}: next is {step}"))));
    blocks.extend(waiting(&status));
    blocks.extend(log::rulings(session, &viewer, &entries));
    blocks.extend(log_disputes::open(&disputes));
    let data = data(&status, &disputes);
    Reply::document(Document::new(blocks).data(data).to(call.audience()))
}

/// Returns what waits for somebody: questions, then polls.
fn waiting(status: &Status) -> Vec<Block> {
    let mut rows = table(["waits for"]);
    for title in ["what", "answer with", "due"] {
        rows.columns.push(title.into());
    }
    for one in &status.waits {
        let question = &one.open.question;
        rows = rows.row([
            question.to.clone(),
            question.text.clone(),
            format!("answer {} ({})", one.open.word(), answers(question)),
            due(one.due.as_ref()),
        ]);
    }
    for poll in &status.polls {
        let (voted, of) = poll.voted;
        rows = rows.row([
            poll.missing.join(", "),
            format!("poll {}: {voted} of {of} voted", poll.key),
            if poll.missing.is_empty() { "" } else { "vote" }.to_owned(),
            due(poll.due.as_ref()),
        ]);
    }
    match rows.rows.is_empty() {
        true => vec![paragraph("nothing waits for an answer")],
        false => vec![rows.into()],
    }
}

/// Says until when something waits: `2h, in 5m`, `2h, overdue since 5m`.
fn due(due: Option<&Due>) -> String {
    due.map_or_else(String::new, |due| match due.is_over {
        true => format!("{}, overdue since {}", due.until, due.distance),
        false => format!("{}, in {}", due.until, due.distance),
    })
}

fn data(status: &Status, disputes: &[host::game::Dispute]) -> Value {
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
    let open = disputes.iter().filter(|one| one.ruling.is_none());
    let turn = status.turn.as_deref();
    Value::map([
        ("clock", Value::from(status.clock.join(", ").as_str())),
        ("turn", turn.map_or(Value::Nil, Value::from)),
        ("waits", Value::list(waits)),
        ("polls", Value::list(polls)),
        ("disputes", Value::list(open.map(log_disputes::data))),
    ])
}
