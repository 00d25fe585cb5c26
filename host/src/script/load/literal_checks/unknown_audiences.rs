//! Finds audiences that a script writes as literals and that most likely have no members.
//!
//! The seats are known in play alone, so any name may be a seat. But `publc` and `groups:elders` are typos. So is the
//! name of a group that is nearly like one of the groups that the ruleset lists.

use std::sync::Arc;

use crate::diag::{Diagnostic, Source, Span, near_hint};
use crate::doc::Audience;
use crate::script::inquiry::audiences::is_slip_of_public;
use crate::script::rules::Rules;

/// The forms of audiences other than seats.
const FORMS: [&str; 4] = ["public", "gm", "group:", "seat:"];

/// Returns a warning for an audience without members.
pub(super) fn no_audience_finding(
    rules: &Rules,
    (text, source, span): &(String, Arc<Source>, Span),
) -> Option<Diagnostic> {
    let warn = |message: String| Diagnostic::warning("script/no-audience", message);
    let found = match Audience::parse(text) {
        Err(finding) => finding
            .hints
            .iter()
            .cloned()
            .fold(warn(finding.message.clone()), Diagnostic::hint),
        Ok(Audience::Group(name)) => {
            let seats = rules.ruleset.get("seats");
            let listed = seats
                .get("groups")
                .items()
                .iter()
                .filter_map(|one| one.as_str());
            let listed: Vec<&str> = listed.collect();
            let near = near_hint(&name, listed.iter().copied());
            if near.is_empty() || listed.contains(&&*name) {
                return None;
            }
            warn(format!("the ruleset has no group \"{name}\"")).hint(near)
        }
        Ok(Audience::Seat(name))
            if text == &name && (is_slip_of_public(&name) || name.contains(':')) =>
        {
            let word = name.split_inclusive(':').next().unwrap_or_default();
            warn(format!("\"{text}\" is not an audience"))
                .hint(near_hint(word, FORMS))
                .hint("write public, gm, the name of a player, or group:NAME")
        }
        Ok(Audience::Public | Audience::Gm | Audience::Seat(_)) => return None,
    };
    Some(found.at(source, *span))
}
