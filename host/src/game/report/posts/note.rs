//! Notes that posts and exports were published, and takes such notes back.

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::doc::Audience;
use crate::game::attempt::ruling_run::draft_operation;
use crate::game::ruling::host_command::Call;
use crate::game::ruling::last_query::Post;
use crate::game::timeline::Timeline;
use crate::game::timeline::post_notes::{
    PrintedPost, PrintedPosts, post_note_in_words, post_notes,
};
use crate::game::timeline::reply::Reply;
use crate::store::{Operation, Publication, What};
use crate::value::Text;

/// Returns what posts for readers show, as of now. Readers of the same messages are together.
pub fn printed_posts_of(timeline: &Timeline, posts: &[(Audience, &Post)]) -> PrintedPosts {
    let mut printed: Vec<PrintedPost> = Vec::new();
    for (to, post) in posts {
        let same = printed
            .iter_mut()
            .find(|one| one.lines == post.lines && one.parts == post.parts);
        match same {
            Some(same) => same.to.push(to.clone()),
            None => printed.push(PrintedPost {
                to: vec![to.clone()],
                lines: post.lines.clone(),
                parts: post.parts.clone(),
            }),
        }
    }
    PrintedPosts {
        posts: printed,
        after: timeline.history.operations().len() as u64,
        is_export: false,
    }
}

/// Notes that posts were published. The state, the dice and `undo` stay as they are.
///
/// Errors: `post/no-lines`, the posts show the present game and no messages.
pub fn note_posts(timeline: &mut Timeline, call: &Call<'_>, printed: &PrintedPosts) -> Reply {
    let shown = printed
        .posts
        .iter()
        .filter(|post| !post.lines.is_empty() || !post.parts.is_empty());
    let posts: Vec<Publication> = shown.map(publication_of_post).collect();
    if posts.is_empty() {
        let message =
            "this post shows the present game and no log line, so nothing in it can be corrected";
        let finding = Diagnostic::error("post/no-lines", message);
        return Reply::refused(finding.hint("only messages of log lines are noted"));
    }
    let after = printed.after;
    let what = What::Posted { posts, after };
    let words = post_note_in_words(&what);
    record_note(timeline, call, what, format!("noted as posted: {words}"))
}

fn publication_of_post(post: &PrintedPost) -> Publication {
    Publication {
        to: post
            .to
            .iter()
            .map(|to| Text::from(to.to_string()))
            .collect(),
        lines: post.lines.clone(),
        parts: post.parts.clone(),
    }
}

/// Takes back the note with a number, or the last one.
///
/// Errors: `post/no-note`.
pub fn withdraw_post_note(timeline: &mut Timeline, call: &Call<'_>, number: Option<u64>) -> Reply {
    let notes = post_notes(&timeline.history);
    let found = match number {
        Some(number) => notes.iter().find(|note| note.seq == number),
        None => notes.last(),
    };
    let Some(found) = found else {
        let message = match number {
            Some(number) => format!("log line {number} is not a note about a post that counts"),
            None => "no post is noted".to_owned(),
        };
        let numbers: BTreeSet<u64> = notes.iter().map(|note| note.seq).collect();
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let hint = match numbers.is_empty() {
            true => "`post … done` notes a post".to_owned(),
            false => format!("the notes are log lines {}", numbers.join(", ")),
        };
        return Reply::refused(Diagnostic::error("post/no-note", message).hint(hint));
    };
    let of = found.seq;
    let note = timeline.history.operation(of);
    let words = note.map_or_else(String::new, |note| post_note_in_words(&note.what));
    let text = format!("no longer noted as posted: {words}");
    record_note(timeline, call, What::Withdrawn { of }, text)
}

fn record_note(timeline: &mut Timeline, call: &Call<'_>, what: What, text: String) -> Reply {
    let draft = draft_operation(timeline, call.ruling, &[], (&[], Vec::new()));
    let recorded = timeline.history.record_note(&timeline.state, draft, what);
    match recorded.map(|operation: &Operation| operation.seq) {
        Ok(seq) => Reply {
            op: Some(seq),
            ..call.line_for_giver(text)
        },
        Err(error) => Reply::refused(error.to_diagnostic()),
    }
}
