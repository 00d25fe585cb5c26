//! Posts: parts of a game for one reader, to be published outside of it.
//!
//! In: the timeline, the part that is wanted, the reader. Out: documents that hold only what this reader may know, and
//! the operations whose messages they are. Messages of rulings that wait, and messages that no longer hold, are in none.

pub(in crate::game) mod correction_post;
mod line_numbers;
pub(in crate::game) mod log_range_post;
pub(in crate::game) mod note;
pub(in crate::game) mod phase_post;
mod refusal;
pub(in crate::game) mod ruling_post;
pub(in crate::game) mod several_readers;
mod shown_messages;
pub(in crate::game) mod view_post;

use crate::diag::Diagnostic;
use crate::doc::Viewer;
use crate::game::question::open_questions::{seats_in_play_or_error, viewer_of_seat};
use crate::game::report::posts::correction_post::correction_post;
use crate::game::report::posts::log_range_post::log_range_post;
use crate::game::report::posts::phase_post::phase_post;
use crate::game::report::posts::refusal::PostRefusal;
use crate::game::report::posts::ruling_post::{last_or_numbered_post, view_command_line};
use crate::game::report::posts::view_post::{board_post, template_post, vote_post};
use crate::game::ruling::host_command::Call;
use crate::game::ruling::last_query::{Post, viewer_in_words};
use crate::game::timeline::Timeline;
use crate::script::GM;

/// The part of a game that a post is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostSubject {
    /// The query right before, else the last ruling with a message for the reader.
    Last,
    /// A line of the log of the person who posts.
    Line(u64),
    /// The lines of that log from one to another.
    Lines(u64, u64),
    /// A phase, a round or a day, by its name; nothing for the last one with a text.
    Phase(Option<String>),
    /// The board of the ruleset, such as a map.
    Map,
    /// The votes of the open polls, else of the last poll.
    Votes,
    /// What was published and corrected since.
    Corrections,
    /// A post that the ruleset writes, by its id.
    Template(String),
}

impl PostSubject {
    /// Returns the word after `post` for a view of the present game, which each reader sees in another way.
    fn view_word(&self) -> Option<&str> {
        match self {
            PostSubject::Map => Some("map"),
            PostSubject::Votes => Some("votes"),
            PostSubject::Template(id) => Some(id),
            PostSubject::Last
            | PostSubject::Line(_)
            | PostSubject::Lines(_, _)
            | PostSubject::Phase(_)
            | PostSubject::Corrections => None,
        }
    }
}

/// Returns a post for a reader.
///
/// Errors: there is no such part (`post/unknown-line`, `post/unknown-phase`, `post/no-map`, `post/no-poll`,
/// `post/nothing-to-correct`), it has no message for the reader (`post/nothing-said`), or it is not final
/// (`post/does-not-hold`, `post/waits`); a function of the ruleset refuses or fails.
pub fn find_post(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
    to: &Viewer,
) -> Result<Post, Box<Diagnostic>> {
    post_for_reader(timeline, call, subject, to).map_err(|refusal| match refusal {
        PostRefusal::ForReader(finding) => {
            let hint = other_reader_hint(timeline, call, subject, to);
            Box::new(finding.hint(hint))
        }
        PostRefusal::ForAll(finding) => finding,
    })
}

/// Returns a hint with another reader for whom a view has something, and whom the person who posts may name.
fn other_reader_hint(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
    to: &Viewer,
) -> String {
    let Some(word) = subject.view_word() else {
        return String::new();
    };
    let readers = match call.by() {
        GM => readers_in_turn(timeline).unwrap_or_default(),
        by => vec![Viewer::Public, viewer_of_seat(timeline, by)],
    };
    let readers = readers.into_iter().filter(|reader| reader != to);
    let mut readers = readers.chain((call.by() == GM && *to != Viewer::Gm).then_some(Viewer::Gm));
    let found = readers.find(|reader| post_for_reader(timeline, call, subject, reader).is_ok());
    found.map_or_else(String::new, |reader| {
        let command = view_command_line(word, &reader);
        format!("`{command}` has something for {}", viewer_in_words(&reader))
    })
}

/// Returns a post for a reader. A post for a group has no marks of this group: nobody else reads it.
fn post_for_reader(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let mut post = marked_post_for_reader(timeline, call, subject, to)?;
    if to.as_group().is_some() {
        let documents = post.documents.into_iter();
        let documents = documents.map(|one| one.without_marks_of(&to.audience()));
        post.documents = documents.collect();
    }
    Ok(post)
}

fn marked_post_for_reader(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let own = || viewer_of_seat(timeline, call.by());
    match subject {
        PostSubject::Last => last_or_numbered_post(timeline, call, None, to),
        PostSubject::Line(line) => last_or_numbered_post(timeline, call, Some(*line), to),
        PostSubject::Lines(first, last) => log_range_post(timeline, &own(), (*first, *last), to),
        PostSubject::Phase(name) => phase_post(timeline, &own(), name.as_deref(), to),
        PostSubject::Map => board_post(timeline, to),
        PostSubject::Votes => vote_post(timeline, to),
        PostSubject::Corrections => correction_post(timeline, &own(), to),
        PostSubject::Template(id) => template_post(timeline, id, to),
    }
}

/// Returns everybody and each seat, as readers of one post after the other. Errors: the ruleset cannot list its seats.
pub fn readers_in_turn(timeline: &Timeline) -> Result<Vec<Viewer>, Box<Diagnostic>> {
    let seats = seats_in_play_or_error(timeline)?;
    let names = seats.names().unwrap_or_default();
    let seats = names.into_iter().map(|name| viewer_of_seat(timeline, name));
    Ok(std::iter::once(Viewer::Public).chain(seats).collect())
}
