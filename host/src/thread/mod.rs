//! Threads of forums: posts read out of pages, topic files and plain copies, and the votes in them.
//!
//! In: texts, the shape of the forum, and who takes part. Out: posts as [`Thread`], and the judged votes as
//! [`Judged`]. Nothing here looks at a game: names, targets, the first post and the deadline are data. Every reader is
//! linear in its text, except for the limits that each of them states.
//!
//! A thread is read in three steps: a text becomes posts ([`read_page`], [`read_topic`], [`read_plain`]), several
//! pages become one thread ([`Thread::of_pages`]), and [`judge_votes`] decides about each vote in it.

mod discourse;
mod folded_name;
mod forum_words;
pub(crate) mod html_tree;
mod judge;
mod markup;
mod moderator_count;
mod page;
mod people;
mod plain;
mod post;
mod report;
mod selector;
mod shape;
#[cfg(test)]
mod tests;
mod time;
mod vote_words;
mod wagons;

pub use discourse::read_topic;
pub use folded_name::fold_name;
pub use forum_words::VoteWords;
pub use judge::{Judged, PostMark, Rules, Stranger, VoteAction, VoteEvent, VoteForm, judge_votes};
pub use page::read_page;
pub use people::{Participant, Participants, Role, Target};
pub use plain::read_plain;
pub use post::{Edit, Gap, Line, Marks, Post, Run, State, Thread};
pub use report::{Reason, Report};
pub use shape::{Form, Shape, ShapeFault, read_by_fitting_shape, selector_fault};
pub use time::parse_time;
pub use wagons::Wagon;

/// Most posts of a thread.
pub const POSTS: usize = 100_000;
/// Most bytes of the text of one post; the rest is not read.
pub const POST_BYTES: usize = 1 << 20;

/// Why a text is not a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadFault {
    /// The name of the fault, such as `no-shape`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl ThreadFault {
    pub(crate) fn new(code: &'static str, message: impl Into<String>, hint: &str) -> ThreadFault {
        ThreadFault {
            code,
            message: message.into(),
            hint: hint.to_owned(),
        }
    }
}
