//! The command `orders`: the standing orders.

use host::doc::Document;
use host::doc::build::table;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, orders};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "orders",
    syntax: &["orders"],
    summary: "lists the standing orders: answers that were given in advance",
    help: "Players see their own orders, the game master sees all.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    let mut listed = table(["seat", "key", "answer"]);
    let seat = game::seat_of(timeline, call.by());
    for ((of, key), answer) in orders(timeline.state()) {
        if call.by() == "gm" || of == seat {
            listed = listed.row([of, key, answer]);
        }
    }
    if listed.rows.is_empty() {
        return call.line_back("there are no standing orders");
    }
    Reply::document(Document::new([listed.into()]).to(call.audience()))
}
