//! This module numbers the questions that wait for whoever may answer them, and tells people of them.
//!
//! The game master's numbers are those of rulings and prompts: they lead to the log, and count what everybody did. A seat
//! has numbers of its own, given when it is asked and kept in the state, and is told nothing of what others are asked.

use std::collections::BTreeMap;

use super::answer::{OpenQuestion, Place, answers, number};
use super::oracle::{Open, SharedOracle};
use super::session::{Order, Session};
use super::waiting::{self, Waiting, in_slot};
use crate::diag::Diagnostic;
use crate::doc::build::{line, paragraph, text};
use crate::doc::{Audience, Document, Span};
use crate::script::{GM, GROUP, OwnNumbers, Question, Seats, give_numbers, renumber_prompt};
use crate::store::StoreError;
use crate::value::Value;

impl Session {
    /// Numbers the questions of a ruling that is about to wait; one that is open already keeps its numbers.
    ///
    /// Out: the ruling, and the places of those that are new.
    pub(super) fn numbered(
        &mut self,
        mut waiting: Waiting,
    ) -> Result<(Waiting, Vec<usize>), StoreError> {
        self.number_newcomers()?;
        let before = in_slot(&self.state, waiting.slot);
        let open = missing(&waiting);
        let seats = self.seats_of_groups(open.iter().map(|open| open.question.to.as_str()));
        let (mut numbers, mut new) = (BTreeMap::new(), Vec::new());
        for open in open {
            let own = match before.as_ref().and_then(|before| kept(before, open)) {
                Some(own) => own,
                None => {
                    new.push(open.ordinal);
                    give_numbers(&mut self.state, &seats.members(&open.question.to))?
                }
            };
            numbers.insert(open.ordinal, own);
        }
        waiting.numbers = numbers;
        Ok((waiting, new))
    }

    /// Numbers what a seat may answer although it was not asked when that was new: it came into a group since.
    fn number_newcomers(&mut self) -> Result<(), StoreError> {
        let open = self.open_questions();
        let seats = self.seats_of_groups(open.iter().map(|open| open.question.to.as_str()));
        for open in open {
            let mut members = seats.members(&open.question.to);
            members.retain(|seat| !open.numbers.contains_key(seat));
            let new = give_numbers(&mut self.state, &members)?;
            if !new.is_empty() {
                self.add_numbers(&open, new)?;
            }
        }
        Ok(())
    }

    /// Numbers newcomers behind a ruling that changed the game, as a part of it.
    pub(super) fn settle_numbers(
        &mut self,
        order: &Order<'_>,
        oracle: &SharedOracle,
    ) -> Result<(), Diagnostic> {
        if order.query || oracle.is_waiting() {
            return Ok(());
        }
        let numbered = self.number_newcomers();
        numbered.map_err(|error| error.to_diagnostic())
    }

    fn add_numbers(&mut self, open: &OpenQuestion, new: OwnNumbers) -> Result<(), StoreError> {
        match &open.place {
            Place::Prompt(row) => {
                let own = open.numbers.clone().into_iter().chain(new).collect();
                renumber_prompt(&mut self.state, *row, &own)
            }
            Place::Ruling { slot, address } => {
                let mut waiting = in_slot(&self.state, *slot)
                    .expect("invariant: an open question was found in a ruling that waits");
                let asked = waiting.open.iter().find(|one| one.address == *address);
                let ordinal = asked.map_or(0, |one| one.ordinal);
                waiting.numbers.entry(ordinal).or_default().extend(new);
                waiting::renumber(&mut self.state, &waiting)
            }
        }
    }

    /// Returns who plays, where that matters: a seat that is asked by its name is its only member.
    fn seats_of_groups<'a>(&self, mut to: impl Iterator<Item = &'a str>) -> Seats {
        match to.any(|to| to.starts_with(GROUP)) {
            true => self.seats(),
            false => Seats::default(),
        }
    }

    /// Says what a ruling waits for that was not said before.
    pub(super) fn told_of(&self, waiting: &Waiting, new: &[usize]) -> Vec<Document> {
        let asked = missing(waiting).into_iter();
        let asked = asked.filter(|open| new.contains(&open.ordinal));
        let mut documents: Vec<Document> = asked.map(|open| shown(waiting, open)).collect();
        if documents.is_empty() {
            documents.push(self.noted(waiting));
        } else {
            documents.extend(self.told_giver(waiting));
        }
        documents
    }

    /// Says that an answer was noted while others are missing: a seat is told how many of its own.
    fn noted(&self, waiting: &Waiting) -> Document {
        let by = self.resume.as_ref().map_or(GM, |resume| resume.by.as_str());
        let missing = match by {
            GM => missing(waiting).len(),
            seat => self.asked(waiting, seat),
        };
        let text = match missing {
            0 => "noted".to_owned(),
            1 => "noted; 1 answer is missing".to_owned(),
            many => format!("noted; {many} answers are missing"),
        };
        let audience = Audience::parse(by).unwrap_or(Audience::Gm);
        Document::new([paragraph(text)]).to(audience)
    }

    /// Tells a seat that its command waits, unless it is asked itself, or was told before: how often others are asked is
    /// theirs.
    fn told_giver(&self, waiting: &Waiting) -> Option<Document> {
        let before = self.resume.as_ref().map(|resume| &resume.waiting);
        let was_told = before.is_some_and(|before| self.asked(before, &waiting.by) == 0);
        let is_asked = self.asked(waiting, &waiting.by) > 0;
        let audience = Audience::parse(&waiting.by).ok()?;
        let text = "this waits for an answer of somebody else";
        (waiting.by != GM && !is_asked && !was_told)
            .then(|| Document::new([paragraph(text)]).to(audience))
    }

    /// Returns how many answers are missing that a seat may give.
    fn asked(&self, waiting: &Waiting, seat: &str) -> usize {
        let open = missing(waiting);
        let seats = self.seats_of_groups(open.iter().map(|open| open.question.to.as_str()));
        let members = open.iter().map(|open| seats.members(&open.question.to));
        members
            .filter(|members| members.iter().any(|one| one == seat))
            .count()
    }
}

/// Returns the questions of a ruling without an answer.
fn missing(waiting: &Waiting) -> Vec<&Open> {
    let open = waiting.open.iter();
    open.filter(|open| open.answer.is_none()).collect()
}

/// Returns the numbers of a question that waited before for the same answer of the same people.
fn kept(before: &Waiting, open: &Open) -> Option<OwnNumbers> {
    let is_same = |one: &&&Open| one.address == open.address && one.question.to == open.question.to;
    let missing = missing(before);
    let same = missing.iter().find(is_same)?;
    Some(before.numbers_of(same.ordinal))
}

/// Returns a question of a ruling as whoever is asked reads it: each with a number of their own.
fn shown(waiting: &Waiting, open: &Open) -> Document {
    let question = &open.question;
    let audience = Audience::parse(&question.to).unwrap_or(Audience::Gm);
    let number = number(waiting.slot, open.ordinal);
    let own = waiting.numbers_of(open.ordinal);
    let mut spans = vec![text("question ")];
    spans.extend(number_spans(&number, &own));
    spans.push(text(format!(": {} ({})", question.text, answers(question))));
    Document::new([paragraph(line(spans))])
        .to(audience)
        .data(data(question, &number, &own))
}

/// Writes the number for the game master with those of the seats behind it, and for each seat its own.
fn number_spans(number: &str, own: &OwnNumbers) -> Vec<Span> {
    let gm = |part: String| text(part).only(Audience::Gm);
    let mut spans = vec![gm(number.to_owned())];
    for (at, (seat, own)) in own.iter().enumerate() {
        spans.push(gm(if at == 0 { " (" } else { ", " }.to_owned()));
        spans.push(text(own.to_string()).only(Audience::Seat(seat.clone())));
        spans.push(gm(format!(" for {seat}")));
    }
    spans.extend((!own.is_empty()).then(|| gm(")".to_owned())));
    spans
}

/// Returns a question as data, with the number of whoever reads it behind their name.
fn data(question: &Question, number: &str, own: &OwnNumbers) -> Value {
    let mut data = question.to_value().as_map().cloned().unwrap_or_default();
    let entry = |audience: &Audience, number: &str| {
        let number = Value::map([("question", Value::from(number))]);
        (format!("@{audience}").as_str().into(), number)
    };
    data.extend([entry(&Audience::Gm, number)]);
    let own = own.iter();
    data.extend(own.map(|(seat, own)| entry(&Audience::Seat(seat.clone()), &own.to_string())));
    Value::map(data)
}
