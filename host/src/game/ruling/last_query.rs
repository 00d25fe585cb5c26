//! The answer of a client's last query. It is kept until another line is typed, so that it can be posted like the
//! output of a ruling.

use crate::doc::build::blocks_for;
use crate::doc::{Audience, Document, Viewer, for_viewer};
use crate::game::timeline::reply::Reply;
use crate::words::Words;

/// The reply to the last query, which is empty if it was refused. It is not part of the game.
#[derive(Clone, Debug)]
pub(in crate::game) struct LastQuery {
    by: String,
    line: String,
    documents: Vec<Document>,
    /// The number of this line of its client, or of the last line that posted it.
    pub(in crate::game) at: u64,
}

impl LastQuery {
    /// Returns the reply to a line, with the line's number among the lines of its client.
    pub(in crate::game) fn of((by, line): (&str, &str), reply: &Reply, at: u64) -> LastQuery {
        LastQuery {
            by: by.to_owned(),
            line: line.trim().to_owned(),
            documents: reply.documents.clone(),
            at,
        }
    }

    /// Returns whether a seat gave it.
    pub(in crate::game) fn is_by(&self, by: &str) -> bool {
        self.by == by
    }

    /// Returns the line.
    pub(in crate::game) fn line(&self) -> &str {
        &self.line
    }

    /// Returns its output to a reader, if there was any.
    pub(in crate::game) fn post_for_reader(&self, to: &Viewer) -> Option<Post> {
        let seen = self.documents.iter();
        let seen: Vec<Document> = seen.filter_map(|one| for_viewer(one, to)).collect();
        let document = merged_document(&seen);
        if document.blocks.is_empty() {
            return None;
        }
        Some(Post {
            what: format!("`{}`, for {}", self.line, viewer_in_words(to)),
            documents: vec![document],
            is_query: true,
            lines: Vec::new(),
            parts: Vec::new(),
        })
    }
}

/// Merges documents into one; a part that is not for everybody names its audience.
pub(in crate::game) fn merged_document(documents: &[Document]) -> Document {
    let blocks = documents.iter().flat_map(|document| {
        let blocks = document.blocks.iter().cloned();
        match &document.audience {
            Audience::Public => blocks.collect(),
            some => vec![blocks_for(some.clone(), blocks)],
        }
    });
    Document::new(blocks)
}

pub(in crate::game) fn viewer_in_words(viewer: &Viewer) -> String {
    viewer_in_language(viewer, &Words::english())
}

/// Returns a reader as pages name it.
pub(in crate::game) fn viewer_in_language(viewer: &Viewer, words: &Words) -> String {
    match viewer {
        Viewer::Gm => words.text("reader.gm"),
        Viewer::Public => words.text("reader.everybody"),
        Viewer::Seat { name, .. } => match viewer.as_group() {
            Some(group) => words.fill("reader.group", &[("group", &group)]),
            None => name.clone(),
        },
    }
}

/// The output of a ruling to a reader.
pub struct Post {
    /// The ruling, in words.
    pub what: String,
    /// The output: a post ends between two documents rather than inside one.
    pub documents: Vec<Document>,
    /// Whether it is the reply to a query in the previous line.
    pub is_query: bool,
    /// The operations whose messages it contains, as first and last numbers; none for a view of the present game.
    pub lines: Vec<(u64, u64)>,
    /// The operations with only some messages in it, and the places of these among the messages of the operation to the
    /// reader, from 0.
    pub parts: Vec<(u64, Vec<u64>)>,
}
