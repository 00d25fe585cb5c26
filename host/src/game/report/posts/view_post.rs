//! Posts of the present game: the board, the votes, and what the ruleset writes.

use crate::diag::Diagnostic;
use crate::doc::{Document, Viewer, for_viewer};
use crate::game::report::story::{board_document, reader_word};
use crate::game::ruling::last_query::{Post, merged_document, viewer_in_words};
use crate::game::timeline::Timeline;
use crate::script;
use crate::value::Value;

/// The ids of templates that replace the host's own posts.
const MAP: &str = "map";
const VOTES: &str = "votes";

/// Returns the board of the ruleset. Errors: `post/no-map`, `post/nothing-said`; a function of the ruleset fails.
pub(super) fn board_post(timeline: &Timeline, to: &Viewer) -> Result<Post, Box<Diagnostic>> {
    let machine = timeline.generation().machine();
    if script::has_post_template(&machine, MAP) {
        return template_post(timeline, MAP, to);
    }
    let board = script::story_board(&machine, &timeline.state, reader_word(to))?;
    if board.is_nil() {
        let message = "there is no map now";
        let hint = "a ruleset shows its map with `story = { board = … }` in ruleset.luau";
        return Err(Box::new(
            Diagnostic::error("post/no-map", message).hint(hint),
        ));
    }
    let documents = board_document(&board, to)?.into_iter().collect();
    view_post("the map", documents, to)
}

/// Returns the votes of the open polls that a reader may know of, else those of the last poll.
///
/// Errors: `post/no-poll`; a function of the ruleset fails.
pub(super) fn vote_post(timeline: &Timeline, to: &Viewer) -> Result<Post, Box<Diagnostic>> {
    let machine = timeline.generation().machine();
    if script::has_post_template(&machine, VOTES) {
        return template_post(timeline, VOTES, to);
    }
    let polls = script::poll_post_documents(&machine, &timeline.state, &to.audience())?;
    let documents = polls.iter().map(|poll| visible_documents(poll, to));
    let documents: Vec<Document> = documents
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    if documents.is_empty() {
        let message = format!("there is no poll that {} may know of", viewer_in_words(to));
        return Err(Box::new(Diagnostic::error("post/no-poll", message)));
    }
    view_post("the votes", documents, to)
}

/// Returns a post that the ruleset writes. Errors: `post/nothing-said`; its function fails.
pub(super) fn template_post(
    timeline: &Timeline,
    id: &str,
    to: &Viewer,
) -> Result<Post, Box<Diagnostic>> {
    let machine = timeline.generation().machine();
    let written = script::post_template_document(&machine, &timeline.state, id, &to.audience())?;
    let documents = visible_documents(&written, to)?.into_iter().collect();
    view_post(id, documents, to)
}

fn visible_documents(value: &Value, to: &Viewer) -> Result<Option<Document>, Box<Diagnostic>> {
    if value.is_nil() {
        return Ok(None);
    }
    let seen = for_viewer(&Document::from_value(value)?, to);
    let seen = seen.map(|seen| merged_document(&[seen]));
    Ok(seen.filter(|seen| !seen.blocks.is_empty()))
}

fn view_post(what: &str, documents: Vec<Document>, to: &Viewer) -> Result<Post, Box<Diagnostic>> {
    let for_reader = viewer_in_words(to);
    if documents.is_empty() {
        let message = format!("`post {what}` has nothing for {for_reader}");
        let hint = "name another reader: `post … for NAME`";
        let message = match what.strip_prefix("the ") {
            Some(word) => format!("`post {word}` has nothing for {for_reader}"),
            None => message,
        };
        return Err(Box::new(
            Diagnostic::error("post/nothing-said", message).hint(hint),
        ));
    }
    Ok(Post {
        what: format!("{what}, for {for_reader}"),
        documents,
        is_query: false,
        lines: Vec::new(),
        parts: Vec::new(),
    })
}
