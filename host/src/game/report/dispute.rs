//! Disputes: a user doubts a line of their log, and the judge rules on it.
//!
//! Raising and settling are operations like others. A dispute changes nothing but itself: errors are fixed with the
//! usual commands. A dispute is named by its disputed line, or by its own line. The raiser and the game master know
//! both lines. Others know only the dispute's own line.

mod log_lines;
mod messages;
pub(crate) mod refusals;
mod stored_disputes;
mod table;

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::doc::{Audience, Document, Viewer, may_see};
use crate::game::attempt::ruling_run::make_host_ruling;
use crate::game::question::open_questions::viewer_of_seat;
use crate::game::report::dispute::log_lines::{
    log_lines_of_viewer, standing_operations_by_ruling_number,
};
use crate::game::report::dispute::messages::{DisputeTexts, dispute_documents, settlement_text};
use crate::game::report::dispute::refusals::{
    check_dispute_text, name_by_line_refusal, no_open_dispute_refusal, not_judge_refusal,
    not_posted_refusal,
};
use crate::game::report::dispute::stored_disputes::{
    StoredDispute, StoredRuling, all_stored_disputes, store_dispute, store_dispute_ruling,
};
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::{log_entries, no_line_refusal, own_line_of_posted_number};
use crate::game::timeline::reply::Reply;
use crate::script::{Checks, GM};
use crate::words::Hole;

pub use table::dispute_marks;
pub use table::disputes_table;

pub(in crate::game) use stored_disputes::is_dispute_row_id;

/// Maximum number of open disputes of one seat.
pub(crate) const MOST: usize = 20;

/// A dispute, as far as a reader may know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// Line of the dispute in the log of the reader.
    pub line: Option<u64>,
    /// The disputed line; nothing for readers who know only that the dispute exists.
    pub about: Option<u64>,
    /// The seat or game master who raised it.
    pub by: String,
    /// The reason.
    pub why: String,
    /// The ruling on it; nothing while it is open.
    pub ruling: Option<DisputeRuling>,
}

impl Dispute {
    /// Returns whether the person who raised the dispute took it back; the game master rules on their own disputes.
    pub fn is_taken_back(&self) -> bool {
        let ruling = self.ruling.as_ref();
        self.by != GM && ruling.is_some_and(|ruling| ruling.by == self.by)
    }
}

/// The ruling on a dispute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeRuling {
    /// The line of this ruling, in the log of the reader.
    pub line: Option<u64>,
    /// The seat or game master who ruled.
    pub by: String,
    /// The text of the ruling.
    pub text: String,
}

/// Returns the disputes that a viewer may know of, in the order in which they were raised.
pub fn disputes_for_viewer(timeline: &Timeline, viewer: &Viewer) -> Vec<Dispute> {
    let all = disputes_known_to_viewer(timeline, viewer);
    if all.is_empty() {
        return Vec::new();
    }
    let lines = log_lines_of_viewer(timeline, viewer);
    let told = all.into_iter().map(|one| Dispute {
        line: lines.line_of_ruling_number(one.ruling_number),
        about: lines
            .line_of_operation(one.of)
            .filter(|_| one.may_see_subject(viewer)),
        ruling: one.ruling.map(|ruled| DisputeRuling {
            line: lines.line_of_ruling_number(ruled.ruling_number),
            by: ruled.by,
            text: ruled.text,
        }),
        by: one.by,
        why: one.why,
    });
    told.collect()
}

/// Returns the operations that raised disputes.
pub(in crate::game) fn operations_raising_disputes(timeline: &Timeline) -> BTreeSet<u64> {
    let by_ruling_number = standing_operations_by_ruling_number(timeline);
    let all = all_stored_disputes(&timeline.state).into_iter();
    all.filter_map(|one| by_ruling_number.get(&one.ruling_number).copied())
        .collect()
}

/// Raises a dispute about a line of the caller's log.
///
/// Errors: there is no such line; it is disputed already, or it is a dispute itself; too many disputes are open.
pub fn dispute_log_line(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    number: u64,
    why: &str,
) -> Reply {
    raise_dispute(timeline, ruling, (number, None), why)
}

/// Raises a dispute about the line that posts of the game master name by a number.
///
/// Errors: the caller's log has no such line, and the errors of [`dispute_log_line`].
pub fn dispute_posted_line(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    of: u64,
    why: &str,
) -> Reply {
    match own_line_of_posted_number(timeline, &viewer_of_seat(timeline, ruling.by()), of) {
        Some(number) => raise_dispute(timeline, ruling, (number, Some(of)), why),
        None => Reply::refused(not_posted_refusal(of)),
    }
}

/// Raises a dispute about the line in which a ruling holds, by its ruling number. Posts of earlier versions named
/// rulings so: this is for recorded lines that are run again. A line that is given now does not use ruling numbers.
pub fn dispute_by_ruling_number(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    of: u64,
    why: &str,
) -> Reply {
    let lines = log_lines_of_viewer(timeline, &viewer_of_seat(timeline, ruling.by()));
    match (ruling.checks, lines.line_of_ruling_number(of)) {
        (Checks::Now, _) => Reply::refused(name_by_line_refusal(ruling.by())),
        (Checks::Then, Some(number)) => raise_dispute(timeline, ruling, (number, Some(of)), why),
        (Checks::Then, None) => Reply::refused(not_posted_refusal(of)),
    }
}

fn raise_dispute(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    (number, in_words): (u64, Option<u64>),
    why: &str,
) -> Reply {
    let by = ruling.by();
    let viewer = viewer_of_seat(timeline, by);
    let raised = check_dispute_text(why, "reason")
        .and_then(|why| new_dispute(timeline, &viewer, by, number, why));
    let (kept, command, is_own) = match raised {
        Ok(raised) => raised,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let (words, shared) = (timeline.words(), in_words.unwrap_or_default());
    let say = |key: &str, line: u64| {
        let holes: [Hole<'_>; 5] = [
            ("name", &by),
            ("line", &line),
            ("number", &shared),
            ("command", &command),
            ("why", &kept.why),
        ];
        words.fill(key, &holes)
    };
    let told = DisputeTexts {
        gm: say("dispute.raised_gm", kept.of),
        own: match is_own {
            true => say("dispute.raised_own_command", number),
            false => say("dispute.raised_own", number),
        },
        // The number of a ruling was in a post, so others know it too.
        others: match in_words {
            Some(_) => say("dispute.raised_number", number),
            None => say("dispute.raised", number),
        },
    };
    let documents = dispute_documents(timeline, &kept, told);
    make_host_ruling(timeline, ruling, |state| {
        store_dispute(state, &kept).map_err(|error| error.to_diagnostic())?;
        Ok(documents)
    })
}

/// Rules on the open disputes that a number names; the person who raised a dispute takes it back.
///
/// Errors: the number names no open dispute; another user rules on it.
pub fn settle_dispute(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    number: u64,
    text: &str,
) -> Reply {
    let by = ruling.by();
    let viewer = viewer_of_seat(timeline, by);
    let found = check_dispute_text(text, "ruling").and_then(|text| {
        let found = open_disputes_named(timeline, &viewer, by, number)?;
        Ok((found, text))
    });
    let (found, text) = match found {
        Ok(found) => found,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let told = found.iter().flat_map(|one| {
        dispute_documents(timeline, one, settlement_text(timeline, one, by, &text))
    });
    let documents: Vec<Document> = told.collect();
    let ruled = StoredRuling {
        ruling_number: timeline.history.next_ruling_number(),
        by: by.to_owned(),
        text,
    };
    make_host_ruling(timeline, ruling, |state| {
        for one in &found {
            store_dispute_ruling(state, one.ruling_number, &ruled)
                .map_err(|error| error.to_diagnostic())?;
        }
        Ok(documents)
    })
}

/// Returns the new dispute of a user, the disputed command, and whether the user may know that command.
fn new_dispute(
    timeline: &Timeline,
    viewer: &Viewer,
    by: &str,
    number: u64,
    why: String,
) -> Result<(StoredDispute, String, bool), Box<Diagnostic>> {
    let entries = log_entries(timeline, viewer);
    let entry = entries.iter().find(|entry| entry.number == number);
    let entry =
        entry.ok_or_else(|| no_line_refusal("dispute/no-line", timeline, viewer, number))?;
    let of = entry.operation.seq;
    if operations_raising_disputes(timeline).contains(&of) {
        let message = format!("line {number} is itself a dispute");
        let finding = Diagnostic::error("dispute/of-dispute", message);
        return Err(Box::new(finding.hint(format!(
            "`settle {number} TEXT` decides it or takes it back"
        ))));
    }
    let mut open = all_stored_disputes(&timeline.state);
    open.retain(|one| one.by == by && one.ruling.is_none());
    if open.iter().any(|one| one.of == of) {
        let message = format!("{by} already disputes line {number}");
        let hint = format!("`settle {number} TEXT` takes that dispute back");
        return Err(Box::new(
            Diagnostic::error("dispute/twice", message).hint(hint),
        ));
    }
    if open.len() >= MOST {
        let message = format!("{MOST} disputes of {by} are open, which is the maximum");
        let hint = "`settle N TEXT` takes one back";
        return Err(Box::new(
            Diagnostic::error("limit/size", message).hint(hint),
        ));
    }
    let kept = StoredDispute {
        ruling_number: timeline.history.next_ruling_number(),
        of,
        by: by.to_owned(),
        why,
        is_public: timeline
            .rules()
            .ruleset
            .get("disputes")
            .get("visible_to")
            .as_str()
            == Some("public"),
        ruling: None,
    };
    Ok((kept, entry.operation.command.to_string(), entry.is_own))
}

/// Returns the open disputes that a number names and that a user may settle.
fn open_disputes_named(
    timeline: &Timeline,
    viewer: &Viewer,
    by: &str,
    number: u64,
) -> Result<Vec<StoredDispute>, Box<Diagnostic>> {
    let lines = log_lines_of_viewer(timeline, viewer);
    let known = disputes_known_to_viewer(timeline, viewer);
    let is_meant = |one: &&StoredDispute| {
        let about = lines
            .line_of_operation(one.of)
            .filter(|_| one.may_see_subject(viewer));
        [lines.line_of_ruling_number(one.ruling_number), about].contains(&Some(number))
    };
    let (open, settled): (Vec<&StoredDispute>, Vec<&StoredDispute>) = known
        .iter()
        .filter(is_meant)
        .partition(|one| one.ruling.is_none());
    let judges = judges_of_disputes(timeline);
    let is_judge = by == GM || judges.as_ref().is_some_and(|one| may_see(viewer, one));
    let mine = open.iter().filter(|one| is_judge || one.by == by);
    let mine: Vec<StoredDispute> = mine.map(|one| (*one).clone()).collect();
    if !mine.is_empty() {
        return Ok(mine);
    }
    Err(Box::new(match (open.is_empty(), settled.is_empty()) {
        (false, _) => not_judge_refusal(judges.as_ref()),
        (true, false) => {
            let message = format!("dispute {number} is already settled");
            let hint = "`dispute N WHY` raises it again; `log disputes` lists the decisions";
            Diagnostic::error("dispute/settled", message).hint(hint)
        }
        (true, true) => {
            let open = known.iter().filter(|one| one.ruling.is_none());
            let open = open.filter_map(|one| lines.line_of_ruling_number(one.ruling_number));
            no_open_dispute_refusal(
                number,
                &open.map(|line| line.to_string()).collect::<Vec<_>>(),
            )
        }
    }))
}

fn disputes_known_to_viewer(timeline: &Timeline, viewer: &Viewer) -> Vec<StoredDispute> {
    let judges = judges_of_disputes(timeline);
    let mut all = all_stored_disputes(&timeline.state);
    all.retain(|one| one.is_visible_to(viewer, judges.as_ref()));
    all
}

/// Returns the audience that rules on disputes besides the game master, if the ruleset names one.
fn judges_of_disputes(timeline: &Timeline) -> Option<Audience> {
    let rules = timeline.rules();
    let judges = rules.ruleset.get("disputes").get("judges");
    judges.as_str().and_then(|text| Audience::parse(text).ok())
}
