//! Posts of a thread: who wrote what, when, and how the words are marked.

use std::collections::{BTreeMap, BTreeSet};

use super::forum_words::VoteWords;
use super::{POSTS, ThreadFault};

/// The posts of a thread in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The posts.
    pub posts: Vec<Post>,
    /// Whether the text has lost its marks, so that bold is unknown.
    pub is_plain: bool,
    /// Whether the numbers are places in this page alone, and not those of the forum.
    pub is_numbered_by_place: bool,
    /// The ids of all posts that the forum has in the thread, in order; empty if the page does not tell.
    pub all_ids: Vec<String>,
    /// The posts that no page has.
    pub gaps: Vec<Gap>,
    /// The words of votes and counts.
    pub words: VoteWords,
}

/// Posts of a thread that no page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The number of the post before them; nothing at the begin of the thread.
    pub after: Option<u64>,
    /// The number of the post behind them; nothing at the end of the thread.
    pub before: Option<u64>,
    /// Their number.
    pub posts: u64,
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
    /// them; posts that a page numbers by their places are numbered over all pages.
    ///
    /// Errors: there are too many posts.
    pub fn of_pages(pages: Vec<Thread>) -> Result<Thread, ThreadFault> {
        let mut whole = Thread {
            posts: Vec::new(),
            is_plain: pages.iter().any(|page| page.is_plain),
            ..Thread::default()
        };
        let mut places = BTreeMap::new();
        let mut ranges = Vec::new();
        let mut has_ids = false;
        for page in pages {
            ranges.extend(page.range_of_numbers());
            has_ids |= !page.all_ids.is_empty();
            whole.add_ids(page.all_ids);
            whole.words.add(page.words);
            for mut post in page.posts {
                let known = places.get(&post.id).copied();
                if page.is_numbered_by_place {
                    let place = known.unwrap_or(whole.posts.len());
                    post.number = u64::try_from(place + 1).ok();
                }
                if let Some(place) = known {
                    whole.posts[place] = post;
                    continue;
                }
                if !post.id.is_empty() {
                    places.insert(post.id.clone(), whole.posts.len());
                }
                whole.posts.push(post);
            }
        }
        if whole.posts.len() > POSTS {
            return Err(ThreadFault::new(
                "too-many-posts",
                format!("the thread has more than {POSTS} posts"),
                "give fewer pages at once",
            ));
        }
        whole.sort_by_number();
        whole.gaps = match has_ids {
            true => whole.gaps_in_ids(),
            false => gaps_between(ranges),
        };
        Ok(whole)
    }

    /// Returns the first and the last number of a page whose numbers are those of the forum.
    fn range_of_numbers(&self) -> Option<(u64, u64)> {
        let numbers = || self.posts.iter().filter_map(|post| post.number);
        let range = numbers().min().zip(numbers().max());
        range.filter(|_| !self.is_numbered_by_place)
    }

    /// Adds the ids that a page lists. A page that was saved later may list more of them.
    fn add_ids(&mut self, ids: Vec<String>) {
        if self.all_ids.is_empty() {
            self.all_ids = ids;
            return;
        }
        let known: BTreeSet<String> = self.all_ids.iter().cloned().collect();
        let new = ids.into_iter().filter(|id| !known.contains(id));
        self.all_ids.extend(new);
    }

    /// Returns the gaps in the ids of the thread: runs of ids whose posts no page has.
    fn gaps_in_ids(&self) -> Vec<Gap> {
        let posts = self.posts.iter();
        let numbers: BTreeMap<&str, Option<u64>> =
            posts.map(|post| (post.id.as_str(), post.number)).collect();
        let (mut gaps, mut after, mut posts) = (Vec::new(), None, 0);
        for id in &self.all_ids {
            let Some(number) = numbers.get(id.as_str()) else {
                posts += 1;
                continue;
            };
            if posts > 0 {
                let before = *number;
                gaps.push(Gap {
                    after,
                    before,
                    posts,
                });
            }
            (after, posts) = (number.or(after), 0);
        }
        if posts > 0 {
            let before = None;
            gaps.push(Gap {
                after,
                before,
                posts,
            });
        }
        gaps
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

/// Returns the gaps before and between pages, by the first and the last number of each. Gaps inside of a page are the
/// forum's.
fn gaps_between(mut ranges: Vec<(u64, u64)>) -> Vec<Gap> {
    ranges.sort_unstable();
    let mut gaps = Vec::new();
    let mut last = 0;
    for (first, end) in ranges {
        if first > last + 1 {
            gaps.push(Gap {
                after: (last > 0).then_some(last),
                before: Some(first),
                posts: first - last - 1,
            });
        }
        last = last.max(end);
    }
    gaps
}
