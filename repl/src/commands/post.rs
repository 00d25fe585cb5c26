//! The command `post`.

use host::diag::Diagnostic;
use host::doc::Viewer;
use host::game;
use host::game::{
    Call, CommandKind, HostCommand, ProgramRequest, RememberedAnswer, Reply, Timeline,
};
use host::script::GM;

use crate::export::viewer_named;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "post",
    syntax: &[
        "post [{line: Integer}] [for {whom: public|gm}] [as {format: markdown|bbcode|discord|html}]",
        "post [{line: Integer}] for {player: Seat} [as {format: markdown|bbcode|discord|html}]",
    ],
    formerly: &[],
    summary: "writes the last ruling as a forum post",
    help: "The post contains what everybody is allowed to read, ready to paste; with `for Ann`, what Ann is allowed \
           to read. `post 12` writes the ruling with that number in the log. Directly after a command that changes \
           nothing, `post` writes its answer. The format is the one set with `format`, or Markdown; with `as bbcode` \
           you choose another one for this post. Long posts are split and numbered.",
    kind: CommandKind::Query(run),
};

fn run(timeline: &Timeline, call: &Call<'_>) -> Reply {
    match post_reply(timeline, call) {
        Ok(reply) => reply,
        Err(refusal) => Reply {
            remembered: RememberedAnswer::Posted,
            ..Reply::refused(*refusal)
        },
    }
}

fn post_reply(timeline: &Timeline, call: &Call<'_>) -> Result<Reply, Box<Diagnostic>> {
    let named = call.text("player") + &call.text("whom");
    let whom = match named.as_str() {
        "" => "public",
        named => named,
    };
    let own = game::viewer_of_seat(timeline, call.by());
    let viewer = viewer_named(timeline, whom)?;
    if call.by() != GM && viewer != Viewer::Public && viewer != own {
        let message = format!("only the game master can write posts for {whom}");
        return Err(Box::new(Diagnostic::error("post/not-yours", message)));
    }
    let line = match call.text("line").is_empty() {
        true => None,
        false => Some(super::line_number_in_slot(
            call,
            "line",
            ("post/unknown-line", super::NUMBERS),
        )?),
    };
    let post = game::find_post(timeline, call, line, &viewer)?;
    let remembered = match post.is_query {
        true => RememberedAnswer::Posted,
        false => RememberedAnswer::Nothing,
    };
    Ok(Reply {
        remembered,
        program_request: Some(ProgramRequest::Post {
            format: call.text("format"),
            what: post.what,
        }),
        ..Reply::document(post.document.limit_to_audience(call.audience()))
    })
}
