//! The answer of a client's last query. It is kept until another line is typed, so that it can be posted like the
//! output of a ruling.

use crate::doc::build::blocks_for;
use crate::doc::{Audience, Document, Viewer, for_viewer};
use crate::game::timeline::reply::Reply;

/// What a line that only looked answered, which is nothing where it was refused. No part of the game.
#[derive(Clone, Debug)]
pub(in crate::game) struct LastQuery {
    by: String,
    line: String,
    documents: Vec<Document>,
    /// Which line of its client it was, or the last one that posted it.
    pub(in crate::game) at: u64,
}

impl LastQuery {
    /// Returns what a line answered, the one with a number among those of its client.
    pub(in crate::game) fn of((by, line): (&str, &str), reply: &Reply, at: u64) -> LastQuery {
        LastQuery {
            by: by.to_owned(),
            line: line.trim().to_owned(),
            documents: reply.documents.clone(),
            at,
        }
    }

    /// Returns whether somebody gave it.
    pub(in crate::game) fn is_by(&self, by: &str) -> bool {
        self.by == by
    }

    /// Returns the line.
    pub(in crate::game) fn line(&self) -> &str {
        &self.line
    }

    /// Returns what it answered to a reader, if it said anything to them.
    pub(in crate::game) fn post(&self, to: &Viewer) -> Option<Post> {
        let seen = self.documents.iter();
        let seen: Vec<Document> = seen.filter_map(|one| for_viewer(one, to)).collect();
        let document = merged_document(&seen);
        if document.blocks.is_empty() {
            return None;
        }
        Some(Post {
            what: format!("`{}`, for {}", self.line, reader_text(to)),
            document,
            is_query: true,
        })
    }
}

/// Returns documents as one; what is not for everybody says for whom it is.
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

pub(in crate::game) fn reader_text(viewer: &Viewer) -> String {
    match viewer {
        Viewer::Gm => "the game master".to_owned(),
        Viewer::Public => "everybody".to_owned(),
        Viewer::Seat { name, .. } => name.clone(),
    }
}

/// What a ruling said to somebody.
pub struct Post {
    /// The ruling, in words.
    pub what: String,
    /// All that was said.
    pub document: Document,
    /// Whether it is what the line right before only looked at.
    pub is_query: bool,
}
