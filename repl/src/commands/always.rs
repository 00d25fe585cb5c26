//! The command `always`: sets a standing answer, which is given each time a question is asked.

use host::doc::Document;
use host::doc::build::table;
use host::game;
use host::game::{
    Call, CommandKind, HostCommand, Reply, Timeline, standing_answers_by_seat_and_key,
};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "always",
    syntax: &["always {text: Rest}", "always"],
    formerly: &[("order", "always"), ("orders", "always")],
    summary: "answers a question each time it is asked",
    help: "`always KEY ANSWER` gives a standing answer, `always KEY off` takes it back, and `always` lists them. \
           `questions` shows the keys. If the answer does not fit, the question stays open. Players see their own \
           answers, the game master sees all.",
    kind: CommandKind::Write(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    // A key is one word. The syntax line only requires some text.
    let line = call.ruling.line.trim();
    let Some((_, rest)) = line.split_once(char::is_whitespace) else {
        return standing_orders_reply(timeline, call);
    };
    let rest = rest.trim_start();
    let (key, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    game::set_standing_answer(timeline, call.ruling, key, text.trim())
}

fn standing_orders_reply(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let mut listed = table(["player", "key", "answer"]);
    let seat = game::canonical_seat(timeline, call.by());
    for ((of, key), answer) in standing_answers_by_seat_and_key(timeline.state()) {
        if call.by() == "gm" || of == seat {
            listed = listed.row([of, key, answer]);
        }
    }
    if listed.rows.is_empty() {
        return call.line_for_giver("there are no standing answers");
    }
    Reply::document(Document::new([listed.into()]).limit_to_audience(call.audience()))
}
