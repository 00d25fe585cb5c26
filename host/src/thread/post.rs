//! Posts of a thread: who wrote what, when, and how the words are marked.

use super::{POSTS, ThreadFault};

/// The posts of a thread in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The posts.
    pub posts: Vec<Post>,
    /// Whether the text has lost its marks, so that bold is unknown.
    pub is_plain: bool,
}

/// One post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// Its number as the forum counts; nothing if it has none.
    pub number: Option<u64>,
    /// Its id in the forum; empty if unknown.
    pub id: String,
    /// The forum name of its author.
    pub author: String,
    /// When it was written; unit: seconds since 1970 in UTC.
    pub time: Option<i64>,
    /// Its last edit.
    pub edit: Option<Edit>,
    /// Whether readers can see it.
    pub state: State,
    /// Its text by lines.
    pub lines: Vec<Line>,
    /// Whether its text was longer than the limit and is cut.
    pub is_cut: bool,
}

/// The last edit of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// Unit: seconds since 1970 in UTC.
    pub time: Option<i64>,
    /// Who edited, if the page names somebody.
    pub editor: Option<String>,
}

/// Whether readers can see a post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Everybody sees it.
    #[default]
    Shown,
    /// It was deleted.
    Deleted,
    /// It is hidden, flagged or not yet approved.
    Hidden,
}

/// One line of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Run>);

/// Text with the same marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The text.
    pub text: String,
    /// Its marks.
    pub marks: Marks,
}

/// The marks of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// It is bold.
    pub bold: bool,
    /// It is code.
    pub code: bool,
    /// It is in a spoiler.
    pub spoiler: bool,
    /// It is struck through.
    pub struck: bool,
    /// It belongs to the signature.
    pub signature: bool,
    /// The number of quotes around it.
    pub quotes: u32,
    /// The number of the vote element around it, from 1; 0 for none.
    pub vote: u32,
}

impl Line {
    /// Returns a line of one text without marks.
    #[must_use]
    pub fn of_text(text: &str) -> Line {
        let run = Run {
            text: text.to_owned(),
            marks: Marks::default(),
        };
        Line(vec![run])
    }
}

impl Post {
    /// Returns the words that name the post: its number, or its id.
    #[must_use]
    pub fn label(&self) -> String {
        match self.number {
            Some(number) => number.to_string(),
            None if self.id.is_empty() => "?".to_owned(),
            None => format!("id {}", self.id),
        }
    }
}

impl Thread {
    /// Joins pages of one thread in the given order. A post that several pages have counts once, as on the last of
    /// them; posts without a number take their place over all pages.
    ///
    /// Errors: there are too many posts.
    pub fn of_pages(pages: Vec<Thread>) -> Result<Thread, ThreadFault> {
        let mut whole = Thread {
            posts: Vec::new(),
            is_plain: pages.iter().any(|page| page.is_plain),
        };
        let mut places = std::collections::BTreeMap::new();
        for post in pages.into_iter().flat_map(|page| page.posts) {
            let known = (!post.id.is_empty()).then(|| places.get(&post.id).copied());
            if let Some(Some(place)) = known {
                whole.posts[place] = post;
                continue;
            }
            if !post.id.is_empty() {
                places.insert(post.id.clone(), whole.posts.len());
            }
            whole.posts.push(post);
        }
        if whole.posts.len() > POSTS {
            return Err(ThreadFault::new(
                "too-many-posts",
                format!("the thread has more than {POSTS} posts"),
                "give fewer pages at once",
            ));
        }
        whole.sort_by_number();
        Ok(whole)
    }

    /// Puts pages that were given in another order into the order of their numbers. A post without a number stays
    /// behind the post before it.
    fn sort_by_number(&mut self) {
        let mut last = 0;
        let mut keyed: Vec<(u64, Post)> = Vec::with_capacity(self.posts.len());
        for post in std::mem::take(&mut self.posts) {
            last = post.number.unwrap_or(last);
            keyed.push((last, post));
        }
        keyed.sort_by_key(|(number, _)| *number);
        self.posts = keyed.into_iter().map(|(_, post)| post).collect();
    }

    /// Numbers the posts by their places, from a first number.
    pub(super) fn number_by_place(&mut self, first: u64) {
        for (post, number) in self.posts.iter_mut().zip(first..) {
            post.number = Some(number);
        }
    }
}
