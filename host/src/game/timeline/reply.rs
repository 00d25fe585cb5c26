//! The reply of a session to one line.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Diagnostic;
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::timeline::post_notes::PrintedPosts;
use crate::game::timeline::ruling_numbers::{
    drop_notice_with_log_line, ruling_number_in_question_document, with_log_line_of_ruling,
};
use crate::script::{GM, Line, Printed};
use crate::value::Value;

/// The reply to one line.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The operation that the line became.
    pub op: Option<u64>,
    /// The output, in order.
    pub documents: Vec<Document>,
    /// The output of a ruling that is waiting now: it counts only when the ruling is finished.
    pub provisional: Vec<Document>,
    /// The host's notes for the giver of the line: which steps ran, which questions are open now. They are not part of
    /// the operation.
    pub aside: Vec<Document>,
    /// The ruling number of the ruling that is waiting now.
    pub waits: Option<u64>,
    /// The refusal, if it was refused.
    pub refusal: Option<Diagnostic>,
    /// Whether the line was an answer to a ruling of another person, to whom the refusal belongs.
    pub is_of_another: bool,
    /// Findings to show beside the reply: about the rules, not about the line.
    pub findings: Vec<Diagnostic>,
    /// The output printed by scripts.
    pub printed: Printed,
    /// The groups of the seat that gave the line, for output to groups.
    pub groups: Vec<String>,
    /// The request of the line to the session, until the session has carried it out.
    pub request: Option<Request>,
    /// The request of the person at the terminal to the terminal itself.
    pub program_request: Option<ProgramRequest>,
    /// The parts that the giver of the line may name in the next one.
    pub remembered: RememberedAnswer,
    /// The posts or the export that the line prints.
    pub printed_posts: Option<PrintedPosts>,
    /// The rule that ran, if one did, and its trace.
    pub ran: Option<RuleRun>,
    /// The starting points of the output of automatic follow-ups.
    pub followed: Vec<FollowUp>,
    /// The log line of an operation in the log of the giver of the line, by operation, if a document names it.
    pub log_lines: BTreeMap<u64, u64>,
    /// The log line of a ruling that a document names, by ruling number.
    pub ruling_numbers: BTreeMap<u64, u64>,
    /// The ruling number of the ruling that was dropped, if one was.
    pub dropped: Option<u64>,
}

/// The parts that the giver of a line may name in the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RememberedAnswer {
    /// Nothing new.
    #[default]
    Nothing,
    /// The value of an evaluated text, and the output about it.
    Value(Value),
    /// The reply to a query.
    Query,
    /// The same reply again: it was posted, or could not be.
    Posted,
}

/// A rule that ran.
#[derive(Clone, Debug, Default)]
pub struct RuleRun {
    /// Collection and id, or the host's name for it.
    pub rule: String,
    /// Its trace, if it was traced.
    pub lines: Vec<Line>,
    /// The number of further lines that were left out.
    pub left_out: usize,
}

/// An automatic follow-up of a line, and the amount of output before it.
#[derive(Clone, Copy, Debug)]
pub struct FollowUp {
    /// The operation that it became.
    pub op: Option<u64>,
    /// The number of documents before it.
    pub documents: usize,
    /// The number of provisional documents before it.
    pub provisional: usize,
}

/// A request of a line to the session; the session carries it out, no matter who is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// View the game as it was after an operation, or, without one, the present game.
    Look(Option<u64>),
    /// Go to a fork, which begins here if it is new; `main` is the game itself.
    Fork(String),
    /// Drop a fork.
    DropFork(String),
    /// List the forks.
    Forks,
    /// Read the rules and content again.
    Reload,
    /// List the errors in the rules and content.
    Check,
}

/// A request that only the terminal can carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramRequest {
    /// End the session.
    Quit,
    /// Show and act as a seat from now on; `gm` is the game master.
    As(String),
    /// Write in another format from now on.
    Format(String),
    /// Store the game, or a copy of it, in a folder; the text for the place.
    Save(String),
    /// Pack the game into a file; the text for the place.
    Pack(String),
    /// Open another game; the text for it.
    Open(String),
    /// Write the whole game into a file, or as pages into a folder.
    Export {
        /// The reader: `public`, `gm`, or a seat.
        whom: String,
        /// The name of a format; empty if none was given.
        format: String,
        /// The text for the place.
        place: String,
        /// Whether corrected and undone parts are included too.
        corrections: bool,
    },
    /// Draw the charts of this reply into a file.
    Picture {
        /// The heading of the picture.
        title: String,
        /// The text for the place.
        place: String,
    },
    /// Run the stored game again and compare; with `dice` every die is computed too.
    Verify {
        /// Whether dice are computed.
        dice: bool,
    },
    /// Write the documents as posts.
    Post(PostRequest),
}

/// Documents to be written as posts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostRequest {
    /// The name of a format; empty if none was given.
    pub format: String,
    /// The longest post that was asked for.
    pub longest: Option<usize>,
    /// Whether each post also goes to the clipboard.
    pub copies: bool,
    /// The text for the folder of the files; nothing if the posts are shown.
    pub folder: Option<String>,
    /// Whether each reader was asked for: then files of readers without a post are of earlier posts.
    pub is_for_each: bool,
    /// The documents of the reply, reader by reader, in order.
    pub parts: Vec<PostPart>,
}

/// The posts for one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostPart {
    /// The part that is posted, in words.
    pub what: String,
    /// The reader, as the text of an audience.
    pub to: String,
    /// Its number of documents.
    pub documents: usize,
}

impl Reply {
    /// Returns a reply of one document.
    pub fn document(document: Document) -> Reply {
        Reply {
            documents: vec![document],
            ..Reply::default()
        }
    }

    /// Returns a reply of one line of text.
    pub fn line(text: impl Into<String>) -> Reply {
        Reply::document(Document::new([paragraph(text.into())]))
    }

    /// Returns a reply of one line of text to the giver of the command.
    pub(in crate::game) fn line_to(by: &str, text: impl Into<String>) -> Reply {
        let line = Document::new([paragraph(text.into())]);
        Reply::document(line.limit_to_audience(audience_of_giver(by)))
    }

    /// Returns the documents as the giver of the line reads them, each with its operation: the operation of the line,
    /// or one that followed.
    pub fn documents_by_operation(&self) -> impl Iterator<Item = (Option<u64>, Cow<'_, Document>)> {
        self.documents_with_operations(&self.documents, |one| one.documents)
    }

    /// Returns the output that counts only when a ruling is finished, each document with its operation.
    pub fn provisional_by_operation(
        &self,
    ) -> impl Iterator<Item = (Option<u64>, Cow<'_, Document>)> {
        self.documents_with_operations(&self.provisional, |one| one.provisional)
    }

    fn documents_with_operations<'a>(
        &'a self,
        documents: &'a [Document],
        begins: impl Fn(&FollowUp) -> usize,
    ) -> impl Iterator<Item = (Option<u64>, Cow<'a, Document>)> {
        documents.iter().enumerate().map(move |(at, document)| {
            let followed = self.followed.iter().rfind(|one| begins(one) <= at);
            let op = followed.map_or(self.op, |one| one.op);
            (op, self.numbered_document(op, document))
        })
    }

    fn numbered_document<'a>(&self, op: Option<u64>, document: &'a Document) -> Cow<'a, Document> {
        let line = op.and_then(|op| self.log_lines.get(&op));
        let asking = ruling_number_in_question_document(document);
        let ruling = asking.and_then(|number| Some((number, *self.ruling_numbers.get(&number)?)));
        let is_dropped = self.dropped.is_some();
        if line.is_none() && ruling.is_none() && !is_dropped {
            return Cow::Borrowed(document);
        }
        let mut document = document.clone();
        if let Some(line) = line {
            document = document.with_log_line_number(*line);
        }
        if let Some(ruling) = ruling {
            document = with_log_line_of_ruling(document, ruling);
        }
        if is_dropped {
            let known = |number: u64| self.ruling_numbers.get(&number).copied();
            document =
                drop_notice_with_log_line(document, |number| known(number).unwrap_or(number));
        }
        Cow::Owned(document)
    }

    /// Returns the ruling numbers of the rulings that its documents name.
    pub(in crate::game) fn ruling_numbers_in_documents(&self) -> BTreeSet<u64> {
        let all = self.documents.iter().chain(&self.provisional);
        all.filter_map(ruling_number_in_question_document)
            .chain(self.dropped)
            .collect()
    }

    /// Returns the operations whose documents name their log line.
    pub(in crate::game) fn operations_naming_log_line(&self) -> BTreeSet<u64> {
        let all = self
            .documents_by_operation()
            .chain(self.provisional_by_operation());
        let naming = all.filter(|(_, document)| document.has_log_line_span());
        naming.filter_map(|(op, _)| op).collect()
    }

    /// Adds the reply of an automatic follow-up; the operation of the line stays its own.
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

/// Returns the audience of output that only the giver of a command should read.
pub(in crate::game) fn audience_of_giver(by: &str) -> Audience {
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
