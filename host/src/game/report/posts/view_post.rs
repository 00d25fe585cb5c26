//! Posts of the present game: the board, the votes, and what the ruleset writes.

use crate::diag::Diagnostic;
use crate::doc::{Document, Viewer, for_viewer};
use crate::game::report::posts::refusal::PostRefusal;
use crate::game::report::story::{board_document, reader_word};
use crate::game::ruling::last_query::{Post, merged_document, viewer_in_words};
use crate::game::timeline::Timeline;
use crate::script;
use crate::value::Value;

/// The ids of templates that replace the host's own posts.
const MAP: &str = "map";
const VOTES: &str = "votes";

/// Returns the board of the ruleset. Errors: `post/no-map`, `post/nothing-said`; a function of the ruleset fails.
pub(super) fn board_post(timeline: &Timeline, to: &Viewer) -> Result<Post, PostRefusal> {
    let machine = timeline.generation().machine();
    if script::has_post_template(&machine, MAP) {
        return template_post(timeline, MAP, to);
    }
    let board = script::story_board(&machine, &timeline.state, reader_word(to))
        .map_err(PostRefusal::for_all)?;
    if board.is_nil() {
        let message = "there is no map now";
        let hint = "a ruleset shows its map with `story = { board = … }` in ruleset.luau";
        let finding = Diagnostic::error("post/no-map", message);
        return Err(PostRefusal::for_reader(finding.hint(hint)));
    }
    let documents = board_document(&board, to).map_err(PostRefusal::for_all)?;
    view_post((MAP, "the map"), documents.into_iter().collect(), to)
}

/// Returns the votes of the open polls that a reader may know of, else those of the last poll.
///
/// Errors: `post/no-poll`; a function of the ruleset fails.
pub(super) fn vote_post(timeline: &Timeline, to: &Viewer) -> Result<Post, PostRefusal> {
    let machine = timeline.generation().machine();
    if script::has_post_template(&machine, VOTES) {
        return template_post(timeline, VOTES, to);
    }
    let polls = script::poll_post_documents(&machine, &timeline.state, &to.audience())
        .map_err(PostRefusal::for_all)?;
    let documents = polls.iter().map(|poll| visible_document(poll, to));
    let documents: Vec<Option<Document>> = documents.collect::<Result<_, _>>()?;
    let documents: Vec<Document> = documents.into_iter().flatten().collect();
    if documents.is_empty() {
        let message = format!("there is no poll that {} may know of", viewer_in_words(to));
        let finding = Diagnostic::error("post/no-poll", message);
        return Err(PostRefusal::for_reader(finding));
    }
    view_post((VOTES, "the votes"), documents, to)
}

/// Returns a post that the ruleset writes.
///
/// Errors: the refusal of its function; `post/nothing-said`; its function fails.
pub(super) fn template_post(
    timeline: &Timeline,
    id: &str,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let machine = timeline.generation().machine();
    let written = script::written_post(&machine, &timeline.state, id, &to.audience())
        .map_err(PostRefusal::for_all)?
        .map_err(PostRefusal::for_reader)?;
    let documents = visible_document(&written, to)?.into_iter().collect();
    view_post((id, id), documents, to)
}

fn visible_document(value: &Value, to: &Viewer) -> Result<Option<Document>, PostRefusal> {
    if value.is_nil() {
        return Ok(None);
    }
    let document = Document::from_value(value).map_err(PostRefusal::for_all)?;
    let seen = for_viewer(&document, to);
    let seen = seen.map(|seen| merged_document(&[seen]));
    Ok(seen.filter(|seen| !seen.blocks.is_empty()))
}

/// Returns a post with its word after `post` and its name in sentences. Errors: `post/nothing-said`.
fn view_post(
    (word, what): (&str, &str),
    documents: Vec<Document>,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let for_reader = viewer_in_words(to);
    if documents.is_empty() {
        let message = format!("`post {word}` has nothing for {for_reader}");
        let finding = Diagnostic::error("post/nothing-said", message);
        return Err(PostRefusal::for_reader(finding));
    }
    Ok(Post {
        what: format!("{what}, for {for_reader}"),
        documents,
        is_query: false,
        lines: Vec::new(),
        parts: Vec::new(),
    })
}
