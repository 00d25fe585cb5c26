//! This module is the table of ends: each kind, alone and combined, with what happens and how the record ends.

use super::{World, end, list};
use crate::value::Value;

/// What happens to the world.
enum Do {
    /// The next phase begins.
    Phase,
    /// A named phase begins.
    Jump(&'static str),
    /// Rounds begin with ann, bo and cy.
    Rounds,
    /// The next turn begins.
    Turn,
    /// Rounds end.
    Peace,
    /// Seconds pass.
    Pass(i64),
    /// An event with a field `who` is told.
    Tell(&'static str, &'static str),
    /// The record is used.
    Use,
    /// A row is removed.
    Remove(&'static str),
    /// A field of ann is set, and expressions are tested.
    Set(&'static str),
    /// The record is attached to ann.
    Attach,
}

use Do::{Attach, Jump, Pass, Peace, Phase, Remove, Rounds, Set, Tell, Turn, Use};

fn one(key: &str, value: impl Into<Value>) -> Value {
    end([(key, value.into())])
}

fn turn(edge: &str, of: &str, nth: Option<i64>) -> Value {
    let nth = nth.map_or(Value::Nil, Value::from);
    end([("turn", edge.into()), ("of", of.into()), ("nth", nth)])
}

fn event(kind: &str, who: &str) -> Value {
    let fields = Value::map([("who", Value::from(who))]);
    end([("event", kind.into()), ("where", fields)])
}

/// A line of the table: ends, what happens, the end in words (none: it lasts).
type Line = (&'static str, Value, Vec<Do>, Option<&'static str>);

fn phases() -> Vec<Line> {
    vec![
        (
            "this phase",
            one("phase", "this"),
            vec![Attach, Phase],
            Some("end of night 1"),
        ),
        (
            "this phase, later in the game",
            one("phase", "this"),
            vec![Phase, Attach, Phase],
            Some("end of day 1"),
        ),
        (
            "this phase is not over",
            one("phase", "this"),
            vec![Attach, Pass(99)],
            None,
        ),
        (
            "the very next phase lasts through this one",
            one("phase", "next"),
            vec![Attach, Phase],
            None,
        ),
        (
            "the very next phase",
            one("phase", "next"),
            vec![Attach, Phase, Phase],
            Some("end of day 1"),
        ),
        (
            "the next day from a night",
            one("phase", "day"),
            vec![Attach, Phase, Phase],
            Some("end of day 1"),
        ),
        (
            "a night from inside a night is another night",
            one("phase", "night"),
            vec![Attach, Phase, Phase],
            None,
        ),
        (
            "a night from inside a night",
            one("phase", "night"),
            vec![Attach, Phase, Phase, Phase],
            Some("end of night 2"),
        ),
        (
            "a day from inside a day",
            one("phase", "day"),
            vec![Phase, Attach, Phase, Phase, Phase],
            Some("end of day 2"),
        ),
        (
            "a kind that is reached by name",
            one("phase", "night"),
            vec![Attach, Jump("night"), Phase],
            Some("end of night 2"),
        ),
        (
            "a kind that never comes again",
            one("phase", "day"),
            vec![Attach, Jump("night"), Jump("night"), Jump("night")],
            None,
        ),
    ]
}

fn turns() -> Vec<Line> {
    vec![
        (
            "start of the next turn of another",
            turn("start", "bo", None),
            vec![Attach, Rounds, Turn, Turn],
            Some("start of the turn of bo"),
        ),
        (
            "not at the start of one's own",
            turn("start", "bo", None),
            vec![Attach, Rounds, Turn],
            None,
        ),
        (
            "end of the next turn of another",
            turn("end", "bo", None),
            vec![Attach, Rounds, Turn, Turn, Turn],
            Some("end of the turn of bo"),
        ),
        (
            "the next turn from inside a turn is another",
            turn("start", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn],
            None,
        ),
        (
            "start of the next turn from inside",
            turn("start", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn],
            Some("start of the turn of ann"),
        ),
        (
            "end of the next turn from inside",
            turn("end", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn],
            None,
        ),
        (
            "end of the next turn from inside, a round later",
            turn("end", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn, Turn],
            Some("end of the turn of ann"),
        ),
        (
            "the end of this very turn",
            turn("end", "ann", Some(0)),
            vec![Rounds, Turn, Attach, Turn],
            Some("end of the turn of ann"),
        ),
        (
            "the second turn",
            turn("start", "ann", Some(2)),
            vec![Attach, Rounds, Turn, Turn, Turn],
            None,
        ),
        (
            "start of the second turn",
            turn("start", "ann", Some(2)),
            vec![Attach, Rounds, Turn, Turn, Turn, Turn],
            Some("start of the turn of ann"),
        ),
        (
            "turns count over several fights",
            turn("start", "ann", Some(2)),
            vec![Attach, Rounds, Turn, Peace, Rounds, Turn],
            Some("start of the turn of ann"),
        ),
        (
            "the turn of a row that is gone never comes",
            turn("start", "bo", None),
            vec![Attach, Remove("bo"), Rounds, Turn, Turn, Turn],
            None,
        ),
        (
            "one round",
            one("rounds", 1),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn],
            Some("end of round 1"),
        ),
        (
            "two rounds",
            one("rounds", 2),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn, Turn],
            None,
        ),
        (
            "the last round of a fight ends too",
            one("rounds", 2),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn, Peace],
            Some("end of round 2"),
        ),
    ]
}

fn counts() -> Vec<Line> {
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

fn combined() -> Vec<Line> {
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

fn play(world: &mut World, ends: &Value, deeds: &[Do]) {
    let mut record = None;
    for deed in deeds {
        match deed {
            Attach => record = Some(world.attach("ann", "mark", ends).unwrap()),
            Phase => world.next_phase(None),
            Jump(name) => world.next_phase(Some(name)),
            Rounds => world.begin_rounds(&["ann", "bo", "cy"]),
            Turn => world.next_turn(),
            Peace => world.end_rounds(),
            Pass(seconds) => world.pass(*seconds),
            Tell(kind, who) => world.event(kind, &Value::map([("who", Value::from(*who))])),
            Use => drop(world.use_once(record.unwrap())),
            Remove(id) => world.remove(id),
            Set(field) => {
                world.set("ann", field);
                world.test();
            }
        }
    }
}

#[test]
fn each_end_ends_its_record_and_is_named() {
    for (name, ends, deeds, expected) in [phases(), turns(), counts(), combined()].concat_lines() {
        let mut world = World::new();
        play(&mut world, &ends, &deeds);
        let told = world
            .ended
            .iter()
            .filter_map(|told| told.strip_prefix("mark: "));
        assert_eq!(told.collect::<Vec<_>>(), Vec::from_iter(expected), "{name}");
        let mark = world.state.names().intern("mark");
        let left = world.state.of_kind(mark).count();
        assert_eq!(left, usize::from(expected.is_none()), "{name}");
    }
}

/// What never ends by itself is ended by hand, with a reason.
#[test]
fn what_lasts_can_be_ended() {
    for (name, ends, deeds, expected) in [phases(), turns(), counts(), combined()].concat_lines() {
        if expected.is_none() {
            let mut world = World::new();
            play(&mut world, &ends, &deeds);
            world.remove("mark#1");
            assert_eq!(world.ended.last().unwrap(), "mark: removed", "{name}");
        }
    }
}

trait Lines {
    fn concat_lines(self) -> Vec<Line>;
}

impl<const N: usize> Lines for [Vec<Line>; N] {
    fn concat_lines(self) -> Vec<Line> {
        self.into_iter().flatten().collect()
    }
}
