//! This module is the command `prompts`: the questions that wait.

use host::doc::Document;
use host::doc::build::table;
use host::game::{Call, Does, HostCommand, OpenQuestion, Reply, Session, answers};
use host::script::GM;
use host::value::Value;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "prompts",
    syntax: &["prompts"],
    summary: "lists the questions that wait",
    help: "answer NUMBER TEXT answers one. A seat sees those that it may answer, with numbers that count what it was \
           asked itself. The game master sees all, and drop NUMBER gives one up: 12.1 was asked by ruling 12. Beside it \
           stands which ruling waits for it; where none does it is a prompt, and the game goes on meanwhile.",
    does: Does::Looks,
    run,
};

fn run(session: &mut Session, call: &Call<'_>) -> Reply {
    let open = session.questions_for(call.by);
    if open.is_empty() {
        return call.line_back("no question waits");
    }
    let mut listed = table(["no."]);
    for title in ["for", "key", "question", "answer"] {
        listed.columns.push(title.into());
    }
    let is_gm = call.by == GM;
    if is_gm {
        listed.columns.push("waits".into());
    }
    for one in &open {
        let question = &one.question;
        let waits = one.holds_up().map(|slot| format!("ruling {slot}"));
        let cells = [
            one.number.clone(),
            question.to.clone(),
            question.key.clone(),
            question.text.clone(),
            answers(question, session.state().times()),
        ];
        let more = is_gm.then(|| waits.unwrap_or_default());
        listed = listed.row(cells.into_iter().chain(more));
    }
    let audience = call.audience();
    let data = Value::list(open.iter().map(data));
    Reply::document(Document::new([listed.into()]).data(data).to(audience))
}

fn data(open: &OpenQuestion) -> Value {
    let question = open.question.to_value();
    let mut entries = question.as_map().cloned().unwrap_or_default();
    entries.insert("question".into(), open.number.as_str().into());
    Value::map(entries)
}
