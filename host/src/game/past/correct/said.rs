//! This module is what a correction lets rulings say again: only to those who were told something else before.

use std::collections::{BTreeMap, BTreeSet};

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document, Viewer, for_viewer};
use crate::game::past::correct::effect::Effect;
use crate::game::past::correct::ran::Ran;
use crate::store::Operation;
use crate::value::Value;

/// What a ruling says to somebody now.
#[derive(Debug)]
pub(super) struct SaidAgain {
    seq: u64,
    to: Audience,
    documents: Vec<Document>,
    /// Whether that is of the ruling itself, and of no answer that it had.
    is_ruled: bool,
}

/// Returns what rulings say now to those to whom they said something else before, or nothing.
pub(super) fn said_again(ran: &[Ran], now: &BTreeMap<u64, Effect>, own: u64) -> Vec<SaidAgain> {
    let is_settled =
        |one: &&Ran| one.seq != own && !one.effect.waits && one.effect.refusal.is_none();
    let all = ran.iter().filter(is_settled).flat_map(|one| {
        let known = now.get(&one.seq);
        let known = known.map_or_else(BTreeMap::new, |effect| by_audience(&effect.documents));
        let mut said = by_audience(&one.effect.documents);
        let all: BTreeSet<Audience> = known.keys().chain(said.keys()).cloned().collect();
        let seq = one.seq;
        let other = all.into_iter().filter_map(move |to| {
            let documents = said.remove(&to).unwrap_or_default();
            let before = known.get(&to).map_or(&[][..], Vec::as_slice);
            let is_same = seen(before, &to) == seen(&documents, &to);
            let is_ruled = true;
            (!is_same).then_some(SaidAgain {
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

impl SaidAgain {
    /// Returns what somebody is told of an answer that falls away.
    pub(super) fn fallen(seq: u64, to: Audience, document: Document) -> SaidAgain {
        SaidAgain {
            seq,
            to,
            documents: vec![document],
            is_ruled: false,
        }
    }

    /// Returns it as it is told.
    pub(super) fn told(&self) -> Vec<Document> {
        let mut said = self.documents.clone();
        match said.first_mut() {
            Some(_) if !self.is_ruled => {}
            Some(first) => first.blocks.insert(0, paragraph("Ruled again:")),
            None => {
                let nothing = paragraph("Ruled again: what it said does not hold any more.");
                said.push(Document::new([nothing]).to(self.to.clone()));
            }
        }
        said
    }

    /// Returns which ruling it is of and who is told, as it is kept.
    pub(super) fn to_value(&self) -> Value {
        Value::map([
            (
                "op",
                Value::from(i64::try_from(self.seq).unwrap_or(i64::MAX)),
            ),
            ("to", Value::from(self.to.to_string().as_str())),
        ])
    }
}

/// Returns the rulings that a correction let say something else, each with whom it was told.
pub(in crate::game) fn told_again(correction: &Operation) -> Vec<(u64, Audience)> {
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

/// Returns documents by whom they are for, none of them empty.
fn by_audience(documents: &[Value]) -> BTreeMap<Audience, Vec<Document>> {
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

/// Returns documents as those see them whom they are for: what differs only for others is no difference.
fn seen(documents: &[Document], to: &Audience) -> Vec<Document> {
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
