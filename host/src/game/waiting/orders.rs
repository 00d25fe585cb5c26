//! This module keeps standing orders: what a seat answers to a question whenever it is asked.

use crate::game::session::ruling::host_ruling;
use crate::game::waiting::answer::seat_of;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::reply::Reply;
use crate::game::ruling::given::Ruling;
use crate::game::ruling::seed::encoded;
use crate::game::timeline::Timeline;
use crate::store::{State, StoreError, Write};
use crate::value::Value;

/// Gives a standing order of a seat, or with `off` takes it back.
pub fn order(timeline: &mut Timeline, ruling: &Ruling<'_>, key: &str, answer: &str) -> Reply {
    let by = ruling.by();
    let seat = seat_of(timeline, by);
    let known = orders(&timeline.state).contains_key(&(seat.clone(), key.to_owned()));
    let (is_off, text) = match answer {
        "" => {
            let finding = Diagnostic::error("answer/no-order", "the order says no answer");
            return Reply::refused(finding.hint("write order KEY TEXT, or order KEY off"));
        }
        "off" if !known => {
            let message = format!("{by} has no standing order for {key}");
            let own = orders(&timeline.state).into_keys();
            let own: Vec<String> = own
                .filter(|(of, _)| *of == seat)
                .map(|(_, key)| key)
                .collect();
            let near = near_hint(key, own.iter().map(String::as_str));
            return Reply::refused(Diagnostic::error("answer/no-order", message).hint(near));
        }
        "off" => (true, format!("no standing order any more: {key}")),
        answer => (false, format!("standing order: {key} {answer}")),
    };
    let audience = Audience::parse(by).unwrap_or(Audience::Gm);
    host_ruling(timeline, ruling, |state| {
        give(state, (&seat, key), (!is_off).then_some(answer))
            .map_err(|error| error.to_diagnostic())?;
        Ok(vec![Document::new([paragraph(text)]).to(audience)])
    })
}

/// The row of the host that holds them, and its kind.
pub(in crate::game) const ROW: &str = "@orders";

/// Returns the standing orders: texts by seat and key.
pub fn orders(state: &State) -> BTreeMap<(String, String), String> {
    let Some(row) = state.names().find(ROW) else {
        return BTreeMap::new();
    };
    let fields = state.fields(row).into_iter();
    let orders = fields.filter_map(|field| {
        let order = state.get(row, field);
        let text = |key: &str| order.get(key).as_str().map(str::to_owned);
        Some(((text("seat")?, text("key")?), text("answer")?))
    });
    orders.collect()
}

/// Gives a standing order, or takes it back where there is no text. Errors: those of the store.
pub(in crate::game) fn give(
    state: &mut State,
    (seat, key): (&str, &str),
    answer: Option<&str>,
) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let row = names.intern(ROW);
    if !state.exists(row) {
        let (kind, fields) = (row, Vec::new());
        state.apply(Write::Put {
            row,
            kind,
            owner: None,
            fields,
        })?;
    }
    let value = answer.map_or(Value::Nil, |answer| {
        Value::map(
            [("seat", seat), ("key", key), ("answer", answer)]
                .map(|(key, text)| (key, Value::from(text))),
        )
    });
    let field = names.intern(&format!("{}/{}", encoded(seat), encoded(key)));
    state.apply(Write::Set { row, field, value })
}
