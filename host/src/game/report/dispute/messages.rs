//! Messages about disputes. The game master reads the disputed operation. The person who raised the dispute reads the
//! line of their own log. Others read only that there is a dispute.

use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::report::dispute::judges_of_disputes;
use crate::game::report::dispute::log_lines::log_lines_of_viewer;
use crate::game::report::dispute::stored_disputes::StoredDispute;
use crate::game::timeline::Timeline;
use crate::script::GM;

/// Texts about a dispute: for the game master, for the person who raised it, for others.
pub(super) struct DisputeTexts {
    pub(super) gm: String,
    pub(super) own: String,
    pub(super) others: String,
}

/// Returns the texts for a settled dispute.
pub(super) fn settlement_text(
    timeline: &Timeline,
    one: &StoredDispute,
    by: &str,
    text: &str,
) -> DisputeTexts {
    let StoredDispute { of, why, .. } = one;
    let raiser = &one.by;
    let lines = log_lines_of_viewer(timeline, &viewer_of_seat(timeline, raiser));
    let line = lines.line_of_operation(*of);
    let line = line.map_or_else(String::new, |line| {
        format!(" about line {line} of your log")
    });
    if by == raiser && by != GM {
        return DisputeTexts {
            gm: format!("{by} takes back the dispute about log line {of}: {text}"),
            own: format!("you take back your dispute{line}: {text}"),
            others: format!("{by} takes back a dispute ({why}): {text}"),
        };
    }
    DisputeTexts {
        gm: format!("{by} settles the dispute of {raiser} about log line {of}: {text}"),
        own: format!("{by} settles your dispute{line}: {text}"),
        others: format!("{by} settles a dispute of {raiser} ({why}): {text}"),
    }
}

/// Returns the messages about a dispute for the readers who may know of it.
pub(super) fn dispute_documents(
    timeline: &Timeline,
    one: &StoredDispute,
    told: DisputeTexts,
) -> Vec<Document> {
    let own = (one.by != GM).then(|| (Audience::Seat(one.by.clone()), told.own));
    let others = match one.is_public {
        true => Some(Audience::Public),
        false => judges_of_disputes(timeline).filter(|judges| *judges != Audience::Gm),
    };
    let others = others.map(|others| (others, told.others));
    let all = [Some((Audience::Gm, told.gm)), own, others];
    let all = all.into_iter().flatten();
    all.map(|(audience, text)| Document::new([paragraph(text)]).limit_to_audience(audience))
        .collect()
}
