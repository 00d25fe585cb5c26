//! This module is the command `prompts`: the questions that wait.

use host::doc::Document;
use host::doc::build::table;
use host::game;
use host::game::{Call, CommandKind, HostCommand, OpenQuestion, Reply, Timeline, answers, orders};
use host::script::GM;
use host::value::Value;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "prompts",
    syntax: &["prompts"],
    summary: "lists the questions that wait",
    help: "answer NUMBER TEXT answers one. A seat sees those that it may answer, with numbers that count what it was \
           asked itself. The game master sees all, and drop NUMBER gives one up: 12.1 was asked by what began in line 12 of the log. Beside it \
           stands which ruling waits for it; where none does it is a prompt, and the game goes on meanwhile. A ruling that could not go on with an answer waits for the game \
           master: there stands what to do with it.",
    kind: CommandKind::Query(run),
};

/// What a seat is told of its question where the ruling could not go on with its answer.
pub(super) const DECIDES: &str = "waits for the game master: it could not go on with your answer";

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let open = game::questions_for(timeline, call.by());
    if open.is_empty() {
        return call.line_back("no question waits");
    }
    let mut listed = table(["no."]);
    for title in ["for", "key", "question", "answer"] {
        listed.columns.push(title.into());
    }
    let is_gm = call.by() == GM;
    let stale = game::stale_slots(timeline, call.by());
    let is_stale = |one: &OpenQuestion| stale.iter().any(|slot| one.is_of(*slot));
    let rulings = if is_gm {
        game::stale_rulings(timeline)
    } else {
        Vec::new()
    };
    if is_gm {
        listed.columns.push("waits".into());
    }
    // A seat is told of no orders but its own.
    let (orders, seat) = (orders(timeline.state()), game::seat_of(timeline, call.by()));
    let seat_of = |one: &OpenQuestion| match is_gm {
        true => one.question.to.clone(),
        false => seat.clone(),
    };
    for one in &open {
        let question = &one.question;
        let ways = rulings.iter().find(|stale| one.is_of(stale.slot));
        let ways = ways.map_or_else(String::new, |one| format!(" could not go on: {}", one.ways));
        let waits = one
            .holds_up()
            .map(|number| format!("ruling {number}{ways}"));
        let answered = match is_stale(one) {
            true if !is_gm => DECIDES.to_owned(),
            _ => answers(question, timeline.state().times()),
        };
        let order = orders.get(&(seat_of(one), question.key.clone()));
        let answered = match order {
            Some(order) => format!("{answered}; the standing order {order} is no answer"),
            None => answered,
        };
        let cells = [
            one.number.clone(),
            question.to.clone(),
            question.key.clone(),
            question.text.clone(),
            answered,
        ];
        let more = is_gm.then(|| waits.unwrap_or_default());
        listed = listed.row(cells.into_iter().chain(more));
    }
    let audience = call.audience();
    let data = Value::list(open.iter().map(|one| data(one, is_stale(one))));
    Reply::document(Document::new([listed.into()]).data(data).to(audience))
}

fn data(open: &OpenQuestion, is_stale: bool) -> Value {
    let question = open.question.to_value();
    let mut entries = question.as_map().cloned().unwrap_or_default();
    entries.insert("question".into(), open.number.as_str().into());
    if is_stale {
        entries.insert("stale".into(), Value::Bool(true));
    }
    Value::map(entries)
}
