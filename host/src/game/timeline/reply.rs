//! The reply of a session to one line.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::timeline::ruling_numbers::{
    number_given_up_notice, slot_of_question_document, with_ruling_number,
};
use crate::script::{GM, Line, Printed};
use crate::value::Value;

/// The answer to one line.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The operation that the line became.
    pub op: Option<u64>,
    /// What was said, in order.
    pub documents: Vec<Document>,
    /// What a ruling said that waits now: it counts only when the ruling is over.
    pub provisional: Vec<Document>,
    /// What the host adds for the person who gave the line: which steps ran, which questions wait now. Not part of the
    /// operation.
    pub aside: Vec<Document>,
    /// The slot of the ruling that waits now.
    pub waits: Option<u64>,
    /// Why it was refused.
    pub refusal: Option<Diagnostic>,
    /// Whether the line was an answer to a ruling that somebody else gave, whose refusal is for them.
    pub is_of_another: bool,
    /// Findings to show beside the answer: of the rules, not of the line.
    pub findings: Vec<Diagnostic>,
    /// What scripts printed.
    pub printed: Printed,
    /// The groups of the seat that gave the line, for what is said to groups.
    pub groups: Vec<String>,
    /// What the line asks of the session, until the session has done it.
    pub request: Option<Request>,
    /// What the person at the terminal asked of the terminal itself.
    pub program_request: Option<ProgramRequest>,
    /// What the person who gave the line may name in the next one.
    pub remembered: RememberedAnswer,
    /// The rule that ran, if one did, and what happened in it.
    pub ran: Option<RuleRun>,
    /// Where begins what was said by something that followed by itself.
    pub followed: Vec<FollowUp>,
    /// By operation, the number of its line in the log of the person who gave the line, where a document names that.
    pub log_lines: BTreeMap<u64, u64>,
    /// By slot, the number that people have for a ruling that a document names.
    pub ruling_numbers: BTreeMap<u64, u64>,
    /// The slot of the ruling that was given up, if one was.
    pub dropped: Option<u64>,
}

/// What the person who gave a line may name in the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RememberedAnswer {
    /// Nothing new.
    #[default]
    Nothing,
    /// The value of an evaluated text, and what was said of it.
    Value(Value),
    /// The answer of a line that only looked.
    Query,
    /// That answer once more: it was posted, or could not be.
    Posted,
}

/// A rule that ran.
#[derive(Clone, Debug, Default)]
pub struct RuleRun {
    /// Collection and id, or what the host calls it.
    pub rule: String,
    /// What happened, if it was traced.
    pub lines: Vec<Line>,
    /// How many lines more there would be.
    pub left_out: usize,
}

/// Something that followed a line by itself: how much had been said before it.
#[derive(Clone, Copy, Debug)]
pub struct FollowUp {
    /// The operation that it became.
    pub op: Option<u64>,
    /// How many documents.
    pub documents: usize,
    /// How many provisional ones.
    pub provisional: usize,
}

/// Something about the session that a line asks of it; the session does it, no matter who is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Look at the game as it was after an operation, or with nothing at the game of now.
    Look(Option<u64>),
    /// Go to a fork, which begins here if it is new; `main` is the game itself.
    Fork(String),
    /// Give a fork up.
    DropFork(String),
    /// List the forks.
    Forks,
    /// Read the rules and content again.
    Reload,
    /// List what is wrong with the rules and content.
    Check,
}

/// Something that only the terminal can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramRequest {
    /// End the session.
    Quit,
    /// Show and act as a seat from now on; `gm` is the game master.
    As(String),
    /// Write in another format from now on.
    Format(String),
    /// Keep the game, or a copy of it, in a folder; what was said of the place.
    Save(String),
    /// Pack the game into a file; what was said of the place.
    Pack(String),
    /// Open another game; what was said of it.
    Open(String),
    /// Write the whole game into a file, or as pages into a folder.
    Export {
        /// Whom it is told to: `public`, `gm`, or a seat.
        whom: String,
        /// The name of a format; empty where none was said.
        format: String,
        /// What was said of the place.
        place: String,
        /// Whether what was taken back is told too.
        corrections: bool,
    },
    /// Run the kept game again and compare; with `dice` every die is computed too.
    Verify {
        /// Whether dice are computed.
        dice: bool,
    },
    /// Write the documents as posts.
    Post {
        /// The name of a format; empty where none was said.
        format: String,
        /// What is posted.
        what: String,
    },
}

impl Reply {
    /// Returns an answer of one document.
    pub fn document(document: Document) -> Reply {
        Reply {
            documents: vec![document],
            ..Reply::default()
        }
    }

    /// Returns an answer of one line of text.
    pub fn line(text: impl Into<String>) -> Reply {
        Reply::document(Document::new([paragraph(text.into())]))
    }

    /// Returns an answer of one line of text to the one who gave the command.
    pub(in crate::game) fn line_to(by: &str, text: impl Into<String>) -> Reply {
        let line = Document::new([paragraph(text.into())]);
        Reply::document(line.limit_to_audience(to_giver(by)))
    }

    /// Returns the documents as the giver of the line reads them, each with the operation that said it: the line's own,
    /// or one that followed.
    pub fn documents_by_operation(&self) -> impl Iterator<Item = (Option<u64>, Cow<'_, Document>)> {
        self.with_log_lines(&self.documents, |one| one.documents)
    }

    /// Returns what counts only when a ruling is over, each with the operation that said it.
    pub fn provisional_by_operation(
        &self,
    ) -> impl Iterator<Item = (Option<u64>, Cow<'_, Document>)> {
        self.with_log_lines(&self.provisional, |one| one.provisional)
    }

    fn with_log_lines<'a>(
        &'a self,
        documents: &'a [Document],
        begins: impl Fn(&FollowUp) -> usize,
    ) -> impl Iterator<Item = (Option<u64>, Cow<'a, Document>)> {
        documents.iter().enumerate().map(move |(at, document)| {
            let followed = self.followed.iter().rfind(|one| begins(one) <= at);
            let op = followed.map_or(self.op, |one| one.op);
            (op, self.in_log_line(op, document))
        })
    }

    fn in_log_line<'a>(&self, op: Option<u64>, document: &'a Document) -> Cow<'a, Document> {
        let line = op.and_then(|op| self.log_lines.get(&op));
        let asking = slot_of_question_document(document);
        let ruling = asking.and_then(|slot| Some((slot, *self.ruling_numbers.get(&slot)?)));
        let is_dropped = self.dropped.is_some();
        if line.is_none() && ruling.is_none() && !is_dropped {
            return Cow::Borrowed(document);
        }
        let mut document = document.clone();
        if let Some(line) = line {
            document = document.with_log_line_number(*line);
        }
        if let Some(ruling) = ruling {
            document = with_ruling_number(document, ruling);
        }
        if is_dropped {
            let number = |slot: u64| self.ruling_numbers.get(&slot).copied();
            document = number_given_up_notice(document, |slot| number(slot).unwrap_or(slot));
        }
        Cow::Owned(document)
    }

    /// Returns the slots of the rulings that its documents name.
    pub(in crate::game) fn slots_named(&self) -> BTreeSet<u64> {
        let all = self.documents.iter().chain(&self.provisional);
        all.filter_map(slot_of_question_document)
            .chain(self.dropped)
            .collect()
    }

    /// Returns the operations whose documents name their log line.
    pub(in crate::game) fn ops_with_log_line(&self) -> BTreeSet<u64> {
        let all = self
            .documents_by_operation()
            .chain(self.provisional_by_operation());
        let naming = all.filter(|(_, document)| document.has_log_line_span());
        naming.filter_map(|(op, _)| op).collect()
    }

    /// Adds what came of something that followed by itself; the operation of the line stays its own.
    pub fn absorb(&mut self, other: Reply) {
        let (documents, provisional) = (self.documents.len(), self.provisional.len());
        let first = FollowUp {
            op: other.op,
            documents,
            provisional,
        };
        let further = other.followed.into_iter().map(|one| FollowUp {
            documents: one.documents + documents,
            provisional: one.provisional + provisional,
            ..one
        });
        self.followed.extend(std::iter::once(first).chain(further));
        self.documents.extend(other.documents);
        self.provisional.extend(other.provisional);
        self.aside.extend(other.aside);
        self.waits = other.waits.or(self.waits);
        self.refusal = self.refusal.take().or(other.refusal);
        self.findings.extend(other.findings);
        self.printed.lines.extend(other.printed.lines);
        self.printed.left_out += other.printed.left_out;
    }

    /// Returns a refusal.
    pub fn refused(finding: Diagnostic) -> Reply {
        Reply {
            refusal: Some(finding),
            ..Reply::default()
        }
    }

    /// Returns a request to the session.
    pub fn request(request: Request) -> Reply {
        Reply {
            request: Some(request),
            ..Reply::default()
        }
    }

    /// Returns a request to the program.
    pub fn program_request(program_request: ProgramRequest) -> Reply {
        Reply {
            program_request: Some(program_request),
            ..Reply::default()
        }
    }
}

/// Returns the audience of what only the giver of a command should read.
pub(in crate::game) fn to_giver(by: &str) -> Audience {
    if by == GM {
        Audience::Gm
    } else {
        Audience::Seat(by.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(op: Option<u64>, texts: &[&str]) -> Reply {
        let said = |text: &&str| Document::new([paragraph(*text)]);
        Reply {
            op,
            documents: texts.iter().map(said).collect(),
            provisional: texts.iter().map(said).take(1).collect(),
            ..Reply::default()
        }
    }

    fn numbers<'a>(
        said: impl Iterator<Item = (Option<u64>, Cow<'a, Document>)>,
    ) -> Vec<Option<u64>> {
        said.map(|(op, _)| op).collect()
    }

    #[test]
    fn a_line_keeps_its_number_and_each_document_has_that_of_its_operation() {
        let mut behind = Reply::default();
        behind.absorb(by(Some(4), &["b", "c"]));
        behind.absorb(by(Some(5), &[]));
        behind.absorb(by(Some(6), &["d"]));
        behind.absorb(by(None, &["of no operation"]));
        let mut reply = by(Some(3), &["a"]);
        reply.absorb(behind);
        assert_eq!(reply.op, Some(3));
        let of = [Some(3), Some(4), Some(4), Some(6), None];
        assert_eq!(numbers(reply.documents_by_operation()), of);
        let of = [Some(3), Some(4), Some(6), None];
        assert_eq!(numbers(reply.provisional_by_operation()), of);
    }
}
