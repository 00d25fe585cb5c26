//! Posts about one part of a game for each reader.

use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::report::posts::refusal::PostRefusal;
use crate::game::report::posts::ruling_post::{
    last_entry_with_message, last_query, log_line_in_words, own_answer_hint,
};
use crate::game::report::posts::{PostSubject, post_for_reader, readers_in_turn};
use crate::game::ruling::host_command::Call;
use crate::game::ruling::last_query::Post;
use crate::game::timeline::Timeline;

/// Returns a post for everybody and one for each seat, with its reader. Readers without a post are left out, and so are
/// those who read no more than everybody. The last ruling is the same for all of them.
///
/// Errors: nobody has a post; as [`super::find_post`].
pub fn posts_for_each_reader(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
) -> Result<Vec<(Viewer, Post)>, Box<Diagnostic>> {
    let readers = readers_in_turn(timeline)?;
    let subject = &subject_for_all(timeline, call, subject, &readers);
    let mut posts: Vec<(Viewer, Post)> = Vec::new();
    let mut first_refusal = None;
    for reader in &readers {
        match post_for_reader(timeline, call, subject, reader) {
            Ok(post) => {
                let public = posts.first().filter(|(to, _)| *to == Viewer::Public);
                if public.is_none_or(|(_, public)| public.documents != post.documents) {
                    posts.push((reader.clone(), post));
                }
            }
            Err(PostRefusal::ForReader(finding)) => {
                first_refusal.get_or_insert(finding);
            }
            Err(PostRefusal::ForAll(finding)) => return Err(finding),
        }
    }
    match first_refusal.filter(|_| posts.is_empty()) {
        Some(refusal) => Err(no_reader_refusal(
            timeline,
            call,
            (*refusal, subject),
            &readers,
        )),
        None => Ok(posts),
    }
}

/// Returns the subject with the number of the last ruling in the log of the person who posts, if that is the subject.
fn subject_for_all(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
    readers: &[Viewer],
) -> PostSubject {
    if *subject != PostSubject::Last || last_query(call).is_some() {
        return subject.clone();
    }
    let own = viewer_of_seat(timeline, call.by());
    let last = last_entry_with_message(timeline, &own, readers);
    last.map_or(PostSubject::Last, |last| PostSubject::Line(last.number))
}

/// Returns the refusal if no reader has a post, from the refusal for the first one. Hints about one reader become hints
/// for all of them.
fn no_reader_refusal(
    timeline: &Timeline,
    call: &Call<'_>,
    (mut refusal, subject): (Diagnostic, &PostSubject),
    readers: &[Viewer],
) -> Box<Diagnostic> {
    refusal.message = format!("nobody has a post here: {}", refusal.message);
    if !matches!(subject, PostSubject::Last | PostSubject::Line(_)) {
        return Box::new(refusal);
    }
    refusal.hints.clear();
    let own = viewer_of_seat(timeline, call.by());
    let looked = last_query(call).filter(|_| *subject == PostSubject::Last);
    let answer = looked.map_or_else(String::new, |looked| own_answer_hint(&own, looked));
    let last = last_entry_with_message(timeline, &own, readers);
    let last = last.map_or_else(String::new, |last| {
        let line = log_line_in_words(&last);
        let number = last.number;
        format!("the last one with a message: `post {number} for each`, for {line}")
    });
    Box::new(refusal.hint(answer).hint(last))
}
