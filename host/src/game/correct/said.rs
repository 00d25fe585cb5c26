//! This module is what a correction lets rulings say again: only to those who were told something else before.

use std::collections::BTreeMap;

use super::rerun::{Effect, Ran};
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::value::Value;

/// Returns what rulings say now to those to whom they said something else before, or nothing.
pub(super) fn said_again(ran: &[Ran], now: &BTreeMap<u64, Effect>, own: u64) -> Vec<Document> {
    let is_settled =
        |one: &&Ran| one.seq != own && !one.effect.waits && one.effect.refusal.is_none();
    let said = ran.iter().filter(is_settled).flat_map(|one| {
        let known = now.get(&one.seq);
        let known = known.map_or_else(BTreeMap::new, |effect| by_audience(&effect.documents));
        let said = by_audience(&one.effect.documents).into_iter();
        said.filter(move |(audience, said)| known.get(audience) != Some(said))
    });
    let told = said.flat_map(|(_, mut said)| {
        said[0].blocks.insert(0, paragraph("Ruled again:"));
        said
    });
    told.collect()
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
