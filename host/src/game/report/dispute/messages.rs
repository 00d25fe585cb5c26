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
use crate::words::Hole;

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
    let raiser = &one.by;
    let lines = log_lines_of_viewer(timeline, &viewer_of_seat(timeline, raiser));
    let own_line = lines.line_of_operation(one.of);
    let words = timeline.words();
    let say = |key: &str, line: u64| {
        let holes: [Hole<'_>; 5] = [
            ("name", raiser),
            ("judge", &by),
            ("line", &line),
            ("why", &one.why),
            ("text", &text),
        ];
        words.fill(key, &holes)
    };
    let (gm, own, own_with_line, others) = match by == raiser && by != GM {
        true => (
            "dispute.withdrawn_gm",
            "dispute.withdrawn_own",
            "dispute.withdrawn_own_line",
            "dispute.withdrawn_others",
        ),
        false => (
            "dispute.settled_gm",
            "dispute.settled_own",
            "dispute.settled_own_line",
            "dispute.settled_others",
        ),
    };
    DisputeTexts {
        gm: say(gm, one.of),
        own: own_line.map_or_else(|| say(own, 0), |line| say(own_with_line, line)),
        others: say(others, one.of),
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
