//! Refusals of posts: for one reader alone, or for all readers.
//!
//! There is no conversion from a diagnostic: who refuses says which of both it is.

use crate::diag::Diagnostic;

/// Why a reader gets no post.
pub(super) enum PostRefusal {
    /// Another reader may have one.
    ForReader(Box<Diagnostic>),
    /// Nobody has one.
    ForAll(Box<Diagnostic>),
}

impl PostRefusal {
    /// Returns a refusal for one reader.
    pub(super) fn for_reader(finding: Diagnostic) -> PostRefusal {
        PostRefusal::ForReader(Box::new(finding))
    }

    /// Returns a refusal for all readers.
    pub(super) fn for_all(finding: impl Into<Box<Diagnostic>>) -> PostRefusal {
        PostRefusal::ForAll(finding.into())
    }
}
