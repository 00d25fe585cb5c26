//! Finds the operation that gave a cell its value, and the line of the rule that wrote it.

use std::collections::BTreeMap;

use crate::game::attempt::change_log::last_changing_operation;
use crate::game::command::lines_for_seats::giver_in_words;
use crate::game::past::replay::{NotReplayable, ReplayResult, replay_traced};
use crate::game::report::why::cause_tree::{named_cause_text, place_text};
use crate::game::report::why::deciding_condition::{named_cause_at_line, rule_at_line};
use crate::game::report::why::operation::named_cause_suffix;
use crate::game::ruling::caller::Caller;
use crate::game::timeline::Timeline;
use crate::game::timeline::fiat::Fiat;
use crate::script::Step;
use crate::store::{Change, Operation};
use crate::value::{Name, Value};

/// Maximum number of operations that one answer runs again; the recorded causes of the others are shown without lines.
const RUNS: usize = 8;

/// Operations that were run again for one answer.
pub(in crate::game) struct Runs<'a> {
    /// The calls above the calling code.
    caller: &'a Caller<'a>,
    found: BTreeMap<u64, Result<ReplayResult, NotReplayable>>,
}

impl<'a> Runs<'a> {
    /// Returns an empty collection of runs.
    pub(super) fn of(caller: &'a Caller<'a>) -> Runs<'a> {
        Runs {
            caller,
            found: BTreeMap::new(),
        }
    }
}

/// Origin of the value of a cell.
pub(in crate::game) struct Origin {
    /// The operation.
    pub(super) operation: Operation,
    /// The rule.
    pub(super) rule: String,
    /// The rule's name for this part of its run, with file and line or the reason why they are not known.
    pub(super) place: String,
}

impl Origin {
    /// Returns the origin in words.
    pub(super) fn in_words(&self) -> String {
        let Operation { seq, command, .. } = &self.operation;
        let by = giver_in_words(&self.operation);
        let Origin { rule, place, .. } = self;
        let fiat = Fiat::of(&self.operation).map_or_else(String::new, |fiat| fiat.as_clause());
        format!("log line {seq} `{command}` by {by}, {rule}{place}{fiat}")
    }
}

/// Returns the origin of the value of a cell; nothing if the cell always had it.
pub(super) fn origin_of_cell(
    timeline: &Timeline,
    runs: &mut Runs<'_>,
    row: Name,
    field: Name,
) -> Option<Origin> {
    let is_it = |change: &Change| change.row == row && change.field == field;
    let operation = last_changing_operation(timeline, is_it)?.clone();
    let is_known = runs.found.contains_key(&operation.seq);
    if !is_known && runs.found.len() < RUNS {
        let again = replay_traced(timeline, runs.caller, &operation);
        runs.found.insert(operation.seq, again);
    }
    let names = timeline.state.names();
    let again = runs.found.get(&operation.seq).map(Result::as_ref);
    let place_unknown = match again {
        Some(Err(NotReplayable::RulesGone)) => " (under rules that are no longer stored)",
        Some(Err(NotReplayable::NoRule) | Ok(_)) | None => "",
    };
    let wrote = again.and_then(Result::ok).and_then(|again| {
        let at = again.lines.iter().rposition(|line| match &line.step {
            Step::Wrote {
                row: a, field: b, ..
            } => (*a, *b) == (row, field),
            Step::Made { row: a, .. } => *a == row,
            _ => false,
        })?;
        let rule = rule_at_line(&again.lines, Some(at))?;
        let place = place_text(&again.lines[at].at);
        let at_place = if place.is_empty() {
            place
        } else {
            format!(" at {place}")
        };
        let within = named_cause_suffix(named_cause_at_line(&again.lines, Some(at)));
        Some((rule, within + &at_place))
    });
    let (rule, place) = wrote.unwrap_or_else(|| {
        let (row, field) = (names.text(row), names.text(field));
        let (rule, work) = rule_that_wrote_cell(&operation.causes, &row, &field);
        (rule, named_cause_suffix(work) + place_unknown)
    });
    Some(Origin {
        operation,
        rule,
        place,
    })
}

/// Returns the rule that wrote a cell, as the operation recorded it, and the rule's name for this part of its run. If a
/// cause has no rule, such as a queue, the nearest cause above it with a rule counts.
fn rule_that_wrote_cell(causes: &[Value], row: &str, field: &str) -> (String, Option<String>) {
    let cell = format!("{row}.{field}");
    let wrote = causes.iter().find(|cause| {
        let cells = cause.get("cells").items();
        let mut cells = cells.iter().filter_map(|one| one.as_str());
        cells.any(|one| *one == *cell || *one == *row)
    });
    let above = |cause: &&Value| {
        let parent = cause.get("parent");
        let is_root = cause.get("n") == parent;
        let mut causes = causes.iter().filter(|_| !is_root);
        causes.find(|one| one.get("n") == parent)
    };
    // Hostile causes may be above each other in a circle.
    let way = || std::iter::successors(wrote.or(causes.first()), above).take(causes.len());
    let rule = way().find_map(|cause| cause.get("rule").as_str());
    let mut own = way().take_while(|cause| cause.get("rule").is_nil());
    let rule = rule.unwrap_or("the host").to_owned();
    (rule, own.find_map(named_cause_text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(n: i64, parent: i64, rule: Option<&str>, cell: Option<&str>) -> Value {
        Value::map([
            ("n", Value::from(n)),
            ("parent", parent.into()),
            ("rule", rule.map_or(Value::Nil, Value::from)),
            ("cells", Value::list(cell.map(Value::from))),
        ])
    }

    #[test]
    fn a_cause_without_a_rule_is_of_the_nearest_above_that_has_one() {
        let causes = [
            cause(0, 0, Some("commands/a"), None),
            cause(1, 0, Some("things/b"), Some("x.one")),
            cause(2, 1, None, None),
            cause(3, 2, None, Some("x.two")),
            cause(4, 5, None, Some("x.three")),
            cause(5, 4, None, None),
            cause(6, 9, None, Some("x.four")),
        ];
        let by = |field| rule_that_wrote_cell(&causes, "x", field).0;
        assert_eq!(by("one"), "things/b");
        assert_eq!(by("two"), "things/b");
        assert_eq!(by("three"), "the host", "a circle");
        assert_eq!(by("four"), "the host", "nothing above it");
        assert_eq!(by("none"), "commands/a");
        assert_eq!(rule_that_wrote_cell(&[], "x", "one").0, "the host");
    }

    #[test]
    fn a_work_is_of_the_rule_that_began_it_and_of_none_inside() {
        let work = |n: i64, cell: &str| {
            Value::map([
                ("n", Value::from(n)),
                ("parent", 0.into()),
                ("work", "line 4".into()),
                ("row", "ann".into()),
                ("cells", Value::list([Value::from(cell)])),
            ])
        };
        let causes = [
            cause(0, 0, Some("commands/a"), None),
            work(1, "x.one"),
            cause(2, 1, None, Some("x.two")),
            cause(3, 1, Some("things/b"), Some("x.three")),
        ];
        let by = |field| rule_that_wrote_cell(&causes, "x", field);
        let line = Some("line 4 of ann".to_owned());
        assert_eq!(by("one"), ("commands/a".to_owned(), line.clone()));
        assert_eq!(by("two"), ("commands/a".to_owned(), line));
        assert_eq!(by("three"), ("things/b".to_owned(), None));
    }
}
