//! Cuts documents into posts that a forum accepts.
//!
//! In: documents for their reader, a forum, limits. Out: posts, each a whole text of its format. A finished text is
//! never cut: the document is cut ([`cut`]), and each part is written separately. So no tag and no escape is split.
//! Every style and block that is cut is closed in one post and open in the next.

use std::collections::VecDeque;

use super::node::{Node, document_nodes};
use super::{Format, bbcode, discord, html, markdown};
use crate::doc::Document;

mod cut;
mod plainer_blocks;
mod row_cut;
mod weight;

/// The destination of posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forum {
    /// A board that reads BBCode.
    Bbcode,
    /// Discord.
    Discord,
    /// A board or page that takes HTML.
    Html,
    /// A board that reads Markdown.
    Markdown,
}

/// The limits for cutting a text into posts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The longest post, at least [`Limits::SHORTEST`]; if missing, the limit of the forum: [`Forum::longest_post`].
    ///
    /// Unit: UTF-16 code units. Boards count these or characters; the number of characters is never higher.
    pub length: Option<usize>,
    /// Whether each of several posts begins with its number: `(1/3)`.
    pub numbered: bool,
}

impl Limits {
    /// The smallest limit; a lower one counts as this.
    pub const SHORTEST: usize = 200;
}

impl Forum {
    /// Returns the forum whose posts are in a format; nothing if its documents are not for posts.
    pub fn of_format(format: Format) -> Option<Forum> {
        match format {
            Format::Bbcode => Some(Forum::Bbcode),
            Format::Discord => Some(Forum::Discord),
            Format::Html => Some(Forum::Html),
            Format::Markdown => Some(Forum::Markdown),
            Format::Terminal | Format::Rst | Format::Csv | Format::Json => None,
        }
    }

    /// Returns the format of its posts.
    pub fn format(self) -> Format {
        match self {
            Forum::Bbcode => Format::Bbcode,
            Forum::Discord => Format::Discord,
            Forum::Html => Format::Html,
            Forum::Markdown => Format::Markdown,
        }
    }

    /// Returns the longest post, in UTF-16 code units.
    ///
    /// Source: Discord, "Create Message", 2000 characters; phpBB, default of "Maximum characters per post";
    /// Discourse, default of `max_post_length`; HTML: the length of the text column in which boards keep it.
    pub fn longest_post(self) -> usize {
        match self {
            Forum::Bbcode | Forum::Html => 60_000,
            Forum::Discord => 2_000,
            Forum::Markdown => 32_000,
        }
    }

    fn write(self, nodes: &[Node]) -> String {
        match self {
            Forum::Bbcode => bbcode::write_nodes(nodes),
            Forum::Discord => discord::write_nodes(nodes),
            Forum::Html => html::write_nodes(nodes),
            Forum::Markdown => markdown::write_nodes(nodes),
        }
    }
}

/// Returns the documents as posts, in order and without final line ends; none if the documents are empty.
///
/// Each document must already be reduced to the parts that its reader may see: [`crate::doc::for_viewer`]. A post ends
/// between documents if it is half full then, else between blocks if possible, else between rows, items or lines, then sentences, then words. The titles of a table are
/// repeated in each post that has rows of it. A part that no post can hold otherwise (titles longer than half of a
/// post, for example) is written as plain paragraphs.
pub fn split_into_posts(documents: &[Document], forum: Forum, limits: &Limits) -> Vec<String> {
    let limit = limits.length.unwrap_or(forum.longest_post());
    let limit = limit.max(Limits::SHORTEST);
    let all: Vec<Vec<Node>> = documents.iter().map(document_nodes).collect();
    if !limits.numbered {
        return split_documents_into_posts(all, forum, limit);
    }
    let mut digits = 1;
    loop {
        let room = limit - post_number(1, 1, forum).len() - 2 * (digits - 1);
        let posts = split_documents_into_posts(all.clone(), forum, room);
        let total = posts.len();
        if total == 1 || total.to_string().len() <= digits {
            return number_posts(posts, forum);
        }
        digits = total.to_string().len();
    }
}

fn split_documents_into_posts(documents: Vec<Vec<Node>>, forum: Forum, room: usize) -> Vec<String> {
    let fits = |nodes: &[Node]| {
        !weight::nodes_exceed(nodes, room) && forum.write(nodes).encode_utf16().count() <= room
    };
    let mut posts = Vec::new();
    for nodes in parts_of_whole_documents(documents, forum, room, &fits) {
        let mut left = VecDeque::from(nodes);
        while !left.is_empty() {
            let part = cut::take_post(&mut left, room, &fits);
            posts.push(forum.write(&part));
        }
    }
    posts
}

/// Joins documents until one does not fit into the rest of the post. That one begins the next post if it fits into a
/// post of its own and the present one is at least half full. All others are cut.
fn parts_of_whole_documents(
    documents: Vec<Vec<Node>>,
    forum: Forum,
    room: usize,
    fits: &dyn Fn(&[Node]) -> bool,
) -> Vec<Vec<Node>> {
    let mut parts: Vec<Vec<Node>> = Vec::new();
    // The length of the present part, as long as it is one post.
    let mut length = Some(0);
    for document in documents {
        let own = forum.write(&document).encode_utf16().count();
        let is_together = length.is_some_and(|length| length + own < room);
        let begins = !is_together && is_begun_anew(length, room) && fits(&document);
        match parts.last_mut().filter(|_| !begins) {
            Some(part) => {
                part.extend(document);
                // Marks between documents are short, and the cut measures the text itself.
                length = length
                    .map(|length| length + own + 2)
                    .filter(|length| *length < room);
            }
            None => {
                length = Some(own).filter(|length| *length < room);
                parts.push(document);
            }
        }
    }
    parts
}

/// Returns whether a document may begin a new post behind a part.
fn is_begun_anew(length: Option<usize>, room: usize) -> bool {
    length.is_some_and(|length| 2 * length >= room)
}

fn number_posts(posts: Vec<String>, forum: Forum) -> Vec<String> {
    let total = posts.len();
    if total < 2 {
        return posts;
    }
    let posts = posts.into_iter().enumerate();
    posts
        .map(|(at, post)| post_number(at + 1, total, forum) + &post)
        .collect()
}

fn post_number(at: usize, total: usize, forum: Forum) -> String {
    match forum {
        Forum::Discord => format!("({at}/{total})\n"),
        Forum::Bbcode | Forum::Markdown => format!("({at}/{total})\n\n"),
        Forum::Html => format!("<p>({at}/{total})</p>\n"),
    }
}

#[cfg(test)]
mod tests;
