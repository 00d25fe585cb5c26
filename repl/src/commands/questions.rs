//! The command `questions`: the open questions.

use host::doc::Document;
use host::doc::build::table;
use host::game;
use host::game::{
    Call, CommandKind, HostCommand, OpenQuestion, Reply, Timeline, answers_and_deadline_in_words,
    standing_answers_by_seat_and_key,
};
use host::script::GM;
use host::value::Value;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "questions",
    syntax: &["questions"],
    formerly: &[("prompts", "questions")],
    summary: "lists the open questions",
    help: "`answer NUMBER TEXT` answers one. Players see the questions that they can answer, with numbers of their \
           own. The game master sees all questions; 12.1 belongs to line 12 of the log. `drop NUMBER` cancels one. \
           The list shows which ruling is waiting for the answer. If no ruling is waiting, the question is a prompt, \
           and the game continues without the answer. If a ruling could not continue with an answer, the list shows \
           the game master what to do.",
    kind: CommandKind::Query(run),
};

/// The message to a seat if the ruling could not continue with its answer.
pub(super) const DECIDES: &str = "your answer no longer fits the changed game; the game master must decide how to \
                                  continue";

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let open = game::open_questions_for(timeline, call.by());
    if open.is_empty() {
        return call.line_for_giver("there are no open questions");
    }
    let mut listed = table(["no."]);
    for title in ["for", "key", "question", "answer"] {
        listed.columns.push(title.into());
    }
    let is_gm = call.by() == GM;
    let stale = game::stale_ruling_numbers_known_to(timeline, call.by());
    let is_stale = |one: &OpenQuestion| stale.iter().any(|slot| one.is_of_ruling(*slot));
    let rulings = if is_gm {
        game::stale_rulings(timeline)
    } else {
        Vec::new()
    };
    if is_gm {
        listed.columns.push("waits".into());
    }
    // A seat sees only its own standing answers.
    let (orders, seat) = (
        standing_answers_by_seat_and_key(timeline.state()),
        game::canonical_seat(timeline, call.by()),
    );
    let seat_of = |one: &OpenQuestion| match is_gm {
        true => one.question.to.clone(),
        false => seat.clone(),
    };
    for one in &open {
        let question = &one.question;
        let ways = rulings
            .iter()
            .find(|stale| one.is_of_ruling(stale.ruling_number));
        let ways = ways.map_or_else(String::new, |one| {
            format!(" could not continue: {}", one.ways)
        });
        let waits = one
            .waiting_ruling_number_for_gm()
            .map(|number| format!("ruling {number}{ways}"));
        let answered = match is_stale(one) {
            true if !is_gm => DECIDES.to_owned(),
            _ => answers_and_deadline_in_words(question, timeline.state().times()),
        };
        let order = orders.get(&(seat_of(one), question.key.clone()));
        let answered = match order {
            Some(order) => {
                format!("{answered}; the standing answer {order} does not answer it")
            }
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
    let data = Value::list(open.iter().map(|one| question_data(one, is_stale(one))));
    Reply::document(
        Document::new([listed.into()])
            .data(data)
            .limit_to_audience(audience),
    )
}

fn question_data(open: &OpenQuestion, is_stale: bool) -> Value {
    let question = open.question.to_value();
    let mut entries = question.as_map().cloned().unwrap_or_default();
    entries.insert("question".into(), open.number.as_str().into());
    if is_stale {
        entries.insert("stale".into(), Value::Bool(true));
    }
    Value::map(entries)
}
