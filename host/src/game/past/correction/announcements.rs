//! Changed messages of rulings after a correction, only for readers who got other messages before.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document, Viewer, for_viewer};
use crate::game::past::correction::rerun_result::RerunResult;
use crate::game::past::correction::ruling_effect::RulingEffect;
use crate::game::ruling::ruling_context::Manner;
use crate::store::Operation;
use crate::value::Value;
use crate::words::Words;

/// Present messages of a ruling to one audience.
#[derive(Debug)]
pub(super) struct RulingAnnouncement {
    seq: u64,
    to: Audience,
    documents: Vec<Document>,
    /// Whether the documents come from the ruling itself, and not from an answer to it.
    is_ruled: bool,
}

/// Returns the present messages of rulings to each audience that got other messages before, or none.
pub(super) fn changed_announcements(
    ran: &[RerunResult],
    now: &BTreeMap<u64, RulingEffect>,
    (own, manner): (u64, Manner),
) -> Vec<RulingAnnouncement> {
    let may_be_refused = manner >= Manner::Standing;
    let is_settled = |one: &&RerunResult| {
        let holds = may_be_refused || one.effect.refusal.is_none();
        one.seq != own && !one.effect.waits && holds
    };
    let all = ran.iter().filter(is_settled).flat_map(|one| {
        let known = now.get(&one.seq);
        let known = known.map_or_else(BTreeMap::new, |effect| {
            documents_by_audience(&effect.documents)
        });
        let mut said = documents_by_audience(&one.effect.documents);
        let all: BTreeSet<Audience> = known.keys().chain(said.keys()).cloned().collect();
        let seq = one.seq;
        let other = all.into_iter().filter_map(move |to| {
            let documents = said.remove(&to).unwrap_or_default();
            let before = known.get(&to).map_or(&[][..], Vec::as_slice);
            let is_same = documents_seen_by(before, &to) == documents_seen_by(&documents, &to);
            let is_ruled = true;
            (!is_same).then_some(RulingAnnouncement {
                seq,
                to,
                documents,
                is_ruled,
            })
        });
        other.collect::<Vec<_>>()
    });
    all.collect()
}

impl RulingAnnouncement {
    /// Returns the message to a person about an answer that is lost.
    pub(super) fn of_lost_answer(seq: u64, to: Audience, document: Document) -> RulingAnnouncement {
        RulingAnnouncement {
            seq,
            to,
            documents: vec![document],
            is_ruled: false,
        }
    }

    /// Returns whether another announcement is to the same audience about the same ruling.
    pub(super) fn is_to_same_reader(&self, other: &RulingAnnouncement) -> bool {
        self.seq == other.seq && self.to == other.to
    }

    /// Returns the documents of the announcement as readers see them.
    pub(super) fn documents_as_told(&self, words: &Words) -> Vec<Document> {
        let mut said = self.documents.clone();
        match said.first_mut() {
            Some(_) if !self.is_ruled => {}
            Some(first) => first.blocks.insert(0, paragraph(words.text(AGAIN))),
            None => {
                let nothing = paragraph(words.text("again.nothing"));
                said.push(Document::new([nothing]).limit_to_audience(self.to.clone()));
            }
        }
        said
    }

    /// Returns the stored form: the ruling, the audience, and the number of documents. The text before them is in it
    /// where it is not the English one.
    pub(super) fn to_value(&self, manner: Manner, words: &Words) -> Value {
        let count = i64::try_from(self.documents.len()).unwrap_or(i64::MAX);
        let more = match (manner, self.is_ruled) {
            (Manner::Rows, _) => Vec::new(),
            (_, true) => vec![(COUNT, Value::from(count))],
            (_, false) => vec![(COUNT, Value::from(count)), (ANSWER, true.into())],
        };
        let known = [
            (
                "op",
                Value::from(i64::try_from(self.seq).unwrap_or(i64::MAX)),
            ),
            ("to", Value::from(self.to.to_string().as_str())),
        ];
        let again = words.text(AGAIN);
        let again = (self.is_ruled && again != Words::english().text(AGAIN))
            .then(|| (BEFORE, again.as_str().into()));
        Value::map(known.into_iter().chain(more).chain(again))
    }
}

/// The key of the text before the repeated messages of a ruling.
const AGAIN: &str = "again.said";

/// Keys of a stored announcement: the number of its documents, and whether it is about a lost answer.
const COUNT: &str = "documents";
const ANSWER: &str = "answer";
/// The key of the text before them in another language than English.
const BEFORE: &str = "before";

/// Message of a correction about a ruling to one audience.
pub(in crate::game) struct CorrectionNotice {
    /// The ruling.
    pub(in crate::game) seq: u64,
    /// The audience of the message.
    pub(in crate::game) to: Audience,
    /// Whether the message is about a lost answer, and not the message of the ruling.
    pub(in crate::game) is_answer: bool,
    /// Positions of its documents among the documents of the correction; nothing if they are not known.
    pub(in crate::game) place: Option<Range<usize>>,
    /// The present documents of the ruling.
    pub(in crate::game) documents: Vec<Document>,
}

/// Returns the messages of a correction about rulings, in order.
pub(in crate::game) fn notices_of_correction(correction: &Operation) -> Vec<CorrectionNotice> {
    let data = correction.documents.first().map(|told| told.get("data"));
    let list = data.map_or(&Value::Nil, |data| data.get("told_again"));
    let counts: Option<Vec<usize>> = list.items().iter().map(recorded_document_count).collect();
    let sizes = counts.iter().flatten().map(|count| (*count).max(1));
    let mut at = correction.documents.len().saturating_sub(sizes.sum());
    let pairs = rulings_with_changed_messages(correction)
        .into_iter()
        .zip(list.items());
    let told = pairs.enumerate().map(|(index, ((seq, to), value))| {
        let count = counts.as_ref().map(|counts| counts[index]);
        let place = count.map(|count| at..at + count.max(1));
        at = place.as_ref().map_or(at, |place| place.end);
        let documents = match (count, &place) {
            (Some(1..), Some(place)) => {
                let told = correction.documents.get(place.clone()).unwrap_or_default();
                documents_of_ruling(told, value.get(BEFORE).as_str())
            }
            _ => Vec::new(),
        };
        CorrectionNotice {
            seq,
            to,
            is_answer: value.get(ANSWER).as_bool() == Some(true),
            place,
            documents,
        }
    });
    told.collect()
}

fn recorded_document_count(value: &Value) -> Option<usize> {
    usize::try_from(value.get(COUNT).as_i64()?).ok()
}

/// Returns the documents of a ruling from the documents that repeat them. `before` is the text before them; nothing for
/// the English one.
fn documents_of_ruling(told: &[Value], before: Option<&str>) -> Vec<Document> {
    let before = before.map_or_else(|| Words::english().text(AGAIN), str::to_owned);
    let read = told.iter().filter_map(|one| Document::from_value(one).ok());
    let mut documents: Vec<Document> = read.collect();
    if let Some(first) = documents.first_mut()
        && first.blocks.first() == Some(&paragraph(before))
    {
        first.blocks.remove(0);
    }
    documents
}

/// Returns the rulings with changed messages after a correction, each with its audience.
pub(in crate::game) fn rulings_with_changed_messages(
    correction: &Operation,
) -> Vec<(u64, Audience)> {
    let data = correction.documents.first().map(|told| told.get("data"));
    let list = data.map_or(&Value::Nil, |data| data.get("told_again"));
    let one = |value: &Value| {
        let seq = value
            .get("op")
            .as_i64()
            .and_then(|seq| u64::try_from(seq).ok())?;
        Some((seq, Audience::parse(value.get("to").as_str()?).ok()?))
    };
    list.items().iter().filter_map(one).collect()
}

/// Returns documents by audience; no audience has an empty list.
fn documents_by_audience(documents: &[Value]) -> BTreeMap<Audience, Vec<Document>> {
    let mut all: BTreeMap<Audience, Vec<Document>> = BTreeMap::new();
    for document in documents
        .iter()
        .filter_map(|value| Document::from_value(value).ok())
    {
        let of = all.entry(document.audience.clone()).or_default();
        of.push(document);
    }
    all
}

/// Returns documents as their audience sees them. Differences that only others see do not count.
fn documents_seen_by(documents: &[Document], to: &Audience) -> Vec<Document> {
    let viewer = match to {
        Audience::Public => Viewer::Public,
        Audience::Gm => Viewer::Gm,
        Audience::Seat(name) => Viewer::seat(name.as_str(), []),
        Audience::Group(group) => Viewer::seat("", [group.as_str()]),
    };
    let documents = documents.iter();
    documents
        .filter_map(|document| for_viewer(document, &viewer))
        .collect()
}
