//! This module is the command `post`.

use host::diag::Diagnostic;
use host::doc::Viewer;
use host::game;
use host::game::{Call, CommandKind, HostCommand, Remembered, Reply, Timeline, Wish};
use host::script::GM;

use crate::export::reader;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "post",
    syntax: &[
        "post [{line: Whole}] [for {whom: public|gm}] [as {format: markdown|bbcode|discord|html}]",
        "post [{line: Whole}] for {seat: Seat} [as {format: markdown|bbcode|discord|html}]",
    ],
    summary: "writes the last ruling as a post for the forum",
    help: "It is what everybody may read of the ruling, ready to be pasted; for Ann, what Ann may read. post 12 is the ruling \
           with that number in the log; right behind a line that only looks, post writes its answer, or says that it was for others. The forum is the one of format, else Markdown; as bbcode is for once. What is too \
           long for one post becomes several.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    match posted(timeline, call) {
        Ok(reply) => reply,
        Err(refusal) => Reply {
            remembered: Remembered::Posted,
            ..Reply::refused(*refusal)
        },
    }
}

fn posted(timeline: &Timeline, call: &Call<'_>) -> Result<Reply, Box<Diagnostic>> {
    let named = call.text("seat") + &call.text("whom");
    let whom = match named.as_str() {
        "" => "public",
        named => named,
    };
    let own = game::viewer(timeline, call.by());
    let viewer = reader(timeline, whom)?;
    if call.by() != GM && viewer != Viewer::Public && viewer != own {
        let message = format!("only the game master writes posts for {whom}");
        return Err(Box::new(Diagnostic::error("post/not-yours", message)));
    }
    let line = call.text("line").parse().ok();
    let post = game::post(timeline, call, line, &viewer)?;
    let remembered = match post.is_query {
        true => Remembered::Posted,
        false => Remembered::Nothing,
    };
    Ok(Reply {
        remembered,
        wish: Some(Wish::Post {
            format: call.text("format"),
            what: post.what,
        }),
        ..Reply::document(post.document.to(call.audience()))
    })
}
