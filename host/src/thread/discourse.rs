//! Reads the JSON file of a topic, as Discourse writes it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::forum_words::VoteWords;
use super::html_tree::HtmlTree;
use super::markup::read_body;
use super::post::{Edit, Post, State, Thread};
use super::selector::Selector;
use super::shape::Shape;
use super::time::parse_time;
use super::{POSTS, ThreadFault};

#[derive(Deserialize)]
struct Topic {
    post_stream: Stream,
}

#[derive(Deserialize)]
struct Stream {
    posts: Vec<TopicPost>,
    /// The ids of all posts; `posts` has those of one page.
    #[serde(default)]
    stream: Vec<u64>,
}

#[derive(Deserialize)]
struct TopicPost {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    username: Option<String>,
    #[serde(default)]
    created_at: Option<String>,
    #[serde(default)]
    updated_at: Option<String>,
    #[serde(default)]
    cooked: Option<String>,
    #[serde(default)]
    post_number: Option<u64>,
    #[serde(default)]
    version: Option<u64>,
    #[serde(default)]
    hidden: Option<bool>,
    #[serde(default)]
    deleted_at: Option<String>,
    #[serde(default)]
    user_deleted: Option<bool>,
}

/// Reads a topic with the marks of a shape.
///
/// Errors: it is not a topic.
pub fn read_topic(text: &str, shape: Option<&Shape>) -> Result<Thread, ThreadFault> {
    let topic: Topic = serde_json::from_str(text).map_err(|why| {
        ThreadFault::new(
            "not-a-topic",
            format!("the JSON is not a topic with `post_stream.posts`: {why}"),
            "save the address of the topic with `.json` behind it",
        )
    })?;
    let Stream { posts, stream } = topic.post_stream;
    if posts.len().max(stream.len()) > POSTS {
        let message = format!("the topic has more than {POSTS} posts");
        return Err(ThreadFault::new(
            "too-many-posts",
            message,
            "give fewer posts at once",
        ));
    }
    let none = BTreeMap::new();
    let marks = shape.map_or(&none, |shape| &shape.marks);
    Ok(Thread {
        posts: posts.iter().map(|post| read_post(post, marks)).collect(),
        all_ids: stream.iter().map(ToString::to_string).collect(),
        words: shape.map_or_else(VoteWords::default, |shape| shape.votes.clone()),
        ..Thread::default()
    })
}

fn read_post(post: &TopicPost, marks: &BTreeMap<&'static str, Selector>) -> Post {
    let tree = HtmlTree::read(post.cooked.as_deref().unwrap_or_default());
    let (lines, is_cut) = read_body((&tree, 0), marks, None);
    let time = |text: Option<&String>| text.and_then(|text| parse_time(text, &[], 0));
    // A late `updated_at` at version 1 comes from the forum itself.
    let is_edited = post.version.is_some_and(|version| version > 1);
    let state = match (
        post.deleted_at.is_some() || post.user_deleted == Some(true),
        post.hidden == Some(true),
    ) {
        (true, _) => State::Deleted,
        (false, true) => State::Hidden,
        (false, false) => State::Shown,
    };
    Post {
        number: post.post_number,
        id: post.id.map_or_else(String::new, |id| id.to_string()),
        author: post.username.clone().unwrap_or_default(),
        time: time(post.created_at.as_ref()),
        edit: is_edited.then(|| Edit {
            time: time(post.updated_at.as_ref()),
            editor: None,
        }),
        state,
        lines,
        is_cut,
    }
}
