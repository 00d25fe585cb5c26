//! This module keeps the answer of the last line that only looked, as long as nothing else was typed, so that it can be
//! posted as what rulings say can.

use super::{Post, reader, whole};
use crate::doc::{Document, Viewer, for_viewer};
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::session::Session;

/// What a line that only looked answered. No part of the game.
#[derive(Clone, Debug)]
pub(in crate::game) struct Looked {
    by: String,
    line: String,
    documents: Vec<Document>,
    /// Which line of the session it was, or the last one that posted it.
    at: u64,
}

impl Session {
    /// Keeps the answer of a line that only looked.
    pub(in crate::game) fn keep_looked(&mut self, ruling: &Ruling<'_>, reply: &Reply) {
        self.looked = reply.refusal.is_none().then(|| Looked {
            by: ruling.by().to_owned(),
            line: ruling.line.to_owned(),
            documents: reply.documents.clone(),
            at: self.lines_taken,
        });
    }

    /// Returns what the line right before this one answered to a reader, if it only looked and said anything to them.
    pub(in crate::game) fn looked_at(&mut self, by: &str, to: &Viewer) -> Option<Post> {
        let now = self.lines_taken;
        let looked = self.looked.as_mut()?;
        if looked.by != by || looked.at + 1 != now {
            return None;
        }
        let seen = looked.documents.iter();
        let seen: Vec<Document> = seen.filter_map(|one| for_viewer(one, to)).collect();
        let document = whole(&seen);
        if document.blocks.is_empty() {
            return None;
        }
        looked.at = now;
        let what = format!("`{}`, for {}", looked.line, reader(to));
        Some(Post { what, document })
    }
}
