//! Ends by counts, events and tests, and several ends of one record.

use super::Do::{Attach, Pass, Phase, Remove, Rounds, Set, Tell, Turn, Use};
use super::{Line, asked, event, one, turn};
use crate::store::end_conditions::tests::{end, list};
use crate::value::Value;

pub(super) fn counts() -> Vec<Line> {
    vec![
        ("an hour", one("time", 3600), vec![Attach, Pass(3599)], None),
        (
            "an hour to the second",
            one("time", 3600),
            vec![Attach, Pass(3600)],
            Some("time ran out at 1h"),
        ),
        (
            "an hour in two parts",
            one("time", 3600),
            vec![Pass(60), Attach, Pass(1800), Pass(1800)],
            Some("time ran out at 1h 1m"),
        ),
        (
            "first use",
            one("uses", 1),
            vec![Attach, Use],
            Some("1 use spent"),
        ),
        (
            "second use: one is not enough",
            one("uses", 2),
            vec![Attach, Use],
            None,
        ),
        (
            "second use",
            one("uses", 2),
            vec![Attach, Use, Use],
            Some("2 uses spent"),
        ),
        (
            "with a row",
            one("with", "bo"),
            vec![Attach, Remove("bo")],
            Some("ended with bo"),
        ),
        (
            "with a row that stays",
            one("with", "bo"),
            vec![Attach, Remove("cy")],
            None,
        ),
        (
            "with its owner",
            one("with", "bo"),
            vec![Attach, Remove("ann")],
            Some("ended with ann"),
        ),
        (
            "an event",
            one("event", "bell"),
            vec![Attach, Tell("bell", "cy")],
            Some("event bell"),
        ),
        (
            "another event",
            one("event", "bell"),
            vec![Attach, Tell("horn", "cy")],
            None,
        ),
        (
            "an event that matches",
            event("bell", "cy"),
            vec![Attach, Tell("bell", "cy")],
            Some("event bell"),
        ),
        (
            "an event that does not match",
            event("bell", "cy"),
            vec![Attach, Tell("bell", "bo")],
            None,
        ),
        (
            "an event about the record itself",
            event("bell", "@self"),
            vec![Attach, Tell("bell", "mark#1")],
            Some("event bell"),
        ),
        (
            "an event about the bearer",
            event("bell", "@bearer"),
            vec![Attach, Tell("bell", "ann")],
            Some("event bell"),
        ),
        (
            "an expression that turns true",
            one("when", "tired"),
            vec![Attach, Set("tired")],
            Some("\"tired\" turned true"),
        ),
        (
            "an expression that stays false",
            one("when", "tired"),
            vec![Attach, Set("awake")],
            None,
        ),
        (
            "an expression that is true at once",
            one("when", "true"),
            vec![Attach, Set("awake")],
            Some("\"true\" turned true"),
        ),
        (
            "nothing",
            list([]),
            vec![Attach, Phase, Phase, Pass(1_000_000), Rounds, Turn],
            None,
        ),
    ]
}

/// Ends that read several fields of an event, and ends with a question.
pub(super) fn asking() -> Vec<Line> {
    let who = |wanted: Value| end([("who", wanted)]);
    let one_of = || end([("one_of", list(["bo".into(), "cy".into()]))]);
    let other_than = || end([("other_than", "bo".into())]);
    let bell = |who| vec![Attach, Tell("bell", who)];
    let told = Some("event bell");
    vec![
        (
            "one of several",
            asked(who(one_of()), "", None),
            bell("cy"),
            told,
        ),
        (
            "none of several",
            asked(who(one_of()), "", None),
            bell("ann"),
            None,
        ),
        (
            "any other",
            asked(who(other_than()), "", None),
            bell("cy"),
            told,
        ),
        (
            "that one",
            asked(who(other_than()), "", None),
            bell("bo"),
            None,
        ),
        (
            "a place in a list",
            asked(end([("both.2", "@bearer".into())]), "", None),
            bell("ann"),
            told,
        ),
        (
            "another place in a list",
            asked(end([("both.1", "@bearer".into())]), "", None),
            bell("ann"),
            None,
        ),
        (
            "a place that no list has",
            asked(end([("both.3", "@bearer".into())]), "", None),
            bell("ann"),
            None,
        ),
        (
            "a test that holds",
            asked(Value::Nil, "tired", None),
            vec![Attach, Set("tired"), Tell("bell", "bo")],
            told,
        ),
        (
            "a test that does not hold",
            asked(Value::Nil, "tired", None),
            bell("bo"),
            None,
        ),
        (
            "a test of another event",
            asked(who("cy".into()), "true", None),
            bell("bo"),
            None,
        ),
        (
            "a test of the ruleset that holds",
            asked(who("bo".into()), "spent", true),
            bell("bo"),
            told,
        ),
        (
            "a test of the ruleset that does not hold",
            asked(who("bo".into()), "true", false),
            bell("bo"),
            None,
        ),
        (
            "data without a test",
            asked(who("bo".into()), "", false),
            bell("bo"),
            told,
        ),
        (
            "a text of the ruleset that turns true",
            end([("when", "spent".into()), ("bound", true.into())]),
            vec![Attach, Set("awake")],
            Some("\"spent\" turned true"),
        ),
        (
            "a text of the ruleset that stays false",
            end([("when", "true".into()), ("bound", false.into())]),
            vec![Attach, Set("awake")],
            None,
        ),
        (
            "a test that fails, and an end without one",
            list([
                asked(Value::Nil, "tired", None),
                asked(who("bo".into()), "", None),
            ]),
            bell("bo"),
            told,
        ),
        (
            "a test that holds before its event is told",
            list([asked(Value::Nil, "spent", true), one("when", "tired")]),
            vec![Attach, Set("awake")],
            None,
        ),
        (
            "the second of two tests",
            list([
                asked(Value::Nil, "tired", None),
                asked(Value::Nil, "spent", true),
            ]),
            bell("bo"),
            told,
        ),
    ]
}

pub(super) fn combined() -> Vec<Line> {
    let uses_or_night = || list([one("phase", "this"), one("uses", 1)]);
    vec![
        (
            "of two ends the use comes first",
            uses_or_night(),
            vec![Attach, Use],
            Some("1 use spent"),
        ),
        (
            "of two ends the phase comes first",
            uses_or_night(),
            vec![Attach, Phase],
            Some("end of night 1"),
        ),
        (
            "of two ends in one moment the first is named",
            list([one("phase", "next"), one("phase", "day")]),
            vec![Attach, Phase, Phase],
            Some("end of day 1"),
        ),
        (
            "time or a row",
            list([one("time", 60), one("with", "bo")]),
            vec![Attach, Remove("bo")],
            Some("ended with bo"),
        ),
        (
            "a row or time",
            list([one("time", 60), one("with", "bo")]),
            vec![Attach, Pass(61)],
            Some("time ran out at 1m"),
        ),
        (
            "two rows",
            list([one("with", "bo"), one("with", "cy")]),
            vec![Attach, Remove("cy")],
            Some("ended with cy"),
        ),
        (
            "the lower count of uses",
            list([one("uses", 3), one("uses", 2)]),
            vec![Attach, Use, Use],
            Some("2 uses spent"),
        ),
        (
            "an event or an expression",
            list([one("event", "bell"), one("when", "tired")]),
            vec![Attach, Set("tired")],
            Some("\"tired\" turned true"),
        ),
        (
            "a round or the very turn",
            list([one("rounds", 1), turn("end", "ann", Some(0))]),
            vec![Rounds, Turn, Attach, Turn],
            Some("end of the turn of ann"),
        ),
        (
            "the end of a turn comes before the end of its round",
            list([one("rounds", 1), turn("end", "cy", None)]),
            vec![Attach, Rounds, Turn, Turn, Turn, Turn],
            Some("end of the turn of cy"),
        ),
    ]
}
